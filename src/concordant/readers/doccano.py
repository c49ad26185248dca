"""doccano's exports of spans: one file per rater (`admin.jsonl`, `second.jsonl` …), one text per line or in a list.

Spans are `"label": [[begin, end, "category"], …]` (in older versions "labels"), `"entities": [{"start_offset",
"end_offset", "label"}, …]`, or, in the oldest, `"annotations"` of the same form whose `user` is the rater. The text is
named by its id.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.model.spans import Mark
from concordant.readers.format import SURE
from concordant.readers.json_records import documents, first_records
from concordant.readers.rater_files import NOBODY, UNLABELLED, Marked, Part, span_format

TRIPLES, OBJECTS = ("label", "labels"), ("entities", "annotations")
UNUSED = {
    "relations": "relations are not compared",
    "Comments": "comments are not spans",
    "comments": "comments are not spans",
    "annotation_approver": "who approved is not a rater",
    "cats": "categories of whole texts are not spans",
}


def of_file(part: Part) -> Marked:
    """The spans of one file."""
    texts: dict[str, str] = {}
    marks: list[Mark] = []
    seen: set[tuple[str, str]] = set()
    unused: dict[str, str] = {}
    records = documents(part.file)
    if part.rater == NOBODY and not part.is_single:
        return Marked([], seen=(), left_out=[UNLABELLED] * len(records))
    for row, record in records:
        name = str(record.get("id", row))
        texts[name] = str(record.get("text", record.get("data", "")))
        found = [
            Mark(name, rater or part.rater, begin, end, category)
            for rater, begin, end, category in spans_of(record, part.file, row)
        ]
        seen |= {(name, mark.rater) for mark in found} or (
            {(name, part.rater)} if "annotations" not in record else set()
        )
        unused |= {key: reason for key, reason in UNUSED.items() if record.get(key)}
        marks += found
    notes = ("categories are doccano's numbers of labels",) * (bool(marks) and all(m.category.isdigit() for m in marks))
    lengths = {name: float(len(text)) for name, text in texts.items()}
    return Marked(marks, lengths, seen, unused, notes=notes, contents=texts)


def spans_of(record: dict[str, Any], file: Path, row: int) -> Iterator[tuple[str | None, float, float, str]]:
    """The spans of one text in any form: who, begin, end and category."""
    try:
        for key in TRIPLES:
            for begin, end, category in record.get(key) or []:
                yield None, float(begin), float(end), str(category)
        for key in OBJECTS:
            for one in record.get(key) or []:
                user = one.get("user")
                rater = None if user is None else str(user)
                yield rater, float(one["start_offset"]), float(one["end_offset"]), str(one["label"])
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise InputError("the spans are not [begin, end, category]", file=file, row=row) from error


def is_spans(record: dict[str, Any]) -> bool | None:
    """Whether a line has spans; None if it has none of them and no other labels."""
    for key in TRIPLES:
        if isinstance(record.get(key), list) and record[key]:
            return all(isinstance(one, list) for one in record[key])
    for key in OBJECTS:
        if isinstance(record.get(key), list) and record[key]:
            return all(isinstance(one, dict) and "start_offset" in one for one in record[key])
    return True if isinstance(record.get("entities"), list) else None


def sniff(path: Path, head: str) -> float:
    """Lines or a list whose labels are spans; without any they may be a table as well."""
    if path.suffix.casefold() == ".json":
        return SURE * (head.lstrip()[:1] == "[" and '"start_offset"' in head and '"end_offset"' in head)
    if path.suffix.casefold() != ".jsonl":
        return 0.0
    verdicts = [is_spans(record) for record in first_records(head, most=1000)]
    if any(verdict is False for verdict in verdicts):
        return 0.0
    return SURE if any(verdicts) else 0.2


FORMAT = span_format(
    of_file,
    name="doccano",
    help="doccano's spans: a file for each rater, or the user of each span.",
    endings=(".jsonl", ".json"),
    order="text/rater",
    sniff=sniff,
)
