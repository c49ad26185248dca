"""The judgements in a table of another engine: which rows count, what raters and values are called, how they group."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

import narwhals as nw

from concordant.about import NAME
from concordant.engines.remote import BLANKS, RemoteTable, is_given, spelled
from concordant.errors import InputError


def judged_rows(table: RemoteTable, columns: Sequence[str]) -> tuple[nw.LazyFrame[Any], dict[Any, str], dict[Any, str]]:
    """The rows with a judgement, and the labels of the raters and values that stand there."""
    raters: dict[Any, str] = {}
    values: dict[Any, str] = {}
    unused: dict[str, set[Any]] = {table.rater: set(), table.value: set()}
    for rater, value in table.cells:
        who, what = _label(table, "rater", rater), _label(table, "value", value)
        if not what:
            unused[table.value].add(value)
        elif who is None:
            unused[table.rater].add(rater)
        elif not who:
            raise InputError("a judgement has no rater", file=table.file, column=table.rater, hint="mend these rows")
        else:
            raters[rater], values[value] = who, what
    frame = table.frame.filter(*map(is_given, unused))
    for column, cells in unused.items():
        if gone := [cell for cell in cells if cell is not None]:
            frame = frame.filter(~nw.col(column).is_in(gone))
    types = frame.collect_schema()
    texts = [column for column in dict.fromkeys((table.unit, *columns)) if types[column] == nw.String]
    if texts:
        frame = frame.with_columns(*(nw.col(column).str.strip_chars(BLANKS) for column in texts))
    return frame, raters, values


def _label(table: RemoteTable, role: str, cell: Any) -> str | None:
    """What a rater or value that stands there is called; empty if it is missing, None if it was left out."""
    known = table.spelled.get(role)
    return spelled(cell) if known is None else known.get(cell, "" if role == "value" else None)


def places_of(cells: Mapping[Any, str], names: Sequence[str]) -> dict[Any, int]:
    """The place of each cell's label in a list of labels."""
    place = {name: i for i, name in enumerate(names)}
    return {cell: place[label] for cell, label in cells.items()}


def distinct_cells(table: RemoteTable, frame: nw.LazyFrame[Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """The distinct cells of some columns together."""
    short = {f"c{i}": nw.col(column) for i, column in enumerate(columns)}
    return list(table.collected(frame.select(**short).group_by(list(short)).agg(_n=nw.len()).drop("_n")).rows())


@dataclass(frozen=True)
class Group:
    """What judgements are grouped by: places (questions and slices) and units, which may have no name."""

    places: list[str]
    units: list[str]
    is_text: bool

    def query(self, template: str, **more: str) -> str:
        """A query of this group."""
        unnamed = "u0 IS NULL OR u0 = ''" if self.is_text else "u0 IS NULL"
        places = "".join(f"{place}, " for place in self.places)
        return template.format(places=places, units=", ".join(self.units), unnamed=unnamed, **more)

    @contextmanager
    def queried(self, native: Any, engine: str, template: str, **more: str) -> Iterator[Any]:
        """What a query finds in a frame of DuckDB or Spark, which it knows by a name that nobody else has there."""
        name = f"{NAME}_{token_hex(6)}"
        query = self.query(template, judged=name, **more)
        if engine == "duckdb":
            try:
                yield native.query(name, query)
            finally:
                native.query(name, f"DROP VIEW {name}")
        else:
            native.createOrReplaceTempView(name)
            try:
                yield native.sparkSession.sql(query)
            finally:
                native.sparkSession.catalog.dropTempView(name)

    def in_polars(self, native: Any, **found: Any) -> Any:
        """The same of a lazy frame of polars: what is found of each unit, and how many units have it."""
        import polars as pl

        unit = pl.col("u0")
        unnamed = unit.is_null() | (unit == "") if self.is_text else unit.is_null()
        per_unit = native.group_by([*self.places, *self.units]).agg(**found).with_columns(unnamed=unnamed)
        return per_unit.group_by([*self.places, "unnamed", *found]).agg(w=pl.len()).collect().to_arrow()


def grouping(
    judged: nw.LazyFrame[Any], unit: Sequence[str], columns: Sequence[str], said: Mapping[str, nw.Expr]
) -> tuple[nw.LazyFrame[Any], Group]:
    """The rows with short names: p0 … for places, u0 … for the unit, and those of what was said."""
    places = {f"p{i}": nw.col(column) for i, column in enumerate(columns)}
    units = {f"u{i}": nw.col(column) for i, column in enumerate(unit)}
    rows = judged.select(**said, **units, **places)
    return rows, Group(list(places), list(units), is_text=rows.collect_schema()["u0"] == nw.String)
