"""What measures look at. Three views of the patterns, each linear in the patterns' weights.

Weights may have leading axes: a bootstrap or jackknife is one call with weights of shape (resamples,
patterns), and every formula written on the last axes works for one sample and for thousands.

    Counts  how many raters gave a unit each category; who they were is forgotten
    Pairs   for every two raters, the contingency table of the units that both judged
    Panel   the units that every rater judged, one column per rater
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.engines.patterns import Patterns

TABLE_CELLS = 1 << 20  # up to this size rows of weights are multiplied with a table patterns × places
DENSE_CELLS = 1 << 22  # a patterns × categories matrix is built up to this size, beyond it sums run over entries


@dataclass(frozen=True, kw_only=True, eq=False)
class Counts:
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
    weights: Floats

    @property
    def n_patterns(self) -> int:
        """How many patterns, the units that have them not counted."""
        return int(self.weights.shape[-1])

    def reweighted(self, weights: Floats) -> Self:
        """The same patterns with other multiplicities."""
        return replace(self, weights=weights)

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


def ratio(above: Floats, below: Floats) -> Floats:
    """above / below, NaN (undefined) where below is not above 0."""
    shape = np.broadcast_shapes(np.shape(above), np.shape(below))
    is_defined = np.broadcast_to(np.greater(below, 0), shape)
    return np.asarray(np.divide(above, below, out=np.full(shape, np.nan), where=is_defined))


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
    weight = np.ones(len(patterns.rater)) if rater_weights is None else rater_weights[patterns.rater]
    if patterns.code.dtype.kind == "f":
        codes = np.arange(len(patterns.code))
        return Counts(
            pattern=patterns.pattern,
            code=codes,
            n=weight,
            own=weight**2,
            positions=patterns.code,
            n_categories=len(codes),
            weights=patterns.weights,
        )
    counts = _count_categories(patterns, positions, weight)
    return counts if rater_weights is not None else _merge_equal(counts)


def _count_categories(patterns: Patterns, positions: Floats, weight: Floats) -> Counts:
    """How often each category stands in each pattern."""
    size = max(len(positions), 1)
    key, inverse = np.unique(patterns.pattern * size + patterns.code, return_inverse=True)
    return Counts(
        pattern=key // size,
        code=key % size,
        n=add_up(inverse, weight, len(key)),
        own=add_up(inverse, weight**2, len(key)),
        positions=positions,
        n_categories=len(positions),
        weights=patterns.weights,
    )


def _merge_equal(counts: Counts) -> Counts:
    """One pattern for all that have the same counts."""
    if counts._dense is None or counts.n_patterns < 2:
        return counts
    matrix = counts._dense.astype(np.int32)
    _, first, inverse = np.unique(matrix, axis=0, return_index=True, return_inverse=True)
    weights = add_up(inverse.reshape(-1), counts.weights, len(first))
    pattern, code = np.nonzero(matrix[first])
    n = matrix[first][pattern, code].astype(np.float64)
    return replace(counts, pattern=pattern, code=code, n=n, own=n, weights=weights)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """Patterns with the raters in them, and what every two raters with a common unit gave.

    `pairs` holds the two raters' places in `raters`. Entry e: in `pattern[e]` the raters of pair `which[e]` gave
    `first[e]` and `second[e]` (category codes, or numbers on a continuous scale). `rater_weights` counts how
    often a rater was drawn when raters are resampled.
    """

    patterns: Patterns
    raters: tuple[str, ...]
    positions: Floats
    weights: Floats
    rater_weights: Floats
    pairs: NDArray[np.int64]
    which: NDArray[np.int64]
    pattern: NDArray[np.int64]
    first: NDArray[Any]
    second: NDArray[Any]

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

    def mean(self, each: Floats, n_units: Floats) -> Floats:
        """The mean over the pairs with common units; NaN if one of them has no value, or if there are none."""
        weights = np.where(n_units > 0, self.pair_weights, 0.0)
        return ratio((weights * np.where(weights > 0, each, 0.0)).sum(axis=-1), weights.sum(axis=-1))

    def reweighted(self, weights: Floats) -> Self:
        """The same patterns with other multiplicities."""
        return replace(self, weights=weights)

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

    def rater_totals(self) -> Floats:
        """(…, raters, categories): how often each rater gave each category."""
        size, seen = self.n_categories, self.patterns
        place = seen.rater * size + seen.code
        cells = len(self.raters) * size
        flat = sums_at(self.weights, seen.pattern, place, np.ones(len(place)), cells)
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
class Panel:
    """Units that every rater judged: `scores[p, r]` is the value that rater r gave in pattern p."""

    scores: Floats
    raters: tuple[str, ...]
    weights: Floats

    def reweighted(self, weights: Floats) -> Self:
        """The same patterns with other multiplicities."""
        return replace(self, weights=weights)


def panel_view(patterns: Patterns, raters: tuple[str, ...], positions: Floats) -> Panel:
    """Only the patterns with a value by every rater who judged anything, as a matrix."""
    present = np.flatnonzero(np.bincount(patterns.rater))
    complete = patterns.sizes == len(present)
    code = patterns.code[complete[patterns.pattern]]
    scores = code if code.dtype.kind == "f" else positions[code]
    names = tuple(raters[rater] for rater in present)
    return Panel(scores=scores.reshape(-1, max(len(names), 1)), raters=names, weights=patterns.weights[complete])
