"""How reliable the scores of a panel are together: Kendall's W, and the consistency of the raters' sum.

All look at the N units that every one of the k raters judged; the others are dropped and counted.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from concordant.arrays import Floats
from concordant.engines.views import Panel, ratio
from concordant.measures.dependability import RANKS, SCORES, drawn_of_complete
from concordant.measures.intraclass import ALIKE, CONSISTENCY_MEAN, consistency, f_interval, unusable, variances
from concordant.measures.spec import OF_JUDGEMENTS, RESAMPLED, Parts, Setting, measure, number, undefined
from concordant.measures.usual import not_studied, of_components
from concordant.model.scale import Level

FELDT = "F distribution (Feldt 1965)"
NO_SUM = "a rater gave one score throughout, or the raters' sum does not vary, so the formula has no value"
MOST_HALVED = 12
MOST_TURNS = 2000
RESAMPLED_ONLY = (*RESAMPLED, "none")
of_panel = partial(measure, kind="reliability", needs=SCORES, view="panel", usual=not_studied)


@of_panel(
    key="cronbach_alpha",
    name="Cronbach's alpha",
    cite=("cronbach-1951",),
    ci=("pivots", *OF_JUDGEMENTS),
    usual=of_components,
    standard_error=partial(f_interval, form=consistency, of_mean=True, drops=True, source=FELDT),
    pivots=partial(drawn_of_complete, design=CONSISTENCY_MEAN),
)
def cronbach_alpha(data: Panel, setting: Setting) -> Parts:
    """How well the sum of the raters' scores tells units apart; not Krippendorff's alpha.

    alpha = k / (k - 1) · (1 - sum_r s_r² / s_total²), which equals (MSR - MSE) / MSR

    When not to use it: As agreement between raters: it is the consistency of their sum and grows with their number. It
    is not Krippendorff's alpha.

    In other tools: pingouin `cronbach_alpha` (drops incomplete units only with `nan_policy='listwise'`), R
    `psych::alpha`, `ltm::cronbach.alpha`; equals ICC(C,k).

    Example: Cronbach's alpha over three raters was .90 (60 items).
    """
    if lack := unusable(data):
        return undefined(data, lack)
    found = variances(data)
    if data.weights.ndim > 1:
        return Parts(value=ratio(found.msr - found.mse, found.msr))
    shown = {name: float(getattr(found, name)) for name in ("msr", "msc", "mse", "msw")}
    return Parts(value=ratio(found.msr - found.mse, found.msr), why=ALIKE, details=shown | _without_each(data))


def _without_each(data: Panel) -> dict[str, Any]:
    """Alpha if each rater is dropped, by name; nothing for two raters, of whom one would be left."""
    k = len(data.raters)
    if k < 3:
        return {}
    found = [variances(replace(data, scores=np.delete(data.scores, rater, axis=1))) for rater in range(k)]
    values = [number(ratio(one.msr - one.mse, one.msr)) for one in found]
    return {"if_dropped": dict(zip(data.raters, values, strict=True))}


def covariance(data: Panel) -> Floats:
    """(…, raters, raters): how the raters' scores vary together."""
    scores = data.scores - data.scores.mean(axis=0)
    n, k = data.weights.sum(axis=-1)[..., None, None], scores.shape[1]
    sums = data.weights @ scores
    products = (data.weights @ (scores[:, :, None] * scores[:, None, :]).reshape(-1, k * k)).reshape(*sums.shape, k)
    return ratio(products - sums[..., :, None] * sums[..., None, :] / np.maximum(n, 1), n - 1)


def _of_sum(data: Panel, error: Callable[[Floats], Floats], least: int = 2) -> Parts:
    """1 - error variance of the raters' sum / its variance, from the covariances of `least` raters or more."""
    if lack := unusable(data):
        return undefined(data, lack)
    if len(data.raters) < least:
        return undefined(data, f"there are {len(data.raters)} raters, and it takes {least}")
    found = covariance(data)
    whole = found.sum(axis=(-2, -1))
    spread = np.diagonal(found, axis1=-2, axis2=-1).sum(axis=-1)
    is_known = (spread > 0) & (whole > 1e-12 * spread) & (np.diagonal(found, axis1=-2, axis2=-1) > 0).all(axis=-1)
    safe = np.where(is_known[..., None, None], found, np.eye(len(data.raters)))
    return Parts(value=np.where(is_known, 1 - error(safe) / safe.sum(axis=(-2, -1)), np.nan), why=NO_SUM)


