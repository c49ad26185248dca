"""The report of two treebanks: the adjudicator's workbook read back, the page in a browser, and on paper."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest

from concordant.report.document import Document
from concordant.report.facts import TreebankReport, report_treebanks
from concordant.report.formats import html, latex, markdown, xlsx
from concordant.treebank import compare
from concordant.treebank.comparison import earlier_sources
from tests.treebank.made import EXAMPLE, one_sentence, write_profile

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ANNA, BRUNO = EXAMPLE / "anna", EXAMPLE / "bruno"


@pytest.fixture(scope="module")
def document() -> Document:
    """The report of the example, with what changed since the earlier version."""
    before = compare(*earlier_sources(EXAMPLE / "earlier", ANNA, BRUNO))
    comparison = compare(ANNA, BRUNO, lexicon=EXAMPLE / "lexicon.tsv")
    return report_treebanks(comparison, TreebankReport(resamples=200, date="2024-03-01 10:00"), before)


@pytest.fixture(scope="module")
def book(document: Document, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("book") / "report.xlsx"
    xlsx.write(document, path)
    return openpyxl.load_workbook(path)


def rows(sheet: Any) -> list[tuple[Any, ...]]:
    return list(sheet.iter_rows(values_only=True))


def test_all_sheets(book: Any) -> None:
    assert book.sheetnames == [
        "Report",
        "Divergent",
        "Differences",
        "Phenomena",
        "Data",
        "Sentences",
        "Lost",
        "Changes",
    ]


def test_the_front_sheet_has_the_figures_of_figure_6_3(book: Any) -> None:
    cells = {row[0]: row[1] for row in rows(book["Report"]) if row[0]}
    assert cells["Type"] == "Comparison of the annotators anna and bruno"
    assert cells["Date"] == "2024-03-01 10:00"
    assert cells["Parsed sentences"] == 24
    assert cells["Sentences accepted by at least one"] == 22
    assert cells["Sentences rejected by at least one"] == 3
    assert ("letters", "SUITE-1-V1", "SUITE-2-V1", 17) in [row[:4] for row in rows(book["Report"])]
    assert isinstance(cells["Y-Option Kappa (resolved)"], float)


def test_one_row_per_divergent_sentence_with_an_empty_comment(book: Any) -> None:
    header, *found = rows(book["Divergent"])
    assert header[0] == "Suite"
    assert header[-1] == "Comments"
    assert [row[1] for row in found] == [2, 4, 9, 15, 19]
    assert [row[3] for row in found] == ["Both - 0/1", "anna - 2", "Both - 0/1", "Both - 1/3", "bruno - 2"]
    assert all(row[-1] is None for row in found)
    assert "det-noun [2-4] (constituent): only anna" in found[0][8]
    assert all(isinstance(row[6], int | float) and isinstance(row[7], int) for row in found)


def test_headers_stay_in_view_and_columns_can_be_filtered(book: Any) -> None:
    for name in ("Divergent", "Differences", "Sentences", "Lost", "Changes"):
        sheet = book[name]
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref.startswith("A1:")
        assert all(dimension.width > 6 for dimension in sheet.column_dimensions.values())


def test_links_lead_to_the_right_rows(book: Any) -> None:
    differences = rows(book["Differences"])
    for number, row in enumerate(rows(book["Divergent"])[1:], start=2):
        link = book["Divergent"].cell(number, 8).hyperlink
        place = int(link.location.rpartition("A")[2])
        assert differences[place - 1][:2] == row[:2]
    targets = {cell.hyperlink.location for [cell] in book["Report"]["A1:A40"] if cell.hyperlink}
    assert targets == {f"'{name}'!A1" for name in book.sheetnames if name != "Report"}


def test_the_data_sheet_has_the_figures_of_figure_6_4(book: Any) -> None:
    found = [row for row in rows(book["Data"]) if row[0]]
    labels = [row[0] for row in found]
    accepted = dict(found[labels.index("Accepted") : labels.index("Rejected")])
    assert (accepted["Only by anna"], accepted["Only by bruno"], accepted["By anna and bruno"]) == (1, 2, 19)
    rejected = dict(found[labels.index("Rejected") : labels.index("Averages")])
    assert (rejected["Only by anna"], rejected["By anna and bruno"], rejected["By at least one"]) == (1, 1, 3)


def test_lost_sentences_and_changes_are_listed(book: Any) -> None:
    assert rows(book["Lost"])[1] == ("letters - SUITE-1-V1", 7, "Ines left the key under the stone.", "only in A")
    assert {row[3] for row in rows(book["Changes"])[1:]} == {"settled", "still divergent", "new divergence"}


def test_text_that_looks_like_a_formula_stays_text(tmp_path: Path) -> None:
    tables = one_sentence(decisions=[(1, 1, 3, "np", 0, 1)], trees=[(1, 1, 0, "x", "=1+1")])
    profile = write_profile(tmp_path / "p", {**tables, "item": [(1, '=HYPERLINK("x")')]})
    comparison = compare(profile, profile)
    xlsx.write(report_treebanks(comparison, TreebankReport(resamples=0)), tmp_path / "r.xlsx")
    cell = openpyxl.load_workbook(tmp_path / "r.xlsx")["Sentences"]["C2"]
    assert (cell.data_type, cell.value) == ("s", '=HYPERLINK("x")')


@pytest.fixture(scope="module")
def page(document: Document) -> str:
    return html.render(document)


def test_nothing_is_loaded_from_elsewhere(page: str) -> None:
    assert not re.search(r'(src|href)="(?!#|data:)|@import|url\(', page)


def test_divergent_sentences_lost_ones_and_changes_are_on_the_page(page: str) -> None:
    assert page.count('<details class="case"') == 5
    assert page.count("<svg") == 2 * 3
    assert "Tomas drew the cart in the yard." in page
    assert "only in A" in page
    assert "new divergence" in page


def test_links_on_the_page_lead_to_sections(page: str) -> None:
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r' id="([^"]+)"', page))


def test_on_paper_trees_are_outlines_and_wide_tables_are_named(document: Document) -> None:
    said = markdown.render(document)
    assert "        ≠ verb-mod\n" in said
    assert "Sentences: 23 rows; the workbook has them all" in said
    assert "| EDM F |" not in said
    typeset = latex.render(document)
    assert r"$\neq$ verb{-}mod" in typeset
    assert typeset.count(r"\section*{") == len(document.sections)


def test_two_alike_treebanks_have_nothing_to_adjudicate(tmp_path: Path) -> None:
    told = report_treebanks(compare(ANNA, ANNA, edm=False), TreebankReport(resamples=0))
    xlsx.write(told, tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert book["Divergent"]["A1"].value == "None: wherever both decided, they chose the same."
    assert book["Lost"]["A1"].value.startswith("None: both have every sentence")
    assert "Changes" not in book.sheetnames


def test_what_is_not_drawn_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("concordant.report.sections.divergent.MOST_DRAWN", 2)
    told = report_treebanks(compare(ANNA, BRUNO, edm=False), TreebankReport(resamples=0))
    assert "3 more" in markdown.render(told)


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_phone_and_a_desk(browser: "Browser", page: str, tmp_path: Path, width: int) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    shown = browser.new_page(viewport={"width": width, "height": 900})
    problems: list[str] = []
    shown.on("pageerror", lambda error: problems.append(str(error)))
    shown.goto(f"file://{tmp_path}/page.html")
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shown.evaluate("document.querySelectorAll('details.folded').forEach((one) => { one.open = true; })")
    figures = shown.locator("details.case[open] .pair figure")
    boxes = [figures.nth(number).bounding_box() for number in (0, 1)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    is_beside = boxes[0]["y"] == boxes[1]["y"]
    assert is_beside == (width > 800)
    assert problems == []
    shown.close()
