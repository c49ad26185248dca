"""Storing events: a group of them in one transaction, new ones once, known ones not again; and the thread that does it.

One thread writes, many wait. Whoever wants something stored hands it in and gets a future. The writer takes everything
handed in since its last commit and stores it in one transaction, so a hundred raters cost one flush to disk instead of
a hundred. While many are writing it waits a moment for company before it begins: on a fast disk there would be many
small transactions instead of few large ones. A future is resolved only after COMMIT; if the transaction fails, all of
its futures fail and nothing of it is stored.

What holds now follows from the events and is brought up to date in the same transaction (see `projections`).
"""

import json
import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ARRAY,
    Connection,
    Engine,
    String,
    any_,
    bindparam,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from concordant.collection.database import LogError, events, explained, take_turns, visits
from concordant.collection.events import FORM, Event, now
from concordant.collection.projections import Recorded, project, recorded
from concordant.errors import ConcordantError, InputError

LARGEST_GROUP = 1000
GATHERING = 0.01  # seconds to wait for company, when the group before had some

Key = tuple[str, str, str]  # study, rater, id
Place = tuple[str, str]  # study, rater
Work = Callable[[Connection], Any]


class EventConflictError(ConcordantError):
    """Another event is already stored under this id."""


class VisitEndedError(ConcordantError):
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

    def take(self, entry: Entry) -> Receipt | ConcordantError:
        """Note the new events of an entry; returns its receipt, or the refusal."""
        if entry.visit in self.ended:
            return VisitEndedError("signed out")
        for event in entry.events:
            said = entry.content(event)
            if self.known.get(entry.key(event), (0, said))[1] != said:
                return EventConflictError(f"another event is already stored under the id {event.id}")
        for event in entry.events:
            if (key := entry.key(event)) not in self.known:
                self.last_seq += 1
                self.known[key] = (self.last_seq, entry.content(event))
                about: dict[str, Any] = {"seq": self.last_seq, "study": entry.study, "received": self.received}
                self.fresh.append(Recorded(**about, event=event))
                given = {name: getattr(event, name) for name in ("rater", "id", "kind", "at")}
                self.rows.append({**about, **given, "body": entry.bodies[event.id], "v": FORM})
        numbers = [self.known[entry.key(event)][0] for event in entry.events]
        return Receipt(numbers, [found for place in entry.places for found in self.missed.get(place, ())])


def store(connection: Connection, entries: Sequence[Entry]) -> list[Receipt | ConcordantError]:
    """Store the new events of many entries, and what follows from them; an answer for each entry."""
    shown = {entry.visit for entry in entries if entry.visit is not None}
    holding = {row.token_hash for row in connection.execute(HOLDING, {"shown": list(shown)})} if shown else set()
    group = Group(
        last_seq=connection.scalar(LAST_SEQ) or 0,
        known=_known(connection, entries),
        missed=_missed(connection, entries),
        ended=frozenset(shown - holding),
    )
    results = [group.take(entry) for entry in entries]
    if group.fresh:
        connection.execute(INSERT, group.rows)
        project(connection, group.fresh)
    return results


def _known(connection: Connection, entries: Iterable[Entry]) -> dict[Key, tuple[int, str]]:
    """Which of these events are stored already, with their sequence numbers and contents."""
    keys = sorted({entry.key(event) for entry in entries for event in entry.events})
    if not keys:
        return {}
    rows = connection.execute(KNOWN[connection.dialect.name], {"asked": json.dumps(keys)})
    return {(row.study, row.rater, row.id): (row.seq, row.kind + row.body) for row in rows}


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


def body(event: Event) -> str:
    """The fields of an event as canonical JSON, ASCII only, so that any database stores any text."""
    try:
        return json.dumps(event.body(), sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"event {event.kind!r} cannot be stored ({error})") from error


@dataclass(frozen=True)
class Job:
    """Something to store: an entry for the group, or work that needs a transaction of its own."""

    task: Entry | Work
    future: Future[Any] = field(default_factory=Future)


