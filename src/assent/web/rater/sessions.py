"""Where each rater stands, kept in memory between requests and always made from the log.

On SQLite one process does all the writing, so the events it has written itself are all there are. On PostgreSQL other
processes may write too: there a page is shown only after reading what is new, and the transaction that stores an answer
also tells what others have stored of the same rater before it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import NAMESPACE_URL, uuid5

from starlette.concurrency import run_in_threadpool

from assent.collection.accounts import Visit
from assent.collection.events import Completed, Event, Shown, now
from assent.collection.log import Log
from assent.collection.pages import PageKind, place
from assent.collection.session import State, Study, advance, start

MOST = 1000


@dataclass(slots=True)
class Session:
    """One rater's state with the number of the last event in it; `ids` are the events it has taken in.

    `visit` is shown with whatever the request at work stores.
    """

    state: State
    seq: int = 0
    ids: set[str] = field(default_factory=set)
    is_loaded: bool = False
    visit: str | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def take(self, event: Event, seq: int) -> None:
        """Take one stored event in; one that is known already changes nothing."""
        if event.id not in self.ids:
            self.state = advance(self.state, event)
            self.ids.add(event.id)
            self.seq = max(self.seq, seq)


class Sessions:
    """The sessions in use, the least used ones forgotten first (they are made again from the log)."""

    def __init__(self, log: Log) -> None:
        """Sessions over a log."""
        self._log = log
        self._sessions: OrderedDict[tuple[str, str], Session] = OrderedDict()

    @asynccontextmanager
    async def of(self, study: Study, rater: str, *, writing_as: Visit | None = None) -> AsyncIterator[Session]:
        """The session of a rater, up to date, to oneself: requests of one rater wait for each other.

        Somebody who is writing need not have the latest: `record` brings it, and refuses a visit that has ended.
        """
        session = self._held(study, rater)
        async with session.lock:
            if not session.is_loaded or (self._log.is_shared and writing_as is None):
                await self._read(session)
            session.visit = writing_as.token_hash if writing_as and self._log.is_shared else None
            yield session

    async def record(self, session: Session, events: Sequence[Event]) -> None:
        """Store events with what follows from them, and take them in. Returns after COMMIT."""
        if all(event.id in session.ids for event in events):
            return
        await self._store(session, [*events, *_page_turned(session.state, events)])
        if session.state.is_finished and not session.state.is_completed:
            id = str(uuid5(NAMESPACE_URL, f"completed {_name(session)} {session.state.rater}"))
            await self._store(session, [Completed(id=id, rater=session.state.rater, at=events[-1].at)])

    async def enrol(self, session: Session) -> None:
        """Give the rater a set if it is time for that, and note that its first page is shown."""
        if session.state.steps or place(session.state)[0] is not PageKind.WAITING:
            return
        study, rater = session.state.study, session.state.rater
        await asyncio.wrap_future(self._log.submit_enrolment(study, rater))
        await self._read(session)
        await self.record(session, [shown(session.state)])

    def _held(self, study: Study, rater: str) -> Session:
        key = (study.description.name, rater)
        session = self._sessions.pop(key, None) or Session(start(study, rater))
        self._sessions[key] = session
        self._forget()
        return session

    def _forget(self) -> None:
        """Let go of the session unused for longest, unless a request is at work on it."""
        oldest = next(iter(self._sessions))
        if len(self._sessions) > MOST and not self._sessions[oldest].lock.locked():
            del self._sessions[oldest]

    async def _read(self, session: Session) -> None:
        recorded = await run_in_threadpool(self._log.events, _name(session), session.state.rater, after=session.seq)
        for entry in recorded:
            session.take(entry.event, entry.seq)
        session.is_loaded = True

    async def _store(self, session: Session, events: Sequence[Event]) -> None:
        after = session.seq if self._log.is_shared else None
        try:
            future = self._log.submit(_name(session), events, after=after, visit=session.visit)
            receipt = await asyncio.wrap_future(future)
        except BaseException:
            session.is_loaded = False  # whether it was stored is unknown now: read the log before the next step
            raise
        for entry in receipt.missed:
            session.take(entry.event, entry.seq)
        for event, number in zip(events, receipt.numbers, strict=True):
            session.take(event, number)


def shown(state: State) -> Shown:
    """The event that the state's page is on display."""
    return _shown(state, at=now())


def _shown(state: State, *, at: str) -> Shown:
    guidelines = state.study.description.guidelines
    kind, step = place(state)
    return Shown(
        rater=state.rater,
        page=kind.value,
        step=step.number if step else None,
        guidelines=guidelines.version if guidelines else "",
        at=at,
    )


def _name(session: Session) -> str:
    return session.state.study.description.name


def _page_turned(state: State, events: Sequence[Event]) -> list[Shown]:
    """Another page is on display after these events: that is an event too."""
    after = state
    for event in events:
        after = advance(after, event)
    displayed = place(after)
    if displayed == place(state) or displayed[0] is PageKind.WAITING:
        return []
    return [_shown(after, at=events[-1].at)]
