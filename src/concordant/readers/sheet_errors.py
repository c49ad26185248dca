"""Errors of spreadsheets (#N/A, #DIV/0!, #REF! …) and formulas without a value: no judgements, and not empty either.

What reads workbooks gives an empty cell for them, or the 0 that a program keeps beside an error. So they are looked up
in the sheet itself and written into the cells as words; whoever takes cells for judgements takes the words out again
and says where they stood. In a text the words stand in the cells already.
"""

import re
from collections.abc import Collection, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.columns import Column, blank_out
from concordant.model.many_labels import ManyLabels, Texts

if TYPE_CHECKING:
    import polars as pl

NO_VALUE = "#a formula without a value"
DECLARED = "#declared missing"
ERRORS = frozenset(
    (
        *(NO_VALUE, DECLARED),
        *("#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#GETTING_DATA"),
        *("#NV", "#BEZUG!", "#WERT!", "#ZAHL!", "#ÜBERLAUF!", "#N/D", "#VALEUR!", "#NOM?", "#NOMBRE!", "#NUL!"),
        *("#¡REF!", "#¡DIV/0!", "#¡VALOR!", "#¿NOMBRE?", "#¡NULO!", "#¡NUM!", "#ERROR!"),
        *(f"Err:{number}" for number in range(501, 541)),
    )
)
"""Excel in English, German, French and Spanish, Google and LibreOffice: what a cell shows that has no value.

What a file of SPSS, Stata or SAS declares missing is treated like them, and said by its reader.
"""
ONLY_ERRORS = "no cell has a value: they are empty or hold errors of a spreadsheet"
MOST_CELLS = 4  # rows of one error in a column that are named
CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*?)(?:/>|>(.*?)</(?:\w+:)?c>)", re.DOTALL)
PLACE = re.compile(rb'\br="([A-Z]+)(\d+)"')
VALUE = re.compile(rb"<(?:\w+:)?(?:v|t)\b[^>]*>([^<]+)<")
FORMULA = re.compile(rb"<(?:\w+:)?f\b")
TABLE_OF_ODS = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"


class Found(NamedTuple):
    """What a sheet does not show: the number of its first row, and errors by their row and column from its first."""

    first_row: int = 1
    errors: Mapping[tuple[int, int], str] = {}


def in_xlsx(cells: bytes) -> Found:
    """What the XML of a sheet says; every cell is looked at only where there are errors or formulas."""
    known: dict[tuple[int, int], str] = {}
    rows, columns = set[int](), set[int]()
    is_odd = b't="e"' in cells or FORMULA.search(cells) is not None
    for cell in CELL.finditer(cells):
        about, inside = cell.group(1), cell.group(2) or b""
        value, place = VALUE.search(inside), PLACE.search(about)
        if place is None:
            return Found()  # a writer that leaves out where cells are
        if value is None and FORMULA.search(inside) is None:
            continue
        row, column = int(place.group(2)), number_of(place.group(1).decode())
        rows.add(row)
        if not is_odd:
            break
        columns.add(column)
        if value is None and b't="str"' not in about:  # a formula may well give an empty text
            known[row, column] = NO_VALUE
        elif value is not None and b't="e"' in about:
            word = value.group(1).decode("utf-8", "replace")
            known[row, column] = word if word in ERRORS else "#ERROR!"
    return from_first(known, rows, columns)


