"""The same tally from a table that is never loaded: group-bys in DuckDB, Spark or polars.

Where raters and categories are few, every rater has a field of bits in one number, and the fields of a unit's
judgements put together are the unit's pattern. Where they are many, a pattern is the sorted list of its judgements,
each a number made of rater and value. Questions and slices are columns of the same group-by, so that all of them are
counted in one pass. What comes back is distinct patterns with their counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from concordant.engines.bundles import bundled
from concordant.engines.grouped import Group, distinct_cells, grouping, judged_rows, places_of
from concordant.engines.ordered import Units, ordered_units
from concordant.engines.patterns import Patterns, patterns_of_keys, placed, scattered
from concordant.engines.remote import Clustering, RemoteTable, failures, spelled
from concordant.engines.repeats import PICKED, are_several, cluster_numbers, once, refuse_torn
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.model.scale import Scale, make_scale
from concordant.progress import Progress, silent

APART = "pooled questions of one unit are drawn one by one here, as if independent: --engine memory draws units"
MOST_LABELS, MOST_BITS = 64, 62  # raters or values, and bits, until which a pattern is one number
NUMBERED = """
SELECT {places} unnamed, pattern, n, count(*) AS w FROM (
    SELECT {places} {units}, {unnamed} AS unnamed, bit_or(k) AS pattern, count(*) AS n
    FROM {judged} GROUP BY {places} {units}
) AS units GROUP BY {places} unnamed, pattern, n
"""
"""Every unit's judgements put together as one number, how many they are, and how many units have each number."""
LISTED = """
WITH raters AS (SELECT r, row_number() OVER (ORDER BY r) - 1 AS i FROM (SELECT DISTINCT r FROM {judged})),
given AS (SELECT v, row_number() OVER (ORDER BY v) - 1 AS j FROM (SELECT DISTINCT v FROM {judged}))
SELECT {places} unnamed, pattern, count(*) AS w FROM (
    SELECT {places} {units}, {unnamed} AS unnamed, {pattern} AS pattern
    FROM {judged} JOIN raters ON {judged}.r = raters.r JOIN given ON {judged}.v = given.v GROUP BY {places} {units}
) AS units GROUP BY {places} unnamed, pattern
"""
"""Every unit's judgements as a sorted list of numbers, and how many units have each list."""


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Distinct patterns of all places together: entry e is rater `rater[e]` giving `code[e]` in pattern `pattern[e]`.

    `place[p]` says which question and slice pattern p belongs to. Raters and values are places in lists of all of them.
    """

    patterns: Patterns
    place: NDArray[np.int64]
    places: Sequence[tuple[Any, ...]]


def tally_table(table: RemoteTable, *, pool: bool = False, progress: Progress = silent) -> Tally:
    """Reduce a table of one question to its patterns where it lies; with `pool` all its questions."""
    unasked = pool or table.question is None
    parts = [one for _, _, one in tally_parts(table if unasked else _of_one(table), pool=pool, progress=progress)]
    if not parts:
        raise InputError("there is no judgement", file=table.file)
    return parts[0]


def _of_one(table: RemoteTable) -> RemoteTable:
    """The same table, if it has only one question."""
    if len(found := table.distinct("question")) > 1:
        raise InputError(f"the table has {len(found)} questions", file=table.file, hint="name one, or pool them")
    return table


def tally_parts(
    table: RemoteTable, by: Sequence[str] = (), *, pool: bool = False, progress: Progress = silent
) -> Iterator[tuple[Mapping[str, str] | None, str | None, Tally]]:
    """The tally of every question in every slice, all counted in one pass, in the order of their labels."""
    with failures(table.engine, table.file):
        yield from _parts(table, by, pool=pool, progress=progress)


def _parts(
    table: RemoteTable, by: Sequence[str], *, pool: bool, progress: Progress
) -> Iterator[tuple[Mapping[str, str] | None, str | None, Tally]]:
    """The same, with errors of the engine as they are."""
    questions = [] if pool or table.question is None else ["question"]
    columns = [table.column(name) for name in (*by, *questions)]
    unit = [table.unit, table.question] if pool and table.question else [table.unit]
    said: set[tuple[str, str]] = set()  # to which question what was given, also by judgements that do not count
    apart = [*columns, table.cluster.column] if table.cluster else columns
    judged, raters, values = judged_rows(table, list(dict.fromkeys(apart)))
    if table.cluster:
        refuse_torn(table, judged, table.cluster)
    if table.duplicates in PICKED:
        before = distinct_cells(table, judged, [*map(table.column, questions), table.value])
        said = {(spelled(row[0]) if questions else "", values[row[-1]]) for row in before}
        judged = once(table, judged, [*apart, *unit], raters)
    names, labels = (list(dict.fromkeys(label for _, label in sorted(cells.items()))) for cells in (raters, values))
    few = len(names) * _bits(len(labels)) <= MOST_BITS and max(len(raters), len(values)) <= MOST_LABELS
    count = _count_numbers if few else _count_ordered if table.engine == "duckdb" else _count_lists
    if said:  # lists number the cells that are left
        left = distinct_cells(table, judged, [table.rater, table.value])
        raters, values = ({row[i]: cells[row[i]] for row in left} for i, cells in enumerate((raters, values)))
    found = count(table, judged, unit, apart, places_of(raters, names), places_of(values, labels), progress)
    shown = [tuple(map(spelled, place[: len(columns)])) for place in found.places]
    asked = [place[-1] if questions else "" for place in shown]
    scales = _scales(found, asked, labels, table, said)
    notes = (APART,) if len(unit) > 1 else ()
    clusters = cluster_numbers(table, [one[-1] for one in found.places])[found.place] if table.cluster else None
    for place in sorted(one for one in set(shown) if all(one) and len(found.place)):
        chosen = np.flatnonzero(np.array([one == place for one in shown])[found.place])
        own = None if clusters is None else clusters[chosen]
        scale = scales[place[-1] if questions else ""]
        made = _of_place(found, chosen, names, labels, scale, notes, table.cluster, own)
        where = dict(zip(by, place, strict=False)) if by else None
        yield where, place[-1] if questions else None, made


def _scales(
    found: Counted, asked: list[str], labels: list[str], table: RemoteTable, said: Set[tuple[str, str]]
) -> dict[str, Scale]:
    """The scale of every question, from all that was given to it in any slice; without questions that of ""."""
    code_of, pattern_of = found.patterns.code, found.patterns.pattern
    question_of = np.array(asked, dtype=object)[found.place] if len(found.place) else np.array([], dtype=object)
    more = {question: {labels.index(label) for of, label in said if of == question} for question in asked}
    return {
        question: make_scale(
            [
                labels[i]
                for i in sorted({*np.unique(code_of[(question_of == question)[pattern_of]]).tolist(), *more[question]})
            ],
            level=table.level,
            categories=table.categories,
        )
        for question in dict.fromkeys(asked)
    }


def _of_place(
    found: Counted,
    chosen: NDArray[Any],
    names: list[str],
    labels: list[str],
    scale: Scale,
    notes: tuple[str, ...],
    cluster: Clustering | None,
    clusters: NDArray[np.int64] | None,
) -> Tally:
    """The tally of some of the patterns, with the raters that occur in them, on the scale of all slices.

    With `cluster` each pattern is of one of the `clusters`.
    """
    pattern, rater, code = found.patterns.pattern, found.patterns.rater, found.patterns.code
    if len(chosen) < len(found.place):
        number = np.full(len(found.place), -1, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        kept = np.flatnonzero(number[pattern] >= 0)
        pattern, rater, code = number[pattern[kept]], rater[kept], code[kept]
    who = np.flatnonzero(np.bincount(rater))
    number_of = {label: i for i, label in enumerate(scale.categories)}
    to = np.array([number_of.get(label, -1) for label in labels], dtype=np.int64)
    raters = [names[i] for i in who.tolist()]
    patterns = Patterns(
        pattern=pattern,
        rater=(np.cumsum(np.bincount(rater) > 0) - 1)[rater],
        code=to[code],
        weights=found.patterns.weights[chosen],
    )
    ordered, at = placed(patterns, raters, scale)
    how: dict[str, Any] = {"patterns": ordered, "n_units": int(patterns.weights.sum()), "notes": notes}
    if cluster and clusters is not None and are_several(cluster, clusters, patterns.weights):
        how["bundles"] = bundled(cluster.name, clusters, at, patterns.weights)
    return Tally(scale=scale, raters=tuple(raters), **how)


def _refuse_repeats(table: RemoteTable, judged: nw.LazyFrame[Any], unit: list[str], columns: Sequence[str]) -> None:
    """Name a rater who judged a unit more than once."""
    own = list(dict.fromkeys([*columns, *unit, table.rater]))
    again = judged.group_by(own).agg(_n=nw.len()).filter(nw.col("_n") > 1).select(table.rater).head(1)
    cells = table.collected(again).rows()
    rater = spelled(cells[0][0]) if cells else "somebody"
    raise InputError(
        f"rater {rater!r} judged a unit more than once",
        file=table.file,
        hint="say which counts: --duplicates first or last",
    )


def _count_numbers(
    table: RemoteTable,
    judged: nw.LazyFrame[Any],
    unit: list[str],
    columns: Sequence[str],
    raters: Mapping[Any, int],
    values: Mapping[Any, int],
    progress: Progress,
) -> Counted:
    """Two group-bys: judgements to units, units to patterns.

    Each rater has a field of bits, and what the raters gave is put together by "or". A rater who judged a unit twice
    has one field all the same: then there are fewer fields than judgements.
    """
    n_raters, n_values = max(raters.values(), default=-1) + 1, max(values.values(), default=-1) + 1
    bits = _bits(n_values)
    shift = {cell: 1 << bits * (n_raters - 1 - i) for cell, i in raters.items()}
    code = {cell: i + 1 for cell, i in values.items()}
    said = {"k": _number(table.value, code) * _number(table.rater, shift)}
    counted = _grouped(table, judged, unit, columns, said, _by_number, progress)
    key, n, weight = (np.asarray(counted.column(name), dtype=np.int64) for name in ("pattern", "n", "w"))
    if (np.count_nonzero(key[:, None] >> bits * np.arange(max(n_raters, 1)) & ((1 << bits) - 1), axis=1) != n).any():
        _refuse_repeats(table, judged, unit, columns)
    found, place_of = _numbered([counted.column(f"p{i}") for i in range(len(columns))], len(key))
    return Counted(patterns=patterns_of_keys(key, weight, n_raters, (1 << bits) - 1), place=place_of, places=found)


def _bits(n_values: int) -> int:
    """The bits of a field that holds any of so many values, or nothing."""
    return n_values.bit_length()


def _grouped(
    table: RemoteTable,
    judged: nw.LazyFrame[Any],
    unit: Sequence[str],
    columns: Sequence[str],
    said: Mapping[str, nw.Expr],
    count: Callable[[Any, str, Group], Any],
    progress: Progress,
) -> Any:
    """Patterns counted by the engine, as an Arrow table of places (p0 …), `unnamed`, `pattern` and `w`."""
    rows, group = grouping(judged, unit, columns, said)
    counted = table.done(lambda: count(rows.to_native(), table.engine, group), progress)
    if np.asarray(counted.column("unnamed")).any():
        raise InputError("a judgement has no unit", file=table.file, column=table.unit, hint="mend these rows")
    return counted


def _by_number(native: Any, engine: str, group: Group) -> Any:
    """Patterns as numbers, and `n`, how many judgements are in each."""
    if engine != "polars":
        return _queried(native, engine, group, NUMBERED)
    import polars as pl

    return group.in_polars(native, pattern=pl.col("k").bitwise_or(), n=pl.len())


def _queried(native: Any, engine: str, group: Group, template: str, **more: str) -> Any:
    """What a query finds, as an Arrow table."""
    with group.queried(native, engine, template, **more) as found:
        return found.to_arrow_table() if engine == "duckdb" else found.toArrow()


def _numbered(columns: Sequence[Any], n: int) -> tuple[list[tuple[Any, ...]], NDArray[np.int64]]:
    """Distinct rows of some Arrow columns, and which of them each row is."""
    place, rows = np.zeros(n, dtype=np.int64), [()]
    for column in columns:
        whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
        coded = whole.dictionary_encode()
        cells = [*coded.dictionary.to_pylist(), None]
        codes = np.asarray(coded.indices.fill_null(len(cells) - 1), dtype=np.int64)
        used, place = np.unique(place * len(cells) + codes, return_inverse=True)
        rows = [(*rows[one // len(cells)], cells[one % len(cells)]) for one in used.tolist()]
    return rows, place.reshape(-1)


def _count_lists(
    table: RemoteTable,
    judged: nw.LazyFrame[Any],
    unit: list[str],
    columns: Sequence[str],
    raters: Mapping[Any, int],
    values: Mapping[Any, int],
    progress: Progress,
) -> Counted:
    """A unit's pattern as the sorted list of its judgements; cells are numbered in the order the engine gives them."""
    who, what = sorted(raters), sorted(values)
    base, said = len(what), {"r": nw.col(table.rater), "v": nw.col(table.value)}
    lists = _grouped(table, judged, unit, columns, said, partial(_by_list, who=who, what=what), progress)
    pattern = lists.column("pattern").combine_chunks()
    sizes = np.asarray(pattern.value_lengths(), dtype=np.int64)
    entry = np.asarray(pattern.flatten(), dtype=np.int64)
    number = np.repeat(np.arange(len(sizes)), sizes)
    rater = np.array([raters[cell] for cell in who], dtype=np.int64)[entry // base]
    code = np.array([values[cell] for cell in what], dtype=np.int64)[entry % base]
    key = number * (rater.max(initial=0) + 1) + rater
    if not (key[1:] > key[:-1]).all():  # two cells name one rater
        order = np.argsort(key)
        rater, code, key = rater[order], code[order], key[order]
        if (key[1:] == key[:-1]).any():
            _refuse_repeats(table, judged, unit, columns)
    weights = np.asarray(lists.column("w"), dtype=np.float64)
    found, place_of = _numbered([lists.column(f"p{i}") for i in range(len(columns))], len(weights))
    return Counted(
        patterns=Patterns(pattern=number, rater=rater, code=code, weights=weights), place=place_of, places=found
    )


def _count_ordered(
    table: RemoteTable,
    judged: nw.LazyFrame[Any],
    unit: list[str],
    columns: Sequence[str],
    raters: Mapping[Any, int],
    values: Mapping[Any, int],
    progress: Progress,
) -> Counted:
    """Units as they come in order; those of which everybody said the same are put together before others come."""
    import pyarrow as pa

    n_values = max(values.values(), default=0) + 1
    parts = table.done(
        lambda: [_alike(one) for one in ordered_units(table, judged, unit, columns, raters, values)], progress
    )
    sizes, entry, weights = (np.concatenate([part[i] for part in parts]) for i in range(3))
    places = [pa.chunked_array([chunk for part in parts for chunk in part[3][i].chunks]) for i in range(len(columns))]
    found, place_of = _numbered(places, len(weights))
    number = np.repeat(np.arange(len(sizes)), sizes)
    patterns = Patterns(pattern=number, rater=entry // n_values, code=entry % n_values, weights=weights)
    return Counted(patterns=patterns, place=place_of, places=found)


def _alike(units: Units) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], list[Any]]:
    """Distinct units: how many judgements they have, which, how many units are like them, and their places."""
    _, place = _numbered(units.places, len(units))
    hashes = np.add.reduceat(scattered(units.entry.astype(np.uint64) + np.uint64(1)), units.start[:-1])
    key = hashes + scattered(~place.astype(np.uint64))  # of numbers that no judgement has
    _, first, times = np.unique(key, return_index=True, return_counts=True)
    sizes = np.diff(units.start)
    kept = np.zeros(len(units), dtype=bool)
    kept[first] = True
    order = np.argsort(first)  # in the order in which they came
    entry = units.entry[np.repeat(kept, sizes)]
    return sizes[kept], entry, times[order].astype(np.float64), [one.take(first[order]) for one in units.places]


def _by_list(native: Any, engine: str, group: Group, *, who: list[Any], what: list[Any]) -> Any:
    """Patterns as sorted lists of numbers, each made of the places of a rater and a value."""
    base = len(what)
    if engine == "spark":
        entry = f"CAST(i * {base} + j AS {'INT' if base * len(who) < 1 << 31 else 'BIGINT'})"
        return _queried(native, engine, group, LISTED, pattern=f"sort_array(collect_list({entry}))")
    import polars as pl

    rater, value = (
        pl.col(name).replace_strict(cells, range(len(cells)), return_dtype=pl.Int64)
        for name, cells in (("r", who), ("v", what))
    )
    return group.in_polars(native, pattern=(rater * base + value).sort())


def _number(column: str, numbers: Mapping[Any, int]) -> nw.Expr:
    """The number of each cell."""
    return reduce(
        lambda rest, item: nw.when(nw.col(column) == item[0]).then(nw.lit(item[1], nw.Int64)).otherwise(rest),
        numbers.items(),
        nw.lit(0, nw.Int64),
    )
