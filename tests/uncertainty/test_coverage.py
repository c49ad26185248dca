"""Do 95 % intervals contain the true value in 95 % of studies? Simulated studies with known coefficients.

The results are in docs/explanation/intervals.md; run this file with `-m slow -s` to print them again.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

from concordant.engines.tally import tally
from concordant.measures.result import Interval
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.request import Ci

STUDIES = 1000
CATEGORIES = np.array([0, 1, 2, 3])
PREVALENCE = np.array([0.4, 0.3, 0.2, 0.1])


def study(random: np.random.Generator, n_units: int, n_raters: int) -> NDArray[np.int64]:
    """Units drawn from a population; each rater sees the true category with probability .7, else guesses."""
    truth = random.choice(4, n_units, p=PREVALENCE)[:, None]
    guess = random.choice(4, (n_units, n_raters), p=PREVALENCE)
    return np.where(random.random((n_units, n_raters)) < 0.7, truth, guess)


def judged(cells: NDArray[np.int64], level: str) -> Judgements:
    return Judgements.from_matrix(cells, level=level, categories=list(CATEGORIES))


def truth_of(key: str, level: str, n_raters: int) -> float:
    """The coefficient of the whole population: of two million units."""
    return float(measure(judged(study(generator(99), 2_000_000, n_raters), level), key, ci="none"))


def share_covered(intervals: list[Interval | None], truth: float) -> float:
    """The share of intervals that contain the truth."""
    made = [interval for interval in intervals if interval is not None]
    assert len(made) == len(intervals)
    return float(np.mean([interval.low <= truth <= interval.high for interval in made]))


CASES = [
    ("alpha", "nominal", 5),
    ("alpha", "ordinal", 5),
    ("alpha", "interval", 5),
    ("fleiss", "nominal", 5),
    ("ac1", "nominal", 5),
    ("conger", "nominal", 3),
    ("kappa", "nominal", 2),
    ("weighted_kappa_quadratic", "ordinal", 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "level", "n_raters"), CASES)
@pytest.mark.parametrize("ci", ["bootstrap", "bca", "jackknife", "analytic"])
def test_intervals_over_units_cover(key: str, level: str, n_raters: int, ci: Ci) -> None:
    """200 units; the raters are the same in all studies, so the units are what is drawn."""
    if (key, level, ci) == ("alpha", "ordinal", "analytic"):
        pytest.skip("no published error")
    truth = truth_of(key, level, n_raters)
    intervals = [
        measure(judged(study(generator(7, n), 200, n_raters), level), key, ci=ci, resamples=1000, seed=n).interval
        for n in range(STUDIES)
    ]
    found = share_covered(intervals, truth)
    print(f"\n| {key} ({level}) | {n_raters} | {ci} | {100 * found:.1f} % |")
    assert 0.93 <= found <= 0.97


def crowd(random: np.random.Generator, truth: NDArray[np.int64], n_raters: int) -> NDArray[np.int64]:
    """Raters drawn from a population of different skills (right from .4 to .9 of the time) judge the same 40 units."""
    skill = random.uniform(0.4, 0.9, n_raters)
    guess = random.choice(4, (len(truth), n_raters), p=PREVALENCE)
    return np.where(random.random((len(truth), n_raters)) < skill, truth[:, None], guess)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["percent", "kappa", "alpha"])
def test_random_pairs_cover(key: str) -> None:
    """40 raters judge 40 units; the units are the same in all studies, so the raters are what is drawn."""
    truth = generator(5).choice(4, 40, p=PREVALENCE)
    many = tally(judged(crowd(generator(6), truth, 8000), "nominal"))
    target = float(measure(many, key, ci="pairs", seed=1))
    intervals = [
        measure(judged(crowd(generator(8, n), truth, 40), "nominal"), key, ci="pairs", seed=n).interval
        for n in range(STUDIES)
    ]
    found = share_covered(intervals, target)
    print(f"\n| {key}, random pairs | 40 | pairs | {100 * found:.1f} % |")
    assert 0.93 <= found <= 0.97


@pytest.mark.slow
def test_drawing_pairs_of_judgements_would_not_cover() -> None:
    """Why it is not offered: ten pairs of five judgements of one unit are not ten independent pairs."""
    truth, covered = truth_of("alpha", "nominal", 5), 0
    for n in range(STUDIES):
        result = measure(judged(study(generator(7, n), 200, 5), "nominal"), "alpha", ci="none")
        assert result.observed is not None
        assert result.expected is not None
        drawn = generator(9, n).binomial(2000, result.observed, 1000) / 2000
        low, high = np.quantile(1 - drawn / result.expected, [0.025, 0.975])
        covered += int(low <= truth <= high)
    print(f"\n| alpha (nominal) | 5 | pairs of judgements | {covered / STUDIES:.1%} |")
    assert covered / STUDIES < 0.9
