"""Intraclass correlations, and what one rater and the mean of several are worth in any design.

Where every rater judged every unit the intraclass correlations are ratios of mean squares of one analysis of variance,
in the notation of McGraw & Wong (1996):

    MSR between units, MSC between raters, MSE what is left of both, MSW within units (MSC and MSE together)

Where some did not, they are what they estimate: ratios of variance components (`components`), of all units with two
judgements or more. The k of ICC(·,k) is then the harmonic mean of the judgements per unit (ten Hove et al. 2022).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from concordant.arrays import Floats
from concordant.engines.views import Panel, Scores, ratio
from concordant.measures.dependability import ALL_EQUAL, Design, drawn, from_components, of_scores
from concordant.measures.result import Interval
from concordant.measures.spec import Computed, Parts, Setting, WithIncomplete, undefined
from concordant.model.scale import Level

MCGRAW_WONG = "F distribution (McGraw & Wong 1996)"
ALIKE = "all complete units have the same mean score, so there is nothing to tell them apart by and the formula is x/0"
NO_SPREAD = "the scores differ only between raters, not between units, so the formula is 0/0"
FROM_COMPONENTS = "from variance components (REML), since not every rater judged every unit"
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


def unusable(data: Panel) -> str:
    """Why there is no panel of two raters and two complete units; empty if there is."""
    if len(data.raters) < 2:
        return "there is only one rater, and reliability needs two" if data.raters else "there are no judgements"
    n_units = data.weights.sum(axis=-1).max(initial=0.0)
    if n_units < 2:
        judged = "no unit was" if n_units < 1 else "only one unit was"
        return f"{judged} judged by all {len(data.raters)} raters, and reliability needs two units"
    return ""


def _intraclass(
    data: Scores, setting: Setting, design: Design, parts: Callable[[Variances], tuple[Floats, Floats]], why: str
) -> Parts:
    """A ratio of sums of mean squares; of units that not everybody judged, a ratio of components."""
    if not data.is_complete and setting.options.incomplete == "use":
        found = from_components(data, design)
        notes: tuple[str, ...] = (FROM_COMPONENTS,)
        if design.of_mean and "k" in found.details:
            notes += (f"k is {found.details['k']:.3g}, the harmonic mean of the judgements per unit",)
        return replace(found, notes=notes)
    panel = data.panel
    if lack := unusable(panel):
        return undefined(data, lack)
    squares, shown = variances(panel), ("msr", "msc", "mse", "msw") if data.weights.ndim == 1 else ()
    return Parts(value=ratio(*parts(squares)), why=why, details={name: float(getattr(squares, name)) for name in shown})


def _quantile(share: float, first: float, second: float) -> float:
    """The F quantile with so many degrees of freedom."""
    from scipy.special import fdtri

    return float(fdtri(first, second, share))


def f_interval(
    found: Computed,
    form: Callable[[Variances, float], tuple[float, float]],
    *,
    of_mean: bool = False,
    drops: bool = False,
    source: str = MCGRAW_WONG,
) -> Interval | str:
    """The exact interval of one rater's score or of the mean of k (Spearman & Brown).

    It is of complete units: where a measure uses others too there is none, unless it always `drops` them.
    """
    panel = found.data.panel
    if not drops and found.setting.options.incomplete == "use" and not found.data.scores.is_complete:
        return "no published interval where units have missing judgements"
    squares = variances(panel)
    k = squares.k
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = form(squares, (1 + found.confidence) / 2)
        low, high = (float(np.divide(k * end, 1 + (k - 1) * end)) if of_mean else end for end in ends)
    if not np.isfinite([low, high]).all():
        return found.undefined
    return Interval(low=low, high=high, level=found.confidence, method=source)


def _one_way(found: Variances, share: float) -> tuple[float, float]:
    """F = MSR / MSW, between its quantiles."""
    return _between(found, found.msw, float(found.n) * (found.k - 1), share)


def consistency(found: Variances, share: float) -> tuple[float, float]:
    """F = MSR / MSE, between its quantiles."""
    return _between(found, found.mse, (float(found.n) - 1) * (found.k - 1), share)


def _between(found: Variances, error: Floats, freedom: float, share: float) -> tuple[float, float]:
    n, k, f = float(found.n), found.k, float(np.divide(found.msr, error))
    low, high = f / _quantile(share, n - 1, freedom), f * _quantile(share, freedom, n - 1)
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _agreement(found: Variances, share: float) -> tuple[float, float]:
    """Absolute agreement, with Satterthwaite's degrees of freedom v."""
    n, k = float(found.n), found.k
    msr, msc, mse = np.float64(found.msr), np.float64(found.msc), np.float64(found.mse)
    value = (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)
    a = k * value / (n * (1 - value)) if value < 1 else np.inf
    b = 1 + a * (n - 1)
    v = (a * msc + b * mse) ** 2 / ((a * msc) ** 2 / (k - 1) + (b * mse) ** 2 / ((n - 1) * (k - 1)))
    rest = k * msc + (k * n - k - n) * mse
    low, high = _quantile(share, n - 1, float(v)), _quantile(share, float(v), n - 1)
    first, last = n * (msr - low * mse) / (low * rest + n * msr), n * (high * msr - mse) / (rest + n * high * msr)
    return float(first), float(last)


