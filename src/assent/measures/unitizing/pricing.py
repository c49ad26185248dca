"""Cliques found as they are needed: the source of columns when spans are stacked too deeply to list all cliques.

The reduced gain of a set S under the units' prices y is

    sum over u in S of (c2 De - y_u)  -  c2 De  +  sum of (De - d) over the pairs of S.

Sets grow rater by rater as in `cliques`, but a set goes on only if an optimistic bound on what later raters can add
still lifts it over the threshold: each later rater adds at most its best unit for the least favourable member, and De
for every other pair. With good prices hardly any set survives.
"""

import sys
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assent.arrays import Floats, Ints
from assent.measures.unitizing.cliques import Cliques, Space
from assent.measures.unitizing.neighbours import Pairs, expand
from assent.measures.unitizing.relaxation import TOLERANCE, Relaxation, best_of_each_unit, reduced

PIECE = 1_000_000
"""How many sets are grown at once, about."""
MOST_PARTIAL = 1_000_000
"""A search that meets more partial sets than this starts again with a higher threshold."""
NEAREST = 2
"""How many nearest neighbours of each unit the first cliques are made of."""
BEAM = 50
"""How many partial sets of each first unit a quick search goes on with."""
PER_UNIT = 3
"""How many new cliques of each unit are taken at once."""


@dataclass(frozen=True, eq=False)
class Partial:
    """Growing sets over the same raters: members, score so far, and the most that a unit of each rater can add."""

    members: Ints
    score: Floats
    bound: Floats


class Priced:
    """The cliques of a space, searched by price. A pool of nearby cliques is kept to answer most questions at once."""

    def __init__(self, space: Space) -> None:
        """Make the pool from every unit's nearest neighbours."""
        self._space = space
        nearest = {pair: _nearest(near, NEAREST) for pair, near in space.near.items()}
        self._pool = Search(space, nearest, np.zeros(len(space.units))).all_above(TOLERANCE)
        self._given = np.zeros(len(self._pool), dtype=bool)

    def start(self) -> Cliques:
        """The pool's four best cliques of every unit."""
        score = self._pool.gain / (self._pool.members >= 0).sum(axis=1)
        chosen = best_of_each_unit(self._pool, score, 4)
        self._given[chosen] = True
        return self._pool.take(chosen)

    def better(self, prices: Floats) -> Cliques:
        """Cliques with a positive reduced gain: from the pool while it has some, then from everywhere."""
        gain = reduced(self._pool, prices)
        chosen = np.flatnonzero((gain > TOLERANCE) & ~self._given)
        if len(chosen) > 0:
            if len(chosen) > 200:
                chosen = chosen[best_of_each_unit(self._pool.take(chosen), gain[chosen], PER_UNIT)]
            self._given[chosen] = True
            return self._pool.take(chosen)
        found = self._search(prices)
        return found if len(found) <= 200 else found.take(best_of_each_unit(found, reduced(found, prices), PER_UNIT))

    def above(self, prices: Floats, slack: float) -> Cliques:
        """All cliques whose reduced gain is above -slack."""
        return Search(self._space, self._space.near, prices).all_above(-slack)

    def complete(self, relaxation: Relaxation) -> Relaxation:
        """The solution as it is: every unit is in the program."""
        return relaxation

    def _search(self, prices: Floats) -> Cliques:
        """Search the most promising sets, and only when they hold nothing, everywhere.

        A search everywhere that meets too many partial sets starts again with a higher threshold, and may then meet
        twice as many; one that finds nothing starts again with the lowest.
        """
        search = Search(self._space, self._space.near, prices)
        found: Cliques | None = search.promising(TOLERANCE)
        threshold, most = TOLERANCE, MOST_PARTIAL
        while found is None or len(found) == 0:
            found = search.up_to(most, threshold)
            if found is None:
                threshold, most = max(2 * threshold, self._space.dissimilarity.delta_empty), 2 * most
            elif threshold == TOLERANCE:
                return found
            else:
                threshold = TOLERANCE
        return found


