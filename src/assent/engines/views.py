"""What measures look at. Three views of the patterns, each linear in the patterns' weights.

Weights may have leading axes: a bootstrap or jackknife is one call with weights of shape (resamples,
patterns), and every formula written on the last axes works for one sample and for thousands.

    Counts  how many raters gave a unit each category; who they were is forgotten
    Pairs   for every two raters, the contingency table of the units that both judged
    Panel   the units that every rater judged, one column per rater
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assent.engines.patterns import Patterns

Floats = NDArray[np.float64]
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
        return np.bincount(self.pattern, weights=self.n, minlength=self.n_patterns)

    @cached_property
    def pairs(self) -> Floats:
        """Ordered pairs of judgements by different raters in each pattern; m(m-1) for ordinary data."""
        own = np.bincount(self.pattern, weights=self.own, minlength=self.n_patterns)
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
            return weights @ self._dense
        return _over_rows(
            weights, lambda w: np.bincount(self.code, weights=self.n * w[self.pattern], minlength=self.n_categories)
        )

    def sums(self, points: Floats) -> Floats:
        """For each pattern the sum of its judgements' points; `points` may have leading axes."""
        if self._dense is not None:
            return points @ self._dense.T
        return _over_rows(
            points, lambda x: np.bincount(self.pattern, weights=self.n * x[self.code], minlength=self.n_patterns)
        )

    def mean(self, per_pattern: Floats, *, only_paired: bool) -> Floats:
        """The mean over units of something known per pattern; NaN without units."""
        weights = self.weights * self.is_paired if only_paired else self.weights
        total = weights.sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((weights * per_pattern).sum(axis=-1) / total)

    def agreeing(self, closeness: Floats | None) -> Floats:
        """For each pattern the sum over ordered pairs of judgements of how close they are (1 = the same).

        `closeness` is a categories × categories matrix; None means identity.
        """
        if closeness is None:
            return np.bincount(self.pattern, weights=self.n**2 - self.own, minlength=self.n_patterns)
        own = np.bincount(self.pattern, weights=self.own * np.diag(closeness)[self.code], minlength=self.n_patterns)
        if self._dense is not None:
            return np.einsum("pc,pc->p", self._dense @ closeness, self._dense) - own
        left, right = _entry_pairs(self.pattern, self.n_patterns)
        both = self.n[left] * self.n[right] * closeness[self.code[left], self.code[right]]
        return np.bincount(self.pattern[left], weights=both, minlength=self.n_patterns) - own


def _over_rows(array: Floats, function: Any) -> Floats:
    """Apply a function of one vector to each vector of an array with leading axes."""
    flat = array.reshape(-1, array.shape[-1])
    out = np.array([function(row) for row in flat])
    return out.reshape(*array.shape[:-1], -1)


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
    size = len(positions)
    key, inverse = np.unique(patterns.pattern * size + patterns.code, return_inverse=True)
    return Counts(
        pattern=key // size,
        code=key % size,
        n=np.bincount(inverse, weights=weight, minlength=len(key)),
        own=np.bincount(inverse, weights=weight**2, minlength=len(key)),
        positions=positions,
        n_categories=size,
        weights=patterns.weights,
    )


