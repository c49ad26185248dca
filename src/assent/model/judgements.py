"""Judgements: who judged what how. The one table that every measure of categories and scores starts from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assent.errors import InputError
from assent.model.columns import Column, encode, label_of
from assent.model.scale import Level, Scale, level_named, make_scale, refuse_negative

Codes = NDArray[np.signedinteger[Any]]
MANY_VALUES = 1000  # more distinct numbers than this on an interval or ratio scale are not treated as categories


@dataclass(frozen=True, kw_only=True, eq=False)
class Grid:
    """Units in rows, raters in columns: category codes with -1 for missing, or numbers with NaN for missing."""

    cells: NDArray[Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """One row per judgement: unit code, rater code and category code (or number). Nothing is missing here."""

    unit: Codes
    rater: Codes
    value: NDArray[Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Judgements:
    """(unit, rater, value) with a scale. Immutable; made by the `from_...` functions, which check everything."""

    scale: Scale
    raters: tuple[str, ...]
    n_units: int
    table: Grid | Rows
    unit_names: Sequence[str] | None = None
    n_blank: int = 0
    notes: tuple[str, ...] = field(default=())

    @classmethod
    def from_matrix(
        cls,
        matrix: ArrayLike,
        *,
        raters: Sequence[str] | None = None,
        level: str | Level | None = None,
        categories: Sequence[Any] | None = None,
        missing: Iterable[Any] = (),
    ) -> Self:
        """Units in rows, raters in columns. NaN, None, masked cells and the values in `missing` are missing.

        >>> Judgements.from_matrix([[1, 1], [2, 1], [2, 2]]).n_judgements
        6
        """
        cells = _matrix(matrix)
        names = tuple(raters) if raters is not None else tuple(f"rater {i + 1}" for i in range(cells.shape[1]))
        if len(names) != cells.shape[1]:
            raise InputError(f"{len(names)} rater names for {cells.shape[1]} columns", hint="name each column once")
        if len(set(names)) < len(names):
            raise InputError("two columns have one rater name", hint="name each column once")
        column = encode(cells.reshape(-1), missing=missing)
        scale, codes = put_on_scale(column, level=level, categories=_labels(categories))
        grid = codes.reshape(cells.shape)
        blank = int(np.isnan(grid).sum() if scale.is_continuous else (grid < 0).sum())
        return cls(scale=scale, raters=names, n_units=len(grid), table=Grid(cells=grid), n_blank=blank)

    @classmethod
    def from_rows(
        cls,
        unit: ArrayLike,
        rater: ArrayLike,
        value: ArrayLike,
        *,
        level: str | Level | None = None,
        categories: Sequence[Any] | None = None,
        missing: Iterable[Any] = (),
        duplicates: str = "refuse",
    ) -> Self:
        """One row per judgement. Two rows for one unit and rater are an error unless `duplicates="last"`."""
        columns = [encode(unit), encode(rater), encode(value, missing=missing)]
        if len({len(column) for column in columns}) > 1:
            lengths = ", ".join(str(len(column)) for column in columns)
            raise InputError(f"units, raters and values differ in number: {lengths}", hint="give one of each per row")
        return cls.from_columns(*columns, level=level, categories=_labels(categories), duplicates=duplicates)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        unit: str = "unit",
        rater: str = "rater",
        value: str = "value",
        level: str | Level | None = None,
        categories: Sequence[Any] | None = None,
        missing: Iterable[Any] = (),
        duplicates: str = "refuse",
    ) -> Self:
        """The judgements in any data frame that narwhals knows: pandas, polars, pyarrow, modin, DuckDB …"""
        from assent.model.frames import frame_columns

        columns = frame_columns(frame, [unit, rater, value], missing={value: tuple(missing)})
        return cls.from_columns(*columns, level=level, categories=_labels(categories), duplicates=duplicates)

    @classmethod
    def from_columns(
        cls,
        unit: Column,
        rater: Column,
        value: Column,
        *,
        level: str | Level | None = None,
        categories: Sequence[str] | None = None,
        duplicates: str = "refuse",
        row_numbers: NDArray[np.int64] | None = None,
        file: str | None = None,
    ) -> Self:
        """From columns that a reader has encoded already; blank units or raters are an error.

        `row_numbers` and `file` say where the rows came from, for messages.
        """
        numbers = np.arange(1, len(value) + 1) if row_numbers is None else row_numbers
        unit, rater = unit.as_labels(), rater.as_labels()
        for role, column in (("unit", unit), ("rater", rater)):
            if column.n_blank:
                row = int(numbers[np.argmax(column.codes < 0)])
                raise InputError(f"there is no {role}", file=file, row=row, hint=f"every judgement needs a {role}")
        scale, codes = put_on_scale(value, level=level, categories=categories)
        present = ~np.isnan(codes) if scale.is_continuous else codes >= 0
        rows = Rows(unit=unit.codes, rater=rater.codes, value=codes)
        if not present.all():
            rows = Rows(unit=unit.codes[present], rater=rater.codes[present], value=codes[present])
            numbers = numbers[present]
        rows = _without_duplicates(rows, unit, rater, duplicates=duplicates, numbers=numbers, file=file)
        blank = len(value) - int(present.sum())
        return cls(
            scale=scale,
            raters=tuple(rater.labels),
            n_units=len(unit.labels),
            table=rows,
            unit_names=unit.labels,
            n_blank=blank,
        )

    @classmethod
    def from_contingency(
        cls,
        table: ArrayLike,
        categories: Sequence[str],
        *,
        raters: tuple[str, str] = ("rater 1", "rater 2"),
        level: str | Level | None = None,
    ) -> Self:
        """Two raters from a table of counts: rows are the first rater's categories, columns the second's."""
        given, size = np.asarray(table), len(categories)
        if given.dtype.kind not in "iu" and not (given.dtype.kind == "f" and np.array_equal(given, np.round(given))):
            raise InputError(
                "the table does not hold whole numbers", hint="cells hold how many units got both categories"
            )
        counts = given.astype(np.int64)
        if counts.shape != (size, size):
            raise InputError(
                f"the table is {'×'.join(map(str, counts.shape))} for {size} categories",
                hint="rows and columns must be the same categories in the same order",
            )
        if (counts < 0).any():
            raise InputError("the table has a negative count", hint="cells hold how many units got both categories")
        first, second = np.indices(counts.shape, dtype=np.int32)
        cells = np.stack([np.repeat(first, counts.ravel()), np.repeat(second, counts.ravel())], axis=1)
        scale = make_scale(categories, level=level, categories=categories)
        cells = np.array([scale.categories.index(c) for c in categories], dtype=np.int32)[cells]
        return cls(scale=scale, raters=raters, n_units=len(cells), table=Grid(cells=cells))

    @property
    def n_judgements(self) -> int:
        """How many judgements there are, blanks not counted."""
        return self.table.cells.size - self.n_blank if isinstance(self.table, Grid) else len(self.table.unit)

    @property
    def n_raters(self) -> int:
        """How many raters are named, with or without judgements."""
        return len(self.raters)

    def rows(self) -> Rows:
        """The judgements one per row, sorted by unit in a grid, as given otherwise."""
        if isinstance(self.table, Rows):
            return self.table
        cells = self.table.cells
        unit, rater = np.nonzero(~np.isnan(cells) if self.scale.is_continuous else cells >= 0)
        return Rows(unit=unit, rater=rater, value=cells[unit, rater])

    def with_raters(self, raters: Sequence[str]) -> Self:
        """Only the judgements of these raters, in this order."""
        unknown = [rater for rater in raters if rater not in self.raters]
        if unknown:
            raise InputError(f"there is no rater {unknown[0]!r}", hint=f"raters: {', '.join(self.raters[:12])}")
        index = np.array([self.raters.index(rater) for rater in raters], dtype=np.intp)
        if isinstance(self.table, Grid):
            cells = self.table.cells[:, index]
            blank = int(np.isnan(cells).sum() if self.scale.is_continuous else (cells < 0).sum())
            return replace(self, raters=tuple(raters), table=Grid(cells=cells), n_blank=blank)
        position = np.full(len(self.raters), -1, dtype=np.int64)
        position[index] = np.arange(len(index))
        return self._of_rows(position[self.table.rater] >= 0, raters=tuple(raters), position=position)

    def _of_rows(self, keep: NDArray[np.bool_], *, raters: tuple[str, ...], position: NDArray[np.int64]) -> Self:
        """The rows to keep, with raters numbered anew."""
        rows = self.rows()
        kept = Rows(unit=rows.unit[keep], rater=position[rows.rater[keep]], value=rows.value[keep])
        return replace(self, raters=raters, table=kept, n_blank=0)


def put_on_scale(
    column: Column, *, level: str | Level | None, categories: Sequence[str] | None
) -> tuple[Scale, NDArray[Any]]:
    """The scale of a column of values and the values on it: category codes, or numbers if it is continuous."""
    if column.numbers is not None and categories is None and _is_continuous(column, level):
        return _continuous_scale(column.numbers, level), column.numbers
    column = column.as_labels()
    scale = make_scale(column.labels, level=level, categories=categories)
    if scale.categories == tuple(column.labels):
        return scale, column.codes
    place = {label: i for i, label in enumerate(scale.categories)}
    kind = np.min_scalar_type(-max(len(scale.categories), 1))
    to_code = np.array([*(place[label] for label in column.labels), -1], dtype=kind)
    return scale, to_code[column.codes]


def _continuous_scale(numbers: NDArray[np.float64], level: str | Level | None) -> Scale:
    """A scale on which any number is a value."""
    if np.isinf(numbers).any():
        raise InputError("a value is infinite", hint="leave the cell empty if the value is not known")
    chosen = Level.INTERVAL if level is None else level_named(level)
    if chosen is Level.RATIO:
        refuse_negative(numbers)
    return Scale(level=chosen, categories=(), is_guessed=level is None, is_continuous=True)


def _is_continuous(column: Column, level: str | Level | None) -> bool:
    """Whether a column of numbers is left as numbers: an interval or ratio scale with very many values."""
    if level is not None and level_named(level) not in (Level.INTERVAL, Level.RATIO):
        return False
    return column.has_many_values(MANY_VALUES)


def _matrix(matrix: ArrayLike) -> NDArray[Any]:
    """A two-dimensional array; masked cells become missing."""
    cells: NDArray[Any] = np.asarray(matrix)
    if isinstance(matrix, np.ma.MaskedArray):
        cells = matrix.data.astype(object)
        cells[np.ma.getmaskarray(matrix)] = None
    if cells.ndim != 2:
        raise InputError(f"a matrix of judgements has units in rows and raters in columns, not {cells.ndim} dimensions")
    return cells


def _labels(categories: Sequence[Any] | None) -> list[str] | None:
    """Declared categories as labels, so that 1 and "1" are one category."""
    return None if categories is None else [label_of(category) for category in categories]


def _without_duplicates(
    rows: Rows, unit: Column, rater: Column, *, duplicates: str, numbers: NDArray[np.int64], file: str | None
) -> Rows:
    """Refuse two judgements of one unit by one rater, naming both rows, or keep the last of them."""
    if duplicates not in ("refuse", "last"):
        raise InputError(f"unknown way to treat duplicates {duplicates!r}", hint="use refuse or last")
    order, again = _repeats(
        rows.unit.astype(np.int64) * len(rater.labels) + rows.rater, len(unit.labels) * len(rater.labels)
    )
    if not len(again):
        return rows
    if duplicates == "refuse":
        first, second = order[again[0]], order[again[0] + 1]
        raise InputError(
            f"rows {numbers[first]} and {numbers[second]} both judge unit {unit.labels[rows.unit[first]]!r} by rater "
            f"{rater.labels[rows.rater[first]]!r} ({len(again)} such repeat{'s' * (len(again) > 1)})",
            file=file,
            hint="keep one of them, or say --duplicates last",
        )
    keep = np.delete(order, again)
    keep.sort()
    return Rows(unit=rows.unit[keep], rater=rows.rater[keep], value=rows.value[keep])


def _repeats(key: NDArray[np.int64], size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """An order that puts equal keys side by side, and the places in it whose key comes again; sorts only if it must."""
    if size <= max(64 * len(key), 1 << 20):
        seen = np.zeros(size, dtype=bool)
        seen[key] = True
        if int(seen.sum()) == len(key):
            return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    order = np.argsort(key, kind="stable")
    return order, np.nonzero(key[order][1:] == key[order][:-1])[0]
