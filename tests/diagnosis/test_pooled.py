"""All rater pairs together: ten units a pair are too few for one pair, not for all of them."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau

from concordant.diagnosis import pooled as pooled_module
from concordant.diagnosis.diagnose import diagnose
from concordant.diagnosis.pooled import batches_of, pooled_p, surplus, variance_of
from concordant.model.columns import encode
from concordant.model.study import Study
from concordant.randomness import generator

SMALL = arrays(float, st.tuples(st.integers(2, 5), st.integers(2, 3)), elements=st.integers(1, 3).map(float))


def panel(n: int, k: int, *, noise: float, seed: int = 3) -> np.ndarray:
    """Invented scores 1 to 4 of n units by k raters who see the same with some noise."""
    rng = generator(seed)
    seen = rng.normal(size=(n, 1)) + noise * rng.normal(size=(n, k))
    return np.clip(np.round(2.5 + seen), 1, 4)


def study_of(cells: np.ndarray) -> Study:
    unit, rater = np.nonzero(~np.isnan(cells))
    return Study(
        name="invented",
        unit=encode([f"u{n}" for n in unit]),
        rater=encode([f"J{n}" for n in rater]),
        value=encode([str(int(value)) for value in cells[unit, rater]]),
        level="ordinal",  # type: ignore[arg-type]
    )


@given(SMALL)
def test_the_surplus_is_kendalls_s_over_all_pairs(cells: np.ndarray) -> None:
    pairs = [(i, j) for i in range(cells.shape[1]) for j in range(i)]
    s = sum(
        np.sign(cells[u, i] - cells[v, i]) * np.sign(cells[u, j] - cells[v, j])
        for i, j in pairs
        for u in range(len(cells))
        for v in range(u)
    )
    assert surplus(cells[None]).tolist() == [s]


@given(arrays(float, (4, 2), elements=st.integers(1, 3).map(float)))
def test_its_variance_is_that_of_all_shuffles(cells: np.ndarray) -> None:
    """Enumerated: one rater's values stand still, the other's take all 24 orders."""
    orders = [cells[list(order), 1] for order in permutations(range(4))]
    drawn = [float(surplus(np.column_stack([cells[:, 0], other])[None])[0]) for other in orders]
    assert np.mean(drawn) == pytest.approx(0, abs=1e-9)
    assert np.mean(np.square(drawn)) == pytest.approx(variance_of(cells), abs=1e-9)


def test_two_raters_are_tested_as_tau_is_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """scipy's p of tau-b, from shuffles and, where these take too long, from the normal distribution."""
    cells = panel(30, 2, noise=1.5)
    expected = kendalltau(cells[:, 0], cells[:, 1], method="asymptotic").pvalue
    assert pooled_p([cells], seed=1) == pytest.approx(expected, abs=0.02)
    monkeypatch.setattr(pooled_module, "MOST_STEPS", 0)
    assert pooled_p([cells], seed=1) == pytest.approx(expected, abs=0.02)


def test_chance_is_found_as_often_as_it_says() -> None:
    """200 panels without any order: about 5 % are below .05."""
    found = [pooled_p([generator(n).integers(1, 4, (6, 4)).astype(float)], seed=n) for n in range(200)]
    assert 2 <= sum(p < 0.05 for p in found) <= 20


def test_units_are_compared_within_a_batch_only() -> None:
    """Two batches that differ in level, in which nobody covaries, covary as little together."""
    gap = np.nan
    cells = np.array([[1, 2, gap], [2, 1, gap], [gap, 4, 3], [gap, 3, 4], [1, gap, gap]])
    low, high = batches_of(cells)
    assert [batch.shape for batch in (low, high)] == [(2, 2), (2, 2)]
    assert float(surplus(low[None])[0] + surplus(high[None])[0]) == -2


def test_seven_judges_of_ten_items_are_read_together() -> None:
    found = diagnose(study_of(panel(10, 7, noise=1.2)))
    [question] = found.questions
    assert question.pooled is not None
    assert question.pooled.n_undecided >= 2
    assert question.pooled.p < 0.01
    [told] = [one for one in found.findings if one.kind == "pooled"]
    assert "of 21 rater pairs judged too few units to be read alone; all pairs together covary" in told.seen
    assert told.sure.startswith("Permutation test over 10 units, all pairs pooled: p")
    rest = [one for one in diagnose(study_of(panel(10, 7, noise=50))).findings if one.kind == "pooled"]
    assert ["show no order" in one.seen for one in rest] == [True]


def test_pairs_that_can_be_read_need_no_pooling() -> None:
    [question] = diagnose(study_of(panel(120, 3, noise=0.4))).questions
    assert question.pooled is None


def test_pairs_that_go_against_each_other_are_not_said_to_covary() -> None:
    values = np.array(list(product([1.0, 2.0, 3.0, 4.0], repeat=1)) * 2)[:, 0]
    gap = np.full(8, np.nan)
    one = np.column_stack([values[:5], 5 - values[:5], gap[:5]])
    other = np.column_stack([gap[:5], values[:5], 5 - values[:5]])
    found = diagnose(study_of(np.vstack([one, other])))
    told = [finding.seen for finding in found.findings if finding.kind == "pooled"]
    assert all("go against each other" in seen for seen in told)
