"""Tables and paragraphs for a terminal, never wider than it."""

import shutil
import textwrap
import unicodedata
from collections.abc import Sequence

from assent.report.tables import ShownTable


def terminal_width() -> int:
    """How wide the terminal is; 100 if there is none."""
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def render(shown: ShownTable, width: int | None = None) -> str:
    """The table as text. Columns that do not fit are folded, the widest text columns first."""
    limit = width or terminal_width()
    columns = list(zip(shown.headers, *shown.rows, strict=True))
    least = [max(_width(word) for cell in column for word in cell.split(" ")) for column in columns]
    widths = _fit([max(_width(cell) for cell in column) for column in columns], least, shown.numeric, limit)
    lines = [*_row(shown.headers, widths, shown.numeric), "  ".join("─" * w for w in widths)]
    for row in shown.rows:
        lines += _row(row, widths, shown.numeric)
    title = [shown.title, ""] if shown.title else []
    return "\n".join([*title, *lines, *(bullet(note, limit) for note in shown.notes)])


def _fit(widths: list[int], least: list[int], numeric: Sequence[bool], limit: int) -> list[int]:
    """Shrink the widest text columns until the table fits, then the headers of numbers; never below a longest word."""
    fitted = list(widths)
    while sum(fitted) + 2 * (len(fitted) - 1) > limit:
        loose = [i for i in range(len(fitted)) if fitted[i] > least[i]]
        if not loose:
            break
        texts = [i for i in loose if not numeric[i]]
        fitted[max(texts or loose, key=lambda i: fitted[i])] -= 1
    return fitted


def _row(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """The lines of one row; long texts are folded."""
    folded = [
        textwrap.wrap(cell, w) or [""] if _width(cell) > w else [cell] for cell, w in zip(cells, widths, strict=True)
    ]
    height = max((len(lines) for lines in folded), default=0)
    out = []
    for i in range(height):
        parts = [lines[i] if i < len(lines) else "" for lines in folded]
        out.append("  ".join(_pad(p, w, right=r) for p, w, r in zip(parts, widths, numeric, strict=True)).rstrip())
    return out


def _pad(text: str, width: int, *, right: bool) -> str:
    """Fill with blanks to the left of numbers, to the right of texts."""
    blanks = " " * (width - _width(text))
    return blanks + text if right else text + blanks


def _width(text: str) -> int:
    """How many columns a text takes: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def bullet(text: str, width: int | None = None) -> str:
    """One point of a list, folded."""
    return textwrap.fill(text, width or terminal_width(), initial_indent="- ", subsequent_indent="  ")


def paragraph(text: str, width: int | None = None) -> str:
    """A paragraph, folded."""
    return textwrap.fill(text, width or terminal_width())
