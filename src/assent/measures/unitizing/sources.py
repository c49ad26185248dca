"""All cliques in memory: the source of columns when there are not too many."""

import numpy as np

from assent.measures.unitizing.cliques import Cliques
from assent.measures.unitizing.relaxation import TOLERANCE, best_of_each_unit, reduced
from assent.model.spans import Floats, Ints


class Enumerated:
    """Every useful clique of the units; remembers which ones it has handed out, so that none comes twice."""

    def __init__(self, cliques: Cliques, n_units: int) -> None:
        """Hold all cliques of `n_units` units."""
        self.cliques = cliques
        self.n_units = n_units
        self._given = np.zeros(len(cliques), dtype=bool)

    def start(self) -> Cliques:
        """All cliques when they are few, else the eight with the largest gain per unit of every unit."""
        if len(self.cliques) <= 8 * self.n_units:
            return self._give(np.arange(len(self.cliques)))
        score = self.cliques.gain / (self.cliques.members >= 0).sum(axis=1)
        return self._give(best_of_each_unit(self.cliques, score, 8))

    def better(self, prices: Floats) -> Cliques:
        """Cliques with a positive reduced gain: the two best of every unit when there are many."""
        if self._given.all():
            return self._give(np.zeros(0, dtype=np.int64))
        gain = reduced(self.cliques, prices)
        chosen = np.flatnonzero((gain > TOLERANCE) & ~self._given)
        if len(chosen) > 500:
            chosen = chosen[best_of_each_unit(self.cliques.take(chosen), gain[chosen], 2)]
        return self._give(chosen)

    def above(self, prices: Floats, slack: float) -> Cliques:
        """All cliques whose reduced gain is above -slack."""
        return self.cliques.take(reduced(self.cliques, prices) > -slack)

    def _give(self, chosen: Ints) -> Cliques:
        """Hand out these cliques."""
        self._given[chosen] = True
        return self.cliques.take(chosen)
