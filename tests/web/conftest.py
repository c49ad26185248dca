"""Real parts for the tests of the pages: a server process, a Chromium, a PostgreSQL. None of them is skipped in silence."""

from __future__ import annotations

import atexit
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest
from sqlalchemy import create_engine, make_url, text

import concordant
from tests.cli.running import run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(concordant.__file__).parents[1])}


@dataclass
class Serving:
    """A running `concordant serve`: where it is and what it printed. `before` is a command that starts the server's."""

    folder: Path
    studies: tuple[str, ...]
    database: str
    port: int
    process: subprocess.Popen[str] | None = None
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    before: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process and read the links it prints."""
        command = [
            *self.before,
            sys.executable,
            "-m",
            "concordant",
            "serve",
            *self.studies,
            "--db",
            self.database,
            "--port",
            str(self.port),
        ]
        self.process = subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        study = ""
        for line in self.process.stdout:
            if found := re.match(r".* \((\w+)\)$", line):
                study = found[1]
            elif found := re.match(r"  (\S.*?)\s+(http\S+)$", line):
                self.links[study, found[1]] = found[2]
            elif "No researcher" in line or "Researchers sign in" in line:
                break
        self.wait()

    def wait(self) -> None:
        """Wait until requests are answered."""
        for _ in range(2400):
            try:
                with urlopen(f"{self.base}/health", timeout=20) as reply:
                    assert reply.status == 200
                return
            except OSError:
                time.sleep(0.05)
        pytest.fail("the server did not answer within two minutes")

    def kill(self) -> None:
        """kill -9: no farewell, no flush."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> None:
        """Stop as Ctrl+C does."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=120)
        self._close()

    def _close(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()


def free_port() -> int:
    """A port nobody listens on, and that nobody else gets: it stays bound here, and the server may listen all the same.

    Linux gives a bound port to nobody who asks for any, and lets others bind it who say, as servers do, that it may be
    in use (`SO_REUSEADDR`). Elsewhere somebody may be quicker.
    """
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(("127.0.0.1", 0))
    port = int(bound.getsockname()[1])
    if sys.platform == "linux":
        atexit.register(bound.close)
    else:
        bound.close()
    return port


def write_examples(folder: Path, names: tuple[str, ...]) -> None:
    """Write example studies as a newcomer does."""
    for name in names:
        run("init", folder / name, "--example", name)


@contextmanager
def serving(
    folder: Path, names: tuple[str, ...], database: str | None = None, prepare: Callable[[Path], None] | None = None
) -> Iterator[Serving]:
    """Studies on a running server: the examples of these names, or what `prepare` writes."""
    if prepare:
        prepare(folder)
    else:
        write_examples(folder, names)
    server = Serving(folder, names, database or f"sqlite:///{folder}/answers.db", free_port())
    server.start()
    try:
        yield server
    finally:
        server.stop()


@dataclass
class Watched:
    """A browser's page that notes what it asks for and what goes wrong."""

    page: Page
    context: BrowserContext
    asked: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def note(self, request: Request) -> None:
        """Remember where a request goes."""
        self.asked.append(request.url)

    def check(self, base: str) -> None:
        """No request left the server, and no script failed."""
        assert [url for url in self.asked if not url.startswith((base, "data:", "blob:"))] == []
        assert self.errors == []


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """Open a fresh browser profile: `visit(width=375)`."""
    contexts: list[BrowserContext] = []

    def open_profile(width: int = 1280, height: int = 800, **options: Any) -> Watched:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.set_default_timeout(120_000)  # machines are slow at times
        watched = Watched(context.new_page(), context)
        watched.page.on("request", watched.note)
        watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
        return watched

    yield open_profile
    for context in contexts:
        context.close()


@pytest.fixture
def fresh_postgres(postgres: str) -> str:
    """The address of an empty database on the PostgreSQL server."""
    return empty_database(postgres)


def empty_database(postgres: str) -> str:
    """Make an empty database on a PostgreSQL server, and say its address."""
    name = f"concordant_{secrets.token_hex(4)}"
    url = make_url(postgres)
    engine = create_engine(url.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return url.set(database=name).render_as_string(hide_password=False)
