"""Exports: every format, fanned-out units, pairs, spans, and a codebook for every column."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import polars
import pytest

from assent.collection.cleaning import clean
from assent.collection.collected import Collected, collect
from assent.collection.export import tables
from assent.collection.judgement_table import fan_out_counts
from assent.collection.log import Log
from assent.collection.tabular import OutTable
from assent.collection.writing import write_tables
from assent.design.description import Checks, Pairing, Task, Unit
from assent.errors import InputError
from tests.collection.playing import planned, play
from tests.design.samples import study


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with Log.open(f"sqlite:///{tmp_path}/study.db") as opened:
        yield opened


def twins() -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """Three rows, two of which have the same text: what is judged, and the rows."""
    rows = tuple(
        Unit(id=id, item="i", text=text, copies=(id,), attributes={"writer": writer, "value": "9"})
        for id, text, writer in (("u1", "Same.", "native"), ("u2", "same", "learner"), ("u3", "Other", "native"))
    )
    return (Unit(**{**rows[0].__dict__, "copies": ("u1", "u2")}), rows[2]), rows


def collected(log: Log, tasks: tuple[Task, ...] = (Task.BINARY,)) -> Collected:
    judged, rows = twins()
    made = planned(study(units=judged, rows=rows, tasks=tasks))
    for rater in ("A1", "A2"):
        play(log, made, rater)
    return collect(log, made)


def named(found: list[OutTable], name: str) -> OutTable:
    return next(table for table in found if table.name == name)


def as_dicts(table: OutTable) -> list[dict[str, object]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_identical_texts_are_fanned_out_and_both_counts_are_known(log: Log) -> None:
    data = collected(log)
    rows = as_dicts(named(tables(data, None), "judgements"))
    assert fan_out_counts(data) == (4, 6)
    twin = {row["unit"]: (row["value"], row["judged_unit"], row["writer"]) for row in rows if row["rater"] == "A1"}
    assert twin["u1"][0] == twin["u2"][0]
    assert (twin["u1"][1:], twin["u2"][1:]) == (("u1", "native"), ("u1", "learner"))
    assert {row["unit_value"] for row in rows} == {"9"}  # an attribute called like one of our columns


def test_every_column_of_every_table_is_in_the_codebook(log: Log) -> None:
    data = collected(log, (Task.BINARY, Task.SPANS, Task.PATTERNS))
    found = tables(data, clean(data))
    explained = {(row["table"], row["name"]) for row in as_dicts(named(found, "codebook"))}
    for table in found[:-1]:
        assert {(table.name, column) for column in table.columns} <= explained
    assert ("judgements", "binary = yes") in explained
    assert ("judgements", "patterns = E") in explained


def test_both_stages_of_cleaning_are_exported_and_checks_apart(log: Log) -> None:
    judged, rows = twins()
    made = planned(study(units=judged, rows=rows, checks=Checks(repeats=1, gap=1)))
    play(log, made, "A1")
    play(log, made, "A2", n_events=0)
    raw = collect(log, made)
    found = tables(raw, clean(raw))
    assert [table.name for table in found] == ["judgements", "judgements_raw", "checks", "raters", "flow", "codebook"]
    assert {row["kind"] for row in as_dicts(found[0])} == {"main"}
    assert {(row["kind"], row["trial"]) for row in as_dicts(found[2])} == {("repeat", 2)}
    assert {row["rater"]: row["left_out"] for row in as_dicts(found[3])} == {"A1": None, "A2": "answered nothing"}


def test_spans_are_exported_for_gamma(log: Log) -> None:
    spans = named(tables(collected(log, (Task.SPANS,)), None), "spans")
    assert spans.columns[:5] == ("text", "rater", "begin", "end", "category")
    assert as_dicts(spans)[0]["marked"] in {"Sam", "sam", "Oth"}


def test_pairs_are_exported_for_weights(log: Log) -> None:
    units = tuple(
        Unit(id=f"r{i}", item="i", text=f"Text {i}", copies=(f"r{i}",), attributes={"x": str(i % 2)}) for i in range(6)
    )
    pairing = Pairing(vector=("x",), per_group=3)
    made = planned(study(units=units, rows=units, tasks=(Task.PAIRWISE,), pairing=pairing))
    play(log, made, "A1")
    rows = as_dicts(named(tables(collect(log, made), None), "judgements"))
    assert len(rows) == 3
    for row in rows:
        assert row["pair"] == row["unit"]
        assert row["choice"] == row["value"]
        assert {row["A_x"], row["B_x"]} == {"0", "1"}
        assert row["first_slot"] in {"A", "B"}


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "xlsx"])
def test_every_format_holds_the_same_judgements(log: Log, tmp_path: Path, ending: str) -> None:
    found = tables(collected(log, (Task.BINARY, Task.MULTILABEL)), None)
    path = tmp_path / f"out.{ending}"
    write_tables(found, path)
    expected = [(row["unit"], row["rater"], row["value"]) for row in as_dicts(found[0])]
    assert _read_back(path) == expected
    assert not list(tmp_path.glob("*.part"))


def _read_back(path: Path) -> list[tuple[object, ...]]:
    names = ("unit", "rater", "value")
    if path.suffix in {".csv", ".tsv"}:
        with path.open(encoding="utf-8", newline="") as file:
            return [
                tuple(row[n] for n in names)
                for row in csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t")
            ]
    if path.suffix == ".jsonl":
        return [tuple(json.loads(line)[n] for n in names) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".parquet":
        return polars.read_parquet(path).select(names).rows()
    workbook = openpyxl.load_workbook(path)
    assert workbook.sheetnames == ["judgements", "raters", "codebook"]
    header, *rows = workbook["judgements"].iter_rows(values_only=True)
    return [tuple(dict(zip(header, row, strict=True))[n] for n in names) for row in rows]


def test_texts_that_look_like_formulas_stay_texts(tmp_path: Path) -> None:
    table = OutTable(name="t", meaning="", columns=("a",), meanings=("",), rows=(("=1+1",), ("https://example.org",)))
    write_tables([table], tmp_path / "out.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["t"]
    assert (sheet["A2"].data_type, sheet["A2"].value) == ("s", "=1+1")
    assert sheet["A3"].hyperlink is None


def test_an_unknown_ending_and_a_missing_folder_are_one_clear_line(tmp_path: Path) -> None:
    table = OutTable(name="t", meaning="", columns=("a",), meanings=("",), rows=())
    with pytest.raises(InputError, match=r"cannot write \.docx"):
        write_tables([table], tmp_path / "out.docx")
    with pytest.raises(InputError, match="cannot be written"):
        write_tables([table], tmp_path / "nowhere" / "out.csv")
    assert list(tmp_path.iterdir()) == []
