"""A disk that is full: what was not stored is not acknowledged and kept by the browser; the server goes on when there is room.

The server runs with a file system of its own (two megabytes of memory, in a mount namespace), so that it is really full.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from concordant.collection.events import Answered
from concordant.collection.log import Log
from tests.web.conftest import Serving, Watched, free_port
from tests.web.driving import all_saved, press, ready
from tests.web.test_crash import N_UNITS, write_study

TINY = ("unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs -o size=2m none "$0" && exec "$@"')


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    """An open study whose database lies on a tiny disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run([*TINY, disk, "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody make a file system of their own (unshare --map-root-user --mount)")
    write_study(tmp_path)
    running = Serving(tmp_path, ("plain",), f"sqlite:///{disk}/answers.db", free_port(), before=(*TINY, str(disk)))
    running.start()
    try:
        yield running
    finally:
        running.stop()


def disk_of(server: Serving) -> Path:
    """The disk as the server's process sees it."""
    assert server.process is not None
    return Path(f"/proc/{server.process.pid}/root{server.folder}/disk")


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Something else takes all the room."""
    with (disk / "something-else").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(os.urandom(4096))
    yield
    (disk / "something-else").unlink()


class Sender:
    """A rater's program that notes what was acknowledged."""

    def __init__(self, server: Serving) -> None:
        """Come in by the open link."""
        self.client = httpx.Client(base_url=f"{server.base}/api/studies/plain", timeout=120)
        self.client.headers["authorization"] = f"Bearer {self.client.post('/visits', json={}).json()['key']}"
        self.acknowledged: list[str] = []

    def answer(self, id: str = "") -> httpx.Response:
        """Answer a unit; under an id that was sent before, the same once more."""
        id = id or str(uuid4())
        step = UUID(id).int % N_UNITS
        body = {"step": step, "question": "natural", "value": "yes"}
        event = {"id": id, "kind": "answered", "at": "2026-01-05T10:00:00Z", "body": body}
        reply = self.client.post("/events", json={"events": [event]})
        if reply.status_code == 201:
            self.acknowledged.append(id)
        return reply

    def answer_until_refused(self) -> str:
        """What still fits is stored; returns the id of the first answer that is not."""
        for _ in range(2000):
            id = str(uuid4())
            if self.answer(id).status_code != 201:
                return id
        pytest.fail("the disk was never full")


@pytest.fixture
def sender(server: Serving) -> Iterator[Sender]:
    """A rater's program."""
    coming = Sender(server)
    yield coming
    coming.client.close()


def stored(server: Serving) -> list[str]:
    """The answers in the log, read from a copy: the disk is out of this process's reach for all but plain files."""
    copy = Path(shutil.copytree(disk_of(server), server.folder / f"copy-{uuid4()}"))
    with Log.open(f"sqlite:///{copy}/answers.db") as log:
        return [entry.event.id for entry in log.events("plain") if isinstance(entry.event, Answered)]


def test_nothing_acknowledged_is_lost_and_the_server_recovers(server: Serving, sender: Sender) -> None:
    for _ in range(5):
        assert sender.answer().status_code == 201
    with full(disk_of(server)):
        refused = sender.answer_until_refused()
        again = sender.answer(refused)
        assert again.status_code == 503
        assert again.headers["retry-after"] == "2"
        assert again.json() == {"problem": "the database does not answer"}
        assert sender.client.get("/answers").status_code == 200  # reading goes on
    assert sender.answer(refused).status_code == 201
    assert sender.answer().status_code == 201
    assert sorted(stored(server)) == sorted(sender.acknowledged)


@pytest.mark.browser
def test_a_browser_keeps_the_answer_and_sends_it_when_there_is_room(
    server: Serving, sender: Sender, visit: Callable[..., Watched]
) -> None:
    page = visit().page
    page.goto(f"{server.base}/s/plain")
    page.get_by_role("button", name="Start").click()
    ready(page)
    press(page, "y")
    all_saved(page)
    with full(disk_of(server)):
        sender.answer_until_refused()
        press(page, "n")
        page.wait_for_selector("#saved[data-state=offline]")
        n_stored = len(stored(server))
    all_saved(page)
    assert len(stored(server)) == n_stored + 1


READ_ONLY = (
    "unshare",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs none "$0" && mount -o remount,ro "$0" && exec "$@"',
)


def test_a_disk_that_cannot_be_written_to_is_one_clear_line(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run([*READ_ONLY, disk, "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody make a file system of their own (unshare --map-root-user --mount)")
    write_study(tmp_path)
    serve = [
        sys.executable,
        "-m",
        "concordant",
        "serve",
        str(tmp_path / "plain"),
        "--db",
        f"sqlite:///{disk}/answers.db",
    ]
    done = subprocess.run([*READ_ONLY, disk, *serve, "--port", "0"], capture_output=True, text=True, timeout=240)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "check that the folder exists and can be written to" in done.stderr
    assert not list(disk.iterdir())
