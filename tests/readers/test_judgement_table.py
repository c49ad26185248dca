"""Reading judgements from files of every kind."""

from pathlib import Path

import numpy as np
import pytest

import concordant
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.study import Study
from concordant.readers import table
from concordant.readers.contingency import read_matrix
from concordant.readers.table import polars_names

LONG = "unit,rater,value,group\na,x,1,p\na,y,2,p\nb,x,2,q\nb,y,2,q\n"


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def fingerprint(study: Study) -> str:
    return tally(study.judgements()).fingerprint


def test_long_and_wide_give_the_same_data(tmp_path: Path) -> None:
    long = concordant.read(write(tmp_path / "long.csv", LONG))
    wide = concordant.read(write(tmp_path / "wide.csv", "id,x,y\na,1,2\nb,2,2\n"))
    assert fingerprint(long) == fingerprint(wide)
    assert any("wide form" in note for note in wide.notes)


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "jsonl"])
def test_other_formats_give_the_same_data(tmp_path: Path, ending: str) -> None:
    import polars as pl

    long = concordant.read(write(tmp_path / "long.csv", LONG))
    frame = pl.read_csv(tmp_path / "long.csv")
    path = tmp_path / f"long.{ending}"
    if ending == "xlsx":
        frame.write_excel(path)
    elif ending == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_ndjson(path)
    again = concordant.read(path)
    assert fingerprint(again) == fingerprint(long)
    assert again.attribute_of("unit") == ("group",)


