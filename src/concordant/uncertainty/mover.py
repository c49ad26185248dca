"""The difference of two independent figures, from the interval of each (MOVER).

Zou, G. Y. & Donner, A. (2008). Construction of confidence limits about effect measures: a general approach. Statistics
in Medicine 27, 1693-1702.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Limits:
    """A value and its limits."""

    value: float
    low: float
    high: float


def difference_limits(one: Limits, other: Limits) -> Limits:
    """One less the other: distances to the limits are joined by the root of their squares.

    >>> difference_limits(Limits(0.8, 0.7, 0.9), Limits(0.5, 0.4, 0.6)).low.__round__(3)
    0.159
    """
    gap = one.value - other.value
    low = gap - float(np.hypot(one.value - one.low, other.high - other.value))
    return Limits(gap, low, gap + float(np.hypot(one.high - one.value, other.value - other.low)))
