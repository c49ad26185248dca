"""One thread that writes, many that wait: group commit.

Whoever wants something stored hands it in and gets a future. The writer takes everything handed in since its last
commit and stores it in one transaction, so a hundred raters cost one flush to disk instead of a hundred. While many are
writing it waits a moment for company before it begins: on a fast disk there would be many small transactions instead of
few large ones. A future is resolved only after COMMIT; if the transaction fails, all of its futures fail and nothing of
it is stored.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from assent.collection.database import LogError, explained, take_turns
from assent.errors import AssentError

LARGEST_GROUP = 1000
GATHERING = 0.01  # seconds to wait for company, when the group before had some

Group = Callable[[Connection, Sequence[Any]], list[Any]]


@dataclass(frozen=True)
class Job:
    """Something to store: an entry for the group, or work that needs a transaction of its own."""

    entry: Any = None
    work: Callable[[Connection], Any] | None = None
    future: Future[Any] = field(default_factory=Future)


class Writer:
    """The writing thread of one database."""

    def __init__(self, engine: Engine, store_group: Group) -> None:
        """`store_group` stores many entries at once and returns for each its result, or the error that refuses it."""
        self._engine = engine.execution_options(writes=True)
        self._store_group = store_group
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="log writer", daemon=True)
        self._thread.start()

    def submit(self, entry: Any) -> Future[Any]:
        """Store one entry with the next group."""
        return self._hand_in(Job(entry=entry))

    def call(self, work: Callable[[Connection], Any]) -> Future[Any]:
        """Run `work` in the next transaction; nothing else is written while it runs."""
        return self._hand_in(Job(work=work))

    def close(self) -> None:
        """Store what was handed in, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _hand_in(self, job: Job) -> Future[Any]:
        if not self._thread.is_alive():
            job.future.set_exception(LogError("the log is closed"))
        self._queue.put(job)
        return job.future

    def _serve(self) -> None:
        jobs, is_open = list[Job](), True
        while is_open:
            jobs, is_open = self._take(wait=GATHERING if len(jobs) > 1 else 0.0)
            self._commit([job for job in jobs if job.work is None], self._run_group)
            self._commit([job for job in jobs if job.work is not None], _run_works)

    def _take(self, wait: float) -> tuple[list[Job], bool]:
        """Wait for a first job, then take what else has arrived; the second value is False when the log was closed."""
        jobs: list[Job] = []
        job = self._queue.get()
        time.sleep(wait)
        while job is not None:
            jobs.append(job)
            if len(jobs) == LARGEST_GROUP or self._queue.empty():
                return jobs, True
            job = self._queue.get()
        return jobs, False

    def _run_group(self, connection: Connection, jobs: list[Job]) -> list[Any]:
        return self._store_group(connection, [job.entry for job in jobs])

    def _commit(self, jobs: list[Job], run: Callable[[Connection, list[Job]], list[Any]]) -> None:
        """Run jobs in one transaction, and only then tell those who wait."""
        if not jobs:
            return
        try:
            with self._engine.begin() as connection:
                take_turns(connection)
                results = run(connection, jobs)
        except SQLAlchemyError as error:
            results = [explained(error, self._engine)] * len(jobs)
        except Exception as error:  # a mistake of ours: whoever waits must hear of it, and the thread must live on
            results = [error] * len(jobs)
        for job, result in zip(jobs, results, strict=True):
            _resolve(job.future, result)


def _run_works(connection: Connection, jobs: list[Job]) -> list[Any]:
    return [_run_work(connection, job.work) for job in jobs if job.work is not None]


def _run_work(connection: Connection, work: Callable[[Connection], Any]) -> Any:
    """One work among others that are committed with it: what it refuses is undone without touching the rest."""
    try:
        with connection.begin_nested():
            return work(connection)
    except AssentError as refusal:
        return refusal


def _resolve(future: Future[Any], result: Any) -> None:
    """A future that its owner has cancelled is left alone: the entry is stored all the same."""
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
