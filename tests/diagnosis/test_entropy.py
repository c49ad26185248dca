"""Entropy: CATALAN Table VIII, in nats as printed and in bits as we show it."""

import numpy as np
import pytest

from assent.diagnosis.entropy import entropy, unit_entropies
from assent.diagnosis.material import materials
from assent.errors import InputError
from assent.model.scale import Level
from tests.diagnosis.simulated import study_of

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

    from assent.model.columns import encode

    part = next(materials(replace(study, value=encode(cells.reshape(-1)))))
    assert unit_entropies(part) is None
