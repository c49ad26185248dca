"""The pages around the judging and the studio, at desktop and phone width: axe-core finds nothing, nothing sticks out."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.barriers import no_barrier
from tests.web.conftest import Watched
from tests.web.driving import changed, ready
from tests.web.members import PASSWORD, RESEARCHER, scores_of_all, with_members
from tests.web.samples import RunningServer

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser
STUDIO = "/studies"
SIDEWAYS = """() => [...document.querySelectorAll(".question-block, .scroll")]
    .filter(box => box.scrollWidth > box.clientWidth).map(box => box.getAttribute("aria-label"))"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with answers and members."""
    with with_members(tmp_path_factory.mktemp("accessible")) as server:
        yield server


def see(page: Page, address: str, status: int = 200) -> None:
    """Open a page that answers with this status, and look at it."""
    reply = page.goto(address)
    assert reply is not None
    assert reply.status == status
    no_barrier(page)


def sign_in(page: Page, base: str, password: str) -> None:
    page.goto(f"{base}/researcher/sign-in")
    page.fill("input[name=name]", RESEARCHER)
    page.fill("input[name=password]", password)
    page.press("input[name=password]", "Enter")


@pytest.mark.parametrize("width", [1280, 375])
def test_pages_for_everybody(run: RunningServer, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    see(page, f"{run.base}/")
    see(page, f"{run.base}/researcher/sign-in")
    sign_in(page, run.base, "a wrong password")
    page.wait_for_selector("[role=alert], .note")
    no_barrier(page)
    see(page, f"{run.base}/nowhere", 404)
    see(page, f"{run.base}/s/preferences", 403)
    see(page, f"{run.base}/s/sample/as/{secrets.token_urlsafe(8)}", 403)
    see(page, f"{run.base}/s/sample")
    page.click("button.main")
    ready(page)
    changed(page, lambda: page.get_by_role("button", name="Quit").click())
    assert page.locator("main.stage").get_attribute("data-kind") == "quit"
    no_barrier(page)


@pytest.mark.parametrize("width", [1280, 375])
def test_pages_for_researchers(run: RunningServer, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    sign_in(page, run.base, PASSWORD)
    page.wait_for_url("**/researcher")
    see(page, f"{run.base}/researcher/account")
    page.click("text=Make a key")
    page.wait_for_selector("#key")
    no_barrier(page)
    see(page, f"{run.base}{STUDIO}/sample/results?by=kind")
    page.click("#tables summary")
    page.wait_for_selector("#stop table")
    no_barrier(page)
    assert page.evaluate(SIDEWAYS) == []
    see(page, f"{run.base}{STUDIO}/sample/report/gold?groups=rater_group=expert=participant")
    see(page, f"{run.base}{STUDIO}/preferences/report/weights")
    page.fill("textarea[name=scores]", scores_of_all(run))
    page.click("form:has(textarea[name=scores]) button")
    page.wait_for_selector("text=Spearman")
    no_barrier(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_of_a_study(run: RunningServer, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    sign_in(page, run.base, PASSWORD)
    page.wait_for_url("**/researcher")
    no_barrier(page)
    tabs: tuple[str, ...] = (
        "/build",
        "/raters",
        "/results",
        "/disagreements",
        "/disagreements/unit?unit=u1&question=binary",
    )
    tabs += ("/disagreements/decide", "/report", "/report/gold")
    for tab in tabs:
        see(page, f"{run.base}{STUDIO}/sample{tab}")


def test_keys_are_listed_and_revoked(run: RunningServer, visit: Callable[..., Watched]) -> None:
    page = visit().page
    sign_in(page, run.base, PASSWORD)
    page.wait_for_url("**/researcher")
    page.goto(f"{run.base}/researcher/account")
    page.click("text=Make a key")
    key = page.inner_text("#key")
    with httpx.Client(base_url=run.base, headers={"authorization": f"Bearer {key}"}, timeout=120) as program:
        here = next(one["id"][:8] for one in program.get("/api/keys").json() if one["is_here"])
        page.click(f"tr:has(code:text-is('{here}')) button")
        page.wait_for_function("id => !document.body.innerText.includes(id)", arg=here)
        assert program.get("/api/keys").status_code == 401
    assert page.locator("text=this browser").count() == 1
