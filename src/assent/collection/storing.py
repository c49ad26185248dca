"""Storing a group of events in one transaction: new ones once, known ones not again."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, insert, select, tuple_

from assent.collection.events import Event, from_parts, now
from assent.collection.projection import Recorded, project
from assent.collection.tables import events
from assent.errors import AssentError, InputError

Key = tuple[str, str, str]  # study, rater, id


class EventConflictError(AssentError):
    """Another event is already stored under this id."""


@dataclass(frozen=True)
class Entry:
    """Events handed in together: all are stored in one transaction, or none.

    Their text is made here, so that an event that cannot be stored fails where it was made and not among the others.
    """

    study: str
    events: tuple[Event, ...]
    bodies: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Make the text of all events."""
        object.__setattr__(self, "bodies", {event.id: body(event) for event in self.events})

    def content(self, event: Event) -> str:
        """What an event says, as text: two events with one id must say the same."""
        return event.kind + self.bodies[event.id]

    def key(self, event: Event) -> Key:
        """What makes an event the same event."""
        return self.study, event.rater, event.id


@dataclass
class Group:
    """The entries of one transaction as they are gone through: what is known, and what is new."""

    last_seq: int
    known: dict[Key, tuple[int, str]]
    received: str = field(default_factory=now)
    fresh: list[Recorded] = field(default_factory=list)

    def take(self, entry: Entry) -> list[int] | EventConflictError:
        """Note the new events of an entry; returns all sequence numbers, or the refusal."""
        for event in entry.events:
            said = entry.content(event)
            if self.known.get(entry.key(event), (0, said))[1] != said:
                return EventConflictError(f"another event is already stored under the id {event.id}")
        return [self._seq(entry, event) for event in entry.events]

    def _seq(self, entry: Entry, event: Event) -> int:
        key = entry.key(event)
        if key not in self.known:
            self.last_seq += 1
            self.known[key] = (self.last_seq, entry.content(event))
            self.fresh.append(Recorded(seq=self.last_seq, study=entry.study, received=self.received, event=event))
        return self.known[key][0]


def store(connection: Connection, entries: Sequence[Entry]) -> list[list[int] | EventConflictError]:
    """Store the new events of many entries, and what follows from them; an answer for each entry."""
    last_seq = connection.scalar(select(func.coalesce(func.max(events.c.seq), 0))) or 0
    group = Group(last_seq=last_seq, known=_known(connection, entries))
    results = [group.take(entry) for entry in entries]
    if group.fresh:
        connection.execute(insert(events), [_row(entry) for entry in group.fresh])
        project(connection, group.fresh)
    return results


def _known(connection: Connection, entries: Iterable[Entry]) -> dict[Key, tuple[int, str]]:
    """Which of these events are stored already, with their sequence numbers and contents."""
    keys = sorted({entry.key(event) for entry in entries for event in entry.events})
    known: dict[Key, tuple[int, str]] = {}
    for i in range(0, len(keys), 200):
        same = tuple_(events.c.study, events.c.rater, events.c.id).in_(keys[i : i + 200])
        for row in connection.execute(select(events).where(same)):
            known[(row.study, row.rater, row.id)] = (row.seq, row.kind + row.body)
    return known


def body(event: Event) -> str:
    """The fields of an event as canonical JSON, ASCII only, so that any database stores any text."""
    try:
        return json.dumps(event.body(), sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"event {event.kind!r} cannot be stored ({error})") from error


def _row(entry: Recorded) -> dict[str, Any]:
    event = entry.event
    return {
        "seq": entry.seq,
        "study": entry.study,
        "rater": event.rater,
        "id": event.id,
        "kind": event.kind,
        "at": event.at,
        "received": entry.received,
        "body": body(event),
    }


def recorded(row: Any) -> Recorded:
    """An event read back from its row."""
    event = from_parts(row.kind, row.id, row.rater, row.at, json.loads(row.body))
    return Recorded(seq=row.seq, study=row.study, received=row.received, event=event)
