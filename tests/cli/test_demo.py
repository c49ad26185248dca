"""`concordant demo`: ready in seconds, signed in by its address, every page without error; and the copied data sets."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import concordant
from concordant.web.app import near
from concordant.web.demonstration import demo
from tests.cli.running import run

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(concordant.__file__).parents[1]), "PYTHONUNBUFFERED": "1"}


@pytest.fixture(scope="module")
def studio() -> Iterator[httpx.Client]:
    """A visitor of the demonstration who followed its address."""
    command = [sys.executable, "-m", "concordant", "demo", "--port", "0"]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        with httpx.Client(base_url=address.split("/demo/")[0], timeout=60, follow_redirects=True) as client:
            assert client.get(address).url.path == "/researcher"
            yield client
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_there_are_studies_in_every_state(studio: httpx.Client) -> None:
    page = studio.get("/researcher").text
    for state in ("designed", "collecting", "finished", "adjudicated"):
        assert f'class="state {state}"' in page


def test_every_page_opens(studio: httpx.Client) -> None:
    studies = sorted(set(re.findall(r"/studies/[\w-]+", studio.get("/researcher").text)))
    assert len(studies) == 6
    for study in studies:
        for tab in (
            "/build",
            "/raters",
            "/results",
            "/disagreements",
            "/disagreements/decide",
            "/report",
            "/report/gold",
        ):
            assert studio.get(study + tab).status_code == 200, study + tab
    assert "0." in studio.get("/studies/preferences/report/weights").text
    for method in ("votes", "adjudicated", "dawid_skene", "mace"):
        page = studio.get(f"/studies/experiment/report/gold?method={method}")
        assert page.status_code == 200
        assert "Download CSV" in page.text


def test_the_data_sets_have_reports(studio: httpx.Client) -> None:
    assert "Reliability report" in studio.get("/researcher/data/ratings.md").text
    assert "gamma" in studio.get("/researcher/data/spans.md").text
    assert studio.get("/researcher/data/nothing.md").status_code == 404


def test_nobody_comes_in_without_the_address(studio: httpx.Client) -> None:
    with httpx.Client(base_url=studio.base_url, timeout=120) as stranger:
        assert stranger.get("/demo/guessed").status_code == 404
        assert stranger.get("/researcher").status_code == 303


def test_copying_the_data_sets(tmp_path: Path) -> None:
    assert "features.csv" in run("demo", "--copy", tmp_path / "data").stdout
    assert {"classes.csv", "features.csv", "ratings.csv"} <= {path.name for path in (tmp_path / "data").iterdir()}
    assert (tmp_path / "data" / "treebank" / "anna" / "diaries" / "SUITE-1-V1" / "decision").is_file()
    assert "is there already" in run("demo", "--copy", tmp_path / "data", code=2).stderr


def test_what_begins_the_demonstration_needs_neither_scipy_nor_the_api() -> None:
    asked = "import concordant.web.demonstration, sys; sys.exit(bool({'scipy', 'fastapi'} & sys.modules.keys()))"
    assert (
        subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
    )  # each a fifth of its second start


def test_programs_are_answered_where_pages_were_first(studio: httpx.Client) -> None:
    assert "/studies/{study}/results" in studio.get("/api/openapi.json").json()["paths"]
    assert studio.get("/api/nothing").json() == {"problem": "Not Found"}


def test_it_ends_when_it_is_interrupted_before_it_serves() -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        demo(0, say=interrupt)
    assert [one for one in set(threading.enumerate()) - before if not one.daemon] == []  # Python would wait for them


def test_a_port_that_is_taken_is_refused_where_it_was_asked_for() -> None:
    with near("127.0.0.1", 0) as taken:
        done = run("demo", "--port", str(taken.getsockname()[1]), code=2)
    assert "choose another with --port" in done.stderr
    with near("127.0.0.1", None), near("127.0.0.1", None) as second:  # one of the two has 8000, if it was free
        assert second.getsockname()[1] != 8000
