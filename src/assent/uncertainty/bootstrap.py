"""Bootstrap intervals: percentile, and bias-corrected and accelerated (Efron 1987; Efron & Tibshirani 1993).

Resampled are whole units (with all their judgements), raters, or both. Pairs of judgements are never
resampled on their own: they are not independent, and intervals made of them are too narrow.
"""

import numpy as np

from assent.arrays import Floats
from assent.measures.result import Interval
from assent.progress import Progress, silent
from assent.uncertainty.intervals import Uncertainty, no_interval, quantiles
from assent.uncertainty.resampling import Over, Sampling, rater_values, unit_values

MOST_UNDEFINED = 0.1  # with a larger share of undefined resamples there is no interval
FEW_RATERS = 10


def bootstrap(
    sampling: Sampling,
    value: float,
    *,
    over: Over,
    confidence: float,
    resamples: int,
    seed: int,
    corrected: bool = False,
    progress: Progress = silent,
) -> Uncertainty:
    """The percentile interval, or with `corrected` the BCa interval, around the measure's value on the data."""
    if over == "units" and sampling.weights.sum() < 2:
        return no_interval("one unit cannot be resampled, so there is no interval")
    values = resampled(sampling, over=over, resamples=resamples, seed=seed, progress=progress)
    defined = values[~np.isnan(values)]
    notes = (*_undefined_notes(len(values) - len(defined), resamples), *_spread_notes(defined, sampling, over))
    if len(defined) < (1 - MOST_UNDEFINED) * resamples:
        return Uncertainty(interval=None, notes=notes)
    shares = tail_shares(confidence)
    if corrected:
        from assent.uncertainty.jackknife import acceleration

        shares = bca_shares(shares, defined, value, acceleration(sampling, over=over))
        if np.isnan(shares).any():
            why = "all resamples lie on one side of the value, so the BCa interval is undefined; use ci=bootstrap"
            return Uncertainty(interval=None, notes=(*notes, why))
    low, high = quantiles(defined, shares)
    method = _method(over, resamples, corrected=corrected)
    return Uncertainty(
        interval=Interval(low=float(low), high=float(high), level=confidence, method=method), notes=notes
    )


def resampled(sampling: Sampling, *, over: Over, resamples: int, seed: int, progress: Progress = silent) -> Floats:
    """The measure on every resample, NaN where it is undefined."""
    if over == "units":
        return unit_values(sampling, resamples=resamples, seed=seed, progress=progress)
    return rater_values(sampling, resamples=resamples, seed=seed, with_units=over == "both", progress=progress)


def tail_shares(confidence: float) -> Floats:
    """The two shares that cut off equal tails: .025 and .975 for 95 %."""
    return np.array([(1 - confidence) / 2, (1 + confidence) / 2])


def bca_shares(shares: Floats, values: Floats, value: float, acceleration: float) -> Floats:
    """The shares moved by bias z0 and acceleration a: Φ(z0 + (z0 + z) / (1 - a (z0 + z))); NaN if z0 is infinite."""
    from scipy.special import ndtr, ndtri

    same = np.isclose(values, value, rtol=0, atol=1e-12)
    z0 = ndtri((((values < value) & ~same).sum() + same.sum() / 2) / len(values))
    if not np.isfinite(z0):
        return np.full(2, np.nan)
    z = z0 + ndtri(shares)
    return np.asarray(ndtr(z0 + z / (1 - acceleration * z)))


def _method(over: Over, resamples: int, *, corrected: bool) -> str:
    """The exact name of the interval."""
    kind = "BCa bootstrap" if corrected else "percentile bootstrap"
    what = "units and raters" if over == "both" else over
    return f"{kind} over {what}, {resamples:,} resamples"


def _undefined_notes(undefined: int, resamples: int) -> tuple[str, ...]:
    """How many resamples have no value, and whether that is too many."""
    if not undefined:
        return ()
    many = undefined > MOST_UNDEFINED * resamples
    end = "too many for an interval" if many else "left out of the interval"
    return (f"{undefined:,} of {resamples:,} resamples are undefined: {end}",)


def _spread_notes(values: Floats, sampling: Sampling, over: Over) -> tuple[str, ...]:
    """Cautions about intervals that look better than they are."""
    notes = []
    if len(values) and np.ptp(values) < 1e-12:
        notes.append("all resamples give the same value, so the interval has no width; that is not certainty")
    n_raters = len(sampling.data.used_raters)
    if over != "units" and n_raters < FEW_RATERS:
        notes.append(f"only {n_raters} raters to resample: the interval is rough")
    return tuple(notes)
