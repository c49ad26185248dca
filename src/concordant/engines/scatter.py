"""The scatter of every rater pair: the distinct (first value, second value) with the number of units that got both.

Correlations look at nothing else. A scatter has at most as many points as units and, on a scale with K
categories, at most K² per pair. Pairs of units in opposite order are counted in a table of values × values where it is
small, and among the sorted points otherwise: 5 categories and a million different scores both take a moment.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.views import Pairs, sums_at

Places = NDArray[np.int64]
BLOCK_CELLS = 1 << 21  # resamples × points that are worked on at a time
MOST_CELLS = 400  # tables of values × values are made up to this size (20 categories) …
MOST_EMPTY = 4  # … unless that would take this many times as many cells as there are points


@dataclass(frozen=True, kw_only=True, eq=False)
class Ties:
    """Which points of a pair share a value: points put in `order` fall into runs that begin at `starts`."""

    order: Places
    starts: Places
    pair: Places  # of each run

    @cached_property
    def pair_starts(self) -> Places:
        """Where each pair's runs begin."""
        return np.nonzero(np.diff(self.pair, prepend=-1))[0]

    @cached_property
    def run(self) -> Places:
        """The run of each point, points in their own order."""
        run = np.empty(len(self.order), dtype=np.int64)
        run[self.order] = np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(self.order)))
        return run

    def totals(self, weights: Floats) -> Floats:
        """(…, runs): how many units share the value."""
        return np.add.reduceat(weights[..., self.order], self.starts, axis=-1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scatter:
    """Point e: `weights[…, e]` units got `first[e]` from one rater of pair `pair[e]` and `second[e]` from the other.

    Points are distinct and sorted by pair, first and second value; every pair has at least one.
    """

    pair: Places
    first: Floats
    second: Floats
    weights: Floats

    @cached_property
    def starts(self) -> Places:
        """Where each pair's points begin."""
        return np.nonzero(np.diff(self.pair, prepend=-1))[0]

    def sums(self, per_point: Floats) -> Floats:
        """(…, pairs): the sum of something known per point."""
        return np.add.reduceat(per_point, self.starts, axis=-1)

    @cached_property
    def n_units(self) -> Floats:
        """(…, pairs): units judged by both raters."""
        return self.sums(self.weights)

    @cached_property
    def ties(self) -> tuple[Ties, Ties]:
        """The points that share the first value, and those that share the second."""
        return _ties(self.pair, self.first), _ties(self.pair, self.second)

    @cached_property
    def table(self) -> Floats | None:
        """(first values, second values, pairs, …): the points as tables; None where these would be large or empty."""
        first, second = (ties.run - ties.pair_starts[self.pair] for ties in self.ties)
        shape = (int(first.max()) + 1, int(second.max()) + 1, len(self.starts))
        if shape[0] * shape[1] > MOST_CELLS or math.prod(shape) > MOST_EMPTY * len(self.pair):
            return None
        table = np.zeros((*shape, *self.weights.shape[:-1]))
        table[first, second, self.pair] = np.moveaxis(self.weights, -1, 0)
        return table

    def tied(self, rater: int, *, power: int) -> Floats:
        """(…, pairs): the sum over a rater's values of (units that got it) to a power; power 0 counts the values."""
        if self.table is not None:
            return np.moveaxis(_raised(self.table.sum(axis=1 - rater), power).sum(axis=0), 0, -1)
        ties = self.ties[rater]
        return np.add.reduceat(_raised(ties.totals(self.weights), power), ties.pair_starts, axis=-1)

    def midranks(self, ties: Ties) -> Floats:
        """(…, points): the mean rank of each point's value in its pair, from 1."""
        totals = ties.totals(self.weights)
        below = np.cumsum(totals, axis=-1) - totals
        rank = below - below[..., ties.pair_starts][..., ties.pair] + (totals + 1) / 2
        return rank[..., ties.run]

    def varies(self, values: Floats) -> NDArray[np.bool_]:
        """(…, pairs): whether the points with units have at least two different values."""
        low = np.minimum.reduceat(np.where(self.weights > 0, values, np.inf), self.starts, axis=-1)
        high = np.maximum.reduceat(np.where(self.weights > 0, values, -np.inf), self.starts, axis=-1)
        return np.asarray(low < high)

    @cached_property
    def discordant(self) -> Floats:
        """(…, pairs): pairs of units that the two raters put in opposite order."""
        if self.table is not None:
            return discordant_in_table(self.table)
        return self._discordant_among_points()

    def _discordant_among_points(self) -> Floats:
        """The count for many different values, in n log n.

        Points are in order of the first value; the ranks of the second values are compared bit by bit from the
        highest, points with equal higher bits staying together (a wavelet matrix, Claude & Navarro 2012). Two points
        are discordant if, at the highest bit where they differ, the earlier has 1 and the later 0. Points tied on
        the first value are in order of the second, so they never count.
        """
        second = self.ties[1]
        rank = second.run - second.pair_starts[self.pair]
        found = np.zeros(self.weights.shape)
        point, group = np.arange(len(rank)), self.starts[self.pair]
        for bit in range(int(rank.max()).bit_length() - 1, -1, -1):
            is_one = (rank[point] >> bit) & 1 == 1
            zeros, ones = np.nonzero(~is_one)[0], np.nonzero(is_one)[0]
            weights = self.weights[..., point]
            ones_only = weights * is_one
            before = np.cumsum(ones_only, axis=-1) - ones_only
            found[..., point[zeros]] += weights[..., zeros] * (before[..., zeros] - before[..., group[zeros]])
            group = _split(group, zeros, ones)
            point = np.concatenate([point[zeros], point[ones]])
        return self.sums(found)


def _raised(totals: Floats, power: int) -> Floats:
    """Totals to a power, where 0 to the power 0 is 0."""
    return totals**power if power else (totals > 0).astype(np.float64)


def discordant_in_table(table: Floats) -> Floats:
    """(…, pairs): every cell of the tables times the cells with a higher first and a lower second value."""
    higher, found = np.zeros(table.shape[1:]), np.zeros(table.shape[2:])
    for row in table[::-1]:
        lower = np.zeros(found.shape)
        for cell, above in zip(row, higher, strict=True):
            found += cell * lower
            lower += above
        higher += row
    return np.moveaxis(found, 0, -1)


def _split(group: Places, zeros: Places, ones: Places) -> Places:
    """Where groups begin when all 0s are put before all 1s: a group's 0s and its 1s become two groups."""
    is_zero = np.zeros(len(group), dtype=np.int64)
    is_zero[zeros] = 1
    zeros_before = np.cumsum(is_zero) - is_zero
    of_zeros, of_ones = group[zeros], group[ones]
    return np.concatenate([zeros_before[of_zeros], len(zeros) + of_ones - zeros_before[of_ones]])


def _ties(pair: Places, value: Floats) -> Ties:
    """Runs of equal values within pairs."""
    order = np.lexsort((value, pair))
    starts = np.nonzero(_changes(pair[order]) | _changes(value[order]))[0]
    return Ties(order=order, starts=starts, pair=pair[order][starts])


def _changes(values: NDArray[np.float64] | Places) -> NDArray[np.bool_]:
    """Where a value differs from the one before; the first always does."""
    return np.concatenate([np.ones(min(len(values), 1), dtype=bool), values[1:] != values[:-1]])


def scatter(data: Pairs) -> Scatter:
    """The distinct points of all pairs."""
    first, second = data.scores()
    order = np.lexsort((second, first, data.which))
    pair, first, second, pattern = data.which[order], first[order], second[order], data.pattern[order]
    is_new = _changes(pair) | _changes(first) | _changes(second)
    weights = data.weights[..., pattern]
    if not is_new.all():
        weights = sums_at(data.weights, pattern, np.cumsum(is_new) - 1, np.ones(len(pattern)), int(is_new.sum()))
    return Scatter(pair=pair[is_new], first=first[is_new], second=second[is_new], weights=weights)


def per_pair(data: Pairs, statistic: Callable[[Scatter], Floats]) -> Floats:
    """(…, pairs, …): statistics of each pair's scatter, worked out for a block of resamples at a time."""
    flat = data.weights.reshape(-1, data.weights.shape[-1])
    step = max(BLOCK_CELLS // max(len(data.which), 1), 1)
    blocks = [statistic(scatter(replace(data, weights=flat[i : i + step]))) for i in range(0, len(flat), step)]
    found = np.concatenate(blocks)
    return found.reshape(*data.weights.shape[:-1], *found.shape[1:])


@dataclass(frozen=True, kw_only=True)
class Concordance:
    """Pairs of units by how two raters ordered them; arrays end with the axis of rater pairs."""

    concordant: Floats
    discordant: Floats
    tied_first: Floats
    tied_second: Floats
    tied_both: Floats

    @property
    def surplus(self) -> Floats:
        """C - D."""
        return self.concordant - self.discordant

    @property
    def ordered_by_first(self) -> Floats:
        """C + D + T_y: pairs that the first rater did not tie."""
        return self.concordant + self.discordant + self.tied_second

    @property
    def ordered_by_second(self) -> Floats:
        """C + D + T_x: pairs that the second rater did not tie."""
        return self.concordant + self.discordant + self.tied_first


def concordance(points: Scatter) -> Concordance:
    """C, D and ties: discordant pairs are counted, the rest follows from how often each value was given."""
    n, discordant = points.n_units, points.discordant
    first, second = (points.tied(rater, power=2) for rater in (0, 1))
    both = points.sums(points.weights**2)
    return Concordance(
        concordant=(n**2 - first - second + both) / 2 - discordant,
        discordant=discordant,
        tied_first=(first - both) / 2,
        tied_second=(second - both) / 2,
        tied_both=(both - n) / 2,
    )
