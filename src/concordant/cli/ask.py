"""Collect: ask a model what raters are asked, and keep its answers beside theirs.

Examples:
  %(prog)s ask study --model gpt-4o --address https://api.example.org/v1 --key-from MY_KEY --prices 2.5,10
  %(prog)s ask study --model local --command 'python answer.py'
  %(prog)s ask study --model local --show
"""

import json
from pathlib import Path
from typing import Any

import click

from concordant.cli.options import JSON, STUDY, shown
from concordant.cli.screen import Bar, echo_json
from concordant.digits import counted
from concordant.errors import InputError, MissingExtra


@click.command("ask")
@STUDY
@click.option("--model", required=True, metavar="RATER", help='The rater of the study file with kind = "model".')
@click.option("--command", metavar="PROGRAM", help="A program that reads a prompt as JSON and writes the answer.")
@click.option("--address", metavar="URL", help="An address that speaks as OpenAI's chat interface, up to /v1.")
@click.option("--as", "called", metavar="NAME", help="The model's name at that address.  [default: the rater's]")
@shown("--key-from", default="OPENAI_API_KEY", metavar="VARIABLE", help="Environment variable that holds the key.")
@shown("--per-minute", default=60.0, type=click.FloatRange(0.01), help="Ask no more often.")
@click.option("--prices", metavar="IN,OUT", help="What a million tokens cost, read and written.")
@click.option("--most-cost", type=click.FloatRange(0), help="Stop when so much is spent.")
@click.option("--most-pages", type=click.IntRange(0), help="Ask about so many pages only, to look at them first.")
@click.option("--again", is_flag=True, help="Ask again where there was no answer.")
@click.option("--timeout", type=click.FloatRange(0.1), metavar="SECONDS", help="How long to wait for a reply.")
@click.option("--show", "is_shown", is_flag=True, help="Print the prompt of the first page and ask nobody.")
@click.option("--db", metavar="URL", help="Where answers are kept; study.db in the study's folder by default.")
@JSON
def command(study: Path, is_shown: bool, prices: str | None, as_json: bool, **how: Any) -> None:
    """Ask a model the questions of STUDY: the same instructions, guidelines and units become the prompt.

    Answers go through the same checks and into the same log as people's, with what was sent, the reply as it came, the
    model's version, temperature, time and tokens. A reply that refuses, or is no answer to the question, is kept as
    that and becomes no category. What was asked is not asked again: stop with Ctrl+C and go on later.

    The study file declares the model: [[raters]] with id, kind = "model", and if you like prompt and temperature. Its
    answers are left out of people's agreement; `%(prog)s judges` compares them.
    """
    try:
        from concordant.studio.model_raters import ask
        from concordant.studio.prompts import first_prompt
    except ModuleNotFoundError as error:
        raise MissingExtra("ask", "web") from error
    if is_shown:
        first = first_prompt(study)
        click.echo(f"{first.system}\n\n---\n\n{first.user}" if not as_json else json.dumps(first.to_dict(), indent=2))
        return
    with Bar("asking") as bar:
        found = ask(study, prices=_prices(prices), progress=bar, **how)
    if as_json:
        echo_json(found.to_dict())
    else:
        told = ", ".join(f"{n:,} {name}" for name, n in found.outcomes.items() if n)
        left = found.n_pages - sum(found.outcomes.values())
        click.echo(
            f"{found.model}: {told or 'nothing asked'} of {counted(found.n_pages, 'page')}; {found.n_now:,} now."
        )
        for why, n in found.faults.items():
            click.echo(f"- {n:,} × {why}")
        if found.usage:
            click.echo("- used: " + ", ".join(f"{name} {value:,.6g}" for name, value in found.usage.items()))
        if left:
            click.echo(f"- {counted(left, 'page')} to go: run it again")
    if found.stopped:
        raise InputError(f"stopped: {found.stopped}", hint="everything so far is stored; run it again to go on")


def _prices(text: str | None) -> tuple[float, float] | None:
    """The two prices as they are written."""
    if text is None:
        return None
    try:
        one, other = map(float, text.split(","))
    except ValueError:
        raise InputError(f"--prices {text!r} is not IN,OUT", hint="for example --prices 2.5,10") from None
    return one, other
