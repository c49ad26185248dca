"""How far apart two categories are, and how close: matrices over the categories of a scale.

Agreement coefficients use closeness (1 on the diagonal), alpha uses squared distance (0 on it).
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats, Ints
from concordant.errors import InputError, nearest
from concordant.measures.spec import Setting
from concordant.model.scale import Level, Scale

BRACKETS = re.compile(r"\([^()]*|\)")
TREES = "tree_edit"
MOST_TREES = 2_000  # two thousand of twenty nodes take some minutes
TOGETHER = 250  # trees that are compared with one at once


def linear(positions: Floats) -> Floats:
    """1 - |c - k| / range (Cohen 1968, linear weights)."""
    return 1 - _spread(positions)


def quadratic(positions: Floats) -> Floats:
    """1 - (c - k)² / range² (Fleiss & Cohen 1973)."""
    return 1 - _spread(positions) ** 2


def _spread(positions: Floats) -> Floats:
    """|c - k| as a share of the range; 0 everywhere if all positions are one."""
    apart = np.abs(positions[:, None] - positions[None, :])
    return apart / apart.max() if apart.size and apart.max() > 0 else apart


def radical(positions: Floats) -> Floats:
    """1 - √(|c - k| / range): one step apart costs nearly as much as two (Gwet 2014)."""
    return 1 - np.sqrt(_spread(positions))


def gwet_ratio(positions: Floats) -> Floats:
    """1 - ((c - k) / (c + k))² over what it is between the ends of the scale (Gwet 2014)."""
    if (positions < 0).any():
        raise InputError("ratio weights need values of 0 or more", hint="choose other weights")
    squared = ratio_squared(positions)
    return _as_share(squared, float(squared.max(initial=0.0)))


def gwet_circular(positions: Floats) -> Floats:
    """1 - sin²(π (c - k) / (range + 1)) over its largest (Gwet 2014): the last category is next to the first."""
    turn = float(np.ptp(positions)) + 1 if positions.size else 1.0
    squared = np.sin(np.pi * (positions[:, None] - positions[None, :]) / turn) ** 2
    return _as_share(squared, float(squared.max(initial=0.0)))


def gwet_bipolar(positions: Floats) -> Floats:
    """1 - the bipolar distance over its largest (Gwet 2014): a step costs more near the ends of the scale."""
    squared = bipolar_squared(positions)
    return _as_share(squared, float(squared.max(initial=0.0)))


def _as_share(squared: Floats, largest: float) -> Floats:
    """Closeness from squared distances, 0 at the largest; 1 everywhere if all are alike."""
    return 1 - squared / largest if largest > 0 else np.ones_like(squared)


def gwet_ordinal(positions: Floats) -> Floats:
    """1 - C(|rank c - rank k| + 1, 2) / C(K, 2): what irrCAC calls ordinal weights (Gwet 2014)."""
    rank = np.argsort(np.argsort(positions))
    steps = np.abs(rank[:, None] - rank[None, :]) + 1
    size = max(len(positions), 2)
    return np.asarray(1 - steps * (steps - 1) / (size * (size - 1)))


def set_weighted(members: tuple[frozenset[str], ...]) -> Floats:
    """The share of yes/no decisions (is this class in the set?) that agree, 0 where the sets share no class.

    Boleda, Schulte im Walde & Badia (2009), Table III.
    """
    n_classes = len(frozenset().union(*members))
    sizes, common = _overlaps(members)
    alike = n_classes - (sizes[:, None] + sizes[None, :] - 2 * common)
    return np.where((common > 0) | _same_set(sizes, common), alike / max(n_classes, 1), 0.0)


def set_overlapping(members: tuple[frozenset[str], ...]) -> Floats:
    """1 where the sets share a class (Boleda, Schulte im Walde & Badia 2009)."""
    sizes, common = _overlaps(members)
    return ((common > 0) | _same_set(sizes, common)).astype(np.float64)


def masi(members: tuple[frozenset[str], ...]) -> Floats:
    """The distance 1 - J·M (Passonneau 2006): J is Jaccard's share, M is 1, 2/3, 1/3 or 0.

    M: equal sets, one inside the other, overlapping, disjoint.
    """
    sizes, common = _overlaps(members)
    inside = (common == np.minimum(sizes[:, None], sizes[None, :])) & (common > 0)
    monotone = np.select([_same_set(sizes, common), inside, common > 0], [1.0, 2 / 3, 1 / 3], 0.0)
    return np.asarray(1 - _jaccard_share(sizes, common) * monotone)


def jaccard(members: tuple[frozenset[str], ...]) -> Floats:
    """The distance 1 - |intersection| / |union|; two empty sets are equal."""
    sizes, common = _overlaps(members)
    return np.asarray(1 - _jaccard_share(sizes, common))


def _overlaps(members: tuple[frozenset[str], ...]) -> tuple[Floats, Floats]:
    """The sets' sizes, and how many classes each two sets share."""
    classes = sorted(frozenset().union(*members))
    member = np.array([[c in one for c in classes] for one in members], dtype=np.float64)
    member = member.reshape(len(members), len(classes))
    return member.sum(axis=1), member @ member.T


