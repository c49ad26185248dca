"""What researchers watch: a study's coefficients, kept up to date while answers arrive.

A snapshot is made at most as often as measuring costs little (`SHARE` of the time), is shared by everybody who
watches, and takes in new events only. Whoever asks while one is being made gets the one before.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from assent.collection.disputes import Case, cases_of
from assent.collection.following import Followed, Following
from assent.collection.log import Log
from assent.collection.progress import Progress, progress_of
from assent.collection.session import Study
from assent.measures.result import Agreement
from assent.model.study import Study as Judged
from assent.readers.log import Encoding
from assent.uncertainty.studies import measure_study

SEED = 1  # as in reports
SHARE = 0.04  # of the time may go into measuring while a study is watched
SHORTEST = 1.0  # seconds between two snapshots at least


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """A study at one moment: `seq` is the number of the last event in it. What pages ask for is computed once."""

    study: Study
    seq: int
    followed: tuple[Followed, ...]
    judgements: Judged | None
    results: tuple[Agreement, ...]
    _made: dict[str, Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def remember(self, key: str, make: Callable[[], Any]) -> Any:
        """Something derived from the snapshot, made when it is first asked for."""
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]

    @property
    def progress(self) -> Progress:
        """How far everybody is."""
        found: Progress = self.remember("progress", lambda: progress_of(self.study, self.followed))
        return found

    @property
    def cases(self) -> Sequence[Case]:
        """All units with their answers, the most disputed first."""
        found: Sequence[Case] = self.remember("cases", lambda: cases_of(self.study.description, self.followed))
        return found


class Watched:
    """One study that is followed."""

    def __init__(self, log: Log, study: Study) -> None:
        """Nothing is read yet."""
        self._following = Following(log, study)
        self._encoding = Encoding(study)
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._due = 0.0

    def now(self, *, at_once: bool = False) -> Snapshot:
        """The study as it is; `at_once` does not wait until another snapshot is due."""
        must = at_once or self._snapshot is None
        if not self._lock.acquire(blocking=must):
            assert self._snapshot is not None
            return self._snapshot
        try:
            if self._snapshot is None or ((must or monotonic() >= self._due) and self._following.update()):
                self._snapshot = self._made()
            return self._snapshot
        finally:
            self._lock.release()

    def _made(self) -> Snapshot:
        begun = monotonic()
        self._following.update()
        judgements = self._encoding.study(self._following.raters)
        snapshot = Snapshot(
            study=self._following.study,
            seq=self._following.seq,
            followed=tuple(self._following.raters[rater] for rater in sorted(self._following.raters)),
            judgements=judgements,
            results=() if judgements is None else tuple(measure_study(judgements, seed=SEED)),
        )
        self._due = monotonic() + max(SHORTEST, (monotonic() - begun) / SHARE)
        return snapshot


class Live:
    """The studies that somebody watches."""

    def __init__(self, log: Log) -> None:
        """Nobody watches yet."""
        self._log = log
        self._lock = threading.Lock()
        self._watched: dict[str, tuple[Study, Watched]] = {}

    def snapshot(self, study: Study, *, at_once: bool = False) -> Snapshot:
        """The study as it is now; a study with other raters than before is read anew."""
        name = study.description.name
        with self._lock:
            known = self._watched.get(name)
            if known is None or known[0] is not study:
                known = self._watched[name] = (study, Watched(self._log, study))
        return known[1].now(at_once=at_once)
