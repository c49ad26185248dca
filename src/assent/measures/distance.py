"""How far apart two categories are, and how close: matrices over the categories of a scale.

Agreement coefficients use closeness (1 on the diagonal), alpha uses squared distance (0 on it).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.errors import InputError, nearest
from assent.model.scale import Level, Scale


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
}
SET_DISTANCES: dict[str, Callable[[tuple[frozenset[str], ...]], Floats]] = {"masi": masi, "jaccard": jaccard}


def closeness_named(weights: str | Floats, scale: Scale) -> Floats:
    """A closeness matrix by name, or a given one after checks."""
    if not isinstance(weights, str):
        return check_matrix(weights, scale, diagonal=1.0)
    if weights == "identity":
        return np.eye(len(scale.categories))
    if weights in ("masi", "jaccard"):
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
