"""Label Studio: choices, ratings, numbers and taxonomies, from its JSON, JSON-MIN and CSV exports.

The unit is the task, the rater who completed the annotation, the question the name of the control (`from_name`). Spans
are read by the format `label_studio`; boxes, polygons and other regions of pictures are counted and refused: they are
neither categories nor stretches of text.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from concordant.choices import choice
from concordant.errors import InputError
from concordant.model.columns import Column, encode
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, Answers, TableAnswerOptions, asked
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import documents
from concordant.readers.table import Table, header, read_table

OWN = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")
REGIONS = ("rectanglelabels", "polygonlabels", "keypointlabels", "brushlabels", "ellipselabels", "rectangle", "polygon")
SPANS = ("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels")
NAMED = {"rectanglelabels": "rectangles", "polygonlabels": "polygons", "keypointlabels": "points"}
LEVELS = {"choices": Level.NOMINAL, "taxonomy": Level.NOMINAL, "pairwise": Level.NOMINAL, "rating": Level.ORDINAL}


class LabelStudioOptions(TableAnswerOptions):
    """Which columns of a CSV or JSON-MIN are answers; a full JSON export says it itself."""

    questions: tuple[str, ...] | None = choice(None, "CSV and JSON-MIN: the columns that are answers: a,b.")


def read(path: str | Path, options: LabelStudioOptions) -> Study:
    """The judgements of an export."""
    file = Path(path)
    if file.suffix.casefold() != ".json":
        return of_table(read_table(path, encoding=options.encoding, separator=options.separator), options)
    tasks = documents(file)
    if not any("annotations" in task or "completions" in task for _, task in tasks):
        return of_flat(file, tasks, options)
    answers, others = Answers(file), Counter[str]()
    for row, task in tasks:
        try:
            add_task(answers, others, row, task)
        except (AttributeError, KeyError, TypeError) as error:
            what = f"the task is not as Label Studio writes it ({type(error).__name__}: {error})"
            raise InputError(what, file=file, row=row) from None
    if not answers.given:
        raise without_choices(file, [task for _, task in tasks], others)
    for kind, n in others.items():
        answers.left_out[f"{NAMED.get(kind, kind)}, which are no categories of a task"] += n
    return answers.study(options)


def _annotations(task: dict[str, Any]) -> list[dict[str, Any]]:
    return list(task.get("annotations", task.get("completions", [])))


def _person(annotation: dict[str, Any]) -> str:
    """Who completed an annotation: an e-mail address, or a number."""
    person = annotation.get("completed_by")
    if isinstance(person, dict):
        person = person.get("email") or person.get("id")
    return "unknown" if person is None else str(person)


def add_task(answers: Answers, others: Counter[str], row: int, task: dict[str, Any]) -> None:
    """The answers of one task."""
    unit = str(task.get("id", row))
    answers.about[unit] = dict(task.get("data") or {})
    answers.left_out["predictions: a model is not a rater"] += len(task.get("predictions") or ())
    for annotation in _annotations(task):
        if annotation.get("was_cancelled"):
            answers.left_out["skipped by the annotator"] += 1
            continue
        for result in annotation.get("result") or ():
            kind, value = str(result.get("type", "")), result.get("value") or {}
            if {"start", "x", "points"} & value.keys() and kind not in (*REGIONS, *SPANS):
                others["answers about single regions"] += 1
            elif (found := value_of(kind, value)) is None:
                others[kind] += 1
            else:
                question = str(result.get("from_name", kind))
                answers.given.append(Answer(unit, _person(annotation), question, found, row))
                answers.scales.setdefault(question, Declared(level=LEVELS.get(kind)))


def value_of(kind: str, value: dict[str, Any]) -> Any:
    """What a control says; None if it says no category or number."""
    if kind == "taxonomy":
        return [" / ".join(map(str, way)) if isinstance(way, list) else str(way) for way in value["taxonomy"]]
    if kind == "pairwise":
        return value["selected"]
    return value.get(kind) if kind in ("choices", "rating", "number") else None


def without_choices(file: Path, tasks: Sequence[dict[str, Any]], others: Counter[str]) -> InputError:
    """Say what is in a file that has neither choices nor ratings."""
    done = [one for task in tasks for one in _annotations(task) if not one.get("was_cancelled")]
    size = f"tasks: {len(tasks)}, raters: {len({_person(one) for one in done})}, annotations: {len(done)}"
    found = ", ".join(f"{NAMED.get(kind, kind)}: {n}" for kind, n in others.items())
    if set(others) & set(REGIONS):
        why = "boxes and polygons are neither categories nor character spans, and cannot be measured here"
        return InputError(f"{size}, {found}: {why}", file=file, hint="export choices, ratings or text labels")
    hint = "say --format label_studio for spans" if set(others) & set(SPANS) else "export tasks with choices or ratings"
    return InputError(f"{size}, {found or 'no result'}: there are no judgements", file=file, hint=hint)


def of_flat(file: Path, tasks: Sequence[tuple[int, dict[str, Any]]], options: LabelStudioOptions) -> Study:
    """JSON-MIN: one object per annotation, in which the answers stand between the task's id and the annotator."""
    answers = Answers(file)
    for row, task in tasks:
        names = list(task)
        if "id" not in task or "annotator" not in task:
            what = "the object has no id or no annotator"
            raise InputError(what, file=file, row=row, hint="export as JSON or JSON-MIN from Label Studio")
        between = tuple(names[names.index("id") + 1 : names.index("annotator")])
        questions = between if options.questions is None else options.questions
        unit = str(task["id"])
        answers.about.setdefault(unit, {name: task[name] for name in names if name not in (*OWN, *questions)})
        for name in questions:
            value = task.get(name)
            found = value.get("choices") if isinstance(value, dict) else value
            if isinstance(found, list) and any(isinstance(one, dict | list) for one in found):
                answers.left_out[f"{name}: spans or regions, not categories"] += 1
            else:
                answers.given.append(Answer(unit, str(task["annotator"]), name, found, row))
    return answers.study(options)