def test_sets_in_json_lines_are_joined(tmp_path: Path) -> None:
    path = write(
        tmp_path / "sets.jsonl", '{"unit":"a","rater":"x","value":["B","E"]}\n{"unit":"a","rater":"y","value":["B"]}\n'
    )
    assert concordant.read(path, level="set").judgements().scale.categories == ("B", "B+E")


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "jsonl"])
def test_junk_with_a_good_ending_is_one_clear_line(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"junk.{ending}"
    path.write_bytes(b"\x01\x02junk" * 20)
    with pytest.raises(InputError, match=f"not a readable .{ending} file"):
        concordant.read(path)


@pytest.mark.parametrize(
    ("encoding", "note"), [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", "UTF-16"), ("cp1252", "Windows-1252")]
)
def test_encodings_are_found_and_said(tmp_path: Path, encoding: str, note: str) -> None:
    study = concordant.read(write(tmp_path / "d.csv", "unit,rater,value\ncafé,x,ja\ncafé,y,nein\n", encoding))
    assert study.unit.labels == ["café"]
    assert any(note in said for said in study.notes) or not note


def test_declared_encoding_must_fit(tmp_path: Path) -> None:
    path = write(tmp_path / "d.csv", "unit,rater,value\ncafé,x,ja\n", "cp1252")
    with pytest.raises(InputError, match="not in utf-8"):
        concordant.read(path, encoding="utf-8")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_found(tmp_path: Path, separator: str) -> None:
    assert fingerprint(concordant.read(write(tmp_path / "d.csv", LONG.replace(",", separator)))) == fingerprint(
        concordant.read(write(tmp_path / "e.csv", LONG))
    )


def test_quoted_separators_newlines_and_blank_lines(tmp_path: Path) -> None:
    text = 'unit,rater,value,text\n"a,1",x,1,"two\nlines"\n\n"a,1",y,2,"say ""hi"""\n'
    study = concordant.read(write(tmp_path / "d.csv", text))
    assert study.unit.labels == ["a,1"]
    assert study.attributes["text"].labels == ["two\nlines", 'say "hi"']
    assert study.row_numbers is not None
    assert study.row_numbers.tolist() == [3, 5]


def test_none_na_and_0_are_values_unless_declared_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "d.csv", "unit,rater,value\na,x,None\na,y,NA\nb,x,0\nb,y,\n")
    assert concordant.read(path).judgements().scale.categories == ("0", "NA", "None")
    assert concordant.read(path, missing=["NA", "None"]).judgements().n_judgements == 1


def test_names_of_columns_are_guessed_and_said(tmp_path: Path) -> None:
    study = concordant.read(write(tmp_path / "d.csv", "sentence,annotator,label\ns1,A,x\ns1,B,y\n"))
    assert len(study.notes) == 3
    with pytest.raises(InputError, match="no column was found for the unit"):
        concordant.read(write(tmp_path / "e.csv", "foo,annotator,label\ns1,A,x\n"))
    with pytest.raises(InputError, match="no column was found for the value"):
        concordant.read(write(tmp_path / "f.csv", "unit,who,what\ns1,A,x\n"), rater="who")


def test_a_table_that_is_neither_long_nor_wide_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither rater and value columns nor one column per rater"):
        concordant.read(write(tmp_path / "d.csv", "foo,bar\n1,x\n2,y\n"))


def test_counts_repeat_their_row(tmp_path: Path) -> None:
    study = concordant.read(write(tmp_path / "d.csv", "j1,j2,count\n1,1,3\n1,2,2\n"), level="ordinal")
    assert tally(study.judgements()).n_judged == 5
    with pytest.raises(InputError, match="a count must be a whole number"):
        concordant.read(write(tmp_path / "e.csv", "j1,j2,n\n1,1,x\n1,2,2\n"), count="n", raters=["j1", "j2"])


def test_raters_named_in_a_wide_table(tmp_path: Path) -> None:
    study = concordant.read(write(tmp_path / "d.csv", "a,b,c\n1,1,2\n2,2,1\n"), raters=["a", "c"])
    assert study.raters == ("a", "c")
    with pytest.raises(InputError, match="no such column"):
        concordant.read(tmp_path / "d.csv", raters=["a", "z"])


SUMS = "A\\B;yes;no;Total\nyes;40;9;49\nno;6;45;51\nTotal;46;54;100\n"


def test_a_table_of_counts_is_a_question_whatever_stands_in_its_corner(tmp_path: Path) -> None:
    for text in (SUMS, "A\\B,yes,no\nyes,40,9\nno,6,45\n", ",yes,no\nyes,40,9\nno,6,45\n"):
        path = write(tmp_path / "counts.csv", text)
        with pytest.raises(InputError, match="this can be read as contingency"):
            concordant.read(path)
        study = concordant.read(path, format="contingency")
        assert study.judgements().n_judgements == 200
        assert float(concordant.measure(study, "kappa", ci="none")) == pytest.approx((0.85 - 0.5008) / (1 - 0.5008))


def test_sums_of_counts_must_be_true(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the sums of the counts"):
        concordant.read(write(tmp_path / "sums.csv", SUMS.replace("51", "50")), format="contingency")


def test_raters_who_write_the_same_names_in_capitals_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "case.csv", "item,r1,r2\n1,yes,YES\n2,no,NO\n3,yes,NO\n4,no,NO\n")
    with pytest.raises(InputError, match="--case fold"):
        concordant.read(path)
    assert concordant.read(path, case="fold").raters == ("r1", "r2")


def test_contingency_tables_must_be_square_and_whole(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the same categories"):
        concordant.read(write(tmp_path / "d.csv", ",a,b\nb,1,2\na,3,4\n"), format="contingency")
    with pytest.raises(InputError, match="'x' is not a count"):
        concordant.read(write(tmp_path / "e.csv", ",a,b\na,1,x\nb,3,4\n"), format="contingency")


def test_matrices_are_put_in_the_order_of_the_categories(tmp_path: Path) -> None:
    path = write(tmp_path / "m.csv", ",b,a\nb,1,0.5\na,0.5,1\n")
    np.testing.assert_array_equal(read_matrix(path, ("a", "b")), [[1, 0.5], [0.5, 1]])
    with pytest.raises(InputError, match="no row and column for 'c'"):
        read_matrix(path, ("a", "c"))
    with pytest.raises(InputError, match="not a number"):
        read_matrix(write(tmp_path / "n.csv", ",b,a\nb,1,x\na,0.5,1\n"), ("a", "b"))


def test_large_files_are_read_by_polars_with_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"u{i // 3},r{i % 3},{'' if i % 17 == 0 else (i * i) % 5}\n" for i in range(600))
    path = write(tmp_path / "d.csv", "unit,rater,value\n" + rows)
    small = concordant.read(path)
    monkeypatch.setattr(table, "LARGE", 10)
    large = concordant.read(path)
    assert fingerprint(large) == fingerprint(small)
    assert large.value.n_blank == small.value.n_blank
    with pytest.raises(InputError, match="row 4: 2 cells instead of 3"):
        concordant.read(write(tmp_path / "e.csv", "unit,rater,value\na,x,1\na,y,1\nb,x\n"))


def test_repeated_column_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="same name"):
        concordant.read(write(tmp_path / "d.csv", "unit,rater,value,value\na,x,1,2\n"))


def test_columns_with_a_role_are_found_by_their_own_name_too(tmp_path: Path) -> None:
    path = write(tmp_path / "d.csv", "sentence,annotator,feature,label\ns1,A,f,x\ns1,B,f,y\ns1,A,g,x\ns1,B,g,x\n")
    assert concordant.read(path).where("feature", ["f"]).n_rows == 2
    assert concordant.read(path).where("question", ["g"]).where("annotator", ["A"]).n_rows == 1
    with pytest.raises(InputError, match="column 'label': the value 'y'"):
        concordant.read(path, categories=["x"]).judgements("f")


