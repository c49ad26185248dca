"""Workbooks (XLSX, XLS, ODS): which of the sheets is read, which are not, and the cells as they are written.

A sheet is read if it is the only visible one with a table; of several the user names one.
"""

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.digits import counted
from concordant.errors import InputError, nearest
from concordant.readers.sheet_errors import NO_VALUE, Found, in_ods, in_xlsx, written_into

if TYPE_CHECKING:
    import polars as pl

MOST_UNPACKED = 1 << 30  # bytes of a packed file when it is unpacked
MOST_NAMED = 6  # sheets that a note names
MOST_CELLS = 200_000_000  # of a sheet, empty ones too: each takes memory while it is read
SPANNED = re.compile(rb'<dimension ref="(?:[A-Z]+\d+:)?([A-Z]+)(\d+)"')
HEAD = 4096  # bytes at the begin of a sheet, where it says how far it reaches


def read_sheet(path: Path, sheet: str | None, *, n_rows: int | None = None) -> tuple["pl.DataFrame", list[str], int]:
    """The cells of a sheet as texts, its header in the first row, what to say of it, and the number of that row."""
    import fastexcel

    book = fastexcel.read_excel(path)
    every: list[str] = book.sheet_names
    if not every:
        raise InputError("the workbook has no sheet", file=path, hint="save it again")
    if sheet is not None and sheet not in every:
        raise InputError(f"there is no sheet {sheet!r}", file=path, hint=nearest(sheet, every))
    if path.suffix.lower() == ".xlsx":
        refuse_vast(path, len(every))
    loaded = {name: _cells(book, name, n_rows) for name in every}
    tables = {name: one for name, one in loaded.items() if one.width > 1 and one.total_height > 1}
    shown = [name for name, one in tables.items() if one.visible == "visible"] or list(tables)
    if sheet is None and len(shown) > 1:
        said = " or ".join(f"--sheet {name!r}" for name in shown[:2])
        what = f"{len(shown)} sheets hold a table: {', '.join(map(repr, shown[:MOST_NAMED]))}"
        raise InputError(what, file=path, hint=f"say {said}")
    chosen = sheet or (shown[0] if shown else every[0])
    why = {name: "hidden" if one.visible != "visible" else "no table" for name, one in loaded.items()}
    left = [f"{name!r} ({'not asked for' if name in shown else why[name]})" for name in every if name != chosen]
    more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
    notes = [f"sheet {chosen!r} was read; not read: {', '.join(left[:MOST_NAMED])}{more}"] if left else []
    frame: pl.DataFrame = loaded[chosen].to_polars()
    if n_rows is not None:
        return frame, notes, 1
    found = Found()
    if path.suffix.lower() == ".xlsx":
        cells = cells_of_xlsx(path, every.index(chosen))
        found = in_xlsx(cells)
        notes += said_of_cells(cells, found)
    elif path.suffix.lower() == ".ods":
        found = in_ods(unpacked(path, "content.xml"), chosen)
    return written_into(frame, found.errors), notes, found.first_row


def refuse_vast(path: Path, n_sheets: int) -> None:
    """A stray cell far out makes a sheet of billions of empty ones, which no memory holds: say where it is."""
    from zipfile import BadZipFile, ZipFile

    with suppress(BadZipFile, KeyError, OSError), ZipFile(path) as packed:
        for number in range(1, n_sheets + 1):
            with packed.open(f"xl/worksheets/sheet{number}.xml") as stream:
                found = SPANNED.search(stream.read(HEAD))
            if found is None:
                continue
            columns = 0
            for letter in found[1]:
                columns = 26 * columns + letter - ord("A") + 1
            if int(found[2]) * columns > MOST_CELLS:
                what = f"the {number}. sheet reaches to the cell {(found[1] + found[2]).decode()}, far beyond any table"
                hint = "delete the rows and columns outside of the table, and save it again"
                raise InputError(what, file=path, hint=hint)


def _cells(book: Any, name: str, n_rows: int | None) -> Any:
    """A sheet whose cells are texts, the header too."""
    return book.load_sheet(name, header_row=None, dtypes="string", n_rows=n_rows)


def unpacked(path: Path, name: str) -> bytes:
    """A file inside a packed one; nothing if there is none: whoever reads it says what it is."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as packed:
            return packed.read(name)
    except (BadZipFile, KeyError, OSError):
        return b""


def cells_of_xlsx(path: Path, place: int) -> bytes:
    """The XML of the cells of one of the sheets of an XLSX file, by its place among them."""
    book = unpacked(path, "xl/workbook.xml").decode("utf-8", "replace")
    links = unpacked(path, "xl/_rels/workbook.xml.rels").decode("utf-8", "replace")
    try:
        key = re.findall(r'<(?:\w+:)?sheet\b[^>]*?\br:id="([^"]+)"', book)[place]
        link = next(one for one in re.findall(r"<Relationship\b[^>]*>", links) if f'Id="{key}"' in one)
        file = re.findall(r'Target="/?([^"]+)"', link)[0]
    except (IndexError, StopIteration):
        return b""
    return unpacked(path, file if file.startswith("xl/") else f"xl/{file}")


def said_of_cells(cells: bytes, found: Found) -> list[str]:
    """What the cells of a sheet of an XLSX file do not show: hidden rows and columns, formulas without a value."""
    notes = []
    for what, tag in (("row", b"row"), ("column", b"col")):
        if n := len(re.findall(rb"<%s\b[^>]*\bhidden=\"(?:1|true)\"" % tag, cells)):
            notes.append(
                f"{counted(n, f'hidden {what}')} of the sheet: read like the others (delete what does not count)"
            )
    if n := list(found.errors.values()).count(NO_VALUE):
        notes.append(f"{counted(n, 'formula')} without a value (save the file in a spreadsheet program to have it)")
    return notes


def refuse_bomb(path: Path) -> None:
    """Refuse a packed file that would unpack to more than MOST_UNPACKED bytes, before anything is unpacked."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as packed:
            size = sum(one.file_size for one in packed.infolist())
    except (BadZipFile, OSError):
        return  # whoever reads it says what it is
    if size > MOST_UNPACKED:
        what = f"the file unpacks to {size / (1 << 30):.1f} GB, and at most {MOST_UNPACKED >> 30} GB are read"
        raise InputError(what, file=path, hint="save the table as CSV or Parquet")
