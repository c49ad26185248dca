"""Columns as readers deliver them: small integer codes into a list of labels, or plain numbers."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
        """The same column with labels instead of numbers."""
        return self if self.numbers is None else _from_distinct(*_distinct(self.numbers))

    def take(self, rows: NDArray[Any]) -> "Column":
        """Only these rows; labels that no row uses any more are dropped."""
        if self.numbers is not None:
            return replace(self, numbers=self.numbers[rows])
        return compact(replace(self, codes=self.codes[rows]))

    def text(self) -> NDArray[np.object_]:
        """The labels row by row, the empty text where blank."""
        column = self.as_labels()
        return np.asarray(np.array([*column.labels, ""], dtype=object)[column.codes])


def compact(column: Column) -> Column:
    """Without the labels that no row uses."""
    used = np.zeros(len(column.labels) + 1, dtype=bool)
    used[column.codes] = True
    if used[:-1].all():
        return column
    place = np.append(np.cumsum(used[:-1]) - 1, -1).astype(column.codes.dtype)
    labels = [column.labels[i] for i in np.nonzero(used[:-1])[0].tolist()]
    return Column(codes=place[column.codes], labels=labels)


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
    if array.dtype.kind == "f":
        return _encode_floats(array, declared)
    return _encode_objects(array, {label_of(value) for value in declared})


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
    array = array.astype(np.int64) - low if low else array
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


def _encode_floats(array: NDArray[Any], missing: list[Any]) -> Column:
    """Floats stay numbers; declared missing values become NaN."""
    numbers = array.astype(np.float64, copy=False)
    if missing:
        labels = [label_of(value) for value in missing]
        numbers = np.where(np.isin(numbers, [float(label) for label in labels if is_number(label)]), np.nan, numbers)
    return Column(codes=np.zeros(0, dtype=np.int8), labels=[], numbers=numbers)


def _encode_objects(array: NDArray[Any], missing: set[str]) -> Column:
    """Texts and mixed objects are coded by their text."""
    texts = array if array.dtype.kind == "U" else np.array([label_of(value) for value in array.tolist()], dtype=object)
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(text, len(place)) for text in texts.tolist()], dtype=np.int64)
    labels = list(place)
    return blank_out(Column(codes=codes, labels=labels), {"", *missing})


def blank_out(column: Column, missing: set[str]) -> Column:
    """Make the cells with these labels blank."""
    gone = np.array([label in missing for label in column.labels], dtype=bool)
    place = np.append(np.where(gone, -1, np.cumsum(~gone) - 1), -1)
    place = place.astype(np.min_scalar_type(-len(column.labels) - 1))
    return Column(codes=place[column.codes], labels=[label for label in column.labels if label not in missing])


def label_of(value: Any) -> str:
    """The label of one value: None and NaN are blank, 2.0 is "2"."""
    if value is None or value != value:
        return ""
    return number_label(value) if isinstance(value, float) else str(value)


def is_number(label: str) -> bool:
    """Whether the label reads as a finite number."""
    try:
        return math.isfinite(float(label))
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
    labels = [number_label(float(v)) if values.dtype.kind == "f" else str(v) for v in values.tolist()]
    small = codes.astype(np.min_scalar_type(-len(labels) - 1), copy=False)
    gone = {label_of(value) for value in missing}
    column = Column(codes=small, labels=labels)
    return blank_out(column, gone) if gone & set(labels) else column
