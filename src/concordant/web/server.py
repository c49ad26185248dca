"""What all requests of one server share: the studio, where every rater stands, and the limits.

The limits live in the memory of one server process. Several processes behind one proxy each keep their own, so the
limit that a visitor meets is at most multiplied by their number.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic

from starlette.requests import HTTPConnection

from concordant.collection.session import State
from concordant.studio.projects import Studio
from concordant.studio.uploads import Uploads
from concordant.studio.workers import Workers
from concordant.web.rater.sessions import Sessions

MOST_VISITORS = 50_000


@dataclass(slots=True)
class Limit:
    """At most `burst` requests at once and `per_minute` in the long run: each visitor has a bucket of permits."""

    burst: int
    per_minute: float
    clock: Callable[[], float] = monotonic
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def wait(self, visitor: str) -> float:
        """Take one permit: 0 when there was one, else the seconds until there is."""
        now = self.clock()
        permits, seen = self._buckets.pop(visitor, (float(self.burst), now))
        permits = min(float(self.burst), permits + (now - seen) * self.per_minute / 60)
        taken = permits >= 1
        self._buckets[visitor] = (permits - taken, now)
        while len(self._buckets) > MOST_VISITORS:  # so that many addresses cannot fill the memory
            self._buckets.popitem(last=False)
        return 0.0 if taken else (1 - permits) * 60 / self.per_minute


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How often what may be asked for. Many raters may share one address, so what is counted by address is generous."""

    passwords: Limit = field(default_factory=lambda: Limit(burst=10, per_minute=10))  # per address
    names: Limit = field(default_factory=lambda: Limit(burst=20, per_minute=2))  # per account, from wherever
    entrances: Limit = field(default_factory=lambda: Limit(burst=300, per_minute=120))  # per address
    answers: Limit = field(default_factory=lambda: Limit(burst=200, per_minute=1200))  # per rater


class Server(Studio):
    """A studio that is served."""

    @cached_property
    def sessions(self) -> Sessions:
        """Where every rater stands."""
        return Sessions(self.log)

    @cached_property
    def uploads(self) -> Uploads:
        """The files that researchers brought."""
        return Uploads(self.workers)

    @cached_property
    def workers(self) -> Workers:
        """The processes that read what researchers brought."""
        return Workers()

    @cached_property
    def rehearsals(self) -> OrderedDict[tuple[str, str], State]:
        """Where researchers are who try a draft as its raters will: by researcher and study."""
        return OrderedDict()

    @cached_property
    def arriving(self) -> asyncio.Semaphore:
        """Newcomers are let in one after the other: whoever is at work never waits for a crowd at the door."""
        return asyncio.Semaphore(1)

    @cached_property
    def limits(self) -> Limits:
        """How often what may be asked for."""
        return Limits()


def server_of(request: HTTPConnection) -> Server:
    """The server that a request came to."""
    server: Server = request.scope["state"]["server"]
    return server
