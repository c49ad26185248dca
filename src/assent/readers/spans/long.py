"""Long tables (CSV, TSV, XLSX, Parquet): one row per span with the columns text, rater, begin, end, category.

Further columns become features. Columns with other usual names are found and named in the notes.
"""

from pathlib import Path

import numpy as np

from assent.arrays import Floats
from assent.errors import InputError
from assent.model.spans import SpanTable
from assent.readers.table import Table
from assent.readers.tables import read_table

USUAL = {
    "text": ("text", "document", "doc", "text_id", "document_id", "doc_id", "file"),
    "rater": ("rater", "annotator", "coder", "judge", "participant", "user", "rater_id", "annotator_id"),
    "begin": ("begin", "start", "begin_offset", "start_offset", "onset"),
    "end": ("end", "stop", "end_offset", "offset_end", "offset"),
    "category": ("category", "label", "tag", "type", "value"),
}
NEEDED = ("rater", "begin", "end")


def read(
    path: str | Path,
    *,
    text: str | None = None,
    rater: str | None = None,
    begin: str | None = None,
    end: str | None = None,
    category: str | None = None,
) -> SpanTable:
    """The spans of a table; without a text column there is one text, without a category spans are unlabelled."""
    table = read_table(path)
    given = {"text": text, "rater": rater, "begin": begin, "end": end, "category": category}
    roles = {role: _find(table, role, name) for role, name in given.items()}
    used = set(roles.values())
    n = table.n_rows
    return SpanTable(
        name=table.file,
        text=table.columns[roles["text"]].text() if roles["text"] else np.full(n, Path(path).stem, dtype=object),
        rater=_names(table, roles["rater"] or ""),
        begin=_positions(table, roles["begin"] or ""),
        end=_positions(table, roles["end"] or ""),
        category=table.columns[roles["category"]].text() if roles["category"] else np.full(n, "", dtype=object),
        features={name: column.text() for name, column in table.columns.items() if name not in used},
        rows=table.row_numbers,
        notes=(*table.notes, *_guesses(roles, given)),
    )


def _find(table: Table, role: str, given: str | None) -> str | None:
    """The column of a role: the one named, or one with a usual name."""
    if given is not None:
        table.expect(given)
        return given
    found = next((name for usual in USUAL[role] for name in table.names if name.casefold() == usual), None)
    if found is None and role in NEEDED:
        hint = f"the columns are {', '.join(table.names)}; name it with --{role}"
        raise InputError(f"there is no column {role!r}", file=table.file, hint=hint)
    return found


def _guesses(roles: dict[str, str | None], given: dict[str, str | None]) -> list[str]:
    """Say which columns were taken for which roles, where the name is not the role's."""
    return [
        f"the column {name!r} is taken as the {role} (say --{role} to change it)"
        for role, name in roles.items()
        if name is not None and given[role] is None and name != role
    ]


def _names(table: Table, column: str) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Names that must not be missing."""
    names = table.columns[column].text()
    missing = np.flatnonzero(names == "")
    if len(missing):
        row = int(table.row_numbers[missing[0]])
        raise InputError("the cell is empty", file=table.file, row=row, column=column, hint="say who marked the span")
    return names


def _positions(table: Table, column: str) -> Floats:
    """A column of numbers; each distinct text is converted once."""
    labels = table.columns[column].as_labels()
    values: Floats = np.array([*(_number(label) for label in labels.labels), np.nan], dtype=float)[labels.codes]
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        at = int(bad[0])
        what = f"{str(labels.text()[at])!r} is not a position"
        row = int(table.row_numbers[at])
        raise InputError(what, file=table.file, row=row, column=column, hint="give a number")
    return values


def _number(text: str) -> float:
    """A number, or NaN."""
    try:
        return float(text)
    except ValueError:
        return float("nan")
