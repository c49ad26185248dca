"""Publish: hold judgements to limits, for pipelines: exit code 1 with a line for each limit that is not kept.

Examples:
  %(prog)s gate ratings.csv --require 'alpha>=.67' --require 'interval.low>=.6'
  %(prog)s gate ratings.csv --require 'fluency:alpha>=.8' --junit agreement.xml --summary agreement.md
  %(prog)s gate --each --require 'alpha>=.67' monday.csv tuesday.csv
"""

import sys
from pathlib import Path

import click

from concordant.cli.inputs import MORE, Source, data_options
from concordant.cli.options import JSON, shown
from concordant.cli.paint import painted
from concordant.cli.screen import Bar, echo_json
from concordant.diagnosis.limits import Gate, gate, junit
from concordant.files import refuse_unwritable, written_whole


@click.command("gate")
@data_options
@MORE
@click.option("--each", is_flag=True, help="Hold each file by itself; otherwise several files are one set of data.")
@click.option(
    "--require", multiple=True, required=True, metavar="'NAME OP NUMBER'", help="A limit to keep; repeatable."
)
@click.option("--junit", "junit_file", metavar="FILE", help="Write the checks as JUnit XML.")
@click.option("--summary", metavar="FILE", help="Write the checks as a Markdown table.")
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of intervals that are drawn.")
@JSON
def command(
    source: Source,
    each: bool,
    require: tuple[str, ...],
    junit_file: str | None,
    summary: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Hold the coefficients of DATA to limits, each on every question or on one (`fluency:alpha>=.8`).

    Names are measures (alpha, kappa, icc_a1 …), ends of their intervals (alpha.low, alpha.high; interval.low is that of
    alpha) and n_units, n_raters, n_judgements; the operators are >= > <= < ==. What is undefined keeps no limit.
    """
    for goal in filter(None, (junit_file, summary)):
        refuse_unwritable(Path(goal))
    sources = [source._replace(paths=(path,)) for path in source.paths] if each else [source]
    with Bar("measuring"):
        found = [gate(one.study(attributes=[]), require, seed=seed) for one in sources]
    tables = "\n".join(one.to_markdown() for one in found)
    for path, text in ((junit_file, junit(found)), (summary, tables)):
        if path is not None:
            with written_whole(path) as beside:
                beside.write_text(text, encoding="utf-8")
    holds = all(one.holds for one in found)
    if as_json:
        told = [one.to_dict() | {"holds": one.holds} for one in found]
        echo_json({"files": told, "holds": holds} if each else told[0])
    else:
        _tell([(f"{path}: " if each else "", one) for path, one in zip(source.paths, found, strict=False)])
    if not holds:
        sys.exit(1)


def _tell(found: list[tuple[str, Gate]]) -> None:
    """A line for each limit that is not kept, after the file if each was held by itself, and how many were kept."""
    for of, one in found:
        for line in one.failures:
            click.echo(painted(f"{of}{line}", "bad"))
    checks = [check for _, one in found for check in one.checks]
    kept = sum(check.holds for check in checks)
    click.echo(painted(f"{kept} of {len(checks)} requirements hold.", "good" if kept == len(checks) else "bad"))
