"""Tables that lie elsewhere: opened, refused, chosen by their size, followed and stopped."""

import re
import sys
import threading
from decimal import Decimal
from pathlib import Path

import duckdb
import ibis
import narwhals as nw
import polars as pl
import pytest

import concordant
from concordant.engines import remote
from concordant.engines.remote import RemoteTable, adopted, chosen_engine, failures, followed, open_table, spelled
from concordant.errors import InputError, MissingExtra
from concordant.uncertainty.studies import measure_study


def opened(frame: pl.DataFrame) -> RemoteTable:
    """A table in polars."""
    found = adopted(frame.lazy())
    assert found is not None
    return found


def test_values_that_are_numbers_rather_than_categories_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"unit": list("aabb"), "rater": list("PQPQ"), "value": [1.5, 2.5, 3.5, 4.5]})
    monkeypatch.setattr(remote, "MANY_VALUES", 3)
    with pytest.raises(InputError, match="4 different values, which are numbers"):
        _ = opened(frame).cells
    names = frame.with_columns(value=pl.Series(list("wxyz")))
    assert len(opened(names).cells) == 4
    monkeypatch.setattr(remote, "MOST_CATEGORIES", 3)
    with pytest.raises(InputError, match="more than 3 different values"):
        _ = opened(names).cells


