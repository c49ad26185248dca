"""Intervals: what every method returns, and the methods.

* Value ± quantile · standard error; published errors are named with their source, and where none is published for a
  case the notes say so.
* The bootstrap: percentile, and bias-corrected and accelerated (Efron 1987; Efron & Tibshirani 1993). Resampled are
  whole units (with all their judgements), raters, or both. Pairs of judgements are never resampled on their own: they
  are not independent, and intervals made of them are too narrow.
* The jackknife: leave out one unit (or one rater) at a time and see how much the value moves. Units with one pattern
  move it equally, so there are only as many values to compute as patterns. Beyond `MOST_GROUPS` patterns the units are
  put at random into groups that are left out together: the delete-m jackknife for unequal m (Busing, Meijer & van der
  Leeden 1999).
* The hull of two jackknife intervals, for numbers: the plain one is right above and too short below, the one on
  Fisher's z the other way round.
"""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.measures.result import Agreement, Interval
from concordant.measures.spec import Computed, Setting, StandardError
from concordant.measures.usual import FEW_CLUSTERS
from concordant.progress import Progress, silent
from concordant.randomness import generator
from concordant.uncertainty.resampling import (
    MOST_GROUPS,
    LeftOut,
    Over,
    Sampling,
    leave_out,
    resampled,
)


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """An interval, or none, with what the reader must know about it."""

    interval: Interval | None
    notes: tuple[str, ...] = ()


def quantiles(values: Floats, shares: Floats) -> Floats:
    """The same digits as np.quantile, which would import masked arrays: a tenth of what a small measurement takes."""
    place = shares * (len(values) - 1)
    below = np.floor(place).astype(np.int64)
    ordered = np.sort(values)
    low, high, part = ordered[below], ordered[np.minimum(below + 1, len(values) - 1)], place - below
    return np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1 - part))


def no_interval(why: str) -> Uncertainty:
    """No interval, and the reason."""
    return Uncertainty(interval=None, notes=(why,))


STEPS = 20  # more than Newton needs for a confidence of .999


def t_quantile(share: float, freedom: float) -> float:
    """Student's t below which this share lies; with infinitely many degrees of freedom that of the normal distribution.

    By Newton's steps on P(0 < T < √ν tan θ) = Γ((ν+1)/2) / (√π Γ(ν/2)) ∫ cos^(ν-1), the integral from 0 to θ by
    Simpson's rule. scipy has it, and takes longer to import than a small measurement takes.
    """
    z = 0.0
    for _ in range(STEPS):
        z -= (0.5 * math.erf(z / math.sqrt(2)) - (share - 0.5)) * math.sqrt(2 * math.pi) * math.exp(z * z / 2)
    if freedom == math.inf:
        return z
    x = freedom / 2
    above = math.sqrt(x) * (1 - 1 / (8 * x) + 1 / (128 * x * x) + 5 / (1024 * x**3))  # Γ(x + ½) / Γ(x)
    front = (math.exp(math.lgamma(x + 0.5) - math.lgamma(x)) if x < 500 else above) / math.sqrt(math.pi)
    simpson = np.ones(2001) * 2 + 2 * (np.arange(2001) % 2)
    simpson[[0, -1]] = 1
    theta = math.atan(z / math.sqrt(freedom))
    for _ in range(STEPS):
        curve = np.exp((freedom - 1) / 2 * np.log1p(-(np.sin(np.linspace(0, theta, 2001)) ** 2)))
        held = front * float(simpson @ curve) * theta / 6000
        theta -= (held - (share - 0.5)) / (front * float(curve[-1]))
    return math.sqrt(freedom) * math.tan(theta)


def t_interval(value: float, error: float, freedom: float, *, confidence: float, method: str) -> Interval:
    """value ± t · error; with infinitely many degrees of freedom the normal interval."""
    half = error * t_quantile((1 + confidence) / 2, freedom)
    return Interval(low=value - half, high=value + half, level=confidence, method=method)


