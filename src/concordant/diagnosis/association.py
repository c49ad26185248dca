"""Two raters' values beside each other: how they go together, by chance or not, and how far apart their levels lie."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.material import count_pairs
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.measures.result import Interval
from concordant.randomness import generator

PERMUTATIONS = 1999
NORMAL = 1.959963984540054  # between ± this lie 95 % of a normal distribution


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """Two raters' values on the units both judged; equal pairs of values are one row with a weight."""

    first: Floats
    second: Floats
    weights: Floats

    @property
    def n(self) -> float:
        """Units that both judged."""
        return float(self.weights.sum())

    @property
    def observed(self) -> float:
        """The share of units with identical values."""
        return float(self.weights[self.first == self.second].sum() / self.n)

    @property
    def commonest(self) -> float:
        """The share of the most frequent value among those that both gave."""
        _, place = np.unique(np.concatenate([self.first, self.second]), return_inverse=True)
        return float(np.bincount(place, np.tile(self.weights, 2)).max() / (2 * self.n))


def scores_of(pair: Tally) -> Scores:
    """The values of the two raters of a tally."""
    first, second = pair.pairs.scores()
    return Scores(first=first, second=second, weights=pair.pairs.weights[pair.pairs.pattern])


@dataclass(frozen=True, kw_only=True)
class Shift:
    """How far the second rater's level lies above the first's, in units of the scale."""

    mean: float
    interval: Interval | None
    n_higher: int  # units where the second is higher
    n_lower: int
    p: float  # exact sign test, two-sided

    @property
    def n_apart(self) -> int:
        """Units on which they differ."""
        return self.n_higher + self.n_lower


def sign_test(one: float, other: float) -> float:
    """The two-sided p-value of so many differences one way and so many the other, exact; 1 if there are none."""
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(one, other), int(one + other), 0.5))) if one + other else 1.0


