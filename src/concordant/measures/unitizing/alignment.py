"""The best alignment: every unit in exactly one unitary alignment, with the least disorder.

A unitary alignment takes at most one unit of each rater; its disorder is the mean dissimilarity over all pairs of
raters, where a pair with an empty place costs De. The disorder of an alignment is the sum over its unitary alignments
divided by the mean number of units per rater. Mathet, Widlöcher & Métivier (2015), section 4. The result is the true
optimum.

Of two raters: aligning u and v saves 2 De - d(u, v) against leaving both alone, so only pairs with d below 2 De are
candidates. What is certain is settled first: a candidate that saves more than all other candidates of its two units
together belongs to every best alignment. Units that no chain of candidates connects never compete, so a long text falls
into parts that are matched one after the other: the cost of a part grows with its square, that of the text with its
length. A few candidates are matched by augmenting paths in plain Python: scipy needs ten times as long to look at its
input. Many are matched by scipy, whose cost does not explode where units lie on top of each other.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from concordant.arrays import Floats, Ints
from concordant.measures.unitizing.cliques import Cliques, Draft, all_cliques, space_of
from concordant.measures.unitizing.relaxation import make_whole, relax
from concordant.measures.unitizing.sources import Enumerated, Priced
from concordant.measures.unitizing.units import Dissimilarity, Pairs, Units, neighbours
from concordant.model.continuum import Continuum
from concordant.progress import Progress, part, silent

FEW = 64  # up to this many candidates Python is faster than scipy
LEAST_GAIN = 1e-12  # smaller gains are rounding errors; following them could go round in circles
PART = 400  # about how many candidates are matched at once
MOST_CLIQUES = 500_000  # beyond this many cliques they are found as they are needed instead of all at once


def heaviest_matching(candidates: Pairs, limit: float) -> Ints:
    """The matched units `u` above the matched units `v`; a candidate saves `limit` - d."""
    if len(candidates.u) > FEW:
        return _match_many(candidates, limit)
    saved: dict[int, dict[int, float]] = {}
    for u, v, d in zip(candidates.u.tolist(), candidates.v.tolist(), candidates.d.tolist(), strict=True):
        saved.setdefault(u, {})[v] = limit - d
    partner: dict[int, int] = {}
    for u in saved:  # added one by one; each time the path of changes that saves the most is followed
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


def pair_up(units: Units, dissimilarity: Dissimilarity) -> Ints:
    """The matched pairs of units of raters 0 and 1, one row each."""
    limit = 2 * dissimilarity.delta_empty
    near = neighbours(units, 0, 1, dissimilarity, limit)
    found: list[Ints] = [np.zeros((2, 0), dtype=np.int64)]
    while len(near.u):
        saved = limit - near.d
        total = np.bincount(near.u, saved, len(units)) + np.bincount(near.v, saved, len(units))
        sure = total[near.u] + total[near.v] < 3 * saved
        if not sure.any():
            break
        found.append(np.array([near.u[sure], near.v[sure]]))
        total[found[-1]] = -1
        near = near.where((total[near.u] >= 0) & (total[near.v] >= 0))
    found += [heaviest_matching(part, limit) for part in _parts(near, len(units))]
    return np.concatenate(found, axis=1).T


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


@dataclass(frozen=True, eq=False)
class Alignment:
    """Unitary alignments with two units or more: one row each, one column per rater, -1 where a place is empty.

    Units in no row stand alone. An alignment that an interrupt ended has a `least` disorder: none has a smaller one.
    """

    units: Units
    members: Ints
    least: float | None = None

    def rows(self) -> Ints:
        """All unitary alignments, those of single units included, in the order of the text."""
        units = self.units
        alone = np.setdiff1d(np.arange(len(units)), self.members[self.members >= 0])
        single = np.full((len(alone), units.n_raters), -1, dtype=np.int64)
        single[np.arange(len(alone)), units.rater[alone]] = alone
        rows = np.concatenate([self.members, single])
        begin = np.where(rows >= 0, units.begin[rows], np.inf).min(axis=1, initial=np.inf)
        return rows[np.argsort(begin, kind="stable")]

    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """All aligned pairs of units and the row of each pair."""
        found = []
        for one, two in combinations(self.members.T, 2):
            row = np.flatnonzero((one >= 0) & (two >= 0))
            found.append((one[row], two[row], row))
        u, v, row = (np.concatenate(part) for part in zip(*found, strict=True))
        return u, v, row

    def disorders(self, dissimilarity: Dissimilarity) -> Floats:
        """The disorder of every block: 0 for a block without units.

        All units alone would cost De each; an aligned pair saves De - d, and every unit after the first of a row saves
        the De it would cost alone.
        """
        units, empty = self.units, dissimilarity.delta_empty
        n_pairs = units.n_raters * (units.n_raters - 1) // 2
        u, v, _ = self.pairs()
        spared = empty - dissimilarity.combined(units, u, v)
        one = units.n_blocks == 1  # the commonest case needs no counting
        near = spared.sum(keepdims=True) if one else np.bincount(units.block[u], spared, units.n_blocks)
        saved = near / n_pairs + empty * (
            self._count(self.members[self.members >= 0]) - self._count(self.members.max(axis=1))
        )
        sizes = self._count(np.arange(len(units)))
        return np.where(sizes > 0, (sizes * empty - saved) * units.n_raters / np.maximum(sizes, 1), 0.0)

    def _count(self, unit: Ints) -> Ints:
        """How many units of each block these are."""
        if self.units.n_blocks == 1:
            return np.array([len(unit)])
        return np.bincount(self.units.block[unit], minlength=self.units.n_blocks)


class Unfinished(KeyboardInterrupt):
    """The user ended the search for the best alignment; the best one found so far can still be had."""

    def __init__(self, units: Units, dissimilarity: Dissimilarity, draft: Draft) -> None:
        """Keep what is known."""
        super().__init__("the search for the best alignment was ended")
        self._units, self._dissimilarity, self._draft = units, dissimilarity, draft

    def alignment(self) -> Alignment:
        """The best alignment found so far, with the least disorder that is proven to be possible."""
        members = self._draft.packing(len(self._units)).members.astype(np.int64)
        least = least_disorder(self._units, self._dissimilarity.in_units, self._draft.most)
        return Alignment(self._units, members, least * self._dissimilarity.delta_empty)


def best_alignment(units: Units, dissimilarity: Dissimilarity, progress: Progress = silent) -> Alignment:
    """The alignment with the least disorder, of every block. An interrupt is raised as `Unfinished`.

    All costs are multiples of De, so the search counts in units of De: solvers have tolerances of their own.
    """
    plain = dissimilarity.in_units
    if units.n_raters == 2:
        return Alignment(units, pair_up(units, plain))
    draft = Draft(units.n_raters)
    try:
        return Alignment(units, pack(units, plain, draft, progress).members.astype(np.int64))
    except KeyboardInterrupt as interrupt:
        raise Unfinished(units, dissimilarity, draft) from interrupt


def pack(units: Units, dissimilarity: Dissimilarity, draft: Draft, progress: Progress = silent) -> Cliques:
    """The packing of disjoint cliques with the largest gain, for three raters or more.

    To progress, the relaxation is one half of the work and making it whole the other. Several blocks are chance
    samples, in which raters do not agree and a quick packing settles little.
    """
    space = space_of(units, dissimilarity)
    cliques = all_cliques(space, MOST_CLIQUES)
    if cliques is not None and len(cliques) == 0:
        return cliques
    source = Priced(space) if cliques is None else Enumerated(cliques, len(units), settle=units.n_blocks == 1)
    order = np.argsort(np.argsort(units.places, kind="stable"))
    relaxation = relax(source, len(units), draft, part(progress, 0, 2))
    return make_whole(relaxation, source, order, draft, part(progress, 1, 2))


def least_disorder(units: Units, dissimilarity: Dissimilarity, most_gain: float) -> float:
    """A disorder that no alignment of one block falls below, when no packing of cliques gains more than `most_gain`.

    Two raters' parts of an alignment align the two, at no less than their own best alignment costs; pairs of empty
    places come on top. So the mean over all pairs of raters is such a disorder, too.
    """
    pairs = list(combinations(range(units.n_raters), 2))
    apart = [units.pair(a, b) for a, b in pairs]
    cost = sum(best_alignment(two, dissimilarity).disorders(dissimilarity)[0] * len(two) / 2 for two in apart)
    saved = len(units) * dissimilarity.delta_empty - most_gain / len(pairs)
    return float(max(cost / len(pairs), saved) * units.n_raters / len(units))


def alignment_rows(alignment: Alignment, continuum: Continuum, dissimilarity: Dissimilarity) -> list[dict[str, Any]]:
    """The best alignment as plain data: every unitary alignment with its disorder and each rater's unit or None.

    The disorder of a unitary alignment is the mean over its pairs, De for pairs with an empty place.
    """
    rows, n, features = alignment.rows(), alignment.units.n_raters, continuum.features
    u, v, row = Alignment(alignment.units, rows).pairs()
    excess = dissimilarity.combined(alignment.units, u, v) - dissimilarity.delta_empty
    disorders = dissimilarity.delta_empty + np.bincount(row, excess, len(rows)) / (n * (n - 1) / 2)

    def span(unit: int) -> dict[str, Any]:
        told = {"features": {name: values[unit] for name, values in features.items()}} if features else {}
        category = continuum.categories[continuum.category[unit]]
        return {"begin": float(continuum.begin[unit]), "end": float(continuum.end[unit]), "category": category, **told}

    return [
        {
            "disorder": float(disorder),
            "units": {
                name: None if unit < 0 else span(int(unit)) for name, unit in zip(continuum.raters, units, strict=True)
            },
        }
        for units, disorder in zip(rows, disorders, strict=True)
    ]


def category_disorders(
    alignment: Alignment, dissimilarity: Dissimilarity, n_categories: int, *, charge_unaligned: bool
) -> Floats:
    """The categorical disorder of every block (rows): column 0 over all categories, column k + 1 for category k.

    Do raters agree on the categories of the units that they aligned? Over the pairs of the best alignment, with d_pos
    and d_cat as in Gamma and n_v the number of units in a pair's unitary alignment,

        disorder = sum of w d_cat / sum of w,      w = max(0, 1 - alpha d_pos) / (n_v - 1)

    A column k + 1 counts only pairs with a unit of category k. Mathet (2017). Pairs with an empty place do not count;
    if `charge_unaligned` they weigh De and cost De. NaN where there is no pair to judge by; no NaN leaves this package.
    """
    units, empty = alignment.units, dissimilarity.delta_empty
    shape = (units.n_blocks, n_categories + 1)

    def summed(unit: Ints, column: Ints | int, weight: Floats) -> Floats:
        flat = np.bincount(units.block[unit] * shape[1] + column, weight, shape[0] * shape[1])
        return flat.reshape(shape).astype(np.float64)

    u, v, row = alignment.pairs()
    near = np.maximum(0.0, 1 - dissimilarity.alpha * dissimilarity.positional(units, u, v))
    weight = near / ((alignment.members >= 0).sum(axis=1)[row] - 1)
    cost = weight * dissimilarity.categorical(units, u, v)
    first, second = units.category[u] + 1, units.category[v] + 1
    other = np.flatnonzero(first != second)  # counted once for all categories and once for each of those they have
    weights, disorders, pairs = (
        summed(u, 0, each) + summed(u, first, each) + summed(u[other], second[other], each[other])
        for each in (weight, cost, np.ones(len(u)))
    )
    rows = alignment.rows() if charge_unaligned else np.zeros((0, units.n_raters), dtype=np.int64)
    at, rater = np.nonzero(rows >= 0)
    unit, vacant = rows[at, rater], (rows < 0).sum(axis=1)[at].astype(float)
    for column in (0, units.category[unit] + 1):
        weights += summed(unit, column, vacant * empty)
        disorders += summed(unit, column, vacant * empty * empty)
    weighed = weights > 0
    ratio = np.where(weighed, disorders / np.where(weighed, weights, 1.0), np.nan)
    if charge_unaligned:  # as the reference has it: 0 if only empty places were charged, 1 if the category is absent
        charged = summed(unit, 0, vacant) + summed(unit, units.category[unit] + 1, vacant)
        absent = np.where(charged > 0, 0.0, 1.0)
        ratio = np.where(pairs == 0, absent, np.where(disorders == 0, 0.0, ratio))
    return ratio
