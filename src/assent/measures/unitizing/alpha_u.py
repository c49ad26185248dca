"""Krippendorff's alpha for units (alpha_U): agreement on where a continuum is cut and what the parts are called.

For every category c each rater cuts the continuum of length L into units of c and gaps. Two units of different raters
that overlap differ by (begin - begin)^2 + (end - end)^2; a unit that falls entirely into the other's gap differs by
its squared length; everything else by 0. With m raters, N_c units of c and lengths l,

    D_o = sum of the differences over ordered pairs of raters / (m (m - 1) L^2)
    D_e = (2 / L) sum over units of ((N_c - 1) / 3 (2 l^3 - 3 l^2 + l)
                                     + l^2 sum over gaps h with l_h >= l of (l_h - l + 1))
          / (m L (m L - 1) - sum over units of l (l - 1))

    alpha_U = 1 - sum over c of D_o / sum over c of D_e

Units of one rater and category must not overlap. Krippendorff (1995; 2004). Positions are counted in whole steps.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from assent.arrays import Floats
from assent.measures.result import Agreement
from assent.measures.unitizing import undefined
from assent.measures.unitizing.entries import NAMES
from assent.model.continuum import Continuum


@dataclass(frozen=True, eq=False)
class Cut:
    """One rater's continuum cut for one category: units and gaps, each with begin and end."""

    units: Floats
    gaps: Floats


def alpha_u(continuum: Continuum) -> Agreement:
    """alpha_U over all categories; observed and expected disagreement of each are in the details."""
    reason = why_undefined(continuum)
    if reason is not None:
        return _result(continuum, None, None, None, reason, {})
    present = np.unique(continuum.category)
    observed, expected = np.array([_disagreement(continuum, int(category)) for category in present]).T
    details = {
        "categories": {
            continuum.categories[category]: {"observed": float(o), "expected": float(e)}
            for category, o, e in zip(present, observed, expected, strict=True)
        }
    }
    total, chance = float(observed.sum()), float(expected.sum())
    if chance == 0:
        return _result(continuum, None, total, chance, "chance gives no disagreement, so the formula is 0/0", details)
    return _result(continuum, 1 - total / chance, total, chance, None, details)


def why_undefined(continuum: Continuum) -> str | None:
    """Why alpha_U has no value on this continuum, if so."""
    reason = undefined.too_few_raters(continuum) or undefined.zero_length(continuum)
    if reason is not None:
        return reason
    if continuum.n_units == 0:
        return "nobody marked a unit in this text"
    order = np.lexsort((continuum.begin, continuum.category, continuum.rater))
    rater, category = continuum.rater[order], continuum.category[order]
    same = (rater[1:] == rater[:-1]) & (category[1:] == category[:-1])
    overlapping = np.flatnonzero(same & (continuum.begin[order][1:] < continuum.end[order][:-1]))
    if len(overlapping):
        who, what = continuum.raters[rater[overlapping[0]]], continuum.categories[category[overlapping[0]]]
        return f"units of the category {what!r} by rater {who!r} overlap; alpha_U needs a partition"
    return None


def _disagreement(continuum: Continuum, category: int) -> tuple[float, float]:
    """Observed and expected disagreement of one category."""
    low, high = continuum.bounds
    cuts = [_cut(continuum, rater, category) for rater in range(continuum.n_raters)]
    m, length = len(cuts), high - low
    different = sum(_difference(one, other) for one in cuts for other in cuts if one is not other)
    units = np.concatenate([np.diff(cut.units, axis=1).ravel() for cut in cuts])
    gaps = np.concatenate([np.diff(cut.gaps, axis=1).ravel() for cut in cuts])
    room = np.maximum(gaps[None, :] - units[:, None] + 1, 0) * (gaps[None, :] >= units[:, None])
    overlap = (len(units) - 1) / 3 * (2 * units**3 - 3 * units**2 + units)
    chance = 2 / length * float((overlap + units**2 * room.sum(axis=1)).sum())
    pairs = m * length * (m * length - 1) - float((units * (units - 1)).sum())
    return different / (m * (m - 1) * length**2), chance / pairs


def _cut(continuum: Continuum, rater: int, category: int) -> Cut:
    """The units of one rater and category, and the gaps between them."""
    own = (continuum.rater == rater) & (continuum.category == category)
    begin, end = continuum.begin[own], continuum.end[own]
    low, high = continuum.bounds
    gaps = np.stack([np.append(low, end), np.append(begin, high)], axis=1)
    return Cut(np.stack([begin, end], axis=1), gaps[gaps[:, 1] > gaps[:, 0]])


def _difference(one: Cut, other: Cut) -> float:
    """The squared differences of overlapping units, and the squared lengths of `one`'s units inside `other`'s gaps.

    Over both orders of two raters every unit in a gap counts twice, as the formula's sum over ordered pairs has it.
    """
    begin, end = one.units[:, :1], one.units[:, 1:]
    overlap = (begin < other.units[:, 1]) & (end > other.units[:, 0])
    apart = (begin - other.units[:, 0]) ** 2 + (end - other.units[:, 1]) ** 2
    inside = ((begin >= other.gaps[:, 0]) & (end <= other.gaps[:, 1])).any(axis=1)
    lengths = (end - begin).ravel()
    return float(apart[overlap].sum() + 2 * (lengths[inside] ** 2).sum())


def _result(
    continuum: Continuum,
    value: float | None,
    observed: float | None,
    expected: float | None,
    reason: str | None,
    details: dict[str, Any],
) -> Agreement:
    """Put the result together."""
    return Agreement(
        measure="alpha_u",
        name=NAMES["alpha_u"],
        value=value,
        reason=reason,
        observed=observed,
        expected=expected,
        n_units=continuum.n_units,
        n_raters=continuum.n_raters,
        n_judgements=continuum.n_units,
        raters=continuum.raters,
        slice=dict(continuum.slice) or None,
        details=details,
    )