def shift_of(scores: Scores) -> Shift:
    """How far and how consistently the second rater lies above the first."""
    from concordant.uncertainty.intervals import t_interval

    apart, n = scores.second - scores.first, scores.n
    higher, lower = (int(scores.weights[side].sum()) for side in (apart > 0, apart < 0))
    mean = float(scores.weights @ apart / n)
    interval: Interval | None = None
    if n > 1:
        error = float(np.sqrt(scores.weights @ (apart - mean) ** 2 / (n - 1) / n))
        interval = t_interval(mean, error, n - 1, confidence=0.95, method="t interval of paired differences")
    return Shift(mean=mean, interval=interval, n_higher=higher, n_lower=lower, p=sign_test(higher, lower))


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Between which limits 95 % of the differences second - first are expected, if they are normal."""

    n: int
    mean: float
    deviation: float
    low: float
    high: float
    low_interval: Interval
    high_interval: Interval


def limits_of_agreement(scores: Scores) -> Limits:
    """The limits of agreement of Bland & Altman (1986): mean ± 1.96 standard deviations of the differences.

    The error of a limit is s √(1 / n + 1.96² / (2 (n - 1))) (Bland & Altman 1999), with n - 1 degrees of freedom.
    """
    from concordant.uncertainty.intervals import t_interval

    n, apart = scores.n, scores.second - scores.first
    if n < 2:
        raise InputError("limits of agreement need two units that both raters judged")
    mean = float(scores.weights @ apart / n)
    deviation = float(np.sqrt(scores.weights @ (apart - mean) ** 2 / (n - 1)))
    error = deviation * float(np.sqrt(1 / n + NORMAL**2 / (2 * (n - 1))))
    low, high = mean - NORMAL * deviation, mean + NORMAL * deviation
    about = [t_interval(end, error, n - 1, confidence=0.95, method="Bland & Altman 1999") for end in (low, high)]
    return Limits(
        n=int(n), mean=mean, deviation=deviation, low=low, high=high, low_interval=about[0], high_interval=about[1]
    )


def bowker(table: Floats) -> tuple[float, int, float] | None:
    """Is a table of counts symmetric? Chi-square, degrees of freedom and p (Bowker 1948); None without a disagreement.

    Pairs of categories that are never confused have no say.
    """
    from scipy.special import chdtrc

    above = np.triu_indices(len(table), 1)
    one, other = table[above], table.T[above]
    used = one + other > 0
    if not used.any():
        return None
    statistic = float(((one - other)[used] ** 2 / (one + other)[used]).sum())
    return statistic, int(used.sum()), float(chdtrc(int(used.sum()), statistic))


def association_p(scores: Scores, *, ordered: bool, seed: int) -> float:
    """The two-sided p-value of covariation (of identity, if categories have no order), margins held fixed.

    How often does a random table with the same margins lie as far from its expectation as this one?
    """
    from scipy.special import ndtr

    both = scores.first, scores.second
    (one, x), (two, y) = (np.unique(v, return_inverse=True) for v in both)
    if len(one) < 2 or len(two) < 2:
        return 1.0
    if len(one) > 50 or len(two) > 50:  # r √(n - 1) is nearly normal under permutation
        w = scores.weights / scores.n
        a, b = (v - w @ v for v in both)
        r = float(w @ (a * b) / np.sqrt((w @ a**2) * (w @ b**2)))
        return float(2 * ndtr(-abs(r) * np.sqrt(scores.n - 1)))
    table = count_pairs(x, y, (len(one), len(two)), scores.weights).astype(np.int64)
    if table.T.tolist() < table.tolist():  # who of the two comes first does not matter
        table, one, two = table.T, two, one
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    drawn = random_tables(rows, columns, PERMUTATIONS, generator(seed))
    same = np.equal.outer(one, two).astype(float)
    expected = 0.0 if ordered else float((np.multiply.outer(rows, columns) / rows.sum() * same).sum())

    def statistic(tables: NDArray[np.int64]) -> Floats:
        """Concordant less discordant pairs of units; without an order the units with equal values."""
        return _ordered_pairs(tables) if ordered else np.asarray((tables * same).sum(axis=(-2, -1)))

    far = abs(float(statistic(table)) - expected) - 1e-9
    return float((1 + (np.abs(statistic(drawn) - expected) >= far).sum()) / (1 + PERMUTATIONS))


def _ordered_pairs(tables: NDArray[np.int64]) -> Floats:
    """Concordant less discordant pairs of units: those of a cell with what lies below it, right less left."""
    below = np.flip(np.cumsum(np.flip(tables, -2), axis=-2), -2) - tables
    right = np.flip(np.cumsum(np.flip(below, -1), axis=-1), -1) - below
    left = np.cumsum(below, axis=-1) - below
    return np.asarray((tables * (right - left)).sum(axis=(-2, -1)), dtype=np.float64)


def random_tables(
    rows: NDArray[np.int64], columns: NDArray[np.int64], n_tables: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """(tables, rows, columns): tables with these margins, as likely as a random permutation makes them.

    Filled cell by cell: given what is left of its row and column, a cell is hypergeometric.
    """
    left = np.tile(columns, (n_tables, 1))
    drawn = np.zeros((n_tables, len(rows), len(columns)), dtype=np.int64)
    for r, total in enumerate(rows[:-1].tolist()):
        need = np.full(n_tables, total)
        for c in range(len(columns) - 1):
            drawn[:, r, c] = random.hypergeometric(left[:, c], left[:, c + 1 :].sum(axis=1), need)
            need -= drawn[:, r, c]
        drawn[:, r, -1] = need
        left -= drawn[:, r]
    drawn[:, -1] = left
    return drawn


def exact_kappa(scores: Scores) -> float:
    """Cohen's kappa of identical values: 1 - differing / differing by chance; 1 if nothing can differ."""
    room = _room(scores)
    return 1.0 if room < 1e-12 else 1 - (1 - scores.observed) / room


def least_agreement(scores: Scores) -> float:
    """What kappa may still be, at 97.5 % confidence, though no two of n units differ: they rule out many only."""
    room = _room(scores)
    return 1 - (1 - 0.025 ** (1 / scores.n)) / room if room > 1e-12 else -1.0


def _room(scores: Scores) -> float:
    """The share of units on which the two would differ by chance."""
    values = np.unique([scores.first, scores.second])
    shares = [
        np.bincount(np.searchsorted(values, v), weights=scores.weights, minlength=len(values)) / scores.n
        for v in (scores.first, scores.second)
    ]
    return 1 - float(shares[0] @ shares[1])
