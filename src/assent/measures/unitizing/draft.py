"""What is known of the best packing while it is searched for: what an interrupt leaves."""

import numpy as np

from assent.arrays import Floats
from assent.measures.unitizing.cliques import Cliques, quick_packing


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
        per_unit = self._cliques.gain / (self._cliques.members >= 0).sum(axis=1)
        score = 2 * float(per_unit.max()) * self._share + per_unit
        return self._cliques.take(quick_packing(self._cliques, score, n_units))
