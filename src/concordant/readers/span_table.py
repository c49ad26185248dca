"""Tables of spans (CSV, TSV, XLSX, Parquet …): one row each with the columns text, rater, begin, end, category.

Further columns become features. Columns with other usual names are found and named in the notes.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from concordant.arrays import Floats
from concordant.choices import Choices, choice
from concordant.errors import InputError
from concordant.model.columns import is_number
from concordant.model.spans import SpanTable
from concordant.readers.format import LIKELY, POSSIBLE, SURE, Format
from concordant.readers.layout import usual
from concordant.readers.sheet_errors import told, without_errors
from concordant.readers.table import ENCODING, ENDINGS, RECORDS, SEPARATOR, Table, header, read_table
from concordant.readers.together import data_together, tables_together

USUAL = {
    "text": ("text", "document", "doc", "text_id", "document_id", "doc_id", "file"),
    "rater": ("rater", "annotator", "coder", "judge", "participant", "user", "rater_id", "annotator_id", "who"),
    "begin": ("begin", "start", "begin_offset", "start_offset", "onset"),
    "end": ("end", "stop", "end_offset", "offset_end", "offset"),
    "category": ("category", "label", "tag", "type", "value"),
}
NEEDED = ("rater", "begin", "end")


class SpanTableOptions(Choices):
    """The columns that have other names than usual, and how the text is written."""

    text: str | None = choice(None, "Column that names the text.")
    rater: str | None = choice(None, "Column that names the rater.")
    begin: str | None = choice(None, "Column with the begin.")
    end: str | None = choice(None, "Column with the end.")
    category: str | None = choice(None, "Column with the category.")
    encoding: str | None = choice(None, ENCODING)
    separator: str | None = choice(None, SEPARATOR)


def read(path: str | Path, *more: str | Path, options: SpanTableOptions) -> SpanTable:
    """The spans of a file, or of several with the same columns."""
    tables = [read_table(one, encoding=options.encoding, separator=options.separator) for one in (path, *more)]
    if not more:
        return spans_of(tables[0], options, only_text=Path(path).stem)
    together = tables_together(tables)
    parts = [spans_of(table, options, only_text=Path(table.file).stem) for table in tables]
    found: SpanTable = data_together(parts)
    return replace(found, notes=tuple(dict.fromkeys((*together.notes, *parts[0].notes))))


def spans_of(table: Table, options: SpanTableOptions, *, only_text: str) -> SpanTable:
    """The spans of a table; without a text column there is `only_text`, without a category spans are unlabelled."""
    roles, notes = {}, [*table.notes, *told(table.columns, table.row_numbers)]
    table = table._replace(columns={name: without_errors(column) for name, column in table.columns.items()})
    for role in USUAL:
        given = getattr(options, role)
        if given is not None:
            table.expect(given)
        found = given or usual_column(role, table.names)
        if found is None and role in NEEDED:
            hint = f"the columns are {', '.join(table.names)}; name it with --{role}"
            raise InputError(f"there is no column {role!r}", file=table.file, hint=hint)
        if found not in (given, role):
            notes.append(f"the column {found!r} is taken as the {role} (say --{role} to change it)")
        roles[role] = found
    text, category = roles["text"], roles["category"]
    if text is None and (unit := usual("unit", [name for name in table.names if name not in roles.values()])):
        names = table.columns[unit].as_labels()
        text = roles["text"] = unit if len(names.labels) < table.n_rows and not names.n_blank else None
        alone = f"all spans are taken for those of one text, and the column {unit!r} for a feature"
        notes.append(
            f"{alone if text is None else f'the column {unit!r} is taken as the text'} (say --text to change it)"
        )
    raters = table.columns[roles["rater"] or ""].text()
    if (raters == "").any():
        row, column = int(table.row_numbers[np.argmax(raters == "")]), roles["rater"]
        raise InputError("the cell is empty", file=table.file, row=row, column=column, hint="say who marked the span")
    return SpanTable(
        name=table.file,
        text=table.columns[text].text() if text else np.full(table.n_rows, only_text, dtype=object),
        rater=raters,
        begin=_positions(table, roles["begin"] or ""),
        end=_positions(table, roles["end"] or ""),
        category=table.columns[category].text() if category else np.full(table.n_rows, "", dtype=object),
        features={name: column.text() for name, column in table.columns.items() if name not in roles.values()},
        rows=table.row_numbers,
        notes=tuple(notes),
    )


def usual_column(role: str, names: Sequence[str]) -> str | None:
    """The column with a usual name for a role.

    >>> usual_column("begin", ["doc", "Start", "stop"])
    'Start'
    """
    return next((name for word in USUAL[role] for name in names if name.casefold() == word), None)


def _positions(table: Table, column: str) -> Floats:
    """A column of numbers; each distinct text is converted once."""
    labels = table.columns[column].as_labels()
    known = [float(label) if is_number(label) else np.nan for label in labels.labels]
    values: Floats = np.array([*known, np.nan], dtype=float)[labels.codes]
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        what = f"{str(labels.text()[bad[0]])!r} is not a position"
        row = int(table.row_numbers[bad[0]])
        raise InputError(what, file=table.file, row=row, column=column, hint="give a number")
    return values


def confidence(names: set[str]) -> float:
    """A table with the columns begin and end is one of spans, with other names of them and raters it is likely one.

    Where units and no texts are named, they may say when a unit was judged. Any other is one if that is said.
    """
    if {"begin", "end"} <= names:
        return SURE
    if not all(names.intersection(USUAL[role]) for role in NEEDED):
        return 0.2
    says_when = not names.intersection(USUAL["text"]) and usual("unit", tuple(names)) and usual("value", tuple(names))
    return POSSIBLE if says_when else LIKELY


def sniff(path: Path, head: str) -> float:
    """Only a table can be one of spans."""
    if path.is_dir() or (path.suffix.casefold() not in ENDINGS and str(path) != "-"):
        return 0.0
    names = header(path, head)
    return confidence(names) if names or path.suffix.casefold() != RECORDS else 0.0


FORMAT = Format(
    name="long",
    holds="spans",
    help="A table of spans: one per row with the columns text, rater, begin, end and category.",
    read=read,
    options=SpanTableOptions,
    sniff=sniff,
    most=None,
)
