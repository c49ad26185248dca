"""The report as a workbook: a sheet for each table, numbers as numbers, texts as texts (never formulas)."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.digits import thousands
from concordant.errors import MissingExtra
from concordant.plots.picture import Picture, styled
from concordant.report.document import Block, Document, Drawing, Notice, Paragraph, Points, Section
from concordant.report.formats import ReportFormat
from concordant.report.grid import Cell, Grid, Link

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

WIDEST = 60  # characters of a column; longer texts are wrapped
LONGEST = 30_000  # a cell holds at most 32,767 characters
LINE, MOST_LINES = 15, 27  # points; a row is at most 409 points high
FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
DPI = 110
PLAIN = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def write(document: Document, path: Path) -> None:
    """Write the workbook."""
    try:
        from xlsxwriter import Workbook
    except ImportError:
        raise MissingExtra("the XLSX report", "report") from None
    with Workbook(path, PLAIN) as book:
        book.set_properties({"title": document.title, "subject": document.subtitle})
        _Sheets(book, document.sections).write()


class _Sheets:
    """The sheets of a workbook: named first, so that links can lead to them, then written."""

    def __init__(self, book: "Workbook", sections: Sequence[Section]) -> None:
        """Make the formats and name the sheets."""
        top = {"valign": "top"}
        self.title = book.add_format({"bold": True, "font_size": 14})
        self.bold = book.add_format({"bold": True})
        self.header = book.add_format({"bold": True, "bottom": 1, "bg_color": "#DDE6F0", "text_wrap": True} | top)
        self.text = book.add_format({"text_wrap": True} | top)
        self.real = book.add_format({"num_format": "0.000"} | top)
        self.whole = book.add_format({"num_format": "#,##0"} | top)
        self.to_fill = book.add_format({"text_wrap": True, "bg_color": "#FFFBE6", "border": 1} | top)
        self.link = book.add_format({"font_color": "#0563C1", "underline": 1} | top)
        self.targets: dict[str, str] = {}
        self.sheets: list[tuple[Worksheet, Section, Sequence[Block]]] = []
        for section in sections:
            # a sheet for each table, what is no table below the first; or all on one
            grids = [] if section.is_one_sheet else [block for block in section.blocks if isinstance(block, Grid)]
            others = [block for block in section.blocks if not (grids and isinstance(block, Grid))]
            pages: list[list[Block]] = [[*grids[:1], *others]]
            pages += [[grid] for grid in grids[1:]]
            for number, blocks in enumerate(pages):
                first = blocks[0] if blocks else None
                own = first.title if number and isinstance(first, Grid) else section.sheet or section.title
                sheet = book.add_worksheet(free_name(own, [one.name for one, _, _ in self.sheets]))
                self.targets.setdefault(section.key, sheet.name)
                self.sheets.append((sheet, section, blocks))

    def write(self) -> None:
        """Write every sheet; a table at the top has its header frozen and can be filtered."""
        for sheet, section, blocks in self.sheets:
            sheet.set_landscape()
            sheet.fit_to_pages(1, 0)
            grids = [block for block in blocks if isinstance(block, Grid)]
            widths = column_widths(grids)
            for column, width in enumerate(widths):
                sheet.set_column(column, column, width)
            row = 0
            if section.is_one_sheet:
                sheet.write_string(0, 0, section.title, self.title)
                row = 2
            elif grids:
                sheet.freeze_panes(1, grids[0].n_fixed)
                sheet.repeat_rows(0)
                if grids[0].rows:
                    sheet.autofilter(0, 0, len(grids[0].rows), len(grids[0].headers) - 1)
            for block in blocks:
                row = self._block(sheet, block, row, widths)

    def _block(self, sheet: "Worksheet", block: Block, row: int, widths: Sequence[float]) -> int:
        """A block from a row on; returns the row after it."""
        if isinstance(block, Grid):
            return self._table(sheet, block, row, widths)
        if isinstance(block, Drawing):
            return insert_picture(sheet, block.picture, row)
        lines: list[str | Link] = list(block.items) if isinstance(block, Points) else []
        if isinstance(block, Paragraph):
            lines = [block.text]
        elif isinstance(block, Notice):
            lines = [f"{block.tone.upper()}: {block.text}", *(f"    {name}: {text}" for name, text in block.more)]
        for line in lines:
            if isinstance(line, Link):
                self._go_to(sheet, row, 0, line)
            else:
                sheet.write_string(row, 0, _clipped(line))
            row += 1
        return row

    def _table(self, sheet: "Worksheet", block: Grid, row: int, widths: Sequence[float]) -> int:
        """A table; one below others that lists names and values has its title in place of a header."""
        if row and block.is_facts:
            sheet.write_string(row, 0, block.title, self.bold)
        else:
            for column, header in enumerate(block.headers):
                sheet.write_string(row, column, header.strip() or block.title, self.header)
        for cells in block.rows:
            row += 1
            texts = [(cell, width) for cell, width in zip(cells, widths, strict=False) if isinstance(cell, str)]
            # not every program fits the height of rows to folded text
            lines = max((sum(1 + len(line) // int(w) for line in text.splitlines()) for text, w in texts), default=1)
            if lines > 1:
                sheet.set_row(row, LINE * min(lines, MOST_LINES))
            for column, cell in enumerate(cells):
                self._cell(sheet, row, column, cell, is_open=block.headers[column] in block.to_fill)
        for note in block.notes:
            row += 1 + (note is block.notes[0])
            sheet.write_string(row, 0, note)
        return row + 2

    def _cell(self, sheet: "Worksheet", row: int, column: int, cell: Cell, *, is_open: bool) -> None:
        """One cell by its kind; a blank stays blank."""
        if is_open and cell:
            sheet.write_string(row, column, _clipped(str(cell)), self.to_fill)
        elif is_open:
            sheet.write_blank(row, column, None, self.to_fill)
        elif isinstance(cell, Link):
            self._go_to(sheet, row, column, cell)
        elif isinstance(cell, bool):
            sheet.write_string(row, column, "yes" if cell else "no", self.text)
        elif isinstance(cell, int | float):
            sheet.write_number(row, column, cell, self.real if isinstance(cell, float) else self.whole)
        elif cell is not None:
            sheet.write_string(row, column, _clipped(cell), self.text)

    def _go_to(self, sheet: "Worksheet", row: int, column: int, link: Link) -> None:
        """A link to another sheet, to a row of its table; a number that is a link stays a number."""
        place = 1 if link.row is None else link.row + 2
        sheet.write_url(row, column, f"internal:'{self.targets[link.to]}'!A{place}", self.link, str(link))
        if isinstance(link.shown, int):
            sheet.write_number(row, column, link.shown, self.link)


def free_name(title: str, taken: Sequence[str]) -> str:
    """A name for a sheet that Excel allows: 31 characters, some forbidden, no two alike.

    >>> free_name("Raters: who?", ["raters  who"])
    'Raters  who 2'
    """
    name = plain = title.translate(FORBIDDEN).strip()[:31].strip() or "Sheet"
    number, lower = 2, {one.casefold() for one in taken}
    while name.casefold() in lower:
        name = f"{plain[:27]} {number}"
        number += 1
    return name


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " … (cut: a cell can hold no more)"


def insert_picture(sheet: "Worksheet", picture: Picture, row: int) -> int:
    """A picture with its text alternative; returns the row below it."""
    buffer = io.BytesIO()
    with styled():
        picture.figure.savefig(buffer, format="png", dpi=DPI)
    options: dict[str, Any] = {"image_data": buffer, "description": picture.alternative, "object_position": 2}
    sheet.insert_image(row, 0, f"{picture.kind}.png", options)
    below = row + int(picture.figure.get_figheight() * 96 / 20) + 1
    sheet.write_string(below, 0, picture.alternative)
    return below + 2


def column_widths(grids: Sequence[Grid]) -> list[float]:
    """The widths of columns in characters: texts as long as they are, numbers as they are shown."""
    widths: list[float] = [0.0] * max((len(block.headers) for block in grids), default=0)
    for block in grids:
        for i, header in enumerate(block.headers):
            cells = [header, *(row[i] for row in block.rows)]
            texts = [thousands(cell, 3) if isinstance(cell, float) else str(cell or "") for cell in cells]
            longest = max(len(line) for text in texts for line in text.splitlines() or [""])
            least = 40 if (header,) == block.to_fill[-1:] else 24 if header in block.to_fill else 6
            widths[i] = max(widths[i], min(max(longest, least), WIDEST) + 2)
    return widths or [120.0]


FORMAT = ReportFormat(endings=(".xlsx",), order=20, write=write)
