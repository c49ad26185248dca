"""Spans to be compared: those that count, their units in flat arrays, and how unlike two of them are.

Chance samples are aligned many at a time. Each sample is a *block*: units of different blocks never meet, so one
alignment of all blocks is the best alignment of each of them.

Two units differ in place, in category, and in both together:

    d(u, v) = alpha d_pos + beta d_cat

    d_pos = ((|begin u - begin v| + |end u - end v|) / (length u + length v))^p De,     p = 2 (squared) or 1 (linear)
    d_cat = (0 if the categories are equal, else 1, or an entry of a matrix) De

Every pair with an empty unit costs De (delta_empty). Mathet, Widlöcher & Métivier (2015), section 4, who square the
positional part: small shifts count little and large ones much. The linear form weighs every shift alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats, Ints
from concordant.choices import Choices, choice
from concordant.errors import InputError
from concordant.measures.spec import Asked, Needs
from concordant.model.columns import is_number
from concordant.model.continuum import Continuum
from concordant.model.measurable import Used


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """Units sorted by rater; `block` says which continuum each belongs to."""

    n_raters: int
    n_blocks: int
    rater: Ints
    begin: Floats
    end: Floats
    category: Ints
    block: Ints

    @classmethod
    def of(cls, continuum: Continuum) -> "Units":
        """One continuum as a single block."""
        arrays = {name: getattr(continuum, name) for name in ("rater", "begin", "end", "category")}
        return cls(n_raters=continuum.n_raters, n_blocks=1, block=np.zeros(continuum.n_units, dtype=np.int64), **arrays)

    def __len__(self) -> int:
        """How many units there are in all blocks."""
        return len(self.begin)

    def pair(self, a: int, b: int) -> "Units":
        """Only the units of raters `a` and `b`, who become raters 0 and 1."""
        chosen = np.r_[self.starts[a] : self.starts[a + 1], self.starts[b] : self.starts[b + 1]]
        return self.take(chosen, n_raters=2, rater=(self.rater[chosen] == b).astype(np.int64))

    def take(self, chosen: Ints, **changes: Any) -> "Units":
        """The chosen units, in this order, with some fields changed."""
        kept = {"rater", "begin", "end", "category", "block"}.difference(changes)
        return replace(self, **{name: getattr(self, name)[chosen] for name in kept}, **changes)

    @cached_property
    def starts(self) -> Ints:
        """The first unit of each rater, and the number of units at the end."""
        return np.searchsorted(self.rater, np.arange(self.n_raters + 1))

    @cached_property
    def block_sizes(self) -> Ints:
        """How many units each block has."""
        return np.bincount(self.block, minlength=self.n_blocks)

    @cached_property
    def lengths(self) -> Floats:
        """End minus begin."""
        return self.end - self.begin

    @cached_property
    def places(self) -> Floats:
        """Twice the mid-point of every unit, counted from its block's begin, blocks put one after the other with gaps.

        The places serve to find neighbours only; dissimilarities are computed from the positions themselves, so that
        laying blocks out on one axis costs no precision.
        """
        middle = self.begin + self.end
        if self.n_blocks == 1:
            return middle
        low = np.full(self.n_blocks, np.inf)
        high = np.full(self.n_blocks, -np.inf)
        np.minimum.at(low, self.block, middle)
        np.maximum.at(high, self.block, middle)
        width = np.where(self.block_sizes > 0, high - low, 0.0)
        offset = np.concatenate([[0.0], np.cumsum(width + width.max() + 1.0)[:-1]])
        return np.asarray(middle - low[self.block] + offset[self.block])


SPANS = Needs(suits=frozenset(), missing="uses every pair", made_for="spans (text, rater, begin, end, category)")


class SpanOptions(Choices):
    """What every measure of spans lets one choose."""

    zero_length: Literal["keep", "drop"] = choice(
        "keep", "Spans of zero length: keep them (gamma is then undefined), or leave them out and say so."
    )
    length: float | None = choice(None, "Spans: the length of a text whose length is not known otherwise.")

    def __post_init__(self) -> None:
        """Refuse a length that no text has; on the command line it is written as a text."""
        given: Any = self.length
        if isinstance(given, str):
            object.__setattr__(self, "length", float(given) if is_number(given) else np.nan)
        super().__post_init__()
        if self.length is not None and not 0 < self.length < np.inf:
            raise InputError(f"the length {given} is not one of a text", hint="give a number above 0")


@dataclass(frozen=True, kw_only=True, eq=False)
class Marked:
    """A text as it was `given`, and the `continuum` that is measured.

    `why` says why there is nothing to compute, if so; `observed` is the disorder that is known all the same.
    """

    kind: ClassVar[str] = "spans"
    unit: ClassVar[str] = "units"
    notes: ClassVar[tuple[str, ...]] = ()

    given: Continuum
    continuum: Continuum
    options: Any
    why: str | None = None
    observed: float | None = None

    @property
    def used_raters(self) -> tuple[str, ...]:
        """All raters of the text, those without units included."""
        return self.continuum.raters

    @property
    def fingerprint(self) -> str:
        """That of the text as it was given."""
        return self.given.fingerprint

    @property
    def digest(self) -> str:
        """That of the text as it was given."""
        return self.given.digest

    def used(self, *, complete: bool = False) -> Used:
        """All spans; how many were of zero length and left out."""
        n = self.continuum.n_units
        dropped = self.given.n_units - n
        note = f"{dropped} span{'s' * (dropped != 1)} of zero length left out"
        return Used(n, n, dropped, (note,) if dropped else ())

    def signed(self) -> dict[str, str] | None:
        """Nothing but the options says more of spans; None for work that was ended and cannot be done again."""
        return {}


def marked(data: Continuum, asked: Asked) -> Marked:
    """The spans that were asked for, in a text of the length that was said."""
    kept = data.keep(data.end > data.begin) if asked.options.zero_length == "drop" else data
    return Marked(given=data, continuum=_as_long_as(kept, asked.options.length), options=asked.options)


def _as_long_as(text: Continuum, length: float | None) -> Continuum:
    """The text with that length; one that it cannot have is refused."""
    if length is None or length == text.length:
        return text
    name = f" {text.name!r}" if text.name else ""
    if text.length is not None:
        raise InputError(f"the text{name} is {text.length:.15g} long, not {length:.15g}", hint="leave out --length")
    if text.n_units and float(text.end.max()) > length:
        past = f"a span of the text{name} ends at {float(text.end.max()):.15g}, past --length {length:.15g}"
        raise InputError(past, hint="give the length of the text, counted like the spans")
    return replace(text, length=length)


def too_few_raters(continuum: Continuum) -> str | None:
    """Agreement needs two raters."""
    if continuum.n_raters >= 2:
        return None
    who = f"a single rater ({continuum.raters[0]})" if continuum.raters else "no rater"
    return f"there is {who} in this text; agreement needs two"


def without_units(continuum: Continuum) -> str | None:
    """Every rater must have marked something."""
    idle = [name for name, size in zip(continuum.raters, continuum.sizes, strict=True) if size == 0]
    return f"rater {idle[0]!r} marked no unit in this text" if idle else None


def zero_length(continuum: Continuum) -> str | None:
    """The dissimilarity divides by lengths."""
    empty = np.flatnonzero(continuum.begin == continuum.end)
    if len(empty) == 0:
        return None
    where = f"rater {continuum.raters[continuum.rater[empty[0]]]!r} at {continuum.begin[empty[0]]:.17g}"
    many = f"{len(empty)} spans have zero length (the first: {where})"
    told = f"a span has zero length ({where})" if len(empty) == 1 else many
    return f"{told}, and dissimilarity divides by length; --zero-length drop leaves them out"


def whole_text(continuum: Continuum) -> str | None:
    """Cutting and swapping cannot move a unit that is as long as the text."""
    low, high = continuum.bounds
    for rater in np.flatnonzero(continuum.sizes == 1):
        unit = int(np.argmax(continuum.rater == rater))
        if continuum.begin[unit] <= low and continuum.end[unit] >= high:
            known = "" if continuum.length is not None else ", as far as units show it (the text's length is not known)"
            who = f"the only unit of rater {continuum.raters[rater]!r}"
            return f"{who} spans the whole text{known}, so it cannot be shuffled"
    return None


@dataclass(frozen=True, kw_only=True, eq=False)
class Dissimilarity:
    """The weights, the kind of positional part and the matrix between categories (without one only equality counts)."""

    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float = 1.0
    place: str = "squared"
    matrix: Floats | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse weights for which the best alignment is empty or undefined."""
        if not (np.isfinite(self.alpha) and self.alpha > 0):
            raise InputError(f"alpha is {self.alpha:g}", hint="give a number above 0; gamma needs positions")
        if not (np.isfinite(self.beta) and self.beta >= 0):
            raise InputError(f"beta is {self.beta:g}", hint="give 0 or a number above 0")
        if not (np.isfinite(self.delta_empty) and self.delta_empty > 0):
            raise InputError(f"delta_empty is {self.delta_empty:g}", hint="give a number above 0")

    @property
    def in_units(self) -> "Dissimilarity":
        """The same dissimilarity counted in units of De."""
        return replace(self, delta_empty=1.0)

    def positional(self, units: Units, u: Ints, v: Ints) -> Floats:
        """d_pos of the units numbered `u` and `v`."""
        apart = np.abs(units.begin[u] - units.begin[v]) + np.abs(units.end[u] - units.end[v])
        share = apart / (units.lengths[u] + units.lengths[v])
        return np.asarray(self.delta_empty * (share if self.place == "linear" else share * share))

    def reach(self, below: float) -> float:
        """How far apart units can lie, in their lengths' sum, while their dissimilarity is under `below`."""
        share = below / (self.alpha * self.delta_empty)
        return float(share if self.place == "linear" else share**0.5)

    def categorical(self, units: Units, u: Ints, v: Ints) -> Floats:
        """d_cat of the units numbered `u` and `v`."""
        if self.matrix is None:
            return np.where(units.category[u] == units.category[v], 0.0, self.delta_empty)
        return np.asarray(self.delta_empty * self.matrix[units.category[u], units.category[v]])

    def combined(self, units: Units, u: Ints, v: Ints) -> Floats:
        """The dissimilarity of the units numbered `u` and `v`."""
        return self.alpha * self.positional(units, u, v) + self.beta * self.categorical(units, u, v)


