"""Spans that raters marked on one text: what unitizing measures are computed from.

A continuum is a text (or a recording) on which every rater marked *units*: spans from `begin` to `end`, each with a
category. Spans may overlap, nest and repeat. All units stand in flat arrays, sorted by rater and position, so that the
order of the rows in a file never matters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from assent.errors import InputError, nearest

UNLABELLED = ""
"""The category of a span without a label: equal to another unlabelled span, different from every labelled one."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Continuum:
    """The units of one text. `rater` and `category` are numbers into `raters` and `categories`, one per unit."""

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    rater: Ints
    begin: Floats
    end: Floats
    category: Ints
    length: float | None = None
    name: str = ""
    slice: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the units by rater, begin, end and category, freeze the arrays and check the positions."""
        order = np.lexsort((self.category, self.end, self.begin, self.rater))
        for attribute, kind in (("rater", np.int64), ("begin", float), ("end", float), ("category", np.int64)):
            values = np.asarray(getattr(self, attribute), dtype=kind)[order]
            values.flags.writeable = False
            object.__setattr__(self, attribute, values)
        problem = _first_problem(self.begin, self.end, self.length)
        if problem is not None:
            unit, what, hint = problem
            raise InputError(f"{what} (rater {self.raters[self.rater[unit]]!r})", file=self.name or None, hint=hint)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        rater: str = "rater",
        begin: str = "begin",
        end: str = "end",
        category: str = "category",
        features: Sequence[str] = (),
        raters: Sequence[str] | None = None,
        length: float | None = None,
        name: str = "",
    ) -> Self:
        """One text's units from any data frame with one row per span.

        `features` are further columns merged into the category (`level+degree=1`); `raters` names everybody who
        annotated, also those who marked nothing. Without the column `category` all spans are unlabelled.
        """
        table = nw.from_native(frame, eager_only=True)
        columns = SpanColumns(rater=rater, begin=begin, end=end, category=category, features=tuple(features))
        spans = columns.take(table, file=name or None, length=length)
        names = tuple(sorted(set(spans.rater.tolist()) | set(raters or ())))
        categories = tuple(sorted(set(spans.category.tolist())))
        return cls(
            raters=names,
            categories=categories,
            rater=np.searchsorted(np.array(names, dtype=object), spans.rater),
            begin=spans.begin,
            end=spans.end,
            category=np.searchsorted(np.array(categories, dtype=object), spans.category),
            length=length,
            name=name,
        )

    @property
    def n_units(self) -> int:
        """How many spans there are, all raters together."""
        return len(self.begin)

    @property
    def n_raters(self) -> int:
        """How many raters there are, those without units included."""
        return len(self.raters)

    @property
    def sizes(self) -> Ints:
        """How many units each rater marked."""
        return np.bincount(self.rater, minlength=self.n_raters)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the text begins and ends: 0 and its length when that is known, else the outermost positions."""
        if self.length is not None:
            return 0.0, float(self.length)
        return (float(self.begin.min()), float(self.end.max())) if self.n_units else (0.0, 0.0)

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change when any unit, rater or category does."""
        digest = sha256("\0".join((*self.raters, "", *self.categories)).encode())
        for values in (self.rater, self.begin, self.end, self.category):
            digest.update(values.tobytes())
        return digest.hexdigest()[:8]

    def keep(self, units: NDArray[np.bool_]) -> Self:
        """A copy with only these units; raters and categories stay as they are."""
        return replace(
            self,
            rater=self.rater[units],
            begin=self.begin[units],
            end=self.end[units],
            category=self.category[units],
        )

    def only(self, raters: Sequence[str]) -> Self:
        """A copy with only these raters' units."""
        for name in raters:
            if name not in self.raters:
                raise InputError(f"no rater {name!r}", file=self.name or None, hint=nearest(name, self.raters))
        chosen = [self.raters.index(name) for name in sorted(set(raters))]
        kept = np.isin(self.rater, chosen)
        return replace(
            self.keep(kept),
            raters=tuple(self.raters[number] for number in chosen),
            rater=np.searchsorted(chosen, self.rater[kept]),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Spans:
    """Checked columns of a table of spans; names are still strings."""

    rater: NDArray[np.object_]
    begin: Floats
    end: Floats
    category: NDArray[np.object_]


@dataclass(frozen=True, kw_only=True)
class SpanColumns:
    """The names of the columns that hold a span."""

    rater: str = "rater"
    begin: str = "begin"
    end: str = "end"
    category: str = "category"
    features: tuple[str, ...] = ()

    def take(self, table: nw.DataFrame[Any], *, file: str | None = None, length: float | None = None) -> Spans:
        """The columns as arrays; every value that cannot be used is reported with its row (the header is row 1)."""
        for column in (self.rater, self.begin, self.end, *self.features):
            _require(table, column, file)
        begin, end = (_positions(table, column, file) for column in (self.begin, self.end))
        problem = _first_problem(begin, end, length)
        if problem is not None:
            row, what, hint = problem
            raise InputError(what, file=file, row=row + 2, hint=hint)
        return Spans(rater=_names(table, self.rater, file), begin=begin, end=end, category=self._categories(table))

    def _categories(self, table: nw.DataFrame[Any]) -> NDArray[np.object_]:
        """The category with the features merged into it: `level+degree=1+mood=free`, empty parts left out."""
        parts = [_strings(table[self.category])] if self.category in table.columns else []
        for feature in self.features:
            values = _strings(table[feature])
            parts.append(np.where(values == "", "", f"{feature}=" + values).astype(object))
        if not parts:
            return np.full(len(table), UNLABELLED, dtype=object)
        merged = parts[0]
        for part in parts[1:]:
            merged = merged + np.where((merged != "") & (part != ""), "+", "").astype(object) + part
        return merged


def _require(table: nw.DataFrame[Any], column: str, file: str | None) -> None:
    """Refuse a table without this column, naming the ones it has."""
    if column not in table.columns:
        known = ", ".join(table.columns)
        raise InputError(f"there is no column {column!r}; the columns are {known}", file=file, hint="name it by option")


def _strings(values: nw.Series[Any]) -> NDArray[np.object_]:
    """Text of every cell, empty where it is missing."""
    texts: NDArray[np.object_] = values.cast(nw.String).fill_null("").to_numpy().astype(object)
    return texts


def _names(table: nw.DataFrame[Any], column: str, file: str | None) -> NDArray[np.object_]:
    """Names that must not be missing."""
    names = _strings(table[column])
    missing = np.flatnonzero(names == "")
    if len(missing):
        raise InputError("the cell is empty", file=file, row=int(missing[0]) + 2, column=column, hint="name the rater")
    return names


def _positions(table: nw.DataFrame[Any], column: str, file: str | None) -> Floats:
    """Numbers that must be there and finite."""
    values = table[column]
    if not values.dtype.is_numeric():
        texts = _strings(values)
        return np.array([_number(text, row, column, file) for row, text in enumerate(texts)], dtype=float)
    numbers = values.cast(nw.Float64).to_numpy().astype(float)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise InputError("the position is missing or not finite", file=file, row=int(bad[0]) + 2, column=column)
    return numbers


def _number(text: str, row: int, column: str, file: str | None) -> float:
    """One position that came as text."""
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise InputError(f"{text!r} is not a position", file=file, row=row + 2, column=column, hint="give a number")
    return number


def _first_problem(begin: Floats, end: Floats, length: float | None) -> tuple[int, str, str] | None:
    """The first unit whose positions cannot be: its number, what is wrong, what to do."""
    checks = [
        (begin > end, "begins after its end", "swap begin and end"),
        (begin < 0, "begins before 0", "count positions from 0"),
    ]
    if length is not None:
        checks.append((end > length, f"ends past the text's end ({length:g})", "check that the text is the right one"))
    for wrong, what, hint in checks:
        if wrong.any():
            unit = int(np.argmax(wrong))
            return unit, f"the span {begin[unit]:.17g}-{end[unit]:.17g} {what}", hint
    return None
