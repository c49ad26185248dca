"""What researchers watch: a study's coefficients, kept up to date while answers arrive.

Everybody who watches shares one snapshot, and a new one takes in new events only. Measuring again is worth at most
`SHARE` of the time; it is done behind, and whoever asks meanwhile waits a moment at most and gets the values before.
"""

import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar

from concordant.about import NAME
from concordant.collection.checkpoint import FEWEST, Checkpoint
from concordant.collection.collected import FoldedRater
from concordant.collection.conflicts import Conflict
from concordant.collection.database import LogError
from concordant.collection.disputes import Case, cases_of
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.collection.study_progress import Progress, progress_of
from concordant.design.plan import Plan
from concordant.measures.result import Agreement
from concordant.memory import rare_collection
from concordant.model.study import Study as Judged
from concordant.readers.rater_kinds import of_people
from concordant.readers.study_log import Encoding
from concordant.uncertainty.studies import measure_study

T = TypeVar("T")
SEED = 1  # as in reports
SHARE = 0.04  # of the time may go into measuring while a study is watched
SHORTEST = 1.0  # seconds between two measurements at least
MOMENT = 0.7  # seconds that somebody waits before they are told how far the reading is
PATIENCE = 0.15  # seconds that somebody waits for a measurement when there is an earlier one


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """A study at one moment: `seq` is the number of the last event in it. What pages ask for is computed once.

    `guidelines` has each version of the guidelines with how many pages were shown beside it, in order of appearance.
    """

    study: Running
    seq: int
    followed: tuple[FoldedRater, ...]
    encode: Callable[[Sequence[FoldedRater]], Judged | None]
    guidelines: Mapping[str, int]
    _made: dict[str, Any] = field(default_factory=dict)
    _locks: dict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))

    def remember(self, key: str, make: Callable[[], T]) -> T:
        """Something derived from the snapshot, made when it is first asked for."""
        with self._locks[key]:
            if key not in self._made:
                with rare_collection():
                    self._made[key] = make()
            made: T = self._made[key]
        return made

    @property
    def judgements(self) -> Judged | None:
        """What is measured; None when nobody has judged anything."""
        return self.remember("judgements", lambda: self.encode(self.followed))

    @property
    def labelled(self) -> Judged | None:
        """What labels are made of: the same, and the judgements of units that were allocated."""
        if self.study.description.allocation is None:
            return self.judgements
        everybody = {one.person.rater: one for one in self.followed}
        return self.remember("labelled", lambda: of_people(Encoding(self.study, allocated=True).study(everybody)))

    @property
    def results(self) -> tuple[Agreement, ...]:
        """The coefficients that suit each question."""
        study = self.judgements
        if study is None:
            return ()
        return self.remember("results", lambda: tuple(measure_study(study, seed=SEED)))

    @property
    def notes(self) -> Sequence[str]:
        """What is to be said about the judgements."""
        return self.judgements.notes if self.judgements else ()

    @property
    def attributes(self) -> list[str]:
        """What the study can be sliced by."""
        return sorted(self.judgements.attributes) if self.judgements else []

    @property
    def progress(self) -> Progress:
        """How far everybody is."""
        return self.remember("progress", lambda: progress_of(self.study, self.followed))

    @property
    def conflicts(self) -> list[Conflict]:
        """Answers that did not know of each other, by rater."""
        return [conflict for one in self.followed for conflict in one.conflicts]

    @property
    def cases(self) -> Sequence[Case]:
        """All units with their answers, the most disputed first."""
        return self.remember("cases", lambda: cases_of(self.study.description, self.followed))