def _diagonal(found: Floats) -> Floats:
    return np.diagonal(found, axis1=-2, axis2=-1)


def _second(found: Floats) -> Floats:
    """The error that lambda 2 leaves."""
    k, own = found.shape[-1], _diagonal(found)
    others = (found**2).sum(axis=(-2, -1)) - (own**2).sum(axis=-1)
    return np.asarray(own.sum(axis=-1) - np.sqrt(np.maximum(k / (k - 1) * others, 0)))


def _fourth(found: Floats) -> Floats:
    """The least variance of a difference between two halves."""
    k = found.shape[-1]
    halves = 1.0 - 2.0 * ((np.arange(1, 2 ** (k - 1))[:, None] >> np.arange(k)) & 1)
    return np.asarray(np.einsum("sk,...kl,sl->...s", halves, found, halves, optimize=True).min(axis=-1))


def _sixth(found: Floats) -> Floats:
    """What the other raters do not explain of each, added up."""
    scale = np.sqrt(_diagonal(found))
    like = found / (scale[..., :, None] * scale[..., None, :]) + 1e-12 * np.eye(found.shape[-1])
    return np.asarray((_diagonal(found) / _diagonal(np.linalg.inv(like))).sum(axis=-1))


def _unique(found: Floats) -> Floats:
    """What one common factor does not explain, by least squares (principal axes until they settle)."""
    scale = np.sqrt(_diagonal(found))
    like = found / (scale[..., :, None] * scale[..., None, :])
    k = found.shape[-1]
    common = 1 - 1 / _diagonal(np.linalg.inv(like + 1e-9 * np.eye(k)))
    for _ in range(MOST_TURNS):
        reduced = like + np.eye(k) * (common - 1)[..., None, :]
        sizes, axes = np.linalg.eigh(reduced)
        now = np.clip(np.maximum(sizes[..., -1:], 0) * axes[..., :, -1] ** 2, 0, 1)
        done = np.abs(now - common).max() < 1e-10
        common = now
        if done:
            break
    return np.asarray((_diagonal(found) * (1 - common)).sum(axis=-1))


bound = partial(of_panel, cite=("guttman-1945",), ci=RESAMPLED_ONLY)


@bound(key="lambda2", name="Guttman's lambda 2")
def lambda2(data: Panel, setting: Setting) -> Parts:
    """A lower bound of the reliability of the raters' sum, never below Cronbach's alpha (which is lambda 3).

    lambda2 = 1 - (sum_r s_r² - sqrt(k / (k - 1) · sum_r≠q s_rq²)) / s_total², s_rq the covariance of two raters

    When not to use it: As agreement between raters: it is the consistency of their sum and grows with their number.

    In other tools: R `psych::guttman` and `psych::splitHalf` print it for standardized scores (of correlations).

    Example: Guttman's lambda 2 over five raters was .86 (30 units).
    """
    return _of_sum(data, _second)


@bound(key="lambda4", name="Guttman's lambda 4")
def lambda4(data: Panel, setting: Setting) -> Parts:
    """The best split half: the largest of 4 cov(A, B) / s_total² over all ways to put the raters into two halves.

    lambda4 = max over halves A, B of 2 (1 - (s_A² + s_B²) / s_total²)

    When not to use it: With few units or many raters: the best of many halves is too good by chance. With an odd number
    of raters halves are unequal, and it stays below 1 even if all agree. With more than twelve there are too many.

    In other tools: R `psych::splitHalf` (maximum split half; for standardized scores, halves of equal size).

    Example: Guttman's lambda 4 over five raters was .89 (300 units).
    """
    if len(data.raters) > MOST_HALVED:
        return undefined(data, f"more than {MOST_HALVED} raters have too many halves")
    return _of_sum(data, _fourth)


