"""`assent compare`: the consensus of experts against the consensus of participants."""

from typing import Any

import click

from assent.cli.completion import FILE
from assent.cli.data import Source, data_options
from assent.cli.printing import Readings, results_table
from assent.cli.sections import echo_json
from assent.diagnosis.findings import count
from assent.errors import InputError
from assent.gold.comparison import Comparison, compare
from assent.model.study import Study
from assent.report.tables import ShownTable, table
from assent.report.text import bullet, render

EPILOG = """\b
Example:
  assent compare experts.csv participants.csv --level set --order B,B+E,B+O,E,E+O,O
"""


@click.command("compare", epilog=EPILOG)
@click.argument("experts", type=FILE)
@data_options
@click.option("--order", metavar="A,B,…", help="Order of the rows and columns of the table.")
@click.option("--names", default="experts,participants", show_default=True, help="What the two sides are called.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(experts: str, source: Source, order: str | None, names: str, as_json: bool) -> None:
    """Compare the judgements in EXPERTS with those in DATA (the participants), unit by unit.

    On each side a unit gets the category with the largest share of votes; ties are listed and left out. Then follow the
    contingency table with totals in the order you give, the largest disagreements by name, and the agreement: kappa, or
    for sets (--level set, values like B+E) full, weighted and overlapping agreement. Both files are read with the same
    options.
    """
    from dataclasses import replace

    sides = [replace(source, path=path).study(attributes=[]) for path in (experts, source.path)]
    one, two = (part.strip() for part in (names + ",").split(",")[:2])
    found = {
        question: compare(
            *(side.judgements(question) for side in sides),
            names=(one, two or "participants"),
            categories=None if order is None else [part.strip() for part in order.split(",")],
        )
        for question in _questions(sides)
    }
    if as_json:
        echo_json({"comparisons": [{"question": q, **_plain(c)} for q, c in found.items()]})
        return
    for question, comparison in found.items():
        _print(question, comparison)


def _questions(sides: list[Study]) -> list[str | None]:
    """The questions of both sides."""
    if not sides[0].questions and not sides[1].questions:
        return [None]
    common = [question for question in sides[0].questions if question in sides[1].questions]
    if not common:
        raise InputError("the two files have no question in common", hint="name the column with --question")
    return list(common)


def _plain(found: Comparison) -> dict[str, Any]:
    """A comparison for JSON."""
    return {**{name: getattr(found, name) for name in found.__dataclass_fields__}, "n_units": found.n_units}


def contingency_table(found: Comparison, title: str = "") -> ShownTable:
    """The table with totals."""
    rows = [(category, *row, sum(row)) for category, row in zip(found.categories, found.table, strict=True)]
    columns = [sum(column) for column in zip(*found.table, strict=True)]
    rows.append(("Total", *columns, found.n_units))
    heading = f"{found.names[0]} ↓ {found.names[1]} →"
    return table(title, (heading, *found.categories, "Total"), rows)


def _print(question: str | None, found: Comparison) -> None:
    """Table, agreements, disagreements, what was left out."""
    click.echo(render(contingency_table(found, question or "")) + "\n")
    readings = Readings(found.results)
    click.echo(render(results_table(found.results, readings)) + "\n")
    for note in readings.footnotes:
        click.echo(bullet(note))
    for cell in found.largest:
        click.echo(
            bullet(
                f"{count(cell.n_units, 'unit')} ({cell.share:.0%} of the disagreements): {found.names[0]} "
                f"{cell.first}, {found.names[1]} {cell.second}"
            )
        )
    for name, ties, only in zip(found.names, found.ties, found.n_only, strict=True):
        if ties:
            shown = "; ".join(f"{tie.unit}: {' = '.join(tie.categories)}" for tie in ties[:5])
            click.echo(bullet(f"{count(len(ties), 'tie')} of {name} left out ({shown}{' …' if len(ties) > 5 else ''})"))
        if only:
            click.echo(bullet(f"{count(only, 'unit')} of {name} not on the other side"))
