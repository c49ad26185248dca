"""One rater's session, as a pure function: description + plan + the rater's events -> where they stand.

`replay` folds the events into a `State`; `advance` takes one more; `assent.collection.pages.page` says what the state
shows. Any sequence of events gives a valid state: an event that makes no sense where it stands (an answer to a step
nobody was given, going back from the first page) changes nothing. So two open tabs, late deliveries and half a log
are all harmless.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assent.collection.events import (
    Answered,
    Assigned,
    Commented,
    Completed,
    Consented,
    Continued,
    Deferred,
    Described,
    Event,
    Quit,
    Shown,
    WentBack,
)  # fmt: skip
from assent.design.answers import is_complete, matches_expected, problem
from assent.design.description import Description
from assent.design.ordering import Kind, Step
from assent.design.plan import Plan
from assent.design.showing import unit_shown


@dataclass(frozen=True, kw_only=True)
class Study:
    """What a session is played on: the description and its plan."""

    description: Description
    plan: Plan

    def advances(self, step: Step) -> bool:
        """Whether answering turns the page: the step has one question and one choice is the whole answer."""
        return len(step.questions) == 1 and self.description.question(step.questions[0]).advances


@dataclass(frozen=True, kw_only=True)
class State:
    """Where a rater stands; made by `replay`. `trail` lists the judging steps left so far, the latest last."""

    study: Study
    rater: str
    set_number: int | None = None
    steps: tuple[Step, ...] = ()
    left_pages: frozenset[str] = frozenset()
    described: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[tuple[int, str], Any] = field(default_factory=dict)
    finished: frozenset[int] = frozenset()
    deferred: tuple[int, ...] = ()
    trail: tuple[int, ...] = ()
    back: int | None = None
    feedback: int | None = None
    tries: Mapping[int, int] = field(default_factory=dict)
    has_quit: bool = False
    has_commented: bool = False
    is_completed: bool = False

    def step(self, number: int | None) -> Step | None:
        """The step with this number, None when the rater has none such."""
        return self.steps[number] if number is not None and 0 <= number < len(self.steps) else None

    def answers_of(self, step: Step) -> dict[str, Any]:
        """The current answers of one step by question; cleared ones are left out."""
        return {q: v for q in step.questions if (v := self.answers.get((step.number, q))) is not None}

    def is_answered(self, step: Step) -> bool:
        """Whether the rater may go on from this step."""
        description = self.study.description
        return all(is_complete(description.question(q), self.answers.get((step.number, q))) for q in step.questions)

    def is_right(self, step: Step) -> bool | None:
        """Whether the answers of a training or gold step are the expected ones; None when nothing is expected."""
        description = self.study.description
        expected = unit_shown(description, self.study.plan, step.unit).expected
        asked = [question for question in step.questions if question in expected]
        if not asked:
            return None
        given = self.answers_of(step)
        return all(matches_expected(description.question(q), expected[q], given.get(q)) for q in asked)

    @property
    def is_finished(self) -> bool:
        """Whether every step has been judged; the server then records `Completed`."""
        return bool(self.steps) and len(self.finished) == len(self.steps) and self.feedback is None


def start(study: Study, rater: str) -> State:
    """A rater of whom nothing is known yet."""
    return State(study=study, rater=rater)


def replay(study: Study, rater: str, events: Iterable[Event]) -> State:
    """Fold all events of one rater, in the order of the log."""
    state = start(study, rater)
    for event in events:
        state = advance(state, event)
    return state


def advance(state: State, event: Event) -> State:
    """The state after one more event; an event that makes no sense here changes nothing."""
    if isinstance(event, Shown):
        return state
    return _advanced(replace(state, has_quit=False), event)


def _advanced(state: State, event: Event) -> State:
    match event:
        case Assigned():
            return _assigned(state, event)
        case Consented():
            return _left(state, "introduction")
        case Described():
            return _left(replace(state, described=dict(event.answers)), "participant")
        case Answered():
            return _answered(state, event)
        case Deferred():
            return _deferred(state, event)
        case Continued():
            return _continued(state, event)
        case WentBack():
            return _went_back(state)
        case Quit():
            return replace(state, has_quit=not state.is_finished)
        case Commented():
            return replace(state, has_commented=True)
        case Completed():
            return replace(state, is_completed=True)
    return state


def _left(state: State, page: str) -> State:
    return replace(state, left_pages=state.left_pages | {page})


def _assigned(state: State, event: Assigned) -> State:
    """The first assignment counts: a rater keeps their set."""
    if state.steps:
        return state
    return replace(state, set_number=event.set_number, steps=tuple(Step.from_dict(step) for step in event.steps))


def _answered(state: State, event: Answered) -> State:
    step = state.step(event.step)
    if step is None or event.question not in step.questions or _is_refused(state, step, event):
        return state
    state = replace(state, answers={**state.answers, (step.number, event.question): event.value})
    if event.value is not None and state.study.advances(step):
        return _leave(state, step)
    return state if state.is_answered(step) else _reopen(state, step)


def _is_refused(state: State, step: Step, event: Answered) -> bool:
    unit = unit_shown(state.study.description, state.study.plan, step.unit)
    return problem(state.study.description.question(event.question), unit, event.value) is not None


def _deferred(state: State, event: Deferred) -> State:
    """Put a judging step aside: it has no answer now and comes back at the end of its pass."""
    step = state.step(event.step)
    if step is None or step.kind is Kind.TRAINING:
        return state
    answers = {key: value for key, value in state.answers.items() if key[0] != step.number}
    state = _reopen(replace(state, answers=answers), step)
    waiting = (*(number for number in state.deferred if number != step.number), step.number)
    return replace(state, deferred=waiting, trail=_trail(state, step), back=None)


def _continued(state: State, event: Continued) -> State:
    if event.page == "feedback":
        return _after_feedback(state, event.step)
    step = state.step(event.step)
    if step is None:
        return _left(state, event.page)
    return _leave(state, step) if state.is_answered(step) else state


def _leave(state: State, step: Step) -> State:
    """A step is judged. A training step then shows its feedback; a judging step joins the trail."""
    state = replace(
        state,
        finished=state.finished | {step.number},
        deferred=tuple(number for number in state.deferred if number != step.number),
    )
    if step.kind is Kind.TRAINING:
        tries = {**state.tries, step.number: state.tries.get(step.number, 0) + 1}
        return replace(state, feedback=step.number, tries=tries)
    return replace(state, trail=_trail(state, step), back=None)


def _reopen(state: State, step: Step) -> State:
    return replace(state, finished=state.finished - {step.number})


def _trail(state: State, step: Step) -> tuple[int, ...]:
    """A step revisited keeps its place on the trail; a new one, or one that was put aside, goes to the end."""
    if state.back is not None and step.number in state.trail:
        return state.trail
    return (*(number for number in state.trail if number != step.number), step.number)


def _after_feedback(state: State, number: int | None) -> State:
    """Leave the feedback; a wrong first answer is asked again when the study gives a second try."""
    if number is None or number != state.feedback:
        return state
    state = replace(state, feedback=None)
    training = state.study.description.training
    if training and training.second_try and state.tries[number] == 1 and state.is_right(state.steps[number]) is False:
        return _reopen(state, state.steps[number])
    return state


def _went_back(state: State) -> State:
    if not state.study.description.presentation.go_back or not state.trail:
        return state
    return replace(state, back=len(state.trail) - 1 if state.back is None else max(0, state.back - 1))
