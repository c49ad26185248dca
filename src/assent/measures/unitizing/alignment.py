"""The best alignment: every unit in exactly one unitary alignment, with the least disorder.

A unitary alignment takes at most one unit of each rater; its disorder is the mean dissimilarity over all pairs of
raters, where a pair with an empty place costs De. The disorder of an alignment is the sum over its unitary alignments
divided by the mean number of units per rater. Mathet, Widlöcher & Métivier (2015), section 4. The result is the true
optimum.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assent.arrays import Floats, Ints
from assent.measures.unitizing.cliques import Cliques, all_cliques, space_of
from assent.measures.unitizing.dissimilarity import Dissimilarity
from assent.measures.unitizing.draft import Draft
from assent.measures.unitizing.pairing import pair_up
from assent.measures.unitizing.pricing import Priced
from assent.measures.unitizing.relaxation import relax
from assent.measures.unitizing.rounding import make_whole
from assent.measures.unitizing.sources import Enumerated
from assent.measures.unitizing.units import Units
from assent.progress import Progress, part, silent

MOST_CLIQUES = 500_000
"""Beyond this many cliques they are found as they are needed instead of all at once."""


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
        if self.units.n_raters == 2:
            return self._pairs_of(0, 1)
        found = [self._pairs_of(a, b) for a, b in combinations(range(self.units.n_raters), 2)]
        u, v, row = (np.concatenate(part) for part in zip(*found, strict=True))
        return u, v, row

    def _pairs_of(self, a: int, b: int) -> tuple[Ints, Ints, Ints]:
        """The aligned pairs of two raters."""
        row = np.flatnonzero((self.members[:, a] >= 0) & (self.members[:, b] >= 0))
        return self.members[row, a], self.members[row, b], row

    def disorders(self, dissimilarity: Dissimilarity) -> Floats:
        """The disorder of every block: 0 for a block without units.

        All units alone would cost De each; an aligned pair saves De - d, and every unit after the first of a row saves
        the De it would cost alone.
        """
        units, empty = self.units, dissimilarity.delta_empty
        n_pairs = units.n_raters * (units.n_raters - 1) // 2
        u, v, _ = self.pairs()
        near = self._sum(u, empty - dissimilarity.combined(units, u, v)) / n_pairs
        saved = near + empty * (self._count(self.members[self.members >= 0]) - self._count(self.members.max(axis=1)))
        sizes = self._count(np.arange(len(units)))
        return np.where(sizes > 0, (sizes * empty - saved) * units.n_raters / np.maximum(sizes, 1), 0.0)

    def _sum(self, unit: Ints, amount: Floats) -> Floats:
        """Amounts of units added up by block; a single block, the commonest case, needs no counting."""
        if self.units.n_blocks == 1:
            return np.asarray(amount.sum(keepdims=True))
        return np.bincount(self.units.block[unit], amount, self.units.n_blocks).astype(np.float64)

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
    order = np.empty(len(units), dtype=np.int64)
    order[np.argsort(units.places, kind="stable")] = np.arange(len(units))
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
