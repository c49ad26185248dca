"""The heaviest matching of two raters' units: which candidates to align so that they save the most together.

A few candidates are matched by augmenting paths in plain Python: scipy needs ten times as long to look at its input.
Many are matched by scipy, whose cost does not explode where units lie on top of each other.
"""

import numpy as np

from assent.arrays import Ints
from assent.measures.unitizing.neighbours import Pairs

FEW = 64
"""Up to this many candidates Python is faster than scipy."""

LEAST_GAIN = 1e-12
"""Smaller gains are rounding errors; following them could go round in circles."""


def heaviest_matching(candidates: Pairs, limit: float) -> Ints:
    """The matched units `u` above the matched units `v`; a candidate saves `limit` - d."""
    return _match_few(candidates, limit) if len(candidates.u) <= FEW else _match_many(candidates, limit)


def _match_few(candidates: Pairs, limit: float) -> Ints:
    """Units `u` are added one by one; each time the path of changes that saves the most is followed."""
    saved: dict[int, dict[int, float]] = {}
    for u, v, d in zip(candidates.u.tolist(), candidates.v.tolist(), candidates.d.tolist(), strict=True):
        saved.setdefault(u, {})[v] = limit - d
    partner: dict[int, int] = {}
    for u in saved:
        partner.update(_best_changes(u, saved, partner))
    return np.array([list(partner.values()), list(partner)], dtype=np.int64)


def _best_changes(start: int, saved: dict[int, dict[int, float]], partner: dict[int, int]) -> list[tuple[int, int]]:
    """The units `v` that change hands, each with its new partner, so that `start` is added with the greatest gain.

    A unit `u` gives its place to another and takes the next one, until a free `v` is reached or some `u` stays alone.
    """
    gain, before = {start: 0.0}, dict[int, tuple[int, int]]()
    most, end = 0.0, list[tuple[int, int]]()
    queue = [start]
    for u in queue:
        for v, saving in saved[u].items():
            reached, other = gain[u] + saving, partner.get(v)
            if other is None:
                if reached > most + LEAST_GAIN:
                    most, end = reached, [(v, u)]
            elif other != u and (left := reached - saved[other][v]) > gain.get(other, -np.inf) + LEAST_GAIN:
                gain[other], before[other] = left, (v, u)
                queue.append(other)
                if left > most + LEAST_GAIN:
                    most, end = left, [(v, u)]
    while end and (earlier := before.get(end[-1][1])):
        end.append(earlier)
    return end


def _match_many(candidates: Pairs, limit: float) -> Ints:
    """The cheapest matching where every `u` may also take a stand-in of its own, which leaves it alone.

    The compressed rows are written directly, each row's stand-in after its candidates: this is a third of the time of
    building the matrix from coordinates. Costs are raised by 1, since scipy takes 0 for a missing entry.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    columns, column = np.unique(candidates.v, return_inverse=True)
    last = np.flatnonzero(np.append(candidates.u[1:] != candidates.u[:-1], True))
    rows, every = candidates.u[last], np.arange(len(last))
    alone = last + 1 + every
    n_entries = len(candidates.u) + len(rows)
    indices, costs, slot = np.empty(n_entries, np.int32), np.full(n_entries, limit + 1), np.ones(n_entries, bool)
    indices[alone], slot[alone] = len(columns) + every, False
    indices[slot], costs[slot] = column, candidates.d + 1
    bounds = np.append(0, alone + 1).astype(np.int32)
    graph = csr_array((costs, indices, bounds), shape=(len(rows), len(columns) + len(rows)))
    chosen, matched = min_weight_full_bipartite_matching(graph)
    real = matched < len(columns)
    return np.array([rows[chosen[real]], columns[matched[real]]])
