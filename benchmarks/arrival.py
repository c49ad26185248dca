"""A crowd that comes at once, very long lists of items, thousands of raters, and the first page after a restart.

    python benchmarks/arrival.py [--arrivals 500] [--seconds 10] [--soak 600]

Servers are processes of their own, on SQLite, and so is the crowd, so that the rater who is measured waits for the
server only. On a machine with fewer than three free processors they wait for each other all the same: a line says how
busy it was. Measured, each against the value that must hold:

- four raters who answer five times a second, in quiet and while a crowd opens the link and gets its first page: the
  95th percentile of the acknowledgements must less than double. On a machine that is busy with other things it is
  compared with the same at the same time on a server to which nobody comes; processor time for each arrival is said;
- the first page of new raters of a study of 100,000 items against one of 100: less than twice;
- the whole first page of a researcher, and a rater's, after kill -9 and a start on a log of 100,000 answers, the last
  of them given after what was gathered was kept: less than 2 s; and the same where nothing was kept;
- every page of a researcher after the first, of a study with 5,000 raters: less than 1 s of processor time and 200 kB;
- the memory of the server while raters come, answer 90 items and leave, for `--soak` seconds: it stays what it was
  after the first quarter.
"""

import argparse
import asyncio
import math
import multiprocessing
import os
import re
import socket
import sqlite3
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from concordant.collection.events import Answered, Event, Joined, Shown
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.description import Description
from concordant.design.plan import make_plan
from concordant.studio.people import hashed
from concordant.tasks.question import Option, Question, Unit
from concordant.web import app
from concordant.web.app import create_app, serve
from concordant.web.server import Limit, Limits, Server

PASSWORD = "a password for measuring"
OPTIONS = tuple(Option(value=value, label=value) for value in ("noun", "verb", "other"))
LIMITS = [Limit(burst=10**9, per_minute=1) for _ in range(4)]
BROWSER = {"accept": "text/html"}
PAGES = ("", "/agreement", "/disagreements", "/adjudication", "/gold", "/report")


def study(name: str, n_units: int) -> Running:
    """One question about many units, open to everybody."""
    units = tuple(Unit(id=f"u{i}", item=f"u{i}", text=f"text {i}", copies=(f"u{i}",)) for i in range(n_units))
    question = Question(id="class", task="categorical", ask="Which class?", options=OPTIONS)
    about = {"title": name, "folder": Path(), "is_open": True, "questions": (question,), "units": units, "rows": units}
    description = Description(name=name, **about)
    return Running(description=description, plan=make_plan(description))


def fill(log: Log, made: Running, n_raters: int, n_answers: int) -> None:
    """Raters who have answered the first of their items."""
    name = made.description.name
    for number in range(n_raters):
        rater = f"r{number}"
        log.append(name, [Joined(rater=rater, link="open")])
        steps = log.enrol(made, rater).steps[:n_answers]
        about, told = {"rater": rater, "question": "class", "seconds": 3.0}, list[Event]()
        value = OPTIONS[number % 3].value
        for one in steps:
            shown = Shown(rater=rater, page="judging", step=one["number"])
            told += [shown, Answered(step=one["number"], unit=one["unit"], value=value, **about)]
        log.append(name, told)


def run(database: str, studies: tuple[tuple[str, int], ...], port: int) -> None:
    """The server process."""
    app.PERIOD = 1.0
    server = Server(Log.open(database), {name: study(name, n) for name, n in studies})
    server.limits = Limits(passwords=LIMITS[0], names=LIMITS[1], entrances=LIMITS[2], answers=LIMITS[3])
    if not server.accounts.researchers():
        server.accounts.add_researcher("maria", hashed(PASSWORD))
    serve(create_app(server), socket.create_server(("127.0.0.1", port), backlog=2048))


