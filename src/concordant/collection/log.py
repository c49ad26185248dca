"""The append-only log of a study: every event once, stored before it is acknowledged.

    with Log.open("sqlite:///study.db") as log:
        log.append("features", [Answered(rater="A1", step=0, unit="u1", question="core", value="yes")])

`append` returns after COMMIT. Sending an event again changes nothing and is acknowledged again; another event under
the same id is refused. The sequence numbers have no gaps and follow the order of commits, also with several server
processes on PostgreSQL.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Executable, Select, Table, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from concordant.collection.database import answers, events, explained, open_engine, raters, visits
from concordant.collection.enrolment import GIVEN
from concordant.collection.enrolment import enrol as enrolled
from concordant.collection.events import Assigned, Event, Shown, from_stored
from concordant.collection.projections import Recorded, from_json, rebuild, recorded
from concordant.collection.session import Running, steps_of
from concordant.collection.store import LAST_SEQ, Entry, Receipt, Writer, store
from concordant.errors import ConcordantError, InputError

T = TypeVar("T")
Numbered = tuple[Event, int]


class Answer(NamedTuple):
    """A current answer: the latest value a rater gave to a question of a step. A value of None was cleared or put
    aside.
    """

    rater: str
    step: int
    question: str
    unit: str
    value: Any
    seconds: float | None
    at: str
    seq: int
    n_given: int


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where one rater stands: the set, the server's times of the first and last event, and of the end."""

    rater: str
    set_number: int | None
    first_at: str
    last_at: str
    completed_at: str | None


class Seen(NamedTuple):
    """That a rater was shown a page, and the version of the guidelines beside it."""

    rater: str
    guidelines: str
    step: int | None
    seq: int


class PagesSeen:
    """The pages that raters saw with guidelines beside them; `versions` counts them, in order of appearance."""

    def __init__(self) -> None:
        """Nobody has seen a page yet."""
        self.versions: Counter[str] = Counter()
        self._shown: dict[str, dict[int | None, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))

    def take(self, page: Seen) -> None:
        """One more page, later than those before."""
        if page.guidelines:
            self.versions[page.guidelines] += 1
            self._shown[page.rater][page.step].append((page.seq, page.guidelines))

    def beside(self, rater: str, step: int, seq: int) -> str:
        """The version beside the step when the event `seq` answered it; empty where none is on record."""
        pages = self._shown.get(rater)
        shown: Sequence[tuple[int, str]] = pages.get(step, ()) if pages else ()
        return next((version for number, version in reversed(shown) if number < seq), "")

    def of(self, rater: str) -> list[tuple[int | None, int, str]]:
        """The pages that a rater saw: step, number of the event, version."""
        pages = self._shown.get(rater, {})
        return [(step, *one) for step, shown in pages.items() for one in shown]

    def put(self, rater: str, pages: Iterable[tuple[int | None, int, str]]) -> None:
        """Pages that a rater saw before, which were counted then."""
        for step, seq, version in pages:
            self._shown[rater][step].append((seq, version))


VALUE = Answer._fields.index("value")


class Held(NamedTuple):
    """What the database knows of a current answer beside its value: how it was given, and by which event."""

    rater: str
    step: int
    question: str
    seconds: float | None
    at: str
    n_given: int
    seq: int


