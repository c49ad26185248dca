"""Attributes that come in a table of their own."""

from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError

ROWS = "unit,rater,value,genre\n" + "".join(
    f"u{u},{r},{(u * k) % 3},g\n" for u in range(8) for k, r in enumerate("ABC", 1)
)
CLASSES = "unit,class\n" + "".join(f"u{u},{'high' if u % 2 else 'low'}\n" for u in range(8))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(ROWS)
    (tmp_path / "c.csv").write_text(CLASSES)
    (tmp_path / "r.csv").write_text("who;age\nA;young\nB;old\n C ;old\n")
    return tmp_path


def test_attributes_of_units_and_raters(data: Path) -> None:
    study = concordant.read(data / "t.csv", attributes=[data / "c.csv", data / "r.csv"], on=["unit", "rater"])
    assert (study.attribute_of("unit"), study.attribute_of("rater")) == (("genre", "class"), ("genre", "age"))
    assert any(note.endswith("c.csv: class of 8 units") for note in study.notes)
    by = concordant.measure(study, "alpha", by="class", ci="none")
    assert [one.slice for one in by] == [{"class": "high"}, {"class": "low"}] or len(by) == 2


def test_the_same_from_a_frame_and_a_study_and_rows(data: Path) -> None:
    frame = {"unit": [f"u{u}" for u in range(8)], "class": ["low", "high"] * 4}
    values = [
        [one.value for one in concordant.measure(thing, "alpha", by="class", ci="none", attributes=table, on="unit")]
        for thing, table in ((data / "t.csv", str(data / "c.csv")), (concordant.read(data / "t.csv"), frame))
    ]
    assert values[0] == values[1]
    rows = [[1, 1], [2, 1], [2, 2], [1, 1]]
    found = concordant.measure(
        rows, "percent", by="x", ci="none", attributes={"unit": ["1", "2", "3", "4"], "x": list("aabb")}, on="unit"
    )
    assert [one.value for one in found] == [0.5, 1.0]


def test_a_signature_of_a_slice_is_verified_with_the_table(data: Path) -> None:
    joined: dict[str, Any] = {"attributes": data / "c.csv", "on": "unit"}
    for thing in (data / "t.csv", concordant.read(data / "t.csv")):
        first = concordant.measure(thing, "alpha", by="class", ci="none", **joined)[0]
        assert concordant.verify(first.signature, thing, **joined).matches


def test_rows_are_chosen_by_what_was_joined(data: Path) -> None:
    study = concordant.read(data / "t.csv", attributes=data / "c.csv", on="unit", where={"class": ["low"]})
    assert study.n_rows == 12


def test_what_has_no_row_is_said(data: Path) -> None:
    (data / "c.csv").write_text("unit,class\nu0,low\nu1,high\nu99,low\n")
    note = concordant.read(data / "t.csv", attributes=data / "c.csv", on="unit").notes[-1]
    assert note.endswith("class of 2 units; 6 units without; 1 row of it about nobody here")


@pytest.mark.parametrize(
    ("table", "on", "what"),
    [
        ("unit,class\nx,low\ny,high\n", "unit", "none of its rows names a unit"),
        ("unit,class\nu1,low\nu1,high\n", "unit", "unit 'u1' has a second row"),
        ("unit,class\nu1,low\n,high\n", "unit", "there is no unit"),
        ("unit,genre\nu1,low\nu2,high\n", "unit", "a column of this name"),
        ("unit,class\nu1,low\nu2,high\n", "text", "not 'text'"),
        ("unit,class\nu1,low\nu2,high\n", ["unit", "rater"], "2 owners of 1 table"),
    ],
)
def test_what_cannot_be_joined(data: Path, table: str, on: str, what: str) -> None:
    (data / "c.csv").write_text(table)
    with pytest.raises(InputError, match=what):
        concordant.read(data / "t.csv", attributes=data / "c.csv", on=on)


def test_a_table_without_an_owner_or_attributes(data: Path) -> None:
    with pytest.raises(InputError, match="whose attributes are these"):
        concordant.read(data / "t.csv", attributes="c.csv")
    with pytest.raises(InputError, match="no attributes in it"):
        concordant.read(data / "t.csv", attributes={"unit": ["u1"]}, on="unit")


def test_only_judgements_take_them(data: Path) -> None:
    (data / "s.csv").write_text("text,rater,begin,end,category\nt,A,0,3,X\nt,B,0,3,X\n")
    with pytest.raises(InputError, match="only judgements"):
        concordant.read(data / "s.csv", attributes=data / "c.csv", on="unit")
