"""kill -9 of a real server under load: whatever was acknowledged is in the log afterwards, and nothing is there twice."""

import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from assent.collection.log import Log
from tests.web.conftest import Serving, serving_examples

N_RATERS, SECONDS, N_KILLS = 20, 4.0, 2


@dataclass
class Sender:
    """A rater who answers as fast as answers are acknowledged, and sends again what was not."""

    base: str
    acknowledged: list[str] = field(default_factory=list)
    n_unanswered: int = 0
    failure: str = ""

    def run(self, stop: threading.Event) -> None:
        """Answer until told to stop; what was sent last is sent until it is acknowledged."""
        try:
            with httpx.Client(base_url=f"{self.base}/api/studies/features", timeout=10) as client:
                key = self._until_answered(client, "POST", "/visits", {})["key"]
                client.headers["authorization"] = f"Bearer {key}"
                self._send(client, "continued", {"page": "instructions"})
                while not stop.is_set():
                    self._answer(client)
        except AssertionError as error:
            self.failure = str(error)
            raise

    def _answer(self, client: httpx.Client) -> None:
        page = self._until_answered(client, "GET", "/page")
        if page["kind"] != "judging":
            self._send(client, "went_back", {"step": None})
            return
        body = {"step": page["step"], "unit": page["unit"]["id"], "question": page["questions"][0]["id"]}
        self._send(client, "answered", {**body, "value": "yes", "seconds": 0.5})

    def _send(self, client: httpx.Client, kind: str, body: dict[str, Any]) -> None:
        event = {"id": str(uuid.uuid4()), "kind": kind, "at": datetime.now(UTC).isoformat(), "body": body}
        self._until_answered(client, "POST", "/events", {"events": [event]})
        self.acknowledged.append(str(event["id"]))

    def _until_answered(self, client: httpx.Client, method: str, path: str, body: object = None) -> dict[str, Any]:
        while True:
            try:
                response = client.request(method, path, json=body)
            except httpx.TransportError:
                self.n_unanswered += 1
                time.sleep(0.05)
                continue
            if response.is_success:
                return dict(response.json())
            assert response.status_code in {429, 503}, response.text
            time.sleep(0.05)


def open_to_everybody(folder: Path) -> None:
    """Change the example so that anybody may take part."""
    file = folder / "features" / "study.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("open = false", "open = true"), encoding="utf-8")


def under_fire(server: Serving) -> list[Sender]:
    """Twenty raters at work while the server is killed and started again, twice."""
    stop = threading.Event()
    senders = [Sender(server.base) for _ in range(N_RATERS)]
    threads = [threading.Thread(target=sender.run, args=(stop,)) for sender in senders]
    for thread in threads:
        thread.start()
    for _ in range(N_KILLS):
        time.sleep(SECONDS)
        server.kill()
        server.start()
    time.sleep(SECONDS)
    stop.set()
    for thread in threads:
        thread.join(timeout=60)
    return senders


def check(server: Serving, senders: list[Sender]) -> None:
    """Every acknowledged event is in the log, and no event is there twice."""
    with Log.open(server.database) as log:
        stored = Counter(entry.event.id for entry in log.events("features"))
    acknowledged = [id for sender in senders for id in sender.acknowledged]
    assert [sender.failure for sender in senders] == [""] * N_RATERS
    assert len(acknowledged) > 1000, "too few answers to mean anything"
    assert sum(sender.n_unanswered for sender in senders) > 0, "the server was not missed: it was not killed under load"
    assert [id for id in acknowledged if stored[id] != 1] == []
    assert max(stored.values()) == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_kill_9_loses_nothing(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = request.getfixturevalue("fresh_postgres") if kind == "postgresql" else f"sqlite:///{tmp_path}/answers.db"
    with serving_examples(tmp_path, ("features",), database, prepare=open_to_everybody) as server:
        senders = under_fire(server)
        server.stop()
        check(server, senders)
