"""Publish: hold judgements to limits, for pipelines: exit code 1 with a line for each limit that is not kept.

Examples:
  %(prog)s gate ratings.csv --require 'alpha>=.67' --require 'interval.low>=.6'
  %(prog)s gate ratings.csv --require 'fluency:alpha>=.8' --junit agreement.xml --summary agreement.md
"""

import sys
from pathlib import Path

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import JSON, shown
from concordant.cli.paint import painted
from concordant.cli.screen import Bar, echo_json
from concordant.diagnosis.limits import gate
from concordant.files import refuse_unwritable, written_whole


@click.command("gate")
@data_options
@click.option(
    "--require", multiple=True, required=True, metavar="'NAME OP NUMBER'", help="A limit to keep; repeatable."
)
@click.option("--junit", metavar="FILE", help="Write the checks as JUnit XML.")
@click.option("--summary", metavar="FILE", help="Write the checks as a Markdown table.")
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of intervals that are drawn.")
@JSON
def command(
    source: Source, require: tuple[str, ...], junit: str | None, summary: str | None, seed: int, as_json: bool
) -> None:
    """Hold the coefficients of DATA to limits, each on every question or on one (`fluency:alpha>=.8`).

    Names are measures (alpha, kappa, icc_a1 …), ends of their intervals (alpha.low, alpha.high; interval.low is that of
    alpha) and n_units, n_raters, n_judgements; the operators are >= > <= < ==. What is undefined keeps no limit.
    """
    for goal in filter(None, (junit, summary)):
        refuse_unwritable(Path(goal))
    with Bar("measuring"):
        found = gate(source.study(attributes=[]), require, seed=seed)
    for path, text in ((junit, found.to_junit), (summary, found.to_markdown)):
        if path is not None:
            with written_whole(path) as beside:
                beside.write_text(text(), encoding="utf-8")
    if as_json:
        echo_json(found.to_dict() | {"holds": found.holds})
    else:
        for line in found.failures:
            click.echo(painted(line, "bad"))
        kept = sum(check.holds for check in found.checks)
        click.echo(painted(f"{kept} of {len(found.checks)} requirements hold.", "good" if found.holds else "bad"))
    if not found.holds:
        sys.exit(1)
