"""Raters and consensus against a gold standard."""

import numpy as np
import pytest

from assent.diagnosis.accuracy import accuracy
from assent.diagnosis.material import materials
from assent.errors import InputError
from assent.model.scale import Level
from tests.diagnosis.simulated import study_of


def test_accuracy_of_raters_and_consensus() -> None:
    gold = np.array(["a", "b", "a", "b"] * 5)
    cells = np.column_stack([gold, gold, np.where(np.arange(20) < 4, "b", gold)])
    part = next(materials(study_of(cells, level=Level.NOMINAL, unit_attributes={"gold": gold})))
    consensus, one, _, three = accuracy(part, "gold")
    assert consensus.rater is None
    assert consensus.share_right == 1.0
    assert one.result.value == pytest.approx(1.0)
    assert three.share_right == pytest.approx(18 / 20)


def test_ties_are_left_out_of_the_consensus_and_counted() -> None:
    cells = np.array([["a", "b"], ["a", "a"], ["b", "b"]])
    part = next(materials(study_of(cells, level=Level.NOMINAL, unit_attributes={"gold": ["a", "a", ""]})))
    consensus = accuracy(part, "gold")[0]
    assert (consensus.n_units, consensus.n_tied) == (1, 1)


def test_gold_must_belong_to_units() -> None:
    part = next(materials(study_of(np.ones((3, 2)), columns={"g": np.arange(6).reshape(3, 2)})))
    with pytest.raises(InputError, match="not the same in all rows"):
        accuracy(part, "g")
