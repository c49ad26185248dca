"""Several texts measured together: by processes, from tables that an engine reads; Spark is in test_spark.py."""

import os
import signal
from pathlib import Path
from typing import Any

import duckdb
import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import read
from concordant.uncertainty.studies import parts
from concordant.uncertainty.texts import answered
from tests.cli.running import run
from tests.engines.designs import spans

CHOSEN: dict[str, Any] = {"seed": 3, "samples": 30, "precision": None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A table of spans in four texts."""
    made = tmp_path / "spans.parquet"
    spans().write_parquet(made)
    return made


def test_who_shares_the_texts_changes_no_digit(path: Path) -> None:
    alone = concordant.measure(path, "gamma", **CHOSEN)
    frames = (path, spans().lazy(), duckdb.connect().read_parquet(str(path)))
    for data in frames:
        assert [one.signature for one in concordant.measure(data, "gamma", **CHOSEN, workers=2)] == [
            one.signature for one in alone
        ]
    by_engine = concordant.measure(path, "gamma", engine="duckdb", **CHOSEN)
    assert [one.signature for one in by_engine] == [one.signature for one in alone]
    assert concordant.verify(alone[0].signature, path, engine="duckdb").matches


def test_the_command_reads_spans_by_an_engine(path: Path) -> None:
    pattern = str(path.with_name("s*.parquet"))
    args = ("--measure", "gamma", "--seed", "3", "--samples", "30", "--precision", "none")
    here, there = run("measure", path, *args), run("measure", pattern, "--engine", "duckdb", *args)
    signed = [[line for line in done.stdout.splitlines() if line.startswith("  gamma|")] for done in (here, there)]
    assert signed[0] == signed[1]
    assert len(signed[0]) == 4
    assert "read by duckdb" in " ".join(there.stdout.split())
    run("gold", pattern, "--engine", "duckdb", "-o", path.with_name("gold.csv"))
    refused = run("measure", pattern, "--engine", "duckdb", "--format", "brat", code=2)
    assert "reads tables of judgements and of spans only" in refused.stderr
    refused = run("measure", pattern, "--engine", "duckdb", "--read", "encoding=latin-1", *args, code=2)
    assert "duckdb tables have no option 'encoding'" in refused.stderr


def kill(text: Any, **how: Any) -> list[Any]:
    """A text that ends its process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return [text, how]


def test_a_process_that_was_killed_is_one_line(path: Path) -> None:
    with pytest.raises(InputError, match="a process that shared the work was ended from outside"):
        list(answered(kill, list(parts(read(path))), {"workers": 2}))
