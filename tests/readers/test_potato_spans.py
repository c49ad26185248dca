"""Spans marked with Potato."""

from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from tests.readers.exported import write


def state(user: str, spans: Any, **more: Any) -> dict[str, Any]:
    labels: dict[str, Any] = {}
    assigned = ["t1", "t2", "t3"]
    return {
        "user_id": user, "instance_id_ordering": assigned, "instance_id_to_behavioral_data": {"t2": {}},
        "instance_id_to_label_to_value": labels, "instance_id_to_span_to_value": spans, **more,
    }  # fmt: skip


def pair(name: str, begin: Any, end: int, schema: str = "who", value: Any = "true") -> list[Any]:
    return [{"schema": schema, "name": name, "title": name, "start": begin, "end": end}, value]


def test_folders_are_raters_and_instances_texts(tmp_path: Path) -> None:
    write(tmp_path / "a/user_state.json", state("ida", {"t1": [pair("person", 0, 3), pair("place", 7, 9)]}))
    write(tmp_path / "b/user_state.json", state("jon", {"t1": {"who": [{"start": 0, "end": 4, "label": "person"}]}}))
    assert find_format(tmp_path).format.name == "potato_spans"
    table = concordant.read(tmp_path)
    found = list(zip(table.text, table.rater, table.begin, table.end, table.category, strict=True))
    assert found == [
        ("t1", "ida", 0, 3, "person"), ("t1", "ida", 7, 9, "place"), ("t1", "jon", 0, 4, "person"),
    ]  # fmt: skip
    assert table.seen == {("t1", "ida"), ("t2", "ida"), ("t1", "jon"), ("t2", "jon")}
    assert "2 assigned texts without an answer or a visit count as not seen" in table.notes


def test_lines_of_version_1(tmp_path: Path) -> None:
    span = {"start": 2, "end": 5, "span": "xyz", "annotation": "person"}
    record = {"id": "t1", "displayed_text": "abxyz", "label_annotations": {}, "span_annotations": [span]}
    write(tmp_path / "ida/annotated_instances.jsonl", [record, {**record, "id": "t2", "span_annotations": []}])
    table = concordant.read(tmp_path)
    assert (table.rater.tolist(), table.begin.tolist(), table.category.tolist()) == (["ida"], [2], ["person"])
    assert table.seen == {("t1", "ida"), ("t2", "ida")}


def test_schemas_are_layers_and_labels_are_likelier(tmp_path: Path) -> None:
    labels = {"t1": [[{"schema": "mood", "name": "glad"}, "true"]]}
    spans = {"t1": [pair("person", 0, 3), pair("x", 1, 2, "cue"), pair("y", 1, 2, value=None)]}
    write(tmp_path / "a/user_state.json", state("ida", spans, instance_id_to_label_to_value=labels))
    study = concordant.read(tmp_path)
    assert (study.n_rows, study.left_out) == (1, ((3, "spans are read by --format potato_spans"),))
    with pytest.raises(InputError, match=r"2 layers: who \(1 span\), cue \(1 span\)"):
        concordant.read(tmp_path, format="potato_spans")
    assert concordant.read(tmp_path, format="potato_spans", layer="cue").category.tolist() == ["x"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (state("ida", {"t1": [pair("person", "first", 3)]}), "no start, end or label"),
        (state("ida", {"t1": [3]}), "no start, end or label"),
        (state("ida", {"t1": []}), "nobody marked a span"),
        ({"user_id": "ida"}, "no instance_id_to_span_to_value"),
        ([], "no instance_id_to_span_to_value"),
    ],
)
def test_what_is_damaged_is_one_line(tmp_path: Path, content: Any, what: str) -> None:
    file = write(tmp_path / "ida/user_state.json", content)
    with pytest.raises(InputError, match=what) as caught:
        concordant.read(file, format="potato_spans")
    assert "\n" not in str(caught.value)


def test_a_decoy(tmp_path: Path) -> None:
    write(tmp_path / "user_state.json", {"start": 1, "spans": []})
    with pytest.raises(InputError, match="no format"):
        concordant.read(tmp_path / "user_state.json")
    write(tmp_path / "p/annotated_instances.csv", "instance_id,mood:::glad\nt1,true\n")
    with pytest.raises(InputError, match="tables of Potato have no spans"):
        concordant.read(tmp_path / "p/annotated_instances.csv", format="potato_spans")
