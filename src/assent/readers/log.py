"""Judgements straight from a study's log: `assent measure STUDY` while the study runs, or after.

Main items only: training, gold and repeated items are not what raters agree on. The study's cleaning rules are
applied, and the notes say what they left out. Rankings, free texts and spans are no categories, so they are not read
here (`assent export` has them).
"""

from collections.abc import Sequence
from pathlib import Path

from assent.collection.cleaning import Cleaned, clean
from assent.collection.collected import collect
from assent.collection.database import FILE, default_url
from assent.collection.judgement_table import Judged, fan_out_counts, judged
from assent.collection.log import Log
from assent.collection.session import Study as CollectionStudy
from assent.design.description import Description, Question, Task
from assent.design.ordering import Kind
from assent.design.planning import load_plan
from assent.design.study_file import FILE as STUDY_FILE
from assent.design.study_file import read as read_description
from assent.design.values import as_text
from assent.errors import InputError
from assent.model.columns import Column, encode
from assent.model.scale import Level, level_named
from assent.model.study import Declared, Study

LEVELS = {
    Task.BINARY: Level.NOMINAL,
    Task.CATEGORICAL: Level.NOMINAL,
    Task.PAIRWISE: Level.NOMINAL,
    Task.ORDINAL: Level.ORDINAL,
    Task.SLIDER: Level.INTERVAL,
    Task.MULTILABEL: Level.SET,
    Task.PATTERNS: Level.SET,
}


def read(path: str | Path, *, attributes: Sequence[str] | None = None, level: str | Level | None = None) -> Study:
    """The judgements of a study as they stand in its log now."""
    place = Path(path)
    description = read_description(place.parent if place.name == FILE else place)
    url = default_url(description.folder)
    if url.startswith("sqlite") and not (description.folder / FILE).exists():
        raise InputError("nothing was collected yet", file=place, hint=f"run `assent serve {place}`")
    with Log.open(url) as log:
        cleaned = clean(collect(log, CollectionStudy(description=description, plan=load_plan(description))))
    rows = [row for row in judged(cleaned.collected) if row.judgement.kind is Kind.MAIN and row.question.task in LEVELS]
    if not rows:
        raise InputError("there are no judgements yet", file=place, hint="wait for answers, or look at `assent export`")
    return _study(description, cleaned, rows, attributes, level)


def _study(
    description: Description,
    cleaned: Cleaned,
    rows: list[Judged],
    attributes: Sequence[str] | None,
    level: str | Level | None,
) -> Study:
    asked = [question for question in description.questions if any(row.question is question for row in rows)]
    return Study(
        name=str(description.folder / STUDY_FILE),
        unit=encode([row.unit.id for row in rows]),
        rater=encode([row.judgement.rater for row in rows]),
        value=encode([as_text(row.question, row.judgement.value) for row in rows]),
        question=encode([row.question.id for row in rows]) if len(description.questions) > 1 else None,
        attributes=_attributes(rows, attributes),
        level=level_named(level) if level is not None else _common_level(asked),
        categories=_common_categories(asked),
        scales={} if level is not None else {question.id: _declared(question) for question in asked},
        notes=_notes(description, cleaned),
    )


def _attributes(rows: list[Judged], wanted: Sequence[str] | None) -> dict[str, Column]:
    """What is known about the unit and, with `rater_` before it, about the rater."""
    known = [{**row.unit.attributes, **{f"rater_{k}": v for k, v in row.about_rater.items()}} for row in rows]
    names = dict.fromkeys(name for attributes in known for name in attributes)
    chosen = [name for name in names if wanted is None or name in wanted]
    return {name: encode([attributes.get(name, "") for attributes in known], missing=[""]) for name in chosen}


def _common_level(questions: list[Question]) -> Level | None:
    """The level of measurement of all questions pooled, when they share one; otherwise it is guessed."""
    levels = {LEVELS[question.task] for question in questions}
    return levels.pop() if len(levels) == 1 else None


def _common_categories(questions: list[Question]) -> tuple[str, ...] | None:
    """The declared categories, those nobody used included, when all questions share them."""
    declared = {_categories(question) for question in questions}
    return (declared.pop() or None) if len(declared) == 1 else None


def _declared(question: Question) -> Declared:
    """The scale of one question as the study file declares it."""
    return Declared(level=LEVELS[question.task], categories=_categories(question) or None)


def _categories(question: Question) -> tuple[str, ...]:
    if question.task is Task.PATTERNS:
        return tuple(dict.fromkeys(pattern.category for pattern in question.patterns))
    return tuple(option.value for option in question.options)


def _notes(description: Description, cleaned: Cleaned) -> tuple[str, ...]:
    """What the reader should know: cleaning, fanning out, and questions that were left aside."""
    notes = [
        f"{step.n_left_out} raters left out by the study's cleaning rules: {step.reason}"
        for step in cleaned.flow
        if step.n_left_out
    ]
    notes += [f"{n} of {cleaned.n_fields} answers dropped: {reason}" for reason, n in cleaned.counts.items()]
    n_judged, n_fanned = fan_out_counts(cleaned.collected)
    if n_fanned != n_judged:
        notes.append(f"identical texts were judged once: {n_judged} judgements given, {n_fanned} after fanning out")
    aside = [question.id for question in description.questions if question.task not in LEVELS]
    if aside:
        notes.append(f"not measured here: {', '.join(aside)} (rankings, texts and spans; see `assent export`)")
    return tuple(notes)
