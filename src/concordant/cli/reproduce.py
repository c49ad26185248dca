"""Understand: the published figures of the studies this program is made from, computed again.

Example: with the data of the studies below the folder `data`
  %(prog)s reproduce sails --data data
  %(prog)s reproduce all --data data -o reproduction.html
"""

import sys

import click

from concordant.cli.options import FILE, JSON
from concordant.cli.screen import Bar, echo_json, print_blocks
from concordant.report.document import Paragraph, Points
from concordant.reproduction.printed import VERDICTS
from concordant.reproduction.verdicts import reproduce, shown_studies, summary, table_of, verdict_text

TOLD = ("rounding", "misprint", "otherwise", "differs")
"""What is listed without being asked for: figures that came out other than printed."""


@click.command("reproduce")
@click.argument("study", default="all")
@click.option("--data", type=FILE, metavar="FOLDER", help="The folder with the data of the studies.")
@click.option("--cells", is_flag=True, help="Print every figure, also those that are as printed.")
@click.option("-o", "--output", metavar="FILE", help="Write all figures to .html, .xlsx, .tex or .md.")
@JSON
def command(study: str, data: str | None, cells: bool, output: str | None, as_json: bool) -> None:
    """Compute every published figure of STUDY again: sails, catalan, amidei, santa, castro or all.

    A figure is reproduced if it is what the computed number looks like with as many digits as were printed. Where
    another number comes out, the figure that does is recorded here with the reason: a misprint, digits that were cut
    off, a figure that was computed otherwise. What is recorded is compared in the same way.

    The data of the studies are not part of this program. A file that is missing is named with where it comes from.
    Without --data, only what follows from other figures in print is computed.

    Exit code 1 if a figure comes out that was neither printed nor recorded.
    """
    with Bar("reproducing") as bar:
        found = reproduce(study, output, data=data, progress=bar)
    if as_json:
        echo_json(found.to_dict())
    else:
        for one in shown_studies(found):
            told = [figure for figure in found.figures if figure.study == one.key and (cells or figure.verdict in TOLD)]
            tables = [(table, [figure for figure in told if figure.table == table.name]) for table in one.tables]
            lists = [table_of(own, f"{one.key}, {table.name}: {table.about}") for table, own in tables if own]
            print_blocks(summary(found, one), *lists)
        words = tuple(f"{verdict}: {VERDICTS[verdict]}" for verdict in found.counts)
        points = (Paragraph(text=verdict_text(found)), Points(items=words), Points(items=found.notes))
        print_blocks(*points, is_all=output is None)
        if output is not None:
            click.echo(f"Report written to {output}")
    if not found.holds:
        sys.exit(1)
