"""Two values of everything that was looked at twice: how far they are apart, how sure that is, and whether by chance.

Both are about the mean of the differences d, one for each thing (an item that two systems scored):

    interval   mean ± t(n - 1) s / √n
    test       every d keeps its size and may have either sign (Fisher 1935); all signs if there are few, else drawn

Fisher, R. A. (1935). The Design of Experiments. Oliver & Boyd, chapter 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from concordant.measures.result import Interval
from concordant.randomness import generator
from concordant.uncertainty.intervals import t_interval
from concordant.uncertainty.significance import PERMUTATIONS, PermutationTest, permutation_test

MOST_AT_ONCE = 1 << 22  # signs held in memory


@dataclass(frozen=True, kw_only=True)
class Mean:
    """The mean of so many values; the interval needs two of them."""

    value: float
    interval: Interval | None
    n: int


def mean_of(values: ArrayLike, *, over: str, confidence: float = 0.95) -> Mean:
    """The mean of values with its t interval; `over` says in the plural what they are values of.

    >>> round(mean_of([0.2, 0.4, 0.6], over="items").interval.width, 3)
    0.994
    """
    found = np.asarray(values, dtype=np.float64)
    n, value = len(found), float(found.mean())
    if n < 2:
        return Mean(value=value, interval=None, n=n)
    error = float(found.std(ddof=1) / np.sqrt(n))
    method = f"t interval of the mean over {n:,} {over}"
    return Mean(value=value, interval=t_interval(value, error, n - 1, confidence=confidence, method=method), n=n)


def sign_test(differences: ArrayLike, *, seed: int, permutations: int = PERMUTATIONS) -> PermutationTest:
    """Whether the mean of paired differences is other than 0: their signs are turned over at random, or in all ways.

    >>> sign_test([1.0, 2.0, 3.0], seed=1).p
    0.25
    """
    found = np.asarray(differences, dtype=np.float64)
    n = len(found)
    name = f"permutation test of the mean of {n:,} paired differences (signs turned over), two-sided"
    if is_exact := 2**n <= permutations + 1:
        signs = 1 - 2 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        values = signs @ found / n
    else:
        random, size = generator(seed), max(1, MOST_AT_ONCE // n)
        rows = [min(size, permutations - start) for start in range(0, permutations, size)]
        values = np.concatenate([(1 - 2 * random.integers(2, size=(row, n))) @ found / n for row in rows])
    chances = np.ones(len(values)) if is_exact else None
    return permutation_test(name, float(found.mean()), values, seed, chances=chances)
