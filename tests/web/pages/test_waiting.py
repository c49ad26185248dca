"""Nobody looks at an empty page: what takes a while says how far it is and comes by itself."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from concordant.studio import live
from concordant.web.pages import shell
from tests.web.members import RESEARCHER, with_members
from tests.web.samples import RunningServer
from tests.web.test_forms_fuzz import signed_in

STUDY = "/studies/sample"
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningServer]:
    """Studies with answers, and nobody waits a moment."""
    monkeypatch.setattr(live, "MOMENT", 0.0)
    monkeypatch.setattr(shell, "MOMENT", 0.0)
    with with_members(tmp_path) as server:
        yield server


def until_it_comes(client: httpx.Client, path: str) -> tuple[httpx.Response, list[httpx.Response]]:
    """What a browser shows in the end, and what it showed before."""
    shown: list[httpx.Response] = []
    for _ in range(600):
        reply = client.get(path, headers=BROWSER)
        if "refresh" not in reply.headers:
            return reply, shown
        shown.append(reply)
        time.sleep(0.05)
    pytest.fail("it never came")


def test_a_report_says_how_far_it_is_and_comes_by_itself(run: RunningServer) -> None:
    client = signed_in(run, RESEARCHER)
    reply, before = until_it_comes(client, f"{STUDY}/report.html?show")
    assert "Reliability report: A sample study" in reply.text
    told = [one for one in before if "Making the report" in one.text]
    assert told
    assert {one.headers["refresh"] for one in told} == {"1"}
    assert all("<progress" in one.text for one in told)
    again = client.get(f"{STUDY}/report.html?show", headers=BROWSER)
    assert again.text == reply.text, "it is there, without a page that says how far it is"


def test_programs_wait_for_a_report(run: RunningServer) -> None:
    client = signed_in(run, RESEARCHER)
    reply = client.get(f"{STUDY}/report.md", headers={"accept": "*/*"})
    assert "Reliability report: A sample study" in reply.text
    assert reply.headers["content-disposition"].startswith("attachment")


def test_after_a_start_the_log_is_read_behind(run: RunningServer) -> None:
    run.server.live.close()
    run.server.live = live.Live(run.server.log)
    client = signed_in(run, RESEARCHER)
    reply, before = until_it_comes(client, f"{STUDY}/raters")
    assert "Reading the answers" in before[0].text
    assert "Ada" in reply.text
