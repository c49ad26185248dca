"""The report as a workbook: a sheet for each table, numbers as numbers, texts as texts (never formulas)."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.errors import MissingExtra
from assent.plots.picture import Picture, styled
from assent.report.document import Block, Cell, Document, Drawing, Grid, Notice, Paragraph, Section, is_number

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

WIDEST = 60  # characters of a column; longer texts are wrapped
FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
DPI = 110


def write(document: Document, path: Path) -> None:
    """Write the workbook."""
    try:
        from xlsxwriter import Workbook
    except ImportError:
        raise MissingExtra("the XLSX report", "report") from None
    with Workbook(path, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        book.set_properties({"title": document.title, "subject": document.subtitle})
        sheets = Sheets(book)
        for section in document.sections:
            sheets.add(section)


class Sheets:
    """Adds sheets to a workbook and keeps their names apart."""

    def __init__(self, book: "Workbook") -> None:
        """Make the formats once."""
        self.book = book
        self.names: set[str] = set()
        self.header = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        self.text = book.add_format({"text_wrap": True, "valign": "top"})
        self.real = book.add_format({"num_format": "0.000", "valign": "top"})
        self.whole = book.add_format({"num_format": "#,##0", "valign": "top"})

    def add(self, section: Section) -> None:
        """A sheet for each table of a section; what is no table stands below the first, or on a sheet of its own."""
        grids = [block for block in section.blocks if isinstance(block, Grid)]
        others = [block for block in section.blocks if not isinstance(block, Grid)]
        for i, block in enumerate(grids):
            sheet = self._new(section.title if i == 0 else block.title)
            row = self._table(sheet, block)
            if i == 0 and others:
                self._write_blocks(sheet, others, row + 1)
        if not grids:
            sheet = self._new(section.title)
            sheet.set_column(0, 0, 120)
            self._write_blocks(sheet, others, 0)

    def _new(self, title: str) -> "Worksheet":
        """A sheet whose name Excel allows: 31 characters, some forbidden, no two alike."""
        name = plain = title.translate(FORBIDDEN).strip()[:31].strip() or "Sheet"
        number = 2
        while name.casefold() in self.names:
            name = f"{plain[:27]} {number}"
            number += 1
        self.names.add(name.casefold())
        return self.book.add_worksheet(name)

    def _table(self, sheet: "Worksheet", block: Grid) -> int:
        """The table from the first row on, its header frozen; returns the row after it."""
        for column, header in enumerate(block.headers):
            sheet.write_string(0, column, header.strip() or block.title, self.header)
            sheet.set_column(column, column, _width([header, *(row[column] for row in block.rows)]))
        for number, row in enumerate(block.rows, start=1):
            for column, cell in enumerate(row):
                self._cell(sheet, number, column, cell)
        sheet.freeze_panes(1, 1)
        if block.rows:
            sheet.autofilter(0, 0, len(block.rows), len(block.headers) - 1)
        after = len(block.rows) + 2
        for note in block.notes:
            sheet.write_string(after, 0, note)
            after += 1
        return after

    def _cell(self, sheet: "Worksheet", row: int, column: int, cell: Cell) -> None:
        """One cell by its kind; a blank stays blank."""
        if cell is None:
            return
        if isinstance(cell, bool):
            sheet.write_string(row, column, "yes" if cell else "no", self.text)
        elif isinstance(cell, int | float):
            sheet.write_number(row, column, cell, self._format(cell))
        else:
            sheet.write_string(row, column, cell[:32_000], self.text)

    def _format(self, number: int | float) -> "Format":
        return self.real if isinstance(number, float) else self.whole

    def _write_blocks(self, sheet: "Worksheet", blocks: Sequence[Block], row: int) -> None:
        """Texts line by line, pictures below each other."""
        for block in blocks:
            if isinstance(block, Drawing):
                row = _insert(sheet, block.picture, row)
                continue
            for line in _lines(block):
                sheet.write_string(row, 0, line[:32_000])
                row += 1


def _lines(block: Block) -> list[str]:
    """A block as lines of text."""
    if isinstance(block, Paragraph):
        return [block.text]
    if isinstance(block, Notice):
        return [f"{block.tone.upper()}: {block.text}", *(f"    {name}: {text}" for name, text in block.more)]
    return list(getattr(block, "items", ()))


def _insert(sheet: "Worksheet", picture: Picture, row: int) -> int:
    """A picture with its text alternative; returns the row below it."""
    buffer = io.BytesIO()
    with styled():
        picture.figure.savefig(buffer, format="png", dpi=DPI)
    options: dict[str, Any] = {"image_data": buffer, "description": picture.alternative, "object_position": 2}
    sheet.insert_image(row, 0, f"{picture.kind}.png", options)
    below = row + int(picture.figure.get_figheight() * 96 / 20) + 1
    sheet.write_string(below, 0, picture.alternative)
    return below + 2


def _width(cells: list[Cell]) -> float:
    """The width of a column in characters: texts as long as they are, numbers as they are shown."""
    longest = max(
        len(f"{cell:,.3f}") if is_number(cell) and cell is not None else len(str(cell or "")) for cell in cells
    )
    return min(max(longest, 6), WIDEST) + 2
