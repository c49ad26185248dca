"""The pages around the judging and the studio, at desktop and phone width: axe-core finds nothing, nothing sticks out."""

import secrets
from collections.abc import Callable, Iterator

import httpx
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


@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_of_a_study(run: Running, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    sign_in(page, run.base, PASSWORD)
    page.wait_for_url("**/researcher")
    clean(page)
    tabs = ("", "/disagreements", "/disagreements/unit?unit=u1&question=binary", "/adjudication", "/gold", "/report")
    for tab in tabs:
        see(page, f"{run.base}{STUDIO}/sample{tab}")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_form_with_room_for_another_question(run: Running, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    sign_in(page, run.base, PASSWORD)
    page.goto(f"{run.base}/researcher/new")
    page.fill("input[name=title]", "Two questions")
    page.fill("input[name=name]", f"two-{width}")
    page.fill("input[name=ask]", "Is it true?")
    page.click("text=Another question")
    page.wait_for_selector("text=Question 2")
    clean(page)
    assert page.input_value("input[name=title]") == "Two questions"
    page.fill("input[name=ask] >> nth=1", "How natural is it?")
    page.select_option("select[name=task] >> nth=1", "ordinal")
    page.fill("textarea[name=options] >> nth=1", "1\n2\n3")
    page.check("input[name=passes][value=no]")
    page.fill("textarea[name=units]", "One sentence.\nAnother one.")
    page.click("text=Make the study")
    page.wait_for_url(f"**/studies/two-{width}")
    made = run.server.studies[f"two-{width}"].description
    assert [(one.id, one.task.value) for one in made.questions] == [("q1", "binary"), ("q2", "ordinal")]
    assert not made.presentation.passes
    assert "all questions of a unit together" in page.inner_text("main")


def test_keys_are_listed_and_revoked(run: Running, visit: Callable[..., Watched]) -> None:
    page = visit().page
    sign_in(page, run.base, PASSWORD)
    page.wait_for_url("**/researcher")
    page.goto(f"{run.base}/researcher/account")
    page.click("text=Make a key")
    key = page.inner_text("#key")
    with httpx.Client(base_url=run.base, headers={"authorization": f"Bearer {key}"}) as program:
        here = next(one["id"][:8] for one in program.get("/api/keys").json() if one["is_here"])
        page.click(f"tr:has(code:text-is('{here}')) button")
        page.wait_for_function("id => !document.body.innerText.includes(id)", arg=here)
        assert program.get("/api/keys").status_code == 401
    assert page.locator("text=this browser").count() == 1
