"""Errors of spreadsheets and formulas without a value are neither judgements nor empty cells, and are said."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers.sheet_errors import Found, in_ods, in_xlsx

NOTE = "without a value in the spreadsheet, taken for missing: "


def xlsx(file: Path, rows: list[list[Any]], *, corner: str = "A1") -> Path:
    """A workbook whose table begins in that cell; what begins with # is an error, with = a formula nobody computed."""
    from openpyxl import Workbook
    from openpyxl.utils.cell import coordinate_from_string, get_column_letter

    letter, first = coordinate_from_string(corner)
    book = Workbook()
    sheet: Any = book.active
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            sheet[f"{get_column_letter(ord(letter) - 64 + j)}{first + i}"] = cell
    book.save(file)
    return file


ROWS: list[list[Any]] = [
    ["unit", "A", "B"], ["a", 1, 2], ["b", "#N/A", 2], ["c", 3, "#DIV/0!"], ["d", 2, "=1+1"], ["e", None, 1], ["f", 1, 1],
]  # fmt: skip


@pytest.mark.parametrize(("corner", "shift"), [("A1", 0), ("C4", 3)])
def test_of_a_workbook(tmp_path: Path, corner: str, shift: int) -> None:
    study = concordant.read(xlsx(tmp_path / "t.xlsx", ROWS, corner=corner))
    assert (study.raters, study.n_rows - study.value.n_blank) == (("A", "B"), 8)
    said = f"#N/A in row {3 + shift} of 'A'; #DIV/0! in row {4 + shift} of 'B'; a formula without a value in row {5 + shift} of 'B'"
    assert f"3 cells {NOTE}{said}" in study.notes
    assert "1 empty cell taken for missing" in study.notes
    assert "1 formula without a value (save the file in a spreadsheet program to have it)" in study.notes
    named = study.row_numbers[study.value.codes < 0].tolist()
    assert sorted(named) == [3 + shift, 4 + shift, 5 + shift, 6 + shift]


def test_an_empty_cell_may_stand_for_no_and_an_error_never(tmp_path: Path) -> None:
    file = xlsx(tmp_path / "t.xlsx", ROWS)
    study = concordant.read(file, empty="9", raters=["A", "B"])
    assert study.value.text().tolist().count("9") == 1
    assert study.value.n_blank == 3


@pytest.mark.parametrize("word", ["#N/A", "#NV", "#DIV/0!", "#VALEUR!", "Err:502"])
@pytest.mark.parametrize("others", [("1", "2"), ("yes", "no"), ("1,5", "2,5")])
def test_of_a_text(tmp_path: Path, word: str, others: tuple[str, str]) -> None:
    a, b = others
    (tmp_path / "t.csv").write_text(f"unit;A;B\n1;{a};{b}\n2;{word};{a}\n3;{b};{b}\n4;{a};{a}\n", encoding="utf-8")
    study = concordant.read(tmp_path / "t.csv")
    assert (study.raters, study.value.n_blank) == (("A", "B"), 1)
    assert set(study.judgements().scale.categories) == {a.replace(",", "."), b.replace(",", ".")}
    assert f"1 cell {NOTE}{word} in row 3 of 'A'" in study.notes