class Log:
    """The log in one database, which may hold many studies."""

    def __init__(self, engine: Engine) -> None:
        """Use `Log.open`."""
        self.engine = engine
        self._writer = Writer(engine)

    @classmethod
    def open(cls, url: str) -> Self:
        """Open the database at an address like sqlite:///study.db or postgresql://user@host/name, making its tables.

        One of an earlier version is brought up to date; one line on standard error says so.
        """
        return cls(open_engine(url))

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write too. On SQLite one process does all the writing."""
        return self.engine.dialect.name != "sqlite"

    def append(self, study: str, events: Sequence[Event]) -> list[int]:
        """Store events and wait until they are safe; returns their sequence numbers (the old ones for events sent
        again).
        """
        return self.submit(study, events).result().numbers

    def submit(
        self, study: str, events: Sequence[Event], *, after: int | None = None, visit: str | None = None
    ) -> Future[Receipt]:
        """Hand events in without waiting; the future is resolved after COMMIT.

        `after` and `visit` are for several server processes on PostgreSQL: see `Entry`.
        """
        return self._writer.hand_in(Entry(study, tuple(events), after, visit))

    def enrol(self, study: Running, rater: str) -> Assigned:
        """Give a rater a set, the least filled one, unless they have one already; returns their assignment, with the
        steps that follow from it.
        """
        assigned, _ = self.write(lambda connection: enrolled(connection, study, rater)).result()
        if not isinstance(assigned, Assigned):
            raise InputError(f"{assigned.reason} for {rater!r}", hint="the study has the judgements it needs")
        return replace(assigned, steps=[step.to_dict() for step in steps_of(study, assigned)])

    def submit_arrival(
        self,
        study: Running,
        rater: str,
        *,
        coming: Sequence[Event] = (),
        visit: Mapping[str, str] | None = None,
        enrol: bool,
    ) -> Future[list[Numbered]]:
        """What happens when a rater comes, in one transaction and without waiting: events are stored, a `visit` (its
        row) begins, and they get a set if `enrol`. The future has the events with their numbers.
        """

        def arrive(connection: Connection) -> list[Numbered]:
            [receipt] = store(connection, [Entry(study.description.name, tuple(coming))])
            if isinstance(receipt, ConcordantError):
                raise receipt
            if visit is not None:
                connection.execute(insert(visits), [dict(visit)])
            stored = list(zip(coming, receipt.numbers, strict=True))
            return [*stored, enrolled(connection, study, rater)] if enrol else stored

        return self.write(arrive)

    def write(self, work: Callable[[Connection], T]) -> Future[T]:
        """Run `work(connection)` in the writer's next transaction, for tables that live beside the log (accounts)."""
        return self._writer.hand_in(work)

    def change(self, *statements: Executable) -> None:
        """Run statements in one transaction, for tables that live beside the log; returns when they are safe."""

        def run(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        self.write(run).result()

    def events(self, study: str, rater: str | None = None, *, after: int = 0) -> list[Recorded]:
        """The events of a study (of one rater) in the order of the log, those with a sequence number above `after`."""
        whose = [events.c.study == study, *([events.c.rater == rater] if rater is not None else [])]
        query = select(events).where(*whose, events.c.seq > after).order_by(events.c.seq)
        return [recorded(row) for row in self.read(query)]

    def news(self, study: str, *, after: int = 0) -> tuple[list[Event], list[Seen], int]:
        """What happened in a study since an event: the events but for pages that were shown, of those (half of a log)
        who saw what, and the number of the last event in the log.
        """
        of = events.c
        last: int = self.read(LAST_SEQ)[0][0]
        new = [of.study == study, of.seq > after, of.seq <= last]  # what comes between the queries comes next time
        parts = select(of.v, of.kind, of.id, of.rater, of.at, of.body)
        happened = self.read(parts.where(*new, of.kind != Shown.kind).order_by(of.seq))
        seen = self.read(select(of.rater, of.body, of.seq).where(*new, of.kind == Shown.kind).order_by(of.seq))
        bodies = ((rater, from_json(body), seq) for rater, body, seq in seen)
        pages = [Seen(rater, body.get("guidelines", ""), body.get("step"), seq) for rater, body, seq in bodies]
        return (
            [from_stored(v, kind, id, who, at, from_json(body)) for v, kind, id, who, at, body in happened],
            pages,
            last,
        )

    def arrived(self, after: int) -> tuple[dict[str, int], int]:
        """How many events of which study came after an event, and the number of the last event."""
        last: int = self.read(LAST_SEQ)[0][0]
        new = (events.c.seq > after, events.c.seq <= last)
        counted = select(events.c.study, func.count()).where(*new).group_by(events.c.study)
        return {row[0]: row[1] for row in self.read(counted)}, last

    def assigned(self, study: str, rater: str) -> list[Assigned]:
        """What a rater was given; the first counts."""
        rows = self.read(GIVEN.params(of_study=study, of_rater=rater))
        return [event for row in rows if isinstance(event := recorded(row).event, Assigned)]

    def answers(self, study: str, rater: str | None = None) -> list[Answer]:
        """The current answers of a study (of one rater), by rater and step."""
        rows = self.read(_current(Answer._fields, study, rater))
        return [Answer._make(from_json(cell) if i == VALUE else cell for i, cell in enumerate(row)) for row in rows]

    def held(self, study: str, rater: str | None = None) -> list[Held]:
        """The current answers without their values, which whoever follows the events knows."""
        return list(map(Held._make, self.read(_current(Held._fields, study, rater))))

    def standings(self, study: str) -> list[Standing]:
        """Where every rater of a study stands, by id."""
        return self.values(Standing, raters, raters.c.study == study, order=("rater",))

    def read(self, query: Select[Any]) -> list[Any]:
        """The rows of a query, for tables that live beside the log (accounts)."""
        try:
            with self.engine.connect() as connection:
                return list(connection.execute(query).all())
        except SQLAlchemyError as error:
            raise explained(error, self.engine) from error

    def values(
        self, of: type[T], table: Table, *where: ColumnElement[bool], order: Sequence[str], json: str = ""
    ) -> list[T]:
        """The rows of a table as values of a dataclass, whose fields are columns; one column may hold JSON."""
        names = list(of.__annotations__)
        query = select(*(table.c[name] for name in names))
        rows = self.read(query.where(*where).order_by(*(table.c[name] for name in order)))
        found = [dict(zip(names, row, strict=True)) for row in rows]
        for one in found if json else ():
            one[json] = from_json(one[json])
        return [of(**one) for one in found]

    def rebuild(self) -> int:
        """Make the projections again from the events; returns the number of events read."""
        query = select(events).order_by(events.c.seq)

        def again(connection: Connection) -> int:
            return rebuild(connection, (recorded(row) for row in connection.execute(query)))

        return self.write(again).result()

    def settle(self) -> None:
        """Bring what SQLite has written beside its file into the file: whoever copies only the file has it then.

        SQLite itself does so after some megabytes, which may be a day's answers. Nobody waits for it, and what cannot
        be brought over now (somebody reads, the disk is full) is safe where it is and comes along the next time.
        """
        if not self.is_shared:
            with suppress(sqlite3.Error, SQLAlchemyError), closing(self.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Store what was handed in and let the database go."""
        self._writer.close()
        self.engine.dispose()

    def __enter__(self) -> Self:
        """The log itself; leaving the block closes it."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Close the log."""
        self.close()


class BesideLog:
    """What is kept in tables beside a log, in the same database; the log's one writer does the writing."""

    def __init__(self, log: Log) -> None:
        """Beside this log."""
        self.log = log


def _current(names: Sequence[str], study: str, rater: str | None) -> Select[Any]:
    """These columns of the current answers of a study (of one rater), by rater and step."""
    whose = [answers.c.study == study, *([answers.c.rater == rater] if rater is not None else [])]
    order = (answers.c.rater, answers.c.step, answers.c.question)
    return select(*(answers.c[name] for name in names)).where(*whose).order_by(*order)
