"""The live page over 100,000 answers, and what 20 people who watch it cost the raters.

    python benchmarks/live.py [--seconds 12]

One server in a process of its own holds a study of 1,000 units and 100 raters who have answered everything, on SQLite.
Timed: the first page (the whole log is read and tallied), the page after that, the page opened again and again while
ten raters answer and the coefficients are measured anew behind, and the other pages of the study. Then ten raters
answer, ten times a second at most, by turns unwatched and with 20 researchers whose pages poll every three seconds; the
medians of the 95th percentiles are compared. A run takes about two minutes.
"""

import argparse
import asyncio
import multiprocessing
import socket
import tempfile
import time
import uuid
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import uvicorn

from concordant.collection.events import Answered, Joined
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.description import Description
from concordant.design.plan import make_plan
from concordant.studio.people import hashed
from concordant.tasks.question import Option, Question, Unit
from concordant.web.app import create_app
from concordant.web.server import Limit, Limits, Server

N_UNITS, N_RATERS, N_ANSWERING, N_WATCHING = 1000, 100, 10, 20
N_ROUNDS = 3
STUDY = "/studies/live"
PAGE = f"{STUDY}/results"
PASSWORD = "a password for measuring"
OPTIONS = tuple(Option(value=value, label=value) for value in ("noun", "verb", "other"))


def study() -> Running:
    """One question about many units, open to everybody."""
    units = tuple(Unit(id=f"u{i}", item=f"u{i}", text=f"text {i}", copies=(f"u{i}",)) for i in range(N_UNITS))
    question = Question(id="class", task="categorical", ask="Which class?", options=OPTIONS)
    description = Description(
        name="live", title="Live", folder=Path(), is_open=True, questions=(question,), units=units, rows=units
    )  # fmt: skip
    return Running(description=description, plan=make_plan(description))


def fill(log: Log, made: Running) -> None:
    """Everybody answers everything, right four times of five."""
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, N_UNITS)
    for number in range(N_RATERS):
        rater = f"p{number}"
        assigned = log.enrol(made, rater)
        said = np.where(random.random(N_UNITS) < 0.8, truth, random.integers(0, 3, N_UNITS))
        log.append("live", [Joined(rater=rater), *(
            Answered(rater=rater, step=int(step["number"]), unit=step["unit"], question="class",
                     value=OPTIONS[said[int(step["unit"][1:])]].value, seconds=3.0)
            for step in assigned.steps
        )])  # fmt: skip


def serve(folder: str, told: "Queue[int]") -> None:
    """The server's process."""
    made = study()
    log = Log.open(f"sqlite:///{folder}/live.db")
    fill(log, made)
    wide = Limits(**{name: Limit(burst=10**9, per_minute=60) for name in ("passwords", "entrances", "answers")})
    server = Server(log, {"live": made})
    server.limits = wide
    server.accounts.add_researcher("ada", hashed(PASSWORD))
    listening = socket.create_server(("127.0.0.1", 0))
    told.put(listening.getsockname()[1])
    uvicorn.Server(
        uvicorn.Config(create_app(server), log_level="warning", access_log=False, timeout_keep_alive=120)
    ).run(sockets=[listening])


async def joined(base: str) -> tuple[httpx.AsyncClient, dict[str, Any]]:
    """A new rater on their first page."""
    client = httpx.AsyncClient(base_url=f"{base}/api/studies/live", timeout=60)
    key = (await client.post("/visits", json={})).json()["key"]
    client.headers["authorization"] = f"Bearer {key}"
    return client, (await client.get("/page")).json()


async def answer(client: httpx.AsyncClient, page: dict[str, Any], until: float, times: list[float]) -> None:
    """One rater who answers one page after the other."""
    while time.monotonic() < until:
        body = {"step": page["step"], "unit": page["unit"]["id"], "question": "class", "value": "noun", "seconds": 1.0}
        event = {"id": str(uuid.uuid4()), "kind": "answered", "at": "2026-01-01T00:00:00+00:00", "body": body}
        begun = time.perf_counter()
        (await client.post("/events", json={"events": [event]})).raise_for_status()
        times.append(time.perf_counter() - begun)
        page = (await client.get("/page")).json()
        await asyncio.sleep(0.1)
    await client.aclose()


async def watch(base: str, key: str, until: float, begins: float) -> None:
    """One researcher with the page open; they did not all open it at the same moment."""
    await asyncio.sleep(begins)
    async with httpx.AsyncClient(base_url=base, headers={"authorization": f"Bearer {key}"}, timeout=60) as client:
        while time.monotonic() < until:
            (await client.get(f"{PAGE}/news?answers=0")).raise_for_status()
            await asyncio.sleep(3)


async def p95(base: str, key: str, seconds: float, n_watching: int) -> float:
    """The 95th percentile of acknowledging an answer, in milliseconds."""
    raters = [await joined(base) for _ in range(N_ANSWERING)]
    until, times = time.monotonic() + seconds, list[float]()
    watching = [watch(base, key, until, 3 * number / n_watching) for number in range(n_watching)]
    await asyncio.gather(*(answer(client, page, until, times) for client, page in raters), *watching)
    return float(1000 * np.percentile(times, 95))


def timed(client: httpx.Client, path: str) -> float:
    """How long a page takes."""
    begun = time.perf_counter()
    client.get(path).raise_for_status()
    return time.perf_counter() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=12)
    seconds = parser.parse_args().seconds
    context = multiprocessing.get_context("spawn")
    told: Queue[int] = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=serve, args=(folder, told))
        process.start()
        base = f"http://127.0.0.1:{told.get(timeout=300)}"
        try:
            measure(base, seconds)
        finally:
            process.terminate()
            process.join()


def measure(base: str, seconds: float) -> None:
    """All figures."""
    with httpx.Client(base_url=base, timeout=300) as client:
        key = client.post("/api/keys", json={"name": "ada", "password": PASSWORD}).json()["key"]
        client.headers["authorization"] = f"Bearer {key}"
        row("live page, the first (reads and tallies the log)", f"{timed(client, PAGE):.2f} s")
        row("live page, again", f"{timed(client, PAGE):.3f} s")
        times = asyncio.run(opened(base, key, seconds))
        row(f"live page while answers arrive, slowest of {len(times)}", f"{max(times):.3f} s")
        for name in ("/raters", "/disagreements", "/disagreements/decide", "/report", "/report/gold"):
            row(f"page {name} after new answers", f"{timed(client, STUDY + name):.3f} s")
    rounds = [[asyncio.run(p95(base, key, seconds, n)) for n in (0, N_WATCHING)] for _ in range(N_ROUNDS)]
    alone, watched = np.median(rounds, axis=0)
    row("p95 of an answer, unwatched", f"{alone:.1f} ms")
    row(f"p95 of an answer, {N_WATCHING} watching", f"{watched:.1f} ms = {watched / alone:.2f} x")


def row(what: str, value: str) -> None:
    """A line of the table."""
    print(f"{what:<52} {value}", flush=True)


async def opened(base: str, key: str, seconds: float) -> list[float]:
    """How long the live page takes when it is opened anew twice a second while raters answer."""
    times = list[float]()

    async def reload() -> None:
        until = time.monotonic() + seconds
        async with httpx.AsyncClient(base_url=base, headers={"authorization": f"Bearer {key}"}, timeout=60) as client:
            while time.monotonic() < until:
                begun = time.perf_counter()
                (await client.get(PAGE)).raise_for_status()
                times.append(time.perf_counter() - begun)
                await asyncio.sleep(0.5)

    await asyncio.gather(p95(base, key, seconds, 0), reload())
    return times


if __name__ == "__main__":
    main()