intraclass = partial(
    of_scores, cite=("mcgraw-wong-1996", "shrout-fleiss-1979", "ten-hove-2022"), options=WithIncomplete
)
ONE_WAY, ONE_WAY_MEAN = Design(one_way=True), Design(one_way=True, of_mean=True)
AGREEMENT, AGREEMENT_MEAN = Design(), Design(of_mean=True)
CONSISTENCY, CONSISTENCY_MEAN = Design(absolute=False), Design(absolute=False, of_mean=True)


@intraclass(
    key="icc1", name="ICC(1)", standard_error=partial(f_interval, form=_one_way), pivots=partial(drawn, design=ONE_WAY)
)
def icc1(data: Scores, setting: Setting) -> Parts:
    """One rater's score, raters drawn anew for every unit: the share of the variance that lies between units.

    ICC(1) = (MSR - MSW) / (MSR + (k - 1) MSW)

    When not to use it: If the same raters judged every unit: then their different levels can be told apart (use
    icc_a1).

    In other tools: Shrout & Fleiss ICC(1,1); pingouin prints it as ICC(1,1) (older versions, like R `psych::ICC`, as
    ICC1), `irr::icc(model = "oneway")`.

    Example: ICC(1) was .55 (four raters per item, drawn anew, 60 items).
    """
    return _intraclass(data, setting, ONE_WAY, lambda v: (v.msr - v.msw, v.msr + (v.k - 1) * v.msw), ALL_EQUAL)


@intraclass(
    key="icc1k",
    name="ICC(1,k)",
    standard_error=partial(f_interval, form=_one_way, of_mean=True),
    pivots=partial(drawn, design=ONE_WAY_MEAN),
)
def icc1k(data: Scores, setting: Setting) -> Parts:
    """The mean score of k raters, raters drawn anew for every unit.

    ICC(1,k) = (MSR - MSW) / MSR

    When not to use it: If a single rater's score will be used later: this is the reliability of the mean of k.

    In other tools: Shrout & Fleiss ICC(1,k); pingouin prints it as ICC(1,k) (older versions, like R `psych::ICC`, as
    ICC1k), `irr::icc(model = "oneway", unit = "average")`.

    Example: ICC(1,k) of the mean of four raters was .83 (60 items).
    """
    return _intraclass(data, setting, ONE_WAY_MEAN, lambda v: (v.msr - v.msw, v.msr), ALIKE)


