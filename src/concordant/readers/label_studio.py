"""Label Studio's spans: of its JSON export (tasks with annotations), JSON-MIN and CSV (a row for each annotation).

Every result with start, end and labels is a span of text or audio; the control that it was made with is its layer. The
rater is `completed_by` (a number, or a user with an e-mail address) or `annotator`, the text the task's id. Cancelled
annotations and predictions are left out; of two annotations of a task by one rater the last counts.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from concordant.errors import InputError
from concordant.model.spans import SpanTable
from concordant.readers.cas import characters
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import documents
from concordant.readers.layers import Annotation, Document, LayerOptions, layered
from concordant.readers.rater_files import Part, Parts
from concordant.readers.table import header, read_table

LABELS = ("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels")
OWN = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")
TABLES = (".csv", ".tsv")
EARLIER = "an earlier annotation of the same task by the same annotator"
PREDICTED = "predictions: a model is not a rater"
CATEGORIES = "answers that are no spans (choices, ratings: --format label_studio_choices)"


class Done(NamedTuple):
    """What one annotator did with one task."""

    text: str
    rater: str
    data: Mapping[str, Any]
    results: Sequence[Mapping[str, Any]]
    left_out: tuple[str, ...] = ()


def read(path: str | Path, options: LayerOptions) -> SpanTable:
    """The spans of an export."""
    file = Path(path)
    try:
        done = list(done_in(file))
        last = {(one.text, one.rater): place for place, one in enumerate(done)}
        kept = [one for place, one in enumerate(done) if last[one.text, one.rater] == place]
        found = [document_of(one, file) for one in kept]
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"a task is not as Label Studio writes it: {error}", file=file) from error
    if found:
        more = (EARLIER,) * (len(done) - len(kept)) + tuple(why for one in done for why in one.left_out)
        found[0] = found[0]._replace(left_out=(*found[0].left_out, *more))
    return layered(str(path), Parts([Part(one.text, one.rater, file) for one in kept]), found, options)


def done_in(file: Path) -> Iterator[Done]:
    """Every annotation of every task."""
    if file.suffix.casefold() in TABLES:
        table = read_table(file)
        names = [name for name in table.names if name in table.columns]
        cells = zip(*(table.column(name).text().tolist() for name in names), strict=True)
        yield from (flat(dict(zip(names, row, strict=True))) for row in cells)
        return
    tasks = [task for _, task in documents(file)]
    if not all("annotations" in task or "annotator" in task for task in tasks):
        raise InputError("this is not a list of tasks", file=file, hint="export as JSON, JSON-MIN or CSV")
    for task in tasks:
        if "annotations" not in task:
            yield flat(task)
            continue
        data = task.get("data") or {}
        text = str(task.get("id", data.get("unit", "")))  # a gold standard for an import has no ids yet
        predicted = (PREDICTED,) * len(task.get("predictions") or ())
        for annotation in task["annotations"]:
            if annotation.get("was_cancelled"):
                predicted = (*predicted, "skipped by the annotator")
                continue
            person = annotation.get("completed_by")
            if isinstance(person, dict):
                person = person.get("email") or person.get("id")
            rater = "unknown" if person is None else str(person)
            yield Done(text, rater, data, annotation.get("result") or (), predicted)
            predicted = ()


def flat(record: Mapping[str, Any]) -> Done:
    """A row of CSV or an object of JSON-MIN: a cell of spans is the result of a control."""
    results: list[dict[str, Any]] = []
    for name, cell in record.items():
        is_written = isinstance(cell, str) and cell.startswith("[{")
        try:
            spans = json.loads(cell) if is_written else cell
        except (ValueError, RecursionError):
            continue
        for value in spans if isinstance(spans, list) and name not in OWN else ():
            kind = next((kind for kind in LABELS if isinstance(value, dict) and kind in value), "")
            results += [{"type": kind, "from_name": name, "value": value}] if kind else []
    return Done(str(record["id"]), str(record["annotator"]), record, results)


def document_of(one: Done, file: Path) -> Document:
    """The spans of an annotation; several labels on one span are one category, joined by +."""
    spans, left_out = [], []
    texts = [text for text in one.data.values() if isinstance(text, str)]
    text = str(one.data["text"]) if isinstance(one.data.get("text"), str) else None
    for result in one.results:
        kind = str(result.get("type", ""))
        if kind not in LABELS:
            left_out.append("relations are not compared" if kind == "relation" else CATEGORIES)
            continue
        value = result["value"]
        try:
            begin, end = ends_of(value, one.data)
        except (KeyError, ValueError) as error:
            raise InputError(f"a span of the task {one.text!r} has no start and end", file=file) from error
        if (covered := value.get("text")) and isinstance(covered, str):
            text = next((found for found in texts if covers(found, begin, end, covered) is not None), text)
            begin, end = covers(text or "", begin, end, covered) or (begin, end)
        category = "+".join(sorted(map(str, value.get(kind) or ())))
        spans.append(Annotation(str(result.get("from_name", kind)), begin, end, {"label": category}))
    return Document(spans, None if text is None else float(len(text)), left_out=tuple(left_out), text=text)


def ends_of(value: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[float, float]:
    """Begin and end of a span; those of a paragraph of a dialogue are counted from its beginning."""
    if "globalOffsets" in value:
        return float(value["globalOffsets"]["start"]), float(value["globalOffsets"]["end"])
    if "startOffset" not in value:
        return float(value["start"]), float(value["end"])
    dialogue = next(part for part in data.values() if isinstance(part, list) and part and isinstance(part[0], dict))
    key = "text" if "text" in dialogue[0] else max(dialogue[0], key=lambda name: len(str(dialogue[0][name])))
    begins = [0, *accumulate(len(str(turn.get(key, ""))) + 1 for turn in dialogue)]
    first, last = int(value["start"]), int(value["end"])
    return float(begins[first] + int(value["startOffset"])), float(begins[last] + int(value["endOffset"]))


def covers(text: str, begin: float, end: float, covered: str) -> tuple[float, float] | None:
    """The ends of a span in characters of a text, if they cover what they say; the tool counts in UTF-16."""
    is_wide = not text.isascii() and max(text) > "\uffff"
    places = characters(text) if is_wide else ()
    if end < len(places) and text[int(places[int(begin)]) : int(places[int(end)])] == covered:
        return places[int(begin)], places[int(end)]
    return (begin, end) if text[int(begin) : int(end)] == covered else None


def sniff(path: Path, head: str) -> float:
    """Tasks with annotations of spans, or rows of annotations with cells of spans; an export may have none of them."""
    if path.suffix.casefold() in TABLES:
        is_own = path.is_file() and {"annotation_id", "annotator", "lead_time", "id"} <= header(path, head)
        return SURE * (is_own and '""start""' in head and any(f'""{kind}""' in head for kind in LABELS))
    if path.suffix.casefold() != ".json" or head.lstrip()[:1] != "[":
        return 0.0
    has_spans = any(f'"{kind}"' in head for kind in LABELS) and '"start"' in head
    if has_spans and ('"result"' in head or ('"annotation_id"' in head and '"annotator"' in head)):
        return SURE
    return 0.2 * ('"annotations"' in head or not head.strip("[] \n\r\t"))


FORMAT = Format(
    name="label_studio",
    holds="spans",
    help="Label Studio's spans: JSON, JSON-MIN or CSV.",
    read=read,
    endings=(".json", ".csv", ".tsv"),
    options=LayerOptions,
    sniff=sniff,
    in_folders=True,
)
