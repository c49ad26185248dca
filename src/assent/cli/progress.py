"""A progress bar on standard error, drawn only when work takes over a second and somebody watches."""

import sys
import time
from types import TracebackType
from typing import Self

PATIENCE = 1.0  # seconds without a bar
REFRESH = 0.1  # seconds between two drawings


class Bar:
    """Called as `bar(done, total)`; use it in a `with` block so that it is wiped at the end."""

    def __init__(self, label: str) -> None:
        """Start the clock."""
        self.label, self.started, self.drawn = label, time.monotonic(), 0.0

    def __call__(self, done: int, total: int) -> None:
        """Draw, if it is time to."""
        now = time.monotonic()
        if now - self.started < PATIENCE or now - self.drawn < REFRESH or not sys.stderr.isatty():
            return
        self.drawn = now
        share = done / max(total, 1)
        passed = now - self.started
        times = in_words(passed) + (f", about {in_words(passed / share - passed)} left" if share > 0 else "")
        filled = "█" * round(30 * share) + "░" * (30 - round(30 * share))
        sys.stderr.write(f"\r{self.label} {filled} {share:4.0%}  {times} \x1b[K")
        sys.stderr.flush()

    def __enter__(self) -> Self:
        """Nothing is drawn yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wipe the bar."""
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def in_words(seconds: float) -> str:
    """A time as short as it can be said.

    >>> in_words(42.3), in_words(754), in_words(9000)
    ('42 s', '12 min 34 s', '2 h 30 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
