"""Understand: one picture: scores, distribution, contingency, coincidence, entropy, coefficients, pairs."""

from pathlib import Path
from typing import Any

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import by_option, completing, measures_option, refuse, shown
from concordant.cli.screen import Bar
from concordant.plots.kinds import KINDS, draw, find_kind

EPILOG = (
    "\b\nKinds:\n"
    + "\n".join(f"  {key:<13} {kind.summary}" for key, kind in KINDS.items())
    + """

\b
Examples:
  %(prog)s plot scores ratings.csv --level ordinal -o scores.svg
  %(prog)s plot coefficients features.csv --question feature --by group --measure kappa -o forest.pdf
  %(prog)s plot contingency ratings.csv --raters J1,J2 -o table.png
"""
)


@click.command("plot", epilog=EPILOG)
@click.argument("picture", metavar="KIND", shell_complete=completing(lambda: KINDS))
@data_options
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write: .png, .svg or .pdf.")
@by_option(
    help="Attribute for entropy and coefficients; repeatable for coefficients.",
)
@measures_option(help="Measure to draw (coefficients); repeatable.")
@click.option("--pool", is_flag=True, help="All questions together: a unit is a unit with a question.")
@shown("--resamples", default=2000, help="Bootstrap resamples of intervals.")
@shown("--seed", default=1, help="Seed of the bootstrap.")
@click.pass_context
def command(
    context: click.Context, /, picture: str, source: Source, output: str, by: tuple[str, ...], **how: Any
) -> None:
    """Draw a picture of the given KIND of DATA and write it to FILE; what it shows is printed in words."""
    from concordant.files import refuse_unwritable
    from concordant.plots.picture import check_ending, save

    how["by"], choices = by, find_kind(picture).choices
    refuse(context, how.keys() - choices, f"a picture of {picture}")
    check_ending(output)
    refuse_unwritable(Path(output))
    with Bar("drawing"):
        drawn = draw(picture, source.study(attributes=list(by)), **{name: how[name] for name in choices})
    save(drawn, output)
    click.echo(drawn.alternative)
