"""A table that lies elsewhere, in files that are never loaded or in a frame of DuckDB, Spark, polars or Ibis.

Columns keep their types there; what stands in a cell is called here as a table in memory would call it.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from shutil import which
from tempfile import gettempdir
from typing import Any, NamedTuple, cast

import narwhals as nw

from concordant.about import NAME
from concordant.engines.lakes import DATABASE, NAMED, in_duckdb, only_lake
from concordant.errors import InputError, MissingExtra, nearest
from concordant.model.clusters import NO_CLUSTERS
from concordant.model.columns import frame_of, is_number, label_of
from concordant.model.judgements import MANY_VALUES
from concordant.model.scale import Level
from concordant.progress import Progress, silent

ENGINES = ("duckdb", "spark")
TABLES = (".csv", ".tsv", ".txt", ".parquet", ".gz")
LARGE = 2_000_000_000  # bytes of files that are better not read into memory
MOST_CATEGORIES, MOST_CELLS = 100_000, 5_000_000
BLANKS = " \t\r\n\u00a0"
MOST_ROWS = 200_000_000  # that are brought into memory
LIBRARIES = (
    "duckdb",
    "_duckdb",
    "narwhals",
    "pyspark",
    "py4j",
    "polars",
    "ibis",
    "pyarrow",
    "grpc",
)  # whose errors are explained
MEMORY = "1500MB"  # that DuckDB may take for what is opened here; a connection of the user's keeps its own limit
OF_BRIDGE = "An error occurred while calling"  # what py4j says before Java's own words
LOST = re.compile(r"most recent failure: .*? executor \S+\): (.*)")  # what an executor died of, among much else
OF_JAVA = re.compile(r"^(?:(?:org|java)\.[\w.$]+: )+")
GONE = ("Py4JError", "Py4JNetworkError")  # what py4j raises where Java does not answer any more
EVERY = 0.2  # seconds between two looks at how far an engine is


class NeedsRows(InputError):
    """What is asked takes all rows: they have to come to memory."""


class Clustering(NamedTuple):
    """Units belong together where this column is the same; `name` says in the plural what they are."""

    name: str
    column: str
    is_chosen: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class RemoteTable:
    """A table in another engine, and which of its columns hold unit, rater, value and question.

    `spelled` says of raters and values how each that stands there is called; what it lacks is missing. `handle` is the
    connection or session, where there is one to ask how far it is, `seen` the cells of raters and values if known.
    `duplicates` says which of several judgements of a unit by a rater counts, `cluster` which units belong together.
    """

    frame: nw.LazyFrame[Any]
    engine: str
    file: str
    unit: str = "unit"
    rater: str = "rater"
    value: str = "value"
    question: str | None = None
    level: str | Level | None = None
    categories: tuple[str, ...] | None = None
    handle: Any = None
    seen: list[tuple[Any, Any]] | None = None
    spelled: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    duplicates: str = "refuse"
    cluster: Clustering | None = None

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return list(self.frame.collect_schema().names())

    def column(self, name: str) -> str:
        """The column of a role, or of that name."""
        roles = {"unit": self.unit, "rater": self.rater, "value": self.value, "question": self.question}
        column, known = roles.get(name) or name, self.columns
        if column not in known:
            raise InputError("there is no such column", file=self.file, column=column, hint=nearest(column, known))
        return column

    def distinct(self, *names: str, most: int | None = None) -> list[tuple[Any, ...]]:
        """The distinct cells of some columns together in order, blanks included; `most` is how many are fetched."""
        columns = list(dict.fromkeys(self.column(name) for name in names))
        found = self.frame.group_by(columns).agg(nw.len().alias("_n")).drop("_n")  # `unique` would number all rows
        rows = self.collected(found if most is None else found.head(most)).rows()
        return sorted(rows, key=lambda row: tuple(map(str, row)))

    @cached_property
    def cells(self) -> list[tuple[Any, Any]]:
        """Which rater gave which value at all, as it stands there, in order; numbers without end are refused."""
        found = self.seen if self.seen is not None else self.distinct("rater", "value", most=MOST_CELLS + 1)
        values = {value for _, value in found}
        are_numbers = len(values) > MANY_VALUES and all(is_number(spelled(value)) for value in values if spelled(value))
        if len(found) > MOST_CELLS or len(values) > MOST_CATEGORIES or are_numbers:
            most = f"more than {MOST_CATEGORIES:,}" if len(values) > MOST_CATEGORIES else f"{len(values):,}"
            what = f"there are {most} different values, which are numbers rather than categories"
            raise NeedsRows(what, file=self.file, hint="use --engine memory")
        return [(rater, value) for rater, value in found]

    def where(self, name: str, values: Sequence[str]) -> "RemoteTable":
        """Only the rows whose column has one of these values."""
        column = self.column(name)
        names = {cell: spelled(cell) for (cell,) in self.distinct(name) if spelled(cell)}
        unknown = [value for value in values if value not in names.values()]
        if unknown:
            hint = nearest(unknown[0], sorted(set(names.values())))
            raise InputError(f"no row has the value {unknown[0]!r}", file=self.file, column=column, hint=hint)
        wanted = [cell for cell, label in names.items() if label in values]
        return replace(self, frame=self.frame.filter(nw.col(column).is_in(wanted)), seen=None)

    def clustered(self, name: str) -> "RemoteTable":
        """The same table, whose units belong together where this column is the same; "none": each stands alone."""
        if name == NO_CLUSTERS:
            return replace(self, cluster=None)
        column = self.column(name)
        word = "units" if column == self.unit else f"clusters of {name!r}"
        return replace(self, cluster=Clustering(word, column, is_chosen=True))

    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.collected(self.frame.select(n=nw.len()))["n"][0])

    def fetched(self, columns: Sequence[str]) -> Any:
        """Some columns of all rows, in memory; too many rows are refused."""
        if (n := self.n_rows()) > MOST_ROWS:
            what = f"{n:,} rows are too many for memory ({MOST_ROWS:,} at most)"
            hint = "`measure`, and `gold` by votes or dawid_skene, leave them where they lie; or choose some by --where"
            raise InputError(what, file=self.file, hint=hint)
        return self.collected(self.frame.select(list(dict.fromkeys(columns))))

    def collected(self, frame: nw.LazyFrame[Any], progress: Progress = silent) -> Any:
        """A lazy frame of this engine as one in memory."""
        return self.done(frame.collect, progress)

    def done(self, work: Callable[[], Any], progress: Progress = silent) -> Any:
        """Some work of the engine: followed, and what it cannot do is one line."""
        with failures(self.engine, self.file):
            return followed(work, self.handle, progress)


def spelled(cell: Any) -> str:
    """What a cell says, as a table in memory calls it: without blanks around it, 2.0 as 2, nothing as the empty text.

    >>> spelled(" yes "), spelled(2.0), spelled(True), spelled(None)
    ('yes', '2', 'true', '')
    """
    if isinstance(cell, bool):
        return str(cell).casefold()
    return label_of(float(cell) if isinstance(cell, Decimal) else cell).strip()


def is_given(column: str) -> nw.Expr:
    """Not null."""
    return ~nw.col(column).is_null()


def open_table(engine: str, *paths: str, **roles: Any) -> RemoteTable:
    """CSV or Parquet files as one lazy table of the engine.

    A path may be a file, a folder of Parquet files (also with `key=value` folders in it), a pattern such as
    `2026/*.parquet`, an address that the engine knows how to open (`s3://…`, `hdfs://…`), or a Delta or Iceberg table.
    """
    if engine not in ENGINES:
        raise InputError(f"unknown engine {engine!r}", hint=nearest(engine, ("memory", "auto", *ENGINES)))
    lake = only_lake(paths)
    for path in () if lake else paths:
        if not _is_elsewhere(path) and not Path(path).exists():
            raise InputError("there is no such file", file=path)
        if not _is_elsewhere(path) and Path(path).is_dir() and not any(Path(path).rglob("*.parquet")):
            raise InputError("there is no Parquet file in this folder", file=path)
    kinds = {"" if lake else _kind(path) for path in paths}
    if len(kinds) > 1:
        raise InputError(f"some of these are {' and some '.join(sorted(kinds))}", file=paths[0], hint="give one kind")
    with failures(engine, paths[0]):
        frame, handle = (_open_duckdb if engine == "duckdb" else _open_spark)(paths, lake, kinds.pop())
    return RemoteTable(frame=frame, handle=handle, engine=engine, file=paths[0], **roles)


def adopted(frame: Any) -> RemoteTable | None:
    """A lazy frame of DuckDB, Spark, polars or Ibis over DuckDB, where it is; None for anything else."""
    found = frame_of(frame)
    if not isinstance(found, nw.LazyFrame):
        return None
    name = found.implementation.name.casefold()
    if name == "ibis":
        backend = frame.get_backend()
        return adopted(backend.con.sql(backend.compile(frame))) if backend.name == "duckdb" else None
    engine = "spark" if name.startswith("pyspark") else name
    if engine not in (*ENGINES, "polars"):
        return None
    handle = frame.sparkSession if engine == "spark" else None
    return RemoteTable(frame=found, handle=handle, engine=engine, file=f"{engine} table")


def session_of(data: Any = None) -> Any:
    """The session of a frame of Spark, or the one that runs, or a quiet one of our own."""
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise MissingExtra("the engine spark", "spark") from None
    if (running := getattr(data, "sparkSession", None) or SparkSession.getActiveSession()) is not None:
        return running
    java = which("java", path=str(Path(os.environ["JAVA_HOME"]) / "bin") if os.environ.get("JAVA_HOME") else None)
    if java is None and not os.environ.get("SPARK_REMOTE"):
        raise InputError("Spark needs Java, and none was found", hint="install a JDK, or use --engine duckdb")
    quiet: dict[str, Any] = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    session = SparkSession.builder.appName(NAME).config(map=quiet).getOrCreate()
    if hasattr(session, "_jsc"):
        session.sparkContext.setLogLevel("ERROR")
    return session


def chosen_engine(paths: Sequence[str]) -> tuple[str, str]:
    """The engine for data of that size and kind, and why."""
    if lake := only_lake(paths):
        engine = "duckdb" if lake[0] != NAMED or DATABASE in lake[1] else "spark"
        of = "a database or catalogue" if lake[0] == NAMED else lake[0].capitalize()
        return engine, f"engine {engine}: {lake[1]} is a table of {of}"
    if elsewhere := next((path for path in paths if _is_elsewhere(path)), None):
        return "duckdb", f"engine duckdb: {elsewhere} names more than one file here"
    if folder := next((path for path in paths if Path(path).is_dir() and any(Path(path).rglob("*.parquet"))), None):
        return "duckdb", f"engine duckdb: {folder} is a folder of Parquet files"
    size = sum(Path(path).stat().st_size for path in paths if Path(path).is_file())
    is_table = all(Path(path).suffix.casefold() in TABLES for path in paths)
    engine = "duckdb" if size > LARGE and is_table else "memory"
    return engine, f"engine {engine}: the data are files of {size / 1e6:,.1f} MB"


def _is_elsewhere(path: str) -> bool:
    """Whether a path is an address or a pattern, which only an engine can look up."""
    return "://" in path or (bool(set("*?[") & set(path)) and not Path(path).exists())


def _kind(path: str) -> str:
    """What an engine reads there: CSV, JSON Lines or Parquet, as a folder does; other files are refused."""
    if path.endswith((".parquet", "/")) or Path(path).is_dir():
        return "Parquet"
    suffix = Path(path.removesuffix(".gz")).suffix.casefold()
    if suffix in (".jsonl", ".ndjson"):
        return "JSON Lines"
    if suffix in ("", *TABLES) or "*" in suffix:
        return "CSV"
    raise InputError("engines read CSV, JSON Lines and Parquet", file=path, hint="use --engine memory for this file")


def _open_duckdb(paths: Sequence[str], lake: tuple[str, str] | None, kind: str) -> tuple[nw.LazyFrame[Any], Any]:
    """DuckDB reads the files as it goes, and spills to disk what takes more than its share of memory."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise MissingExtra("the engine duckdb", "duckdb") from None
    spill = str(Path(gettempdir()) / f"{NAME}-{os.getpid()}")  # made when needed, gone with the connection
    connection = duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": spill})
    connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")  # it tells when asked
    found = [
        f"{path.rstrip('/')}/**/*.parquet" if path.endswith("/") or Path(path).is_dir() else path for path in paths
    ]
    if lake:
        read = in_duckdb(connection, *lake)
    elif kind == "Parquet":
        parts = any("=" in path or "**" in path for path in found)
        read = connection.read_parquet(found, hive_partitioning=parts, union_by_name=True)
    elif kind == "JSON Lines":
        read = connection.table_function("read_ndjson_auto", [found])
    else:
        read = connection.read_csv(cast(Any, found), all_varchar=True)
    return nw.from_native(read).lazy(), connection


