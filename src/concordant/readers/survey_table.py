"""Tables as survey tools write them: further header rows, rows that end early, columns without a name."""

import csv
import io
import re
from pathlib import Path

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column, encode, is_number
from concordant.readers.answers import TableAnswerOptions
from concordant.readers.table import HEAD, Table
from concordant.readers.writing import find_encoding, find_separator

PROSE = re.compile(r"\w+\W+\w+.*[.!?]|.{60,}", re.DOTALL)
WORD = re.compile(r"[^\W\d]{2,}")
FREE = re.compile(r"comments?|feedback|remarks?|suggestions?|explanations?|why|reasons?", re.IGNORECASE)
TIMING = re.compile(
    r"(start|end|active|submit|accept|load|elapsed|work|duration|reaction)[ _]?(time|date)?s?|time(stamp)?|rt|"
    r"time[ _]?(taken|elapsed|spent)|.*_(First Click|Last Click|Page Submit|Click Count)|.*[ _](rt|duration)",
    re.IGNORECASE,
)


def read_survey(path: str | Path, options: TableAnswerOptions) -> tuple[Table, list[list[str]]]:
    """A table whose rows may be shorter than its header, and all of its cells.

    A row with more cells than the header is refused; so is a file without rows.
    """
    file = Path(path)
    raw = file.read_bytes()
    encoding, notes = find_encoding(str(path), raw[:HEAD], options.encoding, io.BytesIO(raw))
    text = raw.decode(encoding, errors="replace")
    separator = options.separator or find_separator(text[:HEAD], str(path))
    csv.field_size_limit(1 << 30)
    parsed = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if separator == "\\t" else separator)
    try:
        rows = [(parsed.line_num, row) for row in parsed if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InputError(f"not a proper table: {error}", file=file, row=parsed.line_num) from None
    names = names_of(rows[0][1])
    for line, row in rows[1:]:
        if any(cell.strip() for cell in row[len(names) :]):
            hint = "quote cells that contain the separator"
            raise InputError(f"{len(row)} cells instead of {len(names)}", file=file, row=line, hint=hint)
    if len(rows) < 2:
        raise InputError("the file has a header but no rows", file=file)
    filled = [(row + [""] * len(names))[: len(names)] for _, row in rows[1:]]
    short = sum(len(row) < len(names) for _, row in rows[1:])
    notes += [f"{short} rows have fewer cells than the header: the rest is empty"] * bool(short)
    lines = np.array([line for line, _ in rows[1:]])
    return table_of(str(path), names, filled, lines)._replace(notes=tuple(notes)), filled


def table_of(
    file: str, names: list[str], rows: list[list[str]], lines: "np.ndarray[tuple[int], np.dtype[np.int64]]"
) -> Table:
    """A table of texts."""
    columns = {
        name: encode(np.array([cell.strip() for cell in cells], dtype=object))
        for name, cells in zip(names, zip(*rows, strict=True), strict=True)
    }
    return Table(file, columns, tuple(names), lines)


def without_rows(table: Table, rows: list[list[str]], skipped: int) -> Table:
    """The table after its further header rows."""
    if skipped >= table.n_rows:
        raise InputError("nobody has answered yet: there are only header rows", file=table.file)
    made = table_of(table.file, list(table.names), rows[skipped:], table.row_numbers[skipped:])
    return made._replace(notes=table.notes)


def names_of(cells: list[str]) -> list[str]:
    """The names of the columns; one without a name is called by its place, a second of a name is numbered."""
    names: list[str] = []
    for place, cell in enumerate(cells, start=1):
        name = cell.strip() or f"column {place}"
        names.append(name if name not in names else f"{name} ({place})")
    return names


def is_prose(column: Column) -> bool:
    """Whether most values of a column are sentences."""
    labels = column.as_labels().labels
    found = sum(len(WORD.findall(label)) > 1 and PROSE.fullmatch(label) is not None for label in labels)
    return found * 2 > len(labels)


def is_numeric(column: Column) -> bool:
    """Whether all values of a column are numbers."""
    labels = column.as_labels().labels
    return bool(labels) and all(map(is_number, labels))


def why_no_question(name: str, column: Column) -> str | None:
    """Why a column of a survey is no judgement; None if it may be one."""
    if TIMING.fullmatch(name):
        return "a timing is no judgement"
    if FREE.fullmatch(name) or is_prose(column):
        return "free text is no judgement"
    return None if column.as_labels().labels else "it is empty"
