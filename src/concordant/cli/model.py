"""Understand: severity of raters, misfit and fair averages of units, by a many-facet Rasch model.

Examples:
  %(prog)s model ratings.csv
  %(prog)s model ratings.csv --facets unit,rater,question --level ordinal
  %(prog)s plot wright ratings.csv -o map.svg
"""

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import JSON, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes, print_signatures
from concordant.judging.severity import FACETS, USUAL, rasch
from concordant.report.judged import severity_blocks


@click.command("model")
@data_options
@shown("--facets", default=",".join(USUAL), help=f"What differs: {','.join(FACETS)}, or without questions.")
@click.option("--groups-equal", is_flag=True, help="Raters without common units had units dealt at random.")
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of the chance of a misfit.")
@JSON
def command(source: Source, facets: str, groups_equal: bool, seed: int, as_json: bool) -> None:
    """Estimate how severe each rater in DATA is, whether their answers fit, and what each unit would get from all.

    A many-facet Rasch model of ordered categories (Linacre 1989): every unit has a measure, every rater a severity, in
    logits. It takes any design in which raters share units, if only through others; raters who share none are refused
    by name. Infit is 1 for answers that follow the model: above 1.5 a rater contradicts what the others say of the
    units, below 0.6 they follow it too closely. A fair average is what raters of average severity would give a unit:
    `%(prog)s gold --method rasch` writes those of all units.
    """
    study = source.study()
    with Bar("estimating") as bar:
        found = rasch(study, facets=facets, groups_equal=groups_equal, seed=seed, progress=bar, read=source.selection())
    if as_json:
        echo_json(found.to_dict())
        return
    for one in found.models:
        print_blocks(*severity_blocks(one))
    print_notes(found.notes)
    print_signatures([one.signature for one in found.models])
