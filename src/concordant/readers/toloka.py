"""Toloka's TSV of assignments: a row for each task of each assignment.

The rater is the worker, the unit the task (its id, or what was shown where the ids were not exported), every
`OUTPUT:…` column a question. `INPUT:…` columns are attributes of units. `GOLDEN:…` columns hold the expected answers of
control tasks: they are nobody's judgements, and the rows of such tasks are left out unless `control` says to keep them,
since their answers were known beforehand. Rejected, skipped and expired assignments are left out.
"""

import json
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from concordant.choices import choice
from concordant.errors import InputError
from concordant.model.columns import Column, encode
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.answers import TableAnswerOptions, asked, is_several, value_text
from concordant.readers.format import SURE, Format
from concordant.readers.survey_table import read_survey, why_no_question
from concordant.readers.table import Table, header

INPUT, OUTPUT, GOLDEN = "INPUT:", "OUTPUT:", "GOLDEN:"
WORKER, TASK, STATUS = "ASSIGNMENT:worker_id", "ASSIGNMENT:task_id", "ASSIGNMENT:status"
LOST = ("REJECTED", "SKIPPED", "EXPIRED", "ACTIVE")


class TolokaOptions(TableAnswerOptions):
    """What may be said about a pool."""

    control: Literal["drop", "keep"] = choice(
        "drop", "Answers to control tasks, whose answer was known: leave them out, or keep them."
    )


def read(path: str | Path, options: TolokaOptions) -> Study:
    """The answers of a pool."""
    table, _ = read_survey(path, options)
    outputs = [name for name in table.names if name.startswith(OUTPUT)]
    if not outputs:
        hint = "download the results of the pool, not its tasks"
        raise InputError("there is no OUTPUT column", file=table.file, hint=hint)
    questions: dict[str, Column] = {}
    scales: dict[str, Declared] = {}
    unused: dict[str, str] = {}
    for name in table.names:
        if name.startswith(OUTPUT):
            found = with_lists(table.columns[name])
            if why := why_no_question(name.removeprefix(OUTPUT), found[0]):
                unused[name] = why
            else:
                questions[name.removeprefix(OUTPUT)] = found[0]
                scales |= {name.removeprefix(OUTPUT): Declared(level=Level.SET)} if found[1] else {}
        elif name.startswith(GOLDEN):
            unused[name] = "the expected answer of a control task is not a judgement"
        elif name not in (WORKER, TASK) and not name.startswith(INPUT):
            unused[name] = "about the assignment, not an answer"
    if not questions:
        raise InputError("no OUTPUT column holds a judgement", file=table.file, hint="they are times, texts or empty")
    is_lost, is_control = lost(table), controls(table)
    is_dropped = is_control & ~is_lost & (options.control == "drop")
    return asked(
        table,
        options,
        unit=unit_of(table),
        rater=table.column(WORKER),
        questions=questions,
        rows=~is_lost & ~is_dropped,
        attributes=[name for name in table.names if name.startswith(INPUT)],
        unused=unused,
        left_out=[
            (int(is_lost.sum()), "rejected, skipped or expired assignments"),
            (int(is_dropped.sum()), "control tasks, whose answer was known (say --read control=keep)"),
        ],
        notes=[f"tasks are told by what was shown: there is no column {TASK}"] * (TASK not in table.names),
        scales=scales,
    )


def lost(table: Table) -> NDArray[np.bool_]:
    """The rows of assignments that do not count."""
    status = table.columns[STATUS].text() if STATUS in table.names else np.array([""])
    return np.broadcast_to(np.isin(status, LOST), (table.n_rows,))


def controls(table: Table) -> NDArray[np.bool_]:
    """The rows whose answer was known."""
    golden = [table.columns[name].as_labels().codes >= 0 for name in table.names if name.startswith(GOLDEN)]
    return np.any(golden, axis=0) if golden else np.zeros(table.n_rows, dtype=np.bool_)


def unit_of(table: Table) -> Column:
    """The tasks: by their ids, else by what was shown."""
    if TASK in table.names:
        return table.columns[TASK]
    shown = [table.columns[name].text() for name in table.names if name.startswith(INPUT)]
    if not shown:
        raise InputError("nothing names the task", file=table.file, hint=f"export the column {TASK}")
    return encode(np.array([" · ".join(map(str, cells)) for cells in zip(*shown, strict=True)], dtype=object))


def with_lists(column: Column) -> tuple[Column, bool]:
    """A column whose lists (`["a","b"]`) became sets, and whether it has any with several members."""
    plain = column.as_labels()
    if not any(label.startswith("[") for label in plain.labels):
        return column, False
    members = [listed(label) for label in plain.labels]
    is_set = any(map(is_several, members))
    labels = np.array([*(value_text(one, is_set) for one in members), ""], dtype=object)
    return encode(labels[plain.codes]), is_set


def listed(label: str) -> list[str]:
    try:
        found = json.loads(label)
    except (ValueError, RecursionError):
        return [label]
    return [str(one) for one in found] if isinstance(found, list) else [label]


def sniff(path: Path, head: str) -> float:
    """The prefixes of Toloka's columns."""
    names = header(path, head)
    has_answers = any(name.startswith(("output:", "input:")) for name in names)
    return SURE * (has_answers and any(name.startswith("assignment:") for name in names))


FORMAT = Format(
    name="toloka",
    holds="judgements",
    help="Toloka's TSV of assignments.",
    read=read,
    endings=(".tsv", ".csv", ".txt"),
    options=TolokaOptions,
    sniff=sniff,
)