class Writer:
    """The writing thread of one database."""

    def __init__(self, engine: Engine) -> None:
        """It works until it is closed."""
        self._engine = engine.execution_options(writes=True)
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="log writer", daemon=True)
        self._thread.start()

    def hand_in(self, task: Entry | Work) -> Future[Any]:
        """Store an entry with the next group, or run work in the next transaction; all others wait."""
        job = Job(task)
        if not self._thread.is_alive():
            job.future.set_exception(LogError("the log is closed"))
        self._queue.put(job)
        return job.future

    def close(self) -> None:
        """Store what was handed in, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        n_jobs, is_open = 0, True
        while is_open:
            jobs, is_open = self._take(wait=GATHERING if n_jobs > 1 else 0.0)
            n_jobs = len(jobs)
            self._commit(sorted(jobs, key=lambda job: not isinstance(job.task, Entry)))
            del jobs  # what was stored (a whole study, when it is kept) is not held until somebody comes again

    def _take(self, wait: float) -> tuple[list[Job], bool]:
        """Wait for a first job, then take what else has arrived; the second value is False when the log was closed."""
        jobs: list[Job] = []
        job = self._queue.get()
        time.sleep(wait)
        while job is not None:
            jobs.append(job)
            if len(jobs) == LARGEST_GROUP or self._queue.empty():
                return jobs, True
            job = self._queue.get()
        return jobs, False

    def _commit(self, jobs: list[Job]) -> None:
        """Run jobs in one transaction, entries first, and only then tell those who wait."""
        if not jobs:
            return
        results: list[Any]
        entries = [job.task for job in jobs if isinstance(job.task, Entry)]
        works = [job.task for job in jobs if not isinstance(job.task, Entry)]
        try:
            with self._engine.begin() as connection:
                take_turns(connection)
                results = store(connection, entries) if entries else []
                results += [_run(connection, work) for work in works]
        except SQLAlchemyError as error:
            results = [explained(error, self._engine)] * len(jobs)
        except Exception as error:  # a mistake of ours: whoever waits must hear of it, and the thread must live on
            results = [error] * len(jobs)
        for job, result in zip(jobs, results, strict=True):
            # A future that its owner has cancelled is left alone: the entry is stored all the same.
            if job.future.set_running_or_notify_cancel():
                if isinstance(result, Exception):
                    job.future.set_exception(result)
                else:
                    job.future.set_result(result)


def _run(connection: Connection, work: Work) -> Any:
    """One work among others that are committed with it: where it fails it is undone without touching the rest.

    What the database refuses is another matter: then nothing of the transaction is certain.
    """
    try:
        with connection.begin_nested():
            return work(connection)
    except (DataError, IntegrityError) as error:
        return explained(error, connection.engine)
    except SQLAlchemyError:
        raise
    except Exception as failure:  # a refusal, or a mistake of ours: whoever asked for it hears of it
        return failure


INSERT = insert(events)
LAST_SEQ = select(func.coalesce(func.max(events.c.seq), 0))
HOLDING = select(visits.c.token_hash).where(visits.c.token_hash == any_(bindparam("shown", type_=ARRAY(String))))
KNOWN = {
    # One parameter whatever the number of events, so that the statement is made once.
    "sqlite": text("""
        SELECT events.* FROM json_each(:asked) AS one
        CROSS JOIN events ON events.study = json_extract(one.value, '$[0]')
        AND events.rater = json_extract(one.value, '$[1]') AND events.id = json_extract(one.value, '$[2]')"""),
    "postgresql": text("""
        SELECT events.* FROM json_array_elements(CAST(:asked AS json)) AS one JOIN events ON events.study = one->>0
        AND events.rater = one->>1 AND events.id = one->>2"""),
}
MISSED = text("""
    SELECT events.* FROM events
    JOIN unnest(CAST(:studies AS text[]), CAST(:raters AS text[]), CAST(:numbers AS bigint[]))
    AS asked (study, rater, number)
    ON events.study = asked.study AND events.rater = asked.rater AND events.seq > asked.number
    ORDER BY events.seq""")