@intraclass(
    key="icc_a1",
    name="ICC(A,1)",
    recommended={Level.INTERVAL: (3, 2), Level.RATIO: (3, 2)},
    standard_error=partial(f_interval, form=_agreement),
    pivots=partial(drawn, design=AGREEMENT),
)
def icc_a1(data: Scores, setting: Setting) -> Parts:
    """One rater's score, the same raters throughout, absolute agreement: a stricter rater lowers it.

    ICC(A,1) = (MSR - MSE) / (MSR + (k - 1) MSE + (k / N) (MSC - MSE))

    When not to use it: If only the order matters or levels are removed before use (then icc_c1), or if the mean of
    raters is used (icc_ak).

    In other tools: Shrout & Fleiss ICC(2,1); pingouin prints it as ICC(A,1) (older versions, like R `psych::ICC`, as
    ICC2), `irr::icc("twoway", "agreement", "single")`. With missing judgements irr drops units; lme4's components give
    our value.

    Example: ICC(A,1) was .71, 95 % interval .58 to .81 (three raters, 60 items).
    """
    return _intraclass(
        data,
        setting,
        AGREEMENT,
        lambda v: (v.msr - v.mse, v.msr + (v.k - 1) * v.mse + v.k * ratio(v.msc - v.mse, v.n)),
        ALL_EQUAL,
    )


@intraclass(
    key="icc_ak",
    name="ICC(A,k)",
    standard_error=partial(f_interval, form=_agreement, of_mean=True),
    pivots=partial(drawn, design=AGREEMENT_MEAN),
)
def icc_ak(data: Scores, setting: Setting) -> Parts:
    """The mean score of k raters, the same raters throughout, absolute agreement.

    ICC(A,k) = (MSR - MSE) / (MSR + (MSC - MSE) / N)

    When not to use it: If a single rater's score will be used later: this is the reliability of the mean of k.

    In other tools: Shrout & Fleiss ICC(2,k); pingouin prints it as ICC(A,k) (older versions, like R `psych::ICC`, as
    ICC2k), `irr::icc("twoway", "agreement", "average")`.

    Example: ICC(A,k) of the mean of three raters was .88 (60 items).
    """
    return _intraclass(
        data, setting, AGREEMENT_MEAN, lambda v: (v.msr - v.mse, v.msr + ratio(v.msc - v.mse, v.n)), BELOW_ZERO
    )


@intraclass(
    key="icc_c1",
    name="ICC(C,1)",
    recommended={Level.INTERVAL: (None, 3), Level.RATIO: (None, 3)},
    standard_error=partial(f_interval, form=consistency),
    pivots=partial(drawn, design=CONSISTENCY),
)
def icc_c1(data: Scores, setting: Setting) -> Parts:
    """One rater's score, the same raters throughout, consistency: a rater who is stricter on every unit does no harm.

    ICC(C,1) = (MSR - MSE) / (MSR + (k - 1) MSE)

    When not to use it: If levels matter: a rater who is two points stricter throughout does not lower it.

    In other tools: Shrout & Fleiss ICC(3,1); pingouin prints it as ICC(C,1) (older versions, like R `psych::ICC`, as
    ICC3), `irr::icc("twoway", "consistency", "single")`.

    Example: ICC(C,1) was .76 (three raters, 60 items).
    """
    return _intraclass(data, setting, CONSISTENCY, lambda v: (v.msr - v.mse, v.msr + (v.k - 1) * v.mse), NO_SPREAD)


@intraclass(
    key="icc_ck",
    name="ICC(C,k)",
    standard_error=partial(f_interval, form=consistency, of_mean=True),
    pivots=partial(drawn, design=CONSISTENCY_MEAN),
)
def icc_ck(data: Scores, setting: Setting) -> Parts:
    """The mean score of k raters, the same raters throughout, consistency. It equals Cronbach's alpha.

    ICC(C,k) = (MSR - MSE) / MSR

    When not to use it: If a single rater's score will be used later, or if levels matter.

    In other tools: Shrout & Fleiss ICC(3,k); pingouin prints it as ICC(C,k) (older versions, like R `psych::ICC`, as
    ICC3k). It equals `cronbach_alpha`.

    Example: ICC(C,k) of the mean of three raters was .90 (60 items).
    """
    return _intraclass(data, setting, CONSISTENCY_MEAN, lambda v: (v.msr - v.mse, v.msr), ALIKE)


MEASURES = (icc1, icc1k, icc_a1, icc_ak, icc_c1, icc_ck)
