"""The adjudicator's workbook, read back."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assent.report.treebank.figures import Report, agreements, with_earlier
from assent.report.treebank.workbook import write_workbook
from assent.treebank import compare
from assent.treebank.changes import earlier_sources
from assent.uncertainty.over_sentences import Resampling
from tests.treebank.made import EXAMPLE, one_sentence, write_profile

ANNA, BRUNO = EXAMPLE / "anna", EXAMPLE / "bruno"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Any:
    comparison = compare(ANNA, BRUNO, lexicon=EXAMPLE / "lexicon.tsv")
    report = Report(comparison=comparison, results=agreements(comparison, Resampling(n=200)), date="2024-03-01 10:00")
    report = with_earlier(report, compare(*earlier_sources(EXAMPLE / "earlier", ANNA, BRUNO)))
    path = tmp_path_factory.mktemp("book") / "report.xlsx"
    write_workbook(report, path)
    return openpyxl.load_workbook(path)


def rows(sheet: Any) -> list[tuple[Any, ...]]:
    return list(sheet.iter_rows(values_only=True))


def test_all_sheets(book: Any) -> None:
    assert book.sheetnames == ["Report", "Divergent", "Differences", "Data", "Sentences", "Lost", "Changes"]


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
    write_workbook(Report(comparison=comparison, results=agreements(comparison, Resampling(n=0))), tmp_path / "r.xlsx")
    cell = openpyxl.load_workbook(tmp_path / "r.xlsx")["Sentences"]["C2"]
    assert (cell.data_type, cell.value) == ("s", '=HYPERLINK("x")')
