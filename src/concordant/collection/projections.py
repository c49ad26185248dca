"""What holds now (the current answers, where each rater stands) is a projection of the log.

The same function brings it up to date after every commit and rebuilds it from nothing, so the two cannot differ.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    String,
    and_,
    bindparam,
    case,
    delete,
    func,
    inspect,
    literal_column,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from concordant.collection.database import CHECKPOINTS, PROJECTIONS, answers, events, raters
from concordant.collection.events import Answered, Assigned, Completed, Deferred, Ended, Event, from_stored

DECODER = json.JSONDecoder()
CHUNK = 5000  # events that are projected together when everything is made again


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """An event as the log keeps it: its place in the log, its study and the server's time."""

    seq: int
    study: str
    received: str
    event: Event

    def parameters(self) -> dict[str, Any]:
        """What the event puts into the statement of its kind."""
        event = self.event
        whose = {"of_study": self.study, "of_rater": event.rater}
        match event:
            case Answered():
                value = json.dumps(event.value, sort_keys=True)
                about = {"study": self.study, "rater": event.rater, "at": event.at, "seq": self.seq, "n_given": 1}
                return {**event.body(), **about, "value": value, "revises": _seen(event)}
            case Deferred():
                when = {"new_seq": self.seq, "new_at": event.at}
                return {**whose, **when, "of_step": event.step, "revises": _seen(event)}
            case Assigned():
                return {**whose, "new": event.set_number}
            case Ended():
                return whose
        return {**whose, "new": self.received}


def from_json(written: str) -> Any:
    """What a column holds as JSON; it was written by us, without spaces around it."""
    value, _ = DECODER.raw_decode(written)
    return value


def recorded(row: Any) -> Recorded:
    """An event read back from its row."""
    event = from_stored(row.v, row.kind, row.id, row.rater, row.at, from_json(row.body))
    return Recorded(seq=row.seq, study=row.study, received=row.received, event=event)


EVERYTHING, NOTHING = "everything", "null"


def _seen(event: Answered | Deferred) -> str:
    """The ids that an event revises as one text, for a statement to look into."""
    return EVERYTHING if event.revises is None else " ".join(event.revises)


def project(connection: Connection, recorded: Sequence[Recorded]) -> None:
    """Bring the projections up to date with newly recorded events, in their order."""
    statements = _statements(connection.dialect.name)
    seen: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in recorded:
        key = {"study": entry.study, "rater": entry.event.rater}
        row = seen.setdefault((entry.study, entry.event.rater), {**key, "first_at": entry.received})
        row["last_at"] = entry.received
    if seen:
        connection.execute(statements["seen"], list(seen.values()))
    relevant = [entry for entry in recorded if entry.event.kind in statements]
    for kind, run in groupby(relevant, key=lambda entry: entry.event.kind):
        connection.execute(statements[kind], [entry.parameters() for entry in run])


def rebuild(connection: Connection, recorded: Iterable[Recorded]) -> int:
    """Throw the projections away and make them again from the whole log; returns how many events it took."""
    known = inspect(connection).get_table_names()
    for table in (*PROJECTIONS, *(table for table in CHECKPOINTS if table.name in known)):
        connection.execute(delete(table))
    n, left = 0, iter(recorded)
    while chunk := list(islice(left, CHUNK)):
        project(connection, chunk)
        n += len(chunk)
    return n


@cache
def _statements(dialect: str) -> dict[str, Executable]:
    """The statement for each kind of event in a database's dialect, made once: composing costs more than running."""
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    new, seen = insert(answers), insert(raters)
    # Which of two answers holds is said in `conflicts`; this is the same as a statement.
    collation = "C" if dialect == "postgresql" else "BINARY"
    is_later = new.excluded.at.collate(collation) >= answers.c.at.collate(collation)
    is_kept = and_(new.excluded.value != NOTHING, or_(answers.c.value == NOTHING, is_later))
    replaces = or_(_is_seen(literal_column("answers.seq")), is_kept)
    changed: dict[str, Any] = {
        name: case((replaces, new.excluded[name]), else_=answers.c[name]) for name in ("unit", "value", "at", "seq")
    }
    changed["seconds"] = func.coalesce(answers.c.seconds, 0.0) + func.coalesce(new.excluded.seconds, 0.0)
    changed["n_given"] = answers.c.n_given + 1
    # A deferred step has no answers: they are set to null, and the log remembers what they were.
    cleared = {"value": NOTHING, "seq": bindparam("new_seq"), "at": bindparam("new_at")}
    other = answers.alias()
    same = [other.c[name] == answers.c[name] for name in ("study", "rater", "step")]
    unseen = select(other.c.step).where(*same, other.c.value != NOTHING, not_(_is_seen(other.c.seq)))
    came = {"last_at": seen.excluded.last_at}
    step = [answers.c[name] == bindparam(f"of_{name}") for name in ("study", "rater", "step")]
    rater = [raters.c[name] == bindparam(f"of_{name}") for name in ("study", "rater")]
    statements: dict[str, Executable] = {
        "seen": seen.on_conflict_do_update(index_elements=list(raters.primary_key), set_=came),
        Answered.kind: new.on_conflict_do_update(index_elements=list(answers.primary_key), set_=changed),
        Deferred.kind: update(answers).where(*step, not_(unseen.exists())).values(cleared),
    }
    for kind, column in ((Assigned.kind, raters.c.set_number), (Completed.kind, raters.c.completed_at)):
        # The first value counts: a rater is assigned once and completes once.
        statements[kind] = update(raters).where(*rater, column.is_(None)).values({column: bindparam("new")})
    statements[Ended.kind] = update(raters).where(*rater).values(set_number=None)  # the place is free again
    return statements


def _is_seen(seq: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether the rater had before them what the event of a row of answers said."""
    revises = bindparam("revises", type_=String)
    id = select(events.c.id).where(events.c.seq == seq).scalar_subquery()
    return or_(revises == EVERYTHING, revises.contains(id))
