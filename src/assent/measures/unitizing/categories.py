"""Gamma-cat and Gamma-k: do raters agree on the categories of the units that they aligned?

Over the pairs of the best alignment, with d_pos and d_cat as in Gamma and n_v the number of units in a pair's unitary
alignment,

    disorder = sum of w d_cat / sum of w,      w = max(0, 1 - alpha d_pos) / (n_v - 1)

and the coefficient is 1 - observed / expected disorder, where the expected one is the mean over the same chance
samples as Gamma's. Gamma-k counts only pairs with a unit of category k. Mathet (2017). Pairs with an empty place do
not count; the `pygamma` convention charges them De.
"""

import numpy as np

from assent.arrays import Floats, Ints
from assent.measures.unitizing.alignment import Alignment
from assent.measures.unitizing.dissimilarity import Dissimilarity


def category_disorders(
    alignment: Alignment, dissimilarity: Dissimilarity, n_categories: int, *, charge_unaligned: bool
) -> Floats:
    """The categorical disorder of every block (rows): column 0 over all categories, column k + 1 for category k.

    NaN where there is no pair to judge by; no NaN leaves this package.
    """
    units = alignment.units
    u, v, row = alignment.pairs()
    present = (alignment.members >= 0).sum(axis=1)
    near = np.maximum(0.0, 1 - dissimilarity.alpha * dissimilarity.positional(units, u, v))
    weight = near / (present[row] - 1)
    tally = _Tally(units.n_blocks, n_categories)
    tally.add(units.block[u], units.category[u], units.category[v], weight, dissimilarity.categorical(units, u, v))
    if charge_unaligned:
        _charge(tally, alignment, dissimilarity.delta_empty)
    return tally.ratio(lonely_is_zero=charge_unaligned)


class _Tally:
    """Sums of weights and weighted disorders per block and category."""

    def __init__(self, n_blocks: int, n_categories: int) -> None:
        """Start with nothing."""
        self.shape = (n_blocks, n_categories + 1)
        self.weight, self.disorder = np.zeros(self.shape), np.zeros(self.shape)
        self.pairs, self.charged = np.zeros(self.shape), np.zeros(self.shape)

    def add(self, block: Ints, first: Ints, second: Ints, weight: Floats, d: Floats) -> None:
        """Count pairs once for all categories and once for each of the categories they have."""
        for column, which in self._columns(first, second):
            self.weight += self._sum(block[which], column[which], weight[which])
            self.disorder += self._sum(block[which], column[which], weight[which] * d[which])
            self.pairs += self._sum(block[which], column[which], np.ones(len(column))[which])

    def charge(self, block: Ints, category: Ints, times: Floats, empty: float) -> None:
        """Count pairs with an empty place: they weigh De and cost De."""
        for column in (np.zeros(len(category), dtype=np.int64), category + 1):
            self.weight += self._sum(block, column, times * empty)
            self.disorder += self._sum(block, column, times * empty * empty)
            self.charged += self._sum(block, column, times)

    def ratio(self, *, lonely_is_zero: bool) -> Floats:
        """Disorder over weight; NaN where nothing was weighed.

        The reference implementation gives 0 where only empty places were charged, and 1 where the category is absent.
        """
        weighed = self.weight > 0
        ratio = np.where(weighed, self.disorder / np.where(weighed, self.weight, 1.0), np.nan)
        if lonely_is_zero:
            absent = np.where(self.charged > 0, 0.0, 1.0)
            ratio = np.where(self.pairs == 0, absent, np.where(self.disorder == 0, 0.0, ratio))
        return ratio

    def _columns(self, first: Ints, second: Ints) -> list[tuple[Ints, slice | Ints]]:
        """Column numbers and the pairs they are for."""
        everything = slice(None)
        different = np.flatnonzero(first != second)
        return [(np.zeros(len(first), dtype=np.int64), everything), (first + 1, everything), (second + 1, different)]

    def _sum(self, block: Ints, column: Ints, weight: Floats) -> Floats:
        """The weights added up by block and column."""
        size = self.shape[0] * self.shape[1]
        total: Floats = np.bincount(block * self.shape[1] + column, weight, size).reshape(self.shape).astype(float)
        return total


def _charge(tally: _Tally, alignment: Alignment, empty: float) -> None:
    """Charge every unit once for each empty place beside it."""
    units = alignment.units
    rows = alignment.rows()
    row, rater = np.nonzero(rows >= 0)
    unit = rows[row, rater]
    vacant = (rows < 0).sum(axis=1)[row].astype(float)
    tally.charge(units.block[unit], units.category[unit], vacant, empty)
