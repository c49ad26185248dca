"""tagtog's ann.json."""

from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from tests.readers.exported import cells, write


def doc(*entities: tuple[str, str, int, str], parts: tuple[str, ...] = ("s1v1",), **more: Any) -> dict[str, Any]:
    """A document with these entities: class, part, start and text."""
    made = [
        {"classId": kind, "part": part, "offsets": [{"start": start, "text": text}], "fields": {}, "coordinates": []}
        for kind, part, start, text in entities
    ]
    return {
        "annotatable": {"parts": list(parts)},
        "anncomplete": True,
        "metas": {},
        "entities": made,
        "relations": [],
        **more,
    }


def test_members_are_raters_and_master_is_none(tmp_path: Path) -> None:
    base = tmp_path / "ann.json"
    write(base / "members" / "anna" / "pool" / "d1.ann.json", doc(("e_1", "s1v1", 0, "Ana"), ("e_2", "s1v1", 8, "Rom")))
    write(
        base / "members" / "ben" / "pool" / "d1.ann.json", doc(("e_1", "s1v1", 0, "Ana"), metas={"m_1": {"value": "x"}})
    )
    write(base / "master" / "pool" / "d1.ann.json", doc(("e_1", "s1v1", 0, "Ana")))
    write(tmp_path / "annotations-legend.json", {"e_1": "person", "e_2": "place"})
    table = concordant.read(tmp_path)
    found = list(zip(table.rater, table.begin, table.end, table.category, strict=True))
    assert found == [("anna", 0, 3, "person"), ("anna", 8, 11, "place"), ("ben", 0, 3, "person")]
    assert table.unused == {"ann.json/master/pool/d1.ann.json": "a curated or gold version is not a rater"}
    assert table.left_out == ((1, "labels of whole documents are no spans (--format tagtog_choices)"),)


def test_parts_are_texts_and_a_broken_span_is_whole(tmp_path: Path) -> None:
    made = doc(("e_1", "s1p1", 2, "a"), parts=("s1h1", "s1p1"))
    made["entities"][0]["offsets"].append({"start": 10, "text": "bcd"})
    table = concordant.read(write(tmp_path / "d.ann.json", made))
    assert (table.text.tolist(), table.begin.tolist(), table.end.tolist()) == (["d/s1p1"], [2], [13])
    assert any("tagtog's ids" in note for note in table.notes)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"annotatable": {}, "anncomplete": true, "entities": {}}', "no list of entities"),
        ('{"annotatable": {}, "entities": [{"classId": "e_1"}]}', "no offsets, class or part"),
        ('{"annotatable": {}, "entities": [', "not JSON"),
    ],
)
def test_damaged_files(tmp_path: Path, content: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        concordant.read(write(tmp_path / "d.ann.json", content))


def test_decoys(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no format of data is known"):
        concordant.read(write(tmp_path / "d.ann.json", '{"entities": []}'))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no file ending in \.ann\.json"):
        concordant.read(tmp_path / "empty", format="tagtog")


def test_what_a_model_proposed_counts_where_the_document_was_confirmed(tmp_path: Path) -> None:
    for name, is_done in (("d1", True), ("d2", False)):
        made = doc(("e_1", "s1v1", 0, "Ana"), ("e_2", "s1v1", 8, "Rom"), anncomplete=is_done)
        made["entities"][0]["confidence"] = {"state": "pre-added", "who": ["ml:model"], "prob": 0.7}
        made["entities"][1]["confidence"] = {"state": "pre-added", "who": ["user:anna", "ml:model"], "prob": 1}
        write(tmp_path / "ann.json" / "members" / "anna" / "pool" / f"{name}.ann.json", made)
    write(tmp_path / "project" / "annotations-legend.json", {"e_1": "person", "e_2": "place"})
    table = concordant.read(tmp_path)
    assert list(zip(table.text, table.category, strict=True)) == [("d1", "person"), ("d1", "place"), ("d2", "place")]
    assert "1 document not confirmed by their members" in table.notes
    assert "2 spans proposed by a model: used where the document was confirmed" in table.notes


def labelled(value: str, who: str = "user:ida") -> dict[str, Any]:
    return {"m_1": {"value": value, "confidence": {"state": "pre-added", "who": [who], "prob": 1}}}


def test_labels_of_documents_are_judgements(tmp_path: Path) -> None:
    for user, values in (("ida", ("glad", "sad")), ("jon", ("glad", "glad"))):
        for i, value in enumerate(values):
            place = tmp_path / "ann.json/members" / user / f"d{i}.ann.json"
            write(place, doc(metas=labelled(value)))
    write(tmp_path / "ann.json/master/d0.ann.json", doc(metas=labelled("sad")))
    write(tmp_path / "annotations-legend.json", {"m_1": "mood"})
    assert find_format(tmp_path).format.name == "tagtog_choices"
    study = concordant.read(tmp_path)
    assert sorted(cells(study)) == [
        ("d0", "ida", "glad"), ("d0", "jon", "glad"), ("d1", "ida", "sad"), ("d1", "jon", "glad"),
    ]  # fmt: skip
    assert study.unused == {"ann.json/master/d0.ann.json": "a curated or gold version is not a rater"}


def test_labels_beside_entities(tmp_path: Path) -> None:
    file = write(tmp_path / "d.ann.json", doc(("e_1", "s1v1", 0, "Ana"), metas=labelled("glad")))
    assert find_format(file).format.name == "tagtog"
    assert concordant.read(file, format="tagtog_choices").left_out == ((1, "entities are spans (--format tagtog)"),)


def test_labels_of_a_model_are_not_a_member_s(tmp_path: Path) -> None:
    file = write(tmp_path / "d.ann.json", doc(metas=labelled("glad", "ml:x"), anncomplete=False))
    with pytest.raises(InputError, match="no document has a label"):
        concordant.read(file, format="tagtog_choices")


def test_damaged_labels(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no labels of the document"):
        concordant.read(write(tmp_path / "d.ann.json", {**doc(), "metas": [1]}), format="tagtog_choices")
