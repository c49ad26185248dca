"""Tables as people save them: how cells and numbers are spelled, and which rows are no judgements."""

from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers.numerals import plain_numbers
from tests.readers.exported import cells, study_of, write

LONG = "unit,rater,value\n"


def test_blanks_around_cells_make_no_second_rater_and_are_said(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.csv", LONG + "1,Anna,yes\n1,Ben ,no\n2,Anna ,yes\n2,Ben,yes\n"))
    assert study.raters == ("Anna", "Ben")
    assert "blanks around cells were removed: 'Ben ' in column 'rater'" in study.notes


def test_blanks_in_many_columns_are_counted(tmp_path: Path) -> None:
    rows = "u,a,b,c,d,e\n1,x ,x ,x ,x ,x \n2,y,y,y,y,y\n3,x,x,x,x,x\n"
    (note,) = (n for n in study_of(write(tmp_path / "a.csv", rows)).notes if "blanks" in n)
    assert note.endswith("and in 2 more columns")


def test_words_for_missing_among_numbers_are_missing_and_among_names_a_value(tmp_path: Path) -> None:
    numbers = study_of(write(tmp_path / "n.csv", LONG + "1,A,3\n1,B,NA\n2,A,4\n2,B,n/a\n3,A,2\n3,B,NA\n"))
    assert "among numbers 'NA' (2 times), 'n/a' (once) is taken for missing" in numbers.notes
    assert [value for *_, value in cells(numbers)] == ["3", "", "4", "", "2", ""]
    names = study_of(write(tmp_path / "w.csv", LONG + "1,A,none\n1,B,some\n2,A,many\n2,B,none\n"))
    assert [value for *_, value in cells(names)] == ["none", "some", "many", "none"]
    assert "'none' (2 times) is taken for a value; if it means missing, say --missing none" in names.notes


def test_a_number_that_often_stands_for_missing_is_named(tmp_path: Path) -> None:
    text = LONG + "".join(
        f"{u},{r},{v}\n" for u, r, v in zip("11223344", "ABABABAB", (1, 2, 3, 4, 5, -99, 2, 2), strict=True)
    )
    study = study_of(write(tmp_path / "a.csv", text))
    assert "the value -99 (once) lies far from all others: if it means missing, say --missing=-99" in study.notes
    cleared = study_of(tmp_path / "a.csv", missing=("-99",))
    assert not any("-99" in note for note in cleared.notes)
    assert "-99" not in [value for *_, value in cells(cleared)]


def test_capitals_stay_apart_and_are_said_or_are_folded_to_the_most_frequent(tmp_path: Path) -> None:
    file = write(tmp_path / "a.csv", LONG + "1,ann,Yes\n1,Ben,yes\n2,Ann,yes\n2,Ben,no\n3,Ann,yes\n")
    kept = study_of(file)
    assert kept.raters == ("ann", "Ben", "Ann")
    assert [note for note in kept.notes if "capitals" in note] == [
        "'Yes' and 'yes' differ only in capitals: counted as different values (if they are one, say --case fold)",
        "'ann' and 'Ann' differ only in capitals: counted as different raters (if they are one, say --case fold)",
    ]
    folded = study_of(file, case="fold")
    assert set(folded.raters) == {"Ann", "Ben"}
    assert [value for *_, value in cells(folded)] == ["yes", "yes", "yes", "no", "yes"]
    assert "'Yes' and 'yes' are one of the values, as --case fold says" in folded.notes


@pytest.mark.parametrize(
    ("labels", "numbers", "how"),
    [
        (["3,5", "2"], ["3.5", "2"], "decimal commas"),
        (["1.234,5", "12,25"], ["1234.5", "12.25"], "thousands and decimal commas"),
        (["1,234.5", "2.5"], ["1234.5", "2.5"], "thousands"),
        (["1,234,567", "2"], ["1234567", "2"], "thousands"),
        (["40 %", "7,5%"], ["40", "7.5"], "percent"),
        (["1,234", "900"], ["1,234", "900"], "may have a decimal comma or count thousands"),
    ],
)
def test_numbers_as_people_write_them(labels: list[str], numbers: list[str], how: str) -> None:
    assert plain_numbers(labels) == (numbers, how)


@pytest.mark.parametrize("labels", [["1,2,3", "4"], ["3,5", "many"], ["1.2.3", "4,5"]])
def test_what_is_no_number_stays(labels: list[str]) -> None:
    assert plain_numbers(labels) is None


def test_two_choices_in_a_cell_of_a_table_with_commas_are_no_decimal(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.csv", LONG + '1,A,"1,2"\n1,B,1\n2,A,2\n2,B,"1,2"\n'))
    assert [value for *_, value in cells(study)] == ["1,2", "1", "2", "1,2"]
    assert any("may have a decimal comma or be two choices: it is left as text" in note for note in study.notes)


def test_percent_gives_the_numbers(tmp_path: Path) -> None:
    shares = study_of(write(tmp_path / "p.csv", "unit;A;B\n1;40 %;45 %\n2;10 %;12,5 %\n3;80 %;75 %\n"))
    plain = study_of(write(tmp_path / "n.csv", "unit;A;B\n1;40;45\n2;10;12.5\n3;80;75\n"))
    values = [float(concordant.measure(one.judgements(), "icc_a1", ci="none")) for one in (shares, plain)]
    assert values[0] == values[1]
    assert "percent: '40 %' in column 'A' was read as 40" in shares.notes


def test_lines_above_the_table_are_skipped_and_said(tmp_path: Path) -> None:
    told = study_of(write(tmp_path / "excel.csv", "sep=;\nunit;A;B\n1;x;y\n2;y;y\n3;x;x\n"))
    assert told.raters == ("A", "B")
    assert "1 line above the table not read" in told.notes
    noted = study_of(write(tmp_path / "notes.csv", "# study 7\n# by hand\n" + LONG + "1,A,x\n1,B,y\n"))
    assert "2 lines above the table not read" in noted.notes
    with pytest.raises(InputError, match=r"row 5: 2 cells instead of 3|row 5.*2 cells"):
        study_of(write(tmp_path / "ragged.csv", "# study 7\n# by hand\n" + LONG + "1,A,x\n1,B\n"))


def test_empty_rows_and_totals_are_left_out_and_said(tmp_path: Path) -> None:
    wide = study_of(write(tmp_path / "w.csv", "unit,A,B\n1,3,4\n2,5,4\n,,\n3,2,2\nMean,3.3,3.3\nTotal,10,10\n"))
    assert wide.left_out == ((1, "empty rows"), (2, "computed from the rows above: 'Mean', 'Total'"))
    assert len(wide.unit.labels) == 3
    long = study_of(write(tmp_path / "l.csv", "unit,rater,value,note\n1,A,x,\n,,,see above\n1,B,y,\n"))
    assert long.left_out == ((1, "empty rows"),)


@pytest.mark.parametrize(
    "text",
    ["unit,A,B\n1,x,y\n2,y,y\ntotal,x,x\n", "unit,A,B\n1,3,4\ntotal,2,3\n3,4,4\n"],
)
def test_what_may_be_data_is_not_a_total(tmp_path: Path, text: str) -> None:
    study = study_of(write(tmp_path / "a.csv", text))
    assert study.left_out == ()
    assert len(study.unit.as_labels().labels) == 3


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Ratings of May,,\nunit,A,B\n1,3,4\n2,5,4\n", "columns have no name: the first row may be a title"),
        ("1,3,4\n2,5,4\n3,2,2\n", "holds values, or names that are values too"),
        ("yes,no\nno,yes\nyes,yes\nno,no\n", "holds values, or names that are values too"),
        ("unit,A,B\nID,first,second\n1,3,4\n2,5,4\n3,2,2\n4,2,2\n5,3,4\n6,3,4\n7,3,5\n8,2,2\n", "looks like a second header"),
        ("unit,A,B\nID,who,whom\n1,x,y\n2,y,y\n3,x,x\n4,x,x\n5,y,y\n6,x,x\n7,y,x\n8,x,x\n", "looks like a second header"),
        ("unit,A,B\n1,3,4\n2,5,o\n3,2,2\n4,1,1\n5,4,3\n", "column 'B' holds numbers and 'o'"),
        ("unit,A,B\n1,1.234,1.300\n2,\"1,234\",\"1,300\"\n", "neither rater and value"),
    ],
)  # fmt: skip
def test_rows_that_may_be_no_data_are_refused(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        study_of(write(tmp_path / "a.csv", text))


def test_a_cell_that_was_declared_missing_makes_no_column_doubtful(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.csv", "unit,A,B\n1,3,4\n2,5,o\n3,2,2\n4,1,1\n5,4,3\n"), missing=("o",))
    assert study.raters == ("A", "B")


@pytest.mark.parametrize("name", ["confidence", "difficulty", "rt"])
def test_numbers_about_the_judgement_are_no_rater(tmp_path: Path, name: str) -> None:
    study = study_of(write(tmp_path / "a.csv", f"unit,A,B,{name}\n1,3,4,5\n2,5,4,4\n3,2,2,4\n"))
    assert study.raters == ("A", "B")
    assert name in study.attributes
