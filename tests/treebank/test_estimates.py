"""The estimates of Castro (2011, section 5.4.2) on the document's own tables."""

import math

import pytest

from assent.treebank.estimates import (
    average_options,
    divergence,
    estimated_equal,
    observed_when_rejected,
    observed_without_options,
)
from tests.treebank.made import printed

# Table 5.1: options and equal options of five sentences
TABLE_5_1 = [(12, 8), (7, 6), (9, 0), (10, 7), (17, 12)]
# Table 5.2: options, equal options, options of one annotator only; then A_o as printed (estimated number rounded
# down), exact, and without estimation
TABLE_5_2 = [
    (14, 8, 4, "0.71", "0.743", "0.57"),
    (8, 1, 6, "0.50", "0.575", "0.13"),
    (6, 3, 2, "0.67", "0.70", "0.50"),
    (12, 3, 4, "0.42", "0.45", "0.25"),
    (9, 4, 4, "0.67", "0.711", "0.44"),
]


def test_table_5_1_divergence_is_22_of_55() -> None:
    assert divergence(TABLE_5_1) == pytest.approx(22 / 55)
    assert divergence(TABLE_5_1) == printed("0.40")


def test_divergence_without_options_is_unknown() -> None:
    assert divergence([]) is None


@pytest.mark.parametrize(("n", "equal", "unique", "floored", "exact", "without"), TABLE_5_2)
def test_table_5_2(n: int, equal: int, unique: int, floored: str, exact: str, without: str) -> None:
    assert (equal + math.floor(estimated_equal(unique, 0.40))) / n == printed(floored)
    assert observed_when_rejected(equal, unique, n, 0.40) == printed(exact)
    assert observed_when_rejected(equal, unique, n, 1.0) == printed(without)


def test_table_5_2_means() -> None:
    exact = [observed_when_rejected(equal, unique, n, 0.40) for n, equal, unique, *_ in TABLE_5_2]
    without = [observed_when_rejected(equal, unique, n, 1.0) for n, equal, unique, *_ in TABLE_5_2]
    floored = [(equal + math.floor(estimated_equal(unique, 0.40))) / n for n, equal, unique, *_ in TABLE_5_2]
    assert sum(exact) / 5 == printed("0.636")
    assert sum(without) / 5 == printed("0.38")
    assert sum(floored) / 5 == printed("0.59")


def test_equation_5_8_average_options() -> None:
    assert average_options(20000 + 6000, 1400 + 600) == 13


def test_equation_5_9_the_average_cancels() -> None:
    assert observed_without_options(13, 0.40) == pytest.approx(0.6)
    assert observed_without_options(2, 0.40) == pytest.approx(0.6)