def test_far_too_many_columns_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(["x"] * 200_000) + "\n" + ",".join(["1"] * 200_000) + "\n")
    with pytest.raises(InputError, match="over 10,000 columns"):
        concordant.read(path)


def test_a_cell_may_be_as_long_as_a_book(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text(f"unit,rater,value\na,b,{'z' * 300_000}\na,c,d\n")
    assert concordant.read(path).n_rows == 2


def test_bytes_of_no_usual_encoding_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_bytes(b"unit,rater,value\na,b,\x81\na,c,d\n")
    with pytest.raises(InputError, match="not in UTF-8 or Windows-1252"):
        concordant.read(path)
    path.write_bytes(b"unit,rater,value\n" + b"a,b,x\n" * 20_000 + b"a,c,\xe9\n")
    with pytest.raises(InputError, match="not in ascii"):
        concordant.read(path, encoding="ascii")


@pytest.mark.parametrize("ending", ["parquet", "xlsx"])
def test_names_alone_are_read_from_the_head_of_a_file(tmp_path: Path, ending: str) -> None:
    import polars as pl

    path = tmp_path / f"names.{ending}"
    frame = pl.DataFrame({"unit": ["a"], "who": ["x"], "value": ["ü"]})
    getattr(frame, {"parquet": "write_parquet", "xlsx": "write_excel"}[ending])(path)
    assert list(polars_names(path)) == ["unit", "who", "value"]


def test_a_head_may_end_within_a_character(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv"
    path.write_text("unit,rater,value\na,b," + "x" * (table.HEAD - 22) + "ü" * 10 + "\na,c,d\n")
    assert concordant.read(path).n_rows == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("unit,rater,value\na,x,1\na,y\n", "row 3: 2 cells instead of 3; quote cells that contain the separator"),
        ("unit;rater;value\na;x;1\na;y;1;2\nb;x;1\n", "row 3: 4 cells instead of 3"),
        ("unit\trater\tvalue\n\na\n", "row 3: 1 cells instead of 3"),
        ("unit\na\nb\n", "row 1: only one column was found"),
    ],
)
def test_a_row_with_too_few_or_too_many_cells_is_named(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        concordant.read(write(tmp_path / "ragged.csv", content))


TWEETS = "text,tweet_id,annotator,label\n" + "".join(
    f"{text},{id},{who},{label}\n"
    for text, id, label in (("Good day", 11, "a"), ("What rain", 12, "b"), ("Good day", 13, "b"))
    for who in ("anna", "ben")
)


class TestKeys:
    """Beside texts the column that is their key is the unit, and the text is kept."""

    def read(self, tmp_path: Path, text: str) -> Study:
        (tmp_path / "t.csv").write_text(text)
        study: Study = concordant.read(tmp_path / "t.csv", attributes=())
        return study

    def test_a_key_is_the_unit(self, tmp_path: Path) -> None:
        study = self.read(tmp_path, TWEETS)
        assert sorted(study.unit.as_labels().labels) == ["11", "12", "13"]
        assert "text" in study.attributes
        said = [note for note in study.notes if "taken for the unit" in note]
        assert said == ["column 'tweet_id' was taken for the unit, whose text is 'text' (say --unit to change it)"]

    @pytest.mark.parametrize("ids", [[11, 12, 13, 14, 15, 16], [1, 1, 1, 1, 1, 1], [1, 1, 2, 3, 3, 3]])
    def test_what_is_no_key_is_not(self, tmp_path: Path, ids: list[int]) -> None:
        header, *rows = TWEETS.replace("Good day,13", "Good night,13").splitlines()
        cells = [row.split(",") for row in rows]
        lines = [",".join((one[0], str(id), *one[2:])) for one, id in zip(cells, ids, strict=True)]
        study = self.read(tmp_path, "\n".join((header, *lines)))
        assert sorted(study.unit.as_labels().labels) == ["Good day", "Good night", "What rain"]

    def test_in_a_column_for_each_rater_too(self, tmp_path: Path) -> None:
        study = self.read(tmp_path, "text,tweet_id,anna,ben\nGood day,11,a,b\nWhat rain,12,a,a\nOh no,13,b,b\n")
        assert sorted(study.unit.as_labels().labels) == ["11", "12", "13"]
        assert study.raters == ("anna", "ben")

    def test_another_engine_asks(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text(TWEETS)
        with pytest.raises(InputError, match="say --unit tweet_id or --unit text"):
            concordant.measure(tmp_path / "t.csv", "alpha", engine="duckdb")
        there = concordant.measure(tmp_path / "t.csv", "alpha", engine="duckdb", unit="tweet_id", ci="none")
        assert there.value == concordant.measure(tmp_path / "t.csv", "alpha", ci="none").value
