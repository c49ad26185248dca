"""Mechanical Turk: the CSV of a batch, and the tables of Snow et al. (2008), EMNLP.

The unit is the HIT, the rater the worker, every `Answer.…` column a question: boxes that are true or false and share a
name (`Answer.mood.happy`, `Answer.mood.sad`) are one question of which some are ticked. `Input.…` columns are
attributes of units. Rejected assignments are left out. A column of gold answers is no rater.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column, encode
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.answers import TableAnswerOptions, asked
from concordant.readers.format import SURE, Format
from concordant.readers.survey_table import read_survey, why_no_question
from concordant.readers.table import Table, header, read_table

ANSWER, INPUT, ALL = "Answer.", "Input.", "Answer.taskAnswers"
SNOW = {"!amt_worker_ids", "orig_id", "response"}


def read(path: str | Path, options: TableAnswerOptions) -> Study:
    """The answers of a batch."""
    table, _ = read_survey(path, options)
    if ALL in table.names:
        table = unpacked(table)
    given = {name.removeprefix(ANSWER): table.columns[name] for name in table.names if name.startswith(ANSWER)}
    if not given:
        hint = "download the results of the batch, not its input"
        raise InputError("there is no Answer column", file=table.file, hint=hint)
    questions, sets = boxes_joined(given)
    unused = {
        name: "about the assignment, not an answer" for name in table.names if not name.startswith((ANSWER, INPUT))
    }
    for name in list(questions):
        is_button = name.casefold() == "submit" or questions[name].as_labels().labels == ["Submit"]
        if why := "a button" if is_button else why_no_question(name, questions[name]):
            unused[f"{ANSWER}{name}"] = why
            del questions[name]
    if not questions:
        raise InputError("no Answer column holds a judgement", file=table.file, hint="they are times, texts or empty")
    status = table.columns["AssignmentStatus"].text() if "AssignmentStatus" in table.names else np.array([""])
    is_kept = np.broadcast_to(status != "Rejected", (table.n_rows,))
    return asked(
        table,
        options,
        unit=table.column("HITId"),
        rater=table.column("WorkerId"),
        questions=questions,
        rows=is_kept,
        attributes=[name for name in table.names if name.startswith(INPUT)],
        unused={name: why for name, why in unused.items() if name not in ("HITId", "WorkerId")},
        left_out=[(int((~is_kept).sum()), "rejected assignments")],
        scales={name: Declared(level=Level.SET) for name in sets},
    )


def boxes_joined(given: Mapping[str, Column]) -> tuple[dict[str, Column], set[str]]:
    """Columns of boxes under one name as one question, and the questions of which several boxes were ticked."""
    groups: dict[str, list[str]] = {}
    for name, column in given.items():
        is_box = {label.casefold() for label in column.as_labels().labels} <= {"true", "false", "on"}
        groups.setdefault(name.rpartition(".")[0] if is_box and "." in name else name, []).append(name)
    questions, sets = {}, set()
    for question, names in groups.items():
        if names == [question]:
            questions[question] = given[question]
            continue
        ticked = np.array([np.isin(given[name].text(), ["true", "True", "TRUE", "on"]) for name in names])
        labels = np.array([name.rpartition(".")[2] for name in names], dtype=object)
        sets |= {question} if (ticked.sum(axis=0) > 1).any() else set()
        questions[question] = encode(np.array(["+".join(sorted(labels[one])) for one in ticked.T], dtype=object))
    return questions, sets


def unpacked(table: Table) -> Table:
    """The answers of forms that MTurk writes as JSON into one column, as columns of their own."""
    rows: list[dict[str, str]] = []
    for line, cell in zip(table.row_numbers.tolist(), table.columns[ALL].text().tolist(), strict=True):
        try:
            found = json.loads(cell) if cell else [{}]
            rows.append(flattened((found[0] if isinstance(found, list) else found) or {}))
        except (ValueError, RecursionError, AttributeError, IndexError):
            raise InputError("the answers are not JSON", file=table.file, row=line, column=ALL) from None
    names = dict.fromkeys(name for row in rows for name in row)
    more = {f"{ANSWER}{name}": encode(np.array([row.get(name, "") for row in rows], dtype=object)) for name in names}
    kept = {name: column for name, column in table.columns.items() if name != ALL} | more
    return table._replace(columns=kept, names=tuple(kept))


def flattened(found: Mapping[str, Any]) -> dict[str, str]:
    """`{"mood": {"label": "happy"}}` is mood: happy; `{"mood": {"happy": true}}` is a box mood.happy."""
    flat: dict[str, str] = {}
    for name, value in found.items():
        if isinstance(value, dict) and set(value) == {"label"}:
            flat[name] = str(value["label"])
        elif isinstance(value, dict):
            flat |= {f"{name}.{inner}": str(one).lower() for inner, one in value.items()}
        else:
            flat[name] = "+".join(map(str, value)) if isinstance(value, list) else str(value)
    return flat


def read_standardized(path: str | Path, options: TableAnswerOptions) -> Study:
    """The long tables of Snow et al.: the answers of workers beside a gold answer."""
    table = read_table(path, encoding=options.encoding, separator=options.separator)
    for name in SNOW:
        table.expect(name)
    unused = {"gold": "the expected answer is not a rater", "!amt_annotation_ids": "it numbers the assignments"}
    return asked(
        table,
        options,
        unit=table.columns["orig_id"],
        rater=table.columns["!amt_worker_ids"],
        questions={"response": table.columns["response"]},
        attributes=[name for name in table.names if name not in {*SNOW, "!amt_annotation_ids"}],
        unused={name: why for name, why in unused.items() if name in table.names and name != "gold"},
        notes=["column 'gold' is the expected answer, not a rater: kept as an attribute"] * ("gold" in table.names),
    )


FORMAT = (
    Format(
        name="mturk",
        holds="judgements",
        help="Mechanical Turk's CSV of the results of a batch.",
        read=read,
        endings=(".csv", ".tsv", ".txt"),
        options=TableAnswerOptions,
        sniff=lambda path, head: SURE * ("HITId" in head and {"hitid", "workerid"} <= header(path, head)),
    ),
    Format(
        name="mturk_standardized",
        holds="judgements",
        help="Mechanical Turk answers as Snow et al. (2008) published theirs.",
        read=read_standardized,
        endings=(".tsv", ".csv", ".txt"),
        options=TableAnswerOptions,
        sniff=lambda path, head: SURE * ("!amt_worker_ids" in head and header(path, head) >= SNOW),
    ),
)
