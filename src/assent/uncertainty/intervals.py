"""What every method of uncertainty returns, and the two textbook intervals: value ± quantile · standard error."""

from dataclasses import dataclass

import numpy as np

from assent.arrays import Floats
from assent.measures.result import Interval


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


def t_interval(value: float, error: float, freedom: float, *, confidence: float, method: str) -> Interval:
    """value ± t · error; with infinitely many degrees of freedom the normal interval."""
    from scipy.special import ndtri, stdtrit

    share = (1 + confidence) / 2
    half = error * float(stdtrit(freedom, share) if freedom < float("inf") else ndtri(share))
    return Interval(low=value - half, high=value + half, level=confidence, method=method)


def bounded(interval: Interval) -> Uncertainty:
    """The interval, its ends cut at -1 and 1 where no coefficient can lie; said in the notes if that happens."""
    low, high = max(interval.low, -1.0), min(interval.high, 1.0)
    if (low, high) == (interval.low, interval.high):
        return Uncertainty(interval=interval)
    cut = Interval(low=low, high=high, level=interval.level, method=interval.method)
    return Uncertainty(interval=cut, notes=("the interval was cut where the coefficient ends, at -1 or 1",))
