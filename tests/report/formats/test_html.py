"""The HTML report: self-contained, escaped, and clean in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from concordant.model.judgements import Judgements
from concordant.readers.data import as_study
from concordant.report.document import Document
from concordant.report.facts import JudgementReport, report_judgements
from concordant.report.formats import html
from tests.barriers import no_barrier
from tests.report.conftest import NASTY

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def page_text(document: Document) -> str:
    return html.render(document)


@pytest.fixture(scope="module")
def page_file(page_text: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page_text, encoding="utf-8")
    return path


def test_texts_are_escaped(page_text: str) -> None:
    assert NASTY not in page_text
    assert "&lt;script&gt;" in page_text
    assert page_text.count("<script") == 1
    assert "<i>markup</i>" not in page_text


def test_what_could_not_be_made_is_no_detail() -> None:
    two = as_study(Judgements.from_matrix([["a", "b"], ["c", "a"]]))
    text = html.render(report_judgements(two, JudgementReport(resamples=50)))
    assert 'id="slices"' not in text
    assert "This section is empty" not in text
    assert "the units have no attribute" in text.partition('id="left-out"')[2]
    remarks = re.findall('<span class="remark">(.*?)</span>', text)
    assert not [one for one in remarks if "no picture" in one or not one]
    assert any(re.fullmatch(r"\d+ pictures?", one) for one in remarks)


def test_nothing_is_fetched(page_text: str) -> None:
    without_names = re.sub(r'xmlns(:\w+)?="[^"]+"', "", page_text)
    assert not re.findall(r'(?:src|href)="(?!#|data:)', without_names)
    assert "@import" not in page_text
    assert "default-src 'none'" in page_text


def test_identifiers_are_unique(page_text: str) -> None:
    ids = re.findall(r' id="([^"]+)"', page_text)
    assert len(ids) == len(set(ids))


def test_references_inside_pictures_lead_somewhere(page_text: str) -> None:
    ids = set(re.findall(r' id="([^"]+)"', page_text))
    used = set(re.findall(r"url\(#([^)]+)\)", page_text)) | set(re.findall(r'href="#([^"]+)"', page_text))
    assert used <= ids


def test_numbers_are_there_in_full(page_text: str) -> None:
    values = re.findall(r'data-value="(-?\d\.\d+)" title="\1">(-?\d\.\d{3})<', page_text)
    assert len(values) > 20
    assert all(abs(float(full) - float(shown)) <= 0.0005 for full, shown in values)
    assert any(len(full) > 12 for full, _ in values)


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_has_nothing_to_complain_about(browser: Browser, page_file: Path, width: int, scheme: Any) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    no_barrier(page)
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [page_file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


@pytest.mark.browser
def test_names_and_values_are_shown_whole_on_a_phone(browser: Browser, page_file: Path) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(page_file.as_uri())
    cut = page.locator(".table:has(.facts)").evaluate_all("all => all.map(t => t.scrollWidth - t.clientWidth)")
    assert cut == [0]
    page.close()


@pytest.mark.browser
def test_tables_are_sorted_by_their_full_numbers(browser: Browser, page_file: Path) -> None:
    page = browser.new_page()
    page.goto(f"{page_file.as_uri()}#coefficients")  # which unfolds it
    table = page.locator("#coefficients table").first
    header = table.get_by_role("button", name="Value", exact=True)
    column = "cells => cells.map(cell => Number(cell.dataset.value))"
    place = header.evaluate("button => button.closest('th').cellIndex + 1")
    cells = table.locator(f"tbody tr > :nth-child({place})")
    header.click()
    assert header.evaluate("button => button.closest('th').ariaSort") == "ascending"
    up = cells.evaluate_all(column)
    assert up == sorted(up)
    header.press("Enter")
    assert cells.evaluate_all(column) == sorted(up, reverse=True)
    page.close()


@pytest.mark.browser
def test_contents_lead_to_every_section(browser: Browser, page_file: Path, document: Document) -> None:
    page = browser.new_page()
    page.goto(page_file.as_uri())
    told = sorted(document.sections, key=lambda section: not section.is_first)
    for link, section in zip(page.locator("nav a").all(), told, strict=True):
        link.click()
        assert page.url.endswith(f"#{section.key}")
    page.close()


@pytest.mark.browser
def test_page_one_says_it_all_and_the_rest_is_folded(browser: Browser, page_file: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1300})
    page.goto(page_file.as_uri())
    for place in ("#verdict .forest li", "#verdict table", "#verify code", "#methods p"):
        box = page.locator(place).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 1300, place
    assert page.locator("details.folded[open]").count() == 0
    assert all(text.strip() for text in page.locator(".folded > summary .remark").all_inner_texts())
    outside = page.evaluate("() => [...document.querySelectorAll('main section:not(#verify)')].map(e => e.textContent)")
    assert [text for text in outside if re.search(r"(^|\s)--[a-z]", text)] == []
    page.close()


@pytest.mark.browser
def test_pictures_have_names_for_screen_readers(browser: Browser, page_file: Path) -> None:
    page = browser.new_page()
    page.goto(page_file.as_uri())
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    pictures = page.get_by_role("img")
    assert pictures.count() > 5
    for label in pictures.evaluate_all(
        "all => all.map(p => p.ariaLabel ?? document.getElementById(p.getAttribute('aria-labelledby')).textContent)"
    ):
        assert any(character.isdigit() for character in label)
    page.close()