@contextmanager
def running(database: str, *studies: tuple[str, int]) -> Iterator[tuple[str, int]]:
    """A server with these studies: its address and the id of its process."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
    process = multiprocessing.Process(target=run, args=(database, studies, port), daemon=True)
    process.start()
    base = f"http://127.0.0.1:{port}"
    while True:
        try:
            httpx.get(f"{base}/health")
            break
        except httpx.TransportError:
            time.sleep(0.05)
    try:
        yield base, process.pid or 0
    finally:
        process.kill()
        process.join()


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def arrive(base: str, name: str, through: httpx.AsyncHTTPTransport) -> float:
    """Somebody opens the link, presses Start and gets the first page; returns how long that took."""
    browser = httpx.AsyncClient(base_url=base, timeout=120, follow_redirects=True, transport=through)
    begun = time.perf_counter()
    page = (await browser.get(f"/s/{name}")).text
    token = re.findall(r'name="form_token" value="([^"]+)"', page)[0]
    reply = await browser.post(f"/s/{name}", data={"form_token": token})
    took = time.perf_counter() - begun
    assert reply.status_code == 200, reply.text
    return took


def transport() -> httpx.AsyncHTTPTransport:
    """What many browsers share; each has its own cookies all the same."""
    return httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=None, max_keepalive_connections=0))


async def first_pages(base: str, name: str, n: int) -> list[float]:
    """How long newcomers wait, one after the other."""
    through = transport()
    return [await arrive(base, name, through) for _ in range(n)]


class Worker:
    """A rater at work."""

    def __init__(self, base: str, name: str) -> None:
        """One who has not come yet."""
        self.client = httpx.AsyncClient(base_url=f"{base}/api/studies/{name}", timeout=120)
        self.waits: list[float] = []
        self.step = 0

    async def join(self) -> None:
        """Come in."""
        key = (await self.client.post("/visits", json={})).json()["key"]
        self.client.headers["authorization"] = f"Bearer {key}"
        await self.client.get("/page")

    async def work(self, until: float, most: float = math.inf) -> list[float]:
        """Answer five times a second, `most` times at most; returns the waits for the acknowledgements."""
        waits: list[float] = []
        while time.perf_counter() < until and len(waits) < most:
            body = {"step": self.step % 90, "question": "class", "value": OPTIONS[self.step % 3].value}
            event = {"id": str(uuid.uuid4()), "kind": "answered", "at": "2026-01-05T10:00:00Z", "body": body}
            begun = time.perf_counter()
            assert (await self.client.post("/events", json={"events": [event]})).status_code == 201
            waits.append(time.perf_counter() - begun)
            self.step += 1
            await asyncio.sleep(max(0.0, 0.2 - waits[-1]))
        return waits


def arrivals(base: str, n: int, seconds: float, told: "multiprocessing.Queue[list[float]]") -> None:
    """A crowd that comes evenly over some seconds, in a process of its own; tells how long each waited."""

    async def all_of_them() -> list[float]:
        through = transport()

        async def later(number: int) -> float:
            await asyncio.sleep(number * seconds / n)
            return await arrive(base, "small", through)

        return await asyncio.gather(*(later(number) for number in range(n)))

    told.put(asyncio.run(all_of_them()))


async def at_work(workers: list[Worker], seconds: float) -> float:
    """The 95th percentile of the acknowledgements of several raters, who do not answer at the same moments."""
    until = time.perf_counter() + seconds

    async def from_then_on(number: int) -> list[float]:
        await asyncio.sleep(0.2 * number / len(workers))
        return await workers[number].work(until)

    waits = await asyncio.gather(*map(from_then_on, range(len(workers))))
    return statistics.quantiles([wait for one in waits for wait in one], n=20)[-1]


async def workers_of(base: str, n: int) -> list[Worker]:
    """Raters who have come in."""
    found = [Worker(base, "small") for _ in range(n)]
    for worker in found:
        await worker.join()
    return found


async def crowd(base: str, pid: int, twin: str, n: int, seconds: float) -> None:
    """Raters' waits in quiet, in a crowd, and at the same time on a server to which nobody comes.

    The two servers share the machine, so that only what the crowd does to its own server tells them apart.
    """
    here, there = await workers_of(base, 4), await workers_of(twin, 4)
    await asyncio.gather(at_work(here, 2), at_work(there, 2))  # what is done once is done
    before = processor(pid)
    quiet, quiet_there = await asyncio.gather(at_work(here, seconds), at_work(there, seconds))
    of_work = processor(pid) - before
    told: multiprocessing.Queue[list[float]] = multiprocessing.Queue()
    coming_in = multiprocessing.Process(target=arrivals, args=(base, n, seconds, told), daemon=True)
    coming_in.start()
    busy, busy_there = await asyncio.gather(at_work(here, seconds), at_work(there, seconds))
    coming = await asyncio.to_thread(told.get)
    of_arrivals = processor(pid) - before - 2 * of_work
    coming_in.join()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{n} arrivals in {seconds:g} s: 95th percentile {1000 * quiet:.0f} ms in quiet, {1000 * busy:.0f} ms then,")
    print(f"  {busy / quiet:.2f} times (must be under 2); on a server to which nobody came", end=" ")
    print(f"{1000 * quiet_there:.0f} ms and {1000 * busy_there:.0f} ms:")
    print(f"  the crowd itself costs {busy / busy_there:.2f} times (must be under 2)")
    print(f"  first pages: median {statistics.median(coming):.2f} s, slowest {max(coming):.2f} s")
    each = f"{1000 * of_arrivals / n:.1f} ms an arrival, {1000 * of_work / (4 * 5 * seconds):.1f} ms an answer"
    print(f"  processor time: {each}")


async def long_lists(base: str, pid: int) -> None:
    """First pages of new raters of the two studies by turns, so that a busy machine is as busy for both."""
    times: dict[str, list[float]] = {"small": [], "large": []}
    used = dict.fromkeys(times, 0.0)
    for turn in range(32):
        for name in times:
            before = processor(pid)
            times[name] += await first_pages(base, name, 1)
            used[name] += processor(pid) - before if turn > 1 else 0.0
    small, large = (statistics.median(times[name][2:]) for name in times)
    print(f"first page: {1000 * small:.0f} ms of 100 items, {1000 * large:.0f} ms of 100,000,", end=" ")
    print(f"{large / small:.2f} times (must be under 2); processor time {used['large'] / used['small']:.2f} times")


def signed_in(base: str) -> httpx.Client:
    """A researcher's browser."""
    client = httpx.Client(base_url=base, timeout=120, follow_redirects=True)
    key = httpx.post(f"{base}/api/keys", json={"name": "maria", "password": PASSWORD}).json()["key"]
    client.headers["authorization"] = f"Bearer {key}"
    return client