def _same_set(sizes: Floats, common: Floats) -> NDArray[np.bool_]:
    """Whether two sets are equal (two empty sets are)."""
    return np.asarray((common == sizes[:, None]) & (common == sizes[None, :]))


def _jaccard_share(sizes: Floats, common: Floats) -> Floats:
    """|intersection| / |union|, 1 for two empty sets."""
    union = sizes[:, None] + sizes[None, :] - common
    return np.divide(common, union, out=np.ones_like(common), where=union > 0)


def ratio_squared(positions: Floats) -> Floats:
    """((c - k) / (c + k))², 0 where both are 0 (Krippendorff 2011)."""
    apart, total = positions[:, None] - positions[None, :], positions[:, None] + positions[None, :]
    return np.asarray(np.divide(apart, total, out=np.zeros_like(apart), where=total != 0) ** 2)


def bipolar_squared(positions: Floats) -> Floats:
    """(c - k)² / ((c + k - 2 min)(2 max - c - k)) (Krippendorff 2011); the ends are the scale's own."""
    total = positions[:, None] + positions[None, :]
    room = (total - 2 * positions.min()) * (2 * positions.max() - total)
    apart = (positions[:, None] - positions[None, :]) ** 2
    return np.asarray(np.divide(apart, room, out=np.zeros_like(apart), where=room > 0))


def circle_points(positions: Floats, period: float | None = None) -> Floats:
    """Points on a circle whose squared distance is sin²(π (c - k) / period) (Krippendorff 2011).

    The period is the scale's range plus one step, so that the last category is next to the first.
    """
    steps = np.diff(np.unique(positions))
    turn = period or (float(np.ptp(positions)) + float(steps.min()) if len(steps) else 1.0)
    angle = 2 * np.pi * positions / turn
    return np.stack([np.cos(angle), np.sin(angle)]) / 2


CLOSENESS: dict[str, Callable[[Floats], Floats]] = {
    "linear": linear,
    "quadratic": quadratic,
    "ordinal": gwet_ordinal,
    "radical": radical,
    "ratio": gwet_ratio,
    "circular": gwet_circular,
    "bipolar": gwet_bipolar,
}


class Tree(NamedTuple):
    """The nodes of a tree in postorder: their labels, and the first leaf below each (Zhang & Shasha 1989)."""

    labels: tuple[str, ...]
    first: tuple[int, ...]

    @classmethod
    def of(cls, written: str) -> "Tree":
        """A tree written in brackets: `(label (label) (label))`."""
        labels: list[str] = []
        first: list[int] = []
        path: list[tuple[str, int]] = []
        for part in BRACKETS.findall(written):
            if part == ")" and path:
                label, begin = path.pop()
                labels.append(label)
                first.append(begin)
            elif part.startswith("("):
                path.append((part[1:].strip(), len(labels)))
        if path or not labels or first[-1] != 0 or BRACKETS.sub("", written).strip():
            what = f"the value {written[:60]!r} is no tree"
            raise InputError(what, hint="read CoNLL-U with --read units=sentences, or write trees as (a (b) (c))")
        return cls(tuple(labels), tuple(first))

    @property
    def roots(self) -> list[int]:
        """The last node of each first leaf, in order: what is below one of them is compared at once."""
        return sorted({begin: node for node, begin in enumerate(self.first)}.values())


class Forest(NamedTuple):
    """Trees side by side, made of segments (what is below a root of one tree); a column of each is the empty forest.

    For every column: the `node` of all trees (-1 where empty), its place in its segment, the column of the forest left
    of the node's first leaf, and whether that is the empty one. `levels` are runs of columns whose segments lie in no
    other of the run or later ones.
    """

    node: Ints
    place: Ints
    before: Ints
    is_left: NDArray[np.bool_]
    segment: Ints
    levels: list[slice]
    labels: NDArray[np.object_]

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> "Forest":
        """Lay out trees."""
        runs: dict[int, list[tuple[int, int, int, Tree]]] = {}
        start = 0
        for tree in trees:
            level: dict[int, int] = {}
            for root in tree.roots:
                begin = tree.first[root]
                level[root] = 1 + max((level[one] for one in level if begin <= one < root), default=-1)
                runs.setdefault(level[root], []).append((start, begin, root, tree))
            start += len(tree.labels)
        columns: list[tuple[int, int, int, bool, int]] = []
        levels: list[slice] = []
        for number in sorted(runs):
            base = len(columns)
            for offset, begin, root, tree in runs[number]:
                at = len(columns)
                columns.append((-1, 0, at, True, at))
                for node in range(begin, root + 1):
                    left = tree.first[node] - begin
                    columns.append((offset + node, node - begin + 1, at + left, left == 0, at))
            levels.append(slice(base, len(columns)))
        whole = np.array(columns, dtype=np.int64).T
        labels = np.array([label for tree in trees for label in tree.labels], dtype=object)
        return cls(whole[0], whole[1], whole[2], whole[3].astype(bool), whole[4], levels, labels)

    def distances(self, tree: Tree) -> Ints:
        """How many nodes must be inserted, deleted or renamed for each node's subtree, from each of another tree."""
        made = np.zeros((len(tree.labels), len(self.labels)), dtype=np.int64)
        far = 1 + int(self.place.max()) + len(tree.labels)
        shift = self.place + far * self.segment
        differ = {label: (self.labels != label).astype(np.int64)[self.node] for label in set(tree.labels)}
        for root in tree.roots:
            begin = tree.first[root]
            rows = np.empty((root - begin + 2, len(self.node)), dtype=np.int64)
            rows[0] = self.place
            for row, node in enumerate(range(begin, root + 1), start=1):
                is_left = tree.first[node] == begin
                for run in self.levels:
                    inner, above = self.node[run], rows[row - 1]
                    apart = rows[tree.first[node] - begin][self.before[run]] + made[node][inner]
                    if is_left:
                        renamed = np.concatenate([[0], above[run][:-1]]) + differ[tree.labels[node]][run]
                        apart = np.where(self.is_left[run], renamed, apart)
                    best = np.where(inner < 0, row, np.minimum(above[run] + 1, apart))
                    rows[row, run] = np.minimum.accumulate(best - shift[run]) + shift[run]
                    if is_left:
                        whole = self.is_left[run] & (inner >= 0)
                        made[node, inner[whole]] = rows[row, run][whole]
        return made


