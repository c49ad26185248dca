"""What measures look at. Four views of the patterns, each linear in the patterns' weights.

Weights may have leading axes: a bootstrap or jackknife is one call with weights of shape (resamples,
patterns), and every formula written on the last axes works for one sample and for thousands.

    Counts  how many raters gave a unit each category; who they were is forgotten
    Pairs   for every two raters, the contingency table of the units that both judged
    Panel   the units that every rater judged, one column per rater
    Scores  what each rater gave each unit, as numbers, with holes where somebody did not judge
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.crossing import Crossing
from concordant.engines.patterns import Patterns

TABLE_CELLS = 1 << 20  # up to this size rows of weights are multiplied with a table patterns × places
MOST_MERGED = 1 << 27  # up to this many patterns × categories counts are compared
DENSE_CELLS = 1 << 22  # a patterns × categories matrix is built up to this size, beyond it sums run over entries


@dataclass(frozen=True, kw_only=True, eq=False)
class Weighted:
    """A view of patterns: `weights[…, p]` says how many units have pattern p.

    `place` says where each pattern of the tally is in the view (-1: nowhere); None if all are at their own place.
    """

    weights: Floats
    place: NDArray[np.int64] | None = None

    def reweighted(self, weights: Floats) -> Self:
        """The same patterns with other multiplicities."""
        return replace(self, weights=weights)


@dataclass(frozen=True, kw_only=True, eq=False)
class Counts(Weighted):
    """Entry e: in `pattern[e]` the category `code[e]` was given with total rater weight `n[e]`.

    `own[e]` is the part of n² that pairs a rater with themself: n for ordinary data, the sum of squared
    rater weights when raters were resampled, so that nobody ever agrees with their own copy.
    `positions[c]` is where category c lies on the scale.
    """

    pattern: NDArray[np.int64]
    code: NDArray[np.int64]
    n: Floats
    own: Floats
    positions: Floats
    n_categories: int

    @property
    def n_patterns(self) -> int:
        """How many patterns, the units that have them not counted."""
        return int(self.weights.shape[-1])

    @cached_property
    def sizes(self) -> Floats:
        """m_p: judgements per pattern."""
        return add_up(self.pattern, self.n, self.n_patterns)

    @cached_property
    def pairs(self) -> Floats:
        """Ordered pairs of judgements by different raters in each pattern; m(m-1) for ordinary data."""
        own = add_up(self.pattern, self.own, self.n_patterns)
        return np.where(self.sizes**2 - own > 1e-9, self.sizes**2 - own, 0.0)

    @property
    def is_paired(self) -> NDArray[np.bool_]:
        """Which patterns have at least two judgements."""
        return self.pairs > 0

    @cached_property
    def _dense(self) -> Floats | None:
        """The patterns × categories matrix if it is small."""
        if self.n_patterns * self.n_categories > DENSE_CELLS:
            return None
        matrix = np.zeros((self.n_patterns, self.n_categories))
        np.add.at(matrix, (self.pattern, self.code), self.n)
        return matrix

    def totals(self, *, only_paired: bool) -> Floats:
        """n_c: judgements per category, over all units or over those with at least two judgements."""
        weights = self.weights * self.is_paired if only_paired else self.weights
        if self._dense is not None:
            return np.asarray(weights @ self._dense)
        return sums_at(weights, self.pattern, self.code, self.n, self.n_categories)

    def sums(self, points: Floats) -> Floats:
        """For each pattern the sum of its judgements' points; `points` may have leading axes."""
        if self._dense is not None:
            return np.asarray(points @ self._dense.T)
        return sums_at(points, self.code, self.pattern, self.n, self.n_patterns)

    def mean(self, per_pattern: Floats, *, only_paired: bool) -> Floats:
        """The mean over units of something known per pattern; NaN without units."""
        weights = self.weights * self.is_paired if only_paired else self.weights
        return ratio((weights * per_pattern).sum(axis=-1), weights.sum(axis=-1))

    def agreeing(self, closeness: Floats | None) -> Floats:
        """For each pattern the sum over ordered pairs of judgements of how close they are (1 = the same).

        `closeness` is a categories × categories matrix; None means identity.
        """
        if closeness is None:
            return add_up(self.pattern, self.n**2 - self.own, self.n_patterns)
        own = add_up(self.pattern, self.own * np.diag(closeness)[self.code], self.n_patterns)
        if self._dense is not None:
            return np.asarray(np.einsum("pc,pc->p", self._dense @ closeness, self._dense) - own)
        left, right = _entry_pairs(self.pattern, self.n_patterns)
        both = self.n[left] * self.n[right] * closeness[self.code[left], self.code[right]]
        return add_up(self.pattern[left], both, self.n_patterns) - own

    @property
    def has_differences(self) -> bool:
        """Whether two judgements of any unit differ."""
        return bool(((self.pairs - self.agreeing(None)) * self.weights > 1e-9).any())


