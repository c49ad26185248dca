"""Plan: how many units a test of kappa or an intraclass correlation takes, without data.

Examples:
  %(prog)s power kappa --null .4 --expected .6 --shares .7,.3
  %(prog)s power icc1 --null .6 --expected .8 --raters 3
"""

from dataclasses import asdict
from typing import Any

import click

from concordant.cli.options import JSON, measure_keys, shown
from concordant.cli.screen import Bar, echo_json
from concordant.errors import InputError
from concordant.report.grid import paragraph
from concordant.uncertainty.sample_sizes import sample_size


@click.command("power")
@click.argument("measure", shell_complete=measure_keys)
@click.option("--null", type=float, required=True, help="The value that is not good enough.")
@click.option("--expected", type=float, required=True, help="The value that you expect.")
@shown("--power", type=float, default=0.8, help="How likely the test is to tell them apart.")
@shown("--significance", type=float, default=0.05, help="Of the one-sided test.")
@shown("--raters", type=int, default=2, help="Raters of each unit (icc1).")
@click.option("--shares", metavar="S,S…", help="How often each category is given (kappa).  [default: .5,.5]")
@JSON
def command(measure: str, shares: str | None, as_json: bool, **how: Any) -> None:
    """Find how many units a test of MEASURE (kappa or icc1) needs to have a power."""
    try:
        given = [float(part) for part in (shares or "").split(",") if part.strip()]
    except ValueError:
        raise InputError(f"{shares!r} are no shares", hint="write --shares .7,.3") from None
    with Bar("planning"):
        found = sample_size(measure, shares=given, **how)
    if as_json:
        echo_json(asdict(found))
    else:
        click.echo(paragraph(found.text))