@lru_cache(maxsize=2)
def tree_edit(categories: tuple[str, ...]) -> Floats:
    """The least number of nodes to insert, delete or rename that makes one tree another (Zhang & Shasha 1989).

    Trees are ordered and labelled. With alpha this is alpha_plain of Skjærholt (2014), where it stands for d².
    """
    if len(categories) > MOST_TREES:
        what = f"{len(categories):,} different trees are too many to compare each with each"
        raise InputError(what, hint=f"measure at most {MOST_TREES:,}, with --where or a part of the files")
    trees = [Tree.of(one) for one in categories]
    distances = np.zeros((len(trees), len(trees)))
    for start in range(0, len(trees), TOGETHER):
        some = trees[start : start + TOGETHER]
        forest = Forest.of(some)
        last = np.cumsum([len(one.labels) for one in some]) - 1
        for place, tree in enumerate(trees[: start + len(some)]):
            distances[place, start : start + len(some)] = forest.distances(tree)[-1, last]
    return np.asarray(np.triu(distances) + np.triu(distances, 1).T)


SET_DISTANCES: dict[str, Callable[[tuple[frozenset[str], ...]], Floats]] = {"masi": masi, "jaccard": jaccard}


def closeness_named(weights: str | Floats, scale: Scale) -> Floats:
    """A closeness matrix by name, or a given one after checks."""
    if not isinstance(weights, str):
        return check_matrix(weights, scale, diagonal=1.0)
    if weights == "identity":
        return np.eye(len(scale.categories))
    if weights in SET_DISTANCES:
        return 1 - SET_DISTANCES[weights](scale.members())
    if weights not in CLOSENESS:
        raise InputError(
            f"unknown weights {weights!r}", hint=nearest(weights, ["identity", *CLOSENESS, *SET_DISTANCES])
        )
    if not (scale.level.is_ordered or scale.level is Level.CIRCULAR):
        raise InputError(
            f"{weights} weights need ordered categories, and the level is {scale.level.value}",
            hint="say --level ordinal with --categories in order",
        )
    return CLOSENESS[weights](scale.positions())


def identity(setting: Setting) -> Floats:
    """No partial credit."""
    return np.eye(len(setting.scale.categories))


def asked_closeness(setting: Setting) -> Floats | None:
    """The weights the user asked for; None means identity."""
    asked = setting.options.weights
    return None if asked is None else closeness_named(asked, setting.scale)


def given_closeness(setting: Setting) -> Floats:
    """The weights the user asked for, or identity, as a matrix."""
    asked = asked_closeness(setting)
    return identity(setting) if asked is None else asked


def partial_credit(setting: Setting) -> Floats:
    """The weights asked for, or the usual ones of the level."""
    if setting.options.weights is not None or setting.scale.level is Level.NOMINAL:
        return given_closeness(setting)
    return closeness_named("masi" if setting.scale.level is Level.SET else "quadratic", setting.scale)


def check_matrix(matrix: Floats, scale: Scale, *, diagonal: float) -> Floats:
    """A user's matrix: one row and column per category, symmetric, finite, with the right diagonal."""
    given = np.asarray(matrix, dtype=np.float64)
    size = len(scale.categories)
    if given.shape != (size, size):
        raise InputError(
            f"the matrix is {'×'.join(map(str, given.shape))} for {size} categories",
            hint=f"rows and columns must be {', '.join(scale.categories)}",
        )
    if not np.isfinite(given).all() or not np.allclose(given, given.T):
        raise InputError("the matrix is not symmetric and finite", hint="cell (c, k) must equal cell (k, c)")
    if not np.allclose(np.diag(given), diagonal):
        raise InputError(
            f"the matrix's diagonal is not {diagonal:g}", hint="a category compared with itself is the same"
        )
    return given
