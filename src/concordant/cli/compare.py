"""Understand: the consensus of experts against that of participants: table, agreement, disagreements.

Example:
  %(prog)s compare experts.csv participants.csv --level set --order B,B+E,B+O,E,E+O,O
"""

import click

from concordant.choices import split
from concordant.cli.inputs import Source, data_options
from concordant.cli.options import FILE, JSON, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes, results_table
from concordant.errors import InputError
from concordant.gold.consensus import compare_sides
from concordant.report.consensus_blocks import contingency_table, remarks


@click.command("compare")
@click.argument("experts", type=FILE)
@data_options
@click.option("--order", metavar="A,B,…", help="Order of the rows and columns of the table.")
@shown("--names", default="experts,participants", help="What the two sides are called.")
@JSON
def command(experts: str, source: Source, order: str | None, names: str, as_json: bool) -> None:
    """Compare the judgements in EXPERTS with those in DATA (the participants), unit by unit.

    On each side a unit gets the category with the largest share of votes; ties are listed and left out. Then follow the
    contingency table with totals in the order you give, the largest disagreements by name, and the agreement: kappa, or
    for sets (--level set, values like B+E) full, weighted and overlapping agreement. Both files are read with the same
    options. --json has the consensus of both sides for every unit, with its share of the votes.
    """
    one, two, *more = (part.strip() for part in f"{names}{',' * (',' not in names)}".split(","))
    if more:
        raise InputError(f"--names {names!r} are more than two", hint="name the experts, then the participants")
    with Bar("comparing"):
        sides = [source._replace(paths=(path,)).study(attributes=[]) for path in (experts, source.path)]
        ordered = None if order is None else split(order)
        found = compare_sides(*sides, order=ordered, names=(one, two or "participants"))
    if as_json:
        echo_json(found.to_dict())
        return
    for question, comparison in found.items():
        shown, footnotes = results_table(comparison.results)
        print_blocks(contingency_table(comparison, question or ""), shown)
        print_notes([*footnotes, *remarks(comparison)])
