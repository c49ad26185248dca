"""Disagreement in one direction: McNemar and Stuart-Maxwell."""

import numpy as np
import pytest

from assent.diagnosis.direction import direction, directions
from assent.engines.tally import tally
from assent.model.scale import Level
from tests.diagnosis.simulated import study_of


def test_mcnemar_exact() -> None:
    # b = 2, c = 10: 2 · P(X ≤ 2 | 12, 1/2) = 2 · 79 / 4096
    found = direction(np.array([[30, 2], [10, 20]]), ("A1", "A2"), ("no", "yes"))
    assert found.p == pytest.approx(2 * 79 / 4096)
    assert found.only_first == (2, 10)
    assert found.only_second == (10, 2)
    assert found.n_apart == 12
    assert found.n_units == 62


def test_no_disagreement_has_a_reason() -> None:
    for size in (2, 3):
        found = direction(np.eye(size) * 5, ("A", "B"), tuple("abc"[:size]))
        assert found.p is None
        assert found.reason == "the two raters never disagree"


def test_stuart_maxwell() -> None:
    # Stuart (1955), unaided vision of the two eyes of 7,477 women: chi-squared 11.96 with 3 degrees of freedom
    vision = np.array([[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]])
    found = direction(vision, ("right", "left"), ("1", "2", "3", "4"))
    assert found.statistic == pytest.approx(11.957, abs=0.001)
    assert found.freedom == 3
    assert found.p == pytest.approx(0.0075, abs=0.0001)


def test_two_categories_of_three_used_apart() -> None:
    table = np.array([[5, 4, 0], [1, 5, 0], [0, 0, 5]])
    found = direction(table, ("A", "B"), ("a", "b", "c"))
    assert found.freedom == 1
    assert found.statistic == pytest.approx((4 - 1) ** 2 / 5)


def test_every_pair_of_a_study() -> None:
    cells = np.array([["y", "y", "n"], ["y", "n", "n"], ["n", "n", "n"], ["y", "y", "y"]])
    found = directions(tally(study_of(cells, level=Level.NOMINAL).judgements()))
    assert [one.raters for one in found] == [("J1", "J2"), ("J1", "J3"), ("J2", "J3")]
