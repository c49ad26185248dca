"""Labelbox exports, form 1 (a list of labels) and 2 (a data row per line): objects with a place in a text are spans.

The rater is who created the label, the text the external id or that of the data row. Labelbox names the first and the
last character of a span, so the end is one after it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from concordant.errors import InputError
from concordant.model.spans import Mark
from concordant.readers.format import SURE
from concordant.readers.json_records import documents
from concordant.readers.rater_files import Marked, Part, span_format

NO_PLACE = "an object without a place in a text (a box, a mask …)"
NO_SPAN = "a classification of a whole text is not a span"


class Label(NamedTuple):
    """What one person marked in one text."""

    text: str
    rater: str
    objects: list[Any]
    n_classifications: int


def of_file(part: Part) -> Marked:
    """The spans of one export."""
    marks, left_out = [], []
    seen = set()
    for row, record in documents(part.file):
        for label in labels_of(record, part, row):
            seen.add((label.text, label.rater))
            left_out += [NO_SPAN] * label.n_classifications
            for one in label.objects:
                found = mark_of(label, one, part.file, row)
                if found is None:
                    left_out.append(NO_PLACE)
                else:
                    marks.append(found)
    notes = ("ends are taken as the place of the last character",) * bool(marks)
    return Marked(marks, {}, seen, left_out=left_out, notes=notes)


def labels_of(record: dict[str, Any], part: Part, row: int) -> Iterator[Label]:
    """The labels of a record of either form; a skipped one is none."""
    try:
        if "Label" in record:
            text = str(record.get("External ID") or record["DataRow ID"])
            made = record["Label"] if isinstance(record["Label"], dict) else {}
            if not record.get("Skipped") and made:
                objects, classes = made.get("objects", []), made.get("classifications", [])
                yield Label(text, str(record.get("Created By") or part.rater), objects, len(classes))
            return
        row_of = record["data_row"]
        text = str(row_of.get("external_id") or row_of["id"])
        for project in record["projects"].values():
            for label in project["labels"]:
                made, who = label["annotations"], label.get("label_details", {}).get("created_by")
                yield Label(text, str(who or part.rater), made.get("objects", []), len(made.get("classifications", [])))
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"this is not a label of Labelbox: {error}", file=part.file, row=row) from error


def mark_of(label: Label, one: Any, file: Path, row: int) -> Mark | None:
    """An object as a span, its answers as features; None if it has no place in a text."""
    try:
        place = one.get("location") or one.get("data", {}).get("location")
        if place is None:
            return None
        answers = {
            str(each.get("title") or each.get("name")): str((each.get("answer") or {}).get("title", ""))
            for each in one.get("classifications", [])
            if isinstance(each.get("answer"), dict)
        }
        category = str(one.get("title") or one.get("name") or one.get("value"))
        return Mark(label.text, label.rater, float(place["start"]), float(place["end"]) + 1, category, answers)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError("an object has no start and end", file=file, row=row, hint="export it again") from error


def sniff(path: Path, head: str) -> float:
    """Labels with objects in a text."""
    if path.suffix.casefold() not in {".json", ".ndjson", ".jsonl"}:
        return 0.0
    is_first = '"DataRow ID"' in head and '"Label"' in head
    is_second = '"data_row"' in head and '"projects"' in head
    return SURE * ((is_first or is_second) and '"location"' in head)


FORMAT = span_format(
    of_file,
    name="labelbox",
    help="Labelbox's objects in texts: the rater is who created the label.",
    endings=(".json", ".ndjson", ".jsonl"),
    order="text/rater",
    sniff=sniff,
)
