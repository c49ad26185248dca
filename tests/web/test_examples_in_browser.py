"""The three examples, from the first link to the last page, in a real Chromium and by keyboard alone."""

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.conftest import Serving, Watched, serving
from tests.web.driving import all_saved, key, kind, press, ready, steady, text

pytestmark = pytest.mark.browser

Visit = Callable[..., Watched]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The three examples on one server."""
    with serving(tmp_path_factory.mktemp("examples"), ("features", "preferences", "experiment")) as running:
        yield running


def no_violation(page: Page) -> None:
    """axe-core has nothing to say about the page."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def judge_features(page: Page, rater: str) -> dict[tuple[str, str], str]:
    """Answer every response of every pass with Y and N, some after "Not sure"; returns what was answered last."""
    given: dict[tuple[str, str], str] = {}
    put_aside: set[str] = set()
    while kind(page) == "judging":
        question, response = page.locator(".asked").get_attribute("data-question") or "", text(page)
        if steady(response, question) % 11 == 0 and key(page) not in put_aside:
            put_aside.add(key(page))
            press(page, "u")
            continue
        answer = "y" if steady(rater, response) % 3 else "n"
        given[question, response] = {"y": "yes", "n": "no"}[answer]
        press(page, answer)
    assert put_aside
    return given


@pytest.mark.parametrize("rater", ["A1", "A2"])
def test_features_by_keyboard(server: Serving, visit: Visit, rater: str) -> None:
    watched = visit()
    page = watched.page
    page.goto(server.links["features", rater])
    ready(page)
    no_violation(page)
    press(page, "Enter")
    no_violation(page)
    given = judge_features(page, rater)
    assert kind(page) == "thanks"
    all_saved(page)
    no_violation(page)
    assert len({question for question, _ in given}) == 5
    watched.check(server.base)


@pytest.mark.parametrize("rater", ["A1", "A2"])
def test_preferences_by_keyboard(server: Serving, visit: Visit, rater: str) -> None:
    watched = visit()
    page = watched.page
    page.goto(server.links["preferences", rater])
    ready(page)
    press(page, "Enter")
    no_violation(page)
    n = 0
    while kind(page) == "judging":
        press(page, ["ArrowLeft", "ArrowRight", "s"][steady(rater, n) % 3])
        n += 1
    assert n == 24
    all_saved(page)
    watched.check(server.base)


@pytest.mark.parametrize("width", [1280, 375])
def test_experiment_by_keyboard(server: Serving, visit: Visit, width: int) -> None:
    watched = visit(width=width)
    page = watched.page
    page.goto(server.links["experiment", "open to everybody"])
    no_violation(page)
    page.keyboard.press("Tab")
    page.locator("button.main").focus()
    page.keyboard.press("Enter")
    ready(page)
    no_violation(page)
    through_opening(page)
    n = 0
    while kind(page) in {"training", "feedback", "judging"}:
        if n in {0, 1, 6}:
            no_violation(page)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        if kind(page) != "feedback":
            page.keyboard.type("word")
        press(page, "Enter")
        n += 1
    assert n == 3 + 3 + 30
    assert kind(page) == "thanks"
    all_saved(page)
    no_violation(page)
    watched.check(server.base)


def through_opening(page: Page) -> None:
    """Consent, describe oneself and read the instructions, with the keyboard."""
    page.locator("[name=consent]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    press(page, "Enter")
    assert kind(page) == "participant"
    no_violation(page)
    page.keyboard.press("Tab")
    page.keyboard.type("33")
    press(page, "Enter")
    assert kind(page) == "instructions"
    no_violation(page)
    press(page, "Enter")
