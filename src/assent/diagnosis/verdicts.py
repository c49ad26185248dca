"""The verdict on two raters from the numbers: a short list of rules, each with its reason.

    reversed      they covary the wrong way round: correlation at or below -0.3, and not by chance
    prevalence    no covariation, yet at least 3 of 4 units get the same value: nearly all units are of one kind
    neither       no covariation and no agreement
    level         they covary, but where they differ it is one and the same rater who is higher (4 of 5 times or more)
    agree         they covary and the coefficient of agreement reaches 0.67
    loose         they covary, the rest is scatter

"Not by chance" is a permutation test: tables with the same margins are drawn at random. Where one category is rare a
single coincidence makes a correlation look large; the test knows that, a threshold does not.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.diagnosis.consistency import Shift, Verdict
from assent.engines.tally import Tally
from assent.measures.result import Interval
from assent.randomness import generator

FEW_UNITS = 20
COVARY = 0.3
SURE = 0.05
SURE_REVERSED = 0.01
AGREE = 0.67
EXACT = 0.8
SAME_VALUE = 0.75
ONE_SIDED = 0.6
SHIFT_SURE = 0.001
SHIFT_SHARE = 0.1
PERMUTATIONS = 999


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


def scores_of(pair: Tally) -> Scores:
    """The values of a tally of two raters."""
    view = pair.pairs
    first, second = view.scores()
    return Scores(first=first, second=second, weights=view.weights[view.pattern])


def shift_of(scores: Scores, *, confidence: float = 0.95) -> Shift:
    """How far and how consistently the second rater lies above the first."""
    from scipy.special import bdtr

    from assent.uncertainty.intervals import t_interval

    apart, n = scores.second - scores.first, scores.n
    higher, lower = (int(scores.weights[side].sum()) for side in (apart > 0, apart < 0))
    mean = float(scores.weights @ apart / n)
    interval: Interval | None = None
    if n > 1:
        error = float(np.sqrt(scores.weights @ (apart - mean) ** 2 / (n - 1) / n))
        interval = t_interval(mean, error, n - 1, confidence=confidence, method="t interval of paired differences")
    p = min(1.0, 2 * float(bdtr(min(higher, lower), higher + lower, 0.5))) if higher + lower else 1.0
    return Shift(mean=mean, interval=interval, n_higher=higher, n_lower=lower, p=p)


def association_p(scores: Scores, *, ordered: bool, seed: int) -> float:
    """The two-sided p-value of covariation (of identity, if categories have no order), margins held fixed."""
    if len(np.unique(scores.first)) < 2 or len(np.unique(scores.second)) < 2:
        return 1.0
    (_, x), (_, y) = (np.unique(v, return_inverse=True) for v in (scores.first, scores.second))
    if len(np.unique(scores.first)) > 50 or len(np.unique(scores.second)) > 50:
        return _normal_p(scores)
    table = np.zeros((int(x.max()) + 1, int(y.max()) + 1), dtype=np.int64)
    np.add.at(table, (x.reshape(-1), y.reshape(-1)), scores.weights.astype(np.int64))
    value = _products(scores) if ordered else np.equal.outer(np.unique(scores.first), np.unique(scores.second))
    return _permutation_p(table, value.astype(np.float64), seed)


def _products(scores: Scores) -> Floats:
    """Products of the distinct values, each from its mean: their sum over units is the covariance."""
    x, y = (np.unique(v) for v in (scores.first, scores.second))
    means = (float(scores.weights @ v / scores.n) for v in (scores.first, scores.second))
    return np.multiply.outer(x - next(means), y - next(means))


def _permutation_p(table: NDArray[np.int64], value: Floats, seed: int) -> float:
    """How often a random table with these margins lies as far from its expectation as this one."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    drawn = random_tables(rows, columns, PERMUTATIONS, generator(seed))
    expected = float((np.multiply.outer(rows, columns) / rows.sum() * value).sum())
    far = abs(float((table * value).sum()) - expected) - 1e-9
    return float((1 + (np.abs((drawn * value).sum(axis=(1, 2)) - expected) >= far).sum()) / (1 + PERMUTATIONS))


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


def _normal_p(scores: Scores) -> float:
    """For many-valued data: r √(n - 1) is nearly normal under permutation."""
    from scipy.special import ndtr

    w = scores.weights / scores.n
    x, y = (v - w @ v for v in (scores.first, scores.second))
    r = float(w @ (x * y) / np.sqrt((w @ x**2) * (w @ y**2)))
    return float(2 * ndtr(-abs(r) * np.sqrt(scores.n - 1)))


def exact_kappa(scores: Scores) -> float:
    """Cohen's kappa of identical values: 1 - differing / differing by chance; 1 if nothing can differ."""
    values = np.unique([scores.first, scores.second])
    shares = [
        np.bincount(np.searchsorted(values, v), weights=scores.weights, minlength=len(values)) / scores.n
        for v in (scores.first, scores.second)
    ]
    room = 1 - float(shares[0] @ shares[1])
    return 1.0 if room < 1e-12 else 1 - (1 - scores.observed) / room


def decide(
    scores: Scores, *, agreement: float | None, association: float | None, p: float, shift: Shift | None
) -> Verdict:
    """Apply the rules in order. `association` is tau-b, or the agreement coefficient where there is no order."""
    if scores.n < FEW_UNITS:
        return Verdict.UNDECIDED
    if association is not None and association <= -COVARY and p < SURE_REVERSED:
        return Verdict.REVERSED
    if association is None or association < COVARY or p >= SURE:
        return Verdict.PREVALENCE if scores.observed >= SAME_VALUE else Verdict.NEITHER
    if shift is not None and is_level(shift, scores):
        return Verdict.LEVEL
    return Verdict.AGREE if agreement is not None and agreement >= AGREE else Verdict.LOOSE


def is_level(shift: Shift, scores: Scores) -> bool:
    """Whether the two differ in level: often enough, in one direction, and not by chance."""
    if shift.n_apart < SHIFT_SHARE * scores.n or exact_kappa(scores) >= EXACT:
        return False
    one_sided = abs(shift.n_higher - shift.n_lower) / shift.n_apart
    return one_sided >= ONE_SIDED and shift.p < SHIFT_SURE
