"""What researchers watch: a study's coefficients, kept up to date while answers arrive.

Everybody who watches shares one snapshot, and a new one takes in new events only. Measuring again is worth at most
`SHARE` of the time; it is done behind, and whoever asks meanwhile waits a moment at most and gets the values before.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from assent.collection.disputes import Case, cases_of
from assent.collection.following import Followed, Following
from assent.collection.log import Log
from assent.collection.progress import Progress, progress_of
from assent.collection.session import Study
from assent.design.plan import Plan
from assent.measures.result import Agreement
from assent.model.study import Study as Judged
from assent.readers.log import Encoding
from assent.uncertainty.studies import measure_study

SEED = 1  # as in reports
SHARE = 0.04  # of the time may go into measuring while a study is watched
SHORTEST = 1.0  # seconds between two measurements at least
PATIENCE = 0.3  # seconds that somebody waits for a measurement when there is an earlier one


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """A study at one moment: `seq` is the number of the last event in it. What pages ask for is computed once."""

    study: Study
    seq: int
    followed: tuple[Followed, ...]
    judgements: Judged | None
    _made: dict[str, Any] = field(default_factory=dict)
    _locks: dict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))

    def remember(self, key: str, make: Callable[[], Any]) -> Any:
        """Something derived from the snapshot, made when it is first asked for."""
        with self._locks[key]:
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]

    @property
    def results(self) -> tuple[Agreement, ...]:
        """The coefficients that suit each question."""
        found: tuple[Agreement, ...] = self.remember("results", self._measured)
        return found

    def _measured(self) -> tuple[Agreement, ...]:
        return () if self.judgements is None else tuple(measure_study(self.judgements, seed=SEED))

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

    def __init__(self, log: Log, study: Study, behind: ThreadPoolExecutor) -> None:
        """Nothing is read yet; `behind` has the threads that measure."""
        self._following = Following(log, study)
        self._encoding = Encoding(study)
        self._behind = behind
        self._lock, self._gate = threading.Lock(), threading.Lock()
        self._latest: Snapshot | None = None
        self._measured: Snapshot | None = None
        self._measuring: Future[Snapshot] | None = None
        self._due = 0.0

    def latest(self, study: Study) -> Snapshot:
        """The study as it is, with every answer that is stored; nothing is measured until it is asked for."""
        with self._lock:
            self._following.study = study
            if self._following.update() or self._latest is None or self._latest.study is not study:
                self._latest = Snapshot(
                    study=study,
                    seq=self._following.seq,
                    followed=tuple(self._following.raters[rater] for rater in sorted(self._following.raters)),
                    judgements=self._encoding.study(self._following.raters),
                )
            return self._latest

    def measured(self, study: Study) -> Snapshot:
        """The study as it was measured last; only who comes first has to wait for that."""
        pending = self._refreshed(study)
        if pending is None or (self._measured is not None and not _ends_soon(pending)):
            assert self._measured is not None
            return self._measured
        return pending.result()

    def _refreshed(self, study: Study) -> "Future[Snapshot] | None":
        """The measurement that is under way; one is begun if it is due."""
        with self._gate:
            if self._measuring is None and (self._measured is None or monotonic() >= self._due):
                self._measuring = self._behind.submit(self._measure, study)
            return self._measuring

    def _measure(self, study: Study) -> Snapshot:
        begun = monotonic()
        try:
            snapshot = self.latest(study)
            _ = snapshot.results
            self._measured = snapshot
            return snapshot
        finally:
            with self._gate:
                self._due = monotonic() + max(SHORTEST, (monotonic() - begun) / SHARE)
                self._measuring = None


def _ends_soon(pending: "Future[Snapshot]") -> bool:
    try:
        pending.exception(timeout=PATIENCE)
    except TimeoutError:
        return False
    return True


class Live:
    """The studies that somebody watches."""

    def __init__(self, log: Log) -> None:
        """Nobody watches yet."""
        self._log = log
        self._lock = threading.Lock()
        self._behind = ThreadPoolExecutor(max_workers=1, thread_name_prefix="assent-live")
        self._watched: dict[str, tuple[Plan, Watched]] = {}

    def latest(self, study: Study) -> Snapshot:
        """The study as it is now."""
        return self._of(study).latest(study)

    def measured(self, study: Study) -> Snapshot:
        """The study as it was measured last, a moment ago."""
        return self._of(study).measured(study)

    def close(self) -> None:
        """Wait for a measurement that is under way; no other is begun."""
        self._behind.shutdown(cancel_futures=True)

    def _of(self, study: Study) -> Watched:
        """What is known of a study; with another plan it is another study and read anew, with more raters it is not."""
        name = study.description.name
        with self._lock:
            known = self._watched.get(name)
            if known is None or known[0] is not study.plan:
                known = self._watched[name] = (study.plan, Watched(self._log, study, self._behind))
        return known[1]