def first_page(database: str, name: str, n_units: int) -> str:
    """What a start costs until the whole page of a researcher is there, and a rater's; the server is killed then."""
    with running(database, (name, n_units)) as (base, pid):
        client = signed_in(base)
        begun, before = time.perf_counter(), processor(pid)
        reply = client.get(f"/researcher/studies/{name}")
        whole, used = time.perf_counter() - begun, processor(pid) - before
        assert reply.status_code == 200
        [newcomer] = asyncio.run(first_pages(base, name, 1))
        while not is_kept(database):
            time.sleep(0.2)
    return f"{whole:.2f} s ({used:.2f} s of processor time), a rater's {newcomer:.2f} s"


def is_kept(database: str) -> bool:
    """Whether what was gathered is beside the log."""
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection:
        return bool(connection.execute("SELECT COUNT(*) FROM checkpoints").fetchone()[0])


def restarts(database: str, n_units: int, n_answers: int) -> None:
    """The first page where nothing is kept, and then, after a few more answers."""
    before = first_page(database, "answers", n_units)
    with Log.open(database) as log:
        for number in range(20):
            about = {"rater": f"r{number}", "step": 1, "unit": "u1", "question": "class"}
            log.append("answers", [Answered(value="other", **about)])
    after = first_page(database, "answers", n_units)
    print(f"first whole page after a start on {n_answers} answers: {after} (must be under 2)")
    print(f"  where nothing was kept: {before}")


def researchers(database: str, name: str, n_units: int, what: str) -> None:
    """The processor time of every page."""
    with running(database, (name, n_units)) as (base, pid):
        client = signed_in(base)
        print(f"{what}:")
        for page in PAGES:
            client.get(f"/researcher/studies/{name}{page}")
            before = processor(pid)
            reply = client.get(f"/researcher/studies/{name}{page}")
            used = processor(pid) - before
            print(f"  {page or '/overview'}: {used:.2f} s of processor time, {len(reply.content) / 1000:.0f} kB")


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def soak(base: str, pid: int, seconds: float, n_at_once: int) -> None:
    """Raters who come, work and leave for a while, and what the server holds meanwhile."""
    until = time.perf_counter() + seconds
    counts = [0, 0]

    async def one_after_the_other() -> None:
        while time.perf_counter() < until:
            worker = Worker(base, "small")
            await worker.join()
            counts[0] += 1
            waits = await worker.work(until, most=90)
            counts[1] += len(waits)
            await worker.client.aclose()

    working = [asyncio.create_task(one_after_the_other()) for _ in range(n_at_once)]
    held = []
    while not all(task.done() for task in working):
        await asyncio.sleep(seconds / 40)
        held.append(memory(pid))
    quarter = len(held) // 4
    quarters = ", ".join(f"{statistics.fmean(held[i * quarter : (i + 1) * quarter]):.0f}" for i in range(4))
    print(
        f"{seconds:g} s, {counts[0]} raters, {counts[1]} answers: {quarters} MB in the quarters, most {max(held):.0f}"
    )


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arrivals", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--soak", type=float, default=0.0, help="seconds of work during which memory is watched")
    parser.add_argument("--at-once", type=int, default=50, help="raters at work at any time meanwhile")
    parser.add_argument("--only-soak", action="store_true", help="measure nothing else")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with running(f"sqlite:///{folder}/a.db", ("small", 100), ("large", 100_000)) as (base, pid):
            if not options.only_soak:
                asyncio.run(long_lists(base, pid))
                with running(f"sqlite:///{folder}/twin.db", ("small", 100)) as (twin, _):
                    asyncio.run(crowd(base, pid, twin, options.arrivals, options.seconds))
            if options.soak:
                asyncio.run(soak(base, pid, options.soak, options.at_once))
        fills = (("answers", 1000, 100, 1000), ("people", 100, 5000, 4))
        for name, n_units, n_raters, n_answers in () if options.only_soak else fills:
            database = f"sqlite:///{folder}/{name}.db"
            with Log.open(database) as log:
                fill(log, study(name, n_units), n_raters, n_answers)
            if name == "answers":
                restarts(database, n_units, n_raters * n_answers)
            researchers(database, name, n_units, f"{n_raters} raters, {n_raters * n_answers} answers")


if __name__ == "__main__":
    main()
