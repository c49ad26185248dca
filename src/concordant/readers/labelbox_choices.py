"""Labelbox's classifications: its JSON of version 1 and the JSON Lines of version 2.

The unit is the data row, the rater who created the label, the question the title of the classification. Objects (spans,
boxes) are counted and left out; texts typed in are no judgements.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, AnswerOptions, Answers
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import documents

BESIDE = 0.95  # how sure it is of a file that has objects too: those who read objects come first


class Label(NamedTuple):
    """What one person said of one data row."""

    unit: str
    rater: str
    classifications: list[Any]
    n_objects: int
    is_skipped: bool
    known: Mapping[str, Any]


def read(path: str | Path, options: AnswerOptions) -> Study:
    """The classifications of an export."""
    file = Path(path)
    answers = Answers(file)
    for row, record in documents(file):
        try:
            for label in labels_of_version_1(record) if "DataRow ID" in record else labels_of_version_2(record):
                add_label(answers, label, row)
        except (AttributeError, KeyError, TypeError) as error:
            what = f"this is not as Labelbox writes it ({type(error).__name__}: {error})"
            raise InputError(what, file=file, row=row) from None
    return answers.study(options)


def labels_of_version_1(record: dict[str, Any]) -> Iterator[Label]:
    said = record.get("Label") or {}
    is_skipped = bool(record.get("Skipped")) or not isinstance(said, dict)
    said = said if isinstance(said, dict) else {}
    yield Label(
        str(record["DataRow ID"]),
        str(record.get("Created By", "unknown")),
        list(said.get("classifications") or ()),
        len(said.get("objects") or ()),
        is_skipped,
        {"external_id": record.get("External ID"), "dataset": record.get("Dataset Name")},
    )


def labels_of_version_2(record: dict[str, Any]) -> Iterator[Label]:
    row = record["data_row"]
    for project in record["projects"].values():
        for label in project.get("labels", ()):
            said = label.get("annotations") or {}
            yield Label(
                str(row["id"]),
                str((label.get("label_details") or {}).get("created_by", "unknown")),
                list(said.get("classifications") or ()),
                len(said.get("objects") or ()),
                str(label.get("label_kind", "")).casefold() == "skipped",
                {"external_id": row.get("external_id")},
            )


def add_label(answers: Answers, label: Label, row: int) -> None:
    """The answers of one label."""
    answers.about.setdefault(label.unit, label.known)
    answers.left_out["skipped"] += label.is_skipped
    answers.left_out["objects (spans, boxes): no classifications"] += label.n_objects
    for one in label.classifications:
        question = str(one.get("title") or one.get("name") or one["value"])
        value = answer_of(one)
        if value is None:
            answers.unused[question] = "a text typed in is no judgement"
        else:
            answers.given.append(Answer(label.unit, label.rater, question, value, row))
            answers.scales.setdefault(question, Declared(level=Level.NOMINAL))


def answer_of(one: Mapping[str, Any]) -> Any:
    """What was chosen: one option, a list of several, or None for a text."""
    chosen = next(
        (one[name] for name in ("answer", "answers", "radio_answer", "checklist_answers") if name in one), None
    )
    if isinstance(chosen, dict):
        return str(chosen.get("title") or chosen.get("name") or chosen.get("value"))
    if isinstance(chosen, list):
        return [str(each.get("title") or each.get("name") or each.get("value")) for each in chosen]
    return None


def sniff(path: Path, head: str) -> float:
    """The names that Labelbox gives to a label's fields, and a classification."""
    is_first = '"DataRow ID"' in head and '"Label"' in head and '"Created By"' in head
    is_second = '"data_row"' in head and '"projects"' in head and '"annotations"' in head
    if not ((is_first or is_second) and '"classifications"' in head):
        return 0.0
    return BESIDE if '"location"' in head or '"bounding_box"' in head else SURE


FORMAT = Format(
    name="labelbox_choices",
    holds="judgements",
    help="Labelbox's classifications: JSON (version 1) or JSON Lines (version 2).",
    read=read,
    endings=(".json", ".jsonl", ".ndjson"),
    options=AnswerOptions,
    sniff=sniff,
)
