"""Which sets of units, at most one of each rater, can stand together in a best alignment.

With n raters and c2 = n(n-1)/2 pairs, a set S of k units costs its pairwise dissimilarities plus De for every pair with
an empty place; alone, its units would cost c2 De each. Aligning them therefore saves

    gain(S) = (k-1) c2 De + sum of (De - d) over the pairs of S                      (in units of 1/c2)

and the best alignment is the packing of disjoint sets with the largest total gain. S never helps if it splits into
two parts whose cross pairs cost c2 De or more above De each: the two parts alone are as good. So no pair in a useful
set has d of (c2 + n - 1) De or more, which makes the search local. Sets grow rater by rater; a set that is not useful
itself is kept only while units of later raters could still make it so.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats, Ints
from concordant.measures.unitizing.units import Dissimilarity, Pairs, Units, expand, neighbours

Members = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Cliques:
    """Sets of units: one row of `members` per set, one column per rater, -1 where the rater has none."""

    members: Members
    gain: Floats

    def __len__(self) -> int:
        """How many sets there are."""
        return len(self.gain)

    @property
    def per_unit(self) -> Floats:
        """The gain of each set in equal parts."""
        return np.asarray(self.gain / (self.members >= 0).sum(axis=1))

    def take(self, chosen: Ints | NDArray[np.bool_]) -> "Cliques":
        """Some of the sets."""
        return Cliques(self.members[chosen], self.gain[chosen])

    def join(self, *others: "Cliques") -> "Cliques":
        """These sets and others."""
        parts = (self, *others)
        return Cliques(np.concatenate([one.members for one in parts]), np.concatenate([one.gain for one in parts]))

    @classmethod
    def none(cls, n_raters: int) -> "Cliques":
        """No sets."""
        return cls(np.zeros((0, n_raters), np.int32), np.zeros(0))

    @classmethod
    def over(cls, raters: tuple[int, ...], n_raters: int, members: Ints, gain: Floats) -> "Cliques":
        """Sets over some of the raters: `members` has a column for each of these."""
        wide = np.full((len(members), n_raters), -1, dtype=np.int32)
        wide[:, raters] = members
        return cls(wide, gain)


@dataclass(frozen=True, eq=False)
class Space:
    """The units, how unlike they are, and every rater pair's neighbours."""

    units: Units
    dissimilarity: Dissimilarity
    near: dict[tuple[int, int], Pairs]

    @cached_property
    def rows(self) -> dict[tuple[int, int], Ints]:
        """Where each unit's neighbours begin: compressed rows."""
        numbers = np.arange(len(self.units) + 1)
        return {pair: np.searchsorted(near.u, numbers) for pair, near in self.near.items()}

    @property
    def n_pairs(self) -> int:
        """c2: how many pairs of raters there are."""
        return self.units.n_raters * (self.units.n_raters - 1) // 2

    @property
    def limit(self) -> float:
        """No pair inside a useful set is as dissimilar as this."""
        return (self.n_pairs + self.units.n_raters - 1) * self.dissimilarity.delta_empty


def space_of(units: Units, dissimilarity: Dissimilarity) -> Space:
    """Find the neighbours of all rater pairs."""
    space = Space(units, dissimilarity, {})
    for a, b in combinations(range(units.n_raters), 2):
        space.near[a, b] = neighbours(units, a, b, dissimilarity, space.limit)
    return space


class Growing(NamedTuple):
    """Sets over the same raters while they grow: members and excess d - De, one column per pair."""

    members: Ints
    excess: Floats


def all_cliques(space: Space, at_most: int) -> Cliques | None:
    """Every useful set of two units or more; None when more than `at_most` sets had to be looked at."""
    units = space.units
    grown: dict[tuple[int, ...], Growing] = {}
    for a in range(units.n_raters):
        numbers = np.arange(units.starts[a], units.starts[a + 1])
        grown[a,] = Growing(numbers[:, None], np.zeros((len(numbers), 0)))
    found, seen = [Cliques.none(units.n_raters)], 0
    for size in range(2, units.n_raters + 1):
        for raters in combinations(range(units.n_raters), size):
            joined = _join(space, grown[raters[:-1]], raters, 4 * at_most)
            seen += at_most + 1 if joined is None else len(joined.members)
            if joined is None or seen > at_most:
                return None
            useful, promising = _test(space, joined, raters)
            gain = (size - 1) * space.n_pairs * space.dissimilarity.delta_empty - joined.excess[useful].sum(axis=1)
            found.append(Cliques.over(raters, units.n_raters, joined.members[useful], gain))
            grown[raters] = Growing(joined.members[promising], joined.excess[promising])
    return found[0].join(*found[1:])


