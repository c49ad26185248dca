"""Judgements in a table of another engine, understood as a table in memory is.

Columns are decided by their names, and the distinct raters and values, which are few, go through the same reader as a
table in a file: what is missing, what is spelled in two ways and who is a model is decided once. Rows never come here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.choices import Choices
from concordant.digits import counted
from concordant.engines.remote import Clustering, NeedsRows, RemoteTable, chosen_engine, open_table, spelled
from concordant.engines.repeats import PICKED, ROW, with_rows
from concordant.errors import InputError
from concordant.model.columns import encode, encode_series
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.readers import Where, chosen_rows, judgement_table, span_table
from concordant.readers.format import Format, Recognized
from concordant.readers.layout import TEXTS, Layout, TableOptions, decide, keys_beside, plain
from concordant.readers.rater_kinds import USUAL, RaterKinds
from concordant.readers.span_table import SpanTableOptions
from concordant.readers.table import Table
from concordant.readers.unit_columns import units_beside

NOT_HERE = ("encoding", "separator", "sheet")
"""What other engines cannot be told about a table."""
WITH_ROWS = ("questions", "recode", "count", "case", "empty")
"""What takes a look at the rows, so that these come to memory."""
TIMES = re.compile(r" \((once|[\d,]+ times)\)")  # rows are not seen here, so they are not counted
WHERE = re.compile(r"^[\d,]+ (?=cells? without a value)| in rows? [\d, ]+(and [\d,]+ more )?(?=of ')")
OF_ROWS = re.compile(r"empty cells? taken for missing|^not used")


def judgements_there(
    opened: RemoteTable,
    options: TableOptions,
    *,
    where: Where = (),
    raters: Sequence[str] | None = None,
    kinds: RaterKinds | None = None,
) -> RemoteTable:
    """The table with the roles of its columns, only these rows and raters, and what its cells mean.

    `NeedsRows` is raised where that takes more than patterns.
    """
    _refuse_reading(opened, options)
    names, usual = opened.columns, TableOptions()
    with_rows_only = any(getattr(options, name) != getattr(usual, name) for name in WITH_ROWS)
    layout = None if with_rows_only else decide(names, options, opened.file)
    if layout is None:
        raise NeedsRows("only long tables are counted by another engine", file=opened.file)
    for name in sorted(layout.names):
        opened.column(name)
    if options.unit is None and (keys := keys_beside(layout.unit, names)):
        what = f"column {keys[0]!r} may be the key of {layout.unit!r}, and which it is takes a look at the rows"
        raise InputError(what, file=opened.file, hint=f"say --unit {keys[0]} or --unit {layout.unit}")
    no_units = frozenset() if plain(layout.unit) in TEXTS else TEXTS
    others = [name for name in opened.columns if name not in layout.names and plain(name) not in no_units]
    if options.unit is None and (finer := units_beside(layout.unit, others)):
        what = f"column {finer[0]!r} may name the units beside {layout.unit!r}, which takes a look at the rows"
        raise InputError(what, file=opened.file, hint=f"say --unit {finer[0]} or --unit {layout.unit}")
    if layout.unit not in opened.columns and {*layout.unit.split(",")} <= {*opened.columns}:
        what = "other engines take one column for the unit"
        raise InputError(what, file=opened.file, hint="use --engine memory, or join the columns into one")
    opened.column(layout.unit)
    roles = {name: getattr(layout, name) for name in ("unit", "rater", "value", "question")}
    shown = judgement_table.JUDGED_UNIT
    texts = Clustering("texts", shown, is_chosen=False) if shown in {*names} - layout.names else None
    how = {**roles, "level": options.level, "categories": options.categories, "cluster": texts}
    table = replace(opened, **how, duplicates=options.duplicates)
    table = with_rows(table) if options.duplicates in PICKED else table
    for name, values in where.items() if isinstance(where, Mapping) else where:
        table = table.where(name, values)
    return _understood(table, layout, options, raters, kinds or RaterKinds())


def _refuse_reading(opened: RemoteTable, options: Choices) -> None:
    """How a file is read is the engine's own business."""
    for name in NOT_HERE:
        if getattr(options, name, None) is not None:
            hint = f"leave out {name}, or use --engine memory"
            raise InputError(f"{opened.engine} tables have no option {name!r}", file=opened.file, hint=hint)


