"""Identical texts inside an item are counted once, with both coefficients."""

from pathlib import Path

import numpy as np
import pytest

from assent.diagnosis.forensics import open_case
from assent.diagnosis.forensics.texts import duplicated_texts, is_text, normalised
from assent.model.columns import encode
from assent.readers import read
from tests.diagnosis.simulated import study_of


def test_copies_are_found_whatever_their_case_and_punctuation() -> None:
    texts = ["The boy is dancing.", "the boy is dancing", "A boy  sings!", "A dog is running"] * 10
    cells = np.column_stack([np.arange(40) % 4 + 1] * 2)
    cells[3::4, 1] = 1
    items = np.repeat(["one", "two"], 20)
    (found,) = duplicated_texts(open_case(study_of(cells, unit_attributes={"text": texts, "item": items})))
    assert (found.evidence["n_units"], found.evidence["n_distinct"]) == (40, 6)
    assert found.evidence["judged_once"] is False


def test_copies_with_one_judgement_each_were_fanned_out() -> None:
    texts = [f"response number {i}" for i in range(20)] * 2
    cells = np.tile(np.column_stack([np.arange(20) % 3, (np.arange(20) + (np.arange(20) == 4)) % 3]), (2, 1))
    (found,) = duplicated_texts(open_case(study_of(cells, unit_attributes={"text": texts})))
    assert found.evidence["judged_once"] is True
    (look,) = found.evidence["by_question"]
    assert look["n_units"] == 40
    assert look["n_distinct"] == 20
    assert look["value_of_all"] > look["value_of_distinct"] - 0.05


def test_codes_are_not_texts() -> None:
    assert not is_text(encode(["NS", "NNS", "NS"]))
    assert is_text(encode(["the boy is dancing", "a girl sings a song"]))


@pytest.mark.parametrize("text", ["The  boy.", " the boy ", "THE BOY!?"])
def test_normalised(text: str) -> None:
    assert normalised(text) == "the boy"


@pytest.mark.data
def test_sails_test_set_has_876_texts_in_1293_responses(data_dir: Path) -> None:
    study = read(data_dir / "sails" / "sails_judgements.csv", unit="response_id", rater="annotator", question="feature")
    (found,) = duplicated_texts(open_case(study.where("image", ["I28", "I29", "I30"])))
    assert (found.evidence["n_units"], found.evidence["n_distinct"]) == (1293, 876)
    assert found.evidence["judged_once"] is True
    core = found.evidence["by_question"][0]
    assert core["value_of_all"] == pytest.approx(0.808, abs=0.0005)
    assert core["value_of_distinct"] != pytest.approx(core["value_of_all"], abs=0.001)