def of_table(table: Table, options: LabelStudioOptions) -> Study:
    """CSV: an answer is a column that annotators of one task fill differently, unless the user names them."""
    unit, rater = table.column("id").as_labels(), table.column("annotator").as_labels()
    rest = [name for name in table.names if name not in OWN]
    regions = [name for name in rest if has_regions(table, name)]
    rest = [name for name in rest if name not in regions]
    questions = options.questions or tuple(name for name in rest if differs_within_tasks(table, name))
    if not questions:
        what = "no column was filled differently by two annotators, so none is known to be an answer"
        hint = f"say --read questions=NAME (columns: {', '.join(rest[:8])}), or export as JSON"
        raise InputError(what, file=table.file, hint=hint)
    columns = {name: plain(table, name) for name in questions}
    rows = np.asarray(rater.codes >= 0)
    return asked(
        table,
        options,
        unit=unit,
        rater=rater,
        questions=columns,
        rows=rows,
        attributes=[name for name in rest if name not in questions],
        scales={name: Declared(level=Level.SET) for name in questions if has_lists(table, name)},
        unused={name: "it says when and how the task was done" for name in OWN[2:] if name in table.names}
        | dict.fromkeys(regions, "spans or regions, not categories (--format label_studio)"),
        left_out=[(int((~rows).sum()), "without an annotator")],
        notes=()
        if options.questions
        else (f"answers are {', '.join(questions)} (say --read questions=… to change it)",),
    )


def differs_within_tasks(table: Table, name: str) -> bool:
    """Whether a column has two values in one task."""
    unit, column = table.columns["id"].as_labels(), table.columns[name].as_labels()
    pairs = np.unique(np.stack([unit.codes, column.codes]), axis=1)
    return bool(len(np.unique(pairs[0])) < pairs.shape[1])


def plain(table: Table, name: str) -> Column:
    """A column whose cells may be JSON: `{"choices": ["a", "b"]}` is a+b; regions are refused."""
    column = table.column(name).as_labels()
    labels = [*(members_of(label, table, name) for label in column.labels), ""]
    return encode(np.array(labels, dtype=object)[column.codes])


def has_lists(table: Table, name: str) -> bool:
    return any(label.startswith('{"choices"') for label in table.columns[name].as_labels().labels)


def has_regions(table: Table, name: str) -> bool:
    """Whether cells hold spans or regions."""
    return any(label.startswith("[{") and '"start"' in label for label in table.columns[name].as_labels().labels)


def members_of(label: str, table: Table, name: str) -> str:
    if not label.startswith(("{", "[")):
        return label
    try:
        found = json.loads(label)
    except (ValueError, RecursionError):
        return label
    members = found.get("choices", []) if isinstance(found, dict) else found
    if not all(isinstance(one, str) for one in members):
        hint = "export as JSON to read spans"
        raise InputError("the cells hold spans or regions, not categories", file=table.file, column=name, hint=hint)
    return "+".join(sorted(members))


def kinds_in(head: str) -> Iterator[str]:
    """The kinds of results that a head names."""
    for kind in ("choices", "rating", "number", "taxonomy", "pairwise", *REGIONS, *SPANS):
        if f'"type": "{kind}"' in head or f'"type":"{kind}"' in head:
            yield kind


def sniff(path: Path, head: str) -> float:
    """Results that say categories, or regions (which are refused here), and no spans; or the columns of its CSV."""
    if path.suffix.casefold() == ".json":
        if '"annotation_id"' in head and '"annotator"' in head and '"result"' not in head:
            return SURE * ('"start"' not in head or not any(f'"{kind}"' in head for kind in SPANS))
        kinds = set(kinds_in(head)) if '"from_name"' in head and '"result"' in head else set()
        return SURE * bool(kinds and not kinds & set(SPANS))
    is_own = path.is_file() and {"annotation_id", "annotator", "lead_time", "id"} <= header(path, head)
    return SURE * (is_own and not any(f'""{kind}""' in head for kind in SPANS))


FORMAT = Format(
    name="label_studio_choices",
    holds="judgements",
    help="Label Studio's choices and ratings: JSON, JSON-MIN or CSV.",
    read=read,
    endings=(".json", ".csv", ".tsv"),
    options=LabelStudioOptions,
    sniff=sniff,
)
