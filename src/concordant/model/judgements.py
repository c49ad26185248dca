"""Judgements: who judged what how. The one table that every measure of categories and scores starts from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.errors import InputError
from concordant.model.clusters import Clusters, cluster_units
from concordant.model.columns import Column, encode, frame_columns, label_of
from concordant.model.measurable import Summary, named
from concordant.model.scale import Level, Scale, level_named, make_scale, refuse_negative

Codes = NDArray[np.signedinteger[Any]]
BLOCK = 1 << 22  # rows that are looked at together where that saves memory
MANY_VALUES = 1000  # more distinct numbers than this on an interval or ratio scale are not treated as categories


def refuse_unnamed(unit: Column, rater: Column, row_numbers: NDArray[np.int64] | None, file: str | None) -> None:
    """A judgement without a unit or a rater is an error that names its row."""
    for role, column in (("unit", unit), ("rater", rater)):
        if column.n_blank:
            place = int(np.argmax(column.as_labels().codes < 0))
            row = place + 1 if row_numbers is None else int(row_numbers[place])
            hint = f"every judgement needs a {role} (of merged cells only the first holds the value: fill them down)"
            raise InputError(f"there is no {role}", file=file, row=row, hint=hint)


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

    def take(self, kept: NDArray[Any] | slice) -> "Rows":
        """Only these rows (a mask, positions or a slice)."""
        return Rows(unit=self.unit[kept], rater=self.rater[kept], value=self.value[kept])

    def key(self, n_raters: int) -> NDArray[np.int64]:
        """One number for each unit and rater, in the order of units, then raters."""
        return self.unit.astype(np.int64) * n_raters + self.rater


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Judgements(Summary):
    """(unit, rater, value) with a scale. Immutable; made by the `from_...` functions, which check everything."""

    kind: ClassVar[str] = "judgements"

    scale: Scale
    raters: tuple[str, ...]
    n_units: int
    table: Grid | Rows
    unit_names: Sequence[str] | None = None
    n_blank: int = 0
    n_repeats: int = 0  # judgements of a unit by a rater who judged it before
    notes: tuple[str, ...] = field(default=())
    clusters: Clusters | None = None

    def facts(self) -> dict[str, object]:
        """How much was judged, by whom, and on which scale."""
        return {
            "judgements": self.n_judgements,
            "units": self.n_units,
            "raters": named(self.raters),
            "level": self.scale.level,
            "categories": named(self.scale.categories),
        }

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
        blank = grid.size - int(_is_given(grid).sum())
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
        """One row per judgement. Two rows for one unit and rater are an error unless `duplicates` says which count."""
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
        blank = tuple(missing)
        columns, order = frame_columns(frame, [unit, rater, value], missing={value: blank})
        if order and categories is None and level in (None, Level.ORDINAL):  # an ordered categorical of pandas
            level, categories = Level.ORDINAL, [one for one in order if one not in map(str, blank)]
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
        refuse_unnamed(unit, rater, numbers, file)
        scale, codes = put_on_scale(value, level=level, categories=categories)
        present = _is_given(codes)
        rows = Rows(unit=unit.codes, rater=rater.codes, value=codes)
        if not present.all():
            rows, numbers = rows.take(present), numbers[present]
        rows, n_repeats = _occasions(rows, unit, rater, duplicates=duplicates, numbers=numbers, file=file)
        names, blank = tuple(rater.labels), len(value) - int(present.sum())
        how: dict[str, Any] = {"n_units": len(unit.labels), "unit_names": unit.labels, "n_blank": blank}
        how["n_repeats"] = n_repeats if duplicates == "all" else 0
        return cls(scale=scale, raters=names, table=rows, **how)

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

    def with_clusters(self, labels: ArrayLike, name: str = "clusters") -> Self:
        """The same judgements; units with one label stand or fall together. One label for each unit, in their order.

        >>> data = Judgements.from_matrix([[1, 1], [2, 1], [2, 2]])
        >>> data.with_clusters(["a", "a", "b"], "texts").clusters.of.tolist()
        [0, 0, 1]
        """
        column = encode(labels).as_labels()
        if len(column) != self.n_units:
            raise InputError(f"{len(column)} cluster labels for {self.n_units} units", hint="give one for each unit")
        units = [str(i + 1) for i in range(self.n_units)] if self.unit_names is None else self.unit_names
        unit = Column(codes=np.arange(self.n_units), labels=units)
        return replace(self, clusters=cluster_units({name: column}, unit))

    def rows(self) -> Rows:
        """The judgements one per row, sorted by unit in a grid, as given otherwise."""
        if isinstance(self.table, Rows):
            return self.table
        cells = self.table.cells
        unit, rater = np.nonzero(_is_given(cells))
        return Rows(unit=unit, rater=rater, value=cells[unit, rater])

    def with_raters(self, raters: Sequence[str]) -> Self:
        """Only the judgements of these raters, in this order."""
        unknown = [rater for rater in raters if rater not in self.raters]
        if unknown:
            raise InputError(f"there is no rater {unknown[0]!r}", hint=f"raters: {', '.join(self.raters[:12])}")
        index = np.array([self.raters.index(rater) for rater in raters], dtype=np.intp)
        if isinstance(self.table, Grid):
            cells = self.table.cells[:, index]
            blank = cells.size - int(_is_given(cells).sum())
            return replace(self, raters=tuple(raters), table=Grid(cells=cells), n_blank=blank)
        position = np.full(len(self.raters), -1, dtype=np.int64)
        position[index] = np.arange(len(index))
        kept = self.table.take(position[self.table.rater] >= 0)
        return replace(self, raters=tuple(raters), table=replace(kept, rater=position[kept.rater]), n_blank=0)


def _is_given(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where there is a value: numbers that are not NaN, codes that are not negative."""
    return ~np.isnan(values) if values.dtype.kind == "f" else values >= 0