def test_a_unit_or_a_rater_of_that_name_is_none(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("unit,rater,value\na,x,1\na,y,2\n#REF!,x,1\nb,#N/A,1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"row 4.*there is no unit"):
        concordant.measure(tmp_path / "t.csv", "alpha")


def test_a_column_of_errors_only_is_said(tmp_path: Path) -> None:
    rows = [[*row, "#REF!" if i else "C"] for i, row in enumerate(ROWS)]
    study = concordant.read(xlsx(tmp_path / "t.xlsx", rows))
    assert study.raters == ("A", "B")
    assert any("'C' (no cell has a value: they are empty or hold errors" in note for note in study.notes)
    with pytest.raises(InputError, match="of 'C' no cell has a value"):
        concordant.read(xlsx(tmp_path / "u.xlsx", [[row[0], row[2], row[3]] for row in rows[:3]]))


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_among_very_many_labels(tmp_path: Path, ending: str) -> None:
    import polars as pl

    names = [f"unit {i}" for i in range(10_001)]
    frame = pl.DataFrame(
        {"unit": [*names, "#REF!"], "rater": "A", "value": [*[str(i % 3) for i in range(10_001)], "1"]}
    )
    written = {"csv": "csv", "parquet": "parquet", "jsonl": "ndjson"}[ending]
    getattr(frame, f"write_{written}")(tmp_path / f"t.{ending}")
    study = concordant.read(tmp_path / f"t.{ending}")
    assert study.unit.n_blank == 1
    assert f"1 cell {NOTE}#REF! in row 10003 of 'unit'" in study.notes


def test_spans_and_joined_attributes(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("text,rater,begin,end,category\nt,A,0,2,x\nt,B,0,2,#N/A\n", encoding="utf-8")
    spans = concordant.read(tmp_path / "s.csv")
    assert spans.category.tolist() == ["x", ""]
    assert f"1 cell {NOTE}#N/A in row 3 of 'category'" in spans.notes
    (tmp_path / "t.csv").write_text("unit,A,B\na,1,2\nb,2,2\nc,1,1\n", encoding="utf-8")
    (tmp_path / "u.csv").write_text("unit,genre\na,news\nb,#N/A\nc,blog\n", encoding="utf-8")
    study = concordant.read(tmp_path / "t.csv", attributes=tmp_path / "u.csv", on="unit")
    assert sorted(study.attributes["genre"].labels) == ["blog", "news"]


ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" office:version="1.3"><office:body>
<office:spreadsheet><table:table table:name="S">{}</table:table></office:spreadsheet></office:body></office:document-content>"""


def ods(file: Path, rows: list[list[str]]) -> Path:
    """A table of LibreOffice, which keeps the number 0 or an empty text beside an error."""
    cells = {
        "#N/A": '<table:table-cell table:formula="of:=NA()" office:value-type="float" office:value="0" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>',
        "Err:502": '<table:table-cell table:formula="of:=X()" office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>Err:502</text:p></table:table-cell>',
        "": "<table:table-cell/>",
    }  # fmt: skip
    plain = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    lines = ["".join(cells.get(cell) or plain.format(cell) for cell in row) for row in rows]
    content = ODS.format("".join(f"<table:table-row>{line}</table:table-row>" for line in lines))
    with ZipFile(file, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("content.xml", content)
        packed.writestr("META-INF/manifest.xml", "<manifest/>")
    return file


def test_of_a_table_of_libreoffice(tmp_path: Path) -> None:
    rows = [["unit", "A", "B"], ["a", "1", "2"], ["b", "#N/A", "2"], ["c", "3", "Err:502"], ["d", "2", "2"]]
    study = concordant.read(ods(tmp_path / "t.ods", rows))
    assert study.judgements().scale.categories == ("1", "2", "3")  # and no 0
    assert f"2 cells {NOTE}#N/A in row 3 of 'A'; Err:502 in row 4 of 'B'" in study.notes
    moved = concordant.read(ods(tmp_path / "u.ods", [["", "", "", ""], *(["", *row] for row in rows)]))
    assert f"2 cells {NOTE}#N/A in row 4 of 'A'; Err:502 in row 5 of 'B'" in moved.notes


def test_sheets_that_say_little() -> None:
    assert in_xlsx(b"") == in_ods(b"", "S") == Found()
    assert in_xlsx(b'<c t="e"><v>#N/A</v></c>') == Found()  # nobody says where the cell is
    assert in_xlsx(b'<c r="B2" t="str"><f>X</f><v></v></c>') == Found(2)  # an empty text, as the formula gives it
    assert in_xlsx(b'<c r="B2" t="e"><f>X</f><v>#NEW!</v></c>') == Found(2, {(0, 0): "#ERROR!"})
    assert in_ods(b'<a "error"', "S") == in_ods(b'<!ENTITY x "#N/A">', "S") == Found()
