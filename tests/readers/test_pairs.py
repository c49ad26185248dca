"""Rows with several judgements, each with its rater in the cell beside it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import concordant
from concordant.engines.tally import tally
from concordant.errors import InputError

ROWS = [("t1", "anna", "pos", "ben", "neg"), ("t2", "ben", "neg", "carl", "neg"), ("t3", "carl", "pos", "anna", "pos")]
LONG = [(unit, *pair) for unit, a, x, b, y in ROWS for pair in ((a, x), (b, y))]


def table(file: Path, header: str, rows: Sequence[tuple[str, ...]]) -> Path:
    file.write_text("\n".join([header, *(",".join(row) for row in rows)]) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "header",
    [
        "tweet,rater_1,label_1,rater_2,label_2",
        "id,annotator1,annotation1,annotator2,annotation2",
        "doc,coder_a,code_a,coder_b,code_b",
        "item,Annotator 1,Label 1,Annotator 2,Label 2",
        "text,rater1,rater1_label,rater2,rater2_label",
        "id,annotator_1_name,annotator_1_rating,annotator_2_name,annotator_2_rating",
        "id,WorkerId1,stance1,WorkerId2,stance2",
        "anything,judge_1,mood_1,judge_2,mood_2",
    ],
)
def test_the_cell_names_the_rater(tmp_path: Path, header: str) -> None:
    study = concordant.read(table(tmp_path / "t.csv", header, ROWS))
    same = concordant.read(table(tmp_path / "long.csv", "unit,rater,value", LONG))
    assert set(study.raters) == {"anna", "ben", "carl"}
    assert tally(study.judgements()).fingerprint == tally(same.judgements()).fingerprint
    assert any(note.startswith("columns are pairs: ") for note in study.notes)


def test_rows_without_a_name_and_what_else_there_is(tmp_path: Path) -> None:
    header = "genre,rater_1,label_1,sure_1,rater_2,label_2,sure_2"
    rows = [
        ("news", "A", "x", "1", "B", "y", "2"),
        ("news", "B", "y", "2", "", "", ""),
        ("blog", "A", "x", "3", "B", "", "1"),
    ]
    study = concordant.read(table(tmp_path / "t.csv", header, rows))
    assert (study.unit.labels, study.n_rows, study.value.n_blank) == (["1", "2", "3"], 5, 1)
    assert study.attributes["sure_*"].text().tolist() == ["1", "2", "3", "2", "1"]
    assert "1 pair without rater and judgement" in study.notes
    assert study.row_numbers is not None
    assert study.row_numbers.tolist() == [2, 3, 4, 2, 4]
    assert concordant.read(tmp_path / "t.csv", raters=["A"]).raters == ("A",)


def test_a_judgement_without_a_rater_is_refused(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", "id,rater_1,label_1,rater_2,label_2", [*ROWS, ("t4", "anna", "pos", "", "neg")])
    with pytest.raises(InputError, match=r"row 5.*there is no rater"):
        concordant.measure(file, "alpha")


def test_judgements_called_like_raters_are_asked(tmp_path: Path) -> None:
    rows = [("1", "x", "y", "p", "q"), ("2", "x", "x", "q", "q"), ("3", "y", "y", "p", "p")]
    file = table(tmp_path / "t.csv", "id,rater_1,rater_2,label_1,label_2", rows)
    with pytest.raises(InputError, match="hold one name twice in a row") as caught:
        concordant.read(file)
    assert "--rater rater --value label` or " in str(caught.value)
    assert "--raters rater_1,rater_2`" in str(caught.value)
    assert concordant.read(file, raters=["rater_1", "rater_2"]).raters == ("rater_1", "rater_2")
    assert concordant.read(file, rater="rater", value="label", duplicates="last").raters == ("x", "y")


def test_several_columns_of_judgements_are_asked(tmp_path: Path) -> None:
    header = "id,rater_1,label_1,score_1,rater_2,label_2,score_2"
    file = table(tmp_path / "t.csv", header, [("1", "A", "x", "1", "B", "y", "2"), ("2", "B", "x", "2", "A", "x", "2")])
    with pytest.raises(InputError, match=r"--rater rater --value label` or .*--rater rater --value score`"):
        concordant.read(file)
    study = concordant.read(file, rater="rater", value="score")
    assert study.judgements().scale.categories == ("1", "2")


@pytest.mark.parametrize("more", ["time", "extra"])
def test_ratings_are_no_names(tmp_path: Path, more: str) -> None:
    rows = [("1", "1", "2", "4", "5"), ("2", "2", "3", "5", "4"), ("3", "3", "4", "4", "4"), ("4", "1", "2", "5", "5")]
    file = table(tmp_path / "t.csv", f"id,rater_1,rater_2,{more}_1,{more}_2", rows)
    with pytest.raises(InputError, match="called like raters and questions"):
        concordant.read(file)
    four = concordant.read(table(tmp_path / "u.csv", "id,rater_1,rater_2,rater_3,rater_4", rows))
    assert four.raters == ("rater_1", "rater_2", "rater_3", "rater_4")
