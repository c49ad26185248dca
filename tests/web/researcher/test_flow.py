"""A real Chromium, from an empty server to the report: make a study, invite, answer, watch, decide, take away."""

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from assent.web.researcher.passwords import hashed
from tests.web.conftest import Watched
from tests.web.samples import Running, running

pytestmark = pytest.mark.browser
PASSWORD = "a long enough password"
UNITS = [
    f"{who} {does}." for who in ("The cat", "A dog", "My aunt") for does in ("sleeps", "sing loudly", "run", "waits")
]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Running]:
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


def accessible(page: Page) -> None:
    """axe-core finds nothing on the page."""
    found = Axe().run(page).response["violations"]
    assert found == [], [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found]


def make_study(page: Page) -> None:
    page.click("text=Make the first one")
    accessible(page)
    page.fill("input[name=title]", "Is it grammatical?")
    page.fill("input[name=name]", "grammar")
    page.fill("input[name=ask]", "Is the sentence grammatical?")
    page.fill("textarea[name=units]", "\n".join(UNITS))
    page.fill("textarea[name=guidelines]", "Only *grammar* counts.")
    page.click("text=Make the study")
    page.wait_for_url("**/researcher/studies/grammar")


def invite(page: Page, *names: str) -> list[str]:
    """Invite raters and return their links."""
    page.fill("textarea[name=raters]", "\n".join(names))
    page.click("button:text-is('Invite')")
    page.wait_for_selector(f"th:text-is('{names[-1]}')")
    accessible(page)
    return [str(link.get_attribute("data-copy")) for link in page.query_selector_all("[data-copy]")]


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


def alpha(page: Page) -> str:
    return page.inner_text("#live [data-measure=alpha]")


def test_from_an_empty_server_to_the_report(empty: Running, visit: Callable[..., Watched]) -> None:
    maria = visit()
    page = maria.page
    sign_in(page, empty.base, "maria")
    accessible(page)
    make_study(page)
    links = invite(page, "ann", "bob", "cem")
    assert len(links) == 3
    watch_agreement(page, [(strict, visit().page, links[0]), (strict, visit().page, links[1])])
    answer(visit().page, links[2], lenient)
    see_agreement_fall(page)
    look_at_disagreements(page)
    decide_both(page)

    page.goto(f"{empty.base}/researcher/studies/grammar/gold?method=adjudicated")
    assert page.locator("td:text-is('decided')").count() == 2
    assert page.inner_text("section:has(#acc-title) tr:has(th:text-is('ann')) td >> nth=1") == "1.000"
    accessible(page)
    page.click("nav >> text=Report and data")
    accessible(page)
    take_away(page)
    maria.check(empty.base)


def watch_agreement(page: Page, raters: list[tuple[Callable[[str], str], Page, str]]) -> None:
    """See the page of agreement come to life while raters answer alike."""
    page.click("nav >> text=Agreement")
    page.wait_for_selector("text=No answers yet")
    accessible(page)
    for rule, theirs, link in raters:
        answer(theirs, link, rule)
    page.wait_for_selector("#live [data-measure=alpha]", timeout=30_000)
    assert alpha(page) == "1.000"


def see_agreement_fall(page: Page) -> None:
    """See the value change by itself, then set a target and reach it."""
    page.wait_for_function(
        "() => document.querySelector('#live [data-measure=alpha]').textContent !== '1.000'", timeout=30_000
    )
    page.reload()
    page.wait_for_selector("text=more units")
    accessible(page)
    page.fill("input[name=width]", "1.9")
    page.click("text=Set the target")
    page.wait_for_selector("text=Target reached")


def look_at_disagreements(page: Page) -> None:
    """Both disputed units are listed, without names until they are asked for."""
    page.click("nav >> text=Disagreements")
    assert page.locator(".disputes li").count() == 2
    accessible(page)
    page.click(".dispute >> nth=0")
    assert "ann" not in page.inner_text("main")
    accessible(page)
    page.click("text=Show names")
    assert "ann" in page.inner_text("main")


def decide_both(page: Page) -> None:
    """Decide both by key, the first with a comment and as unclear in the guidelines."""
    page.click("nav >> text=Adjudication")
    accessible(page)
    page.fill("textarea[name=comment]", "Agreement of the verb.")
    page.check("input[name=unclear]")
    page.focus("h1.question")
    page.keyboard.press("n")
    page.wait_for_selector("text=1 to decide")
    page.wait_for_load_state()
    page.keyboard.press("n")
    page.wait_for_selector("text=Nothing to decide")


def take_away(page: Page) -> None:
    """Download everything and look inside."""
    with page.expect_download(timeout=90_000) as started:
        page.click("a:text-is('HTML')")
    report = Path(str(started.value.path())).read_text(encoding="utf-8")
    assert "Reliability report: Is it grammatical?" in report
    assert "alpha" in report
    with page.expect_download(timeout=90_000) as started:
        page.click("text=Raw, XLSX")
    sheets = openpyxl.load_workbook(io.BytesIO(Path(str(started.value.path())).read_bytes()))
    decisions = [[cell.value for cell in row] for row in sheets["decisions"].iter_rows()]
    assert [row[2] for row in decisions[1:]] == ["no", "no"]
    assert decisions[1][4:6] == ["Agreement of the verb.", "yes"]
    assert sheets["judgements"].max_row == 1 + 3 * len(UNITS)
    assert any("decisions" in str(cell.value) for row in sheets["codebook"].iter_rows() for cell in row)
    with page.expect_download(timeout=90_000) as started:
        page.click("text=Cleaned, CSV files")
    assert "judgements.csv" in zipfile.ZipFile(str(started.value.path())).namelist()


def test_an_adjudicator_comes_in_and_sees_only_what_is_to_decide(empty: Running, visit: Callable[..., Watched]) -> None:
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
    pau.click("text=Is it grammatical?")
    pau.wait_for_selector("text=Nothing to decide")
    assert pau.locator(".tabs a").all_inner_texts() == ["Adjudication"]
    accessible(pau)
    refused = pau.goto(f"{empty.base}/researcher/studies/grammar/agreement")
    assert refused is not None
    assert refused.status == 403
