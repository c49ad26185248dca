"""A draft as its raters will see it, in memory: nobody's answers, nothing stored.

While something is still to mend, the question that is being edited is shown all the same, about the items there are or
an invented one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import concordant.collection.events as ev
from concordant.collection.page import PageKind, place
from concordant.collection.session import Running, State, advance, end_of, start
from concordant.design.plan import make_plan
from concordant.design.schema import StudyError
from concordant.design.steps import StepKind, layout_of, least_filled
from concordant.design.study_file import read
from concordant.errors import ConcordantError, InputError
from concordant.studio.drafts import WorkingDraft
from concordant.studio.toml_text import rewritten

RATER = "preview"
MADE_UP = (
    "id,text,first,second\n"
    "u1,The council voted on Tuesday to close the old bridge until spring.,One text.,Another text.\n"
)
BEFORE = tuple(
    kind.value for kind in (PageKind.INTRODUCTION, PageKind.PARTICIPANT, PageKind.INSTRUCTIONS, PageKind.COMPREHENSION)
)


def rehearsed(draft: WorkingDraft, part: str = "") -> Running:
    """The draft as a running study, as much of it as can be shown; an InputError says why it cannot."""
    file = draft.folder / ".preview.toml"
    problem: ConcordantError | None = None
    try:
        for document in attempts(draft, part):
            file.write_text(rewritten("", document) if document is not draft.document else draft.text, encoding="utf-8")
            try:
                description = read(file)
                return Running(description=description, plan=make_plan(description))
            except (StudyError, InputError) as error:
                problem = problem or error
    finally:
        for made in (file, file.with_suffix(".csv")):
            made.unlink(missing_ok=True)
    said = problem.problems[0].what if isinstance(problem, StudyError) else str(problem)
    raise InputError(said)


def attempts(draft: WorkingDraft, part: str) -> Iterator[Mapping[str, Any]]:
    """The whole draft, then the question alone about its items, then about a made-up one."""
    yield draft.document
    asked = draft.document.get("questions", [])
    number = int(part.partition(".")[2]) if part.startswith("questions.") else 0
    if not isinstance(asked, list) or number >= len(asked):
        return
    about = {
        "name": draft.name,
        "title": draft.title,
        "open": True,
        "questions": [{**asked[number], "ask": asked[number].get("ask") or "…"}],
    }
    if "units" in draft.document:
        yield {**about, "units": draft.document["units"]}
    (draft.folder / ".preview.csv").write_text(MADE_UP, encoding="utf-8")
    units = {"file": ".preview.csv", "text": "text"}
    yield {**about, "units": {**units, "alternatives": ["first", "second"]}}
    yield {**about, "units": units}


def beginning(study: Running) -> State:
    """A rater who has just come."""
    return start(study, RATER)


def at_part(study: Running, part: str) -> State:
    """A rater on the page that a part of the builder is about."""
    state = beginning(study)
    if part in ("consent", "pages") or (part == "training" and study.description.comprehension):
        passed = BEFORE[:3] if part == "training" else ()
        return advanced(state, *(ev.Continued(rater=RATER, page=page) for page in passed))
    state = _assigned(replace(state, left_pages=set(BEFORE)))
    wanted = first_step(state, part)
    return replace(state, finished=set(range(wanted)), passed=set(range(wanted)))


def first_step(state: State, part: str) -> int:
    """The number of the first step that shows the part: its question, a training item, else the first to judge."""
    asked = state.study.description.questions
    number = int(part.partition(".")[2]) if part.startswith("questions.") else 0
    wanted = asked[number].id if number < len(asked) else asked[0].id
    kinds = (StepKind.TRAINING,) if part == "training" else (StepKind.MAIN, StepKind.REPEAT)
    stretches = [step for stretch in state.steps.stretches for step in (state.steps[i] for i in stretch[:1])]
    for step in stretches:
        if step.kind in kinds and wanted in step.questions:
            return step.number
    return next((step.number for step in stretches if step.kind is not StepKind.TRAINING), 0)


def advanced(state: State, *given: ev.Event) -> State:
    """The state after what the rater did, with a set when it is time for one and the end when it is there."""
    after = advance(state, *given)
    if place(after)[0] is PageKind.WAITING:
        after = _assigned(after)
    reason = end_of(after)
    if reason and not after.ended:
        after = advance(after, ev.Ended(rater=RATER, reason=reason))
    elif after.is_finished and not after.is_completed:
        after = advance(after, ev.Completed(rater=RATER))
    return after


def _assigned(state: State) -> State:
    study = state.study
    number = least_filled(study.plan, RATER, {})
    layout = layout_of(study.description).to_dict()
    return advance(state, ev.Assigned(rater=RATER, set_number=number, plan=study.plan.hash, layout=layout))


def medium_file(study: Running, path: str) -> Path | None:
    """The file of a picture or sound that the draft shows; None for any other path."""
    shown = {medium.path for unit in study.description.unit_by_id.values() for medium in unit.media}
    examples = study.description.instructions.examples if study.description.instructions else ()
    shown |= {one.image.path for one in examples if one.image}
    return study.description.folder / path if path in shown else None
