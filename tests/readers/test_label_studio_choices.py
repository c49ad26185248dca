"""Choices and ratings made in Label Studio."""

from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers.label_studio_choices import FORMAT
from tests.readers.exported import EXPORTS, cells, claim, study_of, write


def result(kind: str, value: Any, name: str = "mood", **more: Any) -> dict[str, Any]:
    return {"type": kind, "from_name": name, "to_name": "text", "value": {kind: value, **more}}


def task(number: int, *done: tuple[Any, list[dict[str, Any]]], **more: Any) -> dict[str, Any]:
    annotations = [{"completed_by": person, "result": results} for person, results in done]
    return {"id": number, "data": {"text": f"Text {number}", "tags": ["a", "b"]}, "annotations": annotations, **more}


def test_controls_are_questions_and_models_are_not_people(tmp_path: Path) -> None:
    first = [result("choices", ["good"]), result("rating", 4, "stars"), result("textarea", ["why"], "why")]
    second = [result("choices", ["good", "odd"]), result("rating", 5, "stars")]
    tasks = [
        task(1, ({"id": 7, "email": "ida@example.org"}, first), (8, second), predictions=[{"result": []}]),
        task(2, (None, [result("choices", ["good"]), result("choices", ["bad"], "part", start=0, end=4)])),
    ]
    tasks[1]["annotations"].append({"was_cancelled": True, "result": []})
    study = study_of(write(tmp_path / "a.json", tasks))
    assert cells(study) == [
        ("1", "ida@example.org", "mood", "good"),
        ("1", "ida@example.org", "stars", "4"),
        ("1", "8", "mood", "good+odd"),
        ("1", "8", "stars", "5"),
        ("2", "unknown", "mood", "good"),
    ]
    assert {name: scale.level for name, scale in study.scales.items()} == {"mood": Level.SET, "stars": Level.ORDINAL}
    assert {reason: n for n, reason in study.left_out} == {
        "predictions: a model is not a rater": 1,
        "skipped by the annotator": 1,
        "textarea, which are no categories of a task": 1,
        "answers about single regions, which are no categories of a task": 1,
    }
    assert (list(study.attributes), list(study.unused)) == (["text"], ["tags"])


def test_taxonomies_and_pairs(tmp_path: Path) -> None:
    chosen = [result("taxonomy", [["Animal", "Dog"]], "kind"), result("pairwise", "", "which", selected="left")]
    study = study_of(write(tmp_path / "a.json", [task(1, (1, chosen))]))
    assert [value for *_, value in cells(study)] == ["Animal / Dog", "left"]


def test_json_min_has_answers_between_id_and_annotator(tmp_path: Path) -> None:
    own = {"annotation_id": 1, "created_at": "2030-01-01", "lead_time": 2.5}
    tasks = [
        {"text": "A", "id": 1, "mood": "good", "tags": {"choices": ["x", "y"]}, "annotator": 1, **own},
        {"text": "A", "id": 1, "mood": "bad", "tags": "x", "annotator": 2, **own},
    ]
    study = study_of(write(tmp_path / "a.json", tasks))
    assert cells(study) == [
        ("1", "1", "mood", "good"), ("1", "1", "tags", "x+y"), ("1", "2", "mood", "bad"), ("1", "2", "tags", "x")
    ]  # fmt: skip
    assert cells(study_of(tmp_path / "a.json", questions=["mood"])) == [("1", "1", "good"), ("1", "2", "bad")]


TABLE = """id,text,mood,tags,annotator,annotation_id,created_at,updated_at,lead_time
1,A,good,"{""choices"": [""y"", ""x""]}",1,1,t,t,2.5
1,A,bad,x,2,2,t,t,3.5
2,B,good,x,1,3,t,t,1.5
2,B,good,,,,,,
"""


def test_a_table_has_answers_where_annotators_differ(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.csv", TABLE))
    assert cells(study)[3:5] == [("1", "1", "tags", "x+y"), ("1", "2", "tags", "x")]
    assert (study.scales["tags"].level, list(study.attributes)) == (Level.SET, ["text"])
    assert study.left_out == ((1, "without an annotator"),)
    assert study.notes == ("answers are mood, tags (say --read questions=… to change it)",)
    alone = "\n".join(line for line in TABLE.splitlines() if ",2,2," not in line and ",,," not in line)
    with pytest.raises(InputError, match=r"say --read questions=NAME .columns: text, mood"):
        study_of(write(tmp_path / "b.csv", alone))
    assert cells(study_of(tmp_path / "b.csv", questions=["mood"])) == [("1", "1", "good"), ("2", "1", "good")]
    spans = TABLE.replace('{""choices"": [""y"", ""x""]}', '[{""start"": 1}]')
    assert "spans or regions" in study_of(write(tmp_path / "c.csv", spans)).unused["tags"]
    with pytest.raises(InputError, match="column 'tags': the cells hold spans or regions"):
        study_of(tmp_path / "c.csv", questions=["tags"])


def test_boxes_are_counted_and_refused(tmp_path: Path) -> None:
    tasks = [task(1, (1, [result("rectanglelabels", ["Car"], x=1.0, y=2.0, width=3.0, height=4.0)] * 3), (2, []))]
    message = "tasks: 1, raters: 2, annotations: 2, rectangles: 3: boxes and polygons are neither .* character spans"
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.json", tasks))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([task(1, (1, [result("choices", ["a"])])), {"id": 2, "annotations": 5}], "row 2: the task is not as"),
        ([task(1, (1, [result("choices", ["a"])])), 7], "row 2: this is not an object"),
        ([task(1, (1, [result("textarea", ["a"])]))], "there are no judgements; export tasks with choices"),
        ([task(1, (1, [result("labels", ["A"], start=0, end=1)]))], "say --format label_studio for spans"),
        ([{"id": 1, "mood": "good"}], "row 1: the object has no id or no annotator"),
    ],
)
def test_damaged_exports_are_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.json", content), format="label_studio_choices")


@pytest.mark.parametrize(
    "content",
    [
        [task(1, (1, [result("labels", ["A"], start=0, end=1)]))],
        [{"id": 1, "type": "choices", "value": "good"}],
        {"annotations": [{"result": "choices"}]},
    ],
)
def test_decoys_are_not_taken(tmp_path: Path, content: Any) -> None:
    assert claim(FORMAT, write(tmp_path / "a.json", content)) == 0
    assert claim(FORMAT, write(tmp_path / "a.csv", "id,annotator,label\n1,2,x\n")) == 0


@pytest.mark.data
class TestReal:
    def test_boxes(self) -> None:
        folder = EXPORTS / "label_studio"
        with pytest.raises(InputError, match="tasks: 5, raters: 3, annotations: 15, rectangles: 91: boxes"):
            study_of(folder / "evalme_bbox.json")
        with pytest.raises(InputError, match=r"tasks: 2, .* rectangles: 3: boxes"):
            study_of(folder / "converter/csv_test.json")
        with pytest.raises(InputError, match=r"tasks: 1, .* polygons: 1: boxes"):
            study_of(folder / "converter/json_min_source.json")

    def test_choices(self) -> None:
        folder = EXPORTS / "label_studio/converter"
        (row,) = cells(study_of(folder / "csv_test_history.json"))
        assert row == ("6141", "annotator4@example.org", "Positive")
        assert len(cells(study_of(folder / "csv_test2.json"))) == 1
        with pytest.raises(InputError, match="none is known to be an answer"):  # the CSV does not hold the choice
            study_of(folder / "csv_test2_result.csv")
