"""The same tally from a table that is never loaded: one group-by in DuckDB or Spark, written once with narwhals.

Each judgement becomes the number (value code + 1) · base^(rater's place); the sum over a unit's judgements is the
unit's pattern, exactly as in memory. What comes back is a few thousand numbers with their counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.engines.identity import canonical
from assent.engines.patterns import fits_key, patterns_of_keys
from assent.engines.tally import Tally
from assent.errors import InputError, MissingExtra, nearest
from assent.model.scale import Level, make_scale

if TYPE_CHECKING:
    import narwhals as nw

ENGINES = ("duckdb", "spark")
REPEATS = 8  # judgements by one rater of one unit are counted in base 8, so a repeat shows
MOST_RATERS = 20  # so that these counts fit 63 bits


@dataclass(frozen=True, kw_only=True)
class RemoteTable:
    """A table in another engine, and which of its columns hold unit, rater, value and question."""

    frame: "nw.LazyFrame[Any]"
    file: str
    unit: str
    rater: str
    value: str
    question: str | None = None
    level: str | Level | None = None
    categories: tuple[str, ...] | None = None
    notes: tuple[str, ...] = field(default=())

    def where(self, name: str, values: Sequence[str]) -> "RemoteTable":
        """Only the rows whose column has one of these values."""
        import narwhals as nw

        return replace(self, frame=self.frame.filter(nw.col(self._role(name)).is_in(list(values))))

    def labels(self, name: str) -> list[str]:
        """The distinct labels of a column, sorted."""
        column = self._role(name)
        found = self.frame.select(column).filter(_is_present(column)).unique().collect()
        return sorted(found[column].to_list())

    def _role(self, name: str) -> str:
        """The column of a role or of that name."""
        column = {"unit": self.unit, "rater": self.rater, "value": self.value, "question": self.question}.get(
            name
        ) or name
        known = self.frame.collect_schema().names()
        if column not in known:
            raise InputError("there is no such column", file=self.file, column=column, hint=nearest(column, known))
        return column

    def slices(self, names: Sequence[str]) -> Iterator[tuple[Mapping[str, str], "RemoteTable"]]:
        """The parts of the table, one for each combination of values of these columns."""
        for combination in product(*(self.labels(name) for name in names)):
            part = self
            for name, label in zip(names, combination, strict=True):
                part = part.where(name, [label])
            yield dict(zip(names, combination, strict=True)), part


def open_table(engine: str, path: str, **roles: Any) -> RemoteTable:
    """A CSV or Parquet file as a lazy table of the engine; all columns are text."""
    if engine not in ENGINES:
        raise InputError(f"unknown engine {engine!r}", hint=nearest(engine, ("memory", *ENGINES)))
    if not Path(path).exists():
        raise InputError("there is no such file", file=path)
    import narwhals as nw

    frame = _open_duckdb(path) if engine == "duckdb" else _open_spark(path)
    return RemoteTable(frame=frame.select(nw.all().cast(nw.String)), file=path, **roles)


def _open_duckdb(path: str) -> "nw.LazyFrame[Any]":
    """DuckDB reads the file as it goes and spills to disk when memory is short."""
    import narwhals as nw

    try:
        import duckdb
    except ModuleNotFoundError:
        raise MissingExtra("the engine duckdb", "duckdb") from None
    connection = duckdb.connect()
    try:
        if path.endswith(".parquet"):
            return nw.from_native(connection.read_parquet(path)).lazy()
        return nw.from_native(connection.read_csv(path, all_varchar=True)).lazy()
    except duckdb.Error as error:
        raise InputError(f"not a table: {str(error).splitlines()[0]}", file=path) from None


def _open_spark(path: str) -> "nw.LazyFrame[Any]":
    """The Spark session that is running, or a local one."""
    import narwhals as nw

    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise MissingExtra("the engine spark", "spark") from None
    session = SparkSession.builder.appName("assent").getOrCreate()
    read = session.read.parquet(path) if path.endswith(".parquet") else session.read.csv(path, header=True)
    frame: nw.LazyFrame[Any] = nw.from_native(read).lazy()
    return frame


def _is_present(column: str) -> "nw.Expr":
    """Neither null nor empty."""
    import narwhals as nw

    return ~nw.col(column).is_null() & (nw.col(column) != "")


def tally_table(table: RemoteTable, *, pool: bool = False) -> Tally:
    """Reduce a table to its patterns where it lies."""
    judged = table.frame.filter(_is_present(table.value))
    raters, labels = table.labels("rater"), table.labels("value")
    scale = make_scale(labels, level=table.level, categories=table.categories)
    if len(raters) > MOST_RATERS or not fits_key(len(raters), len(scale.categories)):
        raise InputError(
            f"{len(raters)} raters and {len(scale.categories)} categories are too many for this engine",
            file=table.file,
            hint="use --engine memory",
        )
    units = [table.unit, table.question] if pool and table.question else [table.unit]
    counted = _count_keys(judged, units, table, raters, scale.categories)
    _refuse_repeats(counted["repeats"], raters, table.file)
    found = patterns_of_keys(counted["key"], counted["n"], len(raters), len(scale.categories))
    patterns = canonical(found, raters, scale)
    n_units = int(counted["n"].sum())
    return Tally(scale=scale, raters=tuple(raters), patterns=patterns, n_units=n_units)


def _count_keys(
    judged: "nw.LazyFrame[Any]", units: list[str], table: RemoteTable, raters: list[str], categories: Sequence[str]
) -> dict[str, np.ndarray[Any, Any]]:
    """Two group-bys: judgements to units, units to patterns."""
    import narwhals as nw

    base = len(categories) + 1
    place = {rater: base ** (len(raters) - 1 - i) for i, rater in enumerate(raters)}
    seen = {rater: REPEATS**i for i, rater in enumerate(raters)}
    code = {label: i + 1 for i, label in enumerate(categories)}
    rows = judged.with_columns(
        key=_number(table.value, code) * _number(table.rater, place), repeats=_number(table.rater, seen)
    )
    per_unit = rows.group_by(units).agg(nw.col("key").sum().cast(nw.Int64), nw.col("repeats").sum().cast(nw.Int64))
    per_pattern = per_unit.group_by(["key", "repeats"]).agg(n=nw.len()).collect()
    return {name: np.asarray(per_pattern[name].to_numpy(), dtype=np.int64) for name in ("key", "repeats", "n")}


def _number(column: str, numbers: Mapping[str, int]) -> "nw.Expr":
    """The number of each label."""
    import narwhals as nw

    return reduce(
        lambda rest, item: nw.when(nw.col(column) == item[0]).then(nw.lit(item[1], nw.Int64)).otherwise(rest),
        numbers.items(),
        nw.lit(0, nw.Int64),
    )


def _refuse_repeats(repeats: np.ndarray[Any, Any], raters: list[str], file: str) -> None:
    """Two judgements of one unit by one rater are an error here too."""
    for i, rater in enumerate(raters):
        if (repeats // REPEATS**i % REPEATS > 1).any():
            raise InputError(
                f"rater {rater!r} judged a unit more than once", file=file, hint="keep one of the judgements"
            )
