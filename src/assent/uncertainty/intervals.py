"""What every method of uncertainty returns, and the two textbook intervals: value ± quantile · standard error."""

from dataclasses import dataclass

from assent.measures.result import Interval


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """An interval, or none, with what the reader must know about it."""

    interval: Interval | None
    notes: tuple[str, ...] = ()


def no_interval(why: str) -> Uncertainty:
    """No interval, and the reason."""
    return Uncertainty(interval=None, notes=(why,))


def t_interval(value: float, error: float, freedom: float, *, confidence: float, method: str) -> Interval:
    """value ± t · error; with infinitely many degrees of freedom the normal interval."""
    from scipy.special import ndtri, stdtrit

    share = (1 + confidence) / 2
    half = error * float(stdtrit(freedom, share) if freedom < float("inf") else ndtri(share))
    return Interval(low=value - half, high=value + half, level=confidence, method=method)
