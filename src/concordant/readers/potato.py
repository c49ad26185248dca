"""Potato: a folder for each annotator with `user_state.json` (version 2) or `annotated_instances` (version 1).

Labels are judgements (`potato`), what was highlighted are spans (`potato_spans`): a schema is a layer, its label the
category. Whoever has seen an instance and marked nothing marked nothing; labels, spans and times on the page tell who.

Every schema of the annotation page is a question. Labels that are ticked are the answer, several of them a set; a scale
(`scale_4`) is its number; text boxes are no judgements. A schema that others answered and somebody did not is missing.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, AnswerOptions, Answers
from concordant.readers.format import LIKELY, SURE, Format
from concordant.readers.json_records import document, documents, first_records
from concordant.readers.layers import Annotation, Document, LayerOptions, layered
from concordant.readers.rater_files import Part, Parts
from concordant.readers.table import header, read_table

STATE, LINES = "user_state.json", "annotated_instances.jsonl"
LABELS = "instance_id_to_label_to_value"
MARK = ":::"  # what joins schema and label in the name of a column
FREE = re.compile(r"text_?box|text|free_response", re.IGNORECASE)
POINT = re.compile(r"(?:scale_)?(-?\d+(?:\.\d+)?)")

SPANS, VISITED, ASSIGNED = "instance_id_to_span_to_value", "instance_id_to_behavioral_data", "instance_id_ordering"
SPAN_LINES = "span_annotations"
DEFAULT = "spans"  # the layer of spans whose schema is not named
SPANS_LEFT = "spans are read by --format potato_spans"

Chosen = dict[str, list[str]]  # of each schema


def read(*paths: str | Path, options: AnswerOptions) -> Study:
    """The answers of all annotators: of their files, or of the folders in a folder."""
    answers = Answers(Path(paths[0]))
    seen: list[tuple[str, str, Chosen, int]] = []
    for file in (found for path in paths for found in files_of(Path(path))):
        seen += [
            (rater, unit, chosen_labels(pairs, answers), row) for rater, unit, pairs, row in instances_of(file, answers)
        ]
    for schema in dict.fromkeys(schema for _, _, chosen, _ in seen for schema in chosen):
        for rater, unit, chosen, row in seen:
            answers.given.append(Answer(unit, rater, schema, chosen.get(schema), row))
            answers.missing[f"nothing chosen for {schema}"] += schema not in chosen
        is_scale = all(POINT.fullmatch(one) for _, _, chosen, _ in seen for one in chosen.get(schema, ()))
        answers.scales |= {} if is_scale else {schema: Declared(level=Level.NOMINAL)}
    return answers.study(options)


def files_of(path: Path) -> list[Path]:
    """The annotators' files in a folder; a file is itself."""
    if not path.is_dir():
        return [path]
    found = sorted(path.rglob(STATE)) or sorted(path.rglob(LINES)) or sorted(path.rglob("annotated_instances.[ct]sv"))
    if not found:
        raise InputError(f"there is no {STATE} in this folder", file=path, hint="name Potato's annotation_output")
    return found


def instances_of(file: Path, answers: Answers) -> Iterator[tuple[str, str, Any, int]]:
    """Annotator, instance, and the labels of each."""
    if file.name.endswith(".jsonl"):
        for row, record in documents(file):
            answers.left_out[SPANS_LEFT] += len(record.get("span_annotations") or ())
            pairs = [
                ({"schema": schema, "name": name}, value)
                for schema, chosen in dict(record.get("label_annotations") or {}).items()
                for name, value in dict(chosen).items()
            ]
            yield str(record.get("user_id", file.parent.name)), str(record.get("id", row)), pairs, row
        return
    if file.suffix.casefold() in (".csv", ".tsv"):
        yield from rows_of(file)
        return
    state = document(file)
    if not (isinstance(state, dict) and isinstance(state.get(LABELS), dict)):
        raise InputError(f"this has no {LABELS}", file=file, hint="it must be the user_state.json of Potato")
    answers.left_out[SPANS_LEFT] += sum(map(len, (state.get("instance_id_to_span_to_value") or {}).values()))
    for row, (unit, pairs) in enumerate(state[LABELS].items(), start=1):
        yield str(state.get("user_id", file.parent.name)), str(unit), pairs, row


def rows_of(file: Path) -> Iterator[tuple[str, str, Any, int]]:
    """The rows of the tables that version 1 writes: a column `schema:::label` for each label."""
    table = read_table(file)
    cells = {name: table.column(name).text().tolist() for name in table.names}
    labels = {name: dict(zip(("schema", "name"), name.split(MARK, 1), strict=True)) for name in cells if MARK in name}
    users = cells.get("user") or cells.get("user_id") or [file.parent.name] * table.n_rows
    for at, row in enumerate(table.row_numbers.tolist()):
        unit = cells["instance_id"][at] if "instance_id" in cells else str(row)
        yield users[at], unit, [(label, cells[name][at]) for name, label in labels.items()], row


