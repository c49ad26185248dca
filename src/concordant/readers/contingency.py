"""Contingency tables: the first column and the header hold the categories, the cells count units."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from concordant.arrays import Ints
from concordant.choices import Choices, choice
from concordant.errors import ConcordantError, InputError
from concordant.model.columns import Column
from concordant.model.scale import level_named
from concordant.model.study import Study
from concordant.readers.format import POSSIBLE, Format
from concordant.readers.layout import plain
from concordant.readers.table import ENCODING, LEVEL, SEPARATOR, read_table
from concordant.readers.writing import find_separator

NOTE = "a table of counts between two raters: 'rows' is one, 'columns' the other"
MARGINS = frozenset({"total", "totals", "sum", "all", "gesamt", "summe"})


class ContingencyOptions(Choices):
    """What was declared about the categories, and how the text is written."""

    level: str | None = choice(None, LEVEL)
    encoding: str | None = choice(None, ENCODING)
    separator: str | None = choice(None, SEPARATOR)


def read(path: str | Path, options: ContingencyOptions) -> Study:
    """Two raters from a table of counts, each counted unit with its two judgements; rows are the first rater's."""
    table = read_table(path, encoding=options.encoding, separator=options.separator)
    first, *names = table.names
    rows = table.columns[first].text().tolist()
    has_margins = is_margin(rows[-1:], names[-1:])
    if has_margins:
        rows, names = rows[:-1], names[:-1]
    if rows != names:
        raise InputError(
            "the rows and columns are not the same categories in the same order",
            file=table.file,
            hint=f"rows: {', '.join(map(str, rows[:8]))}; columns: {', '.join(names[:8])}",
        )
    counted = [*names, *table.names[len(names) + 1 :]]
    cells: Ints = np.zeros((table.n_rows, len(counted)), dtype=np.int64)
    for place, name in enumerate(counted):
        counts = table.columns[name].text()
        for row, cell in zip(table.row_numbers, counts.tolist(), strict=True):
            if cell and not cell.isdecimal():
                raise InputError(f"{cell!r} is not a count", file=table.file, row=int(row), column=name)
        cells[:, place] = np.where(counts == "", "0", counts).astype(np.int64)
    if has_margins:
        cells = without_margins(cells, table.file)
    left, right = (np.repeat(axis.ravel(), cells.ravel()) for axis in np.indices(cells.shape))
    n = len(left)
    return Study(
        name=table.file,
        unit=Column(codes=np.tile(np.arange(n), 2), labels=[str(i + 1) for i in range(n)]),
        rater=Column(codes=np.repeat([0, 1], n), labels=["rows", "columns"]),
        value=Column(codes=np.concatenate([left, right]), labels=names),
        level=None if options.level is None else level_named(options.level),
        categories=tuple(names),
        notes=(NOTE + "; its last row and column are sums" * has_margins,),
    )


def is_margin(row: Sequence[str], column: Sequence[str]) -> bool:
    """Whether the last row and the last column are called sums."""
    return all(plain(name) in MARGINS for name in (*row, *column)) and len(row) == len(column) == 1


def without_margins(cells: Ints, file: str) -> Ints:
    """The counts without the sums in the last row and column, which must be true."""
    inner = cells[:-1, :-1]
    sums = np.append(inner.sum(axis=1), inner.sum()), np.append(inner.sum(axis=0), inner.sum())
    if not (np.array_equal(cells[:, -1], sums[0]) and np.array_equal(cells[-1], sums[1])):
        raise InputError("the last row and column are not the sums of the counts", file=file, hint="mend them")
    return inner


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


def read_matrix_table(path: str | Path) -> tuple[tuple[str, ...], ...]:
    """A matrix between categories as it stands: header and first column hold them."""
    table = read_table(path)
    columns = [table.columns[name].text().tolist() for name in table.names]
    return (table.names, *zip(*columns, strict=True))


def sniff(path: Path, head: str) -> float:
    """A square of whole numbers whose rows are called like its columns, with or without sums, may be one."""
    lines = [line for line in head.splitlines()[:100] if line.strip()]
    try:
        separator = find_separator("\n".join(lines), "") if lines else ","
        (_, *names), *rows = csv.reader(lines, delimiter=separator)
    except (ConcordantError, csv.Error, ValueError):
        return 0.0
    is_square = len(names) > 1 and [row[0] for row in rows if row] == names
    is_counted = all(cell.isdecimal() or not cell for row in rows for cell in row[1:])
    return POSSIBLE * (is_square and is_counted)


FORMAT = Format(
    name="contingency",
    holds="judgements",
    help="A table of counts: rows are the categories of one rater, columns those of the other.",
    read=read,
    options=ContingencyOptions,
    sniff=sniff,
)
