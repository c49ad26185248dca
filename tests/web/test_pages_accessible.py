"""The pages around the judging and the studio, at desktop and phone width: axe-core finds nothing, nothing sticks out."""

import secrets
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.conftest import Watched
from tests.web.driving import changed, ready
from tests.web.members import PASSWORD, RESEARCHER, scores_of_all, with_members
from tests.web.samples import Running

pytestmark = pytest.mark.browser
STUDIO = "/researcher/studies"
SIDEWAYS = """() => [...document.querySelectorAll(".question-block, .scroll")]
    .filter(box => box.scrollWidth > box.clientWidth).map(box => box.getAttribute("aria-label"))"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with answers and members."""
    with with_members(tmp_path_factory.mktemp("accessible")) as server:
        yield server


def clean(page: Page) -> None:
    """axe-core has nothing to say about the page, and it is not wider than the screen."""
    found = Axe().run(page).response["violations"]
    assert found == [], (page.url, [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found])
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"), page.url


def see(page: Page, address: str, status: int = 200) -> None:
    """Open a page that answers with this status, and look at it."""
    reply = page.goto(address)
    assert reply is not None
    assert reply.status == status
    clean(page)


def sign_in(page: Page, base: str, password: str) -> None:
    page.goto(f"{base}/researcher/sign-in")
    page.fill("input[name=name]", RESEARCHER)
    page.fill("input[name=password]", password)
    page.press("input[name=password]", "Enter")


@pytest.mark.parametrize("width", [1280, 375])
def test_pages_for_everybody(run: Running, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    see(page, f"{run.base}/")
    see(page, f"{run.base}/researcher/sign-in")
    sign_in(page, run.base, "a wrong password")
    page.wait_for_selector("[role=alert], .note")
    clean(page)
    see(page, f"{run.base}/nowhere", 404)
    see(page, f"{run.base}/s/preferences", 403)
    see(page, f"{run.base}/s/sample/as/{secrets.token_urlsafe(8)}", 403)
    see(page, f"{run.base}/s/sample")
    page.click("button.main")
    ready(page)
    changed(page, lambda: page.get_by_role("button", name="Quit").click())
    assert page.locator("main.stage").get_attribute("data-kind") == "quit"
    clean(page)


@pytest.mark.parametrize("width", [1280, 375])
def test_pages_for_researchers(run: Running, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    sign_in(page, run.base, PASSWORD)
    page.wait_for_url("**/researcher")
    see(page, f"{run.base}/researcher/account")
    page.click("text=Make a key")
    page.wait_for_selector("#key")
    clean(page)
    see(page, f"{run.base}{STUDIO}/sample/agreement?by=kind")
    page.wait_for_selector("#stop table", timeout=30_000)
    clean(page)
    assert page.evaluate(SIDEWAYS) == []
    see(page, f"{run.base}{STUDIO}/sample/gold?groups=rater_group=expert=participant")
    see(page, f"{run.base}{STUDIO}/preferences/weights")
    page.fill("textarea[name=scores]", scores_of_all(run))
    page.click("form:has(textarea[name=scores]) button")
    page.wait_for_selector("text=Spearman")
    clean(page)
