"""What a rater's state shows: the page, with everything the page may offer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from assent.collection.session import State
from assent.design.ordering import Kind, Step


class PageKind(StrEnum):
    """What is on display. Introduction and participant may share a screen; they are left by two events all the same."""

    INTRODUCTION = "introduction"  # left by Consented, or by Continued when there is nothing to consent to
    PARTICIPANT = "participant"  # left by Described
    INSTRUCTIONS = "instructions"  # left by Continued
    WAITING = "waiting"  # no set yet: the server has to enrol the rater (`Log.enrol`)
    TRAINING = "training"  # a step, as in judging
    FEEDBACK = "feedback"  # the expected answer of a training step; left by Continued with the step
    JUDGING = (
        "judging"  # left by Answered when the step has one advancing question, otherwise by Continued with the step
    )
    QUIT = "quit"  # left by Resumed, or by anything else the rater does
    THANKS = "thanks"  # the end; Commented stays here


@dataclass(frozen=True, kw_only=True)
class Page:
    """What to show: the kind; for training, feedback and judging the step, its answers so far, "n of total" and what
    is allowed.

    `n` and `total` count within the step's pass. `is_right` (feedback only) is None when nothing is expected.
    `upcoming` is the step after this one, so that its media can be fetched early.
    """

    kind: PageKind
    step: Step | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    n: int = 0
    total: int = 0
    n_passes: int = 1
    can_go_back: bool = False
    can_defer: bool = False
    can_continue: bool = False
    is_revisit: bool = False
    is_right: bool | None = None
    is_second_try: bool = False
    upcoming: Step | None = None


def page(state: State) -> Page:
    """The page to show now."""
    kind, step = place(state)
    if step is None:
        return _thanks(state) if kind is PageKind.THANKS else Page(kind=kind)
    return _feedback(state, step) if kind is PageKind.FEEDBACK else _judging(state, step)


def place(state: State) -> tuple[PageKind, Step | None]:
    """Where the rater is: the kind of page and its step, without what the page offers."""
    if state.has_quit:
        return PageKind.QUIT, None
    if (before := _page_before(state)) is not None:
        return before, None
    if not state.steps:
        return PageKind.WAITING, None
    if state.feedback is not None:
        return PageKind.FEEDBACK, state.steps[state.feedback]
    return _judging_place(current_step(state))


def _judging_place(step: Step | None) -> tuple[PageKind, Step | None]:
    if step is None:
        return PageKind.THANKS, None
    return PageKind.TRAINING if step.kind is Kind.TRAINING else PageKind.JUDGING, step


def current_step(state: State) -> Step | None:
    """The step on display: the one gone back to, or the next to judge; None at the end."""
    if state.back is not None:
        return state.steps[state.trail[state.back]]
    return next(_ahead(state), None)


def _page_before(state: State) -> PageKind | None:
    """The first of the opening pages that the study has and the rater has not left."""
    description = state.study.description
    opening = {
        PageKind.INTRODUCTION: description.introduction is not None,
        PageKind.PARTICIPANT: bool(description.participant),
        PageKind.INSTRUCTIONS: description.instructions is not None,
    }
    return next((kind for kind, exists in opening.items() if exists and kind.value not in state.left_pages), None)


def _ahead(state: State) -> Iterator[Step]:
    """The steps still to judge, in order: training, then each pass with its deferred steps at the end."""
    waiting = set(state.deferred)
    for stretch in state.stretches:
        yield from (step for step in stretch if step.number not in state.finished and step.number not in waiting)
        yield from (state.steps[number] for number in state.deferred if _is_in(stretch, number))


def _is_in(stretch: tuple[Step, ...], number: int) -> bool:
    return stretch[0].number <= number <= stretch[-1].number


def _judging(state: State, step: Step) -> Page:
    description = state.study.description
    is_training = step.kind is Kind.TRAINING
    return Page(
        kind=PageKind.TRAINING if is_training else PageKind.JUDGING,
        step=step,
        answers=state.answers_of(step),
        n=_position(state, step),
        total=len(_stretch(state, step)),
        n_passes=1 + state.steps[-1].pass_number,
        can_go_back=description.presentation.go_back and not is_training and _has_before(state),
        can_defer=not is_training and any(description.question(q).not_sure for q in step.questions),
        can_continue=state.is_answered(step),
        is_revisit=state.back is not None,
        is_second_try=bool(state.tries.get(step.number)),
        upcoming=next((other for other in _ahead(state) if other.number != step.number), None),
    )


def _feedback(state: State, step: Step) -> Page:
    return Page(
        kind=PageKind.FEEDBACK,
        step=step,
        answers=state.answers_of(step),
        n=_position(state, step),
        total=len(_stretch(state, step)),
        can_continue=True,
        is_right=state.is_right(step),
        is_second_try=state.tries.get(step.number, 0) > 1,
        upcoming=next(_ahead(state), None),
    )


def _thanks(state: State) -> Page:
    return Page(kind=PageKind.THANKS, can_go_back=state.study.description.presentation.go_back and _has_before(state))


def _has_before(state: State) -> bool:
    return bool(state.trail) if state.back is None else state.back > 0


def _stretch(state: State, step: Step) -> tuple[Step, ...]:
    """The steps that are counted together with this one in "n of N"."""
    return next(stretch for stretch in state.stretches if _is_in(stretch, step.number))


def _position(state: State, step: Step) -> int:
    """The n of "n of N": how many steps of the stretch came before this one, and itself."""
    stretch = _stretch(state, step)
    before = state.finished - {step.number} if state.back is None else state.trail[: state.back]
    return 1 + sum(_is_in(stretch, number) for number in before)
