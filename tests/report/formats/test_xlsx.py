"""The workbook: numbers as numbers, texts as texts, headers frozen."""

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook import Workbook

from concordant.report.document import Document, Drawing
from concordant.report.formats import xlsx
from concordant.report.grid import Grid
from tests.report.conftest import FORMULA


@pytest.fixture(scope="module")
def path(document: Document, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "report.xlsx"
    xlsx.write(document, path)
    return path


@pytest.fixture(scope="module")
def book(path: Path) -> Workbook:
    return openpyxl.load_workbook(path)


def test_a_sheet_for_every_table_and_section(book: Workbook, document: Document) -> None:
    tables = sum(isinstance(block, Grid) for one in document.sections for block in one.blocks)
    without = sum(not any(isinstance(block, Grid) for block in one.blocks) for one in document.sections)
    assert len(book.sheetnames) == tables + without
    assert book.sheetnames[:2] == ["Verdict", "The study at a glance"]
    assert all(len(name) <= 31 for name in book.sheetnames)


def test_numbers_are_numbers(book: Workbook, document: Document) -> None:
    section = next(one for one in document.sections if one.key == "coefficients")
    values = next(block for block in section.blocks if isinstance(block, Grid))
    sheet = book["Coefficients"]
    column = values.headers.index("Value")
    read = [sheet.cell(row=i + 2, column=column + 1).value for i in range(len(values.rows))]
    assert read == [row[column] for row in values.rows]
    assert all(isinstance(value, float) for value in read)


def test_formulas_in_labels_are_texts(book: Workbook, path: Path) -> None:
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert any(str(cell.value).startswith(FORMULA) for cell in cells)
    assert all(cell.data_type == "s" for cell in cells if str(cell.value).startswith("="))
    with zipfile.ZipFile(path) as archive:
        sheets = [archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
    assert not any(re.search("<f[> ]", text) for text in sheets)


def test_headers_are_frozen_and_columns_wide_enough(book: Workbook) -> None:
    sheet = book["Coefficients"]
    assert sheet.freeze_panes == "B2"
    assert sheet.column_dimensions["B"].width > 20


def test_pictures_are_in_the_workbook_with_their_alternatives(path: Path, document: Document) -> None:
    drawings = sum(isinstance(block, Drawing) for one in document.sections for block in one.blocks)
    with zipfile.ZipFile(path) as archive:
        pictures = [name for name in archive.namelist() if name.startswith("xl/media/")]
        told = "".join(archive.read(n).decode() for n in archive.namelist() if n.startswith("xl/drawings/drawing"))
    assert 0 < len(pictures) <= drawings
    assert told.count("descr=") == drawings
