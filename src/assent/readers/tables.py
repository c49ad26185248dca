"""Tables of judgements, long or wide, from any file that holds a table."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assent.errors import InputError, nearest
from assent.model.columns import Column, blank_out
from assent.model.scale import Level, level_named
from assent.model.study import Study
from assent.readers import delimited, workbook
from assent.readers.roles import Layout, Roles, decide, decide_wide, melt
from assent.readers.table import Table

WORKBOOKS = (".xlsx", ".xls", ".ods", ".parquet", ".jsonl", ".ndjson")


def read_table(
    path: str | Path,
    *,
    only: Callable[[Sequence[str]], set[str] | None] = lambda names: None,
    encoding: str | None = None,
    separator: str | None = None,
) -> Table:
    """Any file that holds a table; `-` is standard input. `only` picks the columns worth reading, None is all."""
    if str(path) == "-":
        return delimited.read_text(
            sys.stdin.buffer.read(), file="standard input", encoding=encoding, separator=separator
        )
    file = Path(path)
    _refuse_unreadable(file)
    if file.suffix.lower() in WORKBOOKS:
        return workbook.read(file)
    names = delimited.column_names(file, encoding=encoding, separator=separator)
    return delimited.read(file, encoding=encoding, separator=separator, only=only(names))


def table_names(path: str | Path, *, encoding: str | None = None, separator: str | None = None) -> Sequence[str]:
    """The names of the columns; of a text or Parquet file nothing else is read, however large it is."""
    file = Path(path)
    _refuse_unreadable(file)
    if file.suffix.lower() == ".parquet":
        return workbook.parquet_names(file)
    if file.suffix.lower() in WORKBOOKS:
        return workbook.read(file).names
    return delimited.column_names(file, encoding=encoding, separator=separator)


def _refuse_unreadable(file: Path) -> None:
    """Say what is wrong with a path before anything else is tried."""
    if not file.exists():
        around = [p.name for p in file.parent.iterdir()] if file.parent.is_dir() else []
        raise InputError("there is no such file", file=file, hint=nearest(file.name, around) if around else None)
    if file.is_dir():
        raise InputError("this is a directory", file=file, hint="name a file in it")


def read_study(
    path: str | Path,
    *,
    roles: Roles = Roles(),  # noqa: B008 (frozen)
    level: str | Level | None = None,
    categories: Sequence[str] | None = None,
    missing: Iterable[str] = (),
    attributes: Sequence[str] | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    duplicates: str = "refuse",
) -> Study:
    """Read judgements. `attributes` names the further columns to keep; None keeps all."""

    def wanted(names: Sequence[str]) -> set[str] | None:
        layout = decide(names, roles, str(path))
        return None if layout is None or attributes is None else layout.names | set(attributes)

    table = read_table(path, only=wanted, encoding=encoding, separator=separator)
    for name in (roles.unit, roles.rater, roles.value, roles.question, *(attributes or ())):
        if name is not None and name not in ("unit", "rater", "value", "question"):
            table.expect(name)
    layout = decide(table.names, roles, table.file) or decide_wide(table, roles)
    study = _wide(table, layout) if layout.is_wide else _long(table, layout)
    return _declare(
        study,
        level=level,
        categories=categories,
        missing=set(missing),
        duplicates=duplicates,
        notes=(*table.notes, *layout.notes),
    )


def _declare(
    study: Study,
    *,
    level: str | Level | None,
    categories: Sequence[str] | None,
    missing: set[str],
    duplicates: str,
    notes: tuple[str, ...],
) -> Study:
    """Add what the user declared about the values."""
    value = study.value
    if missing:
        value = blank_out(value.as_labels(), missing)
    return replace(
        study,
        value=value,
        level=None if level is None else level_named(level),
        duplicates=duplicates,
        categories=None if categories is None else tuple(categories),
        notes=notes,
    )


def _long(table: Table, layout: Layout) -> Study:
    """One row per judgement."""
    if layout.unit is None or layout.rater is None or layout.value is None:
        raise InputError("a long table needs unit, rater and value", file=table.file)
    return Study(
        name=table.file,
        unit=table.column(layout.unit).as_labels(),
        rater=table.column(layout.rater).as_labels(),
        value=table.column(layout.value),
        question=None if layout.question is None else table.column(layout.question).as_labels(),
        attributes={n: c for n, c in table.columns.items() if n not in layout.names},
        role_of={name: role for role in ("unit", "rater", "value", "question") if (name := getattr(layout, role))},
        row_numbers=table.row_numbers,
    )


def _wide(table: Table, layout: Layout) -> Study:
    """One row per unit, one column per rater; a column of counts repeats its row that many times."""
    columns, rows = melt(table, layout)
    attributes: dict[str, Column] = {n: c.take(rows) for n, c in table.columns.items() if n not in layout.names}
    study = Study(
        name=table.file,
        unit=columns["unit"],
        rater=columns["rater"],
        value=columns["value"],
        attributes=attributes,
        row_numbers=table.row_numbers[rows],
    )
    return study if layout.count is None else _repeated(study, _counts(table, layout.count)[rows])


def _counts(table: Table, name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The column of counts as whole numbers."""
    text = table.column(name).text()
    try:
        return text.astype(np.int64)
    except ValueError:
        row = next(i for i, cell in enumerate(text) if not str(cell).isdecimal())
        raise InputError(
            "a count must be a whole number", file=table.file, row=int(table.row_numbers[row]), column=name
        ) from None


def _repeated(study: Study, counts: np.ndarray[Any, np.dtype[np.int64]]) -> Study:
    """Each row as often as its count; the copies of a row are units of their own."""
    rows = np.repeat(np.arange(study.n_rows), counts)
    copy = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    repeated = study.take(rows)
    key = repeated.unit.codes.astype(np.int64) * (int(counts.max()) + 1) + copy
    used, codes = np.unique(key, return_inverse=True)
    labels = [
        f"{study.unit.labels[k // (int(counts.max()) + 1)]}#{k % (int(counts.max()) + 1) + 1}" for k in used.tolist()
    ]
    return replace(repeated, unit=Column(codes=codes.reshape(-1), labels=labels))
