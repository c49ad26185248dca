"""Values without a header, units in rows and raters in columns, as calculators of agreement (ReCal) take them."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from concordant.errors import ConcordantError, InputError
from concordant.model.columns import encode, is_number
from concordant.model.study import Study
from concordant.readers.format import SURE, Format
from concordant.readers.judgement_table import judgements_of
from concordant.readers.layout import TableOptions
from concordant.readers.numerals import with_points
from concordant.readers.table import HEAD, Table
from concordant.readers.writing import find_encoding, find_separator

ENDINGS = (".csv", ".tsv", ".txt", ".dat")
NOTE = "the first row is a unit, since the columns have no names: raters are numbered"


def read(path: str | Path, options: TableOptions) -> Study:
    """The judgements of a matrix: raters are numbered from the left, units from the top."""
    file = Path(path)
    raw = file.read_bytes()
    encoding, notes = find_encoding(str(path), raw[:HEAD], options.encoding, io.BytesIO(raw))
    text = raw.decode(encoding, errors="replace")
    rows = rows_of(text, options.separator or find_separator(text[:HEAD], str(path)))
    width = len(rows[0][1])
    if wrong := next((line for line, row in rows if len(row) != width), None):
        cells = next(len(row) for line, row in rows if line == wrong)
        raise InputError(f"{cells} cells instead of {width}", file=file, row=wrong, hint="give every rater a value")
    raters = tuple(f"rater {place}" for place in range(1, width + 1))
    cells_of = zip(*(row for _, row in rows), strict=True)
    columns, said = with_points(
        {name: encode(np.array(cells, dtype=object)) for name, cells in zip(raters, cells_of, strict=True)}
    )
    lines = np.array([line for line, _ in rows])
    table = Table(str(path), columns, raters, lines, (*notes, *said, NOTE))
    return judgements_of(table, replace(options, raters=options.raters or raters))


def rows_of(text: str, separator: str) -> list[tuple[int, list[str]]]:
    """The rows with their lines, without empty ones."""
    lines = (" ".join(line.split()) for line in text.splitlines()) if separator == " " else io.StringIO(text)
    parsed = csv.reader(lines, delimiter="\t" if separator == "\\t" else separator)
    return [(parsed.line_num, [cell.strip() for cell in row]) for row in parsed if any(cell.strip() for cell in row)]


def sniff(path: Path, head: str) -> float:
    """A first row that repeats a value cannot name columns; where its values stand in the next rows too, it is data."""
    if path.suffix.casefold() not in ENDINGS or not path.is_file():
        return 0.0
    try:
        rows: Sequence[list[str]] = [row for _, row in rows_of(head[:4096], find_separator(head[:4096], ""))][:-1]
    except (ConcordantError, csv.Error):
        return 0.0
    if len(rows) < 2 or len({len(row) for row in rows}) != 1:
        return 0.0
    first, below = rows[0], {cell for row in rows[1:] for cell in row}
    is_data = all(map(is_number, first)) or all(cell and cell in below for cell in first)
    return SURE * (len(set(first)) < len(first) and is_data)


FORMAT = Format(
    name="matrix",
    holds="judgements",
    help="Values without a header: units in rows, raters in columns.",
    read=read,
    options=TableOptions,
    sniff=sniff,
)
