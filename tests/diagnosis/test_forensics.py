"""Values that may not mean what they seem, units with one rater, confounded batches, contradicting codes, copies."""

from pathlib import Path

import numpy as np
import pytest

from concordant.diagnosis.diagnose import diagnose
from concordant.diagnosis.forensics import (
    blanks,
    confounded_batches,
    contradicting_codes,
    cramers_v,
    duplicated_texts,
    is_text,
    missing_words,
    missing_words_elsewhere,
    normalised,
    off_scale,
    single_rated,
    spelled_twice,
)
from concordant.diagnosis.material import open_case
from concordant.model.columns import encode
from concordant.model.scale import Level
from concordant.randomness import generator
from concordant.readers import read
from tests.diagnosis.simulated import study_of


def levels(n: int = 60) -> np.ndarray[tuple[int, int], np.dtype[np.str_]]:
    """Two raters who agree on a scale of 4."""
    return np.column_stack([np.arange(n) % 4 + 1] * 2).astype("<U8")


def test_a_value_off_the_declared_scale_is_found_and_the_rest_is_diagnosed() -> None:
    values = levels()
    values[7, 1] = "44"
    study = study_of(values, categories=["1", "2", "3", "4"])
    (found,) = off_scale(open_case(study))
    assert found.evidence == {"values": ["44"], "n_judgements": 1, "first_row": 16}
    whole = diagnose(study)
    assert whole.findings[0].kind == "off-scale"
    assert whole.n_judgements == 119


def test_a_number_far_from_all_others_without_a_declared_scale() -> None:
    values = levels()
    values[7, 1] = "44"
    (found,) = off_scale(open_case(study_of(values)))
    assert found.evidence["values"] == ["44"]
    assert not list(off_scale(open_case(study_of(levels()))))


def test_two_spellings_of_one_category() -> None:
    values = np.where(levels() == "1", "Yes", "no")
    values[0, 0] = "yes"
    (found,) = spelled_twice(open_case(study_of(values, level=Level.NOMINAL)))
    assert found.evidence["values"] == [["yes", "Yes"]]


def test_blanks_and_units_without_any_judgement() -> None:
    values = levels()
    values[3] = ""
    values[5, 0] = ""
    (found,) = blanks(open_case(study_of(values)))
    assert found.evidence["n_blank"] == 3
    assert found.evidence["n_unjudged_units"] == 1
    assert found.evidence["units"] == ["u4"]


@pytest.mark.parametrize(("word", "kind"), [("None", "missing-words"), ("not sure", "deferred-values")])
def test_words_that_are_not_judgements(word: str, kind: str) -> None:
    values = np.where(levels() == "1", "yes", "no     ")
    values = np.char.strip(values).astype("<U8")
    values[0, 0] = word
    (found,) = missing_words(open_case(study_of(values, level=Level.NOMINAL)))
    assert found.kind == kind
    assert found.evidence["values"] == {word: 1}


def test_rare_zeros_below_a_scale_from_one() -> None:
    values = levels(200)
    values[0, 0] = "0"
    assert [f.kind for f in missing_words(open_case(study_of(values)))] == ["zero-values"]


def test_none_as_a_text_is_noted() -> None:
    study = study_of(levels(), unit_attributes={"text": ["None"] * 3 + ["a b"] * 57})
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
    assert words.evidence["n_units"]["None"] == 5  # one of them is written with a blank behind it


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
