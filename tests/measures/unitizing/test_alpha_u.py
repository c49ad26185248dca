"""Krippendorff's alpha for units: the example of Krippendorff (2004), and what is undefined."""

import numpy as np
import pytest

from assent.measures.unitizing.alpha_u import alpha_u
from assent.model.continuum import Continuum
from tests.measures.unitizing.test_gamma import make

# Krippendorff (2004), Measuring the reliability of qualitative text analysis data, figure 2; positions counted from the
# begin of the continuum of 300. The values to the fourth digit are also in the tests of DKPro Statistics.
FIRST = [(75.0, 145.0, "c"), (220.0, 250.0, "c"), (30.0, 90.0, "k"), (150.0, 200.0, "k")]
SECOND = [(70.0, 150.0, "c"), (205.0, 225.0, "c"), (250.0, 270.0, "c"), (30.0, 90.0, "k"), (150.0, 200.0, "k")]
GOLDEN = {"c": ("0.0144", "0.0532"), "k": ("0.0000", "0.0490")}


def test_krippendorff_2004() -> None:
    result = alpha_u(make(FIRST, SECOND, length=300.0))
    for category, (observed, expected) in GOLDEN.items():
        found = result.details["categories"][category]
        assert found["observed"] == pytest.approx(float(observed), abs=0.00005)
        assert found["expected"] == pytest.approx(float(expected), abs=0.00005)
    assert result.value == pytest.approx(0.8587, abs=0.00005)


def test_identical_raters_have_one() -> None:
    assert alpha_u(make(FIRST, FIRST, FIRST, length=300.0)).value == 1


@pytest.mark.parametrize(
    ("continuum", "words"),
    [
        (make(FIRST), "a single rater"),
        (make([], [], length=10.0), "nobody marked a unit"),
        (make(FIRST, [(1.0, 1.0, "c")]), "zero length"),
        (make(FIRST, [(0.0, 9.0, "c"), (5.0, 12.0, "c")]), "'c' by rater 'r1' overlap"),
    ],
)
def test_undefined_cases_say_why(continuum: Continuum, words: str) -> None:
    assert words in str(alpha_u(continuum).reason)


def test_units_of_different_categories_may_overlap() -> None:
    assert alpha_u(make([(0.0, 9.0, "c"), (5.0, 12.0, "k")], [(0.0, 9.0, "c")], length=20.0)).value is not None


def test_no_disagreement_by_chance_is_undefined() -> None:
    everything = Continuum(
        raters=("a", "b"),
        categories=("x",),
        rater=np.array([0, 1]),
        begin=np.zeros(2),
        end=np.ones(2),
        category=np.zeros(2, dtype=np.int64),
    )
    assert "0/0" in str(alpha_u(everything).reason)
