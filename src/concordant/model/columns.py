"""Columns as readers deliver them: small integer codes into a list of labels, or plain numbers.

Those of any data frame come through narwhals; no data frame library is required or imported here.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.errors import InputError, MissingExtra, nearest
from concordant.model.many_labels import MANY, WholeNumbers

if TYPE_CHECKING:
    import narwhals as nw


EMPTY_SET = "∅"
"""How a cell writes that nothing was chosen, filled or marked, and that this is the answer; an empty cell is none."""
CHUNK = 1 << 20  # bytes counted at once, so that counting takes little memory


@dataclass(frozen=True, kw_only=True, eq=False)
class Column:
    """A column of labels: `codes[i]` is the place of row i's label in `labels`, -1 where the cell is blank.

    A column of numbers keeps them in `numbers` (NaN where blank) and makes labels only when asked to.
    """

    codes: NDArray[np.signedinteger[Any]]
    labels: Sequence[str]
    numbers: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        """How many rows."""
        return len(self.codes) if self.numbers is None else len(self.numbers)

    @property
    def n_blank(self) -> int:
        """How many cells are blank."""
        return int((self.codes < 0).sum() if self.numbers is None else np.isnan(self.numbers).sum())

    def has_many_values(self, limit: int) -> bool:
        """Whether there are more than `limit` distinct numbers; a sample settles most cases without sorting all."""
        if self.numbers is None:
            return False
        sample = self.numbers[: 4 * limit]
        if len(np.unique(sample[~np.isnan(sample)])) > limit:
            return True
        return len(np.unique(self.numbers[~np.isnan(self.numbers)])) > limit

    def as_labels(self) -> "Column":
        """The same column with labels instead of numbers; to find them takes a sort, so it is done once."""
        return self if self.numbers is None else self._labelled

    @cached_property
    def _labelled(self) -> "Column":
        return _from_distinct(*_distinct(np.zeros(0) if self.numbers is None else self.numbers))

    def take(self, rows: NDArray[Any]) -> "Column":
        """Only these rows; labels that no row uses any more are dropped."""
        if self.numbers is not None:
            return replace(self, numbers=self.numbers[rows])
        return compact(replace(self, codes=self.codes[rows]))

    def text(self) -> NDArray[np.object_]:
        """The labels row by row, the empty text where blank."""
        column = self.as_labels()
        return np.asarray(np.array([*column.labels, ""], dtype=object)[column.codes])


def stacked(columns: Sequence[Column]) -> Column:
    """Columns one below the other; numbers stay numbers if all are."""
    if columns and all(column.numbers is not None for column in columns):
        numbers = np.concatenate([column.numbers for column in columns if column.numbers is not None])
        return Column(codes=np.zeros(0, dtype=np.int8), labels=[], numbers=numbers)
    named = [column.as_labels() for column in columns]
    labels = list(dict.fromkeys(label for column in named for label in column.labels))
    place = {label: i for i, label in enumerate(labels)}
    codes = [np.array([*(place[label] for label in column.labels), -1])[column.codes] for column in named]
    return Column(codes=np.concatenate(codes), labels=labels)


def as_written(column: Column, other: Column) -> Column:
    """Numbers as they are written in the other column: 4.0 is 4 where 4 stands.

    >>> four = Column(codes=np.array([0]), labels=["4"])
    >>> as_written(Column(codes=np.array([0, 1, 2]), labels=["4", "4.0", "no"]), four).text().tolist()
    ['4', '4', 'no']
    """
    if column.numbers is not None:
        return column
    forms = {float(label): label for label in other.as_labels().labels if is_number(label)}
    told = [forms.get(float(label), label) if is_number(label) else label for label in column.labels]
    places = {label: i for i, label in enumerate(dict.fromkeys(told))}
    if len(places) == len(column.labels):
        return column
    to = np.array([*(places[label] for label in told), -1])
    return Column(codes=to[column.codes], labels=list(places))


def compact(column: Column) -> Column:
    """Without the labels that no row uses."""
    used = np.zeros(len(column.labels) + 1, dtype=bool)
    used[column.codes] = True
    return column if used[:-1].all() else _keeping(column, used[:-1])


def _keeping(column: Column, kept: NDArray[np.bool_]) -> Column:
    """Only the labels that are kept; cells with another become blank."""
    place = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1).astype(np.min_scalar_type(-len(kept) - 1))
    return Column(codes=place[column.codes], labels=[column.labels[i] for i in np.flatnonzero(kept).tolist()])


def encode(values: ArrayLike, *, missing: Iterable[Any] = ()) -> Column:
    """Any one-dimensional values as a column: numbers stay numbers, everything else becomes labels.

    None, NaN, the empty text and the values in `missing` are blank.

    >>> encode(["yes", "no", "", "yes"]).codes
    array([ 0,  1, -1,  0], dtype=int8)
    """
    array = np.asarray(values)
    declared = list(missing)
    if array.dtype.kind in "iub":
        return _encode_integers(array, declared)
    gone = {label_of(value) for value in declared}
    if array.dtype.kind == "f":
        numbers = array.astype(np.float64, copy=False)
        if gone:
            numbers = np.where(np.isin(numbers, [float(label) for label in gone if is_number(label)]), np.nan, numbers)
        return Column(codes=np.zeros(0, dtype=np.int8), labels=[], numbers=numbers)
    texts = array.tolist() if array.dtype.kind == "U" else [label_of(value) for value in array.tolist()]
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(text, len(place)) for text in texts], dtype=np.int64)
    return blank_out(Column(codes=codes, labels=list(place)), {"", *gone})


def _encode_integers(array: NDArray[Any], missing: list[Any]) -> Column:
    """Single bytes are coded by translation, integers of a small range by counting, others by sorting."""
    if not len(array):
        return Column(codes=np.zeros(0, dtype=np.int8), labels=[])
    if array.dtype.itemsize == 1:
        return _encode_bytes(array.view(np.int8) if array.dtype.kind == "b" else array, missing)
    low, high = int(array.min()), int(array.max())
    if high - low > 4 * len(array) + 1000:
        return _from_distinct(*_distinct(array), missing=missing)
    counts = np.zeros(high - low + 1, dtype=bool)
    if low:
        array = array.astype(np.int64 if high - low > np.iinfo(array.dtype).max else array.dtype) - low
    counts[array] = True
    values = np.nonzero(counts)[0] + low
    place = (np.cumsum(counts) - 1).astype(np.min_scalar_type(-len(values) - 1))
    return _from_distinct(values, place[array], missing=missing)


def _encode_bytes(array: NDArray[Any], missing: list[Any]) -> Column:
    """Translate byte by byte through a table of 256 codes: as fast as copying."""
    parts = np.array_split(array.view(np.uint8), len(array) // CHUNK + 1)
    counts = np.sum([np.bincount(part, minlength=256) for part in parts], axis=0)
    raw = np.nonzero(counts)[0].astype(np.uint8)
    values = np.sort(raw.view(array.dtype))
    gone = {label_of(value) for value in missing}
    kept = values[[str(value) not in gone for value in values.tolist()]]
    if len(kept) > 127:
        return _encode_integers(array.astype(np.int16), missing)
    table = np.full(256, -1, dtype=np.int8)
    table[kept.view(np.uint8)] = np.arange(len(kept))
    codes = np.frombuffer(array.tobytes().translate(table.tobytes()), dtype=np.int8)
    return Column(codes=codes, labels=[str(value) for value in kept.tolist()])


def blank_out(column: Column, missing: set[str]) -> Column:
    """Make the cells with these labels blank."""
    return _keeping(column, np.array([label not in missing for label in column.labels], dtype=bool))


def label_of(value: Any) -> str:
    """The label of one value: None and NaN are blank, 2.0 is "2", {"b", "a"} is "a+b" and an empty set "∅".

    >>> label_of({"b", "a"}), label_of([]), label_of(2.0), label_of(None)
    ('a+b', '∅', '2', '')
    """
    if isinstance(value, list | tuple | set | frozenset):
        return "+".join(sorted({label_of(one) for one in value} - {""})) or EMPTY_SET
    if value is None or value != value:
        return ""
    return number_label(value) if isinstance(value, float) else str(value)


def is_number(label: str) -> bool:
    """Whether the label reads as a finite number; 1_2 is a name.

    >>> is_number("-1.5e3"), is_number("1_2"), is_number("inf")
    (True, False, False)
    """
    try:
        return "_" not in label and math.isfinite(float(label))
    except ValueError:
        return False


def number_label(number: float) -> str:
    """A number as a label: whole numbers without a point.

    >>> number_label(2.0), number_label(0.5)
    ('2', '0.5')
    """
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def _distinct(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The distinct values in order and each row's place among them; NaN gets -1."""
    values, codes = np.unique(array, return_inverse=True)
    if values.dtype.kind == "f" and len(values) and np.isnan(values[-1]):
        values = values[:-1]
        codes = np.where(codes == len(values), -1, codes)
    return values, codes


