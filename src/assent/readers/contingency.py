"""Contingency tables: the first column and the header hold the categories, the cells count units."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assent.errors import InputError
from assent.model.columns import Column
from assent.model.scale import Level, level_named
from assent.model.study import Study
from assent.readers.table import Table
from assent.readers.tables import read_table


def read(
    path: str | Path, *, level: str | Level | None = None, encoding: str | None = None, separator: str | None = None
) -> Study:
    """Two raters from a table of counts; rows are the first rater's categories."""
    table = read_table(path, encoding=encoding, separator=separator)
    first, *names = table.names
    rows = table.columns[first].text().tolist()
    if rows != list(names):
        raise InputError(
            "the rows and columns are not the same categories in the same order",
            file=table.file,
            hint=f"rows: {', '.join(map(str, rows[:8]))}; columns: {', '.join(names[:8])}",
        )
    cells = np.array([_counts(table, name) for name in names], dtype=np.int64).T
    return _study(table.file, cells, tuple(names), level)


def _study(file: str, cells: NDArray[np.int64], names: tuple[str, ...], level: str | Level | None) -> Study:
    """Each counted unit with its two judgements."""
    first, second = (np.repeat(axis.ravel(), cells.ravel()) for axis in np.indices(cells.shape))
    n = len(first)
    return Study(
        name=file,
        unit=Column(codes=np.tile(np.arange(n), 2), labels=[str(i + 1) for i in range(n)]),
        rater=Column(codes=np.repeat([0, 1], n), labels=["rows", "columns"]),
        value=Column(codes=np.concatenate([first, second]), labels=list(names)),
        level=None if level is None else level_named(level),
        categories=names,
    )


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
        raise InputError(
            f"the matrix has no row and column for {lacking[0]!r}",
            file=table.file,
            hint=f"it must have all of: {', '.join(categories)}",
        )
    try:
        cells = {name: dict(zip(rows, map(float, table.columns[name].text()), strict=True)) for name in names}
    except ValueError:
        raise InputError("the matrix has a cell that is not a number", file=table.file) from None
    return np.array([[cells[k][c] for k in categories] for c in categories])
