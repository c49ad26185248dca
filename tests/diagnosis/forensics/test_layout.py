"""Units with one rater, confounded batches, contradicting codes."""

from pathlib import Path

import numpy as np
import pytest

from assent.diagnosis.forensics import open_case
from assent.diagnosis.forensics.layout import (
    confounded_batches,
    contradicting_codes,
    cramers_v,
    single_rated,
)
from assent.randomness import generator
from assent.readers import read
from tests.diagnosis.simulated import study_of


def cells(n: int = 60, k: int = 2) -> np.ndarray[tuple[int, int], np.dtype[np.str_]]:
    """Raters who agree."""
    return np.column_stack([np.arange(n) % 3 + 1] * k).astype("<U4")


def test_single_rated_units() -> None:
    values = cells()
    values[:7, 1] = ""
    (found,) = single_rated(open_case(study_of(values)))
    assert found.evidence == {"n_single": 7, "n_judged": 60}
    assert found.severity == "note"
    assert not list(single_rated(open_case(study_of(cells()))))


def test_nothing_judged_twice_is_serious() -> None:
    values = cells()
    values[:, 1] = ""
    (found,) = single_rated(open_case(study_of(values)))
    assert found.severity == "serious"


def test_raters_who_go_with_an_attribute() -> None:
    values = cells(60, 4)
    values[:30, 2:] = ""
    values[30:, :2] = ""
    group = np.repeat(["NS", "NNS"], 30)
    (found,) = confounded_batches(open_case(study_of(values, unit_attributes={"group": group})))
    assert found.evidence["attribute"] == "group"
    assert found.evidence["cramers_v"] == pytest.approx(1.0)
    mixed = np.tile(["NS", "NNS"], 30)
    assert not list(confounded_batches(open_case(study_of(values, unit_attributes={"group": mixed}))))


def test_a_batch_column_that_goes_with_an_attribute() -> None:
    attributes = {"batch": np.repeat(["1", "2", "3"], 20), "genre": np.repeat(["news", "talk", "novel"], 20)}
    (found,) = confounded_batches(open_case(study_of(cells(), unit_attributes=attributes)))
    assert found.evidence["batch"] == "'batch'"


def test_two_columns_that_contradict_each_other() -> None:
    group = np.array(["NS"] * 100 + ["NNS"] * 100)
    native = np.array(["yes"] * 97 + ["no"] * 103)
    (found,) = contradicting_codes(open_case(study_of(cells(200), unit_attributes={"group": group, "native": native})))
    assert found.evidence["n_units"] == 3
    assert "3 units with 'NS' and 'no'" in found.seen


def test_columns_that_agree_or_have_nothing_to_do_with_each_other_do_not() -> None:
    group = np.array(["NS"] * 100 + ["NNS"] * 100)
    other = generator(1).choice(["a", "b"], 200)
    assert not list(contradicting_codes(open_case(study_of(cells(200), unit_attributes={"g": group, "h": group}))))
    assert not list(contradicting_codes(open_case(study_of(cells(200), unit_attributes={"g": group, "h": other}))))


def test_cramers_v_of_independence_is_zero() -> None:
    assert cramers_v(np.array([[10, 20], [20, 40]])) == pytest.approx(0.0)
    assert cramers_v(np.array([[10, 0], [0, 40]])) == pytest.approx(1.0)


@pytest.mark.data
def test_sails_group_code_contradicts_the_declared_language(data_dir: Path) -> None:
    study = read(
        data_dir / "sails" / "sails_responses.csv",
        unit="response_id",
        rater="source",
        value="a1_vector",
        attributes=["subgroup", "l1_english"],
    )
    (found,) = [f for f in contradicting_codes(open_case(study)) if "l1_english" in f.evidence["columns"]]
    # 328 responses of the crowd group of native speakers come from people who say English is not their first language
    assert found.evidence["n_units"] == 328
