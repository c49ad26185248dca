"""One rater's session, as a pure function: description + plan + the rater's events -> where they stand.

`replay` folds the events into a `State`; `advance` takes one more; `assent.collection.pages.page` says what the state
shows. Any sequence of events gives a valid state: an event that makes no sense where it stands (an answer to a step
nobody was given, going back from the first page) changes nothing. So two open tabs, late deliveries and half a log
are all harmless.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
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


@dataclass(kw_only=True)
class State:
    """Where a rater stands. A value: `advance` returns another one and leaves this one as it is.

    `stretches` are the steps in parts: training, then each pass. `trail` lists the judging steps left so far, the
    latest last; `back` is the place on it that the rater went back to.
    """

    study: Study
    rater: str
    set_number: int | None = None
    steps: tuple[Step, ...] = ()
    stretches: tuple[tuple[Step, ...], ...] = ()
    left_pages: set[str] = field(default_factory=set)
    described: Mapping[str, str] = field(default_factory=dict)
    answers: dict[tuple[int, str], Any] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)
    deferred: list[int] = field(default_factory=list)
    trail: list[int] = field(default_factory=list)
    back: int | None = None
    feedback: int | None = None
    tries: dict[int, int] = field(default_factory=dict)
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
        _apply(state, event)
    return state


def advance(state: State, *events: Event) -> State:
    """The state after more events; an event that makes no sense here changes nothing."""
    after = replace(
        state,
        left_pages=set(state.left_pages),
        answers=dict(state.answers),
        finished=set(state.finished),
        deferred=list(state.deferred),
        trail=list(state.trail),
        tries=dict(state.tries),
    )
    for event in events:
        _apply(after, event)
    return after


def passing(state: State, step: Step) -> State:
    """The state after a step, whatever its answer: for looking ahead, never stored."""
    after = advance(state, Shown(rater=state.rater, page=""))
    _leave(after, step)
    return after


# The functions below change a state that nobody else has seen yet. Each trusts nothing: steps, questions and values may
# come from anywhere.


def _apply(state: State, event: Event) -> None:
    if isinstance(event, Shown):
        return
    state.has_quit = isinstance(event, Quit) and not state.is_finished
    match event:
        case Assigned():
            _assigned(state, event)
        case Consented():
            state.left_pages.add("introduction")
        case Described():
            state.described = dict(event.answers)
            state.left_pages.add("participant")
        case Answered():
            _answered(state, event)
        case Deferred():
            _deferred(state, event)
        case Continued():
            _continued(state, event)
        case WentBack():
            _went_back(state)
        case Commented():
            state.has_commented = True
        case Completed():
            state.is_completed = True


def _assigned(state: State, event: Assigned) -> None:
    """The first assignment counts: a rater keeps their set."""
    if not state.steps:
        state.set_number = event.set_number
        state.steps = tuple(Step.from_dict(step) for step in event.steps)
        parts = groupby(state.steps, key=lambda step: (step.kind is Kind.TRAINING, step.pass_number))
        state.stretches = tuple(tuple(part) for _, part in parts)


def _answered(state: State, event: Answered) -> None:
    step = state.step(event.step)
    if step is None or event.question not in step.questions or _is_refused(state, step, event):
        return
    state.answers[(step.number, event.question)] = event.value
    if event.value is not None and state.study.advances(step):
        _leave(state, step)
    elif not state.is_answered(step):
        state.finished.discard(step.number)


def _is_refused(state: State, step: Step, event: Answered) -> bool:
    unit = unit_shown(state.study.description, state.study.plan, step.unit)
    return problem(state.study.description.question(event.question), unit, event.value) is not None


def _deferred(state: State, event: Deferred) -> None:
    """Put a judging step aside: it has no answer now and comes back at the end of its pass."""
    step = state.step(event.step)
    if step is None or step.kind is Kind.TRAINING:
        return
    for question in step.questions:
        state.answers.pop((step.number, question), None)
    _join_trail(state, step)
    state.finished.discard(step.number)
    _forget(state.deferred, step.number)
    state.deferred.append(step.number)


def _continued(state: State, event: Continued) -> None:
    step = state.step(event.step)
    if event.page == "feedback":
        _after_feedback(state, event.step)
    elif step is None:
        state.left_pages.add(event.page)
    elif state.is_answered(step):
        _leave(state, step)


def _leave(state: State, step: Step) -> None:
    """A step is judged. A training step then shows its feedback; a judging step joins the trail."""
    if step.kind is Kind.TRAINING:
        state.feedback = step.number
        state.tries[step.number] = state.tries.get(step.number, 0) + 1
    else:
        _join_trail(state, step)
    state.finished.add(step.number)
    _forget(state.deferred, step.number)


def _join_trail(state: State, step: Step) -> None:
    """A step revisited keeps its place on the trail; a new one, or one that was put aside, goes to the end."""
    if state.back is None or step.number not in state.trail:
        _forget(state.trail, step.number)
        state.trail.append(step.number)
    state.back = None


def _forget(numbers: list[int], number: int) -> None:
    if number in numbers:
        numbers.remove(number)


def _after_feedback(state: State, number: int | None) -> None:
    """Leave the feedback; a wrong first answer is asked again when the study gives a second try."""
    if number is None or number != state.feedback:
        return
    state.feedback = None
    training = state.study.description.training
    if training and training.second_try and state.tries[number] == 1 and state.is_right(state.steps[number]) is False:
        state.finished.discard(number)


def _went_back(state: State) -> None:
    if state.study.description.presentation.go_back and state.trail:
        state.back = len(state.trail) - 1 if state.back is None else max(0, state.back - 1)
