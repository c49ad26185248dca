"""200 raters at once on one process: concordant's server beside those of other tools, over the same HTTP, by turns.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install potato-annotation
    python benchmarks/peers.py --potato /tmp/peers/bin/potato --label-studio /tmp/ls/bin/label-studio

The others are programs of environments of their own (they are not imported here): Potato with its files of states,
Label Studio with SQLite, each as its own command starts it. Every rater answers the same question about fifty
sentences, the next answer as soon as one is acknowledged. Answers are acknowledged after COMMIT here, after its file is
written by Potato, and after its transaction by Label Studio. Servers take turns; printed are the best turn by answers a
second, and the least processor time of the server for an answer, which a busy machine changes less.
"""

import argparse
import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from abc import ABC, abstractmethod
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from serving import N_UNITS, serve

from collection import N_RATERS, outcome_of

Reply = tuple[int, dict[str, str], bytes]


class Turn(NamedTuple):
    """Answers a second, 95th percentile of the waits, the server's processor seconds for an answer, answers refused."""

    rate: float
    p95: float
    used: float
    n_refused: int


class Line:
    """One browser's connection: kept open where the server keeps it, with its cookies."""

    def __init__(self, port: int) -> None:
        """Not connected yet."""
        self.port, self.cookies, self.headers = port, dict[str, str](), dict[str, str]()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: object, kind: str = "application/json") -> Reply:
        """Send a body and read the reply."""
        content = (urlencode(body) if kind != "application/json" else json.dumps(body)).encode()  # type: ignore[arg-type]
        sent = {"host": "127.0.0.1", "content-type": kind, "content-length": str(len(content)), **self.headers}
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        pairs = [line.partition(": ")[::2] for line in lines]
        for name, value in pairs:
            if name.lower() == "set-cookie":
                crumb, _, rest = value.partition("=")
                self.cookies[crumb] = rest.partition(";")[0]
        got = {name.lower(): value for name, value in pairs}
        is_sized = "content-length" in got
        text = await (reader.readexactly(int(got["content-length"])) if is_sized else reader.read())
        if not is_sized or got.get("connection", "").lower() == "close" or first.startswith("HTTP/1.0"):
            writer.close()
            self.streams = None
        return int(first.split()[1]), got, text


class Tool(ABC):
    """A server of annotations, and how one rater comes in and answers."""

    name: str

    @abstractmethod
    def command(self, folder: Path, port: int) -> list[str]:
        """What starts it, with the files it needs."""

    async def prepare(self, port: int) -> None:  # noqa: B027 - most have nothing to prepare
        """Make the study where it is made by requests."""

    @abstractmethod
    async def join(self, line: Line, number: int) -> None:
        """Come in."""

    @abstractmethod
    async def answer(self, line: Line, step: int) -> Reply:
        """Answer once."""


class Ours(Tool):
    """concordant on SQLite, with group commit."""

    name = "concordant"

    def command(self, folder: Path, port: int) -> list[str]:
        """The server of `serving.py`."""
        return [sys.executable, __file__, "--serve", f"sqlite:///{folder}/log.db", str(port)]

    async def join(self, line: Line, number: int) -> None:
        """Open the link."""
        key = json.loads((await line.post("/api/studies/load/visits", {}))[2])["key"]
        line.headers["authorization"] = f"Bearer {key}"
        await line.post("/api/studies/load/events", {"events": [_event("resumed", {})]})

    async def answer(self, line: Line, step: int) -> Reply:
        """One event."""
        body = {"step": step % N_UNITS, "question": "q", "value": "yes"}
        return await line.post("/api/studies/load/events", {"events": [_event("answered", body)]})


def _event(kind: str, body: dict[str, object]) -> dict[str, object]:
    return {"id": str(uuid.uuid4()), "kind": kind, "at": "2026-01-05T10:00:00Z", "body": body}


class Potato(Tool):
    """Potato without passwords; a page of it saves like this with every click."""

    name = "Potato"

    def __init__(self, program: str) -> None:
        """The program that starts it."""
        self.program = program

    def command(self, folder: Path, port: int) -> list[str]:
        """Its project: a file of sentences and a configuration."""
        items = [json.dumps({"id": f"u{n}", "text": f"sentence {n}"}) for n in range(N_UNITS)]
        (folder / "items.json").write_text("\n".join(items) + "\n", encoding="utf-8")
        scheme = {"annotation_type": "radio", "name": "q", "description": "?", "labels": ["yes", "no"]}
        about = {
            "annotation_task_name": "load", "task_dir": ".", "data_files": ["items.json"],
            "output_annotation_dir": "out", "output_annotation_format": "jsonl",
            "item_properties": {"id_key": "id", "text_key": "text"},
            "require_password": False, "authentication": {"method": "in_memory"}, "alert_time_each_instance": 10**7,
            "site_dir": "default", "annotation_schemes": [scheme],
        }  # fmt: skip
        (folder / "config.yaml").write_text(json.dumps(about), encoding="utf-8")  # JSON is YAML
        return [self.program, "start", "config.yaml", "-p", str(port), "--host", "127.0.0.1"]

    async def join(self, line: Line, number: int) -> None:
        """Give a name."""
        await line.post("/auth", {"email": f"r{number}", "pass": ""}, "application/x-www-form-urlencoded")

    async def answer(self, line: Line, step: int) -> Reply:
        """One click."""
        value = ("yes", "no")[step % 2]
        return await line.post(
            "/updateinstance", {"instance_id": f"u{step % N_UNITS}", "annotations": {f"q:{value}": value}}
        )


