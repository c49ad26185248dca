"""Wide tables: which columns are raters. No column is lost in silence, and two possible readings are a question."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concordant
from concordant.errors import InputError
from concordant.model.columns import encode
from concordant.model.study import Study
from concordant.readers.data import as_study
from concordant.readers.looks import Kind, look_at

ATTITUDE = """rating,complaints,privileges,learning,raises,critical,advance
43,51,30,39,61,92,45
63,64,51,54,63,73,47
71,70,68,69,76,86,48
61,63,45,47,54,84,35
81,78,56,66,71,83,47
43,55,49,44,54,49,34
58,67,42,56,66,68,35
71,75,50,55,70,66,41
72,82,72,67,71,83,31
67,61,45,47,62,80,41
64,53,53,58,58,67,34
67,60,47,39,59,74,41
69,62,57,42,55,63,25
68,83,83,45,59,77,35
77,77,54,72,79,77,46
81,90,50,72,60,54,36
74,85,64,69,79,79,63
65,60,65,75,55,80,60
65,70,46,57,75,85,46
50,58,68,54,64,78,52
50,40,33,34,43,64,33
64,61,52,62,66,80,41
53,66,52,50,63,80,37
40,37,42,58,50,57,49
63,54,42,48,66,75,33
66,77,66,63,88,76,72
78,75,58,74,80,78,49
48,57,44,45,51,83,38
85,85,71,71,77,74,55
82,82,39,59,64,78,39
"""
"""R's `attitude` (Chatterjee & Price 1977): psych and R give a Cronbach's alpha of .8431."""


def read(folder: Path, text: str, name: str = "d.csv", **how: Any) -> Study:
    (folder / name).write_text(text, encoding="utf-8")
    study: Study = concordant.read(folder / name, **how)
    return study


def table(header: str, *columns: Sequence[object]) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in zip(*columns, strict=True))]) + "\n"


def test_all_columns_of_numbers_are_raters(tmp_path: Path) -> None:
    study = read(tmp_path, ATTITUDE)
    assert len(study.raters) == 7
    (cronbach,) = concordant.measure(study, ["cronbach_alpha"], ci="none")
    assert round(cronbach.value, 4) == 0.8431


def test_two_meters_without_units(tmp_path: Path) -> None:
    first, second = [494, 395, 516, 434, 476, 557], [512, 430, 520, 428, 500, 600]
    study = read(tmp_path, table("wright,mini", first, second))
    assert study.raters == ("wright", "mini")
    assert len(study.unit.labels) == 6


def test_decimals_do_not_cost_a_rater(tmp_path: Path) -> None:
    columns: Sequence[Sequence[object]] = [
        [1, 2, 3, 4, 5, 3],
        [1, 3, 3, 4, 4, 2],
        [1.25, 2.75, 3.1, 3.9, 4.6, 2.2],
        ["2.0", "2.4", "3.0", "4.8", "5.0", "3.3"],
    ]
    study = read(tmp_path, table("unit,A,B,C,D", list("uvwxyz"), *columns))
    assert study.raters == ("A", "B", "C", "D")
    named = read(tmp_path, table("unit,A,B,C,D", list("uvwxyz"), *columns), raters=["A", "B", "C", "D"])
    found, said = (concordant.measure(one, ["icc_a1"], ci="none")[0] for one in (study, named))
    assert found.value == said.value
    assert study.judgements().scale.level == "interval"


@given(
    truth=st.lists(st.floats(1, 9), min_size=5, max_size=12),
    decimals=st.lists(st.integers(0, 6), min_size=2, max_size=12),
    errors=st.randoms(use_true_random=False),
    has_units=st.booleans(),
)
def test_numeric_raters_with_any_decimals_are_read_whole(
    truth: list[float], decimals: list[int], errors: Random, has_units: bool
) -> None:
    columns = {
        f"R{i}": [f"{value + errors.uniform(-2, 2) + 3:.{digits}f}" for value in truth]
        for i, digits in enumerate(decimals)
    }
    units = {"unit": [f"u{i}" for i in range(len(truth))]} if has_units else {}
    study = as_study({**units, **columns})
    assert study.raters == tuple(columns)
    assert study.n_rows - study.value.n_blank == len(truth) * len(columns)


@pytest.mark.parametrize(
    ("header", "column", "why"),
    [
        ("gold", list("ababa"), "gold standard"),
        ("curator", list("ababa"), "gold standard"),
        ("Adjudicated label", list("ababa"), "gold standard"),
        ("consensus", list("ababa"), "gold standard"),
        ("note", ["it is fine", "q", "r", "no idea about this", "x"], "names that no rater gave"),
        ("date", ["2024-01-02", "2024-01-03", "2024-02-01", "2024-01-02", "2024-03-09"], "dates or times"),
        ("seen", ["1:02", "12:30:01", "2:20", "9:59 PM", "4:04"], "dates or times"),
        ("session_id", list("ababa"), "names things"),
        ("empty", ["", "", "", "", ""], "every cell is empty"),
        ("score", [1, 2, 3, 5, 4], "numbers beside names"),
        ("place", [1, 2, 3, 4, 5], "numbers beside names"),
        ("genre", ["news", "news", "blog", "blog", "news"], "names that no rater gave"),
    ],
)
def test_what_is_no_rater_is_said(tmp_path: Path, header: str, column: Sequence[object], why: str) -> None:
    text = table(f"unit,A,B,{header}", [1, 2, 3, 4, 5], list("aabba"), list("abbba"), column)
    study = read(tmp_path, text, attributes=[])
    assert study.raters == ("A", "B")
    assert why in study.unused[header]
    kept = read(tmp_path, text)
    assert header in kept.attributes or kept.unused == {header: why}


@pytest.mark.parametrize("header", ["age", "mean", "Word count", "gold"])
def test_numbers_that_are_no_ratings_are_known_by_name(tmp_path: Path, header: str) -> None:
    text = table(f"unit,A,B,{header}", [1, 2, 3, 4, 5], [1, 2, 2, 3, 4], [1, 2, 3, 3, 5], [1, 2, 3, 4, 5])
    study = read(tmp_path, text)
    assert study.raters == ("A", "B")
    assert any(f"not taken for raters: {header!r}" in note for note in study.notes)


@pytest.mark.parametrize(
    ("header", "columns", "commands"),
    [
        (
            "unit,A,B,size",
            [[1, 2, 3, 4, 5], [1, 2, 2, 3, 4], [1, 2, 3, 3, 5], [310, 221, 120, 405, 300]],
            ["--raters A,B`", "--raters A,B,size`"],
        ),
        (
            "unit,w1,w2,l1,l2",
            [[1, 2, 3, 4, 5], ["Ida", "Jon", "Ida", "Jon", "Kim"], ["Jon", "Ida", "Kim", "Kim", "Ida"],
             list("abaab"), list("abbab")],
            ["--raters w1,w2`", "--raters l1,l2`"],
        ),
        (
            "unit,A,B,s1,s2",
            [[1, 2, 3, 4, 5], list("abaab"), list("abbab"), [1, 2, 3, 1, 2], [1, 2, 2, 1, 2]],
            ["--raters A,B`", "--raters s1,s2`"],
        ),
        (
            "unit,A,B,C",
            [[1, 2, 3, 4, 5, 6], list("abcdea"), list("abcdde"), ["a", "v", "w", "x", "y", "z"]],
            ["--raters A,B,C`", "--raters A,B`"],
        ),
        (
            "worker,task,polite,clear",
            [["w1", "w2", "w1", "w2"], ["t1", "t1", "t2", "t2"], ["yes", "no", "yes", "yes"], ["no", "no", "yes", "no"]],
            ["--rater worker --value polite`", "--raters polite,clear`"],
        ),
        (
            "first,second,third",
            [[2, 3, 4, 5], [1, 4, 4, 5], [2, 2, 4, 5]],
            ["--unit first`", "--raters first,second,third`"],
        ),
    ],
)  # fmt: skip
def test_two_readings_are_a_question(
    tmp_path: Path, header: str, columns: Sequence[Sequence[object]], commands: list[str]
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, table(header, *columns))
    assert all(command in str(caught.value) for command in commands), caught.value


@pytest.mark.parametrize("header", ["", "nr", "x"])
def test_a_first_column_of_row_numbers_is_the_unit(tmp_path: Path, header: str) -> None:
    study = read(tmp_path, table(f"{header},A,B", [1, 2, 3], [1, 2, 2], [1, 3, 2]))
    assert study.raters == ("A", "B")


@pytest.mark.parametrize("first", [[101, 107, 103], ["p", "q", "r"]])
def test_a_first_column_of_other_values_is_the_unit(tmp_path: Path, first: Sequence[object]) -> None:
    assert read(tmp_path, table("which,A,B", first, [1, 2, 2], [1, 3, 2])).raters == ("A", "B")


def test_the_first_unit_column_without_repeats_is_taken(tmp_path: Path) -> None:
    study = read(tmp_path, table("item,text,A,B", [1, 1, 2], ["p", "q", "r"], [1, 2, 2], [1, 3, 2]))
    assert study.unit.labels == ["p", "q", "r"]


def test_a_unit_in_several_rows_is_refused(tmp_path: Path) -> None:
    text = table("SubjectID,Outcome1,Outcome2,,", [1, 1, 2, 2], [2, 3, 3, 4], [3, 3, 3, 2], [""] * 4, [""] * 4)
    with pytest.raises(InputError, match=r"unit '1' stands in 2 rows.*--duplicates last"):
        read(tmp_path, text)
    with pytest.raises(InputError, match="there is no unit"):
        read(tmp_path, table("unit,A,B", ["", "", "x"], [1, 2, 2], [1, 2, 3]))


def test_values_without_a_rater_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column was found for the rater"):
        read(tmp_path, "SubjectID,Outcome,Rating\n1,Outcome1,2\n1,Outcome1,3\n2,Outcome2,4\n")


def test_raters_that_are_named_decide(tmp_path: Path) -> None:
    text = table("what,A,B,gold", ["p", "q", "r"], [1, 2, 2], [1, 3, 2], [1, 3, 3])
    study = read(tmp_path, text, raters=["A", "gold"], attributes=[])
    assert study.raters == ("A", "gold")
    assert study.unit.labels == ["p", "q", "r"]
    assert study.unused == {"B": "not among the raters named"}


def test_a_number_written_in_two_ways_is_one_value(tmp_path: Path) -> None:
    study = read(tmp_path, table("unit,A,B", [1, 2, 3], ["1.0", "2.0", "3.0"], [1, 2, 3]))
    assert study.judgements().scale.categories == ("1", "2", "3")
    assert any("1.0, 1" in note for note in study.notes)


def test_columns_of_numbers_need_no_labels() -> None:
    assert look_at(encode(np.array([1.5, np.nan, 3.5])), 3) == (Kind.NUMBERS, frozenset(), 1.5, 3.5)
    assert look_at(encode(np.array([np.nan, np.nan])), 2).kind is Kind.BLANK
    assert look_at(encode([f"text {i}" for i in range(30_000)]), 30_000).kind is Kind.TEXT
    assert look_at(encode(["a rather long sentence that somebody wrote down", "another one " * 5]), 2).kind is Kind.TEXT
    assert look_at(encode(["1", "NA", "3.5"]), 3).kind is Kind.NUMBERS


@pytest.mark.parametrize(
    ("header", "rater"),
    [
        ("id,label", "label"),
        ("id,text,gold_label", "gold_label"),
        ("unit,value,gold", "value"),
        ("doc,score,date", "score"),
    ],
)
def test_one_rater_whom_nothing_names(tmp_path: Path, header: str, rater: str) -> None:
    cells = {"text": "a text of some length that nobody takes for a label", "date": "2024-01-0{}"}
    rows = [",".join([str(i), *(cells.get(n, "x{}").format(i % 2) for n in header.split(",")[1:])]) for i in range(4)]
    (tmp_path / "gold.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    study = concordant.read(tmp_path / "gold.csv")
    assert (study.raters, study.n_rows) == ((rater,), 4)
    assert any(f"{rater!r} is what one rater said" in note for note in study.notes)


def test_the_only_judgements_are_named_where_nothing_tells(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,mood,note\n1,a,x\n2,b,y\n3,a,z\n", encoding="utf-8")
    with pytest.raises(InputError, match="--value alone for one rater"):
        concordant.read(tmp_path / "t.csv")
    study = concordant.read(tmp_path / "t.csv", value="mood")
    assert (study.raters, study.n_rows, list(study.attributes)) == (("mood",), 3, ["note"])
    (tmp_path / "u.csv").write_text("id,mood,note\n1,a,x\n1,b,y\n3,a,z\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column was found for the rater"):
        concordant.read(tmp_path / "u.csv", value="mood")


def test_a_first_column_called_like_the_others_is_no_silent_unit(tmp_path: Path) -> None:
    """R's matrices have columns V1, V2, V3: scores 1, 2, 3 of five units are scores, or number the rows."""
    for names in ("V1,V2,V3", "judge_a,judge_b,judge_c"):
        with pytest.raises(InputError, match="may name the units or be a rater"):
            read(tmp_path, f"{names}\n1,2,3\n2,2,3\n3,3,3\n4,4,5\n5,5,5\n")
    longer = read(tmp_path, "V1,V2,V3\n1,2,3\n2,2,3\n3,3,3\n4,4,5\n5,5,5\n6,1,1\n7,2,2\n")
    assert longer.judgements().n_raters == 2, "numbers beyond the others' are those of rows"
    assert read(tmp_path, "row,a,b\n1,2,3\n2,2,3\n3,3,3\n4,4,5\n5,5,5\n").judgements().n_raters == 2


def test_a_column_with_an_odd_cell_beside_a_column_of_raters_may_be_the_judgement(tmp_path: Path) -> None:
    rows = [f"t{unit},{who},{1 + (unit + (who == 'B')) % 4}" for unit in range(12) for who in "AB"]
    with pytest.raises(InputError, match=r"'coder' names raters.*--rater coder --value fluency"):
        read(tmp_path, "\n".join(["text,coder,fluency", *rows, "t3,C,four"]) + "\n")
