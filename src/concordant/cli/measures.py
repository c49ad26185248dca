"""Measure: the catalogue, or which measures suit your data and why the others do not.

Examples:
  %(prog)s measures
  %(prog)s measures --for ratings.csv --level ordinal
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from concordant.cli.inputs import OPTIONS, make_source
from concordant.cli.options import add, names_of, refuse
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.measures.catalogue import CATALOGUE
from concordant.report.grid import table
from concordant.uncertainty.front import suitable


@click.command("measures")
@click.option("--for", "data", metavar="DATA", help="Say which measures suit these data and why the others do not.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@add(OPTIONS)
@click.pass_context
def command(context: click.Context, /, data: str | None, as_json: bool, **given: Any) -> None:
    """List all measures, or say which suit DATA."""
    if data is None:
        refuse(context, names_of(OPTIONS), "the list of all measures")
        listed = [
            (m.key, m.name, m.kind, m.needs.made_for or ", ".join(level.value for level in sorted(m.needs.suits)))
            for m in CATALOGUE.values()
        ]
        if as_json:
            names = ("measure", "name", "kind", "suits")
            echo_json({"measures": [dict(zip(names, row, strict=True)) for row in listed]})
        else:
            print_blocks(table("", ("Key", "Name", "Kind", "Made for"), listed), is_all=True)
        return
    source = make_source({"data": data, **given})
    with Bar("reading") as bar:
        read = source.read(source.of().format, progress=bar)
        found, notes = suitable(read), list(getattr(read, "notes", ()))
    if as_json:
        echo_json({**found.to_dict(), "notes": notes})
        return
    for question in dict.fromkeys(one.question for one in found):
        rows, others = gathered([row for row in found.rows() if row["question"] == question])
        shown = [(row["measure"], row["name"], row["suits"], row["why"]) for row in rows]
        print_blocks(table(f"Question {question}" if question else "", ("Key", "Name", "Suits", "Why not"), shown))
        notes += others
    print_notes(list(dict.fromkeys(notes)))


MOST_ALIKE = 12  # measures with one and the same reason that are listed one by one


def gathered(rows: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows to list, and a line for each reason for which many measures do not suit."""
    times = Counter(row["why"] for row in rows if row["suits"] == "no")
    many = {why: n for why, n in times.items() if n > MOST_ALIKE}
    told = [f"not listed: {n} measures, each of which {why}" for why, n in many.items()]
    return [row for row in rows if row["suits"] != "no" or row["why"] not in many], told
