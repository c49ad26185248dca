"""LightTag's JSON."""

from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.readers import formats, read
from tests.readers.exported import cells, claim, study_of, write

IDA, JON, KIM = ({"annotator": name, "annotator_id": n} for n, name in enumerate(("ida", "jon", "kim")))
EXAMPLE = {
    "example_id": "e1",
    "content": "Ida met Jon",
    "metadata": {"genre": "news"},
    "annotations": [
        {"start": 0, "end": 3, "tag": "P", "value": "Ida", "correct": True, "annotated_by": [IDA, JON], "reviewed_by": "boss"},
        {"start": 8, "end": 11, "tag": "P", "value": "Jon", "correct": None, "annotated_by": [IDA]},
        {"start": 4, "end": 7, "tag": "V", "value": "met", "correct": None, "annotated_by": [{"annotator": "m", "model": True}]},
    ],
    "classifications": [
        {"classname": "short", "annotated_by": [IDA, JON]},
        {"classname": "true", "annotated_by": [IDA]},
    ],
    "relations": [{"id": 1}],
    "seen_by": [IDA, JON, KIM],
}  # fmt: skip
EXPORT = {"schema": {"name": "s"}, "examples": [EXAMPLE], "relations": []}


def test_spans_of_annotators_and_of_who_marked_nothing(tmp_path: Path) -> None:
    table = read(write(tmp_path / "a.json", EXPORT))
    assert isinstance(table, SpanTable)
    assert (len(table), dict(table.lengths)) == (3, {"e1": 11.0})
    assert table.seen == {("e1", "ida"), ("e1", "jon"), ("e1", "kim")}
    assert table.unused["correct"] == "a review is not a rater's judgement"
    assert table.unused["relations"] == "relations are not compared"
    assert {why: n for n, why in table.left_out} == {
        "annotations of models, or of nobody": 1,
        "classifications of whole texts are not spans": 2,
    }


def test_classifications_are_judgements(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.json", EXPORT), format="lighttag_choices")
    assert cells(study) == [("e1", "ida", "short+true"), ("e1", "jon", "short")]
    assert study.level is Level.SET
    assert list(study.attributes) == ["genre"]
    only = {"examples": [EXAMPLE | {"annotations": []}]}
    assert cells(study_of(write(tmp_path / "b.json", only))) == cells(study)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"examples": 1, "x": {"annotated_by": "annotator", "tag": "start"}}, "there is no list of examples"),
        ({"examples": [EXAMPLE | {"annotations": [{"annotated_by": [IDA], "start": 1, "tag": "x"}]}]}, "not an example of LightTag"),
        ({"examples": [EXAMPLE | {"seen_by": ["ida"]}]}, "not an example of LightTag"),
    ],
)  # fmt: skip
def test_damaged_exports_are_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(write(tmp_path / "a.json", content), format="lighttag")


def test_damaged_classifications_are_refused(tmp_path: Path) -> None:
    broken = {"examples": [EXAMPLE | {"classifications": [{"annotated_by": [IDA]}]}]}
    with pytest.raises(InputError, match="not an example of LightTag"):
        read(write(tmp_path / "a.json", broken), format="lighttag_choices")


def test_decoys_are_not_taken(tmp_path: Path) -> None:
    file = write(tmp_path / "a.json", [{"annotator": "ida", "start": 1, "tag": "x"}])
    assert claim(formats()["lighttag"], file) == claim(formats()["lighttag_choices"], file) == 0
