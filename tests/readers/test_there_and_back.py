"""Judgements written in any format that a program here can write, and read back, are the same judgements."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import polars as pl
import pyreadstat
import pytest
import rdata
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant
from concordant.engines.tally import tally
from concordant.model.columns import is_number
from concordant.model.study import Study
from concordant.readers.data import as_study
from concordant.readers.spelling import MISSING

Table = Mapping[str, list[str]]  # unit, rater and value, a row for each judgement

LABELS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="+−:#[]%"), min_size=1, max_size=8
)
NAMES = LABELS.map(str.strip).filter(lambda text: bool(text) and text.casefold() not in MISSING and not is_number(text))
WHOLE = st.integers(-3, 12).map(str)
FRACTIONS = st.floats(-50, 50, allow_nan=False).map(lambda number: repr(round(number, 3) + 0.0))


@st.composite
def judgements(draw: st.DrawFn) -> Table:
    """Up to six units and four raters, some judgements missing, of names or numbers."""
    n_units, n_raters = draw(st.integers(2, 6)), draw(st.integers(2, 4))
    values = draw(st.sampled_from([NAMES, WHOLE, FRACTIONS]))
    scale = draw(st.lists(values, min_size=2, max_size=5, unique_by=str.casefold))
    cells = [
        (f"unit {u}", f"rater {r}") for u in range(n_units) for r in range(n_raters) if draw(st.integers(0, 5)) or u < 2
    ]
    chosen = [draw(st.sampled_from(scale)) for _ in cells]
    return {"unit": [unit for unit, _ in cells], "rater": [rater for _, rater in cells], "value": chosen}


def delimited(separator: str) -> Callable[[Table, Path], None]:
    """A writer of text with this between cells."""

    def write(table: Table, file: Path) -> None:
        stream = io.StringIO()
        writer = csv.writer(stream, delimiter=separator, quoting=csv.QUOTE_ALL)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
        file.write_text(stream.getvalue(), encoding="utf-8", newline="")

    return write


def records(table: Table) -> list[dict[str, str]]:
    """The rows as objects."""
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def label_studio(table: Table, file: Path) -> None:
    """Tasks with the annotations of raters, as Label Studio exports them."""
    tasks = []
    for number, unit in enumerate(dict.fromkeys(table["unit"]), start=1):
        mine = [row for row in records(table) if row["unit"] == unit]
        annotations = [
            {"id": number * 100 + i, "completed_by": {"email": row["rater"]}, "result": [
                {"from_name": "q", "to_name": "text", "type": "choices", "value": {"choices": [row["value"]]}}
            ]}
            for i, row in enumerate(mine)
        ]  # fmt: skip
        tasks.append({"id": number, "data": {"text": unit}, "annotations": annotations})
    file.write_text(json.dumps(tasks), encoding="utf-8")


def prodigy(table: Table, file: Path) -> None:
    """Lines with the option accepted."""
    options = [{"id": value, "text": value} for value in dict.fromkeys(table["value"])]
    lines = [
        {"text": row["unit"], "_input_hash": hash_of(row["unit"]), "_task_hash": 1, "_annotator_id": row["rater"],
         "options": options, "accept": [row["value"]], "answer": "accept"}
        for row in records(table)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode()[-4:], "big")


def spread(table: Table) -> dict[str, list[str]]:
    """One row for each unit, one column for each rater."""
    known = {(row["unit"], row["rater"]): row["value"] for row in records(table)}
    units, raters = list(dict.fromkeys(table["unit"])), list(dict.fromkeys(table["rater"]))
    return {"unit": units} | {rater: [known.get((unit, rater), "") for unit in units] for rater in raters}


def write_r(table: Table, file: Path) -> None:
    rdata.write_rds(file, pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in table.items()}))


WRITERS: dict[str, tuple[str, Callable[[Table, Path], object]]] = {
    "comma": ("csv", delimited(",")),
    "semicolon": ("csv", delimited(";")),
    "tab": ("tsv", delimited("\t")),
    "bar": ("txt", delimited("|")),
    "json lines": ("jsonl", lambda table, file: pl.DataFrame(dict(table)).write_ndjson(file)),
    "json": ("json", lambda table, file: file.write_text(json.dumps(records(table)), encoding="utf-8")),
    "parquet": ("parquet", lambda table, file: pl.DataFrame(dict(table)).write_parquet(file)),
    "workbook": ("xlsx", lambda table, file: pl.DataFrame(dict(table)).write_excel(file)),
    "spss": ("sav", lambda table, file: pyreadstat.write_sav(pd.DataFrame(dict(table)), file)),
    "stata": ("dta", lambda table, file: pyreadstat.write_dta(pd.DataFrame(dict(table)), file)),
    "r": ("rds", write_r),
    "label studio": ("json", label_studio),
    "prodigy": ("jsonl", prodigy),
}


def fingerprint(study: Study) -> str:
    """Eight digits for the judgements, whatever order they stand in."""
    return tally(study.judgements()).fingerprint


@pytest.mark.parametrize("name", WRITERS)
@given(table=judgements())
@settings(max_examples=20, deadline=None)
def test_the_same_judgements_come_back(name: str, table: Table) -> None:
    ending, write = WRITERS[name]
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"t.{ending}"
        write(table, file)
        assert fingerprint(concordant.read(file)) == fingerprint(as_study(dict(table)))


@given(table=judgements(), separator=st.sampled_from(",;\t"))
@settings(max_examples=40, deadline=None)
def test_a_column_for_each_rater(table: Table, separator: str) -> None:
    wide = spread(table)
    raters = list(wide)[1:]
    with TemporaryDirectory() as folder:
        delimited(separator)(wide, Path(folder) / "t.csv")
        study = concordant.read(Path(folder) / "t.csv", raters=raters)
    assert fingerprint(study) == fingerprint(as_study(dict(table)))
