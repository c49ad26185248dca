"""Two raters' values beside each other."""

import numpy as np
import pytest

from concordant.diagnosis.association import (
    Scores,
    association_p,
    bowker,
    exact_kappa,
    limits_of_agreement,
    random_tables,
)
from concordant.errors import InputError
from concordant.randomness import generator


def test_random_tables_keep_their_margins_and_have_the_right_mean() -> None:
    rows, columns = np.array([10, 20, 5]), np.array([15, 20])
    drawn = random_tables(rows, columns, 4000, generator(3))
    assert (drawn.sum(axis=2) == rows).all()
    assert (drawn.sum(axis=1) == columns).all()
    assert drawn.mean(axis=0) == pytest.approx(np.outer(rows, columns) / 35, abs=0.1)


def test_exact_kappa_is_cohens() -> None:
    # CASTRO Table 3.1: 25 15 / 10 50 gives .468
    scores = Scores(
        first=np.array([0.0, 0, 1, 1]), second=np.array([0.0, 1, 0, 1]), weights=np.array([25.0, 15, 10, 50])
    )
    assert exact_kappa(scores) == pytest.approx(0.468, abs=0.0005)


def test_continuous_scores_are_tested_without_tables() -> None:
    random = generator(4)
    x = random.normal(0, 1, 300)
    scores = Scores(first=x, second=x + random.normal(0, 0.2, 300), weights=np.ones(300))
    assert association_p(scores, ordered=True, seed=1) < 1e-6


def test_who_comes_first_does_not_change_the_p_value() -> None:
    random = generator(8)
    for _ in range(20):
        first, second = random.integers(0, 4, (2, 30)).astype(float)
        turned = (Scores(first=a, second=b, weights=np.ones(30)) for a, b in ((first, second), (second, first)))
        assert len({association_p(scores, ordered=True, seed=1) for scores in turned}) == 1


def test_the_statistic_counts_ordered_pairs_of_units() -> None:
    """Every order of five units beside 1 2 3 4 5: only the two perfect ones are as far out, 2 of 120."""
    scores = Scores(first=np.arange(5.0), second=np.arange(5.0), weights=np.ones(5))
    assert association_p(scores, ordered=True, seed=1) == pytest.approx(2 / 120, abs=0.01)


PEFR = [
    (494, 512), (395, 430), (516, 520), (434, 428), (476, 500), (557, 600), (413, 364), (442, 380), (650, 658),
    (433, 445), (417, 432), (656, 626), (267, 260), (478, 477), (178, 259), (423, 350), (427, 451),
]  # fmt: skip


def test_limits_of_agreement_of_two_flow_meters() -> None:
    """Bland & Altman (1986), Lancet 327, 307-310, first readings: mean difference -2.1, standard deviation 38.8."""
    pairs = np.array(PEFR, dtype=float)
    found = limits_of_agreement(Scores(first=pairs[:, 1], second=pairs[:, 0], weights=np.ones(17)))
    assert round(found.mean, 1) == -2.1
    assert round(found.deviation, 1) == 38.8
    assert found.high - found.low == pytest.approx(2 * 1.96 * 38.8, abs=0.2)
    assert found.low_interval.low < found.low < found.low_interval.high
    with pytest.raises(InputError, match="two units"):
        limits_of_agreement(Scores(first=pairs[:1, 1], second=pairs[:1, 0], weights=np.ones(1)))


def test_bowker_is_statsmodels() -> None:
    """statsmodels 0.15.0, SquareTable(table, shift_zeros=False).symmetry(): 13.76923, p 0.003237."""
    table = np.array([[20, 10, 5], [3, 30, 15], [0, 5, 40]], dtype=float)
    statistic, freedom, p = bowker(table) or (0, 0, 0)
    assert statistic == pytest.approx(13.76923077)
    assert freedom == 3
    assert p == pytest.approx(0.0032367065, rel=1e-6)
    assert bowker(np.diag([3.0, 4.0])) is None
    two = np.array([[5, 7, 0], [1, 5, 0], [0, 0, 9]], dtype=float)
    assert (bowker(two) or (0, 0, 0))[1] == 1
