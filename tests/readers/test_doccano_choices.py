"""Classifications made in doccano."""

from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers.doccano_choices import FORMAT
from tests.readers.exported import EXPORTS, cells, claim, study_of, write


def text(number: int, *labels: str, **more: Any) -> dict[str, Any]:
    return {"id": number, "text": f"Text {number}", "label": list(labels), "Comments": [], **more}


def test_a_file_for_each_rater(tmp_path: Path) -> None:
    write(tmp_path / "p/ida.jsonl", [text(1, "good"), text(2, "bad"), text(3)])
    write(tmp_path / "p/jon.jsonl", [text(1, "good"), text(2, "good", source="forum")])
    study = study_of(tmp_path / "p")
    assert cells(study)[:4] == [("1", "ida", "good"), ("2", "ida", "bad"), ("3", "ida", ""), ("1", "jon", "good")]
    assert (study.level, study.notes) == (Level.NOMINAL, ("1 missing: no label",))
    assert cells(study_of(tmp_path / "p/ida.jsonl", tmp_path / "p/jon.jsonl")) == cells(study)
    assert (list(study.attributes), list(study.unused)) == (["text"], ["Comments"])


def test_several_labels_are_a_set(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "ida.json", [text(1, "good", "odd"), text(2, "odd")]), format="doccano_choices")
    assert (study.level, [value for *_, value in cells(study)]) == (Level.SET, ["good+odd", "odd"])


def test_older_layouts_name_the_user(tmp_path: Path) -> None:
    given = [{"label": 15, "user": 1}, {"label": 17, "user": 2}]
    old = [{"id": 1, "text": "A", "annotations": given, "meta": {"year": 2030}, "annotation_approver": None}]
    study = study_of(write(tmp_path / "a.jsonl", [*old, {"id": 2, "text": "B", "annotations": []}]))
    assert cells(study) == [("1", "1", "15"), ("1", "2", "17")]
    assert (list(study.attributes), study.left_out) == (["text", "year"], ((1, "without any annotation"),))
    table = "annotation_approver,id,label,text,user\n,1,15,A,1\n,1,17,A,2\n"
    same = study_of(write(tmp_path / "a.csv", table))
    assert (cells(same), same.level) == (cells(study), Level.NOMINAL)
    joined = study_of(write(tmp_path / "ida.csv", "id,data,label\n1,A,good#odd\n"), format="doccano_choices")
    assert cells(joined) == [("1", "ida", "good+odd")]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [text(1, "good"), {"id": 2, "text": "B", "label": [[0, 1, "A"]]}],
            "row 2, column 'label': the labels are spans",
        ),
        (
            [text(1, "good"), {"id": 2, "text": "B", "annotations": [{"user": 1}]}],
            "row 2, .*: an annotation has no label",
        ),
        (
            [text(1, "good"), {"id": 2, "annotations": [{"label": 1, "start_offset": 0}]}],
            "row 2: the annotations are spans",
        ),
        ([text(1), text(2)], "no text has a label"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, lines: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.jsonl", lines), format="doccano_choices")


@pytest.mark.parametrize(
    "record",
    [
        {"id": 1, "text": "A", "rater": "ida", "label": ["good"]},
        {"id": 1, "text": "A", "label": [[0, 1, "A"]]},
        {"id": 1, "label": ["good"]},
        {"id": 1, "text": "A", "annotations": [{"label": 1, "start_offset": 0, "end_offset": 1, "user": 1}]},
    ],
)
def test_decoys_are_not_taken(tmp_path: Path, record: dict[str, Any]) -> None:
    assert claim(FORMAT, write(tmp_path / "a.jsonl", [record])) == 0
    with pytest.raises(InputError, match="no export of doccano in this folder"):
        study_of(write(tmp_path / "p/readme.md", "x").parent, format="doccano_choices")


@pytest.mark.data
@pytest.mark.parametrize("name", ["classification.jsonl", "classification.csv"])
def test_a_real_classification(name: str) -> None:
    study = study_of(EXPORTS / "doccano/transformer" / name)
    assert cells(study) == [("2591", "1", "15"), ("2592", "1", "17"), ("2593", "1", "17")]
    assert study.level is Level.NOMINAL