class Watched:
    """One study that is followed."""

    def __init__(self, log: Log, study: Running, behind: ThreadPoolExecutor) -> None:
        """Nothing is read yet; `behind` has the threads that measure."""
        self._following = LiveFold(log, study)
        self._encoding = Encoding(study)
        self._behind = behind
        self._lock, self._gate, self._encoding_lock = threading.Lock(), threading.Lock(), threading.Lock()
        self._latest: Snapshot | None = None
        self._measured: Snapshot | None = None
        self._measuring: Future[Snapshot] | None = None
        self._reading: Future[Snapshot] | None = None
        self._due = 0.0

    def latest(self, study: Running) -> Snapshot:
        """The study as it is, with every answer that is stored; nothing is measured until it is asked for."""
        with self._lock:
            self._following.study = study
            if self._following.update() or self._latest is None or self._latest.study is not study:
                self._latest = Snapshot(
                    study=study,
                    seq=self._following.seq,
                    followed=tuple(self._following.raters[rater] for rater in sorted(self._following.raters)),
                    encode=self._encoded,
                    guidelines=dict(self._following.pages.versions),
                )
            return self._latest

    def is_read(self, study: Running) -> bool:
        """Whether the log was read, or is in a moment; else it is being read behind."""
        with self._gate:
            if self._latest is not None:
                return True
            self._reading = self._reading or self._behind.submit(self.latest, study)
        return bool(wait([self._reading], timeout=MOMENT).done)

    @property
    def n_read(self) -> tuple[int, int]:
        """Of how many raters everything was read, and how many there are, as far as that is known."""
        return self._following.n_folded

    def _encoded(self, followed: Sequence[FoldedRater]) -> Judged | None:
        with self._encoding_lock:
            return of_people(self._encoding.study({one.person.rater: one for one in followed}))

    def measured(self, study: Running) -> Snapshot:
        """The study as it was measured last; only who comes first has to wait for that."""
        with self._gate:
            before = self._measured
            if self._measuring is None and (before is None or monotonic() >= self._due):
                self._measuring = self._behind.submit(self._measure, study)
            pending = self._measuring
        if before is not None and (pending is None or not wait([pending], timeout=PATIENCE).done):
            return before
        assert pending is not None
        return pending.result()

    def _measure(self, study: Running) -> Snapshot:
        begun = monotonic()
        try:
            snapshot = self.latest(study)
            _ = snapshot.results, snapshot.progress
            self._measured = snapshot
            return snapshot
        finally:
            with self._gate:
                self._due = monotonic() + max(SHORTEST, (monotonic() - begun) / SHARE)
                self._measuring = None
            with suppress(RuntimeError):  # the server is stopping
                self._behind.submit(self.keep)

    def keep(self) -> None:
        """Keep what was read, if there is much more of it than was kept before. A disk that is full loses nothing."""
        with self._lock:
            portion = self._following.portion()
        if portion is not None:
            with suppress(LogError):
                self._following.checkpoint.keep(portion)

    def keep_latest(self, study: Running) -> None:
        """Read what is new, and keep it."""
        self.latest(study)
        self.keep()


class Live:
    """The studies that somebody watches."""

    def __init__(self, log: Log) -> None:
        """Nobody watches yet."""
        self._log = log
        self._lock = threading.Lock()
        self._behind = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"{NAME}-live")
        self._when_quiet = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"{NAME}-quiet")
        self._reading: Future[None] | None = None
        self._watched: dict[str, tuple[Plan, Watched]] = {}
        self._unwatched: dict[str, tuple[Plan, Watched]] = {}
        self._heard: Counter[str] = Counter()
        self._heard_to = log.arrived(sys.maxsize)[1]

    def latest(self, study: Running) -> Snapshot:
        """The study as it is now."""
        return self._of(study).latest(study)

    def measured(self, study: Running) -> Snapshot:
        """The study as it was measured last, a moment ago."""
        return self._of(study).measured(study)

    def is_read(self, study: Running) -> bool:
        """Whether a page of the study can be shown at once, or in a moment; else its log is being read behind."""
        return self._of(study).is_read(study)

    def n_read(self, study: Running) -> tuple[int, int]:
        """How far that is: raters of all raters."""
        return self._of(study).n_read

    def keep_up(self, studies: Iterable[Running]) -> None:
        """Follow, behind, the studies that much came in of since.

        After a restart, whenever that is, the first page then need not go through the whole log. Of what nobody has
        watched nothing is held, since memory is for those who look: where nothing came in of anything for a while, one
        such study is read, kept and let go.
        """
        known = {study.description.name: study for study in studies}
        for name in known:
            self._heard.setdefault(name, FEWEST)  # what was kept before this start may be short of the log
        arrived, self._heard_to = self._log.arrived(self._heard_to)
        self._heard.update(arrived)
        is_quiet = not arrived and (self._reading is None or self._reading.done())
        for name in [name for name in known if self._heard[name] >= FEWEST]:
            if name in self._watched:
                self._behind.submit(self._of(known[name]).keep_latest, known[name])
            elif is_quiet:
                self._reading, is_quiet = self._when_quiet.submit(self._keep_unwatched, known[name]), False
            else:
                continue
            self._heard[name] = 0

    def _keep_unwatched(self, study: Running) -> None:
        """Read a study and keep it; whoever begins to watch it meanwhile goes on with what was read."""
        if not Checkpoint(self._log, study).is_behind():
            return
        reading = Watched(self._log, study, self._behind)
        self._unwatched = {study.description.name: (study.plan, reading)}
        try:
            reading.keep_latest(study)
        finally:
            self._unwatched = {}

    def close(self) -> None:
        """Wait for a measurement that is under way; no other is begun."""
        for executor in (self._behind, self._when_quiet):
            executor.shutdown(cancel_futures=True)

    def _of(self, study: Running) -> Watched:
        """What is known of a study; with another plan it is another study and read anew, with more raters it is not."""
        name = study.description.name
        with self._lock:
            known = self._watched.get(name) or self._unwatched.get(name)
            if known is None or known[0] is not study.plan:
                known = study.plan, Watched(self._log, study, self._behind)
            self._watched[name] = known
        return known[1]
