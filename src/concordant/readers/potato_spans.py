"""Potato's spans: what each annotator highlighted (`user_state.json`, `annotated_instances.jsonl`).

A schema of highlighting is a layer, its label the category. Whoever has seen an instance and marked nothing marked
nothing: labels, spans and times on the page tell who has.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.model.spans import SpanTable
from concordant.readers.format import LIKELY, SURE, Format
from concordant.readers.json_records import document, documents
from concordant.readers.layers import Annotation, Document, LayerOptions, layered
from concordant.readers.potato import LABELS, STATE, files_of
from concordant.readers.rater_files import Part, Parts

SPANS, VISITED, ASSIGNED = "instance_id_to_span_to_value", "instance_id_to_behavioral_data", "instance_id_ordering"
LINES = "span_annotations"
DEFAULT = "spans"  # the layer of spans whose schema is not named


def read(*paths: str | Path, options: LayerOptions) -> SpanTable:
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
        return rater, {str(one.get("id", row)): [one.get(LINES) or []] for row, one in records}, 0
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


def sniff(path: Path, head: str) -> float:
    """A state or lines in which spans stand; where labels stand beside them, these are likelier what is asked about."""
    is_marked = '"start"' in head and (f'"{SPANS}"' in head or f'"{LINES}"' in head)
    return (LIKELY if '"schema"' in head.partition(f'"{SPANS}"')[0] else SURE) * is_marked


FORMAT = Format(
    name="potato_spans",
    holds="spans",
    help="Potato's spans: a folder of annotators, with what each highlighted.",
    read=read,
    endings=(".json", ".jsonl"),
    options=LayerOptions,
    sniff=sniff,
    in_folders=True,
    most=None,
)