def _join(space: Space, grown: Growing, raters: tuple[int, ...], at_most: int) -> Growing | None:
    """Add a unit of the last rater to every set, as long as all pairs stay under the limit."""
    key = (raters[0], raters[-1])
    first = grown.members[:, 0]
    low, high = space.rows[key][first], space.rows[key][first + 1]
    if int((high - low).sum()) > at_most:
        return None
    row, at = expand(low, high)
    unit, d = space.near[key].v[at], [space.near[key].d[at]]
    for column in range(1, len(raters) - 1):
        further = space.dissimilarity.combined(space.units, grown.members[row, column], unit)
        stay = np.flatnonzero(further < space.limit)
        row, unit, d = row[stay], unit[stay], [part[stay] for part in d] + [further[stay]]
    members = np.concatenate([grown.members[row], unit[:, None]], axis=1)
    excess = np.stack(d, axis=1) - space.dissimilarity.delta_empty
    return Growing(members, np.concatenate([grown.excess[row], excess], axis=1))


def _splits(k: int) -> list[tuple[int, list[int]]]:
    """Every way to split k members in two: the smaller part's size and the columns of the cross pairs."""
    column = {pair: i for i, pair in enumerate((x, y) for y in range(1, k) for x in range(y))}
    splits = []
    for mask in range(1, 2 ** (k - 1)):
        inside = [i for i in range(k) if mask >> i & 1]
        outside = [i for i in range(k) if not mask >> i & 1]
        cross = [column[min(x, y), max(x, y)] for x in inside for y in outside]
        splits.append((min(len(inside), len(outside)), cross))
    return splits


def _test(space: Space, grown: Growing, raters: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Which sets are useful as they are, and which may become so with units of later raters."""
    empty = space.dissimilarity.delta_empty
    later = space.units.n_raters - 1 - raters[-1]
    useful = np.ones(len(grown.members), dtype=bool)
    promising = np.full(len(useful), later > 0)
    for smaller, cross in _splits(len(raters)):
        excess = grown.excess[:, cross].sum(axis=1)
        useful &= excess < space.n_pairs * empty
        promising &= excess < (space.n_pairs + later * smaller) * empty
    return np.flatnonzero(useful), np.flatnonzero(promising)


def quick_packing(cliques: Cliques, score: Floats, n_units: int) -> Ints:
    """The numbers of disjoint cliques: again and again all those that have the best score of each of their units."""
    left = np.argsort(-score, kind="stable")
    found = [left[:0]]
    while len(left):
        rows, own = cliques.members[left], np.arange(len(left))
        first = np.full(n_units + 1, len(left))
        np.minimum.at(first, rows.ravel(), np.repeat(own, rows.shape[1]))
        best = np.flatnonzero(((first[rows] == own[:, None]) | (rows < 0)).all(axis=1))
        found.append(left[best])
        free = np.ones(n_units + 1, dtype=bool)
        free[rows[best]] = False
        free[-1] = True
        left = left[free[rows].all(axis=1)]
    return np.concatenate(found)


class Draft:
    """Cliques with the shares they had in the last program, and the most that any packing gains."""

    def __init__(self, n_raters: int) -> None:
        """Nothing is known: all units alone, and no limit."""
        self._cliques, self._share = Cliques.none(n_raters), np.zeros(0)
        self.most = float("inf")

    def note(self, cliques: Cliques, share: Floats) -> None:
        """Take note of a packing, whole or in parts."""
        self._cliques, self._share = cliques, share

    def packing(self, n_units: int) -> Cliques:
        """A whole packing: cliques with the largest shares first, then those with the largest gain per unit."""
        if len(self._cliques) == 0:
            return self._cliques
        per_unit = self._cliques.per_unit
        score = 2 * float(per_unit.max()) * self._share + per_unit
        return self._cliques.take(quick_packing(self._cliques, score, n_units))


def flat(cliques: Cliques) -> tuple[Ints, Ints, Ints]:
    """The units of all cliques one after the other, the clique each belongs to, and where each clique starts."""
    present = cliques.members >= 0
    clique = np.repeat(np.arange(len(cliques)), present.sum(axis=1))
    return cliques.members[present], clique, np.searchsorted(clique, np.arange(len(cliques) + 1))


def reduced(cliques: Cliques, prices: Floats) -> Floats:
    """Gain minus the prices of the units used."""
    return np.asarray(cliques.gain - np.append(prices, 0.0)[cliques.members].sum(axis=1))


def best_of_each_unit(cliques: Cliques, score: Floats, most: int) -> Ints:
    """The numbers of those cliques that are among the `most` best of at least one of their units."""
    units, clique, _ = flat(cliques)
    return np.unique(clique[rank(units, -score[clique]) < most])


def rank(unit: Ints, d: Floats) -> Ints:
    """The place of every entry among those of its unit, the smallest `d` first."""
    order = np.lexsort((d, unit))
    ordered = unit[order]
    place = np.empty(len(unit), dtype=np.int64)
    place[order] = np.arange(len(unit)) - np.searchsorted(ordered, ordered, "left")
    return place