def _merge_equal(counts: Counts) -> Counts:
    """One pattern for all that have the same counts."""
    if counts._dense is None or counts.n_patterns < 2:
        return counts
    matrix = counts._dense.astype(np.int32)
    _, first, inverse = np.unique(matrix, axis=0, return_index=True, return_inverse=True)
    weights = np.bincount(inverse.reshape(-1), weights=counts.weights, minlength=len(first))
    pattern, code = np.nonzero(matrix[first])
    n = matrix[first][pattern, code].astype(np.float64)
    return replace(counts, pattern=pattern, code=code, n=n, own=n, weights=weights)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """Patterns with the raters in them, and the contingency tables of every two raters with a common unit.

    Entry e adds its pattern's weight to cell `cell[e]` of all tables; the cell of (pair i, first rater's
    category c, second's k) is (i·K + c)·K + k. `pairs` holds positions in `raters`; `rater_weights` counts
    how often a rater was drawn when raters are resampled.
    """

    patterns: Patterns
    raters: tuple[str, ...]
    positions: Floats
    weights: Floats
    rater_weights: Floats
    pairs: NDArray[np.int64]
    pattern: NDArray[np.int64]
    cell: NDArray[np.int64]

    @property
    def n_categories(self) -> int:
        """How many categories."""
        return len(self.positions)

    @property
    def pair_weights(self) -> Floats:
        """How much each pair counts in a mean over pairs: 1 unless raters were resampled."""
        return np.asarray(self.rater_weights[self.pairs].prod(axis=1))

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
        flat = _over_rows(self.weights, lambda w: np.bincount(self.cell, weights=w[self.pattern], minlength=cells))
        return flat.reshape(*self.weights.shape[:-1], len(self.pairs), size, size)

    def rater_totals(self) -> Floats:
        """(…, raters, categories): how often each rater gave each category."""
        size, seen = self.n_categories, self.patterns
        place = seen.rater * size + seen.code
        cells = len(self.raters) * size
        flat = _over_rows(self.weights, lambda w: np.bincount(place, weights=w[seen.pattern], minlength=cells))
        return flat.reshape(*self.weights.shape[:-1], len(self.raters), size)

    def agreement(self, closeness: Floats | None) -> Floats:
        """The mean over units of the mean closeness of their rater pairs; NaN without a pair."""
        size = self.n_categories
        both = closeness if closeness is not None else np.eye(size)
        drawn = self.pair_weights[self.cell // (size * size)]
        close = drawn * both.reshape(-1)[self.cell % (size * size)]
        n_pairs = np.bincount(self.pattern, weights=drawn, minlength=self.weights.shape[-1])
        total = np.bincount(self.pattern, weights=close, minlength=self.weights.shape[-1])
        paired = n_pairs > 0
        per_pattern = np.divide(total, n_pairs, out=np.zeros_like(total), where=paired)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.weights @ per_pattern / (self.weights @ paired.astype(np.float64)))


def pair_view(patterns: Patterns, raters: tuple[str, ...], positions: Floats) -> Pairs:
    """Tables for every two raters who have a unit in common."""
    left, right = _entry_pairs(patterns.pattern, len(patterns.weights))
    ordered = patterns.rater[left] < patterns.rater[right]
    left, right = left[ordered], right[ordered]
    size = len(positions)
    used, which = np.unique(patterns.rater[left] * len(raters) + patterns.rater[right], return_inverse=True)
    return Pairs(
        patterns=patterns,
        raters=raters,
        positions=positions,
        weights=patterns.weights,
        rater_weights=np.ones(len(raters)),
        pairs=np.stack([used // max(len(raters), 1), used % max(len(raters), 1)], axis=1),
        pattern=patterns.pattern[left],
        cell=(which * size + patterns.code[left]) * size + patterns.code[right],
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
    """Only the complete patterns, as a matrix."""
    complete = patterns.sizes == len(raters)
    keep = complete[patterns.pattern]
    code = patterns.code[keep]
    scores = code if code.dtype.kind == "f" else positions[code]
    return Panel(scores=scores.reshape(-1, len(raters)), raters=raters, weights=patterns.weights[complete])


@dataclass(frozen=True, kw_only=True, eq=False)
class Columns:
    """Two raters' scores of the units both judged: for many-valued data, where a table would be too large."""

    first: Floats
    second: Floats
    weights: Floats


def column_pairs(patterns: Patterns, n_raters: int) -> dict[tuple[int, int], Columns]:
    """The scores of every two raters with common units."""
    places = [np.nonzero(patterns.rater == rater)[0] for rater in range(n_raters)]
    found = {}
    for one, two in combinations(range(n_raters), 2):
        common, i, j = np.intersect1d(
            patterns.pattern[places[one]], patterns.pattern[places[two]], assume_unique=True, return_indices=True
        )
        if len(common):
            first, second = patterns.code[places[one][i]], patterns.code[places[two][j]]
            found[one, two] = Columns(first=first, second=second, weights=patterns.weights[common])
    return found