def ordinal_matrix(order: Sequence[str], categories: Sequence[str]) -> Floats:
    """|rank - rank| / (number of ranks - 1) between `categories`, ranked by their place in `order`."""
    missing = [category for category in categories if category not in order]
    if missing:
        raise InputError(f"the category {missing[0]!r} has no place in the order", hint="list every category in order")
    rank = np.array([order.index(category) for category in categories], dtype=float)
    return np.asarray(np.abs(rank[:, None] - rank[None, :]) / max(1, len(order) - 1))


def matrix_between(table: Sequence[Sequence[str]], categories: Sequence[str], *, file: str | None = None) -> Floats:
    """The matrix of `categories` from a table whose first row and first column hold the categories."""
    header = [cell.strip() for cell in table[0][1:]]
    rows = [row[0].strip() for row in table[1:]]
    if header != rows:
        raise InputError("rows and columns name different categories", file=file, hint="use one order for both")
    missing = [category for category in categories if category not in header]
    if missing:
        raise InputError(f"the category {missing[0]!r} is not in the matrix", file=file, hint="add its row and column")
    values = np.array([[_cost(cell, i + 2, file) for cell in row[1:]] for i, row in enumerate(table[1:])], dtype=float)
    if values.shape != (len(header), len(header)):
        raise InputError("the matrix is not square", file=file)
    if not (np.array_equal(values, values.T) and not values.diagonal().any()):
        raise InputError("the matrix must be symmetric with 0 on the diagonal", file=file)
    chosen = [header.index(category) for category in categories]
    return values[np.ix_(chosen, chosen)]


