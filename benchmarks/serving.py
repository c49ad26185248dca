"""The whole server under load: 200 raters at once over HTTP, group commit against a commit per request.

`benchmarks/collection.py` measures the storing alone. Here every answer goes through the real application: a request
with a key, checked, stored, acknowledged after COMMIT. The server is a process of its own; the raters share this one.

    python benchmarks/serving.py --seconds 8
"""

import argparse
import asyncio
import json
import multiprocessing
import socket
import tempfile
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import uvicorn

from collection import N_RATERS, WAYS, Outcome, databases, outcome_of, print_line, print_ratios
from concordant.collection.database import take_turns
from concordant.collection.events import Event
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.collection.store import Entry, Receipt, store
from concordant.design.description import Description, Presentation
from concordant.design.plan import Plan, hashed
from concordant.tasks.question import Option, Question, Unit
from concordant.web.app import create_app
from concordant.web.server import Limit, Limits, Server

N_UNITS = 50
FREE = Limits(entrances=Limit(burst=10**9, per_minute=1), answers=Limit(burst=10**9, per_minute=1))


class CommittingLog(Log):
    """The usual way: every request commits by itself, on a thread of its own."""

    _threads = ThreadPoolExecutor(40)

    def submit(
        self, study: str, events: Sequence[Event], *, after: int | None = None, visit: str | None = None
    ) -> Future[Receipt]:
        """Store and commit at once."""
        return self._threads.submit(self._commit, Entry(study, tuple(events), after, visit))

    def _commit(self, entry: Entry) -> Receipt:
        with self.engine.execution_options(writes=True).begin() as connection:
            take_turns(connection)
            [receipt] = store(connection, [entry])
        if not isinstance(receipt, Receipt):
            raise receipt
        return receipt


def study() -> Running:
    """One yes/no question about some sentences, in the same order for everybody."""
    question = Question(
        id="q", task="binary", ask="?", options=(Option(value="yes", label="Yes"), Option(value="no", label="No"))
    )
    units = tuple(Unit(id=f"u{n}", item="", text=f"sentence {n}", copies=(f"u{n}",)) for n in range(N_UNITS))
    description = Description(
        name="load",
        title="Load",
        folder=Path(),
        is_open=True,
        questions=(question,),
        units=units,
        presentation=Presentation(shuffle=False),
    )
    plan = hashed(Plan(study="load", fingerprint="", seed=1, sets=(tuple(unit.id for unit in units),)))
    return Running(description=description, plan=plan)


def serve(way: str, address: str, port: int) -> None:
    """The server process."""
    log = Log.open(address) if way == "group commit" else CommittingLog.open(address)
    server = Server(log, {"load": study()})
    server.limits = FREE
    app = create_app(server)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False, timeout_keep_alive=120)


def _event(kind: str, body: dict[str, object]) -> dict[str, object]:
    return {"id": str(uuid.uuid4()), "kind": kind, "at": "2026-01-05T10:00:00Z", "body": body}


class Rater:
    """One rater over one connection that stays open."""

    def __init__(self, port: int) -> None:
        """A rater who has not come yet."""
        self.port, self.key, self.waits = port, "", list[float]()

    async def join(self) -> None:
        """Connect, sign in and be given a set."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.key = json.loads(await self._post("/visits", {}))["key"]
        await self._post("/events", {"events": [_event("resumed", {})]})

    async def work(self, until: float) -> None:
        """Answer as fast as answers are acknowledged."""
        step = 0
        while time.perf_counter() < until:
            body = {"step": step % N_UNITS, "question": "q", "value": "yes"}
            before = time.perf_counter()
            await self._post("/events", {"events": [_event("answered", body)]})
            self.waits.append(time.perf_counter() - before)
            step += 1
        self.writer.close()

    async def _post(self, path: str, body: object) -> bytes:
        content = json.dumps(body).encode()
        head = (
            f"POST /api/studies/load{path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {self.key}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        self.writer.write(head.encode() + content)
        reply = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        if " 201 " not in reply.splitlines()[0]:
            raise SystemExit(f"the server refused: {reply}")
        length = next(line for line in reply.lower().splitlines() if line.startswith("content-length:"))
        return await self.reader.readexactly(int(length.partition(":")[2]))


async def load(port: int, seconds: float) -> Outcome:
    """Sign all raters in, then let them work at once."""
    raters = [Rater(port) for _ in range(N_RATERS)]
    for start in range(0, N_RATERS, 20):
        await asyncio.gather(*(rater.join() for rater in raters[start : start + 20]))
    begin = time.perf_counter()
    await asyncio.gather(*(rater.work(begin + seconds) for rater in raters))
    return outcome_of([rater.waits for rater in raters], time.perf_counter() - begin)


def measured(way: str, address: str, seconds: float) -> Outcome:
    """One way of storing under load."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(way, address, port), daemon=True)
    process.start()
    try:
        _wait_for(port)
        return asyncio.run(load(port, seconds))
    finally:
        process.kill()
        process.join()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start within a minute")


def main() -> None:
    """Measure, print the table and the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=8.0, help="for each way and database (default 8)")
    options.add_argument("--postgres", metavar="URL", help="a running server; one is started when none is named")
    chosen = options.parse_args()
    print(f"{N_RATERS} raters at once over HTTP, {chosen.seconds:g} seconds each; waits in milliseconds")
    print(f"{'':32}{'answers/s':>11}{'p50':>11}{'p95':>11}{'longest':>11}")
    outcomes: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory() as folder, databases(Path(folder), chosen.postgres) as addresses:
        for label, address in addresses.items():
            outcomes[label] = measured(label.split(", ")[1], address, chosen.seconds)
            print_line(label, outcomes[label])
    print_ratios(outcomes)


if __name__ == "__main__":
    assert set(WAYS) == {"group commit", "commit per request"}
    main()
