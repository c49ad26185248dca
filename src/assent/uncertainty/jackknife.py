"""The jackknife: leave out one unit (or one rater) at a time and see how much the value moves.

Units with one pattern move it equally, so there are only as many values to compute as patterns. Beyond
`MOST_GROUPS` patterns the units are put at random into groups that are left out together: the
delete-m jackknife for unequal m (Busing, Meijer & van der Leeden 1999).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.errors import InputError
from assent.randomness import generator
from assent.uncertainty.intervals import Uncertainty, bounded, no_interval, t_interval
from assent.uncertainty.resampling import Over, Sampling, rater_computer, raters_to_draw

MOST_GROUPS = 2000


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Values without each group: `times` groups of `size` units (or raters) each give the same value."""

    values: Floats
    size: Floats
    times: Floats

    @property
    def total(self) -> float:
        """All units (or raters)."""
        return float(self.size @ self.times)

    @property
    def n_groups(self) -> float:
        """How many groups are left out in turn."""
        return float(self.times.sum())


def leave_out(sampling: Sampling, *, over: Over) -> LeftOut:
    """The value without each unit or group of units, or without each rater."""
    return _without_raters(sampling) if over == "raters" else _without_units(sampling)


def _without_units(sampling: Sampling) -> LeftOut:
    """One unit of each pattern left out, or one random group of units."""
    weights, rows = sampling.weights, sampling.block_rows()
    n_patterns = len(weights)
    if n_patterns <= MOST_GROUPS:
        parts = [sampling.values(weights - np.eye(n_patterns)[i : i + rows]) for i in range(0, n_patterns, rows)]
        return LeftOut(values=np.concatenate(parts), size=np.ones(n_patterns), times=weights)
    groups = _random_groups(weights)
    blocks = (groups[i : i + rows] for i in range(0, MOST_GROUPS, rows))
    parts = [sampling.values(weights - _drawn(block, n_patterns)) for block in blocks]
    size = np.array([len(group) for group in groups], dtype=np.float64)
    return LeftOut(values=np.concatenate(parts), size=size, times=np.ones(MOST_GROUPS))


def _random_groups(weights: Floats) -> list[NDArray[np.int64]]:
    """The units, each written as its pattern, in random groups of nearly equal size, the same every time."""
    owner = np.repeat(np.arange(len(weights)), weights.astype(np.int64))
    return np.array_split(generator(0).permutation(owner), MOST_GROUPS)


def _drawn(groups: list[NDArray[np.int64]], n_patterns: int) -> Floats:
    """How often each pattern is in each group."""
    return np.array([np.bincount(group, minlength=n_patterns) for group in groups], dtype=np.float64)


def _without_raters(sampling: Sampling) -> LeftOut:
    """Each rater left out."""
    used, compute, units = raters_to_draw(sampling), rater_computer(sampling), sampling.data.patterns.weights
    everybody = np.zeros(len(sampling.data.raters))
    everybody[used] = 1
    values = [compute(everybody * (np.arange(len(everybody)) != rater), units) for rater in used]
    return LeftOut(values=np.array(values), size=np.ones(len(used)), times=np.ones(len(used)))


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
    if over == "units" and sampling.weights.sum() < 2:
        return no_interval("one unit cannot be left out, so there is no interval")
    left = leave_out(sampling, over=over)
    undefined = int(left.times[np.isnan(left.values)].sum())
    if undefined:
        return no_interval(f"undefined when any of {undefined:,} {over} is left out, so there is no jackknife interval")
    error = standard_error(left, value)
    method = f"jackknife over {over}"
    return bounded(t_interval(value, error, left.n_groups - 1, confidence=confidence, method=method))
