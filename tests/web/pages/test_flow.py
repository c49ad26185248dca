"""A real Chromium, from an empty server to the report: make a study, invite, answer, watch, decide, take away."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import openpyxl
import pytest

from concordant.studio.people import hashed
from tests.barriers import no_barrier
from tests.web.conftest import Watched
from tests.web.samples import RunningServer, running

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser
PASSWORD = "a long enough password"
UNITS = [
    f"{who} {does}." for who in ("The cat", "A dog", "My aunt") for does in ("sleeps", "sing loudly", "run", "waits")
]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[RunningServer]:
    """A server without studies and one researcher."""
    with running(tmp_path, home=tmp_path / "studies") as run:
        run.server.accounts.add_researcher("maria", hashed(PASSWORD))
        yield run


def sign_in(page: Page, base: str, name: str) -> None:
    page.goto(f"{base}/researcher")
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/researcher")


def make_study(page: Page) -> None:
    page.click("text=I want to collect judgements")
    no_barrier(page)
    page.fill("input[name=title]", "Grammar")
    page.click("button:text-is('Begin')")
    page.fill("input[name='questions.0.ask']", "Is the sentence grammatical?")
    page.wait_for_selector("[data-saved]:text-is('Saved as a draft.')")
    no_barrier(page)
    page.click("#outline >> text=Items")
    page.fill("textarea[name=pasted]", "\n".join(UNITS))
    page.click("text=Take these texts")
    page.wait_for_selector(f"h1:text-is('{len(UNITS)} items.')")
    no_barrier(page)
    page.click("#outline >> text=Guidelines")
    page.fill("textarea[name='guidelines.text']", "Only *grammar* counts.")
    page.fill("input[name='guidelines.version']", "1")
    with page.expect_navigation():
        page.click("button.main:text-is('Save')")
    page.wait_for_selector("[data-saved]:text-is('Saved as a draft.')")
    with page.expect_navigation():
        page.click("a:text-is('Publish')")
    page.click("text=Publish this version")
    page.wait_for_url("**/studies/grammar/raters")


def invite(page: Page, *names: str) -> list[str]:
    """Invite raters and return their links."""
    page.fill("textarea[name=raters]", "\n".join(names))
    page.click("button:text-is('Invite')")
    page.wait_for_selector(f"th:text-is('{names[-1]}')")
    no_barrier(page)
    rows = [page.locator(f"tr:has(th:text-is('{name}')) [data-copy]").first for name in names]
    return [str(link.get_attribute("data-copy")) for link in rows]


def answer(page: Page, link: str, says: Callable[[str], str]) -> None:
    """Answer everything by key."""
    page.goto(link)
    for _ in UNITS:
        page.wait_for_selector("#keys-open:visible")
        key = page.locator("main.stage").get_attribute("data-key")
        page.keyboard.press(says(page.inner_text(".unit")))
        page.wait_for_function("key => document.querySelector('main.stage').dataset.key !== key", arg=key)
    page.wait_for_selector("main.stage[data-kind=thanks]")
    page.wait_for_selector("#saved[data-state=saved]")


def strict(text: str) -> str:
    return "n" if "sing" in text or ("run" in text and "aunt" not in text) else "y"


def lenient(text: str) -> str:
    return "n" if "sing" in text else "y"


def test_from_an_empty_server_to_the_report(empty: RunningServer, visit: Callable[..., Watched]) -> None:
    maria = visit()
    page = maria.page
    sign_in(page, empty.base, "maria")
    no_barrier(page)
    make_study(page)
    links = invite(page, "ann", "bob", "cem")
    assert len(links) == 3
    watch_agreement(page, [(strict, visit().page, links[0]), (strict, visit().page, links[1])])
    answer(visit().page, links[2], lenient)
    see_agreement_fall(page)
    look_at_disagreements(page)
    decide_both(page)

    page.goto(f"{empty.base}/studies/grammar/report/gold?method=adjudicated")
    assert page.locator("td:text-is('decided')").count() == 2
    assert page.inner_text("section:has(#acc-title) tr:has(th:text-is('ann')) td >> nth=1") == "1.000"
    no_barrier(page)
    page.click("nav >> text=Report")
    no_barrier(page)
    take_away(page)
    maria.check(empty.base)


def watch_agreement(page: Page, raters: list[tuple[Callable[[str], str], Page, str]]) -> None:
    """See the results come to life while raters answer alike: a line says that there is more, nothing moves."""
    page.click("nav >> text=Results")
    page.wait_for_selector("text=The first result appears here")
    no_barrier(page)
    for rule, theirs, link in raters:
        answer(theirs, link, rule)
    page.wait_for_selector("text=24 new judgements")
    page.click(".news a")
    page.wait_for_selector("#verdicts li")
    assert "α 1.00" in page.inner_text("#verdicts")


def see_agreement_fall(page: Page) -> None:
    """See that there is more, look, set a target and reach it."""
    page.wait_for_selector("text=12 new judgements")
    assert "α 1.00" in page.inner_text("#verdicts")
    page.reload()
    page.wait_for_function("() => !document.querySelector('#verdicts').textContent.includes('α 1.00')")
    page.click("#tables summary")
    page.wait_for_selector("text=more units")
    no_barrier(page)
    page.fill("input[name=width]", "1.9")
    page.click("text=Set the target")


def look_at_disagreements(page: Page) -> None:
    """Both disputed units are listed, without names until they are asked for."""
    page.click("nav >> text=Disagreements")
    assert page.locator(".disputes li").count() == 2
    no_barrier(page)
    assert_two_panes(page)
    page.click(".dispute >> nth=1")
    page.wait_for_selector(".panes.at-case .disputes li:nth-child(2)[aria-current]")
    assert page.inner_text(".case .unit-text") == page.inner_text(".dispute >> nth=1")
    assert "ann" not in page.inner_text("main")
    no_barrier(page)
    page.click("text=Show names")
    assert "ann" in page.inner_text("main")


def assert_two_panes(page: Page) -> None:
    """The list and a case stand side by side; on a telephone one after the other. Texts are shown, no ids."""
    assert not re.search(r"\bu\d+\b", page.inner_text("main"))
    left, right = page.locator(".panes .list").bounding_box(), page.locator(".panes .case").bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.locator(".panes .case").is_visible()
    page.click(".dispute >> nth=0")
    page.wait_for_selector(".panes .case:visible")
    assert not page.locator(".disputes").is_visible()
    no_barrier(page)
    page.click("text=All disagreements")
    page.wait_for_selector(".disputes:visible")
    page.set_viewport_size({"width": 1280, "height": 800})


def decide_both(page: Page) -> None:
    """Decide both by key, the first with a comment and as unclear in the guidelines."""
    page.click("nav >> text=Disagreements")
    page.click("text=Decide one after the other")
    no_barrier(page)
    page.fill("textarea[name=comment]", "Agreement of the verb.")
    page.focus("h1.question")
    assert not [name for name in ("ann", "bob", "cem") if name in page.content()]
    for key in ("2", "u", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("text=1 to decide")
    page.wait_for_load_state()
    for key in ("2", "a", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("text=Nothing to decide")
    page.click("nav >> text=Disagreements")
    assert "2 of 2 avoidable." in page.inner_text("#causes")
    no_barrier(page)


def take_away(page: Page) -> None:
    """Download everything and look inside."""
    with page.expect_download(timeout=240_000) as started:
        page.click("a:text-is('HTML')")
    report = Path(str(started.value.path())).read_text(encoding="utf-8")
    assert "Reliability report: Grammar" in report
    assert "alpha" in report
    if page.locator("progress").count():  # it took a while: the page that said so stays, and leads back
        page.click("text=Back to where it was asked for")
    with page.expect_download(timeout=240_000) as started:
        page.click("text=Raw, XLSX")
    sheets = openpyxl.load_workbook(io.BytesIO(Path(str(started.value.path())).read_bytes()))
    decisions = [[cell.value for cell in row] for row in sheets["decisions"].iter_rows()]
    assert [row[2] for row in decisions[1:]] == ["no", "no"]
    assert decisions[1][4:6] == ["Agreement of the verb.", "yes"]
    assert sheets["judgements"].max_row == 1 + 3 * len(UNITS)
    assert any("decisions" in str(cell.value) for row in sheets["codebook"].iter_rows() for cell in row)
    with page.expect_download(timeout=240_000) as started:
        page.click("text=Cleaned, CSV files")
    assert "judgements.csv" in zipfile.ZipFile(str(started.value.path())).namelist()


def test_an_adjudicator_comes_in_and_sees_only_what_is_to_decide(
    empty: RunningServer, visit: Callable[..., Watched]
) -> None:
    page = visit().page
    sign_in(page, empty.base, "maria")
    make_study(page)
    page.click("text=Add somebody")
    page.fill("#members input[name=name]", "pau")
    page.fill("#members input[name=password]", PASSWORD)
    page.click("#members button:text-is('Add')")
    page.wait_for_selector("th:text-is('pau')")
    pau = visit(width=375).page
    sign_in(pau, empty.base, "pau")
    pau.click("text=Grammar")
    pau.wait_for_selector("text=Nothing to decide")
    assert pau.locator(".tabs a").all_inner_texts() == ["Disagreements"]
    no_barrier(pau)
    refused = pau.goto(f"{empty.base}/studies/grammar/results")
    assert refused is not None
    assert refused.status == 403