def _open_spark(paths: Sequence[str], lake: tuple[str, str] | None, kind: str) -> tuple[nw.LazyFrame[Any], Any]:
    """Files or a table as a Spark session reads them."""
    session = session_of()
    if lake:
        read = session.table(lake[1]) if lake[0] == NAMED else session.read.format(lake[0]).load(lake[1])
    elif kind == "JSON Lines":
        read = session.read.json(list(paths))
    else:
        read = session.read.parquet(*paths) if kind == "Parquet" else session.read.csv(list(paths), header=True)
    return nw.from_native(read).lazy(), session


@contextlib.contextmanager
def failures(engine: str, file: str) -> Iterator[None]:
    """Whatever an engine cannot do is one line."""
    try:
        yield
    except (InputError, MissingExtra, KeyboardInterrupt):
        raise
    except Exception as error:
        if isinstance(error, ConnectionError) or type(error).__name__ in GONE:
            what = f"{engine} has ended, or cannot be reached"
            raise InputError(what, file=file, hint="memory may have run out: look at its log") from None
        if not type(error).__module__.startswith(LIBRARIES):
            raise
        lines = [line.strip(" :") for line in str(error).splitlines() if not line.startswith(OF_BRIDGE)]
        lost = (found[1] for line in lines if (found := LOST.search(line)))
        said = OF_JAVA.sub("", next(lost, next(filter(None, lines), type(error).__name__)))
        hint = "Spark needs Java: install a JDK, or use --engine duckdb" if "JAVA_" in said.upper() else None
        raise InputError(f"{engine} cannot do this: {said[:200]}", file=file, hint=hint) from None


