"""Measure: what was understood of data, without measuring.

Examples:
  %(prog)s read ratings.csv
  %(prog)s read annotations/ --json
  %(prog)s read export.json --format label_studio
"""

from collections.abc import Sequence

import click

from concordant.cli import inputs
from concordant.cli.inputs import Source
from concordant.cli.options import JSON
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.digits import BLANK, counted
from concordant.readers.account import Account, account_of
from concordant.report.document import Paragraph
from concordant.report.grid import table

MOST_SHOWN = 8  # categories of a question that the table names
MOST_CHARACTERS = 240  # of these names together
BEGINNING = 30  # characters of a long category that are shown


@click.command("read")
@inputs.data_options
@inputs.MORE
@JSON
def command(source: Source, as_json: bool) -> None:
    """Show what is understood of DATA: format and why, units, raters, questions, columns without a use, rows left out.

    Nothing is measured, and one rater is enough. Options say how to read, as everywhere.
    """
    found = source.of()
    with Bar("reading") as bar:
        account = account_of(source.read(found.format, progress=bar), found)
    if as_json:
        echo_json(account.to_dict())
        return
    first, *more = account.lines()
    print_blocks(Paragraph(text=first), table("", ("Question", "Level", "Judgements", "Categories"), _rows(account)))
    kept = [f"attributes: {', '.join(account.attributes)}"] if account.attributes else []
    print_notes([*more, *kept, *account.notes])


def _rows(account: Account) -> list[tuple[str, str, int, str]]:
    """A row for each question."""
    return [
        (one.name or BLANK, one.level, one.n_judgements, named(one.categories) or BLANK) for one in account.questions
    ]


def named(categories: Sequence[str]) -> str:
    """The first categories and how many more there are; of long ones, such as trees, their number and one beginning.

    >>> named(("yes", "no"))
    'yes, no'
    >>> named((f"(TOP (root {'(conj ' * 60})))", "(TOP (root))"))
    '2 values, such as (TOP (root (conj (conj (conj (…'
    """
    left = len(categories) - MOST_SHOWN
    shown = ", ".join(categories[:MOST_SHOWN]) + (f" and {left:,} more" if left > 0 else "")
    if len(shown) <= MOST_CHARACTERS:
        return shown
    start = " ".join(categories[0].split())
    begin = start[:BEGINNING].rstrip()
    return f"{counted(len(categories), 'value')}, such as {begin}{'…' * (len(start) > BEGINNING)}"
