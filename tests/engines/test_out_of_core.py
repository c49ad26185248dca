"""The same tally from a file that is never loaded, counted by DuckDB."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assent.engines.out_of_core import RemoteTable, open_table, tally_table
from assent.engines.tally import tally
from assent.errors import InputError, MissingExtra
from assent.model.judgements import Judgements

pytest.importorskip("duckdb")

ROLES = {"unit": "unit", "rater": "rater", "value": "value"}


def make_frame() -> pl.DataFrame:
    """Three raters, 40 units, two questions, some blanks; invented."""
    random = np.random.default_rng(12)
    unit, rater, question = (axis.ravel() for axis in np.indices((40, 3, 2)))
    values = random.choice(["yes", "no", "maybe", ""], size=len(unit), p=[0.4, 0.3, 0.2, 0.1])
    return pl.DataFrame(
        {
            "unit": [f"u{i}" for i in unit],
            "rater": [f"r{i}" for i in rater],
            "question": [f"q{i}" for i in question],
            "value": values,
            "genre": ["news" if i % 2 else "blog" for i in unit],
        }
    )


@pytest.fixture(params=["csv", "parquet"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> RemoteTable:
    path = tmp_path / f"study.{request.param}"
    frame = make_frame()
    frame.write_csv(path) if request.param == "csv" else frame.write_parquet(path)
    return open_table("duckdb", str(path), **ROLES, question="question")


def in_memory(frame: pl.DataFrame, unit: str = "unit") -> Judgements:
    return Judgements.from_frame(frame, unit=unit)


def test_one_question_has_the_tally_of_memory(table: RemoteTable) -> None:
    remote = tally_table(table.where("question", ["q1"]))
    local = tally(in_memory(make_frame().filter(pl.col("question") == "q1")))
    assert remote.fingerprint == local.fingerprint
    assert remote.n_judgements == local.n_judgements
    assert remote.scale.categories == local.scale.categories


def test_pooled_questions_have_the_tally_of_memory(table: RemoteTable) -> None:
    joined = make_frame().with_columns(both=pl.concat_str("unit", "question", separator="|"))
    assert tally_table(table, pool=True).fingerprint == tally(in_memory(joined, "both")).fingerprint


def test_slices_are_parts_of_the_table(table: RemoteTable) -> None:
    parts = {tuple(where.values()): tally_table(part) for where, part in table.slices(["genre", "question"])}
    assert set(parts) == {(genre, question) for genre in ("blog", "news") for question in ("q0", "q1")}
    kept = make_frame().filter((pl.col("genre") == "news") & (pl.col("question") == "q0"))
    assert parts["news", "q0"].fingerprint == tally(in_memory(kept)).fingerprint


def test_two_judgements_of_one_unit_by_one_rater_are_refused(table: RemoteTable) -> None:
    with pytest.raises(InputError, match="rater 'r0' judged a unit more than once"):
        tally_table(table)


def test_whole_numbers_in_parquet_are_labels(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    frame = pl.DataFrame({"unit": [1, 1, 2, 2], "rater": [7, 8, 7, 8], "value": [1, 2, 2, 2]})
    frame.write_parquet(path)
    remote = tally_table(open_table("duckdb", str(path), **ROLES))
    assert remote.raters == ("7", "8")
    assert remote.fingerprint == tally(in_memory(frame)).fingerprint


def test_too_many_raters_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "crowd.csv"
    pl.DataFrame({"unit": ["u"] * 21, "rater": [f"r{i}" for i in range(21)], "value": ["x"] * 21}).write_csv(path)
    with pytest.raises(InputError, match="21 raters and 1 categories are too many"):
        tally_table(open_table("duckdb", str(path), **ROLES))


def test_what_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"not a table")
    with pytest.raises(InputError, match="did you mean 'duckdb'"):
        open_table("duckbd", str(broken), **ROLES)
    with pytest.raises(InputError, match="there is no such file"):
        open_table("duckdb", str(tmp_path / "none.csv"), **ROLES)
    with pytest.raises(InputError, match="not a table"):
        open_table("duckdb", str(broken), **ROLES)
    for engine, module in (("duckdb", "duckdb"), ("spark", "pyspark.sql")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtra, match=rf"assent\[{engine}\]"):
            open_table(engine, str(broken), **ROLES)


def test_an_unknown_column_suggests_the_nearest(table: RemoteTable) -> None:
    with pytest.raises(InputError, match="did you mean 'genre'"):
        table.where("gener", ["news"])
