"""Storing a group of events in one transaction: new ones once, known ones not again."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ARRAY, Connection, String, any_, bindparam, func, insert, select, text, tuple_

from assent.collection.events import Event, from_parts, now
from assent.collection.projection import Recorded, project
from assent.collection.tables import events, visits
from assent.errors import AssentError, InputError

Key = tuple[str, str, str]  # study, rater, id
Place = tuple[str, str]  # study, rater


class EventConflictError(AssentError):
    """Another event is already stored under this id."""


class VisitEndedError(AssentError):
    """Whoever sent the events was signed out before they could be stored."""


@dataclass(frozen=True)
class Entry:
    """Events handed in together: all are stored in one transaction, or none.

    Their text is made here, so that an event that cannot be stored fails where it was made and not among the others.
    Where several server processes write, `after` is the number up to which the sender knows the log of these raters
    (and is told what else there is), and `visit` is the visit of whoever sent the events, which must still hold.
    """

    study: str
    events: tuple[Event, ...]
    after: int | None = None
    visit: str | None = None
    bodies: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Make the text of all events."""
        object.__setattr__(self, "bodies", {event.id: body(event) for event in self.events})

    def content(self, event: Event) -> str:
        """What an event says, as text: two events with one id must say the same."""
        return event.kind + self.bodies[event.id]

    @property
    def places(self) -> list[Place]:
        """Whose log the events belong to."""
        return list(dict.fromkeys((self.study, event.rater) for event in self.events))

    def key(self, event: Event) -> Key:
        """What makes an event the same event."""
        return self.study, event.rater, event.id


@dataclass(frozen=True)
class Receipt:
    """What became of an entry: the sequence numbers of its events, and the events of its raters that its sender had
    not heard of (other server processes stored them before).
    """

    numbers: list[int]
    missed: list[Recorded] = field(default_factory=list)


@dataclass
class Group:
    """The entries of one transaction as they are gone through: what is known, and what is new."""

    last_seq: int
    known: dict[Key, tuple[int, str]]
    missed: dict[Place, list[Recorded]]
    ended: frozenset[str]
    received: str = field(default_factory=now)
    fresh: list[Recorded] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)

    def take(self, entry: Entry) -> Receipt | AssentError:
        """Note the new events of an entry; returns its receipt, or the refusal."""
        if entry.visit in self.ended:
            return VisitEndedError("signed out")
        for event in entry.events:
            said = entry.content(event)
            if self.known.get(entry.key(event), (0, said))[1] != said:
                return EventConflictError(f"another event is already stored under the id {event.id}")
        numbers = [self._seq(entry, event) for event in entry.events]
        return Receipt(numbers, [found for place in entry.places for found in self.missed.get(place, ())])

    def _seq(self, entry: Entry, event: Event) -> int:
        key = entry.key(event)
        if key not in self.known:
            self.last_seq += 1
            self.known[key] = (self.last_seq, entry.content(event))
            fresh = Recorded(seq=self.last_seq, study=entry.study, received=self.received, event=event)
            self.fresh.append(fresh)
            self.rows.append(_row(fresh, entry.bodies[event.id]))
        return self.known[key][0]


def store(connection: Connection, entries: Sequence[Entry]) -> list[Receipt | AssentError]:
    """Store the new events of many entries, and what follows from them; an answer for each entry."""
    group = Group(
        last_seq=connection.scalar(LAST_SEQ) or 0,
        known=_known(connection, entries),
        missed=_missed(connection, entries),
        ended=_ended(connection, entries),
    )
    results = [group.take(entry) for entry in entries]
    if group.fresh:
        connection.execute(INSERT, group.rows)
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


def _missed(connection: Connection, entries: Iterable[Entry]) -> dict[Place, list[Recorded]]:
    """The events of the raters of each entry after the number up to which its sender knows them (PostgreSQL only)."""
    asked = {place: entry.after for entry in entries if entry.after is not None for place in entry.places}
    if not asked:
        return {}
    studies, raters = zip(*asked, strict=True)
    places = {"studies": list(studies), "raters": list(raters), "numbers": list(asked.values())}
    missed: dict[Place, list[Recorded]] = defaultdict(list)
    for row in connection.execute(MISSED, places):
        missed[row.study, row.rater].append(recorded(row))
    return missed


def _ended(connection: Connection, entries: Iterable[Entry]) -> frozenset[str]:
    """The visits among those shown that do not hold any more."""
    shown = {entry.visit for entry in entries if entry.visit is not None}
    if not shown:
        return frozenset()
    return frozenset(shown - {row.token_hash for row in connection.execute(HOLDING, {"shown": list(shown)})})


def body(event: Event) -> str:
    """The fields of an event as canonical JSON, ASCII only, so that any database stores any text."""
    try:
        return json.dumps(event.body(), sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"event {event.kind!r} cannot be stored ({error})") from error


def _row(entry: Recorded, body: str) -> dict[str, Any]:
    event = entry.event
    return {
        "seq": entry.seq,
        "study": entry.study,
        "rater": event.rater,
        "id": event.id,
        "kind": event.kind,
        "at": event.at,
        "received": entry.received,
        "body": body,
    }


def recorded(row: Any) -> Recorded:
    """An event read back from its row."""
    event = from_parts(row.kind, row.id, row.rater, row.at, json.loads(row.body))
    return Recorded(seq=row.seq, study=row.study, received=row.received, event=event)


INSERT = insert(events)
LAST_SEQ = select(func.coalesce(func.max(events.c.seq), 0))
HOLDING = select(visits.c.token_hash).where(visits.c.token_hash == any_(bindparam("shown", type_=ARRAY(String))))
MISSED = text("""
    SELECT events.* FROM events
    JOIN unnest(CAST(:studies AS text[]), CAST(:raters AS text[]), CAST(:numbers AS bigint[]))
    AS asked (study, rater, number)
    ON events.study = asked.study AND events.rater = asked.rater AND events.seq > asked.number
    ORDER BY events.seq""")
