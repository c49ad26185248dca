"""Exact intervals from the F distribution: ICC (McGraw & Wong 1996) and Cronbach's alpha (Feldt 1965)."""

import numpy as np

from assent.engines.views import Panel
from assent.measures.reliability import Variances, variances
from assent.measures.result import Interval

MCGRAW_WONG = "F distribution (McGraw & Wong 1996)"
FELDT = "F distribution (Feldt 1965)"


def quantile(share: float, first: float, second: float) -> float:
    """The F quantile with so many degrees of freedom."""
    from scipy.special import fdtri

    return float(fdtri(first, second, share))


def reliability_interval(key: str, panel: Panel, value: float, confidence: float) -> Interval | None:
    """The interval of one of the ICCs or of Cronbach's alpha; None where the mean squares allow none."""
    found, share = variances(panel), (1 + confidence) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = _agreement(found, share) if key in ("icc_a1", "icc_ak") else _consistency(found, share, key)
        if key in ("icc1k", "icc_ak", "icc_ck", "cronbach_alpha"):
            ends = (_of_mean(ends[0], found.k), _of_mean(ends[1], found.k))
    if not np.isfinite(ends).all():
        return None
    return Interval(
        low=ends[0], high=ends[1], level=confidence, method=FELDT if key == "cronbach_alpha" else MCGRAW_WONG
    )


def _consistency(found: Variances, share: float, key: str) -> tuple[float, float]:
    """One-way and consistency forms of one rater's score: F = MSR / MSW or MSR / MSE, between its quantiles."""
    n, k = float(found.n), found.k
    is_one_way = key in ("icc1", "icc1k")
    error, freedom = (found.msw, n * (k - 1)) if is_one_way else (found.mse, (n - 1) * (k - 1))
    f = float(np.divide(found.msr, error))
    low, high = f / quantile(share, n - 1, freedom), f * quantile(share, freedom, n - 1)
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _agreement(found: Variances, share: float) -> tuple[float, float]:
    """Absolute agreement of one rater's score, with Satterthwaite's degrees of freedom v."""
    n, k = float(found.n), found.k
    msr, msc, mse = np.float64(found.msr), np.float64(found.msc), np.float64(found.mse)
    value = (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)
    a = k * value / (n * (1 - value)) if value < 1 else np.inf
    b = 1 + a * (n - 1)
    v = (a * msc + b * mse) ** 2 / ((a * msc) ** 2 / (k - 1) + (b * mse) ** 2 / ((n - 1) * (k - 1)))
    rest = k * msc + (k * n - k - n) * mse
    low, high = quantile(share, n - 1, float(v)), quantile(share, float(v), n - 1)
    first, last = n * (msr - low * mse) / (low * rest + n * msr), n * (high * msr - mse) / (rest + n * high * msr)
    return float(first), float(last)


def _of_mean(end: float, k: int) -> float:
    """From one rater's score to the mean of k (Spearman & Brown)."""
    return float(np.divide(k * end, 1 + (k - 1) * end))
