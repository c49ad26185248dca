"""kill -9 of a real server under load: whatever was acknowledged is in the log afterwards, and nothing is there twice."""

import json
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from concordant.collection.log import Log
from tests.web.conftest import Serving, serving
from tests.web.samples import plain_study

N_RATERS, N_UNITS, N_KILLS = 20, 40, 2
ANSWERS_BETWEEN_KILLS, PATIENCE = 700, 240.0


@dataclass
class Sender:
    """A rater who answers as fast as answers are acknowledged, and sends again what was not."""

    port: int
    acknowledged: list[str] = field(default_factory=list)
    n_unanswered: int = 0
    refusal: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        """A connection, to be opened with the first request."""
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=20)

    def run(self, stop: threading.Event) -> None:
        """Answer until told to stop; what was sent last is sent until it is acknowledged."""
        self._work(stop)
        self.connection.close()

    def _work(self, stop: threading.Event) -> None:
        self.key = self._until_stored("/visits", {})["key"]
        for number in count():
            if stop.is_set() or self.refusal:
                return
            step = number % N_UNITS
            event = {"id": str(uuid.uuid4()), "kind": "answered", "at": datetime.now(UTC).isoformat()}
            body = {"step": step, "question": "natural", "value": ["yes", "no"][number % 2]}
            self._until_stored("/events", {"events": [{**event, "body": body}]})
            self.acknowledged.append(event["id"])

    def _until_stored(self, path: str, body: object) -> dict[str, Any]:
        while not self.refusal:
            try:
                status, reply = self._post(path, json.dumps(body))
            except (HTTPException, OSError):
                self.connection.close()
                self.n_unanswered += 1
                time.sleep(0.1)
                continue
            if status == 201:
                return dict(json.loads(reply))
            self.refusal = "" if status in {429, 503} else reply.decode()
        return {"key": ""}

    def _post(self, path: str, body: str) -> tuple[int, bytes]:
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.key}"}
        self.connection.request("POST", f"/api/studies/plain{path}", body, headers)
        response = self.connection.getresponse()
        return response.status, response.read()


def write_study(folder: Path) -> None:
    """A study whose steps are the same for everybody, so that senders know what comes next."""
    (folder / "plain").mkdir()
    (folder / "plain" / "study.toml").write_text(plain_study(is_open=True), encoding="utf-8")
    rows = [f"u{number},sentence {number}" for number in range(N_UNITS)]
    (folder / "plain" / "units.csv").write_text("\n".join(["id,text", *rows]), encoding="utf-8")


def under_fire(server: Serving) -> list[Sender]:
    """Twenty raters at work while the server is killed and started again, twice."""
    stop = threading.Event()
    senders = [Sender(server.port) for _ in range(N_RATERS)]
    threads = [threading.Thread(target=sender.run, args=(stop,)) for sender in senders]
    for thread in threads:
        thread.start()
    for n_kills in range(1, N_KILLS + 1):
        wait_for(senders, n_kills * ANSWERS_BETWEEN_KILLS)
        server.kill()
        server.start()
    wait_for(senders, (N_KILLS + 1) * ANSWERS_BETWEEN_KILLS)
    stop.set()
    for thread in threads:
        thread.join(timeout=240)
    return senders


def wait_for(senders: list[Sender], n: int) -> None:
    """Wait until so many answers are acknowledged, or somebody is refused, or it takes too long."""
    until = time.monotonic() + PATIENCE
    while sum(len(sender.acknowledged) for sender in senders) < n and time.monotonic() < until:
        if any(sender.refusal for sender in senders):
            return
        time.sleep(0.05)


def check(server: Serving, senders: list[Sender]) -> None:
    """Every acknowledged event is in the log, and no event is there twice."""
    with Log.open(server.database) as log:
        stored = Counter(entry.event.id for entry in log.events("plain"))
    acknowledged = [id for sender in senders for id in sender.acknowledged]
    assert [sender.refusal for sender in senders] == [""] * N_RATERS
    assert len(acknowledged) > 1000, "too few answers to mean anything"
    assert sum(sender.n_unanswered for sender in senders) > 0, "the server was not missed: it was not killed under load"
    assert [id for id in acknowledged if stored[id] != 1] == []
    assert max(stored.values()) == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_kill_9_loses_nothing(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = request.getfixturevalue("fresh_postgres") if kind == "postgresql" else f"sqlite:///{tmp_path}/answers.db"
    with serving(tmp_path, ("plain",), database, prepare=write_study) as server:
        senders = under_fire(server)
        server.stop()
        check(server, senders)
