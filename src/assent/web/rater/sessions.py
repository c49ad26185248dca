"""Where each rater stands, kept in memory between requests and always made from the log.

On SQLite one process does all the writing, so the events it has written itself are all there are. On PostgreSQL other processes may
write too: there every request first reads what is new.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from assent.collection.events import Completed, Event, Shown
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
    async def of(self, study: Study, rater: str) -> AsyncIterator[Session]:
        """The session of a rater, up to date, to oneself: requests of one rater wait for each other."""
        session = self._held(study, rater)
        async with session.lock:
            if not (session.is_loaded and self._is_sole_writer):
                await self._read(session)
            yield session

    async def record(self, session: Session, events: Sequence[Event]) -> None:
        """Store events with what follows from them, and take them in. Returns after COMMIT."""
        if all(event.id in session.ids for event in events):
            return
        events = [*events, *_consequences(session.state, events)]
        try:
            numbers = await asyncio.wrap_future(self._log.submit(_name(session), events))
        except BaseException:
            session.is_loaded = False  # whether it was stored is unknown now: read the log before the next step
            raise
        await self._after(session, events, numbers)

    async def enrol(self, session: Session) -> None:
        """Give the rater a set if it is time for that, and note that its first page is shown."""
        if page(session.state).kind is not PageKind.WAITING:
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

    async def _after(self, session: Session, events: Sequence[Event], numbers: Sequence[int]) -> None:
        if not self._is_sole_writer:
            await self._read(session)
            return
        for event, number in zip(events, numbers, strict=True):
            session.take(event, number)


def shown(state: State, at: str | None = None) -> Shown:
    """The event that the state's page is on display."""
    now = page(state)
    guidelines = state.study.description.guidelines
    stamp = {"at": at} if at else {}
    return Shown(
        rater=state.rater,
        page=now.kind.value,
        step=now.step.number if now.step else None,
        guidelines=guidelines.version if guidelines else "",
        **stamp,
    )


def _name(session: Session) -> str:
    return session.state.study.description.name


def _consequences(state: State, events: Sequence[Event]) -> list[Event]:
    """What the server adds by itself: that another page is now on display, and that the rater has reached the end."""
    after = state
    for event in events:
        after = advance(after, event)
    added: list[Event] = []
    if _place(page(after)) != _place(page(state)) and page(after).kind is not PageKind.WAITING:
        added.append(shown(after, events[-1].at))
    if after.is_finished and not after.is_completed:
        added.append(Completed(rater=state.rater, at=events[-1].at))
    return added


def _place(now: Page) -> tuple[PageKind, int | None]:
    return now.kind, now.step.number if now.step else None
