"""Cells that may mean something else than what a rater said: counts, shares, ticks, the names of another table."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from concordant.errors import InputError
from concordant.readers.headers import numbers_of
from concordant.readers.layout import asked, quoted
from concordant.readers.looks import Kind, Look
from concordant.readers.sheet_errors import ERRORS, labels_among
from concordant.readers.table import Table

IS_COUNT = re.compile(r"\d{1,9}")
LEAST_COUNTED = 3  # rows that add up to one number, for saying that they may be counts
WHOLES = (1.0, 100.0)  # what shares of categories add up to
PRINTED = 0.0101  # how far shares in print may be from that, for each of one


def refuse_ticks(table: Table, raters: Sequence[str]) -> None:
    """Where all cells that are not empty are the same (1, x), the empty ones may be its opposite: ask."""
    columns = [table.columns[name].as_labels() for name in raters]
    ticks = {label for column in columns for label in column.labels} - ERRORS
    if len(ticks) == 1 and any(column.n_blank for column in columns) and table.n_rows > 2:
        what = f"every cell of {', '.join(raters[:4])} holds {ticks.pop()!r} or nothing, which may mean no, or missing"
        raise asked(table, what, "--empty 0", f"--raters {quoted(*raters)}")


def refuse_counts(table: Table, raters: Sequence[str], looks: Mapping[str, Look]) -> None:
    """Rows of counts that add up to one number may say how many raters chose each category (Fleiss 1971): ask."""
    if table.n_rows < LEAST_COUNTED or any(looks[name].kind is not Kind.NUMBERS for name in raters):
        return
    columns = [table.columns[name].as_labels() for name in raters]
    if any(column.n_blank or not all(map(IS_COUNT.fullmatch, column.labels)) for column in columns):
        return
    counts = np.array([np.array(column.labels, dtype=np.int64)[column.codes] for column in columns])
    totals = np.unique(counts.sum(axis=0))
    if len(totals) == 1 and totals[0] > 1 and counts.min() == 0 and len(np.unique(counts)) > 2:
        what = f"every row adds up to {totals[0]}: the columns may be categories, each with its number of raters"
        raise asked(table, what, "--format category_counts", f"--raters {quoted(*raters)}")


def refuse_shares(table: Table, raters: Sequence[str], hint: str | None = None) -> None:
    """Rows of shares that add up to 1 or to 100 may say how likely each category is, and not what raters said: ask."""
    if table.n_rows < LEAST_COUNTED or len(raters) < 2:
        return
    cells = np.array([numbers_of(table.columns[name]) for name in raters])
    if np.isnan(cells).any() or cells.min() < 0:
        return
    for whole in WHOLES:
        is_whole = np.abs(cells.sum(axis=0) - whole).max() <= PRINTED * whole
        if is_whole and (cells != np.round(cells)).any() and len(np.unique(cells)) > 2:
            what = f"every row adds up to {whole:.0f}: the columns may be categories, each with its share"
            usual = f"shares are not what raters said; if these columns are raters, say --raters {quoted(*raters)}"
            raise InputError(what, file=table.file, hint=hint or usual)


def refuse_second_table(table: Table, unit: str) -> None:
    """A unit that is called like its column is the header of another table below this one."""
    column = table.columns[unit]
    if column.numbers is None and unit in labels_among(column, {unit}):
        row = int(table.row_numbers[np.argmax(column.codes == list(column.labels).index(unit))])
        what = f"{unit!r} stands below the column of that name: another table begins there"
        raise InputError(what, file=table.file, row=row, hint="put each table into a file of its own")