class Search:
    """One search for all sets whose reduced gain is above a threshold."""

    def __init__(self, space: Space, lists: dict[tuple[int, int], Pairs], prices: Floats) -> None:
        """Prepare what every unit is worth and the best that each rater can add to it."""
        self._space, self._lists = space, lists
        self._empty = space.dissimilarity.delta_empty
        self._worth = space.n_pairs * self._empty - prices
        numbers = np.arange(len(space.units) + 1)
        self._rows = {pair: np.searchsorted(near.u, numbers) for pair, near in lists.items()}
        self._best = np.full((len(space.units), space.units.n_raters), -np.inf)
        for (_, b), near in lists.items():
            np.maximum.at(self._best[:, b], near.u, self._worth[near.v] + self._empty - near.d)

    def all_above(self, threshold: float) -> Cliques:
        """All sets whose reduced gain is above the threshold, however many there are."""
        found = self.up_to(sys.maxsize, threshold)
        return Cliques.none(self._space.units.n_raters) if found is None else found

    def promising(self, threshold: float) -> Cliques:
        """Sets whose reduced gain is above the threshold, grown only from the most promising partial sets: not all."""
        found = self.up_to(sys.maxsize, threshold, BEAM)
        return Cliques.none(self._space.units.n_raters) if found is None else found

    def up_to(self, at_most: int, threshold: float, beam: int | None = None) -> Cliques | None:
        """All sets whose reduced gain is above the threshold; None when more than `at_most` partial sets were met.

        With a `beam` only that many partial sets of every first unit go on, those with the best bounds.
        """
        n, starts = self._space.units.n_raters, self._space.units.starts
        target = self._space.n_pairs * self._empty + threshold
        grown: dict[tuple[int, ...], Partial] = {
            (a,): self._singletons(np.arange(starts[a], starts[a + 1])) for a in range(n)
        }
        found, met = [Cliques.none(n)], 0
        for size in range(2, n + 1):
            for raters in combinations(range(n), size):
                partial = self._grow(grown[raters[:-1]], raters, target)
                met += len(partial.members)
                if met > at_most:
                    return None
                found.append(self._finish(partial, raters, target))
                grown[raters] = partial if beam is None else self._best_of_first_units(partial, raters, beam)
        return Cliques(np.concatenate([f.members for f in found]), np.concatenate([f.gain for f in found]))

    def _singletons(self, numbers: Ints) -> Partial:
        """Every unit of one rater by itself."""
        return Partial(numbers[:, None], self._worth[numbers], self._best[numbers])

    def _grow(self, base: Partial, raters: tuple[int, ...], target: float) -> Partial:
        """Add a unit of the last rater to every set, in pieces: memory stays small, and Ctrl-C acts between two."""
        rows, first = self._rows[raters[0], raters[-1]], base.members[:, 0]
        ends = np.cumsum(rows[first + 1] - rows[first])
        if len(ends) == 0 or ends[-1] <= PIECE:
            return self._grow_piece(base, raters, target)
        cuts = np.unique(np.searchsorted(ends, np.arange(PIECE, ends[-1], PIECE)))
        pieces = [
            self._grow_piece(Partial(*piece), raters, target)
            for piece in zip(*(np.split(part, cuts) for part in (base.members, base.score, base.bound)), strict=True)
        ]
        return Partial(
            np.concatenate([piece.members for piece in pieces]),
            np.concatenate([piece.score for piece in pieces]),
            np.concatenate([piece.bound for piece in pieces]),
        )

    def _grow_piece(self, base: Partial, raters: tuple[int, ...], target: float) -> Partial:
        """Add a unit of the last rater to every set and keep what can still pass the target."""
        key, size = (raters[0], raters[-1]), len(raters)
        first = base.members[:, 0]
        row, at = expand(self._rows[key][first], self._rows[key][first + 1])
        unit = self._lists[key].v[at]
        score = base.score[row] + self._worth[unit] + self._empty - self._lists[key].d[at]
        bound = np.minimum(base.bound[row], self._best[unit])
        more = self._future(bound, raters)
        for column in range(1, size - 1):
            stay = np.flatnonzero(score + (size - 1 - column) * self._empty + more > target)
            row, unit, score, bound, more = row[stay], unit[stay], score[stay], bound[stay], more[stay]
            d = self._space.dissimilarity.combined(self._space.units, base.members[row, column], unit)
            score = np.where(d < self._space.limit, score + self._empty - d, -np.inf)
        stay = np.flatnonzero(score + more > target)
        members = np.concatenate([base.members[row[stay]], unit[stay, None]], axis=1)
        return Partial(members, score[stay], bound[stay])

    def _best_of_first_units(self, partial: Partial, raters: tuple[int, ...], most: int) -> Partial:
        """The partial sets whose bounds are among the `most` best of their first unit."""
        rank = _rank(partial.members[:, 0], -(partial.score + self._future(partial.bound, raters)))
        kept = np.flatnonzero(rank < most)
        return Partial(partial.members[kept], partial.score[kept], partial.bound[kept])

    def _future(self, bound: Floats, raters: tuple[int, ...]) -> Floats:
        """The most that units of later raters can add to sets over these raters."""
        later = self._space.units.n_raters - 1 - raters[-1]
        each = np.maximum(bound[:, raters[-1] + 1 :] + (len(raters) - 1) * self._empty, 0.0)
        total: Floats = each.sum(axis=1) + later * (later - 1) / 2 * self._empty
        return total

    def _finish(self, partial: Partial, raters: tuple[int, ...], target: float) -> Cliques:
        """The sets over the target, with a column for every rater and their true gains."""
        good = np.flatnonzero(partial.score > target)
        members = np.full((len(good), self._space.units.n_raters), -1, dtype=np.int32)
        members[:, raters] = partial.members[good]
        whole = self._space.n_pairs * self._empty
        prices = (whole - self._worth)[partial.members[good]].sum(axis=1)
        return Cliques(members, partial.score[good] + prices - whole)


def _nearest(near: Pairs, most: int) -> Pairs:
    """Only pairs in which one unit is among the `most` nearest of the other."""
    close = np.flatnonzero(_rank(near.u, near.d) < most)
    also = np.flatnonzero(_rank(near.v, near.d) < most)
    chosen = np.union1d(close, also)
    return Pairs(near.u[chosen], near.v[chosen], near.d[chosen])


def _rank(unit: Ints, d: Floats) -> Ints:
    """The place of every pair among its unit's pairs, the nearest first."""
    order = np.lexsort((d, unit))
    ordered = unit[order]
    rank = np.empty(len(unit), dtype=np.int64)
    rank[order] = np.arange(len(unit)) - np.searchsorted(ordered, ordered, "left")
    return rank
