"""The best alignment of two raters: a sparse assignment problem, solved exactly by scipy.

Every unit of the first rater is matched with a unit of the second or with a stand-in of its own (left alone). Matching
u and v saves 2 De - d(u, v) against leaving both alone, so only pairs with d below 2 De are edges. Units that no chain
of edges connects never compete, so a long text falls into parts that are solved one after the other: the cost of a part
grows with its square, that of the text with its length.
"""

import numpy as np

from assent.measures.unitizing.dissimilarity import Dissimilarity
from assent.measures.unitizing.neighbours import Pairs, neighbours
from assent.measures.unitizing.units import Units
from assent.model.spans import Floats, Ints

PART = 300
"""About how many units of the first rater are matched at once."""


def pair_up(units: Units, dissimilarity: Dissimilarity) -> Ints:
    """The matched pairs of units of raters 0 and 1, one row each."""
    limit = 2 * dissimilarity.delta_empty
    near = neighbours(units, 0, 1, dissimilarity, limit)
    if len(near.u) == 0:
        return np.zeros((0, 2), dtype=np.int64)
    n_first = int(units.starts[1])
    if n_first <= 2 * PART:
        first, second = _match(near.u, near.v - n_first, near.d + 1.0, limit + 1.0, (n_first, len(units) - n_first))
        return np.stack([first, second + n_first], axis=1)
    return np.concatenate([_match_part(part, limit) for part in _parts(near, len(units))])


def _parts(near: Pairs, n_units: int) -> list[Pairs]:
    """The edges in parts without a common unit: connected components, as many together as fill a part."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(near.u)), (near.u, near.v)), shape=(n_units, n_units))
    n, label = connected_components(graph, directed=False)
    rows = np.bincount(label[np.unique(near.u)], minlength=n)
    part = (np.cumsum(rows) // PART)[label[near.u]]
    order = np.argsort(part, kind="stable")
    bounds = np.flatnonzero(np.diff(part[order])) + 1
    return [Pairs(near.u[chosen], near.v[chosen], near.d[chosen]) for chosen in np.split(order, bounds)]


def _match_part(part: Pairs, limit: float) -> Ints:
    """The matched pairs of one part, whose units are numbered anew while it is solved."""
    rows, u = np.unique(part.u, return_inverse=True)
    columns, v = np.unique(part.v, return_inverse=True)
    first, second = _match(u, v, part.d + 1.0, limit + 1.0, (len(rows), len(columns)))
    return np.stack([rows[first], columns[second]], axis=1)


def _match(u: Ints, v: Ints, cost: Floats, alone: float, shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """The cheapest full matching of the first rater's units; those matched with their stand-in are left out.

    The compressed rows are written directly, each row's stand-in after its neighbours: this is a third of the time of
    building the matrix from coordinates.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n_first, n_second = shape
    every = np.arange(n_first)
    bounds = np.searchsorted(u, np.arange(n_first + 1)) + np.arange(n_first + 1)
    columns = np.empty(len(u) + n_first, dtype=np.int32)
    costs = np.empty(len(columns))
    slot = np.arange(len(u)) + u
    columns[slot], costs[slot] = v, cost
    columns[bounds[1:] - 1], costs[bounds[1:] - 1] = n_second + every, alone
    graph = csr_array((costs, columns, bounds.astype(np.int32)), shape=(n_first, n_second + n_first))
    rows, matched = min_weight_full_bipartite_matching(graph)
    real = matched < n_second
    return rows[real].astype(np.int64), matched[real].astype(np.int64)
