"""Tables to be shown: the one place where numbers are rounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assent.measures.result import Agreement, Interval

BLANK = "–"


@dataclass(frozen=True, kw_only=True)
class ShownTable:
    """A title, headers and rows of texts; `numeric` says which columns are set to the right."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    notes: tuple[str, ...] = ()


def table(
    title: str, headers: Sequence[str], rows: Sequence[Sequence[Any]], *, notes: Sequence[str] = ()
) -> ShownTable:
    """A table from raw cells: floats get three decimals, None a dash, the rest is shown as it is."""
    cells = tuple(tuple(cell_text(cell) for cell in row) for row in rows)
    numeric = tuple(any(isinstance(row[i], int | float) for row in rows) for i in range(len(headers)))
    return ShownTable(title=title, headers=tuple(headers), rows=cells, numeric=numeric, notes=tuple(notes))


def cell_text(cell: Any) -> str:
    """One cell as text.

    >>> cell_text(0.46666), cell_text(0.00002), cell_text(1234), cell_text(None), cell_text("B+E")
    ('0.467', '<0.001', '1,234', '–', 'B+E')
    """
    if cell is None:
        return BLANK
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:,.3f}" if cell == 0 or abs(cell) >= 0.0005 else "<0.001" if cell > 0 else ">-0.001"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def interval_text(interval: Interval | None) -> str:
    """Both ends.

    >>> interval_text(Interval(low=-0.1, high=0.62, level=0.95, method="bootstrap"))
    '-0.100\\xa0…\\xa00.620'
    """
    return BLANK if interval is None else f"{interval.low:.3f}\u00a0…\u00a0{interval.high:.3f}"


def level_text(results: Sequence[Agreement]) -> str:
    """The confidence level of the intervals, for the header.

    >>> level_text([])
    'interval'
    """
    levels = {r.interval.level for r in results if r.interval is not None}
    return f"{100 * levels.pop():g} % interval" if len(levels) == 1 else "interval"
