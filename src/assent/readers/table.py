"""A file as named, encoded columns: what every reader of tables delivers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from assent.errors import InputError, nearest
from assent.model.columns import Column, blank_out, encode

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """The columns that were wanted, the names of all, and the line of the file in which each row stands."""

    file: str
    columns: Mapping[str, Column]
    names: tuple[str, ...]
    row_numbers: NDArray[np.int64]
    notes: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        """How many rows, the header not counted."""
        return len(self.row_numbers)

    def column(self, name: str) -> Column:
        """The column of that name; one that is not there is an error that suggests the nearest."""
        self.expect(name)
        return self.columns[name]

    def expect(self, name: str) -> None:
        """Refuse a name that is not in the file."""
        if name not in self.names:
            raise InputError("there is no such column", file=self.file, column=name, hint=nearest(name, self.names))


def from_polars(frame: "pl.DataFrame", *, file: str, only: set[str] | None, notes: Sequence[str] = ()) -> Table:
    """A table from a polars frame: numbers stay numbers, everything else is coded by its dictionary."""
    columns = {name: _encode(frame[name], file) for name in frame.columns if only is None or name in only}
    lines = np.arange(2, frame.height + 2)
    return Table(file=file, columns=columns, names=tuple(frame.columns), row_numbers=lines, notes=tuple(notes))


def _encode(series: "pl.Series", file: str) -> Column:
    """One column; the labels stay in polars until somebody asks for one (there may be millions)."""
    import polars as pl

    if series.dtype.is_float():
        return encode(series.fill_null(float("nan")).to_numpy())
    if series.dtype.is_integer() and series.null_count() == 0:
        return encode(series.to_numpy())
    if isinstance(series.dtype, pl.List) and not series.dtype.inner.is_nested():
        series = series.cast(pl.List(pl.String)).list.join("+")
    if series.dtype.is_nested():
        raise InputError("the cells hold objects, not values", file=file, column=series.name, hint="flatten the table")
    coded = series.cast(pl.String).cast(pl.Categorical(pl.Categories.random()))
    used = coded.drop_nulls().unique()
    labels = used.cast(pl.String).gather(used.to_physical().arg_sort())
    codes = coded.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    column = Column(
        codes=_narrow(codes, len(labels)), labels=Labels(labels) if len(labels) > 10_000 else labels.to_list()
    )
    return blank_out(column, {""}) if (labels == "").any() else column


class Labels(Sequence[str]):
    """Very many labels that stay where polars put them until one is asked for."""

    def __init__(self, series: "pl.Series") -> None:
        """Keep the series."""
        self._series = series

    def __len__(self) -> int:
        """How many labels."""
        return self._series.len()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "Labels": ...
    def __getitem__(self, index: int | slice) -> "str | Labels":
        """One label, or some."""
        return Labels(self._series[index]) if isinstance(index, slice) else str(self._series[int(index)])


def _narrow(codes: Any, n_labels: int) -> Any:
    """Codes in the smallest integer type that holds them."""
    return codes.astype(np.min_scalar_type(-n_labels - 1), copy=False)
