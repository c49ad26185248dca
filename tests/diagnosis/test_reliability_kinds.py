"""Stability, accuracy, and where the variance comes from."""

import numpy as np
import pytest

from assent.diagnosis.accuracy import accuracy
from assent.diagnosis.generalizability import generalizability
from assent.diagnosis.material import materials
from assent.diagnosis.stability import stability
from assent.engines.tally import tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.model.columns import Column, encode
from assent.model.scale import Level
from assent.model.study import Study
from tests.diagnosis.simulated import study_of

# Shrout & Fleiss (1979), Table 2: six units, four raters
SHROUT_FLEISS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])


def test_variance_components_of_shrout_and_fleiss() -> None:
    data = tally(study_of(SHROUT_FLEISS, level=Level.INTERVAL).judgements())
    found = generalizability(data)
    # mean squares 11.24, 32.49, 1.02: components 2.56, 5.24, 1.02
    assert (found.units, found.raters, found.rest) == pytest.approx((2.556, 5.244, 1.019), abs=0.001)
    four = next(one for one in found.expected if one.n_raters == 4)
    one = next(one for one in found.expected if one.n_raters == 1)
    for key, value in {
        "icc_a1": one.absolute,
        "icc_c1": one.relative,
        "icc_ak": four.absolute,
        "icc_ck": four.relative,
    }.items():
        assert value == pytest.approx(float(evaluate(find_measure(key), data)))


def test_names_have_no_variance() -> None:
    found = generalizability(tally(study_of(np.array([["a", "b"], ["c", "c"]]), level=Level.NOMINAL).judgements()))
    assert found.reason == "values without an order have no variance"


def repeated() -> Study:
    """Two raters judge ten units twice; J2 changes their mind on two."""
    first = np.arange(10) % 2
    second = first.copy()
    second[:2] = 1 - second[:2]
    values = np.concatenate([first, first, first, second])
    return Study(
        name="repeated",
        unit=Column(codes=np.tile(np.arange(10), 4), labels=[f"u{i}" for i in range(10)]),
        rater=Column(codes=np.repeat([0, 0, 1, 1], 10), labels=["J1", "J2"]),
        value=encode(values.astype(str)),
        duplicates="last",
    )


def test_stability_overall_and_per_rater() -> None:
    whole, one, two = stability(repeated())
    assert (whole.rater, whole.n_repeated) == (None, 20)
    assert one.result.value == pytest.approx(1.0)
    assert two.result.observed == pytest.approx(0.8)
    assert two.result.value == pytest.approx(0.6)


def test_no_repeats_no_stability() -> None:
    assert stability(study_of(np.ones((5, 2)))) == ()


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
