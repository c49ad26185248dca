"""The append-only log of a study: every event once, stored before it is acknowledged.

    with Log.open("sqlite:///study.db") as log:
        log.append("features", [Answered(rater="A1", step=0, unit="u1", question="core", value="yes")])

`append` returns after COMMIT. Sending an event again changes nothing and is acknowledged again; another event under
the same id is refused. The sequence numbers have no gaps and follow the order of commits, also with several server
processes on PostgreSQL.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Engine, Select, select
from sqlalchemy.exc import SQLAlchemyError

from assent.collection import enrolment, projection, storing, tables
from assent.collection.database import explained, open_engine
from assent.collection.events import Assigned, Event
from assent.collection.projection import Recorded
from assent.collection.session import Study
from assent.collection.storing import Entry, Receipt
from assent.collection.writer import Writer


@dataclass(frozen=True, kw_only=True)
class Answer:
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


class Log:
    """The log in one database, which may hold many studies."""

    def __init__(self, engine: Engine) -> None:
        """Use `Log.open`."""
        self.engine = engine
        self._writer = Writer(engine, storing.store)

    @classmethod
    def open(cls, url: str) -> Self:
        """Open the database at an address like sqlite:///study.db or postgresql://user@host/name, making its tables."""
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
        return self._writer.submit(Entry(study, tuple(events), after, visit))

    def enrol(self, study: Study, rater: str) -> Assigned:
        """Give a rater a set, the least filled one, unless they have one already; returns their assignment."""
        return self.submit_enrolment(study, rater).result()

    def submit_enrolment(self, study: Study, rater: str) -> Future[Assigned]:
        """Like `enrol`, without waiting."""
        return self._writer.call(lambda connection: enrolment.enrol(connection, study, rater))

    def write(self, work: Callable[[Connection], Any]) -> Future[Any]:
        """Run `work(connection)` in the writer's next transaction, for tables that live beside the log (accounts)."""
        return self._writer.call(work)

    def events(self, study: str, rater: str | None = None, *, after: int = 0) -> list[Recorded]:
        """The events of a study (of one rater) in the order of the log, those with a sequence number above `after`."""
        query = select(tables.events).where(tables.events.c.study == study, tables.events.c.seq > after)
        if rater is not None:
            query = query.where(tables.events.c.rater == rater)
        return [storing.recorded(row) for row in self.read(query.order_by(tables.events.c.seq))]

    def answers(self, study: str, rater: str | None = None) -> list[Answer]:
        """The current answers of a study (of one rater), by rater and step."""
        table = tables.answers
        query = select(table).where(table.c.study == study).order_by(table.c.rater, table.c.step, table.c.question)
        if rater is not None:
            query = query.where(table.c.rater == rater)
        return [_answer(row) for row in self.read(query)]

    def standings(self, study: str) -> list[Standing]:
        """Where every rater of a study stands, by id."""
        columns = [tables.raters.c[name] for name in Standing.__dataclass_fields__]
        query = select(*columns).where(tables.raters.c.study == study).order_by(tables.raters.c.rater)
        return [Standing(**row._mapping) for row in self.read(query)]

    def read(self, query: Select[Any]) -> list[Any]:
        """The rows of a query, for tables that live beside the log (accounts)."""
        try:
            with self.engine.connect() as connection:
                return list(connection.execute(query))
        except SQLAlchemyError as error:
            raise explained(error, self.engine) from error

    def rebuild(self) -> int:
        """Make the projections again from the events; returns the number of events read."""
        return int(self._writer.call(_rebuild).result())

    def close(self) -> None:
        """Store what was handed in and let the database go."""
        self._writer.close()
        self.engine.dispose()

    def __enter__(self) -> Self:
        """The log itself; leaving the block closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the log."""
        self.close()


def _rebuild(connection: Connection) -> int:
    query = select(tables.events).order_by(tables.events.c.seq)
    return projection.rebuild(connection, (storing.recorded(row) for row in connection.execute(query)))


def _answer(row: Any) -> Answer:
    stored = {name: row._mapping[name] for name in Answer.__dataclass_fields__}
    return Answer(**{**stored, "value": json.loads(stored["value"])})