def bounded(interval: Interval) -> Uncertainty:
    """The interval, its ends cut at -1 and 1 where no coefficient can lie; said in the notes if that happens."""
    low, high = max(interval.low, -1.0), min(interval.high, 1.0)
    if (low, high) == (interval.low, interval.high):
        return Uncertainty(interval=interval)
    cut = replace(interval, low=low, high=high)
    return Uncertainty(interval=cut, notes=("the interval was cut where the coefficient ends, at -1 or 1",))


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
    if over != "raters" and (lack := too_few(sampling)):
        return no_interval(lack)
    values = resampled(sampling, over=over, resamples=resamples, seed=seed, progress=progress)
    defined = values[~np.isnan(values)]
    undefined, notes = resamples - len(defined), []
    if undefined:
        end = "too many for an interval" if undefined > MOST_UNDEFINED * resamples else "left out of the interval"
        notes.append(f"{undefined:,} of {resamples:,} resamples are undefined: {end}")
    if len(defined) and np.ptp(defined) < 1e-12:
        notes.append("all resamples give the same value, so the interval has no width; that is not certainty")
    if over != "units" and len(sampling.data.used_raters) < FEW_RATERS:
        notes.append(f"only {len(sampling.data.used_raters)} raters to resample: the interval is rough")
    if len(defined) < (1 - MOST_UNDEFINED) * resamples:
        return Uncertainty(interval=None, notes=tuple(notes))
    shares = tail_shares(confidence)
    if corrected:
        shares = bca_shares(shares, defined, value, acceleration(sampling, over=over))
        if np.isnan(shares).any():
            why = "all resamples lie on one side of the value, so the BCa interval is undefined; use ci=bootstrap"
            return Uncertainty(interval=None, notes=(*notes, why))
    low, high = quantiles(defined, shares)
    what = {"units": sampling.over, "raters": "raters", "both": f"{sampling.over} and raters"}[over]
    method = f"{'BCa' if corrected else 'percentile'} bootstrap over {what}, {resamples:,} resamples"
    found = Interval(low=float(low), high=float(high), level=confidence, method=method)
    return told(Uncertainty(interval=found, notes=tuple(notes)), sampling, over)


FEWEST_CLUSTERS = 5


def too_few(sampling: Sampling, done: str = "resampled") -> str | None:
    """Why what there is cannot be resampled, or whatever is to be done; None if there is enough."""
    n = round(float(sampling.times.sum()))
    if sampling.bundles is not None and n < FEWEST_CLUSTERS:
        return f"no interval: there are only {n} {sampling.bundles.name} to draw, and it takes {FEWEST_CLUSTERS}"
    return f"one unit cannot be {done}, so there is no interval" if n < 2 else None


def told(found: Uncertainty, sampling: Sampling, over: Over) -> Uncertainty:
    """The interval with what was drawn; of clusters how many and what they cost, with a note if they are few."""
    if found.interval is None or over == "raters" or sampling.bundles is None:
        words = {"units": str(sampling.data.unit), "raters": "raters", "both": "units and raters"}
        named = None if found.interval is None else replace(found.interval, over=words[over])
        return replace(found, interval=named)
    n, name = sampling.bundles.n_clusters, sampling.bundles.name
    few = (f"the interval rests on {n} {name} only",) if n < FEW_CLUSTERS else ()
    what = name if over == "units" else f"{name} and raters"
    interval = replace(found.interval, over=what, n_clusters=n, design_effect=design_effect(sampling))
    return replace(found, interval=interval, notes=(*found.notes, *few))


def design_effect(sampling: Sampling) -> float | None:
    """How many times the variance is that of units that stand alone, by how units move the value; None if unknown.

    Where patterns are too many to look at each, both variances are those of the jackknife.
    """
    alone = sampling.alone()
    if sampling.bundles is None or len(alone.weights) > MOST_GROUPS:
        value = float(sampling.drawn(sampling.times[np.newaxis])[0])
        errors = [standard_error(leave_out(one, over="units"), value) for one in (alone, sampling)]
    else:
        moved = influence(alone)
        errors = [linear_error(alone.times, moved), linear_error(sampling.times, sampling.bundles.sums(moved))]
    apart, together = errors
    return (together / apart) ** 2 if apart > 0 and np.isfinite(together) else None


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


