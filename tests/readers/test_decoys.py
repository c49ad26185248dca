"""Decoys, damaged tables and tables made to hurt: refused in one line or read right, never misread in silence."""

import zipfile
from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import workbook
from tests.readers.samples import EAF

UNITS = [f"u{i}" for i in range(6)]


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("deep.jsonl", '{"unit":"a","rater":"x","value":' + "[" * 50_000 + "]" * 50_000 + "}\n", "nested too deeply"),
        ("long.jsonl", '{"unit":"a","rater":"x","value":' + "9" * 6000 + "}\n", "digits|not a readable"),
        ("long.json", '[{"unit":"a","rater":"x","value":' + "9" * 6000 + "}]", "more than 4,300 digits"),
        ("long.csv", f"unit,rater,value\na,x,{'9' * 6000}\na,y,1\n", "a number of 6,000 digits"),
        ("columns.csv", ",".join(f"c{i}" for i in range(20_000)) + "\n", "over 10,000 columns"),
        ("empty.csv", "", "empty"),
        ("header.csv", "unit,rater,value\n", "no rows"),
        ("one.csv", "value\n1\n2\n", "only one column"),
        ("ragged.csv", "unit,rater,value\na,x\n", "2 cells instead of 3"),
        ("long-row.csv", "unit,A,B\na,1,2,3\nb,1,2\n", "4 cells instead of 3"),
        ("twice.csv", "unit,A,A\na,1,2\n", "two columns have the same name"),
        ("no-rater.csv", "unit,value\na,1\na,2\n", "rater"),
        ("no-unit.csv", "rater,value\nx,1\ny,2\n", "no column was found for the unit"),
        ("blank-rater.csv", "unit,rater,value\na,,1\na,y,2\n", "there is no rater"),
        ("blank-unit.csv", "unit,rater,value\n,x,1\na,y,2\n", "there is no unit"),
        ("again.csv", "unit,rater,value\na,x,1\na,x,2\n", "--duplicates first or last"),
        ("texts.csv", "unit,essay\n1,A long story of a cat\n2,Another one of a dog\n", "neither rater and value"),
        ("gold-only.csv", "unit,A,gold\n1,a,a\n2,b,a\n3,a,b\n", "neither rater and value"),
        ("dates.csv", "unit,begun,ended\n1,2024-01-02,2024-01-03\n2,2024-01-03,2024-01-03\n", "neither rater"),
        ("ids.csv", "doc_id,user_id,session_id\n1,4,5\n2,4,6\n", "neither rater|names raters"),
        ("binary.csv", "a\0b,c\n1,2\n", "not a text file"),
        ("quote.csv", 'unit,A,B\n"a,1,2\nb,1,2\n', "cells instead of 3"),
        ("inf.csv", "unit,rater,value,level\na,x,1,\na,y,inf,\n", "not a number|inf"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(tmp_path: Path, name: str, text: str, what: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=what) as caught:
        concordant.measure(concordant.read(tmp_path / name), ["alpha"], ci="none", level="interval")
    assert "\n" not in str(caught.value)


def test_a_sheet_that_unpacks_to_too_much_is_refused_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 1 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", " " * (2 << 20))
    with pytest.raises(InputError, match="unpacks to"):
        concordant.read(tmp_path / "bomb.xlsx")


def test_spans_with_other_names_are_not_taken_for_judgements(tmp_path: Path) -> None:
    file = tmp_path / "spans.csv"
    file.write_text("doc,annotator,start,end,label\nd,A,0,3,X\nd,A,5,8,Y\nd,B,0,3,X\n", encoding="utf-8")
    assert type(concordant.read(file)).__name__ == "SpanTable"
    with pytest.raises(InputError) as caught:
        concordant.read(file, holds="judgements", format="long")
    assert "--duplicates" not in str(caught.value)


COMMAS = "unit;A;B\n1;3,5;3,0\n2;2,5;2,5\n3;4,0;4,5\n4;1,5;1,0\n"


def test_decimal_commas_are_numbers_and_said(tmp_path: Path) -> None:
    (tmp_path / "commas.csv").write_text(COMMAS, encoding="utf-8")
    (tmp_path / "points.csv").write_text(COMMAS.replace(",", "."), encoding="utf-8")
    commas, points = (concordant.read(tmp_path / f"{name}.csv") for name in ("commas", "points"))
    values = [concordant.measure(study.judgements(), "icc_a1", ci="none") for study in (commas, points)]
    assert float(values[0]) == float(values[1])
    assert commas.judgements().scale.level == points.judgements().scale.level != "nominal"
    assert "decimal commas: '3,5' in column 'A' was read as 3.5" in commas.notes


@pytest.mark.parametrize("values", [("1,234", "2,500"), ("1,2,3", "4"), ("3,5", "many")])
def test_what_may_be_something_else_keeps_its_commas(tmp_path: Path, values: tuple[str, str]) -> None:
    rows = "".join(f"{unit};{rater};{value}\n" for unit in "12" for rater, value in zip("ab", values, strict=True))
    (tmp_path / "t.csv").write_text("unit;rater;value\n" + rows, encoding="utf-8")
    study = concordant.read(tmp_path / "t.csv")
    assert set(study.value.as_labels().labels) == set(values)
    assert any("may have a decimal comma or count thousands" in note for note in study.notes) == (values[0] == "1,234")


class TestDamaged:
    """What changed bytes of real files led to."""

    @pytest.mark.parametrize("name", ["t.qdpx", "t.zip", "t.asreview"])
    @pytest.mark.parametrize("damage", ["cut", "name", "version", "deflated"])
    def test_archives(self, tmp_path: Path, name: str, damage: str) -> None:
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("project.qde", "<Project/>" * 50)
        raw = (tmp_path / name).read_bytes()
        central = raw.rindex(b"PK\x01\x02")
        changed = {
            "cut": raw[: len(raw) // 2],
            "name": raw.replace(b"project.qde", b"\xfa\xff\xfejec.qde").replace(
                raw[central + 8 : central + 10], b"\x00\x08", 1
            ),
            "version": raw[: central + 6] + b"\x6c" + raw[central + 7 :],
            "deflated": raw[:45] + b"\xff" * 8 + raw[53:],
        }[damage]
        (tmp_path / name).write_bytes(changed)
        with pytest.raises(InputError) as caught:
            concordant.read(tmp_path / name)
        assert "\n" not in str(caught.value)

    def test_counts_of_many_digits(self, tmp_path: Path) -> None:
        rows = "".join(f"{i},{9 * 10**20},{9 * 10**20 + i}\n" for i in range(6))
        (tmp_path / "t.csv").write_text("unit,A,B\n" + rows)
        assert concordant.read(tmp_path / "t.csv").raters == ("A", "B")

    def test_a_word_for_missing_in_the_first_column(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("A,B\nnull,1\n2,2\n3,3\n1,1\n")
        assert concordant.read(tmp_path / "t.csv").raters == ("A", "B")

    def test_an_annotation_without_a_slot(self, tmp_path: Path) -> None:
        (tmp_path / "t.eaf").write_text(EAF.replace('TIME_SLOT_REF1="ts1" ', ""))
        with pytest.raises(InputError, match="refers to the time slot ''"):
            concordant.read(tmp_path / "t.eaf")

    def test_names_with_line_ends_stay_in_one_line(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text('"a\nb",c\nx,some text\ny,another text\n')
        with pytest.raises(InputError) as caught:
            concordant.read(tmp_path / "t.csv")
        assert "\n" not in str(caught.value)
