"""Where cliques come from: all of them in memory, or found as they are needed where spans are stacked too deeply.

All in memory: raters who agree settle most of a text at once. A quick packing takes, again and again, every clique that
is worth more per unit than all cliques it competes with; each unit of it gets an equal part of the gain as its price, a
unit left alone the price 0. Where no clique is worth more than the prices of its units, linear duality says that this
packing is the best there is, and the program is told nothing of these *settled* units. The others are *open*. When the
program's prices let a clique between open and settled units pay after all, its units are opened too.

As they are needed: the reduced gain of a set S under the units' prices y is

    sum over u in S of (c2 De - y_u)  -  c2 De  +  sum of (De - d) over the pairs of S.

Sets grow rater by rater as in `cliques`, but a set goes on only if an optimistic bound on what later raters can add
still lifts it over the threshold: each later rater adds at most its best unit for the least favourable member, and De
for every other pair. With good prices hardly any set survives.
"""

import sys
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple, cast

import numpy as np

from concordant.arrays import Floats, Ints
from concordant.measures.unitizing.cliques import Cliques, Space, best_of_each_unit, quick_packing, rank, reduced
from concordant.measures.unitizing.relaxation import TOLERANCE, Relaxation
from concordant.measures.unitizing.units import expand

PIECE = 1_000_000  # how many sets are grown at once, about
MOST_PARTIAL = 1_000_000  # a search that meets more partial sets starts again with a higher threshold
NEAREST = 2  # how many nearest neighbours of each unit the first cliques are made of
BEAM = 50  # how many partial sets of each first unit a quick search goes on with
PER_UNIT = 3  # how many new cliques of each unit are taken at once
MOST_OPEN = 0.5  # with a larger share of open units than this the whole text is opened at once


class Partial(NamedTuple):
    """Growing sets over the same raters: members, score so far, and the most that a unit of each rater can add."""

    members: Ints
    score: Floats
    bound: Floats


class Priced:
    """The cliques of a space, searched by price. A pool of nearby cliques is kept to answer most questions at once."""

    def __init__(self, space: Space) -> None:
        """Make the pool from every unit's nearest neighbours."""
        self._space = space
        nearest = {  # pairs in which one unit is among the nearest of the other
            pair: near.where((rank(near.u, near.d) < NEAREST) | (rank(near.v, near.d) < NEAREST))
            for pair, near in space.near.items()
        }
        self._pool = Search(replace(space, near=nearest), np.zeros(len(space.units))).all_above(TOLERANCE)
        self._given = np.zeros(len(self._pool), dtype=bool)

    def start(self) -> Cliques:
        """The pool's four best cliques of every unit."""
        chosen = best_of_each_unit(self._pool, self._pool.per_unit, 4)
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
        return Search(self._space, prices).all_above(-slack)

    def complete(self, relaxation: Relaxation) -> Relaxation:
        """The solution as it is: every unit is in the program."""
        return relaxation

    def _search(self, prices: Floats) -> Cliques:
        """Search the most promising sets, and only when they hold nothing, everywhere.

        A search everywhere that meets too many partial sets starts again with a higher threshold, and may then meet
        twice as many; one that finds nothing starts again with the lowest.
        """
        search = Search(self._space, prices)
        found = search.up_to(sys.maxsize, TOLERANCE, BEAM)
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

    def __init__(self, space: Space, prices: Floats) -> None:
        """Prepare what every unit is worth and the best that each rater can add to it."""
        self._space, self._empty = space, space.dissimilarity.delta_empty
        self._worth = space.n_pairs * self._empty - prices
        self._best = np.full((len(space.units), space.units.n_raters), -np.inf)
        for (_, b), near in space.near.items():
            np.maximum.at(self._best[:, b], near.u, self._worth[near.v] + self._empty - near.d)

    def all_above(self, threshold: float) -> Cliques:
        """All sets whose reduced gain is above the threshold, however many there are."""
        return cast(Cliques, self.up_to(sys.maxsize, threshold))

    def up_to(self, at_most: int, threshold: float, beam: int | None = None) -> Cliques | None:
        """All sets whose reduced gain is above the threshold; None when more than `at_most` partial sets were met.

        With a `beam` only that many partial sets of every first unit go on, those with the best bounds.
        """
        n, starts = self._space.units.n_raters, self._space.units.starts
        target, known = self._space.n_pairs * self._empty + threshold, (self._worth, self._best)
        grown: dict[tuple[int, ...], Partial] = {
            (a,): Partial(np.arange(*starts[a : a + 2])[:, None], *(x[starts[a] : starts[a + 1]] for x in known))
            for a in range(n)
        }
        found, met = [Cliques.none(n)], 0
        for size in range(2, n + 1):
            for raters in combinations(range(n), size):
                partial = self._grow(grown[raters[:-1]], raters, target)
                met += len(partial.members)
                if met > at_most:
                    return None
                found.append(self._finish(partial, raters, target))
                if beam is not None:
                    optimistic = partial.score + self._future(partial.bound, raters)
                    kept = np.flatnonzero(rank(partial.members[:, 0], -optimistic) < beam)
                    partial = Partial(partial.members[kept], partial.score[kept], partial.bound[kept])
                grown[raters] = partial
        return found[0].join(*found[1:])

    def _grow(self, base: Partial, raters: tuple[int, ...], target: float) -> Partial:
        """Add a unit of the last rater to every set, in pieces: memory stays small, and Ctrl-C acts between two."""
        rows, first = self._space.rows[raters[0], raters[-1]], base.members[:, 0]
        ends = np.cumsum(rows[first + 1] - rows[first])
        if len(ends) == 0 or ends[-1] <= PIECE:
            return self._grow_piece(base, raters, target)
        cuts = np.unique(np.searchsorted(ends, np.arange(PIECE, ends[-1], PIECE)))
        pieces = [
            self._grow_piece(Partial(*piece), raters, target)
            for piece in zip(*(np.split(part, cuts) for part in base), strict=True)
        ]
        return Partial(*map(np.concatenate, zip(*pieces, strict=True)))

    def _grow_piece(self, base: Partial, raters: tuple[int, ...], target: float) -> Partial:
        """Add a unit of the last rater to every set and keep what can still pass the target."""
        key, size, first = (raters[0], raters[-1]), len(raters), base.members[:, 0]
        near, rows = self._space.near[key], self._space.rows[key]
        row, at = expand(rows[first], rows[first + 1])
        unit = near.v[at]
        score = base.score[row] + self._worth[unit] + self._empty - near.d[at]
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

    def _future(self, bound: Floats, raters: tuple[int, ...]) -> Floats:
        """The most that units of later raters can add to sets over these raters."""
        later = self._space.units.n_raters - 1 - raters[-1]
        each = np.maximum(bound[:, raters[-1] + 1 :] + (len(raters) - 1) * self._empty, 0.0)
        return np.asarray(each.sum(axis=1) + later * (later - 1) / 2 * self._empty)

    def _finish(self, partial: Partial, raters: tuple[int, ...], target: float) -> Cliques:
        """The sets over the target, with a column for every rater and their true gains."""
        good, whole = np.flatnonzero(partial.score > target), self._space.n_pairs * self._empty
        members = partial.members[good]
        gain = partial.score[good] + (whole - self._worth)[members].sum(axis=1) - whole
        return Cliques.over(raters, self._space.units.n_raters, members, gain)


