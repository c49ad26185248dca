"""Values that may not mean what they seem."""

from pathlib import Path

import numpy as np
import pytest

from assent.diagnosis.diagnose import diagnose
from assent.diagnosis.forensics import open_case
from assent.diagnosis.forensics.values import blanks, missing_words, missing_words_elsewhere, off_scale, spelled_twice
from assent.model.scale import Level
from assent.readers import read
from tests.diagnosis.simulated import study_of


def cells(n: int = 60) -> np.ndarray[tuple[int, int], np.dtype[np.str_]]:
    """Two raters who agree on a scale of 4."""
    return np.column_stack([np.arange(n) % 4 + 1] * 2).astype("<U8")


def test_a_value_off_the_declared_scale_is_found_and_the_rest_is_diagnosed() -> None:
    values = cells()
    values[7, 1] = "44"
    study = study_of(values, categories=["1", "2", "3", "4"])
    (found,) = off_scale(open_case(study))
    assert found.evidence == {"values": ["44"], "n_judgements": 1, "first_row": 16}
    whole = diagnose(study)
    assert whole.findings[0].kind == "off-scale"
    assert whole.n_judgements == 119


def test_a_number_far_from_all_others_without_a_declared_scale() -> None:
    values = cells()
    values[7, 1] = "44"
    (found,) = off_scale(open_case(study_of(values)))
    assert found.evidence["values"] == ["44"]
    assert not list(off_scale(open_case(study_of(cells()))))


def test_two_spellings_of_one_category() -> None:
    values = np.where(cells() == "1", "Yes", "no")
    values[0, 0] = "yes"
    (found,) = spelled_twice(open_case(study_of(values, level=Level.NOMINAL)))
    assert found.evidence["values"] == [["yes", "Yes"]]


def test_blanks_and_units_without_any_judgement() -> None:
    values = cells()
    values[3] = ""
    values[5, 0] = ""
    (found,) = blanks(open_case(study_of(values)))
    assert found.evidence["n_blank"] == 3
    assert found.evidence["n_unjudged_units"] == 1
    assert found.evidence["units"] == ["u4"]


@pytest.mark.parametrize(("word", "kind"), [("None", "missing-words"), ("not sure", "deferred-values")])
def test_words_that_are_not_judgements(word: str, kind: str) -> None:
    values = np.where(cells() == "1", "yes", "no     ")
    values = np.char.strip(values).astype("<U8")
    values[0, 0] = word
    (found,) = missing_words(open_case(study_of(values, level=Level.NOMINAL)))
    assert found.kind == kind
    assert found.evidence["values"] == {word: 1}


def test_rare_zeros_below_a_scale_from_one() -> None:
    values = cells(200)
    values[0, 0] = "0"
    assert [f.kind for f in missing_words(open_case(study_of(values)))] == ["zero-values"]


def test_none_as_a_text_is_noted() -> None:
    study = study_of(cells(), unit_attributes={"text": ["None"] * 3 + ["a b"] * 57})
    (found,) = missing_words_elsewhere(open_case(study))
    assert found.evidence == {"column": "text", "n_units": {"None": 3}}


@pytest.mark.data
def test_sails_has_18_unannotated_responses_and_the_word_none(data_dir: Path) -> None:
    study = read(data_dir / "sails" / "sails_judgements.csv", unit="response_id", rater="annotator", question="feature")
    case = open_case(study)
    (blank,) = blanks(case)
    assert blank.evidence["n_unjudged_units"] == 18
    assert blank.evidence["n_blank"] == 90
    (words,) = missing_words_elsewhere(case)
    assert words.evidence["n_units"]["None"] == 4