def _from_distinct(values: NDArray[Any], codes: NDArray[Any], *, missing: Iterable[Any] = ()) -> Column:
    """A column of labels from distinct numbers and codes."""
    is_whole = values.dtype.kind != "f"
    labels: Sequence[str] = WholeNumbers(values)
    if not is_whole or len(values) <= MANY:
        labels = [str(v) if is_whole else number_label(float(v)) for v in values.tolist()]
    small = codes.astype(np.min_scalar_type(-len(labels) - 1), copy=False)
    gone = {label_of(value) for value in missing}
    column = Column(codes=small, labels=labels)
    return blank_out(column, gone) if gone and not gone.isdisjoint(labels) else column


def frame_columns(
    frame: Any, names: Sequence[str], *, missing: Mapping[str, Sequence[Any]]
) -> tuple[list[Column], tuple[str, ...]]:
    """The named columns, encoded, and the order of the last one's categories, if it has one.

    A name that is not there is an error that suggests the nearest.
    """
    import narwhals as nw

    table = frame_of(frame)
    eager = table.collect() if isinstance(table, nw.LazyFrame) else table
    for name in names:
        if name not in eager.columns:
            raise InputError("the data frame has no such column", column=name, hint=nearest(name, eager.columns))
    return [encode_series(eager[name], missing.get(name, ())) for name in names], order_of(eager[names[-1]])


