"""LightTag's JSON: examples with annotations (spans) and classifications, each with those who made it.

The rater is the annotator. Who reviewed something is no rater, nor is a model. Whoever has seen an example and marked
nothing in it marked nothing: `seen_by` says so.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.spans import Mark
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, AnswerOptions, Answers
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import document
from concordant.readers.rater_files import Marked, Part, span_format

REVIEW = "a review is not a rater's judgement"
QUESTION = "classification"
MODEL = ("model", "suggester", "suggestion")


def examples_of(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The examples of an export, with their numbers."""
    found = document(file)
    listed = found.get("examples") if isinstance(found, dict) else found
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise InputError("there is no list of examples", file=file, hint="export the dataset as JSON")
    yield from enumerate(listed, start=1)


def name_of(example: Mapping[str, Any], row: int) -> str:
    return str(example.get("example_id") or example.get("id") or row)


def people(made: Mapping[str, Any]) -> list[str]:
    """Who made an annotation; models are not among them."""
    who = [one if isinstance(one, dict) else {"annotator": one} for one in made.get("annotated_by") or ()]
    return [str(one["annotator"]) for one in who if not any(one.get(key) for key in MODEL)]


def of_file(part: Part) -> Marked:
    """The spans of an export."""
    marks: list[Mark] = []
    seen: set[tuple[str, str]] = set()
    lengths: dict[str, float] = {}
    left_out: list[str] = []
    unused: dict[str, str] = {}
    for row, example in examples_of(part.file):
        text = name_of(example, row)
        try:
            seen |= {(text, str(one["annotator"])) for one in example.get("seen_by") or ()}
            lengths |= {text: float(len(example["content"]))} if isinstance(example.get("content"), str) else {}
            for one in example.get("annotations") or ():
                who = people(one)
                left_out += [] if who else ["annotations of models, or of nobody"]
                marks += [Mark(text, by, float(one["start"]), float(one["end"]), str(one["tag"])) for by in who]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"this is not an example of LightTag ({type(error).__name__}: {error})"
            raise InputError(what, file=part.file, row=row, hint="export it again") from None
        unused |= unused_of(example)
        left_out += ["classifications of whole texts are not spans"] * len(example.get("classifications") or ())
    return Marked(marks, lengths, seen | {(mark.text, mark.rater) for mark in marks}, unused, left_out)


def unused_of(example: Mapping[str, Any]) -> dict[str, str]:
    """What is not compared."""
    made = [*(example.get("annotations") or ()), *(example.get("classifications") or ())]
    is_reviewed = any(one.get("reviewed_by") or one.get("correct") is not None for one in made)
    found = {"relations": "relations are not compared"} if example.get("relations") else {}
    return found | ({"correct": REVIEW} if is_reviewed else {})


def read(path: str | Path, options: AnswerOptions) -> Study:
    """The classifications of an export: who gave an example several of them gave a set."""
    answers = Answers(Path(path))
    for row, example in examples_of(answers.file):
        unit = name_of(example, row)
        given: dict[str, list[str]] = {}
        try:
            for one in example.get("classifications") or ():
                for who in people(one):
                    given.setdefault(who, []).append(str(one["classname"]))
        except (KeyError, TypeError, AttributeError) as error:
            what = f"this is not an example of LightTag ({type(error).__name__}: {error})"
            raise InputError(what, file=answers.file, row=row, hint="export it again") from None
        answers.about[unit] = example["metadata"] if isinstance(example.get("metadata"), dict) else {}
        answers.unused |= unused_of(example)
        answers.left_out["annotations (spans) are not classifications"] += len(example.get("annotations") or ())
        answers.given += [Answer(unit, who, QUESTION, classes, row) for who, classes in given.items()]
    if any(len(one.value) > 1 for one in answers.given):
        answers.scales[QUESTION] = Declared(level=Level.SET)
    return answers.study(options)


def is_lighttag(path: Path, head: str) -> bool:
    known = '"annotated_by"' in head and '"annotator"' in head
    return path.suffix.casefold() == ".json" and known and ('"example_id"' in head or '"examples"' in head)


FORMAT = (
    span_format(
        of_file,
        name="lighttag",
        help="LightTag's spans: the rater is the annotator.",
        endings=(".json",),
        order="text/rater",
        sniff=lambda path, head: SURE * (is_lighttag(path, head) and '"tag"' in head and '"start"' in head),
    ),
    Format(
        name="lighttag_choices",
        holds="judgements",
        help="LightTag's classifications: the rater is the annotator.",
        read=read,
        endings=(".json",),
        options=AnswerOptions,
        sniff=lambda path, head: (
            (0.95 if '"start"' in head else SURE) * (is_lighttag(path, head) and '"classname"' in head)
        ),
    ),
)
