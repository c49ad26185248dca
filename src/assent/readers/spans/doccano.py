"""doccano's JSONL export: one file per rater (`admin.jsonl`, `second.jsonl` …), one text per line.

Spans are `"label": [[begin, end, "category"], …]` or `"entities": [{"start_offset", "end_offset", "label"}, …]`; the
text is named by the line's id.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, lines, parts


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of raters' files, or of one file."""
    lengths: dict[str, float] = {}
    marks: list[Mark] = []
    looked_at: list[tuple[str, str]] = []
    for part in parts(path, (".jsonl",), "rater/text"):
        for row, record in _records(part):
            name = str(record.get("id", row))
            lengths[name] = float(len(str(record.get("text", record.get("data", "")))))
            looked_at.append((name, part.rater))
            marks += [Mark(name, part.rater, *span) for span in _spans(record, part.file, row)]
    return SpanTable.from_marks(str(path), marks, lengths=lengths, seen=looked_at)


def _records(part: Part) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file with their numbers."""
    for row, line in enumerate(lines(part.file), start=1):
        if line.strip():
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"not JSON: {error.msg}", file=part.file, row=row) from error
            if not isinstance(record, dict):
                raise InputError("this line is not an object", file=part.file, row=row)
            yield row, record


def _spans(record: dict[str, Any], file: Path, row: int) -> Iterator[tuple[float, float, str]]:
    """The spans of one text in either form."""
    try:
        for begin, end, category in record.get("label", record.get("labels", [])):
            yield float(begin), float(end), str(category)
        for entity in record.get("entities", []):
            yield float(entity["start_offset"]), float(entity["end_offset"]), str(entity["label"])
    except (TypeError, ValueError, KeyError) as error:
        raise InputError("the spans are not [begin, end, category]", file=file, row=row) from error
