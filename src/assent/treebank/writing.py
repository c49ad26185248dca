"""Writing an annotator's decisions as an [incr tsdb()] profile, with every discriminant in its `decision` table.

All tables of the parsed profile are taken over as they are; `tree`, `decision` and `preference` are written anew. A
discriminant that nobody had to decide (all parses share it, or the sentence was left or rejected before) is void.
"""

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from assent.errors import InputError
from assent.treebank.choosing import REJECT, SELECT, State
from assent.treebank.discriminants import REJECTION, SELECTION, Discriminant
from assent.treebank.profile import read_profile
from assent.treebank.tables import delphin

_VERDICTS = {"accepted": 1, "rejected": 0}
_BY_VERDICT = {SELECT: SELECTION, REJECT: REJECTION}

# The columns that are written; a profile whose schema has no such table gets these.
_COLUMNS: Mapping[str, Sequence[tuple[str, str]]] = {
    "tree": (
        ("parse-id", ":integer :key"),
        ("t-version", ":integer"),
        ("t-active", ":integer :key"),
        ("t-author", ":string"),
        ("t-start", ":date"),
        ("t-end", ":date"),
        ("t-comment", ":string"),
    ),
    "decision": (
        ("parse-id", ":integer :key"),
        ("t-version", ":integer"),
        ("d-state", ":integer"),
        ("d-type", ":integer"),
        ("d-key", ":string"),
        ("d-value", ":string"),
        ("d-start", ":integer"),
        ("d-end", ":integer"),
        ("d-date", ":date"),
    ),
    "preference": (("parse-id", ":integer :key"), ("t-version", ":integer"), ("result-id", ":integer")),
}


@dataclass(frozen=True, kw_only=True)
class Treebanked:
    """A sentence as somebody left it: the value that the log keeps, and since when each discriminant is as it is."""

    value: Mapping[str, Any]
    dates: Mapping[str, datetime]
    begun: datetime
    ended: datetime
    author: str
    comment: str = ""


@contextmanager
def folder_written_whole(goal: Path) -> Iterator[Path]:
    """A folder beside `goal` to write into; it becomes `goal` when the block ends well, else it is removed."""
    if goal.exists() and (not goal.is_dir() or any(goal.iterdir())):
        raise InputError("is there already", file=goal, hint="name a new folder; nothing was written")
    beside = goal.with_name(f".{goal.name}-{secrets.token_hex(4)}")
    try:
        beside.mkdir()
        yield beside
        os.replace(beside, goal)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=goal, hint="nothing was changed") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def write_profile(source: Path, target: Path, done: Mapping[str, Treebanked]) -> None:
    """Write the profile at `source` to the new folder `target` with what was `done`, by sentence."""
    tsdb = delphin("tsdb")
    target.mkdir()
    schema = {**tsdb.read_schema(source), **_missing(tsdb, tsdb.read_schema(source))}
    for file in source.iterdir():
        if file.is_file() and file.name.removesuffix(".gz") in schema.keys() - _COLUMNS.keys():
            shutil.copyfile(file, target / file.name)
    tsdb.write_schema(target, schema)
    parses = {id: annotation.parse for id, annotation in read_profile(source).annotations.items()}
    for name, rows in _ROWS.items():
        records = [row for id, one in done.items() for row in rows(parses[id], one)]
        fields = schema[name]
        tsdb.write(target, name, [tsdb.make_record(record, fields) for record in records], fields)


def _missing(tsdb: Any, schema: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """The tables that the schema does not have, or not with the columns that are needed."""
    found = {}
    for name, columns in _COLUMNS.items():
        known = {field.name for field in schema.get(name, ())}
        needed = {column for column, _ in columns if column not in ("t-start", "t-end")}
        if not needed <= known:
            found[name] = [tsdb.Field(column, *_parted(kind)) for column, kind in columns]
    return found


def _parted(kind: str) -> tuple[str, list[str]]:
    datatype, *flags = kind.split()
    return datatype, flags


def _tree_rows(parse: int, one: Treebanked) -> Iterator[dict[str, Any]]:
    """`t-active`: 0 for a rejection, 1 for an accepted parse, else how many are left."""
    active = _VERDICTS.get(one.value["verdict"], one.value["n_left"])
    yield {
        **_common(parse),
        "t-active": active,
        "t-author": one.author,
        "t-start": one.begun,
        "t-end": one.ended,
        "t-comment": one.comment,
    }


def _decision_rows(parse: int, one: Treebanked) -> Iterator[dict[str, Any]]:
    """A line for each discriminant; for a selected tree and a rejection one more, whose state is -1."""
    verb, _, result = (one.value["moves"] or [""])[-1].partition(" ")
    if verb in _BY_VERDICT:
        verdict = {"d-state": -1, "d-type": _BY_VERDICT[verb], "d-key": "", "d-value": result}
        yield {**_common(parse), **verdict, "d-start": 0, "d-end": 0, "d-date": one.ended}
    for name, state in one.value["states"].items():
        known = Discriminant.named(name)
        yield {
            **_common(parse),
            "d-state": State(state).code,
            "d-type": known.type,
            "d-key": known.key,
            "d-value": "",
            "d-start": known.start,
            "d-end": known.end,
            "d-date": one.dates[name],
        }


def _preference_rows(parse: int, one: Treebanked) -> Iterator[dict[str, Any]]:
    if one.value["result"] is not None:
        yield {**_common(parse), "result-id": one.value["result"]}


def _common(parse: int) -> dict[str, Any]:
    return {"parse-id": parse, "t-version": 1}


_ROWS = {"tree": _tree_rows, "decision": _decision_rows, "preference": _preference_rows}
