"""A report before it has a format: sections made of a few kinds of blocks. Built once, written in every format.

Cells of tables are raw values, so that a workbook gets numbers and a page can show a number in full.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from assent.plots.picture import Picture

Cell = str | int | float | bool | None
Tone = Literal["serious", "warning", "note"]


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Points:
    """A list; `is_code` for lines that are copied rather than read (signatures, commands)."""

    items: tuple[str, ...]
    is_code: bool = False


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A table of raw cells. Floats are rounded only when they are shown."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

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


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Something the reader must not miss: what it is, and further sentences with a heading each."""

    tone: Tone
    text: str
    more: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A picture, and the command that draws it again."""

    picture: Picture
    command: str


Block = Paragraph | Points | Grid | Notice | Drawing


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading with what stands below it; `key` names it in links and sheets."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, kw_only=True)
class Document:
    """The whole report."""

    title: str
    subtitle: str
    sections: tuple[Section, ...] = field(default=())


def is_number(cell: Cell) -> bool:
    """Whether a cell holds a number (a truth value is none)."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def grid(title: str, columns: dict[str, Sequence[Cell]], *, notes: Sequence[str] = ()) -> Grid:
    """A table from named columns; columns without any content are left out."""
    kept = {name: cells for name, cells in columns.items() if any(cell not in (None, "") for cell in cells)}
    rows = tuple(zip(*kept.values(), strict=True))
    return Grid(title=title, headers=tuple(kept), rows=rows, notes=tuple(notes))
