"""Choices made in Prodigy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import concordant
from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers.prodigy import FORMAT
from tests.readers.exported import EXPORTS, cells, claim, study_of, write


def line(unit: int, rater: str, accept: list[str], answer: str = "accept", style: str = "single") -> dict[str, Any]:
    return {
        "text": f"Text {unit}",
        "_input_hash": unit,
        "_task_hash": -unit,
        "options": [{"id": "good"}, {"id": "bad"}, {"id": "C++"}],
        "config": {"choice_style": style},
        "accept": accept,
        "answer": answer,
        "source": "forum",
        "_annotator_id": f"reviews-{rater}",
    }


def test_a_reject_is_missing_and_options_are_the_scale(tmp_path: Path) -> None:
    lines = [
        line(1, "ida", ["good"]),
        line(1, "jon", ["bad"]),
        line(2, "ida", [], "reject"),
        line(2, "jon", [], "ignore"),
    ]
    study = study_of(write(tmp_path / "a.jsonl", lines))
    assert cells(study) == [("1", "ida", "good"), ("1", "jon", "bad"), ("2", "ida", ""), ("2", "jon", "")]
    assert (study.level, study.categories) == (Level.NOMINAL, ("good", "bad", "C++"))
    assert study.notes == ("1 missing: answered with reject", "1 missing: answered with ignore")
    assert list(study.attributes) == ["source"]
    assert {"options", "config", "text"} <= study.unused.keys()
    assert study_of(tmp_path / "a.jsonl", level="ordinal", categories=["bad", "good"]).categories == ("bad", "good")


def test_several_choices_are_sets(tmp_path: Path) -> None:
    lines = [line(1, "ida", ["good", "C++"], style="multiple"), line(1, "jon", ["bad"], style="multiple")]
    study = study_of(write(tmp_path / "a.jsonl", lines))
    assert (study.level, [value for *_, value in cells(study)]) == (Level.SET, ["C＋＋+good", "bad"])
    assert "inside a label" in study.notes[0]
    undeclared = [{**one, "config": {}} for one in lines]
    assert study_of(write(tmp_path / "b.jsonl", undeclared)).level is Level.SET


def test_one_annotator_keeps_the_name_and_labels_are_questions(tmp_path: Path) -> None:
    assert study_of(write(tmp_path / "a.jsonl", [line(1, "ida", ["good"])])).raters == ("reviews-ida",)
    asked = [
        {"_input_hash": 1, "label": "SPAM", "answer": "accept", "_session_id": "ida"},
        {"_input_hash": 1, "label": "RUDE", "answer": "ignore", "_session_id": "ida"},
        {"_input_hash": 2, "answer": "accept", "_session_id": "ida"},
    ]
    study = study_of(write(tmp_path / "b.jsonl", asked))
    assert cells(study) == [("1", "ida", "SPAM", "accept"), ("1", "ida", "RUDE", "")]
    assert study.left_out == ((1, "neither a choice nor a label"),)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([line(1, "ida", ["good"]), {"text": "no hash"}], "row 2: this line has no _input_hash or no answer"),
        ([{**line(1, "ida", []), "accept": "good"}], "row 1, column 'accept': `accept` is not a list"),
        ([line(1, "ida", ["good"]), 3], "row 2: this is not an object"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, lines: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.jsonl", lines))


def test_a_cut_file_is_refused_where_it_ends(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [line(1, "ida", ["good"])])
    path.write_text(path.read_text() + '{"_input_hash": 2, "acc')
    with pytest.raises(InputError, match="row 2: not JSON"):
        study_of(path)


@pytest.mark.parametrize(
    "record",
    [
        {"unit": "a", "rater": "x", "value": 1, "answer": "accept"},
        {**line(1, "ida", []), "spans": [{"start": 0, "end": 4, "label": "A"}]},
        {"_input_hash": 1, "text": "not answered yet"},
    ],
)
def test_a_decoy_is_not_taken(tmp_path: Path, record: dict[str, Any]) -> None:
    assert claim(FORMAT[0], write(tmp_path / "a.jsonl", [record])) == 0


@pytest.mark.data
class TestReal:
    def test_single_choice(self) -> None:
        study = study_of(EXPORTS / "prodigy/presto_distortion.jsonl")
        assert (study.n_rows, len(study.unit.labels), study.raters) == (1779, 593, ("xavi", "miriam", "mireia"))
        assert "2 missing: answered with reject" in study.notes
        third = study.value.text()
        third[third == ""] = "neither"  # as the published values count them
        pair = np.isin(study.rater.text(), ["xavi", "miriam"])
        kappa = concordant.measure(
            {"unit": study.unit.text()[pair], "rater": study.rater.text()[pair], "value": third[pair]}, "kappa", ci=None
        )
        assert round(kappa.value, 4) == 0.6730

    def test_several_choices(self) -> None:
        study = study_of(EXPORTS / "prodigy/presto_types.jsonl")
        assert (study.n_rows, len(study.unit.labels), len(study.raters)) == (745, 317, 3)
        assert (study.level, "46 missing: answered with reject" in study.notes) == (Level.SET, True)
        pairs = {(unit, rater) for unit, rater, _ in cells(study)}
        units = [unit for unit, _ in pairs]
        assert sum(units.count(unit) > 1 for unit in set(units)) == 269
