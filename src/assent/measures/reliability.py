"""How reliable the scores of a panel are: Kendall's W, intraclass correlations, Cronbach's alpha.

All look at the N units that every one of the k raters judged; the others are dropped and counted. The intraclass
correlations are ratios of mean squares of one analysis of variance, in the notation of McGraw & Wong (1996):

    MSR between units, MSC between raters, MSE what is left of both, MSW within units (MSC and MSE together)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assent.arrays import Floats
from assent.engines.views import Panel, ratio
from assent.measures.spec import NUMERIC, ORDERED, Needs, Parts, Setting, measure

RANKS = Needs(suits=ORDERED, accepts=ORDERED, missing="drops incomplete units", continuous=True)
SCORES = Needs(
    suits=NUMERIC, accepts=ORDERED, missing="drops incomplete units", continuous=True, takes_steps_as_equal=True
)
ALIKE = "all complete units have the same mean score, so there is nothing to tell them apart by and the formula is x/0"
NO_SPREAD = "the scores differ only between raters, not between units, so the formula is 0/0"
ALL_EQUAL = "all scores are the same, so the formula is 0/0"
BELOW_ZERO = "the variance of the units' mean scores is estimated below zero or as zero, so the formula has no value"


@dataclass(frozen=True, kw_only=True)
class Variances:
    """The mean squares of a panel; arrays have the leading axes of its weights."""

    n: Floats
    k: int
    msr: Floats
    msc: Floats
    mse: Floats
    msw: Floats

    def as_dict(self) -> dict[str, float]:
        """The mean squares of one sample, for a result's details."""
        return {"msr": float(self.msr), "msc": float(self.msc), "mse": float(self.mse), "msw": float(self.msw)}


def variances(data: Panel) -> Variances:
    """Analysis of variance, units × raters, from deviations, so that large scores lose no digits."""
    k, n = data.scores.shape[1], data.weights.sum(axis=-1)
    scores = data.scores - data.scores.flat[0]
    means = scores.mean(axis=1)
    off = scores - means[:, None]
    off_by_rater = ratio(data.weights @ off, n[..., None])
    grand = ratio(data.weights @ means, n)
    within = data.weights @ np.square(off).sum(axis=1)
    raters = n * np.square(off_by_rater).sum(axis=-1)
    units = k * (data.weights * np.square(means - grand[..., None])).sum(axis=-1)
    return Variances(
        n=n,
        k=k,
        msr=ratio(_floored(units, units + within, 1e-24), n - 1),
        msc=raters / (k - 1),
        mse=ratio(_floored(within - raters, within, 1e-13), (n - 1) * (k - 1)),
        msw=ratio(_floored(within, units + within, 1e-24), n * (k - 1)),
    )


def _floored(square: Floats, whole: Floats, share: float) -> Floats:
    """A sum of squares; what rounding left of zero becomes zero."""
    return np.where(square > share * whole, square, 0.0)


def _unusable(data: Panel) -> str:
    """Why there is no panel of two raters and two complete units; empty if there is."""
    if len(data.raters) < 2:
        return "there is only one rater, and reliability needs two" if data.raters else "there are no judgements"
    n_units = data.weights.sum(axis=-1).max(initial=0.0)
    if n_units < 2:
        judged = "no unit was" if n_units < 1 else "only one unit was"
        return f"{judged} judged by all {len(data.raters)} raters, and reliability needs two units"
    return ""


def _undefined(data: Panel, why: str) -> Parts:
    return Parts(value=np.full(data.weights.shape[:-1], np.nan), why=why)


def _intraclass(data: Panel, parts: Callable[[Variances], tuple[Floats, Floats]], why: str) -> Parts:
    """A ratio of sums of mean squares."""
    unusable = _unusable(data)
    if unusable:
        return _undefined(data, unusable)
    found = variances(data)
    is_one_sample = data.weights.ndim == 1
    return Parts(value=ratio(*parts(found)), why=why, details=found.as_dict() if is_one_sample else {})


@measure(
    key="icc1",
    name="ICC(1)",
    cite=("mcgraw-wong-1996", "shrout-fleiss-1979"),
    kind="reliability",
    needs=SCORES,
    view="panel",
)
def icc1(data: Panel, setting: Setting) -> Parts:
    """One rater's score, raters drawn anew for every unit: the share of the variance that lies between units.

    ICC(1) = (MSR - MSW) / (MSR + (k - 1) MSW)
    """
    return _intraclass(data, lambda v: (v.msr - v.msw, v.msr + (v.k - 1) * v.msw), ALL_EQUAL)


@measure(
    key="icc1k",
    name="ICC(1,k)",
    cite=("mcgraw-wong-1996", "shrout-fleiss-1979"),
    kind="reliability",
    needs=SCORES,
    view="panel",
)
def icc1k(data: Panel, setting: Setting) -> Parts:
    """The mean score of k raters, raters drawn anew for every unit.

    ICC(1,k) = (MSR - MSW) / MSR
    """
    return _intraclass(data, lambda v: (v.msr - v.msw, v.msr), ALIKE)


