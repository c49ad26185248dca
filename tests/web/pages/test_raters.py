"""The page of raters in a real Chromium: many invited at once, tables and texts to take away, one link with its code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import segno

from tests.barriers import no_barrier
from tests.web.conftest import Watched
from tests.web.members import PASSWORD, RESEARCHER, fill, studies
from tests.web.samples import RunningServer, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PASTED = "Cem Kaya <cem@example.org>\n<b>=1+1</b> <dora@example.org>"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A study with two raters who answered everything, open to everybody."""
    folder = tmp_path_factory.mktemp("raters")
    with running(folder, *studies(folder), home=folder / "made") as server:
        fill(server.server)
        yield server


def opened(run: RunningServer, visit: Callable[..., Watched], width: int) -> Page:
    page = visit(width=width).page
    page.goto(f"{run.base}/researcher/sign-in")
    page.fill("input[name=name]", RESEARCHER)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/researcher")
    page.goto(f"{run.base}/studies/sample/raters")
    return page


@pytest.mark.parametrize("width", [1280, 390])
def test_many_are_invited_and_their_table_is_taken_away(
    run: RunningServer, visit: Callable[..., Watched], width: int
) -> None:
    page = opened(run, visit, width)
    no_barrier(page)
    page.fill("textarea[name=raters]", PASTED)
    with page.expect_download() as taken:
        page.click("button[name=table]")
    table = Path(taken.value.path()).read_text(encoding="utf-8-sig")
    assert f"Cem Kaya,cem@example.org,{run.base}/s/sample/as/" in table
    page.goto(f"{run.base}/studies/sample/raters")
    assert "4 raters, nobody has finished" in page.inner_text("h1")
    assert "example.org" not in page.content()
    assert page.locator("th:has-text('<b>=1+1</b>')").count() == 1
    reminder = page.locator("tr:has-text('Cem Kaya') [data-copy]").nth(1).get_attribute("data-copy")
    link = page.locator("tr:has-text('Cem Kaya') [data-copy]").nth(0).get_attribute("data-copy")
    assert reminder
    assert reminder.startswith("Dear Cem Kaya,")
    assert str(link) in reminder
    assert page.locator("tr:has-text('Ada') [data-copy]").count() == 1
    for fold in page.locator("main details:has(> summary)").all():
        fold.evaluate("fold => { fold.open = true }")
    no_barrier(page)
    page.goto(f"{run.base}/studies/sample/raters?lang=de")
    assert "4 Urteilende, niemand ist fertig" in page.inner_text("h1")
    no_barrier(page)


def test_one_link_with_its_code(run: RunningServer, visit: Callable[..., Watched]) -> None:
    page = opened(run, visit, 1280)
    link = page.input_value(".share input")
    assert link == f"{run.base}/s/sample"
    page.click("summary:text-is('Show QR code')")
    drawn = page.locator(".qr path[stroke]").get_attribute("d")
    expected = re.search(
        r'stroke="#000" d="([^"]+)"', segno.make_qr(link, error="m").svg_inline(dark="#000", light="#fff")
    )
    assert expected is not None
    assert drawn == expected[1]
    assert page.locator(".qr svg").bounding_box() is not None


def test_lines_that_are_not_understood_stay_in_the_form(run: RunningServer, visit: Callable[..., Watched]) -> None:
    page = opened(run, visit, 390)
    pasted = "name,address\nEva,eva@example.org"
    page.fill("textarea[name=raters]", pasted)
    page.click("button.main:text-is('Invite')")
    page.wait_for_selector("[role=alert]:has-text('has no address')")
    assert page.input_value("textarea[name=raters]") == pasted
