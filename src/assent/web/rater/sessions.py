"""Where each rater stands, kept in memory between requests and always made from the log.

On SQLite one process does all the writing, so the events it has written itself are all there are. On PostgreSQL other
processes may write too: there a page is shown, and an answer taken in, only after reading what is new.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import NAMESPACE_URL, uuid5

from starlette.concurrency import run_in_threadpool

from assent.collection.events import Completed, Event, Shown, now
from assent.collection.log import Log
from assent.collection.pages import Page, PageKind, page
from assent.collection.session import State, Study, advance, start

MOST = 1000


@dataclass(slots=True)
class Session:
    """One rater's state with the number of the last event in it; `ids` are the events it has taken in."""

    state: State
    seq: int = 0
    ids: set[str] = field(default_factory=set)
    is_loaded: bool = False
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
        self._is_sole_writer = log.engine.dialect.name == "sqlite"
        self._sessions: OrderedDict[tuple[str, str], Session] = OrderedDict()

    @asynccontextmanager
    async def of(self, study: Study, rater: str, *, is_writing: bool = False) -> AsyncIterator[Session]:
        """The session of a rater, up to date, to oneself: requests of one rater wait for each other.

        Somebody who is writing need not have the latest: `record` reads it.
        """
        session = self._held(study, rater)
        async with session.lock:
            if not (session.is_loaded and (self._is_sole_writer or is_writing)):
                await self._read(session)
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
        if session.state.steps or page(session.state).kind is not PageKind.WAITING:
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
        try:
            numbers = await asyncio.wrap_future(self._log.submit(_name(session), events))
        except BaseException:
            session.is_loaded = False  # whether it was stored is unknown now: read the log before the next step
            raise
        if not self._is_sole_writer:
            await self._read(session)
            return
        for event, number in zip(events, numbers, strict=True):
            session.take(event, number)


def shown(state: State) -> Shown:
    """The event that the state's page is on display."""
    return _shown(state, page(state), at=now())


def _shown(state: State, displayed: Page, *, at: str) -> Shown:
    guidelines = state.study.description.guidelines
    return Shown(
        rater=state.rater,
        page=displayed.kind.value,
        step=displayed.step.number if displayed.step else None,
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
    before, displayed = page(state), page(after)
    if _place(displayed) == _place(before) or displayed.kind is PageKind.WAITING:
        return []
    return [_shown(after, displayed, at=events[-1].at)]


def _place(displayed: Page) -> tuple[PageKind, int | None]:
    return displayed.kind, displayed.step.number if displayed.step else None