def _cost(cell: str, row: int, file: str | None) -> float:
    """One entry of the matrix: a number, not below 0."""
    try:
        cost = float(cell)
    except ValueError:
        cost = -1.0
    if not (np.isfinite(cost) and cost >= 0):
        raise InputError(f"{cell!r} is not a dissimilarity", file=file, row=row, hint="give a number from 0 to 1")
    return cost


class Pairs(NamedTuple):
    """Units `u` of one rater and `v` of another with their dissimilarity, sorted by u."""

    u: Ints
    v: Ints
    d: Floats

    def where(self, chosen: NDArray[Any]) -> "Pairs":
        """Only the chosen pairs: a mask, or their numbers."""
        return Pairs(self.u[chosen], self.v[chosen], self.d[chosen])


def expand(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """All (i, j) with low[i] <= j < high[i], as two arrays.

    >>> expand(np.array([0, 5]), np.array([2, 6]))
    (array([0, 0, 1]), array([0, 1, 5]))
    """
    counts = np.maximum(high - low, 0)
    rows = np.repeat(np.arange(len(low)), counts)
    before = np.cumsum(counts) - counts
    return rows, np.arange(len(rows)) - (before - low)[rows]


def neighbours(units: Units, a: int, b: int, dissimilarity: Dissimilarity, below: float) -> Pairs:
    """All pairs of a unit of rater `a` and a unit of rater `b` in one block whose dissimilarity is under `below`."""
    reach = dissimilarity.reach(below) * (1 + 1e-9)
    found = [_window(units, a, group, reach) for group in _length_groups(units, b)]
    if not found:
        return Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    u, v = found[0] if len(found) == 1 else (np.concatenate(part) for part in zip(*found, strict=True))
    d = dissimilarity.combined(units, u, v)
    near = np.flatnonzero(d < below)
    if len(found) > 1:
        near = near[np.argsort(u[near], kind="stable")]
    return Pairs(u, v, d).where(near)


def _window(units: Units, a: int, group: Ints, reach: float) -> tuple[Ints, Ints]:
    """Every unit of `a` with the units of a `group` (sorted by place) that its reach covers."""
    first, last = units.starts[a], units.starts[a + 1]
    place, places = units.places[first:last], units.places[group]
    width = reach * (units.lengths[first:last] + units.lengths[group].max())
    low = np.searchsorted(places, place - width, "left")
    high = np.searchsorted(places, place + width, "right")
    if units.n_blocks > 1:
        own, blocks = units.block[first:last], units.block[group]
        low = np.maximum(low, np.searchsorted(blocks, own, "left"))
        high = np.minimum(high, np.searchsorted(blocks, own, "right"))
    rows, columns = expand(low, high)
    return rows + first, group[columns]


def _length_groups(units: Units, b: int) -> list[Ints]:
    """The units of rater `b`, sorted by place, in groups of like length."""
    numbers = np.arange(units.starts[b], units.starts[b + 1])
    if len(numbers) == 0:
        return []
    numbers = numbers[np.argsort(units.places[numbers], kind="stable")]
    lengths = units.lengths[numbers]
    if len(numbers) <= 128 or lengths.max() <= 2 * lengths.min():
        return [numbers]
    group = np.frexp(lengths)[1]
    return [numbers[group == power] for power in np.unique(group)]
