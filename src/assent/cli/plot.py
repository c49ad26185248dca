"""`assent plot`: one picture of a study."""

from pathlib import Path

import click

from assent.cli.completion import measure_keys
from assent.cli.data import Source, data_options
from assent.plots.kinds import KINDS, Choices, find_kind

EPILOG = (
    "\b\nKinds:\n"
    + "\n".join(f"  {kind.key:<13} {kind.summary}" for kind in KINDS.values())
    + """

\b
Examples:
  assent plot scores ratings.csv --level ordinal -o scores.svg
  assent plot coefficients features.csv --question feature --by group --measure kappa -o forest.pdf
  assent plot contingency ratings.csv --raters J1,J2 -o table.png
"""
)


@click.command("plot", epilog=EPILOG)
@click.argument("kind")
@data_options
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write: .png, .svg or .pdf.")
@click.option(
    "--by", multiple=True, metavar="COLUMN", help="Attribute for entropy and coefficients; repeatable for coefficients."
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="KEY",
    shell_complete=measure_keys,
    help="Measure to draw (coefficients); repeatable.",
)
@click.option("--pool", is_flag=True, help="All questions together: a unit is a unit with a question.")
@click.option("--resamples", type=int, default=2000, show_default=True, help="Bootstrap resamples of intervals.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the bootstrap.")
def command(
    kind: str,
    source: Source,
    output: str,
    by: tuple[str, ...],
    measures: tuple[str, ...],
    pool: bool,
    resamples: int,
    seed: int,
) -> None:
    """Draw a picture of the given KIND of DATA and write it to FILE; what it shows is printed in words."""
    from assent.files import refuse_unwritable
    from assent.plots.picture import check_ending, save

    chosen = find_kind(kind)
    check_ending(output)
    refuse_unwritable(Path(output))
    study = source.study(attributes=list(by))
    picture = chosen.draw(study, Choices(by=by, measures=measures, pool=pool, resamples=resamples, seed=seed))
    save(picture, output)
    click.echo(picture.alternative)
