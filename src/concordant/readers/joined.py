"""Attributes that come later, in a table of their own: classes of units, what is known of raters.

The table has a row for each unit or rater; its key is the column with a usual name for one, or the first. Who has no
row has blank attributes, and that is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.model.study import Study
from concordant.readers.layout import usual
from concordant.readers.sheet_errors import without_errors
from concordant.readers.spelling import trimmed

OWNERS = ("unit", "rater")


class Join(NamedTuple):
    """Columns about units or raters, and in which row of them each stands."""

    file: str
    on: str
    places: Mapping[str, int]
    columns: Mapping[str, Column]


def joins_of(attributes: Any, on: Any) -> list[Join]:
    """What to join: a table in a file or data frame and `on`, or lists of both of the same length."""
    owners = [on] if isinstance(on, str) else list(on or ())
    tables = list(attributes) if isinstance(attributes, list | tuple) else [attributes]
    if len(owners) != len(tables) or None in tables:
        what = f"{counted(len(owners), 'owner')} of {counted(len(tables) - tables.count(None), 'table')} of attributes"
        raise InputError(what, hint="say --attributes FILE --on unit, or --on rater, once for each file")
    return [_join(table, owner) for table, owner in zip(tables, owners, strict=True)]


def _join(thing: Any, on: str) -> Join:
    """One table of attributes."""
    from concordant.readers.data import any_table

    if on not in OWNERS:
        raise InputError(f"attributes are on a unit or a rater, not {on!r}", hint="say --on unit or --on rater")
    table = any_table(thing)
    columns, _ = trimmed({name: without_errors(column) for name, column in table.columns.items()})
    key = usual(on, table.names) or table.names[0]
    names = columns.pop(key).as_labels()
    if not columns:
        raise InputError("there are no attributes in it", file=table.file, hint=f"{key!r} names the {on}s")
    if names.n_blank:
        row = int(table.row_numbers[np.argmax(names.codes < 0)])
        raise InputError(f"there is no {on}", file=table.file, row=row, column=key, hint=f"name the {on} in every row")
    _, first = np.unique(names.codes, return_index=True)
    if len(first) < len(names):
        again = int(np.setdiff1d(np.arange(len(names)), first)[0])
        what = f"{on} {names.labels[int(names.codes[again])]!r} has a second row"
        raise InputError(what, file=table.file, row=int(table.row_numbers[again]), column=key, hint="keep one of them")
    places = {str(label): place for place, label in enumerate(names.text().tolist())}
    return Join(table.file, on, places, columns)


def with_attributes(data: Any, joins: Sequence[Join]) -> Any:
    """The study with these columns as attributes; what fits nowhere is an error, what fits in part is said."""
    for join in joins:
        if not isinstance(data, Study):
            raise InputError("only judgements take attributes of another table", hint="leave out --attributes and --on")
        owner = (data.unit if join.on == "unit" else data.rater).as_labels()
        rows = np.array([*(join.places.get(label, -1) for label in owner.labels), -1])
        n_known = int((rows[:-1] >= 0).sum())
        if not n_known:
            what = f"none of its rows names a {join.on} of the judgements"
            hint = f"it has {next(iter(join.places))!r}, the judgements have {owner.labels[0]!r}"
            raise InputError(what, file=join.file, hint=hint)
        known = {"unit", "rater", "value", "question", *data.role_of, *data.attributes}
        if taken := next((name for name in join.columns if name in known), None):
            hint = "rename it in the table of attributes"
            raise InputError("the judgements have a column of this name", file=join.file, column=taken, hint=hint)
        made = {name: _spread(column.as_labels(), rows[owner.codes]) for name, column in join.columns.items()}
        lacking, left = len(owner.labels) - n_known, len(join.places) - n_known
        note = f"joined from {join.file}: {', '.join(join.columns)} of {counted(n_known, join.on)}"
        note += f"; {counted(lacking, join.on)} without" if lacking else ""
        note += f"; {counted(left, 'row')} of it about nobody here" if left else ""
        data = replace(data, attributes={**data.attributes, **made}, notes=(*data.notes, note))
    return data


def _spread(column: Column, rows: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Column:
    """An attribute in every row of the judgements."""
    return Column(codes=np.append(column.codes, -1)[rows], labels=column.labels)
