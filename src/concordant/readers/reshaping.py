"""Tables changed before they are read as judgements: values read as others, and columns that are questions."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from concordant.digits import counted
from concordant.errors import InputError, nearest
from concordant.model.columns import Column, stacked
from concordant.readers.layout import TableOptions
from concordant.readers.table import Table

QUESTION, VALUE = "question", "value"


def recoded(table: Table, said: Sequence[str]) -> Table:
    """The table with values read as others, as `COLUMN:OLD=NEW` says; what is not there is refused."""
    columns, notes = dict(table.columns), list(table.notes)
    for one in said:
        name, colon, change = one.partition(":")
        old, equals, new = (part.strip() for part in change.partition("="))
        if not (colon and equals):
            raise InputError(f"{one!r} is not COLUMN:OLD=NEW", hint="for example rating:good=1")
        table.expect(name.strip())
        column = columns[name.strip()].as_labels()
        if old not in column.labels:
            raise InputError(
                "there is no such value", file=table.file, column=name, hint=nearest(old, list(column.labels))
            )
        labels = [label for label in dict.fromkeys(new if each == old else each for each in column.labels) if label]
        place = {label: number for number, label in enumerate(labels)} | {"": -1}
        codes = np.array([*(place[new if each == old else each] for each in column.labels), -1])[column.codes]
        n = int((column.codes == column.labels.index(old)).sum())
        notes.append(f"{counted(n, 'cell')} of {name.strip()!r} with {old!r} read as {repr(new) if new else 'missing'}")
        columns[name.strip()] = Column(codes=codes, labels=labels)
    return table._replace(columns=columns, notes=tuple(notes))


def with_questions(table: Table, options: TableOptions) -> tuple[Table, TableOptions]:
    """The table in long form, a row for each of the columns that are questions."""
    if options.question or options.value:
        raise InputError("columns are questions, so no column names the question or the value", file=table.file)
    for name in options.questions:
        table.expect(name)
    others = [name for name in table.names if name not in options.questions]
    if taken := next((name for name in (QUESTION, VALUE) if name in others), None):
        raise InputError(f"the column {taken!r} is in the way", file=table.file, hint="rename it")
    n, times = table.n_rows, len(options.questions)
    rows = np.tile(np.arange(n), times)
    asked = Column(codes=np.repeat(np.arange(times), n), labels=list(options.questions))
    values = stacked([table.column(name).as_labels() for name in options.questions])
    columns = {name: table.columns[name].take(rows) for name in others if name in table.columns}
    long = table._replace(
        columns={**columns, QUESTION: asked, VALUE: values},
        names=(*others, QUESTION, VALUE),
        row_numbers=table.row_numbers[rows],
        orders={},
    )
    return long, replace(options, questions=(), question=QUESTION, value=VALUE)
