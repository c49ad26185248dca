"""What a rater is shown: the page that their state leads to, with everything it may offer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from concordant.collection.session import State, end_of
from concordant.design.steps import Step, StepKind


class PageKind(StrEnum):
    """What is on display. Introduction and participant may share a screen; they are left by two events all the same."""

    INTRODUCTION = "introduction"  # left by Consented, or by Continued when there is nothing to consent to
    PARTICIPANT = "participant"  # left by Described
    INSTRUCTIONS = "instructions"  # left by Continued
    COMPREHENSION = "comprehension"  # left by Checked when all is right
    WAITING = "waiting"  # no set yet: the server has to enrol the rater (`Log.enrol`)
    TRAINING = "training"  # a step, as in judging
    FEEDBACK = "feedback"  # the expected answer of a training step; left by Continued with the step
    JUDGING = "judging"  # left by Answered where one choice is the whole answer, otherwise by Continued with the step
    BETWEEN = "between"  # all that is open is judged, and there are more rounds; nothing to do but come back
    QUIT = "quit"  # left by Resumed, or by anything else the rater does
    THANKS = "thanks"  # the end; Commented stays here
    ENDED = "ended"  # the end for whoever was screened out or did not pass a check


@dataclass(frozen=True, kw_only=True)
class Page:
    """What to show: the kind; for training, feedback and judging the step, its answers so far, "n of total" and what
    is allowed.

    `versions` are the events that made the answers what they are.
    `n` and `total` count within the step's pass. `is_right` (feedback only) is None when nothing is expected.
    `upcoming` is the step after this one, so that its media can be fetched early.
    """

    kind: PageKind
    step: Step | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict, compare=False)
    n: int = 0
    total: int = 0
    n_passes: int = 1
    can_go_back: bool = False
    can_defer: bool = False
    can_continue: bool = False
    is_revisit: bool = False
    is_right: bool | None = None
    is_second_try: bool = False
    tries_left: int = 0
    upcoming: Step | None = None


def page(state: State) -> Page:
    """The page to show now."""
    kind, step = place(state)
    presentation = state.study.description.presentation
    has_before = bool(state.trail) if state.back is None else state.back > 0
    can_go_back = presentation.go_back and has_before
    if step is None:
        check = state.study.description.comprehension
        return Page(
            kind=kind,
            can_go_back=can_go_back and kind in {PageKind.THANKS, PageKind.BETWEEN},
            is_second_try=state.n_failed > 0,
            tries_left=check.tries - state.n_failed if check else 0,
        )
    stretch = next(stretch for stretch in state.steps.stretches if step.number in stretch)
    before = state.finished - {step.number} if state.back is None else state.trail[: state.back]
    is_feedback, is_judging = kind is PageKind.FEEDBACK, kind is PageKind.JUDGING
    not_sure = [state.study.description.question(question).not_sure for question in step.questions]
    others = (other for other in _ahead(state) if is_feedback or other.number != step.number)
    return Page(
        kind=kind,
        step=step,
        answers=state.answers_of(step),
        versions={q: found.id for q in step.questions if (found := state.versions.get((step.number, q)))},
        n=1 + sum(number in stretch for number in before),
        total=len(stretch),
        n_passes=1 if is_feedback else 1 + state.steps[-1].pass_number,
        can_go_back=is_judging and can_go_back,
        can_defer=is_judging and any(not_sure),
        can_continue=is_feedback or state.is_answered(step),
        is_revisit=state.back is not None and not is_feedback,
        is_right=state.is_right(step) if is_feedback else None,
        is_second_try=state.tries.get(step.number, 0) > is_feedback,
        upcoming=next(others, None),
    )


def place(state: State) -> tuple[PageKind, Step | None]:
    """Where the rater is: the kind of page and its step, without what the page offers."""
    description = state.study.description
    opening = {
        PageKind.INTRODUCTION: description.introduction is not None,
        PageKind.PARTICIPANT: bool(description.participant),
        PageKind.INSTRUCTIONS: description.instructions is not None,
        PageKind.COMPREHENSION: description.comprehension is not None,
    }
    if end_of(state):
        return PageKind.ENDED, None
    if state.has_quit:
        return PageKind.QUIT, None
    for kind, exists in opening.items():
        if exists and kind.value not in state.left_pages:
            return kind, None
    if not state.steps:
        return PageKind.WAITING, None
    if state.feedback is not None:
        return PageKind.FEEDBACK, state.steps[state.feedback]
    step = current_step(state)
    if step is None:
        return PageKind.THANKS if state.is_finished else PageKind.BETWEEN, None
    return PageKind.TRAINING if step.kind is StepKind.TRAINING else PageKind.JUDGING, step


def current_step(state: State) -> Step | None:
    """The step on display: the one gone back to, or the next to judge; None at the end."""
    if state.back is not None:
        return state.steps[state.trail[state.back]]
    return next(_ahead(state), None)


def _ahead(state: State) -> Iterator[Step]:
    """The steps still to judge, in order: training, then each pass with its deferred steps at the end.

    Rounds that are not open yet are not among them.
    """
    waiting, n_open = set(state.deferred), state.study.description.open_rounds
    end = len(state.steps) if n_open is None else state.steps.end_of_round(n_open)
    for stretch in state.steps.stretches:
        if stretch.start >= end:
            return
        yield from (state.steps[i] for i in stretch if i not in state.finished and i not in waiting)
        yield from (state.steps[number] for number in state.deferred if number in stretch)
