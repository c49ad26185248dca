"""How many units a test takes, before there are any data: power for kappa and intraclass correlations."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from concordant.arrays import Floats
from concordant.errors import InputError, nearest
from concordant.measures.intraclass import icc1
from concordant.measures.kappas import kappa

MOST_UNITS = 10_000_000
TESTED = (kappa.key, icc1.key)


@dataclass(frozen=True, kw_only=True)
class SampleSize:
    """So many units give the test that power: is the coefficient above `null`, if it is `expected`?"""

    measure: str
    units: int
    null: float
    expected: float
    power: float
    significance: float
    raters: int
    shares: tuple[float, ...] | None
    method: str

    @property
    def text(self) -> str:
        """The answer in a sentence."""
        how = f"a one-sided test at {self.significance:g} has power {self.power:g}"
        return f"{self.units:,} units: {how} to tell {self.expected:g} from {self.null:g} ({self.method})."


def sample_size(
    measure: str,
    *,
    null: float,
    expected: float,
    power: float = 0.8,
    significance: float = 0.05,
    raters: int = 2,
    shares: Sequence[float] = (),
) -> SampleSize:
    """The fewest units with which a one-sided test tells `expected` from `null` with that power.

    kappa: two raters who use each category equally often (`shares`, evenly two if none are given), by the standard
    errors of Fleiss, Cohen & Everitt (1969) at both values. icc1: exact power of the F test, `raters` for each unit
    (Donner & Eliasziw 1987).

    >>> sample_size("icc1", null=0.6, expected=0.8, raters=3).units
    26
    """
    if measure not in TESTED:
        raise InputError(f"no sample size by power for {measure!r}", hint=nearest(measure, TESTED))
    if not (0 < power < 1 and 0 < significance < 1):
        raise InputError("power and significance lie between 0 and 1", hint="usual are .8 and .05")
    if not 0 <= null < expected < 1:
        raise InputError("the null value must be 0 or more, and below the expected one, which is below 1")
    if measure == icc1.key:
        if shares:
            raise InputError("shares of categories say nothing about scores", hint="leave them out")
        units = _units_of_scores(null, expected, power, significance, raters)
        method = f"exact F test, {raters} raters"
    else:
        if raters != 2:
            raise InputError("kappa is of two raters", hint="leave out the number of raters")
        units = _units_of_kappa(null, expected, power, significance, np.array(shares or (0.5, 0.5), dtype=float))
        method = "standard errors of Fleiss, Cohen & Everitt 1969"
    told = tuple(shares) or (None if measure == icc1.key else (0.5, 0.5))
    return SampleSize(
        measure=measure,
        units=units,
        null=null,
        expected=expected,
        power=power,
        significance=significance,
        raters=raters,
        shares=told,
        method=method,
    )


def power_of_scores(n: int, null: float, expected: float, significance: float, raters: int) -> float:
    """The exact power of the F test of the one-way intraclass correlation."""
    from scipy.special import fdtrc, fdtri

    above, below = n - 1, n * (raters - 1)
    least = (1 + raters * null / (1 - null)) * fdtri(above, below, 1 - significance)
    return float(fdtrc(above, below, least / (1 + raters * expected / (1 - expected))))


def _units_of_scores(null: float, expected: float, power: float, significance: float, raters: int) -> int:
    """By doubling, then halving the bracket."""
    if raters < 2:
        raise InputError("a test of reliability takes two raters or more")
    low, high = 1, 2
    while power_of_scores(high, null, expected, significance, raters) < power:
        low, high = high, 2 * high
        if high > MOST_UNITS:
            raise InputError(f"more than {MOST_UNITS:,} units would be needed", hint="the two values are too near")
    while high - low > 1:
        middle = (low + high) // 2
        enough = power_of_scores(middle, null, expected, significance, raters) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def kappa_variance(value: float, shares: Floats) -> float:
    """n times the variance of Cohen's kappa where both raters have these shares and agree beyond chance so often."""
    table = (1 - value) * np.outer(shares, shares) + value * np.diag(shares)
    chance = float(shares @ shares)
    both = shares[:, None] + shares[None, :]
    own = np.diag(table)
    same = float((own * (1 - 2 * shares * (1 - value)) ** 2).sum())
    other = float((table * both**2).sum() - (own * (2 * shares) ** 2).sum()) * (1 - value) ** 2
    return (same + other - (value - chance * (1 - value)) ** 2) / (1 - chance) ** 2


def _units_of_kappa(null: float, expected: float, power: float, significance: float, shares: Floats) -> int:
    """((z_α √V₀ + z_β √V₁) / difference)²."""
    from scipy.special import ndtri

    if len(shares) < 2 or (shares <= 0).any() or abs(shares.sum() - 1) > 1e-6:
        raise InputError("shares of two categories or more must be above 0 and add up to 1", hint="say .7,.3")
    errors = np.sqrt([kappa_variance(null, shares), kappa_variance(expected, shares)])
    needed = (ndtri(1 - significance) * errors[0] + ndtri(power) * errors[1]) / (expected - null)
    return max(2, ceil(float(needed) ** 2 - 1e-9))
