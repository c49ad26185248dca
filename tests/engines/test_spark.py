"""Spark counts the same patterns, in this process and through Connect: one session for all tests of each."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import concordant
from concordant.engines.out_of_core import tally_parts
from concordant.engines.remote import adopted, failures, open_table
from concordant.engines.repeats import with_rows
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.readers.data import as_study
from tests.engines.designs import many_designs, spans
from tests.gold.test_kept_units import crowd, same

pytestmark = pytest.mark.filterwarnings("default")
N = 100
CONNECTED = """
import json, sys
from dataclasses import replace
from pyspark.sql import SparkSession
session = SparkSession.builder.remote("local[1]").config("spark.sql.shuffle.partitions", "1").getOrCreate()
from concordant.engines.out_of_core import tally_parts
from concordant.engines.remote import adopted
from concordant.engines.repeats import with_rows
found = {}
for path in sys.argv[1:]:
    table = with_rows(replace(adopted(session.read.parquet(path)), duplicates="last"))
    found[path] = {where["design"]: one.digest for where, _, one in tally_parts(table, ["design"])}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A local session, as small as it can be."""
    from pyspark.sql import SparkSession

    small: dict[str, Any] = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.default.parallelism": "1",
    }
    before = signal.getsignal(signal.SIGINT)
    session = SparkSession.builder.master("local[1]").config(map=small).getOrCreate()
    signal.signal(signal.SIGINT, before)  # Spark answers Ctrl-C in its own way, also after it has ended
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def designs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """Two hundred designs in two files: those whose patterns are numbers, and those whose patterns are lists."""
    folder, made = tmp_path_factory.mktemp("designs"), {}
    for are_small in (True, False):
        path = folder / f"{are_small}.parquet"
        made[str(path)] = many_designs(N, are_small=are_small, seed=7)
        made[str(path)].write_parquet(path)
    return made


def in_memory(designs: dict[str, pl.DataFrame]) -> dict[str, dict[str, str]]:
    """What memory finds of every design."""
    return {
        path: {
            where["design"]: tally(part.judgements()).digest
            for where, part in as_study(frame, unit="unit", rater="rater", value="value", duplicates="last").slices(
                ["design"]
            )
        }
        for path, frame in designs.items()
    }


def test_two_hundred_designs_have_the_tally_of_memory(spark: Any, designs: dict[str, pl.DataFrame]) -> None:
    found = {}
    for path in designs:
        table = adopted(spark.read.parquet(path))
        assert table is not None
        table = with_rows(replace(table, duplicates="last"))
        found[path] = {where["design"]: one.digest for where, _, one in tally_parts(table, ["design"]) if where}
    assert found == in_memory(designs)
    assert {len(each) for each in found.values()} == {N}


@pytest.mark.slow  # a second Java
def test_through_connect_too(designs: dict[str, pl.DataFrame]) -> None:
    paths = [str(Path(concordant.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(
        [sys.executable, "-c", CONNECTED, *designs], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == in_memory(designs)


@pytest.mark.parametrize("how", [{}, {"cluster": "document", "duplicates": "first"}])
def test_a_frame_is_measured_where_it_is(spark: Any, designs: dict[str, pl.DataFrame], how: dict[str, Any]) -> None:
    path = next(iter(designs))
    name = "d003" if how else "d001"
    here = concordant.measure(path, "alpha", where={"design": [name]}, seed=1, **how)
    there = concordant.measure(spark.read.parquet(path), "alpha", where={"design": [name]}, seed=1, **how)
    assert there.signature.replace("|where:", "|") == here.signature.replace("|where:", "|")


def test_gold_is_made_where_the_data_lie(spark: Any, designs: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    """By votes of every design; by a model of some, learned in passes over what executors sorted."""
    how: dict[str, Any] = {"question": "design", "duplicates": "last"}
    for path, frame in designs.items():
        here, there = concordant.gold(frame, **how), concordant.gold(spark.read.parquet(path), **how)
        assert {*here} == {*there}
        for question, one in there.items():
            same(one, here[question])
    data = tmp_path / "crowd.parquet"
    crowd().write_parquet(data)
    here = concordant.gold(data, method="dawid_skene")
    there = concordant.gold(spark.read.parquet(str(data)), method="dawid_skene")
    same(there[None], here[None])


def test_texts_are_measured_by_executors_with_the_same_digits(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "spans.parquet"
    spans().write_parquet(path)
    here = concordant.measure(path, ["gamma", "alpha_u"], seed=3, samples=30, precision=None)
    there = concordant.measure(spark.read.parquet(str(path)), ["gamma", "alpha_u"], seed=3, samples=30, precision=None)
    assert [one.signature for one in there] == [one.signature for one in here]
    assert len(there) >= 8
    with pytest.raises(InputError, match="chance needs at least 2"):
        concordant.measure(spark.read.parquet(str(path)), "gamma", samples=1)


def test_views_of_the_users_stay_what_they_are(spark: Any, designs: dict[str, pl.DataFrame]) -> None:
    spark.createDataFrame([(1,)], ["mine"]).createOrReplaceTempView("judged")
    for path in designs:
        concordant.measure(spark.read.parquet(path), "alpha", where={"design": ["d001"]}, ci="none")
    assert spark.table("judged").columns == ["mine"]
    assert [one.name for one in spark.catalog.listTables() if one.name.startswith("concordant")] == []


def test_a_table_of_its_catalogue_has_a_name(spark: Any, tmp_path: Path) -> None:
    spans().select("text").write_ndjson(tmp_path / "texts.jsonl")
    spark.read.json(str(tmp_path / "texts.jsonl")).createOrReplaceTempView("texts_judged")
    n = spans().height
    assert open_table("spark", "table:texts_judged").n_rows() == n
    assert open_table("spark", str(tmp_path / "texts.jsonl")).n_rows() == n


def test_without_java_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql import SparkSession

    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    with pytest.raises(InputError, match="Spark needs Java, and none was found"):
        open_table("spark", "some*.parquet")


def test_an_engine_that_ended_is_one_line() -> None:
    with pytest.raises(InputError, match="spark has ended, or cannot be reached"), failures("spark", "table"):
        raise ConnectionRefusedError(111, "Connection refused")


def test_rows_that_never_were_in_files_have_no_order(spark: Any) -> None:
    frame = spark.createDataFrame([("u", "r", "x"), ("u", "r", "y"), ("u", "s", "x")], ["unit", "rater", "value"])
    with pytest.raises(InputError, match="no order of rows"):
        concordant.measure(frame, "alpha", duplicates="last")


def test_what_spark_cannot_do_is_one_line(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="spark cannot do this"):
        open_table("spark", str(tmp_path / "none*.parquet"))
    bad = spark.sql("select 'u' as unit, 'r' as rater, assert_true(id < 0, 'an executor fails') as value from range(3)")
    table = adopted(bad)
    assert table is not None
    with pytest.raises(InputError, match=r"spark cannot do this: .*an executor fails"):
        list(tally_parts(table))
