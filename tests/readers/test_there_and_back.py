"""Judgements written in any format that a program here can write, and read back, are the same judgements."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import polars as pl
import pyreadstat
import pytest
import rdata
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import concordant
from concordant.engines.tally import tally
from concordant.model.columns import is_number
from concordant.model.study import Study
from concordant.readers import find_format, formats
from concordant.readers.data import as_study
from concordant.readers.numerals import MISSING
from tests.readers.sas import write_sas7bdat
from tests.readers.tools import OPTIONS, Table, records, spread
from tests.readers.tools import WRITERS as TOOLS

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
    "sas": ("sas7bdat", write_sas7bdat),
    "portable spss": ("por", lambda table, file: pyreadstat.write_por(pd.DataFrame(dict(table)), file)),
    "stata": ("dta", lambda table, file: pyreadstat.write_dta(pd.DataFrame(dict(table)), file)),
    "r": ("rds", write_r),
}


def fingerprint(study: Study) -> str:
    """Eight digits for the judgements, whatever order they stand in."""
    return tally(study.judgements()).fingerprint


@pytest.mark.parametrize("name", WRITERS)
@given(table=judgements())
@settings(max_examples=20, deadline=None)
def test_the_same_judgements_come_back(name: str, table: Table) -> None:
    ending, write = WRITERS[name]
    assume(name != "portable spss" or all(map(str.isascii, table["value"])))  # it has few other letters
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"t.{ending}"
        write(table, file)
        assert fingerprint(concordant.read(file)) == fingerprint(as_study(dict(table)))


@pytest.mark.parametrize("name", TOOLS)
@given(table=judgements())
@settings(max_examples=20, deadline=None)
def test_the_same_judgements_come_back_from_other_tools(name: str, table: Table) -> None:
    ending, write = TOOLS[name]
    with TemporaryDirectory() as folder:
        place = Path(folder) / f"t{ending}"
        write(table, place)
        found = find_format(place)
        assert found.format.name == name.partition(",")[0]
        read = concordant.read(place, **OPTIONS.get(name, {}))
        assert fingerprint(read) == fingerprint(as_study(dict(table)))


ELSEWHERE = {
    "asreview": "knows two values, relevant and irrelevant, and a file has one reviewer",
    "category_counts": "holds counts, and nobody's name",
    "contingency": "holds counts of two raters",
    "conllu": "holds trees: four questions at once",
    "inspect": "is the log of one model",
    "matrix": "has no name for a unit or a rater",
    "prolific": "says who took part, not what they answered",
    "study": "is a study that was collected here",
    "tsdb": "holds decisions about parses",
}
"""Formats of judgements that cannot hold just any; their own tests write them."""


def test_every_format_of_judgements_is_written_somewhere() -> None:
    written = {"table", "statistics", "r_data", *(name.partition(",")[0] for name in TOOLS)}
    assert written | set(ELSEWHERE) == {name for name, one in formats().items() if one.holds == "judgements"}


@given(table=judgements(), separator=st.sampled_from(",;\t"))
@settings(max_examples=40, deadline=None)
def test_a_column_for_each_rater(table: Table, separator: str) -> None:
    wide = spread(table)
    raters = list(wide)[1:]
    with TemporaryDirectory() as folder:
        delimited(separator)(wide, Path(folder) / "t.csv")
        study = concordant.read(Path(folder) / "t.csv", raters=raters)
    assert fingerprint(study) == fingerprint(as_study(dict(table)))