def is_continuous(column: Column, *, level: str | Level | None, categories: Sequence[str] | None) -> bool:
    """Whether any number is a value: numbers of an interval or ratio scale with very many values."""
    chosen = Level.INTERVAL if level is None else level_named(level)
    may_be_any = categories is None and chosen in (Level.INTERVAL, Level.RATIO)
    return column.numbers is not None and may_be_any and column.has_many_values(MANY_VALUES)


def put_on_scale(
    column: Column, *, level: str | Level | None, categories: Sequence[str] | None
) -> tuple[Scale, NDArray[Any]]:
    """The scale of a column of values and the values on it: category codes, or numbers if it is continuous.

    Numbers stay numbers on an interval or ratio scale with very many values.
    """
    if column.numbers is not None and np.isinf(column.numbers).any():
        raise InputError("a value is infinite", hint="leave the cell empty if the value is not known")
    if column.numbers is not None and is_continuous(column, level=level, categories=categories):
        chosen = Level.INTERVAL if level is None else level_named(level)
        if chosen is Level.RATIO:
            refuse_negative(column.numbers)
        return Scale(level=chosen, categories=(), is_guessed=level is None, is_continuous=True), column.numbers
    column = column.as_labels()
    scale = make_scale(column.labels, level=level, categories=categories)
    if scale.categories == tuple(column.labels):
        return scale, column.codes
    place = {label: i for i, label in enumerate(scale.categories)}
    kind = np.min_scalar_type(-max(len(scale.categories), 1))
    to_code = np.array([*(place[label] for label in column.labels), -1], dtype=kind)
    return scale, to_code[column.codes]


def _matrix(matrix: ArrayLike) -> NDArray[Any]:
    """A two-dimensional array; masked cells become missing."""
    try:
        cells: NDArray[Any] = np.asarray(matrix)
    except ValueError:
        raise InputError("the rows differ in length", hint="write None where a judgement is missing") from None
    if isinstance(matrix, np.ma.MaskedArray):
        cells = matrix.data.astype(object)
        cells[np.ma.getmaskarray(matrix)] = None
    if cells.ndim != 2:
        raise InputError(f"a matrix of judgements has units in rows and raters in columns, not {cells.ndim} dimensions")
    return cells


def _labels(categories: Sequence[Any] | None) -> list[str] | None:
    """Declared categories as labels, so that 1 and "1" are one category."""
    return None if categories is None else [label_of(category) for category in categories]


DUPLICATES = ("refuse", "first", "last", "all")
"""What may be done with several judgements of one unit by one rater."""


def _occasions(
    rows: Rows, unit: Column, rater: Column, *, duplicates: str, numbers: NDArray[np.int64], file: str | None
) -> tuple[Rows, int]:
    """Of several judgements of one unit by one rater those that count, and how many repeats were given."""
    if duplicates not in DUPLICATES:
        raise InputError(f"unknown way to treat duplicates {duplicates!r}", hint=f"use {', '.join(DUPLICATES)}")
    order, again = _repeats(rows, len(rater.labels), len(unit.labels))
    if not len(again) or duplicates == "all":
        return rows, len(again)
    if duplicates == "refuse":
        first, second = order[again[0]], order[again[0] + 1]
        raise InputError(
            f"rows {numbers[first]} and {numbers[second]} both judge unit {unit.labels[rows.unit[first]]!r} by rater "
            f"{rater.labels[rows.rater[first]]!r} ({len(again)} such repeat{'s' * (len(again) > 1)})",
            file=file,
            hint="if a rater judged again, say which counts: --duplicates first or last (models of gold and stability "
            "use all); if not, a column is missing that tells them apart: name it with --unit or --question",
        )
    left = again if duplicates == "last" else again + 1
    return rows.take(np.sort(np.delete(order, left))), len(again)


def _repeats(rows: Rows, n_raters: int, n_units: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """An order that puts judgements of one unit by one rater side by side, and the places in it that come again.

    Nothing is put in order if there is none.
    """
    if not _has_repeats(rows, n_raters, n_units * n_raters):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    key = rows.key(n_raters)
    order = np.argsort(key, kind="stable")
    return order, np.nonzero(key[order][1:] == key[order][:-1])[0]


def _has_repeats(rows: Rows, n_raters: int, size: int) -> bool:
    """Whether a rater judged a unit again: by a mark for each of them, or by sorting where these would be too many."""
    n = len(rows.unit)
    if size > max(64 * n, 1 << 20):
        key = np.sort(rows.key(n_raters))
        return bool((key[1:] == key[:-1]).any())
    seen = np.zeros(size, dtype=bool)
    for start in range(0, n, BLOCK):
        seen[rows.take(slice(start, start + BLOCK)).key(n_raters)] = True
    return int(np.count_nonzero(seen)) < n