class Enumerated:
    """Every useful clique of the units; remembers which ones it has handed out, so that none comes twice."""

    def __init__(self, cliques: Cliques, n_units: int, *, settle: bool = True) -> None:
        """Hold all cliques of `n_units` units and settle what can be settled, unless there is little hope of it."""
        self.cliques, self.n_units = cliques, n_units
        self._per_unit, self._given = cliques.per_unit, np.zeros(len(cliques), dtype=bool)
        self._open = np.ones(n_units + 1, dtype=bool)  # the last stands for the empty places of a clique
        self._prices = np.zeros(n_units)
        self._packed: Ints = np.zeros(0, dtype=np.int64)
        if settle:
            self._settle()

    def start(self) -> Cliques:
        """The cliques of open units, or some of them."""
        return self._give(self._few(np.flatnonzero(self._open[self.cliques.members].all(axis=1))))

    def better(self, prices: Floats) -> Cliques:
        """Cliques with a positive reduced gain: the two best of every unit when there are many."""
        if self._given.all():
            return self._give(np.zeros(0, dtype=np.int64))
        gain = reduced(self.cliques, self._all_prices(prices))
        chosen = np.flatnonzero((gain > TOLERANCE) & ~self._given)
        if len(chosen) > 500:
            chosen = chosen[best_of_each_unit(self.cliques.take(chosen), gain[chosen], 2)]
        return self._give(np.union1d(chosen, self._reopen(chosen)))

    def above(self, prices: Floats, slack: float) -> Cliques:
        """All cliques whose reduced gain is above -slack."""
        return self.cliques.take(reduced(self.cliques, prices) > -slack)

    def complete(self, relaxation: Relaxation) -> Relaxation:
        """The program's solution with the settled part of the text."""
        packed = self._packed[~self._open[self.cliques.members[self._packed].max(axis=1)]]
        return Relaxation(
            relaxation.cliques.join(self.cliques.take(packed)),
            np.concatenate([relaxation.share, np.ones(len(packed))]),
            self._all_prices(relaxation.prices),
        )

    def _settle(self) -> None:
        """Pack quickly and open what is disputed; all of the text when that is most of it."""
        self._packed = quick_packing(self.cliques, self._per_unit, self.n_units)
        prices, packed = np.zeros(self.n_units + 1), self._packed
        prices[self.cliques.members[packed]] = self._per_unit[packed, None]  # equal parts
        self._prices = prices[:-1]
        self._open[:-1] = False
        self._reopen(np.flatnonzero(reduced(self.cliques, self._prices) > TOLERANCE))
        if self._open.mean() > MOST_OPEN:
            self._open[:] = True

    def _all_prices(self, prices: Floats) -> Floats:
        """The program's prices of open units, and those of settled ones."""
        return np.where(self._open[:-1], prices, self._prices)

    def _reopen(self, disputed: Ints) -> Ints:
        """Open the units of these cliques, and the packed cliques they break up; which cliques are open only now."""
        members, before = self.cliques.members, self._open.copy()
        self._open[members[disputed]] = True
        packed = members[self._packed]
        self._open[packed[(self._open[packed] & (packed >= 0)).any(axis=1)]] = True
        fresh = self._open & ~before
        if not fresh.any():
            return np.zeros(0, dtype=np.int64)
        return self._few(np.flatnonzero(self._open[members].all(axis=1) & fresh[members].any(axis=1)))

    def _few(self, chosen: Ints) -> Ints:
        """All of these cliques when they are few, else the eight with the largest gain per unit of every unit."""
        if len(chosen) <= 8 * self.n_units:
            return chosen
        return chosen[best_of_each_unit(self.cliques.take(chosen), self._per_unit[chosen], 8)]

    def _give(self, chosen: Ints) -> Cliques:
        """Hand out these cliques."""
        self._given[chosen] = True
        return self.cliques.take(chosen)