def followed(work: Callable[[], Any], handle: Any, progress: Progress = silent) -> Any:
    """What an engine finds, with progress where `handle` can tell; an interrupt then stops the engine too.

    The handle is a connection of DuckDB or a session of Spark; without one the work is simply done.
    """
    if handle is None:
        return work()
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(work)
        try:
            while True:
                with contextlib.suppress(NotYet):
                    return job.result(EVERY)
                progress(*_tasks_done(handle))
        except KeyboardInterrupt:
            _stop(handle)
            raise


def _tasks_done(handle: Any) -> tuple[int, int]:
    """How much is done of how much, as far as the engine says."""
    if hasattr(handle, "query_progress"):  # DuckDB: percent, -1 before it knows
        return max(round(handle.query_progress()), 0), 100
    if not hasattr(handle, "_jsc"):  # Spark Connect does not say
        return 0, 1
    tracker = handle.sparkContext.statusTracker()
    stages = [info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage)) is not None]
    return sum(one.numCompletedTasks for one in stages), sum(one.numTasks for one in stages) or 1


def _stop(handle: Any) -> None:
    """End what the engine is doing."""
    if hasattr(handle, "interrupt"):
        handle.interrupt()
    elif hasattr(handle, "_jsc"):
        handle.sparkContext.cancelAllJobs()
    else:
        handle.interruptAll()
