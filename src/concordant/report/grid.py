"""Tables of raw cells, so that a workbook gets numbers and a page can show a number in full.

What coefficients put into cells is written here, and how a table looks in a terminal: never wider than it.
"""

import shutil
import textwrap
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from concordant.digits import cell_text, level

if TYPE_CHECKING:
    from concordant.measures.result import Agreement
    from concordant.plots.axis import Axis, Mark

Row = TypeVar("Row")


@dataclass(frozen=True, kw_only=True)
class Link:
    """A text or number that leads to another section; `row` counts the rows of its first table from 0."""

    shown: str | int
    to: str
    row: int | None = None

    def __str__(self) -> str:
        """What is shown."""
        return cell_text(self.shown)


@dataclass(frozen=True, kw_only=True)
class ForestRow:
    """What a row says in a word and a sentence, and its interval on the common axis."""

    label: str
    word: str
    tone: str
    sentence: str
    mark: "Mark | None"


@dataclass(frozen=True, kw_only=True)
class Forest:
    """The intervals of a table on one axis; a page draws them, and leaves out the column with the sentences."""

    axis: "Axis"
    rows: tuple[ForestRow, ...]
    without: str


Cell = str | int | float | bool | Link | None


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A table of raw cells. Numbers are rounded only when they are shown.

    The first `n_fixed` columns name a row and stay in view. A wide table is made for a sheet: a page folds it away and
    paper only says where it is. `to_fill` are the columns that the reader writes in. `signatures` are those of the
    rows, for formats in which a row can carry one unseen. `said` is what the table shows, for those who do not open it.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    n_fixed: int = 1
    is_wide: bool = False
    to_fill: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    forest: "Forest | None" = None
    said: str = ""

    def __post_init__(self) -> None:
        """Every row has a cell for every header."""
        if any(len(row) != len(self.headers) for row in self.rows):
            raise ValueError(f"{self.title}: a row does not have {len(self.headers)} cells")

    @property
    def is_facts(self) -> bool:
        """Whether it is a list of names and values rather than a table with columns."""
        return self.headers[:1] == ("",)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers."""
        return tuple(any(is_number(row[i]) for row in self.rows) for i in range(len(self.headers)))

    @property
    def n_rows_text(self) -> str:
        """What is said of a wide table where it is not shown in full."""
        return f"{len(self.rows):,} rows; the workbook has them all (-o report.xlsx)"


def is_number(cell: Cell) -> bool:
    """Whether a cell holds a number (a truth value is none)."""
    value = cell.shown if isinstance(cell, Link) else cell
    return isinstance(value, int | float) and not isinstance(value, bool)


def table(
    title: str, headers: Sequence[str], rows: Sequence[Sequence[Any]], *, notes: Sequence[str] = (), **layout: Any
) -> Grid:
    """A table from rows; `layout` are the other fields of a `Grid`."""
    return Grid(title=title, headers=tuple(headers), rows=tuple(map(tuple, rows)), notes=tuple(notes), **layout)


def grid(title: str, columns: Mapping[str, Sequence[Cell]], *, notes: Sequence[str] = ()) -> Grid:
    """A table from named columns; columns without any content are left out."""
    kept = {name: cells for name, cells in columns.items() if any(cell not in (None, "") for cell in cells)}
    return table(title, list(kept), list(zip(*kept.values(), strict=True)), notes=notes)


def listed(
    title: str,
    entries: Sequence[Row],
    columns: Mapping[str, str | Callable[[Row], Cell]],
    *,
    questions: Sequence[str | None] = (),
    notes: Sequence[str] = (),
    most: int | None = 300,
) -> Grid:
    """A table of entries, each column an attribute of theirs or a look at them; the rest after `most` is counted below.

    `questions` are those that the entries are about, where they do not know it themselves.
    """
    shown = entries[:most]
    if len(shown) < len(entries):
        notes = [*notes, f"the first {most} of {len(entries):,} rows"]
    looks = {name: attrgetter(look) if isinstance(look, str) else look for name, look in columns.items()}
    asked: dict[str, Sequence[Cell]] = {"Question": questions[:most]} if questions else {}
    return grid(title, asked | {name: [look(one) for one in shown] for name, look in looks.items()}, notes=notes)


def place_columns(slices: Sequence[dict[str, str]]) -> dict[str, Sequence[Cell]]:
    """The columns that say where: the text first, then what it is sliced by."""
    names = dict.fromkeys(["text", *(name for one in slices for name in one)])
    return {name.capitalize(): [one.get(name) for one in slices] for name in names}


def level_text(results: "Sequence[Agreement]") -> str:
    """The confidence level of the intervals, for a header.

    >>> level_text([])
    'interval'
    """
    levels = {result.interval.level for result in results if result.interval is not None}
    return f"{level(levels.pop())} interval" if len(levels) == 1 else "interval"


def interval_columns(results: "Sequence[Agreement]") -> dict[str, Sequence[Cell]]:
    """Both ends of the intervals, a column each."""
    name, found = level_text(results).removesuffix(" interval"), [result.interval for result in results]
    return {
        f"{name} low": [None if one is None else one.low for one in found],
        f"{name} high": [None if one is None else one.high for one in found],
    }


def value_cell(result: "Agreement | None") -> Cell:
    """The number, the word undefined, or nothing."""
    return None if result is None else "undefined" if result.value is None else result.value


def reading_cell(result: "Agreement | None") -> str | None:
    """What the value is called and by whom; None where no scale reads it."""
    found = [] if result is None else result.readings()
    return "; ".join(f"{one.label} ({one.benchmark})" for one in found) or None


def disagreement_note(results: "Sequence[Agreement]") -> list[str]:
    """Alpha and its kin compare disagreement, not agreement, with chance: say for which results that is so."""
    names = dict.fromkeys(
        r.name
        for r in results
        if r.value is not None
        and r.observed is not None
        and r.expected
        # the value is 1 - observed / expected
        and abs(r.value - (1 - r.observed / r.expected)) < 1e-9
    )
    if not names:
        return []
    return [f"{', '.join(names)}: observed and expected are disagreement, value = 1 - observed / expected"]


def terminal_width() -> int:
    """How wide the terminal is; 100 if there is none."""
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def render(shown: Grid, width: int | None = None) -> str:
    """The table as text. Columns that do not fit are folded, the widest text columns first."""
    limit, numeric = width or terminal_width(), shown.numeric
    rows = [shown.headers, *(tuple(map(cell_text, row)) for row in shown.rows)]
    columns = list(zip(*rows, strict=True))
    least = [max(_width(word) for cell in column for word in cell.split(" ")) for column in columns]
    widths = [max(map(_width, column)) for column in columns]
    while sum(widths) + 2 * (len(widths) - 1) > limit:
        loose = [i for i in range(len(widths)) if widths[i] > least[i]]
        if not loose:  # never below a longest word
            break
        texts = [i for i in loose if not numeric[i]]
        widths[max(texts or loose, key=lambda i: widths[i])] -= 1
    head, *lines = ["\n".join(_row(row, widths, numeric)) for row in rows]
    rule = "  ".join("─" * w for w in widths)
    title = [shown.title, ""] if shown.title else []
    return "\n".join([*title, head, rule, *lines, *(bullet(note, limit) for note in shown.notes)])


def _row(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """The lines of one row; long texts are folded, numbers set to the right."""
    folded = [
        textwrap.wrap(cell, w) or [""] if _width(cell) > w else [cell] for cell, w in zip(cells, widths, strict=True)
    ]
    out = []
    for parts in zip_longest(*folded, fillvalue=""):
        blanks = [" " * (width - _width(part)) for part, width in zip(parts, widths, strict=True)]
        line = zip(parts, blanks, numeric, strict=True)
        out.append("  ".join(blank + part if right else part + blank for part, blank, right in line).rstrip())
    return out


def _width(text: str) -> int:
    """How many columns a text takes: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def bullet(text: str, width: int | None = None) -> str:
    """One point of a list, folded."""
    return textwrap.fill(text, width or terminal_width(), initial_indent="- ", subsequent_indent="  ")


def paragraph(text: str, width: int | None = None) -> str:
    """A paragraph, folded."""
    return textwrap.fill(text, width or terminal_width())
