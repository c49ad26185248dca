"""Tables of judgements, long or wide, from any file that holds a table.

Which column is the unit, the rater, the value is as the user says, or guessed when obvious and then said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.columns import Column, blank_out
from concordant.model.scale import Level, level_named
from concordant.model.study import Study
from concordant.readers.doubts import refuse_second_table
from concordant.readers.format import LAST, POSSIBLE, SURE, Format
from concordant.readers.headers import (
    refuse_second_header,
    refuse_tail,
    refuse_values_as_names,
    without_empty_rows,
    without_footer,
    without_repeated_names,
    without_totals,
)
from concordant.readers.json_records import is_of_columns, names_of_first
from concordant.readers.layout import Layout, TableOptions, decide, keys_beside, usual, with_key
from concordant.readers.looks import EMPTY
from concordant.readers.rater_kinds import USUAL
from concordant.readers.reshaping import decide_turned, pairs_in, recoded, with_pairs, with_questions
from concordant.readers.sheet_errors import told, without_errors
from concordant.readers.spelling import (
    alike,
    numbered,
    one_label_each,
    padded_times,
    say_doubts,
    say_shifted,
    trimmed,
    without_missing,
)
from concordant.readers.table import ENDINGS, RECORDS, Table, header, read_table
from concordant.readers.together import tables_together
from concordant.readers.unit_columns import refuse_other_units, units_beside, with_joined_unit
from concordant.readers.wide import decide_wide

JUDGED_UNIT = "judged_unit"  # in the export of a study: the unit shown, whose copies were judged with it
NOT_ASKED = "an attribute that nothing asks for"


def read(path: str | Path, *more: str | Path, options: TableOptions) -> Study:
    """The judgements of a file, or of several with the same columns; only columns that are wanted are read."""

    def wanted(names: Sequence[str]) -> set[str] | None:
        layout = None if pairs_in(names, options) else decide(names, options, str(path))
        if layout is None or options.attributes is None:
            return None
        more = {JUDGED_UNIT, *USUAL} & set(names)
        if options.unit is None:
            more |= {*keys_beside(layout.unit, names), *units_beside(layout.unit, names)}
        elif options.unit not in names:  # columns that name it together
            return None
        return layout.names | set(options.attributes) | more

    only = wanted if not options.questions and not options.recode else lambda names: None
    how: dict[str, Any] = {"encoding": options.encoding, "separator": options.separator, "sheet": options.sheet}
    tables = [read_table(one, only=only, **how) for one in (path, *more)]
    together = tables_together(tables)
    try:
        return judgements_of(together, options)
    except InputError as error:
        for table in tables if more and ", row " in str(error) else ():  # a row is one of a file: which?
            judgements_of(table, replace(options, recode=()))
        raise


def judgements_of(table: Table, options: TableOptions) -> Study:
    """The judgements of a table, wherever it comes from."""
    table = with_joined_unit(recoded(table, options.recode), options)
    table, options = with_pairs(table, options)
    table, options = with_questions(table, options) if options.questions else (table, options)
    roles = (options.unit, options.rater, options.value, options.question)
    for name in (*roles, *(options.attributes or ())):
        if name is not None and name not in ("unit", "rater", "value", "question"):
            table.expect(name)
    table, layout, left_out = _without_others(table, options)
    table = _only_values_with_errors(table, layout)
    asked = set(options.attributes or ()) if options.attributes is not None else set(table.columns)
    asked |= {*USUAL, layout.text} & set(table.columns)
    asked -= {name for name, why in layout.others.items() if why == EMPTY}
    kept = {name: column for name, column in table.columns.items() if name in asked - layout.names}
    study = _long(table, layout, kept) if layout.rater else _wide(table, layout, kept)
    level = None if options.level is None else level_named(options.level)
    categories, notes = options.categories, [*table.notes, *layout.notes]
    if kept_others := [f"{name!r} ({layout.others[name]})" for name in study.attributes if name in layout.others]:
        notes.append(f"not taken for raters: {', '.join(kept_others)}")
    orders = {table.orders.get(name, ()) for name in ([layout.value] if layout.rater else layout.raters)}
    order = tuple(one for one in orders.pop() if one not in options.missing) if len(orders) == 1 else ()
    if order and categories is None and level in (None, Level.ORDINAL):
        level, categories = Level.ORDINAL, order
        notes.append(f"the values are ordered categories ({' < '.join(order)}): read as ordinal")
    study = spelled(replace(study, level=level, categories=categories), options, notes)
    return replace(
        study,
        duplicates=options.duplicates,
        notes=tuple(notes),
        left_out=tuple(left_out),
        unused={
            name: layout.others.get(name, NOT_ASKED)
            for name in table.names
            if name not in {*layout.names, *study.attributes, *([JUDGED_UNIT] if study.clusters else [])}
        },
    )


def _only_values_with_errors(table: Table, layout: Layout) -> Table:
    """The table with errors of a spreadsheet blank and said; judgements keep them until empty cells are known."""
    values = (layout.value,) if layout.rater else layout.raters
    blank = {name: column if name in values else without_errors(column) for name, column in table.columns.items()}
    return table._replace(columns=blank, notes=(*table.notes, *told(table.columns, table.row_numbers)))


def spelled(study: Study, options: TableOptions, notes: list[str]) -> Study:
    """The study with cells that mean one thing as one, and those that mean missing blank; all of it is said."""
    value = blank_out(study.value.as_labels(), set(options.missing)) if options.missing else study.value
    if options.empty is not None and (n := study.value.n_blank):
        value = filled(study.value.as_labels(), options.empty)
        notes.append(f"{counted(n, 'empty cell')} taken for {options.empty!r}, as --empty says")
        value = blank_out(value, set(options.missing)) if options.missing else value
    fold = options.case == "fold"
    value = without_errors(value)
    if options.empty is None:
        notes += [f"{counted(n, 'empty cell')} taken for missing"] if (n := study.value.n_blank) else []
    if study.categories is None:
        value = padded_times(one_label_each(without_missing(value, notes), notes), notes)
        value = alike(value, "values", fold=fold, notes=notes)
        if study.level is not Level.SET:
            say_doubts(value, notes)
            say_shifted(value, study.rater, notes)
    return replace(
        study,
        unit=alike(numbered(study.unit, "units", notes), "units", fold=fold, notes=notes),
        rater=alike(numbered(study.rater, "raters", notes), "raters", fold=fold, notes=notes),
        value=value,
    )


def filled(column: Column, label: str) -> Column:
    """The column with this label where it is blank."""
    labels = list(column.labels) if label in column.labels else [*column.labels, label]
    return Column(codes=np.where(column.codes < 0, labels.index(label), column.codes), labels=labels)


def _without_others(table: Table, options: TableOptions) -> tuple[Table, Layout, list[tuple[int, str]]]:
    """The table without rows that are no judgements, its layout, and how many rows were left out."""
    columns, said = trimmed(table.columns)
    table, names_again = without_repeated_names(table._replace(columns=columns, notes=(*table.notes, *said)))
    if (long := decide(table.names, options, table.file)) is not None:
        roles = [long.unit, long.rater, long.value]
        for name in roles:
            table.expect(name)
        table, empty = without_empty_rows(table, roles)
        refuse_second_table(table, long.unit)
        keyed = with_key(table, long, options)
        refuse_other_units(table, keyed, options)
        return table, keyed, names_again + empty
    table, empty = without_empty_rows(table, table.names)
    if not options.raters:
        refuse_values_as_names(table)
        refuse_second_header(table, table.names[1:])
    layout = decide_turned(table, options) if options.rows == "raters" else decide_wide(table, options)
    if layout.unit:
        refuse_second_table(table, layout.unit)
    table, below = without_footer(table, layout)
    table, computed = without_totals(table, layout)
    refuse_tail(table, layout)
    return table, layout, names_again + empty + below + computed


def melt(table: Table, layout: Layout) -> tuple[Column, Column, Column, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """A wide table in long form: the columns unit, rater and value, and the row that each judgement came from."""
    columns = [table.columns[name].as_labels() for name in layout.raters]
    labels = list(dict.fromkeys(label for column in columns for label in column.labels))
    place = {label: i for i, label in enumerate(labels)}
    codes = [np.array([*(place[label] for label in c.labels), -1])[c.codes] for c in columns]
    rows = np.tile(np.arange(table.n_rows), len(columns))
    rater = Column(codes=np.repeat(np.arange(len(columns)), table.n_rows), labels=list(layout.raters))
    value = Column(codes=np.concatenate(codes), labels=labels)
    if layout.unit:
        return table.column(layout.unit).as_labels().take(rows), rater, value, rows
    return Column(codes=rows, labels=[str(i + 1) for i in range(table.n_rows)]), rater, value, rows


def _long(table: Table, layout: Layout, kept: Mapping[str, Column]) -> Study:
    """One row per judgement, with the further columns that are kept.

    An export of a study says which unit was shown: its copies belong together.
    """
    shown = table.columns.get(JUDGED_UNIT)
    return Study(
        name=table.file,
        unit=table.column(layout.unit).as_labels(),
        rater=table.column(layout.rater).as_labels(),
        value=table.column(layout.value),
        question=None if layout.question is None else table.column(layout.question).as_labels(),
        attributes=kept,
        clusters={} if shown is None or JUDGED_UNIT in layout.names else {"texts": shown.as_labels()},
        role_of={name: role for role in ("unit", "rater", "value", "question") if (name := getattr(layout, role))},
        row_numbers=table.row_numbers,
    )


def _wide(table: Table, layout: Layout, kept: Mapping[str, Column]) -> Study:
    """One row per unit, one column per rater; a column of counts repeats its row that many times."""
    unit, rater, value, rows = melt(table, layout)
    study = Study(
        name=table.file,
        unit=unit,
        rater=rater,
        value=value,
        attributes={name: column.take(rows) for name, column in kept.items()},
        role_of={layout.unit: "unit"} if layout.unit else {},
        models=layout.models,
        row_numbers=table.row_numbers[rows],
    )
    if layout.is_turned:
        roles = dict.fromkeys(study.role_of, "rater")
        return replace(study, unit=rater, rater=unit, role_of=roles)
    if layout.times is None:
        return study
    text = table.column(layout.times).text()
    try:
        counts = text.astype(np.int64)[rows]
    except ValueError:
        row = int(table.row_numbers[next(i for i, cell in enumerate(text) if not str(cell).isdecimal())])
        raise InputError("a count must be a whole number", file=table.file, row=row, column=layout.times) from None
    return repeated(study, counts)


def repeated(study: Study, counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Study:
    """Each row as often as its count; the copies of a row are units of their own."""
    rows = np.repeat(np.arange(study.n_rows), counts)
    copy = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    copies = study.take(rows)
    size = int(counts.max()) + 1
    used, codes = np.unique(copies.unit.codes.astype(np.int64) * size + copy, return_inverse=True)
    labels = [f"{study.unit.labels[key // size]}#{key % size + 1}" for key in used.tolist()]
    return replace(copies, unit=Column(codes=codes.reshape(-1), labels=labels))


def confidence(names: set[str]) -> float:
    """Any table may be one of judgements; one with the columns unit, rater and value is."""
    return SURE if {"unit", "rater", "value"} <= names else POSSIBLE


def sniff(path: Path, head: str) -> float:
    """Any file may be a table."""
    if path.is_dir():
        return 0.0
    if str(path) != "-" and path.suffix.casefold() not in ENDINGS:
        return 0.0 if head.lstrip("\ufeff \n\r\t")[:1] in ("<", "{", "[", "(", "%") or "\0" in head else LAST
    names = header(path, head)
    if names or path.suffix.casefold() != RECORDS:
        return confidence(names)
    own = names_of_first(head)  # of objects in objects: a table whose reader says which
    is_table = sum(usual(role, own) is not None for role in ("unit", "rater", "value")) > 1
    return LAST * (is_table or is_of_columns(head))


FORMAT = Format(
    name="table",
    holds="judgements",
    help="A table of judgements: one per row, or one column for each rater.",
    read=read,
    options=TableOptions,
    sniff=sniff,
    most=None,
)