def acceleration(sampling: Sampling, *, over: Over) -> float:
    """The a of BCa: a sixth of the skewness of the units' influence (Efron 1987); 0 where nothing moves the value."""
    left = leave_out(sampling, over=over)
    defined = ~np.isnan(left.values)
    moved, times = left.values[defined], left.times[defined]
    if not times.sum():
        return 0.0
    influence = moved @ times / times.sum() - moved
    spread = float(influence**2 @ times)
    return 0.0 if spread < 1e-24 else float(influence**3 @ times) / (6 * spread**1.5)


def standard_error(left: LeftOut, value: float) -> float:
    """The delete-m jackknife standard error; with m = 1 the usual √((n-1)/n Σ (θ_(i) - mean)²)."""
    share = left.total / left.size
    pseudo = share * value - (share - 1) * left.values
    centre = left.n_groups * value - ((1 - 1 / share) * left.values) @ left.times
    return float(np.sqrt(((pseudo - centre) ** 2 / (share - 1)) @ left.times / left.n_groups))


def jackknife(sampling: Sampling, value: float, *, over: Over, confidence: float) -> Uncertainty:
    """value ± t · standard error, with (groups - 1) degrees of freedom."""
    if over == "both":
        raise InputError("the jackknife leaves out units or raters, not both", hint="use the bootstrap over both")
    if over == "units" and (lack := too_few(sampling, "left out")):
        return no_interval(lack)
    left = leave_out(sampling, over=over)
    undefined = int(left.times[np.isnan(left.values)].sum())
    if undefined:
        return no_interval(f"undefined when any of {undefined:,} {over} is left out, so there is no jackknife interval")
    error = standard_error(left, value)
    method = f"jackknife over {sampling.over if over == 'units' else over}"
    return told(
        bounded(t_interval(value, error, left.n_groups - 1, confidence=confidence, method=method)), sampling, over
    )


STEP = 1e-5  # of a cluster, by which its influence is found


def influence(sampling: Sampling) -> Floats:
    """How the value rises with one more of each kind of what is drawn, by central differences."""
    times, rows, parts = sampling.times, sampling.block_rows(), []
    n = len(times)
    for i in range(0, n, rows):
        step = STEP * (np.arange(n) == np.arange(i, min(i + rows, n))[:, np.newaxis])
        parts.append((sampling.drawn(times + step) - sampling.drawn(times - step)) / (2 * STEP))
    return np.concatenate(parts)


def linear_error(times: Floats, moved: Floats) -> float:
    """√(G/(G-1) Σ ψ²) of G units or clusters, each of which moves the value by ψ."""
    g = float(times.sum())
    return float(np.sqrt(g / (g - 1) * (times @ (moved - times @ moved / g) ** 2)))


def linearised(sampling: Sampling, value: float, known: Floats | None = None, *, confidence: float) -> Uncertainty:
    """value ± t · √(G/(G-1) Σ ψ²) with G - 1 degrees of freedom, where ψ is the influence of one of G clusters.

    The case of units is the usual linearisation (Gwet 2021). ψ is the sum of what its units are `known` to do, or found
    by central differences.
    """
    if lack := too_few(sampling):
        return no_interval(lack)
    times, bundles = sampling.times, sampling.bundles
    moved = influence(sampling) if known is None else known if bundles is None else bundles.sums(known)
    error, g = linear_error(times, moved), float(times.sum())
    over = f"{round(g):,} {sampling.over}" if bundles is None else sampling.over
    how: dict[str, Any] = {"confidence": confidence, "method": f"linearised over {over}"}
    return told(bounded(t_interval(value, error, g - 1, **how)), sampling, "units")