def ratio(above: Floats, below: Floats) -> Floats:
    """above / below, NaN (undefined) where below is not above 0."""
    undefined = np.full(np.broadcast_shapes(np.shape(above), np.shape(below)), np.nan)
    return np.asarray(np.divide(above, below, out=undefined, where=np.greater(below, 0)))


def add_up(place: NDArray[np.int64], amounts: Floats, size: int) -> Floats:
    """For each of `size` places the sum of the amounts that belong there."""
    return np.bincount(place, weights=amounts, minlength=size).astype(np.float64, copy=False)


def sums_at(
    weights: Floats, pattern: NDArray[np.int64], place: NDArray[np.int64], amounts: Floats, size: int
) -> Floats:
    """(…, size): for each place the sum over its entries of their pattern's weight times their amount.

    Many rows of weights are multiplied with one table patterns × places; where that would be large and mostly empty
    (hundreds of raters), or there is one row, the entries are added up row by row.
    """
    n_patterns = weights.shape[-1]
    rows = weights.reshape(math.prod(weights.shape[:-1]), n_patterns)
    if len(rows) > 1 and n_patterns * size <= TABLE_CELLS:
        out = rows @ add_up(pattern * size + place, amounts, n_patterns * size).reshape(n_patterns, size)
    else:
        out = np.array([add_up(place, row[pattern] * amounts, size) for row in rows])
    return np.asarray(out.reshape(*weights.shape[:-1], size))


