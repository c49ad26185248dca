"""Use and confusion of categories."""

import numpy as np
import pytest

from assent.diagnosis.categories import category_profile
from assent.diagnosis.conclusions import on_categories
from assent.diagnosis.material import materials
from assent.model.scale import Level
from tests.diagnosis.simulated import study_of


def test_prevalence_bias_and_adjusted_kappa() -> None:
    # Byrt, Bishop & Carlin (1993): prevalence (a - d) / n, bias (b - c) / n, PABAK 2 A_o - 1
    cells = np.array([["yes", "yes"]] * 40 + [["yes", "no"]] * 9 + [["no", "yes"]] * 6 + [["no", "no"]] * 45)
    found = category_profile(next(materials(study_of(cells, level=Level.NOMINAL))))
    assert found is not None
    assert found.balance is not None
    assert found.balance.prevalence == pytest.approx(0.05)
    assert found.balance.bias == pytest.approx(0.03)
    assert found.balance.adjusted_kappa == pytest.approx(0.70)
    assert found.uses[1].by_rater == pytest.approx((0.49, 0.46))


def test_specific_agreement_is_twice_both_over_all() -> None:
    cells = np.array([["a", "a"]] * 6 + [["a", "b"]] * 2 + [["b", "b"]] * 2)
    found = category_profile(next(materials(study_of(cells, level=Level.NOMINAL))))
    assert found is not None
    assert found.uses[0].specific_agreement == pytest.approx(12 / 14)
    assert found.uses[1].specific_agreement == pytest.approx(4 / 6)


def test_the_confused_pair_is_named() -> None:
    cells = np.array([["a", "a"]] * 20 + [["b", "c"]] * 25 + [["c", "b"]] * 15 + [["b", "b"]] * 20 + [["a", "c"]] * 2)
    part = next(materials(study_of(cells, level=Level.NOMINAL)))
    found = category_profile(part)
    assert found is not None
    assert (found.confusions[0].first, found.confusions[0].second) == ("b", "c")
    assert found.confusions[0].n_pairs == 80 / 2
    assert found.confusions[0].share == pytest.approx(40 / 42)
    assert [f.kind for f in on_categories(None, Level.NOMINAL, found)] == ["confused-categories"]


def test_without_trust_nothing_is_said_by_rater() -> None:
    cells = np.array([["a", "a"], ["b", "a"], ["b", "b"]])
    found = category_profile(next(materials(study_of(cells, level=Level.NOMINAL))), trust_raters=False)
    assert found is not None
    assert found.raters == ()
    assert found.balance is None
    assert found.uses[0].by_rater == ()


def test_one_category_takes_nearly_all() -> None:
    cells = np.array([["a", "a"]] * 95 + [["b", "a"]] * 5)
    found = category_profile(next(materials(study_of(cells, level=Level.NOMINAL))))
    assert [f.kind for f in on_categories(None, Level.NOMINAL, found)] == ["skewed-categories"]
