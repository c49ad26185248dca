"""Which units of two raters are near enough to be aligned at all.

d below T means |begin - begin| + |end - end| < r (length + length) with r = sqrt(T / (alpha De)), or T / (alpha De) for
linear positions, so twice the mid-points differ by less than that. Units of one rater are grouped by length (powers of
two) and sorted by mid-point: the neighbours of a unit are a window in each group. The full product of two raters' units
is never made.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats, Ints
from assent.measures.unitizing.dissimilarity import Dissimilarity
from assent.measures.unitizing.units import Units


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