def hull(sampling: Sampling, value: float, *, confidence: float) -> Uncertainty:
    """From the lower low end to the higher high end of two jackknife intervals, plain and on Fisher's z."""
    if lack := too_few(sampling, "left out"):
        return no_interval(lack)
    left = leave_out(sampling, over="units")
    if undefined := int(left.times[np.isnan(left.values)].sum()):
        return no_interval(f"undefined when any of {undefined:,} units is left out, so there is no jackknife interval")
    method = f"hull of two jackknife intervals over {sampling.over}, plain and on Fisher's z"
    how: dict[str, Any] = {"freedom": left.n_groups - 1, "confidence": confidence, "method": method}
    inside = partial(np.clip, a_min=-ALMOST_ONE, a_max=ALMOST_ONE)
    on_z = replace(left, values=np.arctanh(inside(left.values)))
    plain = t_interval(value, standard_error(left, value), **how)
    centre = float(np.arctanh(inside(value)))
    other = t_interval(centre, standard_error(on_z, centre), **how)
    low = max(-1.0, min(plain.low, float(np.tanh(other.low))))
    high = min(1.0, max(plain.high, float(np.tanh(other.high))))
    notes = (
        ()
        if high - low > 1e-9
        else ("no judgement moves the value, so the interval has no width; that is not certainty",)
    )
    return told(Uncertainty(interval=replace(plain, low=low, high=high), notes=notes), sampling, "units")


ALMOST_ONE = 1 - 1e-12  # beyond it Fisher's z is rounding error


def analytic(sampling: Sampling, result: Agreement, *, confidence: float, is_linear: bool = False) -> Uncertainty:
    """The published interval of a result that has a value, from what its measure knows.

    What is published takes units to be independent; where they belong together, or with `is_linear`, the error is
    linearised: from how units move the value where that is known.
    """
    found = _computed(sampling, result, confidence)
    published = sampling.measure.standard_error
    error = f"no published interval for {found.key}" if published is None else published(found)
    if sampling.bundles is not None or is_linear:
        moved = error.influence if isinstance(error, StandardError) else None
        return linearised(sampling, found.value, moved, confidence=confidence)
    if isinstance(error, StandardError):
        how: dict[str, Any] = {"confidence": confidence, "method": error.source}
        if not error.on_z:
            return bounded(t_interval(found.value, error.error, error.freedom, **how))
        if abs(found.value) <= ALMOST_ONE and np.isfinite(error.error):  # tanh(atanh(value) ± quantile · error)
            on_z = t_interval(float(np.arctanh(found.value)), error.error, error.freedom, **how)
            low, high = float(np.tanh(on_z.low)), float(np.tanh(on_z.high))
            return Uncertainty(interval=Interval(low=low, high=high, level=confidence, method=error.source))
        error = found.undefined
    return Uncertainty(interval=error) if isinstance(error, Interval) else no_interval(f"{error}; use ci=bootstrap")


def _computed(sampling: Sampling, result: Agreement, confidence: float) -> Computed:
    """A result with what it was computed from."""
    return Computed(
        key=result.measure,
        data=sampling.data,
        setting=Setting(data=sampling.data, options=sampling.options),
        value=float(result),
        expected=result.expected or 0.0,
        confidence=confidence,
    )


def pivotal(sampling: Sampling, result: Agreement, *, confidence: float, seed: int) -> Uncertainty:
    """Between the quantiles of draws from generalized pivots; an end that the value lies beyond is moved to it."""
    if sampling.bundles is not None:
        other = "draw every unit alone" if sampling.data.scale.asked else "use ci=bootstrap"
        return no_interval(f"pivots take units to be independent, and these belong together; {other}")
    draw = sampling.measure.pivots
    found = "it has no pivots" if draw is None else draw(_computed(sampling, result, confidence), generator(seed))
    if isinstance(found, str) or not len(found.values):
        return no_interval(found if isinstance(found, str) else "no draw from the pivots has a value")
    low, high = map(float, quantiles(found.values, tail_shares(confidence)))
    value, n = float(result), len(found.values)
    how: dict[str, Any] = {"level": confidence, "method": f"generalized pivots, {n:,} draws", "over": sampling.over}
    return Uncertainty(interval=Interval(low=min(low, value), high=max(high, value), **how), notes=found.notes)