def chosen_labels(pairs: Any, answers: Answers) -> Chosen:
    """What was chosen for each schema of one instance: pairs of a label and its value."""
    chosen: Chosen = {}
    try:
        for label, value in pairs.items() if isinstance(pairs, Mapping) else pairs:
            schema, name, text = str(label["schema"]), str(label["name"]), str(value).strip()
            if FREE.fullmatch(name):
                answers.unused[schema] = "a text box is no judgement"
            elif name.startswith("scale_") or name in ("slider", "number", schema):
                found = POINT.fullmatch(text if name in ("slider", "number", schema) else name)
                chosen.setdefault(schema, []).append(found[1] if found else text)
            elif text.casefold() not in ("", "false", "none", "null"):
                chosen.setdefault(schema, []).append(name)
    except (TypeError, KeyError, ValueError, AttributeError):
        raise InputError("an answer is not a label with a value", file=answers.file, hint="is it Potato's?") from None
    return chosen


def sniff(path: Path, head: str) -> float:
    """The state of a user, lines with `label_annotations`, or a table with columns `schema:::label`."""
    if path.suffix.casefold() in (".csv", ".tsv"):
        return SURE * ("instance_id" in (names := header(path, head)) and any(MARK in name for name in names))
    spans_only = f'"{LABELS}": {{}}' in head or f'"{LABELS}":{{}}' in head
    if spans_only:
        return LIKELY
    if f'"{LABELS}"' in head or (path.name == STATE and '"instance_id_ordering"' in head):
        return SURE
    records = first_records(head) if '"label_annotations"' in head else []
    if not any("label_annotations" in one for one in records):
        return 0.0
    return SURE if any(one.get("label_annotations") for one in records) else LIKELY


def read_spans(*paths: str | Path, options: LayerOptions) -> SpanTable:
    """The spans of all annotators: of their files, or of the folders in a folder."""
    parts: list[Part] = []
    contents: list[Document] = []
    n_unseen = 0
    for file in (found for path in paths for found in files_of(Path(path))):
        if file.suffix.casefold() not in (".json", ".jsonl"):
            raise InputError("tables of Potato have no spans", file=file, hint="give the folders with user_state.json")
        rater, made, unseen = spans_of(file)
        n_unseen += unseen
        for text, spans in made.items():
            parts.append(Part(text, rater, file))
            contents.append(Document([span for each in spans for span in annotations_of(each, file)]))
    if not any(each.spans for each in contents):
        raise InputError("nobody marked a span", file=paths[0], hint="say --format potato if these are labels")
    note = f"{n_unseen:,} assigned texts without an answer or a visit count as not seen"
    return layered(str(paths[0]), Parts(parts, notes=(note,) if n_unseen else ()), contents, options)


def spans_of(file: Path) -> tuple[str, dict[str, list[Any]], int]:
    """Whose the file is, the spans of every instance that was seen, and how many were assigned and not seen."""
    if file.suffix.casefold() == ".jsonl":
        records = documents(file)
        rater = next((str(one["user_id"]) for _, one in records if "user_id" in one), file.parent.name)
        return rater, {str(one.get("id", row)): [one.get(SPAN_LINES) or []] for row, one in records}, 0
    state = document(file)
    if not isinstance(state, dict) or not isinstance(state.get(SPANS), dict):
        raise InputError(f"this has no {SPANS}", file=file, hint=f"it must be the {STATE} of Potato")
    seen: dict[str, list[Any]] = {str(unit): [] for key in (LABELS, SPANS, VISITED) for unit in state.get(key) or ()}
    made = {**seen, **{str(unit): [given] for unit, given in state[SPANS].items()}}
    unseen = {str(unit) for unit in state.get(ASSIGNED) or ()} - made.keys()
    return str(state.get("user_id", file.parent.name)), made, len(unseen)


def annotations_of(given: Any, file: Path) -> Iterator[Annotation]:
    """The spans of one instance: pairs of a span and its value, objects, or lists of objects by their schema."""
    by_schema = given.items() if isinstance(given, Mapping) else [(DEFAULT, given)]
    try:
        for schema, spans in by_schema:
            for one in spans:
                span, value = one if isinstance(one, list) else (one, True)
                label = span.get("name") or span.get("annotation") or span["label"]
                if value not in (None, False, "", "false"):
                    layer = str(span.get("schema") or schema)
                    yield Annotation(layer, float(span["start"]), float(span["end"]), {"label": str(label)})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"a span has no start, end or label ({type(error).__name__}: {error})"
        raise InputError(what, file=file, hint="is it Potato's?") from None


def sniff_spans(path: Path, head: str) -> float:
    """A state or lines in which spans stand; where labels stand beside them, these are likelier what is asked about."""
    is_marked = '"start"' in head and (f'"{SPANS}"' in head or f'"{SPAN_LINES}"' in head)
    return (LIKELY if '"schema"' in head.partition(f'"{SPANS}"')[0] else SURE) * is_marked


FORMAT = (
    Format(
        name="potato",
        holds="judgements",
        help="Potato's folder of annotators, with the answers of each.",
        read=read,
        endings=(".json", ".jsonl", ".csv", ".tsv"),
        options=AnswerOptions,
        sniff=sniff,
        in_folders=True,
        most=None,
    ),
    Format(
        name="potato_spans",
        holds="spans",
        help="Potato's spans: a folder of annotators, with what each highlighted.",
        read=read_spans,
        endings=(".json", ".jsonl"),
        options=LayerOptions,
        sniff=sniff_spans,
        in_folders=True,
        most=None,
    ),
)
