"""Classifications made in Labelbox."""

import json
from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers.labelbox_choices import BESIDE, FORMAT
from tests.readers.exported import EXPORTS, cells, claim, study_of, write


def label(unit: str, person: str, *classifications: dict[str, Any], **more: Any) -> dict[str, Any]:
    said = {"objects": [], "classifications": list(classifications)}
    return {"ID": f"{unit}{person}", "DataRow ID": unit, "Label": said, "Created By": person, **more}


def test_the_first_version(tmp_path: Path) -> None:
    mood = {"title": "Mood", "answer": {"title": "good"}}
    tags = {"title": "Tags", "answer": [{"title": "a"}, {"title": "b"}]}
    records = [label("d1", "ida", mood, tags), label("d1", "jon", mood, {"title": "Why", "answer": "so"})]
    study = study_of(write(tmp_path / "a.json", [*records, label("d2", "ida", Skipped=True)]))
    assert cells(study) == [("d1", "ida", "Mood", "good"), ("d1", "ida", "Tags", "a+b"), ("d1", "jon", "Mood", "good")]
    assert (study.scales["Tags"].level, study.unused) == (Level.SET, {"Why": "a text typed in is no judgement"})
    assert study.left_out == ((1, "skipped"),)


def test_the_second_version(tmp_path: Path) -> None:
    said = {"objects": [{"name": "box"}], "classifications": [{"name": "Mood", "radio_answer": {"name": "good"}}]}
    labels = [{"label_kind": "Default", "label_details": {"created_by": "ida"}, "annotations": said}]
    record = {"data_row": {"id": "d1", "external_id": "x"}, "projects": {"p": {"labels": labels}}}
    study = study_of(write(tmp_path / "a.ndjson", json.dumps(record)))
    assert (cells(study), study.left_out[0][0]) == ([("d1", "ida", "good")], 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([label("d1", "ida", {"answer": {"title": "good"}})], "row 1: this is not as Labelbox writes it"),
        ([label("d1", "ida")], "there are no judgements in this file"),
        ('[{"DataRow ID": "d1", "Label": {"classifications": [', "not JSON"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.json", content), format="labelbox_choices")


def test_decoys(tmp_path: Path) -> None:
    assert claim(FORMAT, write(tmp_path / "a.json", [{"Label": "x", "classifications": []}])) == 0
    both = label("d1", "ida", {"title": "Mood", "answer": {"title": "good"}})
    both["Label"]["objects"] = [{"data": {"location": {"start": 0, "end": 4}}}]
    assert claim(FORMAT, write(tmp_path / "b.json", [both])) == BESIDE


@pytest.mark.data
def test_a_real_export() -> None:
    study = study_of(EXPORTS / "labelbox/text_export_v1.json", holds="judgements")
    assert (study.n_rows, study.raters) == (1, ("annotator1@example.org",))
    assert study.left_out == ((4, "objects (spans, boxes): no classifications"),)
