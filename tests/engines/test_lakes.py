"""Tables kept as folders of files with a log: what was replaced in them is never read."""

from pathlib import Path

import polars as pl
import pytest

from concordant.engines import lakes
from concordant.engines.lakes import lake_of
from concordant.engines.out_of_core import tally_table
from concordant.engines.remote import chosen_engine, open_table
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.judgements import Judgements
from tests.cli.running import run

FIRST = pl.DataFrame({"unit": [1, 1, 2, 2], "rater": list("PQPQ"), "value": ["x", "y", "x", "x"]})
SECOND = FIRST.with_columns(value=pl.Series(["y", "y", "x", "x"]))


@pytest.fixture
def delta(tmp_path: Path) -> Path:
    """A table written twice: both versions lie in its folder."""
    folder = tmp_path / "judged"
    for frame in (FIRST, SECOND):
        frame.write_delta(folder, mode="overwrite")
    return folder


def test_only_the_newest_rows_of_delta_are_read(delta: Path) -> None:
    assert len(list(delta.glob("*.parquet"))) == 2
    assert tally_table(open_table("duckdb", str(delta))).digest == tally(Judgements.from_frame(SECOND)).digest
    assert chosen_engine([str(delta)]) == ("duckdb", f"engine duckdb: {delta} is a table of Delta")
    shown = run("measure", delta, "--engine", "auto", "--json").stdout
    assert '"n_units": 2' in shown


def test_what_cannot_be_read_of_them(delta: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="such a table is read alone"):
        open_table("duckdb", str(delta), str(delta))
    monkeypatch.setattr(lakes, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="this is a table of Delta, and DuckDB has no extension") as refused:
        open_table("duckdb", str(delta))
    assert "pip install deltalake" in str(refused.value)
    (tmp_path / "ice" / "metadata").mkdir(parents=True)
    (tmp_path / "ice" / "metadata" / "v1.metadata.json").write_text("{}")
    with pytest.raises(InputError, match="this is a table of Iceberg"):
        open_table("duckdb", str(tmp_path / "ice"))


def test_without_an_engine_it_is_named(delta: Path) -> None:
    assert "this is a table of Delta; --engine auto reads it" in run("measure", delta, code=2).stderr


def test_what_is_a_lake(tmp_path: Path, delta: Path) -> None:
    assert lake_of(str(delta)) == ("delta", str(delta))
    assert lake_of("iceberg:s3://bucket/t") == ("iceberg", "s3://bucket/t")
    assert lake_of(str(tmp_path)) is None
    assert lake_of("s3://bucket/t/*.parquet") is None


def test_a_folder_of_parquet_without_an_engine_says_which_reads_it(tmp_path: Path) -> None:
    FIRST.write_parquet(tmp_path / "part.parquet")
    refused = run("measure", tmp_path, code=2).stderr
    assert "--engine auto reads folders of Parquet" in refused
