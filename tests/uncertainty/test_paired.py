"""Means and paired differences against scipy."""

import numpy as np
import pytest
from scipy.stats import permutation_test, ttest_1samp

from concordant.randomness import generator
from concordant.uncertainty import paired
from concordant.uncertainty.paired import mean_of, sign_test


def test_the_mean_has_the_interval_of_a_t_test() -> None:
    values = generator(1).normal(0.3, 0.2, 11)
    found = mean_of(values, over="items", confidence=0.9)
    theirs = ttest_1samp(values, 0).confidence_interval(0.9)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((theirs.low, theirs.high))
    assert found.value == pytest.approx(values.mean())
    assert "over 11 items" in found.interval.method


def test_one_value_has_no_interval() -> None:
    assert mean_of([0.5], over="items").interval is None


def test_few_differences_are_enumerated_as_in_scipy() -> None:
    apart = generator(2).normal(0.4, 1, 9)
    found = sign_test(apart, seed=1)
    theirs = permutation_test((apart,), np.mean, permutation_type="samples", n_resamples=9999)
    assert found.is_exact
    assert found.error == 0
    assert found.p == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("most", [paired.MOST_AT_ONCE, 50])
def test_many_differences_are_drawn(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paired, "MOST_AT_ONCE", most)
    apart = generator(3).normal(0.35, 1, 40)
    found = sign_test(apart, seed=1)
    assert not found.is_exact
    assert found.permutations == 1999
    assert found.p == pytest.approx(ttest_1samp(apart, 0).pvalue, abs=4 * found.error + 0.01)


def test_equal_systems_do_not_differ() -> None:
    assert sign_test([0.0, 0.0, 0.0], seed=1).p == 1
