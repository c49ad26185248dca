"""The same tally from a table that is never loaded: group-bys in DuckDB, Spark or polars.

Where raters and categories are few, every rater has a field of bits in one number, and the fields of a unit's
judgements put together are the unit's pattern. Where they are many, a pattern is the sorted list of its judgements,
each a number made of rater and value. Questions and slices are columns of the same group-by, so that all of them are
counted in one pass. What comes back is distinct patterns with their counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from concordant.engines.patterns import Patterns, canonical, patterns_of_keys
from concordant.engines.remote import BLANKS, RemoteTable, is_given, spelled
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.model.scale import Scale, make_scale
from concordant.progress import Progress, silent

APART = "pooled questions of one unit are drawn one by one here, as if independent: --engine memory draws units"
MOST_LABELS, MOST_BITS = 64, 62  # raters or values, and bits, until which a pattern is one number
NUMBERED = """
SELECT {places} unnamed, pattern, n, count(*) AS w FROM (
    SELECT {places} {units}, {unnamed} AS unnamed, bit_or(k) AS pattern, count(*) AS n
    FROM judged GROUP BY {places} {units}
) AS units GROUP BY {places} unnamed, pattern, n
"""
"""Every unit's judgements put together as one number, how many they are, and how many units have each number."""
SORTED_LIST = {"duckdb": "list_sort(list({}))", "spark": "sort_array(collect_list({}))"}
LISTED = """
WITH raters AS (SELECT r, row_number() OVER (ORDER BY r) - 1 AS i FROM (SELECT DISTINCT r FROM judged)),
given AS (SELECT v, row_number() OVER (ORDER BY v) - 1 AS j FROM (SELECT DISTINCT v FROM judged))
SELECT {places} unnamed, pattern, count(*) AS w FROM (
    SELECT {places} {units}, {unnamed} AS unnamed, {pattern} AS pattern
    FROM judged JOIN raters ON judged.r = raters.r JOIN given ON judged.v = given.v GROUP BY {places} {units}
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
    questions = [] if pool or table.question is None else ["question"]
    columns = [table.column(name) for name in (*by, *questions)]
    unit = [table.unit, table.question] if pool and table.question else [table.unit]
    judged, raters, values = _judged(table, columns)
    names, labels = (list(dict.fromkeys(label for _, label in sorted(cells.items()))) for cells in (raters, values))
    few = len(names) * _bits(len(labels)) <= MOST_BITS and max(len(raters), len(values)) <= MOST_LABELS
    count = _count_numbers if few else _count_lists
    found = count(table, judged, unit, columns, _places(raters, names), _places(values, labels), progress)
    shown = [tuple(map(spelled, place)) for place in found.places]
    asked = [place[-1] if questions else "" for place in shown]
    scales = _scales(found, asked, labels, table)
    notes = (APART,) if len(unit) > 1 else ()
    for place in sorted(one for one in set(shown) if all(one) and len(found.place)):
        same = np.array([one == place for one in shown])
        scale = scales[place[-1] if questions else ""]
        made = _of_place(found, np.flatnonzero(same[found.place]), names, labels, scale, notes)
        where = dict(zip(by, place, strict=False)) if by else None
        yield where, place[-1] if questions else None, made


def _judged(table: RemoteTable, columns: Sequence[str]) -> tuple[nw.LazyFrame[Any], dict[Any, str], dict[Any, str]]:
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


def _places(cells: Mapping[Any, str], names: Sequence[str]) -> dict[Any, int]:
    """The place of each cell's label in a list of labels."""
    place = {name: i for i, name in enumerate(names)}
    return {cell: place[label] for cell, label in cells.items()}


def _scales(found: Counted, asked: list[str], labels: list[str], table: RemoteTable) -> dict[str, Scale]:
    """The scale of every question, from all that was given to it in any slice; without questions that of ""."""
    code_of, pattern_of = found.patterns.code, found.patterns.pattern
    question_of = np.array(asked, dtype=object)[found.place] if len(found.place) else np.array([], dtype=object)
    return {
        question: make_scale(
            [labels[i] for i in np.unique(code_of[(question_of == question)[pattern_of]]).tolist()],
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
) -> Tally:
    """The tally of some of the patterns, with the raters that occur in them, on the scale of all slices."""
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
    ordered = canonical(patterns, raters, scale)
    n_units = int(patterns.weights.sum())
    return Tally(scale=scale, raters=tuple(raters), patterns=ordered, n_units=n_units, notes=notes)


def _refuse_repeats(table: RemoteTable, judged: nw.LazyFrame[Any], unit: list[str], columns: Sequence[str]) -> None:
    """Name a rater who judged a unit more than once."""
    own = list(dict.fromkeys([*columns, *unit, table.rater]))
    again = judged.group_by(own).agg(_n=nw.len()).filter(nw.col("_n") > 1).select(table.rater).head(1)
    cells = table.collected(again).rows()
    rater = spelled(cells[0][0]) if cells else "somebody"
    raise InputError(
        f"rater {rater!r} judged a unit more than once", file=table.file, hint="keep one of the judgements"
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
    count: Callable[[Any, str, "Group"], Any],
    progress: Progress,
) -> Any:
    """Patterns counted by the engine, as an Arrow table of places (p0 …), `unnamed`, `pattern` and `w`."""
    places = {f"p{i}": nw.col(column) for i, column in enumerate(columns)}
    units = {f"u{i}": nw.col(column) for i, column in enumerate(unit)}
    rows = judged.select(**said, **units, **places)
    group = Group(list(places), list(units), is_text=rows.collect_schema()["u0"] == nw.String)
    counted = table.done(lambda: count(rows.to_native(), table.engine, group), progress)
    if np.asarray(counted.column("unnamed")).any():
        raise InputError("a judgement has no unit", file=table.file, column=table.unit, hint="mend these rows")
    return counted


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

    def in_polars(self, native: Any, **found: Any) -> Any:
        """The same of a lazy frame of polars: what is found of each unit, and how many units have it."""
        import polars as pl

        unit = pl.col("u0")
        unnamed = unit.is_null() | (unit == "") if self.is_text else unit.is_null()
        per_unit = native.group_by([*self.places, *self.units]).agg(**found).with_columns(unnamed=unnamed)
        return per_unit.group_by([*self.places, "unnamed", *found]).agg(w=pl.len()).collect().to_arrow()


def _by_number(native: Any, engine: str, group: Group) -> Any:
    """Patterns as numbers, and `n`, how many judgements are in each."""
    if engine != "polars":
        return _queried(native, engine, group.query(NUMBERED))
    import polars as pl

    return group.in_polars(native, pattern=pl.col("k").bitwise_or(), n=pl.len())


def _queried(native: Any, engine: str, query: str) -> Any:
    """What a query finds in `judged`, as an Arrow table."""
    if engine == "duckdb":
        return native.query("judged", query).to_arrow_table()
    native.createOrReplaceTempView("judged")
    return native.sparkSession.sql(query).toArrow()


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


def _by_list(native: Any, engine: str, group: Group, *, who: list[Any], what: list[Any]) -> Any:
    """Patterns as sorted lists of numbers, each made of the places of a rater and a value."""
    base = len(what)
    if engine in SORTED_LIST:
        entry = f"CAST(i * {base} + j AS {'INT' if base * len(who) < 1 << 31 else 'BIGINT'})"
        return _queried(native, engine, group.query(LISTED, pattern=SORTED_LIST[engine].format(entry)))
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
