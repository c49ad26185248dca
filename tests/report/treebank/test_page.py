"""The page with the trees side by side, drawn and in a real browser."""

import re
from pathlib import Path

import pytest

from assent.report.treebank.drawing import draw_pair
from assent.report.treebank.figures import Report, agreements, with_earlier
from assent.report.treebank.page import MOST_DRAWN, render_page, show_figure
from assent.treebank import compare
from assent.treebank.changes import earlier_sources
from assent.treebank.trees import parse_brackets
from assent.uncertainty.over_sentences import Resampling
from tests.treebank.made import EXAMPLE

ANNA, BRUNO = EXAMPLE / "anna", EXAMPLE / "bruno"


@pytest.fixture(scope="module")
def page() -> str:
    comparison = compare(ANNA, BRUNO, lexicon=EXAMPLE / "lexicon.tsv")
    report = Report(comparison=comparison, results=agreements(comparison, Resampling(n=200)), version="0")
    return render_page(with_earlier(report, compare(*earlier_sources(EXAMPLE / "earlier", ANNA, BRUNO))))


def test_nothing_is_loaded_from_elsewhere(page: str) -> None:
    assert not re.search(r"(src|href)=|@import|url\(", page)


def test_divergent_sentences_lost_ones_and_changes_are_there(page: str) -> None:
    assert page.count("<details") == 5
    assert page.count("<svg") == 2 * 3
    assert "Tomas drew the cart in the yard." in page
    assert "only in A" in page
    assert "new divergence" in page


def test_differing_nodes_are_marked_in_both_trees() -> None:
    [a] = parse_brackets("(S (NP (N a)) (VP (V b)))")
    [b] = parse_brackets("(S (NP (N a)) (XP (V b)))")
    left, right = draw_pair(a, b, ("x", "y"))
    assert re.findall(r'class="only">≠ (\w+)', left) == ["VP"]
    assert re.findall(r'class="only">≠ (\w+)', right) == ["XP"]
    assert "5 nodes, 1 of them not in the other analysis" in left


def test_a_node_that_occurs_once_more_is_marked_once() -> None:
    [a] = parse_brackets("(S (S (N a)))")
    [b] = parse_brackets("(S (N a))")
    assert draw_pair(a, b, ("x", "y"))[0].count('class="only"') == 1


def test_labels_and_words_are_escaped() -> None:
    [tree] = parse_brackets("(S<b> &amp;)")
    drawn, _ = draw_pair(tree, tree, ("<x>", "y"))
    assert "<b>" not in drawn
    assert "&amp;amp;" in drawn


@pytest.mark.parametrize(("value", "shown"), [(None, "–"), (1234, "1,234"), (0.12345, "0.123")])
def test_figures(value: float | None, shown: str) -> None:
    assert show_figure(value) == shown


def test_there_is_a_limit_to_what_is_drawn() -> None:
    assert MOST_DRAWN >= 100


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_phone_and_a_desk(page: str, tmp_path: Path, width: int) -> None:
    from playwright.sync_api import sync_playwright

    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": width, "height": 900})
        problems: list[str] = []
        shown.on("pageerror", lambda error: problems.append(str(error)))
        shown.goto(f"file://{tmp_path}/page.html")
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        figures = shown.locator("details[open] figure")
        boxes = [figures.nth(number).bounding_box() for number in (0, 1)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        is_beside = boxes[0]["y"] == boxes[1]["y"]
        assert is_beside == (width > 800)
        assert problems == []
        browser.close()
