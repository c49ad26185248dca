"""Exports: every format, fanned-out units, pairs, spans, and a codebook for every column."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import polars
import pytest

from concordant.collection import events as ev
from concordant.collection.collected import Collected, clean, fan_out_counts
from concordant.collection.export_tables import tables
from concordant.collection.folding import collect
from concordant.collection.log import Log
from concordant.collection.sheets import OutTable, write_tables
from concordant.design.description import Checks, CleaningRules, Pairing, ParticipantQuestion, Rater
from concordant.errors import InputError
from concordant.tasks.question import Option, Question, Unit
from tests.collection.playing import planned, play
from tests.design.samples import ABC, study

SPANS = Question(id="spans", task="spans", ask="?", options=ABC)


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


def collected(log: Log, tasks: tuple[str, ...] = ("binary",)) -> Collected:
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
    data = collected(log, ("binary", "spans", "patterns"))
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
    spans = named(tables(collected(log, ("spans",)), None), "spans")
    assert spans.columns[:5] == ("text", "rater", "begin", "end", "category")
    assert as_dicts(spans)[0]["marked"] in {"Sam", "sam", "Oth"}


def test_pairs_are_exported_for_weights(log: Log) -> None:
    units = tuple(
        Unit(id=f"r{i}", item="i", text=f"Text {i}", copies=(f"r{i}",), attributes={"x": str(i % 2)}) for i in range(6)
    )
    pairing = Pairing(vector=("x",), per_group=3)
    made = planned(study(units=units, rows=units, tasks=("pairwise",), pairing=pairing))
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
    found = tables(collected(log, ("binary", "multilabel")), None)
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


def test_a_judgement_is_told_with_all_that_is_known_about_it(log: Log) -> None:
    gold = (Unit(id="g", item="g", text="Gold", copies=("g",), expected={"binary": "yes"}),)
    made = planned(
        study(
            units=twins()[1], checks=Checks(gold=gold), n_sets=2,
            raters=(Rater(id="A1", set=1, attributes={"role": "expert"}),),
        )
    )  # fmt: skip
    log.append("sample", [ev.Joined(rater="A1"), ev.Described(rater="A1", answers={"age": "40"})])
    steps = log.enrol(made, "A1").steps
    main = next(step for step in steps if step["kind"] == "main")
    golden = next(step for step in steps if step["kind"] == "gold")
    for step, value, seconds in ((main, "no", 1.5), (main, "yes", 2.0), (golden, "no", 1.0)):
        place = {"rater": "A1", "step": step["number"]}
        log.append("sample", [
            ev.Answered(unit=step["unit"], question="binary", value=value, seconds=seconds, at="2026-03-01T10:00:00+00:00", **place),
        ])  # fmt: skip
    log.append("sample", [ev.Commented(rater="A1", text="one"), ev.Commented(rater="A1", text="two")])
    raw = collect(log, made)
    found = tables(raw, None)
    [row] = as_dicts(named(found, "judgements"))
    text = {unit.id: unit.text for unit in made.description.rows}[main["unit"]]
    writer = {unit.id: unit.attributes["writer"] for unit in made.description.rows}[main["unit"]]
    assert row == {
        "unit": main["unit"], "rater": "A1", "question": "binary", "value": "yes", "words": None, "kind": "main",
        "trial": 1, "item": "i", "judged_unit": main["unit"], "set": 2, "position": main["number"] + 1, "seconds": 3.5,
        "at": "2026-03-01T10:00:00+00:00", "n_given": 2, "finished": "yes", "text": text, "writer": writer,
        "unit_value": "9", "rater_role": "expert", "rater_age": "40",
    }  # fmt: skip
    [check] = as_dicts(named(found, "checks"))
    assert (check["kind"], check["trial"], check["text"], check["writer"]) == ("gold", 1, "Gold", None)
    [rater] = as_dicts(named(found, "raters"))
    assert {key: rater[key] for key in rater if not key.endswith("_at")} == {
        "rater": "A1", "set": 2, "n_asked": len([step for step in steps if step["kind"] == "main"]), "n_answered": 1,
        "gold_share": 0.0, "median_seconds": 3.5, "left_out": None, "role": "expert", "age": "40", "comment": "one\ntwo",
    }  # fmt: skip
    assert str(rater["first_at"]) <= str(rater["last_at"])
    assert rater["completed_at"] is None


def test_who_was_never_given_a_set_has_none(log: Log) -> None:
    made = planned(study(2))
    log.append("sample", [ev.Joined(rater="A1")])
    [rater] = as_dicts(named(tables(collect(log, made), None), "raters"))
    assert (rater["set"], rater["comment"], rater["gold_share"], rater["median_seconds"]) == (None, None, None, None)


def test_every_span_is_a_row_in_the_order_of_the_text(log: Log) -> None:
    made = planned(study(units=twins()[1][2:], tasks=("spans",), questions=(SPANS,)))
    [step] = log.enrol(made, "A1").steps
    value = [
        {"begin": 3, "end": 5, "category": "b"},
        {"begin": 0, "end": 5, "category": "a"},
        {"begin": 0, "end": 2, "category": "c"},
    ]
    log.append("sample", [ev.Answered(rater="A1", step=0, unit=step["unit"], question="spans", value=value)])
    table = named(tables(collect(log, made), None), "spans")
    assert table.columns == ("text", "rater", "begin", "end", "category", "question", "marked", "trial")
    assert table.rows == (
        ("u3", "A1", 0, 2, "c", "spans", "Ot", 1),
        ("u3", "A1", 0, 5, "a", "spans", "Other", 1),
        ("u3", "A1", 3, 5, "b", "spans", "er", 1),
    )


def test_the_account_of_the_cleaning_is_exported(log: Log) -> None:
    rules = CleaningRules(drop_several_words=True, spelling={"smal": "small"})
    asked = (ParticipantQuestion(id="age", ask="?", kind="number"), ParticipantQuestion(id="home", ask="?"))
    made = planned(study(2, ("patterns",), cleaning=rules, participant=asked))
    log.append("sample", [ev.Joined(rater="A1"), ev.Described(rater="A1", answers={"age": "40"})])
    for step, value in zip(
        log.enrol(made, "A1").steps, ({"basic": "smal", "active": "two words"}, {"basic": "small"}), strict=True
    ):
        place = {"rater": "A1", "step": step["number"]}
        log.append("sample", [ev.Answered(unit=step["unit"], question="patterns", value=value, **place)])
        if step["number"] == 0:
            log.append("sample", [ev.Continued(page="judging", **place)])
    first, second = (step["unit"] for step in log.enrol(made, "A1").steps)
    raw = collect(log, made)
    found = tables(
        raw, clean(raw), [OutTable(name="more", meaning="", columns=("x",), meanings=("an x",), rows=((1,),))]
    )
    assert [table.name for table in found] == [
        "judgements", "judgements_raw", "raters", "participants", "flow", "dropped", "corrected", "more", "codebook"
    ]  # fmt: skip
    assert named(found, "flow").rows == (("came", 0, 1), ("answered nothing", 0, 1))
    assert sorted(named(found, "dropped").rows, key=str) == sorted(
        [
            (second, "A1", "patterns", "page not finished", None, None),
            (first, "A1", "patterns", "several words", "active", "two words"),
        ],
        key=str,
    )
    assert named(found, "corrected").rows == ((first, "A1", "basic", "smal", "small"),)
    assert named(found, "participants").rows == (
        ("age", "min. 40; max. 40; mean 40.0; median 40"), ("home", "not reported 100%")
    )  # fmt: skip
    assert ("more", "x", "an x") in named(found, "codebook").rows
    assert ("judgements", "question = patterns", "patterns: ?") in named(found, "codebook").rows
    assert ("judgements", "patterns = B", "basic: similar to ___") in named(found, "codebook").rows


def test_the_codebook_explains_options_by_their_help_or_their_label(log: Log) -> None:
    options = (Option(value="a", label="Label", help="Help"), Option(value="b", label="Other"))
    question = Question(id="c", task="categorical", ask="Which?", options=options)
    codebook = named(tables(collect(log, planned(study(1, questions=(question,)))), None), "codebook")
    assert {row[1:] for row in codebook.rows if str(row[1]).startswith("c =")} == {
        ("c = a", "Help"),
        ("c = b", "Other"),
    }


def test_a_pair_is_exported_with_what_a_and_b_were(log: Log) -> None:
    units = tuple(
        Unit(id=f"r{i}", item="i", text=f"Text {i}", copies=(f"r{i}",), attributes={"x": str(i)}) for i in range(2)
    )
    made = planned(study(units=units, tasks=("pairwise",), pairing=Pairing(vector=("x",), per_group=1)))
    [pair] = made.plan.pairs
    [step] = log.enrol(made, "A1").steps
    log.append("sample", [ev.Answered(rater="A1", step=0, unit=pair.id, question="pairwise", value="B")])
    [row] = as_dicts(named(tables(collect(log, made), None), "judgements"))
    assert {key: row[key] for key in row if key[:2] in {"A_", "B_"}} == {
        "A_unit": pair.a, "A_text": f"Text {pair.a[1]}", "A_x": pair.a[1],
        "B_unit": pair.b, "B_text": f"Text {pair.b[1]}", "B_x": pair.b[1],
    }  # fmt: skip
    assert (row["choice"], row["first_slot"]) == ("B", step["slots"][0])


def test_files_beside_the_named_one_hold_the_other_tables(tmp_path: Path) -> None:
    made = [
        OutTable(name=name, meaning="", columns=("a", "b"), meanings=("", ""), rows=((f"ü {name}", 1),))
        for name in ("first", "second", "third")
    ]
    files = write_tables(made, tmp_path / "out.csv")
    assert [file.name for file in files] == ["out.csv", "out.second.csv", "out.third.csv"]
    assert [file.read_text(encoding="utf-8") for file in files] == [
        f"a,b\nü {name},1\n" for name in ("first", "second", "third")
    ]
    [file] = write_tables(made[:1], tmp_path / "out.JSONL")
    assert file.read_text(encoding="utf-8") == '{"a": "ü first", "b": 1}\n'
    with pytest.raises(InputError, match="cannot write a file without an ending"):
        write_tables(made, tmp_path / "out")
    assert not list(tmp_path.glob("*.part"))


def test_a_workbook_has_a_bold_fixed_header_and_a_filter(tmp_path: Path) -> None:
    table = OutTable(
        name="t", meaning="", columns=("a", "b"), meanings=("", ""), rows=(("x", 1), ("y", 2), ("z", None))
    )
    empty = OutTable(name="none", meaning="", columns=("a",), meanings=("",), rows=())
    write_tables([table, empty], tmp_path / "out.xlsx")
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert list(book["t"].iter_rows(values_only=True)) == [("a", "b"), ("x", 1), ("y", 2), ("z", None)]
    assert [cell.font.bold for cell in (*book["t"][1], *book["t"][2])] == [True, True, False, False]
    assert (book["t"].freeze_panes, book["t"].auto_filter.ref) == ("A2", "A1:B4")
    assert book["none"].auto_filter.ref == "A1:A2"
