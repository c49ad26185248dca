"""Decisions made in ASReview."""

import sqlite3
from pathlib import Path
from zipfile import ZipFile

import pytest

from concordant.errors import InputError
from concordant.readers.asreview import FORMAT
from tests.readers.exported import EXPORTS, cells, claim, study_of, write


def database(*statements: str) -> bytes:
    with sqlite3.connect(":memory:") as made:
        for statement in statements:
            made.execute(statement)
        made.commit()
        return made.serialize()


RESULTS = (
    "CREATE TABLE results (record_id INTEGER, label INTEGER, user_id INTEGER)",
    "INSERT INTO results VALUES (1, 1, NULL), (2, 0, NULL), (3, NULL, NULL)",
)
RECORDS = (
    "CREATE TABLE record (record_id INTEGER, title TEXT)",
    "INSERT INTO record VALUES (1, 'A'), (2, 'B'), (3, 'C'), (4, 'D')",
)


def project(path: Path, **files: bytes) -> Path:
    names = {"results": "reviews/1f/results.db", "old": "reviews/1f/results.sql", "store": "data_store.db"}
    with ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(names[name], content)
    return path


def test_a_project_is_one_reviewer(tmp_path: Path) -> None:
    ida = project(tmp_path / "ida.asreview", results=database(*RESULTS), store=database(*RECORDS))
    study = study_of(ida)
    assert cells(study) == [("1", "ida", "relevant"), ("2", "ida", "irrelevant"), ("3", "ida", "")]
    assert (study.categories, list(study.attributes)) == (("irrelevant", "relevant"), ["title"])
    assert study.left_out == ((1, "records that were not screened"),)
    assert study.notes == ("1 missing: seen without a decision",)
    old = project(
        tmp_path / "jon.asreview",
        old=database(RESULTS[0].replace(", user_id INTEGER", ""), "INSERT INTO results VALUES (1, 0)"),
    )
    assert study_of(ida, old).raters == ("ida", "jon")


TABLE = "record_id,title,abstract,asreview_label\n7,A,a,1\n8,B,b,0\n9,C,c,-1\n"


def test_tables_of_several_reviewers(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "ida.csv", TABLE), write(tmp_path / "jon.csv", TABLE.replace("a,1", "a,0")))
    assert cells(study)[::2] == [("7", "ida", "relevant"), ("7", "jon", "irrelevant")]
    assert study.left_out == ((2, "records that were not screened"),)
    study = study_of(write(tmp_path / "a.csv", "title,abstract,included,id\nA,a,1,5\nB,b,0,5\n"))
    assert ([unit for unit, *_ in cells(study)], "have no id of their own" in study.notes[0]) == (["1", "2"], True)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is no whole ZIP"):
        study_of(write(tmp_path / "a.asreview", "no archive"))
    with pytest.raises(InputError, match="the project has 0 reviews, not one"):
        study_of(project(tmp_path / "b.asreview", store=database(*RECORDS)))
    with pytest.raises(InputError, match=r"results.db is not as ASReview writes it"):
        study_of(project(tmp_path / "c.asreview", results=database(*RECORDS)))
    with pytest.raises(InputError, match=r"results.db is not as ASReview writes it"):
        study_of(project(tmp_path / "d.asreview", results=b"SQLite? " * 100))
    with pytest.raises(InputError, match="row 2, column 'asreview_label': 'maybe' is no label"):
        study_of(write(tmp_path / "a.csv", TABLE.replace("a,1", "a,maybe")))
    with pytest.raises(InputError, match="there is no column of labels"):
        study_of(write(tmp_path / "b.csv", "title,abstract\nA,a\n"), format="asreview")


def test_decoys(tmp_path: Path) -> None:
    assert claim(FORMAT, write(tmp_path / "a.csv", "title,abstract,year\nA,a,2030\n")) == 0
    assert claim(FORMAT, write(tmp_path / "b.csv", "unit,rater,value,title,abstract,included\na,x,1,A,a,1\n")) == 0


@pytest.mark.data
def test_real_reviews() -> None:
    values = study_of(EXPORTS / "asreview/asreview-demo-project-v2.asreview").value.text().tolist()
    assert [values.count(value) for value in ("relevant", "irrelevant", "")] == [9, 14, 1]
    values = study_of(EXPORTS / "asreview/generic_labels.csv").value.text().tolist()
    assert [values.count(value) for value in ("relevant", "irrelevant")] == [3, 3]
