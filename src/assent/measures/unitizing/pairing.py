"""The best alignment of two raters: what is certain is settled first, the rest is matched part by part.

Aligning u and v saves 2 De - d(u, v) against leaving both alone, so only pairs with d below 2 De are candidates. A
candidate that saves more than all other candidates of its two units together belongs to every best alignment. Units
that no chain of candidates connects never compete, so a long text falls into parts that are solved one after the
other: the cost of a part grows with its square, that of the text with its length.
"""

import numpy as np

from assent.arrays import Ints
from assent.measures.unitizing.dissimilarity import Dissimilarity
from assent.measures.unitizing.matching import heaviest_matching
from assent.measures.unitizing.neighbours import Pairs, neighbours
from assent.measures.unitizing.units import Units

PART = 400
"""About how many candidates are matched at once."""


def pair_up(units: Units, dissimilarity: Dissimilarity) -> Ints:
    """The matched pairs of units of raters 0 and 1, one row each."""
    limit = 2 * dissimilarity.delta_empty
    settled, rest = _settle(neighbours(units, 0, 1, dissimilarity, limit), limit, len(units))
    matched = [heaviest_matching(part, limit) for part in _parts(rest, len(units))]
    return np.concatenate([*settled, *matched], axis=1).T


def _settle(near: Pairs, limit: float, n_units: int) -> tuple[list[Ints], Pairs]:
    """The candidates that are certain, as units `u` above units `v`, and the candidates that are open after that."""
    settled: list[Ints] = [np.zeros((2, 0), dtype=np.int64)]
    while len(near.u):
        saved = limit - near.d
        total = np.bincount(near.u, saved, n_units) + np.bincount(near.v, saved, n_units)
        sure = total[near.u] + total[near.v] < 3 * saved
        if not sure.any():
            break
        taken = np.array([near.u[sure], near.v[sure]])
        settled.append(taken)
        total[taken] = -1
        near = near.where((total[near.u] >= 0) & (total[near.v] >= 0))
    return settled, near


def _parts(near: Pairs, n_units: int) -> list[Pairs]:
    """The candidates in parts without a common unit: connected components, as many together as fill a part."""
    if len(near.u) == 0:
        return []
    if len(near.u) <= 2 * PART:
        return [near]
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(near.u)), (near.u, near.v)), shape=(n_units, n_units))
    n, label = connected_components(graph, directed=False)
    part = (np.cumsum(np.bincount(label[near.u], minlength=n)) // PART)[label[near.u]]
    order = np.argsort(part, kind="stable")
    return [near.where(chosen) for chosen in np.split(order, np.flatnonzero(np.diff(part[order])) + 1)]
