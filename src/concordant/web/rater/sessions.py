"""Where each rater stands, kept in memory between requests and always made from the log.

On SQLite one process does all the writing, so the events it has written itself are all there are. On PostgreSQL other
processes may write too: there a page is shown only after reading what is new, and the transaction that stores an answer
also tells what others have stored of the same rater before it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from uuid import NAMESPACE_URL, uuid5

from starlette.concurrency import run_in_threadpool

from concordant.collection.accounts import Visit
from concordant.collection.events import Completed, Ended, Event, Shown, now
from concordant.collection.log import Log
from concordant.collection.page import PageKind, place
from concordant.collection.session import Running, State, advance, end_of, start

MOST, MOST_EVENTS = 1000, 200_000  # sessions, and events in all of them: some 280 MB
MANY_EVENTS, IDLE = 20_000, 120.0  # from so many on, whoever did nothing for so many seconds is let go


@dataclass(slots=True)
class Session:
    """One rater's state with the number of the last event in it; `ids` are the events it has taken in.

    What was shown, half of a log, is not among them: no browser sends that, so none of it comes twice.

    `visit` is shown with whatever the request at work stores; `shown` is the page that was displayed last; `weight` is
    how many events it had when it was used last. One that requests are at work on, or wait for, stays in memory.
    """

    state: State
    seq: int = 0
    ids: set[str] = field(default_factory=set)
    is_loaded: bool = False
    visit: str | None = None
    shown: Shown | None = None
    weight: int = 0
    n_users: int = 0
    used_at: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def take(self, event: Event, seq: int) -> None:
        """Take one stored event in; one that is known already changes nothing."""
        if isinstance(event, Shown):
            self.shown = event if seq > self.seq else self.shown
        elif event.id not in self.ids:
            self.state = advance(self.state, event)
            self.ids.add(event.id)
        self.seq = max(self.seq, seq)


class Sessions:
    """The sessions in use, the least used ones forgotten first (they are made again from the log)."""

    def __init__(self, log: Log) -> None:
        """Sessions over a log."""
        self._log = log
        self._sessions: OrderedDict[tuple[str, str], Session] = OrderedDict()
        self._n_events = 0

    @asynccontextmanager
    async def of(
        self, study: Running, rater: str, *, writing_as: Visit | None = None, is_new: bool = False
    ) -> AsyncIterator[Session]:
        """The session of a rater, up to date, to oneself: requests of one rater wait for each other.

        Somebody who is writing need not have the latest: `record` brings it, and refuses a visit that has ended. Of
        somebody `is_new` there is nothing to read.
        """
        session = self._held(study, rater)
        session.n_users += 1  # whoever waits for the lock has it, too
        try:
            async with session.lock:
                if not (session.is_loaded or is_new) or (self._log.is_shared and writing_as is None and not is_new):
                    await self._read(session)
                session.visit = writing_as.token_hash if writing_as and self._log.is_shared else None
                yield session
        finally:
            session.n_users -= 1
            self._n_events += len(session.ids) - session.weight
            session.weight = len(session.ids)

    async def hear(self, session: Session, ids: Collection[str]) -> None:
        """Read what other processes have stored, where somebody has seen events that are not known here."""
        if self._log.is_shared and not session.ids.issuperset(ids):
            await self._read(session)

    async def record(self, session: Session, events: Sequence[Event]) -> None:
        """Store events with what follows from them, and take them in. Returns after COMMIT."""
        if all(event.id in session.ids for event in events):
            return
        await self._store(session, [*events, *_page_turned(session.state, events)])
        state, at = session.state, events[-1].at
        reason = end_of(state)
        if reason and not state.ended:
            id = _once("ended", session)
            await self._store(session, [Ended(id=id, rater=state.rater, at=at, reason=reason)])
        elif state.is_finished and not (state.is_completed or reason):
            await self._store(session, [Completed(id=_once("completed", session), rater=state.rater, at=at)])

    async def arrive(self, session: Session, coming: Sequence[Event], visit: Visit) -> None:
        """Let a rater in: note that they came, that their browser is signed in, and their set if it is time for that.

        All of it is one transaction, so that a crowd costs little.
        """
        await self._enter(session, advance(session.state, *coming), coming, visit)

    async def enrol(self, session: Session) -> None:
        """Give the rater a set if it is time for that, and note that its first page is shown."""
        if _is_due(session.state):
            await self._enter(session, session.state)
        if session.shown is None and session.state.steps:
            await self.record(session, [shown(session.state)])

    async def _enter(
        self, session: Session, after: State, coming: Sequence[Event] = (), visit: Visit | None = None
    ) -> None:
        """One transaction; `after` is the state that the events lead to."""
        study, rater = session.state.study, session.state.rater
        row = visit.__dict__ if visit else None
        future = self._log.submit_arrival(study, rater, coming=coming, visit=row, enrol=_is_due(after))
        try:
            stored = await asyncio.wrap_future(future)
        except BaseException:
            session.is_loaded = False
            raise
        if self._log.is_shared:  # others may have stored something before
            await self._read(session)
        for event, number in stored:
            session.take(event, number)
        session.is_loaded = True

    def _held(self, study: Running, rater: str) -> Session:
        """The session in memory, or a new one; those unused for longest are let go, if no request needs them."""
        key = (study.description.name, rater)
        session = self._sessions.pop(key, None) or Session(start(study, rater))
        self._sessions[key] = session
        session.used_at = monotonic()
        while len(self._sessions) > MOST or self._n_events > MANY_EVENTS:
            oldest, used = next(iter(self._sessions.items()))
            is_needed = len(self._sessions) <= MOST and self._n_events <= MOST_EVENTS
            if used.n_users or used is session or (is_needed and session.used_at - used.used_at < IDLE):
                break
            del self._sessions[oldest]
            self._n_events -= used.weight
        return session

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


def shown(state: State, at: str | None = None) -> Shown:
    """The event that the state's page is on display, now or at another time."""
    guidelines = state.study.description.guidelines
    kind, step = place(state)
    return Shown(
        rater=state.rater,
        page=kind.value,
        step=step.number if step else None,
        guidelines=guidelines.version if guidelines else "",
        at=at or now(),
    )


def _is_due(state: State) -> bool:
    """Whether it is time to give the rater a set."""
    return not state.steps and place(state)[0] is PageKind.WAITING


def _once(what: str, session: Session) -> str:
    """The id of what happens to a rater once, whichever server notes it."""
    return str(uuid5(NAMESPACE_URL, f"{what} {_name(session)} {session.state.rater}"))


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
    return [shown(after, at=events[-1].at)]
