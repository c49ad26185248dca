"""Rate limits: a bucket of permits per visitor that refills steadily.

The buckets live in the memory of one server process. Several processes behind one proxy each keep their own, so the
limit that a visitor meets is at most multiplied by their number.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

MOST_VISITORS = 50_000


@dataclass(slots=True)
class Limit:
    """At most `burst` requests at once and `per_minute` in the long run, for each visitor."""

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
        self._forget()
        return 0.0 if taken else (1 - permits) * 60 / self.per_minute

    def _forget(self) -> None:
        """Drop the visitors seen longest ago, so that many addresses cannot fill the memory."""
        while len(self._buckets) > MOST_VISITORS:
            self._buckets.popitem(last=False)