def decided(engine: str, paths: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The engine that was asked for, or the one that `auto` chooses with the reason."""
    if engine != "auto":
        return engine, ()
    chosen, why = chosen_engine(paths)
    return chosen, (why,)


def in_memory(opened: RemoteTable, options: TableOptions, where: Where = ()) -> Study:
    """The judgements of a table of another engine, brought here: it reads and chooses rows, memory does the rest."""
    _refuse_reading(opened, options)
    names = columns = opened.columns
    if options.duplicates in PICKED:  # then the order of rows says which came first
        opened = with_rows(opened)
        opened = replace(opened, frame=opened.frame.sort(ROW))
    for name, values in where.items() if isinstance(where, Mapping) else where:
        opened = opened.where(name, values)
    layout = decide(columns, options, opened.file)
    if layout is not None and options.attributes is not None:
        more = [*keys_beside(layout.unit, columns), *units_beside(layout.unit, columns)]
        keys = layout.unit.split(",") if options.unit else more
        kept = {*layout.names, *options.attributes, *USUAL, *keys, judgement_table.JUDGED_UNIT}
        columns = [name for name in columns if name in kept]
    frame = opened.fetched(columns)
    encoded = {name: encode_series(frame[name]) for name in columns}
    table = Table(opened.file, encoded, tuple(names), np.arange(1, len(frame) + 1))
    note = f"read by {opened.engine} and counted in memory: {counted(len(frame), 'row')}"
    return judgement_table.judgements_of(table._replace(notes=(note,)), options)


def spans_there(opened: RemoteTable, options: SpanTableOptions) -> SpanTable:
    """The spans of a table of another engine, brought here: there are few of them beside the work they make."""
    _refuse_reading(opened, options)
    frame = opened.fetched(names := opened.columns)
    columns = {name: encode_series(frame[name]) for name in names}
    note = f"read by {opened.engine}: {counted(len(frame), 'span')}"
    table = Table(opened.file, columns, tuple(names), np.arange(1, len(frame) + 1), notes=(note,))
    return span_table.spans_of(table, options, only_text="")


def holds_spans(opened: RemoteTable, kinds: Sequence[str] = (), name: str | None = None) -> bool:
    """Whether a table is one of spans: as was asked for, or by its columns."""
    if name is not None or len(kinds) == 1:
        return name == span_table.FORMAT.name or "spans" in kinds
    names = {column.casefold() for column in opened.columns}
    return span_table.confidence(names) > judgement_table.confidence(names)


def format_of(
    engine: str, paths: Sequence[str], where: Where = (), kinds: Sequence[str] = (), name: str | None = None
) -> Recognized:
    """What is read by an engine, as a format: a table of judgements or of spans."""
    known = (judgement_table.FORMAT.name, span_table.FORMAT.name)
    if name not in (None, *known) or (kinds and not {"judgements", "spans"} & {*kinds}):
        what = f"the engine {engine} reads tables of judgements and of spans only"
        raise InputError(what, file=paths[0], hint="use --engine memory")
    opened = open_table(engine, *paths)
    if holds_spans(opened, kinds, name):

        def read_spans(*paths: str, options: SpanTableOptions) -> SpanTable:
            return spans_there(open_table(engine, *paths), options)

        found = span_table.FORMAT._replace(read=read_spans)
        return Recognized(found, 1.0, "as was asked for")

    def read(*paths: str, options: TableOptions) -> Study:
        return in_memory(open_table(engine, *paths), options, where)

    help_text = f"A table of judgements, read by {engine}."
    return Recognized(
        Format("table", "judgements", help_text, read, (), TableOptions, most=None), 1.0, "as was asked for"
    )


def _understood(
    table: RemoteTable, layout: Layout, options: TableOptions, raters: Sequence[str] | None, kinds: RaterKinds
) -> RemoteTable:
    """What the distinct raters and values mean, found by the reader of tables in memory."""
    if kinds.model_file is not None:
        raise InputError("a file of models is read in memory only", file=table.file, hint="use --engine memory")
    told = [kinds.kind_column] if kinds.kind_column else [name for name in USUAL if name in table.columns][:1]
    cells = table.distinct("rater", "value", *told) if told else table.cells
    columns = dict(zip((layout.rater, layout.value, *told), zip(*cells, strict=True), strict=True)) if cells else {}
    if not columns:
        raise InputError("there is no judgement", file=table.file)
    texts = {name: encode([spelled(cell) for cell in column]) for name, column in columns.items()}
    texts[layout.unit] = encode([str(i) for i in range(len(cells))])
    names = tuple(texts)
    own = replace(options, question=None, unit=layout.unit, rater=layout.rater, value=layout.value, attributes=None)
    few = Table(table.file, texts, names, np.arange(len(cells)))
    found = chosen_rows(judgement_table.judgements_of(few, own), (), raters, kinds, {})
    how: dict[str, Any] = {"spelled": _meanings(found, cells), "notes": _notes(found, layout), "level": found.level}
    return replace(table, seen=None if told else cells, **how)


def _meanings(found: Study, cells: Sequence[tuple[Any, ...]]) -> dict[str, dict[Any, str]]:
    """How each rater and value that stands there is called."""
    rows = np.arange(found.n_rows) if found.row_numbers is None else found.row_numbers
    value, who = found.value.as_labels(), found.rater
    meant: dict[str, dict[Any, str]] = {"rater": {}, "value": {}}
    for row, rater, code in zip(rows.tolist(), who.codes.tolist(), value.codes.tolist(), strict=True):
        if rater >= 0:
            meant["rater"][cells[row][0]] = who.labels[rater]
        if code >= 0:
            meant["value"][cells[row][1]] = value.labels[code]
    return meant


def _notes(found: Study, layout: Layout) -> tuple[str, ...]:
    """What is said about the columns and cells, without how many rows have them."""
    said = [*layout.notes, *(note for note in found.notes if note not in layout.notes)]
    return tuple(WHERE.sub("", TIMES.sub("", note)) for note in said if not OF_ROWS.search(note))
