"""Keep: the features of every response as numbers: the units file of a preference test.

Example: features were judged in one study, preferences are asked in another
  %(prog)s vectors my-features -o my-preferences/responses.csv
  %(prog)s design my-preferences
"""

from pathlib import Path
from typing import Any

import click

from concordant.choices import split
from concordant.cli.inputs import Source, data_options
from concordant.cli.options import JSON
from concordant.cli.rank import DECISIONS, VALUES
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.digits import brief, counted
from concordant.files import refuse_unwritable
from concordant.gold.feature_values import MOST_SHOWN, feature_vectors
from concordant.readers.study_folder import is_study
from concordant.report.grid import table


@click.command("vectors")
@data_options
@VALUES
@DECISIONS
@click.option("--features", metavar="A,B,…", help="The questions to take. [default: all answered by numbers or yes/no]")
@click.option("--item", help="Column that names the item.")
@click.option("-o", "--output", metavar="FILE", help="Write a units file: id, item, what was shown, the features.")
@JSON
def command(
    source: Source, decisions: str | None, features: str | None, output: str | None, as_json: bool, **how: Any
) -> None:
    """Make one row of numbers for every unit in DATA: its value of each question, yes and no as 1 and 0.

    DATA is the folder of a study, its export, or another table of judgements. The file written with -o is what a
    preference test needs as its units: name the columns under [units] (item, text, prompt) and the features under
    `vector` of [pairs]. Units that are undecided on some feature are left out of it and named.
    """
    if output:
        refuse_unwritable(Path(output))
    place = decisions or (source.path if is_study(source.path) else None)
    wanted = None if features is None else split(features)
    with Bar("reading"):
        found = feature_vectors(source.study(), decisions=place, features=wanted, **how)
    if output:
        found.to_csv(output)
    if as_json:
        echo_json({"basis": found.basis, "features": found.features, "units": found.rows(), "notes": found.notes})
        return
    rows = [[None if cell is None else brief(cell) if isinstance(cell, float) else cell for cell in row.values()]
            for row in found.first_rows()]  # fmt: skip
    print_blocks(table("", ("Unit", "Item", *found.features), rows))
    n_more = len(found.units) - MOST_SHOWN
    told = f"{counted(int(found.is_known.sum()), 'unit')} with a vector, {found.n_distinct:,} of them distinct"
    more = [f"{n_more:,} more units; -o FILE writes all"] if n_more > 0 and not output else []
    print_notes([f"{told}; values {found.basis}", *more, *found.notes])
    if output:
        folder = "; pictures and sounds are named as before: copy them beside it" if "image" in found.about else ""
        click.echo(f"Wrote {output}{folder}.")
