"""Whole units of a table of another engine, some at a time: the engine sorts judgements by unit, and they come in turn.

To sort takes an engine little memory, since what does not fit is sorted on disk; a list of judgements for each unit,
made by a group-by, has to fit. So crowds are read this way, and whatever needs the units themselves.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from concordant.engines.grouped import Group, grouping
from concordant.engines.remote import RemoteTable, spelled
from concordant.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 1_000_000  # judgements that come at a time
ORDERED = """
WITH raters AS (SELECT r, row_number() OVER (ORDER BY r) - 1 AS i FROM (SELECT DISTINCT r FROM {judged})),
given AS (SELECT v, row_number() OVER (ORDER BY v) - 1 AS j FROM (SELECT DISTINCT v FROM {judged}))
SELECT {places} {units}, CAST(i * {base} + j AS BIGINT) AS entry
FROM {judged} JOIN raters ON {judged}.r = raters.r JOIN given ON {judged}.v = given.v ORDER BY {places} {units}
"""
"""Every judgement as one number, those of a unit one after the other."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """Unit u has the judgements `entry[start[u]:start[u + 1]]`: a rater's place × `n_values` + a value's, in order.

    `places` are the cells of its question and slices, `name` is how it is called.
    """

    places: "list[pa.ChunkedArray]"
    name: "pa.Array"
    start: NDArray[np.int64]
    entry: NDArray[np.int64]
    n_values: int

    def __len__(self) -> int:
        """How many units."""
        return len(self.start) - 1


def ordered_units(
    table: RemoteTable,
    judged: nw.LazyFrame[Any],
    unit: Sequence[str],
    columns: Sequence[str],
    raters: Mapping[Any, int],
    values: Mapping[Any, int],
) -> Iterator[Units]:
    """The units of these rows in the order of their names, where places (questions, slices) are one after the other.

    `raters` and `values` have a place for each cell that is left. Without `--duplicates all` a rater who judged a unit
    twice is refused.
    """
    who, what, n_values = sorted(raters), sorted(values), max(values.values(), default=0) + 1
    rater, code = (np.array([to[one] for one in order]) for to, order in ((raters, who), (values, what)))
    span = n_values * (max(raters.values(), default=0) + 1)
    rows, group = grouping(judged, unit, columns, {"r": nw.col(table.rater), "v": nw.col(table.value)})
    keys = [*group.places, *group.units]
    for chunk, start in _whole(READERS[table.engine](rows.to_native(), group, who, what), keys):
        ranked = np.asarray(chunk.column("entry"))
        own = np.repeat(np.arange(len(start)), np.diff(start, append=len(ranked)))
        key = own * span + rater[ranked // len(what)] * n_values + code[ranked % len(what)]
        key.sort()
        cells = [chunk.column(name).take(start) for name in keys]
        name = _names(cells[len(group.places)])
        if name.null_count or "" in name[:1].to_pylist():  # the empty text comes first
            raise InputError("a judgement has no unit", file=table.file, column=table.unit, hint="mend these rows")
        who_where = key // n_values
        again = np.flatnonzero(who_where[1:] == who_where[:-1])
        if len(again) and table.duplicates != "all":
            twice = next(spelled(cell) for cell, place in raters.items() if place == key[again[0]] % span // n_values)
            raise InputError(
                f"rater {twice!r} judged a unit more than once", file=table.file,
                hint="say which counts: --duplicates first or last",
            )  # fmt: skip
        where, begins = cells[: len(group.places)], np.append(start, len(key))
        yield Units(places=where, name=name, start=begins, entry=key % span, n_values=n_values)


def _whole(batches: "Iterable[pa.RecordBatch]", keys: Sequence[str]) -> "Iterator[tuple[pa.Table, NDArray[np.int64]]]":
    """Batches cut so that none ends within a unit, and where the units of each begin."""
    import pyarrow as pa

    held: pa.Table | None = None
    for batch in batches:
        came = pa.Table.from_batches([batch])
        held = came if held is None else pa.concat_tables([held, came]).combine_chunks()
        start = _starts(held, keys)
        if len(start) > 1:
            yield held.slice(0, start[-1]), start[:-1]
            held = held.slice(start[-1])
    if held is not None and held.num_rows:
        yield held, _starts(held, keys)


def _starts(rows: "pa.Table", keys: Sequence[str]) -> NDArray[np.int64]:
    """Where another unit begins; a blank is unlike anything."""
    from pyarrow import compute

    begins = np.zeros(rows.num_rows, dtype=bool)
    begins[:1] = True
    for key in keys:
        column = rows.column(key)
        begins[1:] |= np.asarray(compute.fill_null(compute.not_equal(column[1:], column[:-1]), True))
    return np.flatnonzero(begins)


def _names(cells: "pa.ChunkedArray") -> "pa.Array":
    """What units are called, as texts; nothing where a cell is blank."""
    import pyarrow as pa

    if pa.types.is_integer(cells.type) or pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type):
        return cells.cast(pa.string()).combine_chunks()
    return pa.array([spelled(cell) or None for cell in cells.to_pylist()], type=pa.string())


def _from_duckdb(native: Any, group: Group, who: list[Any], what: list[Any]) -> "Iterable[pa.RecordBatch]":
    """DuckDB streams what it sorted."""
    import pyarrow as pa

    with group.queried(native, "duckdb", ORDERED, base=str(len(what))) as ordered:
        yield from pa.RecordBatchReader.from_stream(ordered)


def _from_polars(native: Any, group: Group, who: list[Any], what: list[Any]) -> "Iterable[pa.RecordBatch]":
    """Polars has all in memory, and then hands it out."""
    import polars as pl

    keys = [*group.places, *group.units]
    rater, value = (
        pl.col(name).replace_strict(cells, range(len(cells)), return_dtype=pl.Int64)
        for name, cells in (("r", who), ("v", what))
    )
    rows = native.select(*keys, entry=rater * len(what) + value).sort(keys).collect()
    for begin in range(0, rows.height, ROWS):
        yield from rows[begin : begin + ROWS].to_arrow().combine_chunks().to_batches()


def _from_spark(native: Any, group: Group, who: list[Any], what: list[Any]) -> "Iterable[pa.RecordBatch]":
    """Executors pack what they sorted, and the packets come one after the other."""
    import pyarrow as pa

    with group.queried(native, "spark", ORDERED, base=str(len(what))) as ordered:
        for row in ordered.mapInArrow(packed, "packet binary").toLocalIterator():
            yield from pa.ipc.open_stream(row.packet)


READERS: Mapping[str, Callable[..., "Iterable[pa.RecordBatch]"]] = {
    "duckdb": _from_duckdb,
    "polars": _from_polars,
    "spark": _from_spark,
}


def packed(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """What an executor does with its rows: each batch becomes the bytes of one."""
    import pyarrow as pa

    for batch in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        yield pa.RecordBatch.from_pydict({"packet": [sink.getvalue().to_pybytes()]})
