"""All cliques in memory: the source of columns when there are not too many.

Raters who agree settle most of a text at once. A quick packing takes, again and again, every clique that is worth more
per unit than all cliques it competes with; each unit of it gets an equal part of the gain as its price, a unit left
alone the price 0. Where no clique is worth more than the prices of its units, linear duality says that this packing is
the best there is, and the program is told nothing of these *settled* units. The others are *open*. When the program's
prices let a clique between open and settled units pay after all, its units are opened too.
"""

import numpy as np

from assent.arrays import Floats, Ints
from assent.measures.unitizing.cliques import Cliques, quick_packing
from assent.measures.unitizing.relaxation import TOLERANCE, Relaxation, best_of_each_unit, reduced

MOST_OPEN = 0.5
"""With a larger share of open units than this the whole text is opened at once."""


class Enumerated:
    """Every useful clique of the units; remembers which ones it has handed out, so that none comes twice."""

    def __init__(self, cliques: Cliques, n_units: int, *, settle: bool = True) -> None:
        """Hold all cliques of `n_units` units and settle what can be settled, unless there is little hope of it."""
        self.cliques = cliques
        self.n_units = n_units
        self._given = np.zeros(len(cliques), dtype=bool)
        self._size = (cliques.members >= 0).sum(axis=1)
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
        self._packed = quick_packing(self.cliques, self.cliques.gain / self._size, self.n_units)
        self._prices = self._equal_parts()
        self._open[:-1] = False
        self._reopen(np.flatnonzero(reduced(self.cliques, self._prices) > TOLERANCE))
        if self._open.mean() > MOST_OPEN:
            self._open[:] = True

    def _equal_parts(self) -> Floats:
        """The price of every unit: its part of the gain of the packed clique that holds it."""
        prices = np.zeros(self.n_units + 1)
        gain = self.cliques.gain[self._packed] / self._size[self._packed]
        prices[self.cliques.members[self._packed]] = gain[:, None]
        return prices[:-1]

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
        score = self.cliques.gain[chosen] / self._size[chosen]
        return chosen[best_of_each_unit(self.cliques.take(chosen), score, 8)]

    def _give(self, chosen: Ints) -> Cliques:
        """Hand out these cliques."""
        self._given[chosen] = True
        return self.cliques.take(chosen)
