"""What the studio promises, on its own pages: no barrier in any theme and size, keyboard only, and large crowds stay light."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from concordant.collection.events import Answered
from concordant.design.description import Rater
from concordant.studio.people import hashed
from tests.barriers import no_barrier
from tests.web.conftest import Watched
from tests.web.members import PASSWORD, RESEARCHER, bearer, scores_of_all, with_members
from tests.web.samples import RunningServer, running, study, unit

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHAIN = "/studies/preferences/chain"
SIZES = [(1280, 800, "light"), (1280, 800, "dark"), (390, 844, "light")]
TABS = ("build", "raters", "results", "disagreements", "report")
N_RATERS, N_EACH, N_UNITS = 5000, 8, 400


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with with_members(tmp_path_factory.mktemp("acceptance")) as server:
        yield server


def sign_in(page: Page, base: str) -> None:
    page.goto(f"{base}/researcher/sign-in")
    page.fill("input[name=name]", RESEARCHER)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/researcher")


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height", "scheme"), SIZES)
def test_the_chain_has_no_barrier_and_is_walked_by_keyboard(
    run: RunningServer, visit: Callable[..., Watched], width: int, height: int, scheme: str
) -> None:
    watched = visit(width=width, height=height, color_scheme=scheme)
    page = watched.page
    sign_in(page, run.base)
    page.goto(f"{run.base}{CHAIN}")
    no_barrier(page)
    for narrow in (320, width):
        page.set_viewport_size({"width": narrow, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= narrow
    page.locator("#ranks summary").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#ranks table:visible")
    hostile = scores_of_all(run).replace("unit,score", "unit,<img src=x onerror=window.hacked=1>")
    page.locator("textarea[name=scores]").focus()
    page.evaluate("text => { document.activeElement.value = text }", hostile)
    page.keyboard.press("Tab")  # the file, then the button
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "All steps are done" in page.inner_text("h1")
    assert page.evaluate("window.hacked") is None
    assert "<img" in page.inner_text("#systems")
    no_barrier(page)
    page.goto(f"{run.base}{CHAIN}?lang=de")
    no_barrier(page)
    watched.check(run.base)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Five thousand raters who gave forty thousand answers."""
    folder: Path = tmp_path_factory.mktemp("crowd")
    units = tuple(unit(n, attributes={"kind": str(n % 4)}) for n in range(1, N_UNITS + 1))
    raters = tuple(Rater(id=f"r{n:05}") for n in range(N_RATERS))
    with running(folder, study(folder, "binary", units=units, raters=raters, is_open=False)) as server:
        server.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD))
        running_study = server.server.studies["sample"]
        for number, rater in enumerate(raters):
            steps = server.server.log.enrol(running_study, rater.id).steps
            first = number * 7 % (N_UNITS - N_EACH)
            server.server.log.append(
                "sample",
                [
                    Answered(
                        rater=rater.id,
                        step=int(step["number"]),
                        unit=step["unit"],
                        question="binary",
                        value="yes" if (number + place) % 3 else "no",
                        seconds=2.0,
                    )
                    for place, step in enumerate(steps[first : first + N_EACH])
                ],
            )
        yield server


@pytest.mark.slow
def test_pages_of_a_crowd_are_light_and_quick(crowd: RunningServer) -> None:
    with httpx.Client(base_url=crowd.base, timeout=600) as client:
        client.headers.update(bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
        for tab in TABS:
            client.get(f"/studies/sample/{tab}")
        for tab in TABS:
            begun = time.perf_counter()
            reply = client.get(f"/studies/sample/{tab}")
            took = time.perf_counter() - begun
            assert reply.status_code == 200
            assert len(reply.content) <= 200_000, tab
            assert took <= 3, (tab, took)  # a second on a quiet machine
