"""A studio that holds nothing, opened as a newcomer does: to a file's report, and to a verdict on a study of two raters."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.barriers import no_barrier
from tests.cli.running import run
from tests.web.conftest import Watched
from tests.web.pages.test_flow import PASSWORD, UNITS, answer, invite, lenient, make_study, strict
from tests.web.test_own_computer import new_studio

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
RATINGS = files("concordant") / "examples" / "data" / "ratings.csv"
MAIN = ("/researcher", "/researcher/files", *(f"/studies/grammar/{tab}" for tab in ("build/questions.0", "build/items", "build/assignment", "raters", "results", "disagreements", "report")))  # fmt: skip
SCREENS = {"desk": (1280, 800), "phone": (390, 844)}
MOST_KEYS = 40


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a studio without anything opens."""
    with new_studio(tmp_path_factory.mktemp("nothing") / "studio") as found:
        yield found


@pytest.fixture(scope="module")
def profile(browser: object, address: str) -> Iterator[Watched]:
    """The browser of whoever opened the studio, and made its account by keyboard."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})  # type: ignore[attr-defined]
    context.set_default_timeout(120_000)
    watched = Watched(context.new_page(), context)
    watched.page.on("request", watched.note)
    watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
    page = watched.page
    page.goto(address)
    no_barrier(page)
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/researcher")
    yield watched
    context.close()


def base_of(address: str) -> str:
    return address.partition("/begin/")[0]


def reach(page: Page, words: str) -> None:
    """Go on with Tab until what has the focus says these words."""
    for _ in range(MOST_KEYS):
        page.keyboard.press("Tab")
        if words in page.evaluate("document.activeElement.innerText ?? ''"):
            return
    pytest.fail(f"{words!r} was not reached by keyboard")


def drop(page: Page, *paths: Path) -> None:
    """Drop files from the desktop on the page, as the browser itself does it."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data})


def figures(html: str) -> list[str]:
    """All numbers with decimals that a page says, in order."""
    said = re.sub(r"<(style|script|svg)\b.*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL)
    return re.findall(r"\d*\.\d\d+", said)


def is_in_sight(page: Page, selector: str) -> bool:
    """Whether all of it stands on the first screen."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]  # type: ignore[index]


def test_from_an_empty_installation_to_a_report_by_keyboard(address: str, profile: Watched, tmp_path: Path) -> None:
    page = profile.page
    page.goto(f"{base_of(address)}/researcher")
    assert page.locator(".doors li").count() == 3
    assert is_in_sight(page, ".doors li:last-child")
    assert "concordant" in page.inner_text(".hero .lead")
    page.wait_for_selector("#glimpse-title")  # a piece of an example's verdict
    assert "J5 is 1.0 points stricter" in page.inner_text("main")
    no_barrier(page)
    reach(page, "I have judgements")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    file = tmp_path / "ratings.csv"
    file.write_bytes(RATINGS.read_bytes())
    drop(page, file)
    page.wait_for_selector("h1.understood")
    for name, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert is_in_sight(page, "p.verdict"), name
    page.set_viewport_size({"width": 1280, "height": 800})
    command = " ".join(page.inner_text(".cmd").split())
    sentence = page.inner_text("p.verdict")
    reach(page, "Show the report")
    page.keyboard.press("Enter")  # the only press after the drop
    shown = page.context.pages[-1] if len(page.context.pages) > 1 else page
    shown.wait_for_selector("text=Reliability report: ratings.csv", timeout=240_000)
    assert sentence.split(".")[0] in shown.inner_text("body")
    run(*shlex.split(command)[1:], cwd=tmp_path)
    assert len(figures(shown.content())) > 50
    assert figures(shown.content()) == figures((tmp_path / "report.html").read_text(encoding="utf-8"))
    if shown is not page:
        shown.close()
    profile.check(base_of(address))


def test_from_nothing_to_a_live_verdict_of_two_raters(
    address: str, profile: Watched, visit: Callable[..., Watched]
) -> None:
    page = profile.page
    page.goto(f"{base_of(address)}/researcher")
    make_study(page)
    links = invite(page, "ann", "bob")
    page.click("nav >> text=Results")
    page.wait_for_selector("text=The first result appears here")
    for rule, link in zip((strict, lenient), links, strict=True):
        answer(visit().page, link, rule)
    page.wait_for_selector(f"text={2 * len(UNITS)} new judgements")  # it came by itself
    reach(page, "Show")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    for name, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert is_in_sight(page, "h1.finding"), name
        assert is_in_sight(page, "#verdicts li"), name
    profile.check(base_of(address))
    for scheme, screen in (("light", "desk"), ("dark", "desk"), ("dark", "phone")):
        width, height = SCREENS[screen]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for place in MAIN:
            page.goto(base_of(address) + place)
            no_barrier(page)
            if screen == "phone":
                here = page.locator(".tabs [aria-current], .outline > ul > li > [aria-current]")
                for box in (one.bounding_box() for one in here.all()):
                    assert box is not None, place
                    assert 0 <= box["x"] <= box["x"] + box["width"] <= width, place
                page.set_viewport_size({"width": 320, "height": height})
                assert page.evaluate("document.documentElement.scrollWidth") <= 320, place
                page.set_viewport_size({"width": width, "height": height})
            if place.endswith("assignment") and screen == "desk":
                assert page.evaluate("document.documentElement.scrollHeight") <= 2000
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})


def test_things_to_look_at_name_rows_of_the_file_and_are_chosen_within_a_second(
    address: str, profile: Watched, tmp_path: Path
) -> None:
    rows = [["text", "coder", "fluency"]]
    rows += [[f"t{number // 4}", "ABCD"[number % 4], str(1 + number // 4 % 5)] for number in range(10_000)]
    rows[7_001][2], rows[8_002][2] = "four", "n/a"
    file = tmp_path / "large.csv"
    file.write_text("\n".join(map(",".join, rows)) + "\n")
    page = profile.page
    page.goto(f"{base_of(address)}/researcher/files")
    drop(page, file)
    page.wait_for_selector("select[name=role]")
    page.goto(f"{page.url.partition('?')[0]}?unit=text&rater=coder&value=fluency")
    page.wait_for_selector(".problems li")
    for thing in page.locator(".problems li").all():
        said = thing.inner_text()
        values, named = re.findall("“(.+?)”", said), re.findall(r"Rows? ([\d, ]+)", said)
        for number in (int(one) for one in named[0].split(",")) if named else ():
            assert set(values) & set(rows[number - 1]), said
    assert "Row 7002." in page.inner_text(".problems")
    before = page.inner_text("h1.understood")
    begun = time.perf_counter()
    with page.expect_navigation():
        page.locator(".problems li", has_text="four").get_by_text("All are names").click()
    page.wait_for_selector("h1.understood")
    took = time.perf_counter() - begun
    assert page.inner_text("h1.understood") != before
    assert took <= 3, took  # a second on a quiet machine