class LabelStudio(Tool):
    """Label Studio as its command starts it; everybody works with the key of one account."""

    name, key = "Label Studio", "0123456789abcdef0123456789abcdef01234567"

    def __init__(self, program: str) -> None:
        """The program that starts it."""
        self.program, self.tasks = program, list[int]()

    def command(self, folder: Path, port: int) -> list[str]:
        """A new data folder with one account."""
        who = ["--username", "rater@example.org", "--password", "a-password", "--user-token", self.key]
        where = ["--no-browser", "--port", str(port), "--internal-host", "127.0.0.1", "--data-dir", str(folder)]
        return [self.program, "start", "load", "--init", "--enable-legacy-api-token", *who, *where]

    async def prepare(self, port: int) -> None:
        """A project with one choice and its tasks, whose numbers count up from the first."""
        line = Line(port)
        await self.join(line, 0)
        choices = '<Choices name="q" toName="text"><Choice value="yes"/><Choice value="no"/></Choices>'
        config = f'<View><Text name="text" value="$text"/>{choices}</View>'
        project = json.loads((await line.post("/api/projects/", {"title": "load", "label_config": config}))[2])["id"]
        made = await line.post(
            f"/api/projects/{project}/import?return_task_ids=true", [{"text": f"sentence {n}"} for n in range(N_UNITS)]
        )
        self.tasks = json.loads(made[2])["task_ids"]

    async def join(self, line: Line, number: int) -> None:
        """The key of the account."""
        line.headers["authorization"] = f"Token {self.key}"

    async def answer(self, line: Line, step: int) -> Reply:
        """One annotation of one task."""
        chosen = {"from_name": "q", "to_name": "text", "type": "choices", "value": {"choices": ["yes"]}}
        return await line.post(f"/api/tasks/{self.tasks[step % N_UNITS]}/annotations/", {"result": [chosen]})


async def work(tool: Tool, line: Line, until: float) -> tuple[list[float], int]:
    """Answer as fast as answers are acknowledged; returns the waits for those, and how many were refused."""
    waits: list[float] = []
    n_refused = 0
    while time.perf_counter() < until:
        before = time.perf_counter()
        status, *_ = await tool.answer(line, len(waits))
        if status in (200, 201):
            waits.append(time.perf_counter() - before)
        else:
            n_refused += 1
    return waits, n_refused


async def load(tool: Tool, port: int, pid: int, seconds: float) -> Turn:
    """One turn: everybody comes in, then all work."""
    await tool.prepare(port)
    lines = [Line(port) for _ in range(N_RATERS)]
    for start in range(0, N_RATERS, 10):
        await asyncio.gather(*(tool.join(line, start + i) for i, line in enumerate(lines[start : start + 10])))
    begin, before = time.perf_counter(), processor(pid)
    waits, refused = zip(*await asyncio.gather(*(work(tool, line, begin + seconds) for line in lines)), strict=True)
    outcome = outcome_of(list(waits), time.perf_counter() - begin)
    return Turn(outcome.rate, outcome.p95, (processor(pid) - before) / sum(map(len, waits)), sum(refused))


def processor(pid: int) -> float:
    """Seconds of processor time that a process and its children have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used + sum(processor(int(child)) for child in children)


def measured(tool: Tool, seconds: float) -> Turn:
    """One turn of one tool, on a server that is started for it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Path(folder, "printed").open("w") as printed,
    ):
        about = {"cwd": folder, "stdout": printed, "stderr": printed}
        process = subprocess.Popen(tool.command(Path(folder), port), **about)  # type: ignore[call-overload]
        try:
            until = time.monotonic() + 180
            while not _listens(port):
                if time.monotonic() > until or process.poll() is not None:
                    raise SystemExit(f"{tool.name} did not start: {Path(folder, 'printed').read_text()[-800:]}")
                time.sleep(0.2)
            return asyncio.run(load(tool, port, process.pid, seconds))
        finally:
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def main() -> None:
    """Measure by turns, print a line each and the ratios."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--potato", metavar="PROGRAM")
    options.add_argument("--label-studio", metavar="PROGRAM")
    options.add_argument("--seconds", type=float, default=8.0, help="of each turn (default 8)")
    options.add_argument("--turns", type=int, default=2)
    chosen = options.parse_args()
    tools: list[Tool] = [Ours()]
    tools += [Potato(chosen.potato)] if chosen.potato else []
    tools += [LabelStudio(chosen.label_studio)] if chosen.label_studio else []
    found: dict[str, list[Turn]] = {tool.name: [] for tool in tools}
    for _ in range(chosen.turns):
        for tool in tools:
            found[tool.name].append(measured(tool, chosen.seconds))
    turns = f"best of {chosen.turns} turns of {chosen.seconds:g} s"
    print(f"{N_RATERS} raters at once, {turns}; load of the machine {os.getloadavg()[0]:.1f}")
    picks = (max, min, min, min)
    best = {
        name: Turn(*(pick(one) for pick, one in zip(picks, zip(*turns, strict=True), strict=True)))
        for name, turns in found.items()
    }
    ours = best[Ours.name]
    for name, turn in best.items():
        cost = f"{1000 * turn.used:.2f} ms of processor time an answer"
        print(f"{name:14}{turn.rate:8.0f} answers/s, p95 {1000 * turn.p95:.0f} ms, {cost}, {turn.n_refused} refused")
        if turn is not ours:
            ratio = f"{turn.used / ours.used:.1f} times the processor time"
            print(f"{'':14}{ours.rate / turn.rate:8.1f} times fewer answers, {ratio}")


if __name__ == "__main__":
    if re.fullmatch("--serve", (sys.argv[1:] or [""])[0]):
        serve("group commit", sys.argv[2], int(sys.argv[3]))
    else:
        main()
