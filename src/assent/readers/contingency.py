"""Contingency tables: the first column and the header hold the categories, the cells count units."""

from pathlib import Path

import numpy as np

from assent.errors import InputError
from assent.model.judgements import Judgements
from assent.readers.table import Table
from assent.readers.tables import read_table


def read(path: str | Path, *, level: str | None = None, encoding: str | None = None, separator: str | None = None) -> Judgements:
    """Two raters from a table of counts; rows are the first rater's categories."""
    table = read_table(path, encoding=encoding, separator=separator)
    first, *names = table.names
    rows = table.columns[first].text().tolist()
    if rows != list(names):
        raise InputError("the rows and columns are not the same categories in the same order", file=table.file,
                         hint=f"rows: {', '.join(map(str, rows[:8]))}; columns: {', '.join(names[:8])}")
    cells = np.array([_counts(table, name) for name in names], dtype=np.int64).T
    return Judgements.from_contingency(cells, names, level=level, raters=(first or "rows", "columns"))


def _counts(table: Table, name: str) -> list[int]:
    """One column of whole numbers; blank is 0."""
    counts = []
    for row, cell in zip(table.row_numbers, table.columns[name].text().tolist(), strict=True):
        if cell and not cell.isdecimal():
            raise InputError(f"{cell!r} is not a count", file=table.file, row=int(row), column=name)
        counts.append(int(cell or 0))
    return counts


def read_matrix(path: str | Path, categories: tuple[str, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """A matrix between categories (weights or distances), put in the order of `categories`."""
    table = read_table(path)
    first, *names = table.names
    rows = table.columns[first].text().tolist()
    lacking = [c for c in categories if c not in names or c not in rows]
    if lacking:
        raise InputError(f"the matrix has no row and column for {lacking[0]!r}", file=table.file,
                         hint=f"it must have all of: {', '.join(categories)}")
    try:
        cells = {name: dict(zip(rows, map(float, table.columns[name].text()), strict=True)) for name in names}
    except ValueError:
        raise InputError("the matrix has a cell that is not a number", file=table.file) from None
    return np.array([[cells[k][c] for k in categories] for c in categories])
