"""Small tables on a terminal."""

from collections.abc import Sequence

import click


def print_table(heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A heading, then the table: the first column to the left, the others to the right, as wide as they need."""
    lines = [tuple(columns), *(tuple(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    click.secho(heading, bold=True)
    for line in lines:
        cells = [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        click.echo("  " + "  ".join(cells).rstrip())
    click.echo()
