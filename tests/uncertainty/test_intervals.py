"""Textbook intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.measures.result import Interval
from assent.uncertainty.intervals import bounded, no_interval, quantiles, t_interval


def test_t_and_normal_quantiles() -> None:
    t = t_interval(0.5, 0.1, 9, confidence=0.95, method="t")
    z = t_interval(0.5, 0.1, float("inf"), confidence=0.95, method="z")
    assert t.high - 0.5 == pytest.approx(0.2262157, abs=1e-7)
    assert z.high - 0.5 == pytest.approx(0.1959964, abs=1e-7)
    assert t.low + t.high == pytest.approx(1)


def test_ends_beyond_the_coefficient_are_cut_and_said() -> None:
    inside = Interval(low=0.1, high=0.9, level=0.95, method="t")
    beyond = Interval(low=-1.2, high=1.1, level=0.95, method="t")
    assert bounded(inside).interval == inside
    assert bounded(inside).notes == ()
    assert bounded(beyond).interval == Interval(low=-1.0, high=1.0, level=0.95, method="t")
    assert "cut" in bounded(beyond).notes[0]


def test_no_interval_says_why() -> None:
    assert no_interval("because").notes == ("because",)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_quantiles_have_the_digits_of_numpy(values: list[float], shares: list[float]) -> None:
    expected = np.quantile(values, shares)
    assert quantiles(np.array(values), np.array(shares)).tolist() == expected.tolist()