def frame_of(thing: Any) -> Any:
    """A data frame of any library as one of narwhals; anything else as it is."""
    import narwhals as nw

    try:
        return nw.from_native(thing, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in thing.columns]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two columns are called {twice!r}", hint="call each column something else") from None


def encode_series(series: "nw.Series[Any]", missing: Sequence[Any] = ()) -> Column:
    """Numbers as they are (blanks become NaN), anything else by its distinct texts."""
    import narwhals as nw

    if series.dtype.is_integer() and series.null_count() == 0:
        return encode(series.to_numpy(), missing=missing)
    if series.dtype.is_numeric():
        return encode(series.cast(nw.Float64).to_numpy(), missing=missing)
    if series.dtype in (nw.Object, nw.List, nw.Array):  # sets and lists; each is one value
        cells = series.to_list()
        if any(isinstance(cell, list | tuple | set | frozenset) for cell in cells):
            return encode(np.fromiter(cells, dtype=object, count=len(cells)), missing=missing)
    filled = series.cast(nw.String).fill_null("")  # by the distinct texts: rows are never looped over in Python
    labels = filled.unique(maintain_order=True).to_list()
    places = filled.replace_strict(labels, list(range(len(labels))), return_dtype=nw.Int64)
    return blank_out(Column(codes=np.asarray(places.to_numpy()), labels=labels), {"", *map(str, missing)})


def order_of(series: "nw.Series[Any]") -> tuple[str, ...]:
    """The categories in order of a column of pandas that is an ordered categorical; none of any other."""
    kind = getattr(series.to_native(), "dtype", None)
    return tuple(map(str, kind.categories)) if kind is not None and getattr(kind, "ordered", False) else ()


def to_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a data frame of pandas, or of polars where pandas is not installed."""
    for library in ("pandas", "polars"):
        try:
            return import_module(library).DataFrame(list(rows))
        except ModuleNotFoundError as error:
            if error.name != library:
                raise
    raise MissingExtra("a data frame", "files")