def number_of(letters: str) -> int:
    """The place of a column by its letters.

    >>> number_of("A"), number_of("AB")
    (1, 28)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def in_ods(content: bytes, sheet: str) -> Found:
    """What the XML of an OpenDocument table says."""
    from xml.etree.ElementTree import ParseError, iterparse

    if b"<!ENTITY" in content or not any(word.encode() in content for word in ('"error"', *ERRORS)):
        return Found()
    known: dict[tuple[int, int], str] = {}
    rows, columns = set[int](), set[int]()
    row = column = 0
    is_mine = False
    try:
        for event, node in iterparse(BytesIO(content), ("start", "end")):
            if event == "start":
                if node.tag == f"{TABLE_OF_ODS}table":
                    is_mine, row = node.get(f"{TABLE_OF_ODS}name") == sheet, 0
                column = 0 if node.tag == f"{TABLE_OF_ODS}table-row" else column
            elif is_mine and node.tag in (f"{TABLE_OF_ODS}table-cell", f"{TABLE_OF_ODS}covered-table-cell"):
                if node.get(f"{OFFICE}value-type") is not None:
                    rows.add(row)
                    columns.add(column)
                    text = "".join(node.itertext()).strip()
                    is_formula = node.get(f"{TABLE_OF_ODS}formula") is not None
                    if node.get(f"{CALC}value-type") == "error" or (is_formula and text in ERRORS):
                        known[row, column] = text if text in ERRORS else "#ERROR!"
                column += int(node.get(f"{TABLE_OF_ODS}number-columns-repeated", "1"))
            elif is_mine and node.tag == f"{TABLE_OF_ODS}table-row":
                row += int(node.get(f"{TABLE_OF_ODS}number-rows-repeated", "1"))
                node.clear()
    except (ParseError, ValueError):
        return Found()  # whoever reads it says what it is
    found = from_first(known, rows, columns)
    return found._replace(first_row=found.first_row + 1)


def from_first(known: Mapping[tuple[int, int], str], rows: Collection[int], columns: Collection[int]) -> Found:
    """Errors by their places from the first row and column that hold something."""
    if not rows:
        return Found()
    left, top = min(columns, default=0), min(rows)
    return Found(top, {(row - top, column - left): word for (row, column), word in known.items()})


def written_into(frame: "pl.DataFrame", errors: Mapping[tuple[int, int], str]) -> "pl.DataFrame":
    """The cells of a sheet with the errors as words; a place that holds something else is not one."""
    import polars as pl

    for place in sorted({column for _, column in errors}):
        cells = frame.to_series(place).to_list() if place < frame.width else []
        mine = {row: word for (row, column), word in errors.items() if column == place}
        if any(row >= len(cells) or cells[row] not in (None, "", "0") for row in mine):
            raise InputError("errors of the spreadsheet could not be told from values", hint="save the table as CSV")
        for row, word in mine.items():
            cells[row] = word
        frame = frame.with_columns(pl.Series(frame.columns[place], cells, dtype=pl.String))
    return frame


def labels_among(column: Column, wanted: Collection[str]) -> set[str]:
    """Those of some labels that a column has; whole numbers have none of them."""
    if isinstance(column.labels, Texts):
        return column.labels.among(wanted)
    return set() if isinstance(column.labels, ManyLabels) else {*wanted} & {*column.labels}


def errors_in(column: Column) -> set[str]:
    """The errors among the labels of a column."""
    return labels_among(column, ERRORS)


def without_errors(column: Column) -> Column:
    """The column with its errors blank."""
    return blank_out(column, found) if (found := errors_in(column)) else column


def told(columns: Mapping[str, Column], row_numbers: NDArray[np.int64]) -> list[str]:
    """One line that says which cells hold errors: all are taken for missing."""
    n, parts = 0, []
    for name, column in columns.items():
        for word in sorted(errors_in(column) - {DECLARED}):
            rows = row_numbers[column.codes == list(column.labels).index(word)]
            n += len(rows)
            more = f" and {len(rows) - MOST_CELLS:,} more" if len(rows) > MOST_CELLS else ""
            shown = ", ".join(map(str, rows[:MOST_CELLS].tolist()))
            what = NO_VALUE[1:] if word == NO_VALUE else word
            parts.append(f"{what} in row{'s' * (len(rows) > 1)} {shown}{more} of {name!r}")
    if not parts:
        return []
    left = f" and in {counted(len(parts) - MOST_CELLS, 'more place')}" if len(parts) > MOST_CELLS else ""
    listed = "; ".join(parts[:MOST_CELLS]) + left
    return [f"{counted(n, 'cell')} without a value in the spreadsheet, taken for missing: {listed}"]
