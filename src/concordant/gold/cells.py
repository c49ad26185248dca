"""Cells of tables as numbers, with yes and no as 1 and 0; what is neither is refused with its row."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.model.scale import NO, YES, as_numbers
from concordant.readers.table import Table


def refusal(table: Table, what: str, row: int, column: str, hint: str) -> InputError:
    """What is wrong with a cell."""
    return InputError(what, file=table.file, row=int(table.row_numbers[row]), column=column, hint=hint)


def numbers(table: Table, name: str, rows: NDArray[np.int64] | None = None) -> Floats:
    """A column as numbers, or some rows of it; a cell that is none is an error with its row."""
    column = table.column(name) if rows is None else table.column(name).take(rows)
    if column.numbers is not None and not column.n_blank:
        return column.numbers
    found = in_numbers(column.labels)
    if found is None or column.n_blank:
        text = column.text().tolist()
        row = next(i for i, cell in enumerate(text) if as_numbers([cell]) is None)
        place = row if rows is None else int(rows[row])
        raise refusal(table, f"{text[row]!r} is not a number", place, name, "use 1 and 0, or yes and no everywhere")
    return np.asarray(found[column.codes])


def in_numbers(labels: Sequence[str]) -> Floats | None:
    """Labels as numbers; words for yes and no are 1 and 0. None if they are neither, or both.

    >>> in_numbers(["yes", "no", "yes"])
    array([1., 0., 1.])
    """
    words = [str(label).strip().casefold() for label in labels]
    if words and all(word in YES or word in NO for word in words):
        return np.array([float(word in YES) for word in words])
    return as_numbers(labels)