def test_what_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"not a table")
    with pytest.raises(InputError, match="did you mean 'duckdb'"):
        open_table("duckbd", str(broken))
    with pytest.raises(InputError, match="there is no such file"):
        open_table("duckdb", str(tmp_path / "none.csv"))
    with pytest.raises(InputError, match="duckdb cannot do this"):
        open_table("duckdb", str(broken))
    with pytest.raises(InputError, match=r"duckdb cannot do this: .*No files found"):
        open_table("duckdb", str(tmp_path / "none*.parquet"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no Parquet file in this folder"):
        open_table("duckdb", str(tmp_path / "empty"))
    (tmp_path / "table.csv").write_text("unit,rater,value\na,P,1\n")
    with pytest.raises(InputError, match="some of these are CSV and some Parquet"):
        open_table("duckdb", str(broken), str(tmp_path / "table.csv"))
    for engine, module in (("duckdb", "duckdb"), ("spark", "pyspark.sql")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtra, match=rf"concordant\[{engine}\]"):
            open_table(engine, str(broken))


def test_what_engines_read_by_its_ending(tmp_path: Path) -> None:
    rows = pl.DataFrame({"unit": list("aabb"), "rater": list("PQPQ"), "value": list("xyxx")})
    rows.write_ndjson(tmp_path / "rows.jsonl")
    rows.write_csv(tmp_path / "rows.tsv", separator="\t")
    for name in ("rows.jsonl", "rows*.jsonl", "rows.tsv"):
        assert open_table("duckdb", str(tmp_path / name)).n_rows() == 4
    (tmp_path / "rows.xlsx").write_bytes(b"")
    with pytest.raises(InputError, match="engines read CSV, JSON Lines and Parquet"):
        open_table("duckdb", str(tmp_path / "rows.xlsx"))


def test_a_database_of_duckdb_has_tables(tmp_path: Path) -> None:
    path = tmp_path / "it's.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("create table judged as select 'a' as unit; create schema old")
    assert open_table("duckdb", str(path)).n_rows() == 1
    with duckdb.connect(str(path)) as made:
        made.execute("create table old.judged as select unnest([1, 2]) as unit")
    assert open_table("duckdb", f"table:{path}:judged").n_rows() == 1
    assert open_table("duckdb", f"table:{path}:old.judged").n_rows() == 2
    with pytest.raises(InputError, match=r"it has several tables; its tables are judged, old\.judged"):
        open_table("duckdb", str(path))
    with pytest.raises(InputError, match="there is no table 'new'"):
        open_table("duckdb", f"table:{path}:new")
    with pytest.raises(InputError, match="DuckDB has no such database here"):
        open_table("duckdb", "table:catalogue.judged")
    assert chosen_engine([str(path)])[0] == "duckdb"
    assert chosen_engine(["table:catalogue.judged"])[0] == "spark"


def test_an_unknown_column_or_value_suggests_the_nearest() -> None:
    table = opened(pl.DataFrame({"unit": ["a"], "genre": ["news"], "rater": ["P"], "value": ["x"]}))
    with pytest.raises(InputError, match="did you mean 'genre'"):
        table.where("gener", ["news"])
    with pytest.raises(InputError, match=r"no row has the value 'nwes'.*did you mean 'news'"):
        table.where("genre", ["nwes"])


def test_cells_are_called_as_in_memory() -> None:
    assert [spelled(cell) for cell in (Decimal("2.0"), 2, float("nan"), False, "\tx ")] == ["2", "2", "", "false", "x"]


def test_only_lazy_frames_stay_where_they_are() -> None:
    frame = pl.DataFrame({"unit": ["a"]})
    assert adopted(frame) is None
    assert adopted([[1]]) is None
    lazy = adopted(duckdb.connect().from_arrow(frame.to_arrow()))
    assert lazy is not None
    assert lazy.engine == "duckdb"


def test_a_table_of_ibis_is_counted_by_its_duckdb() -> None:
    connection = ibis.duckdb.connect()
    connection.raw_sql("create table judged as select unit from (values ('a'), ('a'), ('b')) as given(unit)")
    table = connection.table("judged")
    lazy = adopted(table.filter(table.unit == "a"))
    assert lazy is not None
    assert (lazy.engine, lazy.n_rows()) == ("duckdb", 2)


def test_too_many_rows_do_not_come_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MOST_ROWS", 2)
    table = opened(pl.DataFrame({"unit": ["a", "b", "c"]}))
    assert len(table.where("unit", ["a", "b"]).fetched(["unit"])) == 2
    with pytest.raises(InputError, match="3 rows are too many for memory"):
        table.fetched(["unit"])


@pytest.mark.parametrize("where", ["in memory", "in a file that is only read"])
def test_a_table_of_the_users_may_be_called_anything(where: str, tmp_path: Path) -> None:
    file = str(tmp_path / "answers.duckdb")
    rows = "SELECT 'u' || i // 3 AS unit, 'r' || i % 3 AS rater, 'v' || i * 7 % 5 % 2 AS value FROM range(60) t(i)"
    connection = duckdb.connect(file)
    connection.execute(f"CREATE TABLE judged AS {rows}")
    if where != "in memory":
        connection.close()
        connection = duckdb.connect(file, read_only=True)
    found = [concordant.measure(connection.table("judged"), "alpha", seed=1).value for _ in range(2)]
    assert found[0] == found[1] == concordant.measure(connection.table("judged").pl(), "alpha", seed=1).value
    assert len(concordant.gold(connection.table("judged"))[None].values) == 20
    tables = connection.execute("SELECT table_name, table_type FROM information_schema.tables").fetchall()
    assert tables == [("judged", "BASE TABLE")]


def test_the_engine_is_chosen_by_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = tmp_path / "small.csv"
    small.write_text("unit,rater,value\n")
    assert chosen_engine([str(small)]) == ("memory", "engine memory: the data are files of 0.0 MB")
    assert chosen_engine([str(tmp_path / "*.csv")])[0] == "duckdb"
    assert chosen_engine(["s3://somewhere/table.parquet"])[0] == "duckdb"
    assert chosen_engine([str(tmp_path)])[0] == "memory", "a folder without Parquet is a format of its own"
    (tmp_path / "part.parquet").write_bytes(b"")
    assert chosen_engine([str(tmp_path)])[0] == "duckdb"
    monkeypatch.setattr(remote, "LARGE", 3)
    assert chosen_engine([str(small)])[0] == "duckdb"
    assert chosen_engine([str(small.rename(tmp_path / "small.xlsx"))])[0] == "memory", "no engine reads it"


def test_duckdb_says_how_far_it_is_and_stops_at_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query that would take for ever, and Ctrl-C in the thread that waits for it."""
    monkeypatch.setattr(remote, "EVERY", 0.01)
    connection = duckdb.connect()
    seen: list[tuple[int, int]] = []

    def press(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 3:
            raise KeyboardInterrupt

    endless = "select count(*) from range(100000000) a, range(100000000) b where (a.range * b.range) % 7 = 3"
    with pytest.raises(KeyboardInterrupt):
        followed(lambda: connection.execute(endless).fetchall(), connection, press)
    assert {total for _, total in seen} == {100}
    assert connection.execute("select 1").fetchall() == [(1,)], "it is free again"


def test_what_fails_in_a_query_is_one_line() -> None:
    table = opened(pl.DataFrame({"unit": ["a", "b"]}))
    with pytest.raises(InputError, match="polars cannot do this"):
        table.collected(table.frame.with_columns(nw.col("unit").cast(nw.Int64)))
    with pytest.raises(ZeroDivisionError):
        table.done(lambda: 1 // 0)


class Py4JError(Exception):
    """What py4j raises, by its name and place."""

    __module__ = "py4j.protocol"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "An error occurred while calling o1.x.\n: org.apache.spark.SparkException: Exception thrown in awaitResult: \n"
            "Caused by: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 "
            "times, most recent failure: Lost task 0.3 in stage 1.0 (TID 5) (10.0.0.3 executor 2): ExecutorLostFailure "
            "(executor 2 exited caused by one of the running tasks) Reason: Command exited with code 137",
            "spark cannot do this: ExecutorLostFailure (executor 2 exited caused by one of the running tasks) Reason",
        ),
        (
            "An error occurred while calling o1.x.\n: org.apache.spark.SparkException: Job aborted: most recent failure: "
            "Lost task 0.0 (TID 1) (host executor driver): org.apache.spark.SparkException: Python worker exited\n",
            "spark cannot do this: Python worker exited",
        ),
    ],
)
def test_an_executor_that_died_is_named(said: str, shown: str) -> None:
    lost = type("Py4JJavaError", (Exception,), {"__module__": "py4j.protocol"})
    with pytest.raises(InputError, match=re.escape(shown)), failures("spark", "table"):
        raise lost(said)


def test_java_that_is_gone_is_one_line() -> None:
    with pytest.raises(InputError, match="spark has ended, or cannot be reached"), failures("spark", "table"):
        raise Py4JError("An error occurred while calling o17.statusTracker")


def test_without_a_handle_the_work_is_done_here() -> None:
    assert followed(lambda: threading.current_thread(), None) is threading.current_thread()
    assert followed(lambda: 3, duckdb.connect()) == 3


def test_duckdb_keeps_to_its_share_of_memory_and_spills_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("unit,rater,value\na,P,1\n")
    own = open_table("duckdb", str(tmp_path / "table.csv")).handle
    limit, spill = own.execute("select current_setting('memory_limit'), current_setting('temp_directory')").fetchone()
    assert limit == "1.3 GiB"
    assert not Path(spill).is_relative_to(Path.cwd())


def test_measuring_a_file_says_how_far_the_engine_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "select range // 2 as unit, range % 2 as rater, hash(range) % 3 as value from range(2000000)"
    duckdb.sql(many).write_parquet(str(tmp_path / "many.parquet"))
    monkeypatch.setattr(remote, "EVERY", 0.001)
    seen: list[tuple[int, int]] = []
    opened_there = open_table("duckdb", str(tmp_path / "many.parquet"), level="nominal")
    measure_study(opened_there, ["alpha"], ci="none", progress=lambda done, total: seen.append((done, total)))
    assert any(0 < done < 100 == total for done, total in seen)
