"""Use and confusion of categories; entropy: CATALAN Table VIII, in nats as printed and in bits as we show it."""

import numpy as np
import pytest

from concordant.diagnosis.categories import (
    category_profile,
    direction,
    directions,
    entropy,
    on_categories,
    unit_entropies,
)
from concordant.diagnosis.material import materials
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.scale import Level
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


TABLE_VIII = {  # shares of B BE BO E EO O, nats (printed 1.17 and 1.52 from unrounded shares), bits
    "cranià": ((0, 0, 0, 0, 0, 1), "0", "0"),
    "conservador": ((0.5, 0.33, 0.02, 0.11, 0.04, 0), "1.16", "1.68"),
    "capaç": ((0.06, 0.11, 0.39, 0.17, 0.03, 0.25), "1.53", "2.21"),
}


@pytest.mark.parametrize("lemma", TABLE_VIII)
def test_table_viii(lemma: str) -> None:
    shares, nats, bits = TABLE_VIII[lemma]
    assert float(entropy(shares, base=np.e)) == pytest.approx(float(nats), abs=0.005)
    assert float(entropy(shares)) == pytest.approx(float(bits), abs=0.005)


def test_six_equal_classes_have_the_upper_bound_of_the_document() -> None:
    assert float(entropy(np.full(6, 1 / 6))) == pytest.approx(2.58, abs=0.005)


def test_units_come_hardest_first_with_their_shares() -> None:
    cells = np.array([["B", "B", "B", "B"], ["B", "E", "B", "E"], ["B", "B", "B", "O"]])
    found = unit_entropies(next(materials(study_of(cells, level=Level.NOMINAL))))
    assert found is not None
    assert [unit.unit for unit in found.units] == ["u2", "u3", "u1"]
    assert found.units[0].entropy == pytest.approx(1.0)
    assert found.units[0].shares == (0.5, 0.5, 0.0)
    assert found.highest_possible == pytest.approx(np.log2(3))


def test_welch_by_attribute() -> None:
    random = np.random.default_rng(1)
    hard = random.choice(["a", "b", "c"], (30, 6))
    easy = np.where(random.random((30, 6)) < 0.9, "a", "b")
    kind = ["hard"] * 30 + ["easy"] * 30
    found = unit_entropies(
        next(materials(study_of(np.vstack([hard, easy]), level=Level.NOMINAL, unit_attributes={"kind": kind})))
    )
    assert found is not None
    (test,) = found.tests
    assert test.test is not None
    assert test.test.text.startswith("t(")
    assert test.test.p < 0.001
    assert {group.value: group.n_units for group in test.groups} == {"hard": 30, "easy": 30}


def test_a_group_without_variance_has_a_reason() -> None:
    cells = np.array([["a", "a"]] * 6 + [["a", "b"]] * 6)
    part = next(materials(study_of(cells, level=Level.NOMINAL, unit_attributes={"k": ["x"] * 6 + ["y"] * 6})))
    found = unit_entropies(part)
    assert found is not None
    assert found.tests[0].test is None
    assert found.tests[0].reason


def test_base_must_make_sense_and_attributes_belong_to_units() -> None:
    with pytest.raises(InputError, match="base of entropy"):
        entropy([0.5, 0.5], base=1)
    part = next(materials(study_of(np.ones((4, 2)), columns={"time": np.arange(8).reshape(4, 2)})))
    with pytest.raises(InputError, match="not an attribute of units"):
        unit_entropies(part, attributes=["time"])


def test_continuous_data_have_none() -> None:
    cells = np.random.default_rng(2).normal(0, 1, (1500, 2))
    study = study_of(cells, level=Level.INTERVAL)
    from dataclasses import replace

    from concordant.model.columns import encode

    part = next(materials(replace(study, value=encode(cells.reshape(-1)))))
    assert unit_entropies(part) is None
