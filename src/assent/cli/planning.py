"""`assent planning`: how many units or raters an interval of a given width takes."""

import json
from dataclasses import asdict
from typing import Any, Literal

import click

from assent.cli.completion import measure_keys
from assent.cli.data import Source, data_options
from assent.cli.progress import Bar
from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.randomness import draw_seed
from assent.report.tables import cell_text, table
from assent.report.text import bullet, render
from assent.uncertainty.planning import Recommendation, plan

EPILOG = """\b
Example:
  assent planning pilot.csv --measure alpha --width 0.1
  assent planning pilot.csv --measure fleiss --width 0.2 --of raters
"""


@click.command("planning", epilog=EPILOG)
@data_options
@click.option(
    "--measure", "key", required=True, metavar="KEY", shell_complete=measure_keys, help="The measure you will report."
)
@click.option("--width", type=float, required=True, help="How wide the interval may be, from end to end.")
@click.option(
    "--of",
    type=click.Choice(["units", "raters"]),
    default="units",
    show_default=True,
    help="What you can have more of: units judged by raters like these, or raters for units like these.",
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level of the interval.")
@click.option("--resamples", type=int, default=2000, show_default=True, help="Samples drawn for each size.")
@click.option("--seed", type=int, help="Seed of the samples; without it one is drawn and printed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(source: Source, key: str, width: float, of: Literal["units", "raters"], as_json: bool, **how: Any) -> None:
    """Find how many units or raters a study needs, from a pilot study in DATA.

    The pilot stands for the population: samples of other sizes are drawn from it, and the answer is the
    smallest size at which the middle 95 % of the coefficient is no wider than --width.
    """
    how["seed"] = draw_seed() if how["seed"] is None else how["seed"]
    with Bar("planning") as bar:
        found = plan(_data(source), key, width=width, of=of, progress=bar, **how)
    click.echo(json.dumps(asdict(found), indent=2, allow_nan=False) if as_json else _text(found))


def _data(source: Source) -> Tally:
    """The judgements of the one question that is left after --where."""
    study = source.study(attributes=[])
    if len(study.questions) > 1:
        raise InputError(
            f"the data have {len(study.questions)} questions",
            file=source.path,
            hint=f"plan for one of them: --where question={study.questions[0]}",
        )
    return tally(study.judgements())


def _text(found: Recommendation) -> str:
    """The answer in a sentence, then the sizes that were tried."""
    shown = table("", [found.of.capitalize(), "Width"], [(step.size, step.width) for step in found.steps])
    answer = (
        f"About {found.size:,} {found.of} give {found.measure} = {found.value:.3f} a {found.confidence:.0%} interval "
        f"{cell_text(found.width)} wide ({found.asked_width:g} asked for); with {found.now:,} as now it is "
        f"{'undefined' if found.now_width is None else cell_text(found.now_width) + ' wide'}."
    )
    how = f"{found.resamples:,} samples of each size, seed {found.seed}; the data stand for the population"
    return f"{answer}\n\n{render(shown)}\n\n{bullet(how)}"
