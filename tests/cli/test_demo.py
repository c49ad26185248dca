"""`concordant demo`: ready in seconds, signed in by its address, every page without error; and the copied data sets."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import concordant
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


def test_what_begins_the_demonstration_needs_no_scipy() -> None:
    asked = "import concordant.web.demonstration, sys; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0  # a fifth of its second start
