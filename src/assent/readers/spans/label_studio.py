"""Label Studio's JSON export: a list of tasks, each with the annotations of several raters.

Every result with start, end and labels is a span (text or audio). The rater is `completed_by` (a number, or a user with
an e-mail address), the text the task's id; cancelled annotations are left out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import text_of

LABELS = ("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels")


def read(path: str | Path) -> SpanTable:
    """The spans of an export."""
    file = Path(path)
    try:
        tasks = json.loads(text_of(file))
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", file=file, row=error.lineno) from error
    if not (isinstance(tasks, list) and all(isinstance(task, dict) for task in tasks)):
        raise InputError("this is not a list of tasks", file=file, hint="export as JSON, not JSON-MIN")
    try:
        marks = [mark for task in tasks for mark in _marks(task, file)]
        lengths = _lengths(tasks)
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"a task is not as Label Studio writes it: {error}", file=file) from error
    return SpanTable.from_marks(str(path), marks, lengths=lengths)


def _lengths(tasks: list[dict[str, Any]]) -> dict[str, float]:
    """The lengths of tasks whose text is in the export."""
    texts = {str(task.get("id", "")): task.get("data", {}).get("text") for task in tasks}
    return {name: float(len(text)) for name, text in texts.items() if isinstance(text, str)}


def _marks(task: dict[str, Any], file: Path) -> Iterator[Mark]:
    """The spans of one task."""
    for annotation in task.get("annotations", []):
        if annotation.get("was_cancelled"):
            continue
        rater = _rater(annotation.get("completed_by"))
        for result in annotation.get("result", []):
            kind = str(result.get("type", ""))
            if kind in LABELS:
                yield _mark(str(task.get("id", "")), rater, result["value"], kind, file)


def _mark(text: str, rater: str, value: dict[str, Any], kind: str, file: Path) -> Mark:
    """One result; several labels on one span are one category, joined by +."""
    category = "+".join(sorted(map(str, value.get(kind, []))))
    try:
        return Mark(text, rater, float(value["start"]), float(value["end"]), category)
    except (KeyError, ValueError) as error:
        raise InputError(f"a span of the task {text!r} has no start and end", file=file) from error


def _rater(completed_by: Any) -> str:
    """The name of a rater: the e-mail address if there is one, else the number."""
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("id", "unknown"))
    return "unknown" if completed_by is None else str(completed_by)