@bound(key="lambda6", name="Guttman's lambda 6")
def lambda6(data: Panel, setting: Setting) -> Parts:
    """A lower bound of the reliability of the raters' sum from what the other raters explain of each.

    lambda6 = 1 - sum_r e_r² / s_total², e_r² the variance of rater r that a regression on the others leaves

    When not to use it: With hardly more units than raters: then a regression explains everything.

    In other tools: R `psych::alpha` and `psych::guttman` print it as G6 for standardized scores.

    Example: Guttman's lambda 6 over five raters was .87 (100 units).
    """
    return _of_sum(data, _sixth)


@of_panel(key="omega", name="McDonald's omega", cite=("mcdonald-1999",), ci=RESAMPLED_ONLY)
def omega(data: Panel, setting: Setting) -> Parts:
    """The share of the variance of the raters' sum that does not belong to single raters, if one factor joins them.

    omega = 1 - sum_r u_r² / s_total², u_r² what one common factor (least squares) leaves of the variance of rater r

    When not to use it: As agreement between raters, with fewer than three of them (then one factor is not determined),
    or if raters fall into camps: one factor does not fit.

    In other tools: R `psych::omega(nfactors = 1)` prints it as omega total, for standardized scores, with minres.

    Example: McDonald's omega over five raters was .88 (100 units).
    """
    return _of_sum(data, _unique, least=3)


@of_panel(
    key="kendall_w",
    name="Kendall's W",
    cite=("kendall-smith-1939", "siegel-castellan-1988"),
    needs=RANKS,
    recommended={Level.ORDINAL: (None, 6)},
)
def kendall_w(data: Panel, setting: Setting) -> Parts:
    """How far all raters put the units in one order, corrected for ties: 0 no common order, 1 the same order.

    W = 12 sum_i (R_i - mean R)² / (k² (N³ - N) - k sum_r T_r), R_i the sum of unit i's ranks,
    T_r the sum of t³ - t over the groups of t units that rater r tied

    The details hold chi² = k (N - 1) W with N - 1 degrees of freedom.

    When not to use it: If units are missing for some raters (they are dropped), and for agreement on the values: only
    the order counts.

    In other tools: R `irr::kendall(correct = TRUE)`, `DescTools::KendallW(correct = TRUE)`; scipy `friedmanchisquare`
    gives chi² = k (N - 1) W with the same tie correction. Without the correction W is too low where there are ties.

    Example: Kendall's W was .81, chi² (29) = 94 (four raters, 30 units).
    """
    if lack := unusable(data):
        return undefined(data, lack)
    k, n = data.scores.shape[1], data.weights.sum(axis=-1)
    sums, ties = np.zeros(data.weights.shape), np.zeros(n.shape)
    for scores in data.scores.T:  # only one rater's ranks are held at a time
        _, group = np.unique(scores, return_inverse=True)
        order = np.argsort(group, kind="stable")
        starts = np.nonzero(np.diff(group[order], prepend=-1))[0]
        totals = np.add.reduceat(data.weights[..., order], starts, axis=-1)
        sums += (np.cumsum(totals, axis=-1) - (totals - 1) / 2)[..., group]
        ties += (totals**3 - totals).sum(axis=-1)
    spread = (data.weights * np.square(sums - (k * (n + 1) / 2)[..., None])).sum(axis=-1)
    value = ratio(12 * spread, k**2 * (n**3 - n) - k * ties)
    details: dict[str, Any] = {}
    if value.ndim == 0 and not np.isnan(value):
        details = {"chi_square": k * (float(n) - 1) * float(value), "degrees_of_freedom": int(n) - 1}
    return Parts(
        value=value, why="every rater gave the same value to all units, so the formula is 0/0", details=details
    )


MEASURES = (kendall_w, cronbach_alpha, omega, lambda2, lambda4, lambda6)