def _entry_pairs(pattern: NDArray[np.int64], n_patterns: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All ordered pairs of entries of one pattern (each entry with itself too); entries are sorted by pattern."""
    sizes = np.bincount(pattern, minlength=n_patterns)
    starts = np.cumsum(sizes) - sizes
    reach = sizes[pattern]
    left = np.repeat(np.arange(len(pattern)), reach)
    within = np.arange(len(left)) - np.repeat(np.cumsum(reach) - reach, reach)
    return left, starts[pattern[left]] + within


def count_view(patterns: Patterns, positions: Floats, rater_weights: Floats | None = None) -> Counts:
    """Forget who judged. Patterns with equal counts become one, so that far fewer are left to resample."""
    if rater_weights is None and (merged := _merged(patterns, positions)) is not None:
        return merged
    weight = np.ones(len(patterns.rater)) if rater_weights is None else rater_weights[patterns.rater]
    is_number = patterns.code.dtype.kind == "f"
    if is_number:  # every judgement is a category of its own
        pattern, code, positions = patterns.pattern, np.arange(len(patterns.code)), patterns.code
        entry = code
    else:
        size = max(len(positions), 1)
        key, entry = np.unique(patterns.pattern * size + patterns.code, return_inverse=True)
        pattern, code = key // size, key % size
    n, own = (add_up(entry, amounts, len(pattern)) for amounts in (weight, weight**2))
    how: dict[str, Any] = {"positions": positions, "n_categories": len(positions), "weights": patterns.weights}
    return Counts(pattern=pattern, code=code, n=n, own=own, **how)


def _merged(patterns: Patterns, positions: Floats) -> Counts | None:
    """One pattern for all that have the same counts, in ascending order of these; None if they are too many to compare.

    Counts are read as digits of one number where that has 62 bits, so that a crowd of millions is sorted at once.
    """
    size, n_patterns = max(len(positions), 1), len(patterns.weights)
    if patterns.code.dtype.kind == "f" or n_patterns < 2 or n_patterns * size > MOST_MERGED:
        return None
    cells = np.bincount(patterns.pattern * size + patterns.code, minlength=n_patterns * size)
    matrix = cells.reshape(n_patterns, size)
    base = int(matrix.max()) + 1
    if size * math.log2(base) < 62:
        powers = np.array([base**power for power in range(size - 1, -1, -1)], dtype=np.int64)
        distinct, inverse = np.unique(matrix @ powers, return_inverse=True)
        vectors = distinct[:, np.newaxis] // powers % base
    elif n_patterns * size <= DENSE_CELLS:
        vectors, inverse = np.unique(matrix.astype(np.int32), axis=0, return_inverse=True)
    else:
        return None
    pattern, code = np.nonzero(vectors)
    n, place = vectors[pattern, code].astype(np.float64), inverse.reshape(-1)
    weights = add_up(place, patterns.weights, len(vectors))
    how: dict[str, Any] = {"positions": positions, "n_categories": len(positions), "weights": weights}
    return Counts(pattern=pattern, code=code, n=n, own=n, place=place, **how)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs(Weighted):
    """Patterns with the raters in them, and what every two raters with a common unit gave.

    `pairs` holds the two raters' places in `raters`. Entry e: in `pattern[e]` the raters of pair `which[e]` gave
    `first[e]` and `second[e]` (category codes, or numbers on a continuous scale). `rater_weights` counts how
    often a rater was drawn when raters are resampled. `amounts` says how much each entry of `patterns` counts in its
    rater's totals: once, but for units that nobody saw.
    """

    patterns: Patterns
    raters: tuple[str, ...]
    positions: Floats
    rater_weights: Floats
    pairs: NDArray[np.int64]
    which: NDArray[np.int64]
    pattern: NDArray[np.int64]
    first: NDArray[Any]
    second: NDArray[Any]
    amounts: Floats | None = None

    @property
    def n_categories(self) -> int:
        """How many categories."""
        return len(self.positions)

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """The cell of all tables to which entry e adds its pattern's weight: (pair · K + first) · K + second."""
        return np.asarray((self.which * self.n_categories + self.first) * self.n_categories + self.second)

    def scores(self) -> tuple[Floats, Floats]:
        """The first and the second raters' values as positions on the scale."""
        if self.first.dtype.kind == "f":
            return self.first, self.second
        return self.positions[self.first], self.positions[self.second]

    @property
    def pair_weights(self) -> Floats:
        """How much each pair counts in a mean over pairs: 1 unless raters were resampled."""
        return np.asarray(self.rater_weights[self.pairs].prod(axis=1))

    def with_rater_weights(self, rater_weights: Floats) -> Self:
        """The same patterns with raters drawn so many times."""
        return replace(self, rater_weights=rater_weights)

    def tables(self) -> Floats:
        """(…, pairs, categories of the first, categories of the second): numbers of units."""
        size = self.n_categories
        cells = len(self.pairs) * size * size
        return self._sums(self.cell, cells).reshape(*self.weights.shape[:-1], len(self.pairs), size, size)

    @cached_property
    def n_units(self) -> Floats:
        """(…, pairs): units that both raters judged."""
        return self._sums(self.which, len(self.pairs))

    def margins(self) -> tuple[Floats, Floats]:
        """(…, pairs, categories): how often the first and the second rater gave each category to common units."""
        size = self.n_categories
        places = [self.which * size + codes for codes in (self.first, self.second)]
        shape = (*self.weights.shape[:-1], len(self.pairs), size)
        first, second = (self._sums(place, len(self.pairs) * size).reshape(shape) for place in places)
        return first, second

    def closeness_sums(self, closeness: Floats | None) -> Floats:
        """(…, pairs): the sum over common units of how close the two raters are; None means identity."""
        close = (self.first == self.second) if closeness is None else closeness[self.first, self.second]
        size = len(self.pairs)
        return sums_at(self.weights, self.pattern, self.which, close.astype(np.float64), size)

    def _sums(self, place: NDArray[np.int64], size: int) -> Floats:
        """(…, size): the weights of the entries that belong to each place."""
        return sums_at(self.weights, self.pattern, place, np.ones(len(place)), size)

    @cached_property
    def is_paired(self) -> NDArray[np.bool_]:
        """Which patterns have judgements by two raters that were drawn."""
        return add_up(self.pattern, self.pair_weights[self.which], self.weights.shape[-1]) > 0

    def rater_totals(self, *, only_paired: bool) -> Floats:
        """(…, raters, categories): how often each rater gave each category, of all units or of those with a pair."""
        size, seen = self.n_categories, self.patterns
        place = seen.rater * size + seen.code
        cells = len(self.raters) * size
        weights = self.weights * self.is_paired if only_paired else self.weights
        amounts = np.ones(len(place)) if self.amounts is None else self.amounts
        flat = sums_at(weights, seen.pattern, place, amounts, cells)
        return flat.reshape(*self.weights.shape[:-1], len(self.raters), size)

    def agreement(self, closeness: Floats | None) -> Floats:
        """The mean over units of the mean closeness of their rater pairs; NaN without a pair."""
        close = (self.first == self.second) if closeness is None else closeness[self.first, self.second]
        drawn, n_patterns = self.pair_weights[self.which], self.weights.shape[-1]
        n_pairs = add_up(self.pattern, drawn, n_patterns)
        total = add_up(self.pattern, drawn * close, n_patterns)
        paired = n_pairs > 0
        per_pattern = np.divide(total, n_pairs, out=np.zeros_like(total), where=paired)
        return ratio(self.weights @ per_pattern, self.weights @ paired.astype(np.float64))

    @property
    def has_differences(self) -> bool:
        """Whether two judgements of any unit differ."""
        return bool((self.weights[self.pattern] * (self.first != self.second) > 0).any())


def pair_view(patterns: Patterns, raters: tuple[str, ...], positions: Floats) -> Pairs:
    """Every two raters who have a unit in common."""
    left, right = _entry_pairs(patterns.pattern, len(patterns.weights))
    ordered = patterns.rater[left] < patterns.rater[right]
    left, right = left[ordered], right[ordered]
    used, which = np.unique(patterns.rater[left] * len(raters) + patterns.rater[right], return_inverse=True)
    return Pairs(
        patterns=patterns,
        raters=raters,
        positions=positions,
        weights=patterns.weights,
        rater_weights=np.ones(len(raters)),
        pairs=np.stack([used // max(len(raters), 1), used % max(len(raters), 1)], axis=1),
        which=which.reshape(-1),
        pattern=patterns.pattern[left],
        first=patterns.code[left],
        second=patterns.code[right],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel(Weighted):
    """Units that every rater judged: `scores[p, r]` is the value that rater r gave in pattern p."""

    scores: Floats
    raters: tuple[str, ...]


def panel_view(patterns: Patterns, raters: tuple[str, ...], positions: Floats) -> Panel:
    """Only the patterns with a value by every rater who judged anything, as a matrix."""
    present = np.flatnonzero(np.bincount(patterns.rater))
    complete = patterns.sizes == len(present)
    code = patterns.code[complete[patterns.pattern]]
    scores = code if code.dtype.kind == "f" else positions[code]
    names = tuple(raters[rater] for rater in present)
    matrix, place = scores.reshape(-1, max(len(names), 1)), np.where(complete, np.cumsum(complete) - 1, -1)
    return Panel(scores=matrix, raters=names, weights=patterns.weights[complete], place=place)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores(Weighted):
    """Units with two judgements or more: in `pattern[e]` the rater `rater[e]` gave the number `points[e]`.

    `panel` holds those of them that every rater judged. With a `crossing` each of the raters is one with a question.
    """

    pattern: NDArray[np.int64]
    rater: NDArray[np.int64]
    points: Floats
    raters: tuple[str, ...]
    complete: NDArray[np.bool_]
    crossing: Crossing | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every rater judged every unit."""
        return bool(self.complete.all())

    @property
    def panel(self) -> "Panel":
        """The units that every rater judged."""
        scores = self.points[self.complete[self.pattern]].reshape(-1, max(len(self.raters), 1))
        return Panel(scores=scores, raters=self.raters, weights=self.weights[..., self.complete])


def score_view(patterns: Patterns, raters: tuple[str, ...], positions: Floats) -> Scores:
    """The patterns of two judgements or more, values as numbers, raters without any judgement left out."""
    present = np.flatnonzero(np.bincount(patterns.rater))
    number = np.zeros(len(raters), dtype=np.int64)
    number[present] = np.arange(len(present))
    paired = patterns.sizes > 1
    kept, place = paired[patterns.pattern], np.where(paired, np.cumsum(paired) - 1, -1)
    code = patterns.code[kept]
    return Scores(
        pattern=place[patterns.pattern[kept]],
        rater=number[patterns.rater[kept]],
        points=code if code.dtype.kind == "f" else positions[code],
        raters=tuple(raters[rater] for rater in present),
        complete=patterns.sizes[paired] == len(present),
        weights=patterns.weights[paired],
        place=place,
    )
