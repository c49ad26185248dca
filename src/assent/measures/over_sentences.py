"""Statistics made of sums over sentences, as functions of how often each sentence counts.

A bootstrap draws sentences again and asks for the statistic of the draw, so nothing is computed anew.
"""

from collections.abc import Callable

import numpy as np

from assent.arrays import Floats

Statistic = Callable[[Floats], Floats]


def ratio(above: Floats, below: Floats) -> Statistic:
    """The statistic sum(above) / sum(below); NaN where the latter is 0."""

    def statistic(times: Floats) -> Floats:
        total = times @ below
        shares: Floats = np.divide(times @ above, total, out=np.full(len(total), np.nan), where=total != 0)
        return shares

    return statistic
