"""Files that people have and nobody planned: read right and said, or refused in one line that fits."""

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import zipped
from tests.readers.exported import write

WIDE = "unit,A,B\nu1,1,2\nu2,2,2\nu3,3,1\nu4,1,1\n"
LONG = "unit,rater,value\nu1,A,x\nu1,B,y\nu2,A,y\nu2,B,y\n"


def refusal(path: Path) -> str:
    """The one line that refuses a file."""
    with pytest.raises(InputError) as caught:
        concordant.read(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 900 + len(str(path))
    return str(caught.value)


def test_blank_lines_above_the_names(tmp_path: Path) -> None:
    study = concordant.read(write(tmp_path / "t.csv", "\n\r\n" + WIDE.replace("u2", "\nu2")))
    assert (study.raters, study.n_rows) == (("A", "B"), 8)
    assert study.row_numbers is not None
    assert study.row_numbers.tolist()[:2] == [4, 6]


@pytest.mark.parametrize("first", ["", "Unnamed: 0", "index"])
def test_the_index_that_pandas_writes_is_no_rater(tmp_path: Path, first: str) -> None:
    rows = "".join(f"{i},{name},{i % 3 + 1},{i % 2 + 1}\n" for i, name in enumerate("abcd"))
    study = concordant.read(write(tmp_path / "t.csv", f"{first},item,A,B\n{rows}"))
    assert (study.raters, study.unit.labels) == (("A", "B"), list("abcd"))
    assert any("it counts the rows" in note for note in study.notes)


def test_days_and_moments_are_no_ratings(tmp_path: Path) -> None:
    days = WIDE.replace("A,B", "A,B,coded_on").replace("\nu", ",20240131\nu").replace("coded_on,20240131", "coded_on")
    study = concordant.read(write(tmp_path / "t.csv", days.rstrip("\n") + ",20240202\n"))
    assert study.raters == ("A", "B")
    assert any("'coded_on' (dates or times)" in note for note in study.notes)
    years = concordant.read(write(tmp_path / "y.csv", "doc,A,B\n1,20240131,20240131\n2,20231231,20231230\n"))
    assert years.raters == ("A", "B")  # raters who dated documents
    moments = "unit,score,ts\n" + "".join(f"u{i},{i % 5 + 1},{1_700_000_000 + i}\n" for i in range(4))
    assert "are of another size" in refusal(write(tmp_path / "m.csv", moments))


def test_a_table_without_names_of_columns(tmp_path: Path) -> None:
    assert "the first row (a, x, y) holds values" in refusal(write(tmp_path / "t.csv", "a,x,y\nb,y,y\nc,x,x\nd,y,x\n"))
    named = "item,1,2,3\na,1,2,1\nb,2,2,3\nc,3,3,1\n"  # raters called 1, 2, 3 who gave 1, 2, 3
    assert concordant.read(write(tmp_path / "u.csv", named)).raters == ("1", "2", "3")


def test_a_number_of_thousands_of_digits_is_not_printed(tmp_path: Path) -> None:
    rows = "".join(f"u{i},{'9' * 6000 if i == 3 else i % 3},{i % 2}\n" for i in range(12))
    assert "column 'A' holds numbers and '9999999999" in refusal(write(tmp_path / "t.csv", f"unit,A,B\n{rows}"))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_files_below_each_other_repeat_the_names(tmp_path: Path, mark: str) -> None:
    long = concordant.read(write(tmp_path / "t.csv", LONG + mark + LONG.replace("u1", "u3").replace("u2", "u4")))
    assert (long.raters, list(long.unit.labels)) == (("A", "B"), ["u1", "u2", "u3", "u4"])
    assert (1, "the names of the columns once more") in long.left_out
    wide = concordant.read(write(tmp_path / "w.csv", WIDE + mark + WIDE.replace("u", "v").replace("vnit", "unit")))
    assert (wide.raters, wide.judgements().scale.categories) == (("A", "B"), ("1", "2", "3"))


def test_names_with_an_underscore_are_no_numbers(tmp_path: Path) -> None:
    study = concordant.read(write(tmp_path / "t.csv", "unit,rater,value\n1,A,1_2\n1,B,12\n2,A,1_2\n2,B,3\n"))
    assert set(study.value.as_labels().labels) == {"1_2", "12", "3"}


def test_a_column_called_like_a_result_is_asked(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", "unit,A,B,C,label\n1,x,y,x,x\n2,y,y,x,y\n3,x,x,x,x\n")
    assert "'label' is called like a result beside raters" in refusal(file)
    assert concordant.read(file, raters=["A", "B", "C"]).raters == ("A", "B", "C")


def test_letters_that_nobody_sees(tmp_path: Path) -> None:
    study = concordant.read(write(tmp_path / "t.csv", "unit,rater,value\n1,A,ye\u200bs\n1,B,yes\n2,A,no\n2,B,no\n"))
    assert any("look alike" in note for note in study.notes)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"<!DOCTYPE html><html><body>Please sign in</body></html>", "this is a web page, perhaps one that asks"),
        (b"%PDF-1.4 \n1 0 obj\n<<>>\n", "this is a PDF, not a table"),
    ],
)
def test_what_was_downloaded_instead_of_a_table(tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    assert what in refusal(tmp_path / "t.csv")


def test_a_text_that_was_judged_is_no_table(tmp_path: Path) -> None:
    text = (
        "Rome, 3 May (an agency).\nNothing, so we hear, has happened, and nobody was seen.\nSo it was.\nMore, later.\n"
    )
    assert "this looks like running text" in refusal(write(tmp_path / "t.txt", text))


def test_utf_32(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(WIDE.encode("utf-32"))
    study = concordant.read(tmp_path / "t.csv")
    assert (study.raters, study.n_rows, "the file is in UTF-32" in study.notes) == (("A", "B"), 8, True)


class TestPacked:
    def test_a_file_packed_by_gzip(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv.gz").write_bytes(gzip.compress(LONG.encode()))
        study = concordant.read(tmp_path / "t.csv.gz")
        assert (study.name, study.raters, study.n_rows) == (str(tmp_path / "t.csv.gz"), ("A", "B"), 4)

    def test_a_damaged_and_a_large_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        packed = gzip.compress(LONG.encode())
        (tmp_path / "cut.csv.gz").write_bytes(packed[:-12])
        assert "this is not a whole gzip file" in refusal(tmp_path / "cut.csv.gz")
        (tmp_path / "t.csv.gz").write_bytes(packed)
        monkeypatch.setattr(zipped, "LIMIT", 10)
        assert "unpacks to more than" in refusal(tmp_path / "t.csv.gz")

    def test_several_tables_in_one_archive(self, tmp_path: Path) -> None:
        with ZipFile(tmp_path / "t.zip", "w") as archive:
            archive.writestr("a.csv", LONG)
            archive.writestr("b.csv", WIDE)
        assert "tables are read by their names (a.csv, b.csv)" in refusal(tmp_path / "t.zip")


CHOICE = {"text": "a", "_input_hash": 1, "_task_hash": 1, "_annotator_id": "x", "options": [{"id": "A", "text": "A"}],
          "accept": ["A"], "answer": "accept"}  # fmt: skip
SPAN = {"text": "a b", "_input_hash": 1, "_task_hash": 2, "_annotator_id": "x", "answer": "accept",
        "tokens": [{"text": "a", "start": 0, "end": 1, "id": 0}], "spans": [{"start": 0, "end": 1, "label": "L"}]}  # fmt: skip


class TestFolders:
    def test_files_of_several_formats(self, tmp_path: Path) -> None:
        write(tmp_path / "p/a.jsonl", [SPAN])
        write(tmp_path / "p/b.jsonl", [CHOICE])
        said = refusal(tmp_path / "p")
        assert "a.jsonl is of the format prodigy, and b.jsonl of prodigy_choices" in said

    def test_files_that_are_read_one_at_a_time(self, tmp_path: Path) -> None:
        write(tmp_path / "p/a.jsonl", [CHOICE])
        said = refusal(tmp_path / "p")
        assert "a.jsonl is of the format prodigy_choices, whose files are not read by the folder" in said

    def test_tables(self, tmp_path: Path) -> None:
        write(tmp_path / "p/a.csv", WIDE)
        write(tmp_path / "p/notes.pdf", "x")
        assert "tables are read by their names (a.csv); name a file in it" in refusal(tmp_path / "p")


RECORDS = [{"unit": u, "A": a, "B": b} for u, a, b in (("u1", 1, 2), ("u2", 2, 2), ("u3", 3, 1), ("u4", 1, 1))]
FRAMES: dict[str, Any] = {
    "columns": {name: {str(i): one[name] for i, one in enumerate(RECORDS)} for name in RECORDS[0]},
    "list": {name: [one[name] for one in RECORDS] for name in RECORDS[0]},
    "split": {"columns": list(RECORDS[0]), "index": [0, 1, 2, 3], "data": [list(one.values()) for one in RECORDS]},
    "table": {"schema": {"fields": [{"name": "unit", "type": "string"}]}, "data": RECORDS},
    "named": {"data": RECORDS},
}


class TestJson:
    @pytest.mark.parametrize("form", FRAMES)
    def test_forms_of_a_data_frame(self, tmp_path: Path, form: str) -> None:
        study = concordant.read(write(tmp_path / "t.json", FRAMES[form]))
        same = concordant.read(write(tmp_path / "t.csv", WIDE))
        values = [concordant.measure(one, "alpha", ci="none", level="nominal").value for one in (study, same)]
        assert (study.raters, study.unit.labels, values[0]) == (same.raters, same.unit.labels, values[1])

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            ([{"unit": {"$oid": "1"}, "rater": "A", "value": 1}], "row 1, column 'unit': the value is an object"),
            ([{"unit": 1, "rater": "A", "value": {"label": "x"}}], "row 1, column 'value': the value is an object"),
            ({"columns": ["unit", "A", "B"], "data": [["a", 1, 2], ["b", 1]]}, "the rows differ in length"),
            ({"columns": ["unit", "A"], "data": 3}, "the rows differ in length"),
            ({"images": [{"id": 1}], "annotations": [{"id": 2}]}, "this JSON is no table"),
            ({"unit": ["a", "b"], "A": [1]}, "this JSON is no table"),
            (42, "no format of data is known"),
        ],
    )
    def test_what_is_no_table(self, tmp_path: Path, content: Any, what: str) -> None:
        assert what in refusal(write(tmp_path / "t.json", content))

    def test_nested_too_deeply(self, tmp_path: Path) -> None:
        (tmp_path / "t.json").write_text('{"a": [{"b":' + "[" * 100_000 + "]" * 100_000 + "}]}", encoding="utf-8")
        assert "nested too deeply" in refusal(tmp_path / "t.json")

    def test_ids_of_twenty_digits_keep_them(self, tmp_path: Path) -> None:
        rows = [{"unit": 12345678901234567890 + i, "rater": r, "value": i} for i in range(2) for r in "AB"]
        (tmp_path / "t.json").write_text(json.dumps(rows), encoding="utf-8")
        assert list(concordant.read(tmp_path / "t.json").unit.labels) == [
            "12345678901234567890",
            "12345678901234567891",
        ]


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
@pytest.mark.parametrize("colon", [":", " : "])
def test_a_name_that_stands_twice_in_an_object_is_one_line(tmp_path: Path, name: str, colon: str) -> None:
    rows = [f'{{"unit": "{u}", "rater": "{r}", "value": "1"}}' for u in "ab" for r in "xy"]
    rows[2] = rows[2].replace('"1"', f'"1", "value"{colon}"2"')

    def written() -> Path:
        text = "\n".join(rows) if name.endswith("l") else f"[{','.join(rows)}]"
        (tmp_path / name).write_text(text)
        return tmp_path / name

    with pytest.raises(InputError, match='\'value\' stands twice in one object: "1" and "2"'):
        concordant.read(written())
    rows[2] = rows[2].replace('"2"', '"1"')  # twice the same is no loss
    assert concordant.read(written()).n_rows == 4
    rows[2] = rows[2].replace('"value"', '"said"', 1).replace('"1"', r'"a \"value\": \"x\""', 1)
    assert concordant.read(written()).n_rows == 4


def test_a_stray_cell_far_out_is_named_and_takes_no_memory(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (("unit", "A", "B"), ("a", 1, 1), ("b", 2, 2)):
        sheet.append(row)
    sheet["XFD1048576"] = " "
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(InputError, match=r"far\.xlsx: the 1\. sheet reaches to the cell XFD1048576"):
        concordant.read(tmp_path / "far.xlsx")


def test_an_archive_of_very_many_files_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(10_001):
            archive.writestr(f"{number}.txt", "")
    with pytest.raises(InputError, match="holds 10,001 files, and at most 10,000"):
        concordant.read(tmp_path / "many.zip")
