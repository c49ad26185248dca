"""A table on its way out: named columns, each with its meaning and the way to its cell."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Cell = str | int | float | None
T = TypeVar("T")


@dataclass(frozen=True)
class OutColumn(Generic[T]):
    """A column: its name, its meaning for the codebook, and how a row gets its cell."""

    name: str
    meaning: str
    get: Callable[[T], Cell]


@dataclass(frozen=True, kw_only=True)
class OutTable:
    """A finished table; `meanings` has one entry for each column."""

    name: str
    meaning: str
    columns: tuple[str, ...]
    meanings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def tabulate(name: str, meaning: str, columns: Sequence[OutColumn[T]], entries: Iterable[T]) -> OutTable:
    """Fill the columns for every entry."""
    return OutTable(
        name=name,
        meaning=meaning,
        columns=tuple(column.name for column in columns),
        meanings=tuple(column.meaning for column in columns),
        rows=tuple(tuple(column.get(entry) for column in columns) for entry in entries),
    )