@measure(
    key="icc_a1",
    name="ICC(A,1)",
    cite=("mcgraw-wong-1996", "shrout-fleiss-1979"),
    kind="reliability",
    needs=SCORES,
    view="panel",
)
def icc_a1(data: Panel, setting: Setting) -> Parts:
    """One rater's score, the same raters throughout, absolute agreement: a stricter rater lowers it.

    ICC(A,1) = (MSR - MSE) / (MSR + (k - 1) MSE + (k / N) (MSC - MSE))
    """
    return _intraclass(
        data,
        lambda v: (v.msr - v.mse, v.msr + (v.k - 1) * v.mse + v.k * ratio(v.msc - v.mse, v.n)),
        ALL_EQUAL,
    )


@measure(
    key="icc_ak",
    name="ICC(A,k)",
    cite=("mcgraw-wong-1996", "shrout-fleiss-1979"),
    kind="reliability",
    needs=SCORES,
    view="panel",
)
def icc_ak(data: Panel, setting: Setting) -> Parts:
    """The mean score of k raters, the same raters throughout, absolute agreement.

    ICC(A,k) = (MSR - MSE) / (MSR + (MSC - MSE) / N)
    """
    return _intraclass(data, lambda v: (v.msr - v.mse, v.msr + ratio(v.msc - v.mse, v.n)), BELOW_ZERO)


@measure(
    key="icc_c1",
    name="ICC(C,1)",
    cite=("mcgraw-wong-1996", "shrout-fleiss-1979"),
    kind="reliability",
    needs=SCORES,
    view="panel",
)
def icc_c1(data: Panel, setting: Setting) -> Parts:
    """One rater's score, the same raters throughout, consistency: a rater who is stricter on every unit does no harm.

    ICC(C,1) = (MSR - MSE) / (MSR + (k - 1) MSE)
    """
    return _intraclass(data, lambda v: (v.msr - v.mse, v.msr + (v.k - 1) * v.mse), NO_SPREAD)


@measure(
    key="icc_ck",
    name="ICC(C,k)",
    cite=("mcgraw-wong-1996", "shrout-fleiss-1979"),
    kind="reliability",
    needs=SCORES,
    view="panel",
)
def icc_ck(data: Panel, setting: Setting) -> Parts:
    """The mean score of k raters, the same raters throughout, consistency. It equals Cronbach's alpha.

    ICC(C,k) = (MSR - MSE) / MSR
    """
    return _intraclass(data, lambda v: (v.msr - v.mse, v.msr), ALIKE)


@measure(
    key="cronbach_alpha",
    name="Cronbach's alpha",
    cite=("cronbach-1951",),
    kind="reliability",
    needs=SCORES,
    view="panel",
)
def cronbach_alpha(data: Panel, setting: Setting) -> Parts:
    """How well the sum of the raters' scores tells units apart; not Krippendorff's alpha.

    alpha = k / (k - 1) · (1 - sum_r s_r² / s_total²), which equals (MSR - MSE) / MSR
    """
    return _intraclass(data, lambda v: (v.msr - v.mse, v.msr), ALIKE)


@measure(
    key="kendall_w",
    name="Kendall's W",
    cite=("kendall-smith-1939", "siegel-castellan-1988"),
    kind="reliability",
    needs=RANKS,
    view="panel",
)
def kendall_w(data: Panel, setting: Setting) -> Parts:
    """How far all raters put the units in one order, corrected for ties: 0 no common order, 1 the same order.

    W = 12 sum_i (R_i - mean R)² / (k² (N³ - N) - k sum_r T_r), R_i the sum of unit i's ranks,
    T_r the sum of t³ - t over the groups of t units that rater r tied

    The details hold chi² = k (N - 1) W with N - 1 degrees of freedom.
    """
    unusable = _unusable(data)
    if unusable:
        return _undefined(data, unusable)
    k, n = data.scores.shape[1], data.weights.sum(axis=-1)
    ranks, ties = _rank_sums(data)
    mean = k * (n + 1) / 2
    spread = (data.weights * np.square(ranks - mean[..., None])).sum(axis=-1)
    value = ratio(12 * spread, k**2 * (n**3 - n) - k * ties)
    why = "every rater gave the same value to all units, so the formula is 0/0"
    return Parts(value=value, why=why, details=_chi_square(value, float(n), k) if value.ndim == 0 else {})


def _rank_sums(data: Panel) -> tuple[Floats, Floats]:
    """R_i for each pattern, and the sum over raters of T_r; only one rater's ranks are held at a time."""
    sums, ties = np.zeros(data.weights.shape), np.zeros(data.weights.shape[:-1])
    for scores in data.scores.T:
        _, group = np.unique(scores, return_inverse=True)
        order = np.argsort(group, kind="stable")
        starts = np.nonzero(np.diff(group[order], prepend=-1))[0]
        totals = np.add.reduceat(data.weights[..., order], starts, axis=-1)
        ranks = np.cumsum(totals, axis=-1) - (totals - 1) / 2
        sums += ranks[..., group]
        ties += (totals**3 - totals).sum(axis=-1)
    return sums, ties


def _chi_square(w: Floats, n: float, k: int) -> dict[str, Any]:
    """Friedman's statistic, which follows a chi-square distribution when there is no common order."""
    return {} if np.isnan(w) else {"chi_square": k * (n - 1) * float(w), "degrees_of_freedom": int(n) - 1}


MEASURES = (kendall_w, icc1, icc1k, icc_a1, icc_ak, icc_c1, icc_ck, cronbach_alpha)
