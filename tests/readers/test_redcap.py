"""REDCap's CSV export."""

from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from tests.readers.exported import cells, write

TWICE = """record_id,redcap_event_name,score,boxes___1,boxes___2,comments,form_complete
1--1,visit_1,3,1,0,nothing of note here at all today,2
1--2,visit_1,4,1,1,,2
2--1,visit_1,2,0,0,it was rather hard to say anything,2
2--2,visit_1,2,0,1,,2
2,visit_1,2,0,1,,2
"""


def test_records_entered_twice(tmp_path: Path) -> None:
    study = concordant.read(write(tmp_path / "t.csv", TWICE))
    assert study.raters == ("person 1", "person 2")
    assert ("1 · visit_1", "person 2", "score", "4") in cells(study)
    assert ("1 · visit_1", "person 2", "boxes", "1+2") in cells(study)
    assert study.left_out == ((1, "merged records, which nobody entered alone"),)
    assert {"form_complete", "redcap_event_name", "comments"} <= set(study.unused)
    assert study.judgements("boxes").scale.level == "set"


def test_a_field_names_the_rater(tmp_path: Path) -> None:
    text = "record_id,redcap_repeat_instance,seen_by,grade\n1,1,Ann,2\n1,2,Ben,3\n2,1,Ann,1\n2,2,Ben,1\n"
    file = write(tmp_path / "t.csv", text)
    with pytest.raises(InputError, match="nothing says who judged"):
        concordant.read(file)
    study = concordant.read(file, rater="seen_by")
    assert cells(study)[1] == ("1", "Ben", "3")
    named = concordant.read(write(tmp_path / "n.csv", text.replace("seen_by", "rater")))
    assert cells(named) == cells(study)


def test_a_damaged_one_and_a_decoy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="8 cells instead of 7"):
        concordant.read(write(tmp_path / "t.csv", TWICE.replace("4,1,1,,2", "4,1,1,,2,9")))
    decoy = write(tmp_path / "d.csv", "unit,rater,value,is_complete\na,x,1,1\na,y,2,1\n")
    assert find_format(decoy).format.name == "table"


def test_events_are_raters_if_that_is_said(tmp_path: Path) -> None:
    rows = [
        "record_id,redcap_event_name,score,form_complete",
        "1,first_arm_1,3,2",
        "1,second_arm_1,4,2",
        "2,first_arm_1,1,2",
    ]
    file = write(tmp_path / "t.csv", "\n".join([*rows, "2,second_arm_1,1,2"]) + "\n")
    with pytest.raises(InputError, match="or --rater redcap_event_name if events are raters"):
        concordant.read(file)
    assert cells(concordant.read(file, rater="redcap_event_name"))[:2] == [
        ("1", "first_arm_1", "3"),
        ("1", "second_arm_1", "4"),
    ]


def test_forms_that_repeat_and_one_that_names_no_rater(tmp_path: Path) -> None:
    text = (
        "record_id,redcap_repeat_instrument,redcap_repeat_instance,age,reader,grade\n1,,,34,,\n"
        "1,reading,1,,Ann,2\n1,reading,2,,Ben,3\n2,,,51,,\n2,reading,1,,Ann,1\n2,reading,2,,Ben,1\n"
    )
    study = concordant.read(write(tmp_path / "t.csv", text))
    assert cells(study)[0] == ("1 · reading", "Ann", "2")
    assert study.left_out == ((2, "rows of forms that name no rater"),)
    assert study.unused["age"] == "answered only in rows that name no rater"


def test_an_export_with_labels(tmp_path: Path) -> None:
    names = "Record ID,Event Name,Reader,Finding,Seen (choice=Mass),Seen (choice=Cyst),Complete?"
    rows = ["1,Visit 1,Ann,Mild,Checked,Unchecked,Complete", "1,Visit 1,Ben,Severe,Checked,Checked,Complete"]
    study = concordant.read(write(tmp_path / "t.csv", "\n".join([names, *rows]) + "\n"))
    assert ("1 · Visit 1", "Ben", "Seen", "Cyst+Mass") in cells(study) or (
        "1 · Visit 1",
        "Ben",
        "Seen",
        "Mass+Cyst",
    ) in cells(study)
    assert set(study.unused) == {"Event Name", "Complete?"}
