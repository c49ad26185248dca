"""What holds now, derived from the log: the current answers and where each rater stands.

The same function brings the projection up to date after every commit and rebuilds it from nothing, so the two cannot
differ.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Executable, bindparam, delete, func, update
from sqlalchemy.dialects import postgresql, sqlite

from assent.collection.events import Answered, Assigned, Completed, Deferred, Event
from assent.collection.tables import PROJECTIONS, answers, raters

Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """An event as the log keeps it: its place in the log, its study and the server's time."""

    seq: int
    study: str
    received: str
    event: Event


def project(connection: Connection, recorded: Sequence[Recorded]) -> None:
    """Bring the projections up to date with newly recorded events, in their order."""
    statements = _statements(connection.dialect.name)
    _run(connection, statements["seen"], _seen(recorded))
    relevant = [entry for entry in recorded if entry.event.kind in ROWS]
    for kind, run in groupby(relevant, key=lambda entry: entry.event.kind):
        _run(connection, statements[kind], [ROWS[kind](entry) for entry in run])


def rebuild(connection: Connection, recorded: Iterable[Recorded]) -> int:
    """Throw the projections away and make them again from the whole log; returns how many events it took."""
    for table in PROJECTIONS:
        connection.execute(delete(table))
    n = 0
    for chunk in _chunks(recorded, 5000):
        project(connection, chunk)
        n += len(chunk)
    return n


def _chunks(recorded: Iterable[Recorded], size: int) -> Iterable[list[Recorded]]:
    chunk: list[Recorded] = []
    for entry in recorded:
        chunk.append(entry)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _run(connection: Connection, statement: Executable, rows: list[Row]) -> None:
    if rows:
        connection.execute(statement, rows)


def _answer_statement(insert: Callable[..., Any]) -> Executable:
    new = insert(answers)
    changed = {name: new.excluded[name] for name in ("unit", "value", "at", "seq")}
    changed["seconds"] = func.coalesce(answers.c.seconds, 0.0) + func.coalesce(new.excluded.seconds, 0.0)
    changed["n_given"] = answers.c.n_given + 1
    keys = [answers.c.study, answers.c.rater, answers.c.step, answers.c.question]
    statement: Executable = new.on_conflict_do_update(index_elements=keys, set_=changed)
    return statement


def _deferral_statement(insert: Callable[..., Any]) -> Executable:
    """A deferred step has no answers: they are set to null, and the log remembers what they were."""
    same = [answers.c[name] == bindparam(f"of_{name}") for name in ("study", "rater", "step")]
    return update(answers).where(*same).values(value="null", seq=bindparam("new_seq"), at=bindparam("new_at"))


def _seen_statement(insert: Callable[..., Any]) -> Executable:
    new = insert(raters)
    keys = [raters.c.study, raters.c.rater]
    statement: Executable = new.on_conflict_do_update(index_elements=keys, set_={"last_at": new.excluded.last_at})
    return statement


def _rater_statement(column: str) -> Callable[[Callable[..., Any]], Executable]:
    """The first value counts: a rater is assigned once and completes once."""

    def make(insert: Callable[..., Any]) -> Executable:
        same = [raters.c[name] == bindparam(f"of_{name}") for name in ("study", "rater")]
        return update(raters).where(*same, raters.c[column].is_(None)).values({column: bindparam("new")})

    return make


STATEMENTS: dict[str, Callable[[Callable[..., Any]], Executable]] = {
    "seen": _seen_statement,
    Answered.kind: _answer_statement,
    Deferred.kind: _deferral_statement,
    Assigned.kind: _rater_statement("set_number"),
    Completed.kind: _rater_statement("completed_at"),
}


@cache
def _statements(dialect: str) -> dict[str, Executable]:
    """All statements in a database's dialect, made once: composing them costs more than running them."""
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return {kind: make(insert) for kind, make in STATEMENTS.items()}


def _seen(recorded: Sequence[Recorded]) -> list[Row]:
    """One row for each rater among the events: when they were first and last heard of."""
    rows: dict[tuple[str, str], Row] = {}
    for entry in recorded:
        key = {"study": entry.study, "rater": entry.event.rater}
        row = rows.setdefault((entry.study, entry.event.rater), {**key, "first_at": entry.received})
        row["last_at"] = entry.received
    return list(rows.values())


def _answer_row(entry: Recorded) -> Row:
    event = entry.event
    assert isinstance(event, Answered)
    return {
        "study": entry.study,
        "rater": event.rater,
        "step": event.step,
        "question": event.question,
        "unit": event.unit,
        "value": json.dumps(event.value, sort_keys=True),
        "seconds": event.seconds,
        "at": event.at,
        "seq": entry.seq,
        "n_given": 1,
    }


def _deferral_row(entry: Recorded) -> Row:
    event = entry.event
    assert isinstance(event, Deferred)
    key = {"of_study": entry.study, "of_rater": event.rater, "of_step": event.step}
    return {**key, "new_seq": entry.seq, "new_at": event.at}


def _set_row(entry: Recorded) -> Row:
    assert isinstance(entry.event, Assigned)
    return {"of_study": entry.study, "of_rater": entry.event.rater, "new": entry.event.set_number}


def _completed_row(entry: Recorded) -> Row:
    return {"of_study": entry.study, "of_rater": entry.event.rater, "new": entry.received}


ROWS: dict[str, Callable[[Recorded], Row]] = {
    Answered.kind: _answer_row,
    Deferred.kind: _deferral_row,
    Assigned.kind: _set_row,
    Completed.kind: _completed_row,
}
