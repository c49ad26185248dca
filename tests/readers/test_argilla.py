"""Argilla's records in the forms of its versions."""

from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.readers import formats, read
from tests.readers.exported import cells, claim, study_of, write

FLAT = [
    {
        "id": "r1",
        "status": "completed",
        "text": "A good day",
        "mood.responses": ["glad", "sad", "sad"],
        "mood.responses.users": ["u1", "u2", "u3"],
        "mood.responses.status": ["submitted", "submitted", "draft"],
        "mood.suggestion": "glad",
        "mood.suggestion.agent": "model-7",
        "tags.responses": [["x", "y"], ["x"], []],
        "tags.responses.users": ["u1", "u2", "u3"],
        "tags.responses.status": ["submitted", "submitted", "draft"],
        "why.responses": ["It is a good day."],
        "why.responses.users": ["u1"],
    }
]
WANTED = [("r1", "u1", "mood", "glad"), ("r1", "u2", "mood", "sad")]


def test_flat_records_of_version_2(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.json", FLAT))
    assert cells(study) == [*WANTED, ("r1", "u1", "tags", "x+y"), ("r1", "u2", "tags", "x")]
    assert study.scales["tags"].level is Level.SET
    assert study.unused["mood.suggestion"] == "a model's suggestion is not a judgement"
    assert study.unused["why"] == "free text is no judgement"
    assert study.left_out == ((2, "drafts and discarded responses"),)
    columns = {name: [cell] for name, cell in FLAT[0].items()}
    assert cells(study_of(write(tmp_path / "columns.json", columns))) == cells(study)


@pytest.mark.parametrize(
    "record",
    [
        {"id": "r1", "fields": {}, "suggestions": {"mood": {"value": "sad"}}, "responses": {"mood": [{"value": "glad", "user_id": "u1"}, {"value": "sad", "user_id": "u2"}]}},
        {"id": "r1", "responses": [{"values": {"mood": {"value": "glad"}}, "status": "submitted", "user_id": "u1"}, {"values": {"mood": {"value": "sad"}}, "status": "submitted", "user_id": "u2"}]},
        {"external_id": "r1", "mood": [{"user_id": "u1", "value": "glad", "status": "submitted"}, {"user_id": "u2", "value": "sad", "status": "submitted"}], "mood-suggestion": "sad"},
    ],
)  # fmt: skip
def test_other_forms_say_the_same(tmp_path: Path, record: dict[str, Any]) -> None:
    wanted = [(unit, user, value) for unit, user, _, value in WANTED]
    assert cells(study_of(write(tmp_path / "a.jsonl", [record]))) == wanted
    assert cells(study_of(write(tmp_path / "b.json", {"items": [record]}))) == wanted


def test_rankings_and_records_of_old_versions(tmp_path: Path) -> None:
    ranked = {
        "id": "r1",
        "responses": {
            "order": [
                {
                    "value": [{"value": "b", "rank": 2}, {"value": "a", "rank": 1}, {"value": "c", "rank": 2}],
                    "user_id": "u1",
                }
            ]
        },
    }
    assert cells(study_of(write(tmp_path / "a.json", [ranked]))) == [("r1", "u1", "a > b = c")]
    old = {
        "id": "r1",
        "text": "A",
        "prediction": [{"label": "sad", "score": 0.9}],
        "prediction_agent": "m",
        "annotation": "glad",
        "annotation_agent": "u1",
    }
    assert cells(study_of(write(tmp_path / "b.jsonl", [old]))) == [("r1", "u1", "glad")]


SPANS = {
    "id": "r1",
    "text": "Ida met Jon",
    "who.responses": [[{"start": 0, "end": 3, "label": "P"}], []],
    "who.responses.users": ["u1", "u2"],
    "mood.responses": ["glad"],
    "mood.responses.users": ["u1"],
}


def test_spans_and_answers_of_one_file(tmp_path: Path) -> None:
    file = write(tmp_path / "a.json", [SPANS])
    table = read(file)
    assert isinstance(table, SpanTable)
    assert (len(table), dict(table.lengths)) == (1, {"r1": 11.0})
    assert table.seen == {("r1", "u1"), ("r1", "u2")}
    assert table.left_out == ((1, "answers about the whole record are not spans"),)
    study = study_of(file, format="argilla_choices")
    assert ("r1", "u1", "mood", "glad") in cells(study)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "r", "m.responses": ["a"], "m.responses.users": []}, "not responses as Argilla writes them"),
        ({"id": "r", "m.responses": ["a"], "other.responses.users": ["u"]}, "not responses as Argilla writes them"),
        ({"id": "r", "m.responses": [], "m.responses.users": []}, "there are no judgements"),
    ],
)
def test_damaged_records_are_refused(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.json", [record]))


def test_a_span_without_label_is_refused(tmp_path: Path) -> None:
    broken = SPANS | {"who.responses": [[{"start": 0, "end": 3}], []]}
    with pytest.raises(InputError, match="has no start, end or label"):
        read(write(tmp_path / "a.json", [broken]))


def test_decoys_are_not_taken(tmp_path: Path) -> None:
    file = write(tmp_path / "a.json", [{"responses": [{"user": "u", "value": 1}], "text": "annotation_agent"}])
    assert claim(formats()["argilla"], file) == claim(formats()["argilla_choices"], file) == 0
