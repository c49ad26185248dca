"""Which column names the units, where the rows say more than one name: columns that do so together, and doubts.

`--unit doc,sentence` takes two columns together, since sentence 1 of one document is not sentence 1 of another.
"""

import re
from collections.abc import Sequence

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.readers.layout import KNOWN, Layout, TableOptions, asked, plain, quoted
from concordant.readers.table import Table

BETWEEN = " · "  # what stands between the parts of a unit's name
ROUNDED = re.compile(r"\d([.,]\d+)?[eE]\+\d+")  # how a spreadsheet shows a number of more digits than it keeps
UNITS = frozenset({"unit", "unit_id", "response_id"})  # names that say that there is no finer unit


def units_beside(unit: str, names: Sequence[str]) -> list[str]:
    """The columns that are called as units are, beside the one that was taken; none beside one called `unit`."""
    known = {*KNOWN["unit"]} - UNITS
    return [] if plain(unit) in UNITS else [name for name in names if name != unit and plain(name) in known]


def with_joined_unit(table: Table, options: TableOptions) -> Table:
    """The table with one more column, where several together name the unit (`--unit doc,sentence`)."""
    said = options.unit
    if said is None or said in table.names or "," not in said:
        return table
    names = said.split(",")
    for name in names:
        table.expect(name)
    columns = [table.columns[name].as_labels() for name in names]
    codes = np.array([column.codes for column in columns])
    known = np.flatnonzero((codes >= 0).all(axis=0))
    rows, of_row = np.unique(codes[:, known], axis=1, return_inverse=True)
    made = np.full(table.n_rows, -1, dtype=np.int64)
    made[known] = of_row.reshape(-1)
    labels = [BETWEEN.join(c.labels[i] for c, i in zip(columns, row, strict=True)) for row in rows.T.tolist()]
    note = f"columns {' and '.join(map(repr, names))} name the unit together"
    return table._replace(
        columns={**table.columns, said: Column(codes=made, labels=labels)},
        names=(*table.names, said),
        notes=(*table.notes, note),
    )


def refuse_other_units(table: Table, layout: Layout, given: TableOptions) -> None:
    """Ask where one unit has several names in another column of units: those may be the units, or both together.

    A column with a name of its own for every row numbers the judgements, and says nothing; nor do running texts.
    """
    unit = table.columns[layout.unit].as_labels()
    if given.unit is not None or are_texts(unit):
        return
    refuse_rounded(table, layout.unit, unit)
    for name in units_beside(layout.unit, [name for name in table.columns if name not in layout.names]):
        other = table.columns[name].as_labels()
        rows = np.flatnonzero((unit.codes >= 0) & (other.codes >= 0))
        pairs = np.unique(np.array([unit.codes[rows], other.codes[rows]]), axis=1)
        n_units, n_others = (np.unique(part).size for part in pairs)
        if n_others == len(rows) or pairs.shape[1] == n_units or are_texts(other):
            continue
        i = int(np.argmax(np.bincount(pairs[0])))
        several = [other.labels[code] for code in pairs[1, pairs[0] == i][:2].tolist()]
        what = f"{layout.unit!r} {unit.labels[i]!r} stands beside {name!r} {several[0]!r} and {several[1]!r}"
        finer = name if pairs.shape[1] == n_others else f"{name},{layout.unit}"
        which = f"--unit {quoted(finer)}", f"--unit {quoted(layout.unit)}"
        raise asked(table, f"{what}, so that the units may be others", *which)


def are_texts(column: Column) -> bool:
    """Whether most labels of a column have several words, so that they are texts and no names."""
    labels = column.labels[:1000]
    return 2 * sum(" " in label for label in labels) > len(labels)


def refuse_rounded(table: Table, name: str, unit: Column) -> None:
    """Numbers of units that a spreadsheet rounded (1.23457E+17) may be several units in one: ask."""
    rounded = [label for label in unit.labels[:1000] if ROUNDED.fullmatch(label)]
    if rounded:
        what = (
            f"{rounded[0]!r} is a long number that a spreadsheet rounded, so that different units may have become one"
        )
        hint = f"export these names as text, or say --unit {quoted(name)} if they still differ"
        raise InputError(what, file=table.file, column=name, hint=hint)


def several_rows(table: Table, unit: str, raters: Sequence[str]) -> InputError:
    """A unit in several rows: a column should say who judged, or which unit it is; or raters judged it again."""
    column = table.columns[unit].as_labels()
    codes, times = np.unique(column.codes, return_counts=True)
    most = int(times.argmax())
    if codes[most] < 0:
        row = int(table.row_numbers[np.argmax(column.codes < 0)])
        return InputError("there is no unit", file=table.file, row=row, column=unit, hint="name every unit once")
    what = f"unit {column.labels[codes[most]]!r} stands in {times[most]} rows, and no column says who judged"
    several = f"if {raters[0]}, {raters[1]} … are raters who judged units several times, say --duplicates last"
    for name in table.names:
        if name not in (unit, *raters) and not table.columns[name].n_blank:
            both = np.array([column.codes, table.columns[name].as_labels().codes])
            if np.unique(both, axis=1).shape[1] == table.n_rows:
                several += f"; if {name!r} says which of them it is, say --unit {quoted(f'{unit},{name}')}"
                break
    return InputError(what, file=table.file, column=unit, hint=f"name that column with --rater and --value; {several}")
