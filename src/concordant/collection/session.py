"""One rater's session, as a pure function: description + plan + the rater's events -> where they stand.

`advance` folds events into a `State`; what the state shows is said in `page`. Any
sequence of events gives a valid state: an event that makes no sense where it stands (an answer to a step nobody was
given, going back from the first page) changes nothing. So two open tabs, late deliveries and half a log are all
harmless.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from concordant.collection import events as ev
from concordant.collection.conflicts import Conflict, Version
from concordant.collection.events import Event
from concordant.design.description import Description
from concordant.design.plan import Plan, unit_shown
from concordant.design.steps import DrawnSteps, Layout, Step, StepKind, Steps, StoredSteps, steps_of_set
from concordant.errors import InputError
from concordant.tasks.kind import is_complete, kind_of, problem
from concordant.tasks.question import Unit


@dataclass(frozen=True, kw_only=True)
class Running:
    """What a session is played on: the description and its plan."""

    description: Description
    plan: Plan

    def unit(self, id: str) -> Unit:
        """The unit with this id as raters see it."""
        return unit_shown(self.description, self.plan, id)

    def advances(self, step: Step) -> bool:
        """Whether answering turns the page: the step has one question and one choice is the whole answer."""
        return len(step.questions) == 1 and kind_of(self.description.question(step.questions[0])).advances


NO_STEPS = StoredSteps([])


@dataclass(kw_only=True)
class State:
    """Where a rater stands. A value: `advance` returns another one and leaves this one as it is.

    `trail` lists the judging steps left so far, the latest last, and `passed` holds the same; `back` is the place on it
    that the rater went back to.
    `versions` has what every answer is now, `given` every value there ever was by its event. `n_failed` counts the
    comprehension checks that were not passed; `ended` says why the rater could not go on.
    """

    study: Running
    rater: str
    origin: Mapping[str, str] = field(default_factory=dict)
    set_number: int | None = None
    steps: Steps = NO_STEPS
    left_pages: set[str] = field(default_factory=set)
    described: Mapping[str, str] = field(default_factory=dict)
    answers: dict[tuple[int, str], Any] = field(default_factory=dict)
    versions: dict[tuple[int, str], Version] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    finished: set[int] = field(default_factory=set)
    deferred: list[int] = field(default_factory=list)
    trail: list[int] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)
    back: int | None = None
    feedback: int | None = None
    tries: dict[int, int] = field(default_factory=dict)
    has_quit: bool = False
    has_commented: bool = False
    is_completed: bool = False
    n_failed: int = 0
    ended: str = ""

    def step(self, number: int | None) -> Step | None:
        """The step with this number, None when the rater has none such."""
        steps = self.steps
        return steps[number] if number is not None and 0 <= number < len(steps) else None

    def answers_of(self, step: Step) -> dict[str, Any]:
        """The current answers of one step by question; cleared ones are left out."""
        return {q: v for q in step.questions if (v := self.answers.get((step.number, q))) is not None}

    def is_answered(self, step: Step) -> bool:
        """Whether the rater may go on from this step."""
        description = self.study.description
        return all(is_complete(description.question(q), self.answers.get((step.number, q))) for q in step.questions)

    def is_right(self, step: Step) -> bool | None:
        """Whether the answers of a training or gold step are the expected ones; None when nothing is expected."""
        expected, given = self.study.unit(step.unit).expected, self.answers_of(step)
        asked = [self.study.description.question(question) for question in step.questions if question in expected]
        return all(kind_of(one).same(one, expected[one.id], given.get(one.id)) for one in asked) if asked else None

    @property
    def gold_share(self) -> float | None:
        """The share of the gold items that were answered rightly so far; None before the first."""
        if not self.steps.has_gold:
            return None
        gold = [step for number in self.finished if (step := self.steps[number]).kind is StepKind.GOLD]
        known = [is_right for step in gold if (is_right := self.is_right(step)) is not None]
        return sum(known) / len(known) if known else None

    @property
    def is_finished(self) -> bool:
        """Whether every step has been judged; the server then records `Completed`."""
        return bool(self.steps) and len(self.finished) == len(self.steps) and self.feedback is None


CHANGING = (
    *("left_pages", "answers", "versions", "given", "conflicts"),
    *("finished", "deferred", "trail", "passed", "tries"),
)
"""What of a state is changed in place: a state that others have seen is copied before."""


UNSEEN = (ev.Shown, ev.Asked)
"""What changes nothing for the rater."""


def steps_of(study: Running, assigned: ev.Assigned) -> Steps:
    """The steps that a rater was given: derived from the logged layout, or as an earlier version logged them."""
    if assigned.layout is None:
        return StoredSteps([Step.from_dict(step) for step in assigned.steps])
    if assigned.plan not in (study.plan.hash, *study.plan.earlier):
        fault = f"{assigned.rater!r} came when the plan was {assigned.plan}, and now it is {study.plan.hash}"
        raise InputError(fault, hint="put the plan back under which answers were collected")
    layout = Layout.from_dict(assigned.layout)
    if assigned.units is not None:
        return DrawnSteps(layout, assigned.units, study.plan.seed, assigned.rater, kind=StepKind.ADAPTIVE)
    return steps_of_set(study.plan, assigned.set_number, layout, assigned.rater)


def start(study: Running, rater: str) -> State:
    """A rater of whom nothing is known yet."""
    return State(study=study, rater=rater)


def advance(state: State, *events: Event) -> State:
    """The state after more events; an event that makes no sense here changes nothing."""
    after = replace(state, **{name: copy(getattr(state, name)) for name in CHANGING})
    for event in events:
        _apply(after, event)
    return after


def passing(state: State, step: Step) -> State:
    """The state after a step, whatever its answer: for looking ahead, never stored."""
    after = advance(state)
    _leave(after, step)
    return after


# The functions below change a state that nobody else has seen yet. Each trusts nothing: steps, questions and values may
# come from anywhere.


def _apply(state: State, event: Event) -> None:
    if isinstance(event, UNSEEN):
        return
    state.has_quit = isinstance(event, ev.Quit) and not state.is_finished
    match event:
        case ev.Answered():  # first, as most are
            _answered(state, event)
        case ev.Joined() if not state.origin:
            state.origin = dict(event.origin)
        case ev.Ended():
            state.ended = state.ended or event.reason
        case ev.Described() | ev.Checked() if end_of(state):
            pass
        case ev.Checked():
            _checked(state, event)
        case ev.Assigned() if not state.steps:  # the first assignment counts: a rater keeps their set
            state.set_number = event.set_number
            state.steps = steps_of(state.study, event)
        case ev.Consented():
            state.left_pages.add("introduction")
        case ev.Described():
            state.described = dict(event.answers)
            state.left_pages.add("participant")
        case ev.Deferred() if (step := state.step(event.step)) and step.kind is not StepKind.TRAINING:
            _put_aside(state, step, event)
        case ev.Continued():
            _continued(state, event)
        case ev.WentBack():
            _went_back(state, event)
        case ev.Commented():
            state.has_commented = True
        case ev.Completed():
            state.is_completed = True


def _checked(state: State, event: ev.Checked) -> None:
    check = state.study.description.comprehension
    if check is not None and all(event.answers.get(one.id) == one.right for one in check.questions):
        state.left_pages.add("comprehension")
    else:
        state.n_failed += 1


def _went_back(state: State, event: ev.WentBack) -> None:
    """To the step before, or to one that is named; to one that is still to judge there is no going back but on."""
    if event.to is not None and event.to not in state.finished and state.step(event.to) is not None:
        state.back = None
    elif not state.study.description.presentation.go_back or not state.trail:
        return
    elif event.to is not None:
        state.back = state.trail.index(event.to) if event.to in state.trail else state.back
    else:
        state.back = len(state.trail) - 1 if state.back is None else max(0, state.back - 1)


def _answered(state: State, event: ev.Answered) -> None:
    step, study = state.step(event.step), state.study
    if step is None or event.question not in step.questions:
        return
    if problem(study.description.question(event.question), study.unit(step.unit), event.value) is not None:
        return
    if not _holds(state, step, event.question, event):
        return
    state.answers[(step.number, event.question)] = event.value
    if event.value is not None and state.study.advances(step):
        _leave(state, step)
    elif not state.is_answered(step):
        state.finished.discard(step.number)


def _put_aside(state: State, step: Step, event: ev.Deferred) -> None:
    """A judging step that is put aside has no answer now and comes back at the end of its pass.

    One that was answered meanwhile, elsewhere, keeps its answers.
    """
    given = [q for q in step.questions if state.answers.get((step.number, q)) is not None]
    if any(not state.versions[step.number, question].is_seen(event.revises) for question in given):
        for question in given:
            _holds(state, step, question, event)
        return
    for question in step.questions:
        state.answers.pop((step.number, question), None)
        state.versions[step.number, question] = Version(id=event.id, at=event.at, value=None)
    state.given[event.id] = None
    _join_trail(state, step)
    state.finished.discard(step.number)
    _forget(state.deferred, step.number)
    state.deferred.append(step.number)


def _holds(state: State, step: Step, question: str, event: ev.Answered | ev.Deferred) -> bool:
    """Whether what an event says of a question holds from now on; that two did not know of each other is noted."""
    value = event.value if isinstance(event, ev.Answered) else None
    new, held = Version(id=event.id, at=event.at, value=value), state.versions.get((step.number, question))
    state.given[event.id] = value
    is_new = new.replaces(held, event.revises)
    if held is not None and not held.is_seen(event.revises) and held.value != value:
        kept, other = (new, held) if is_new else (held, new)
        state.conflicts.append(
            Conflict(rater=state.rater, step=step.number, unit=step.unit, question=question, kept=kept, other=other)
        )
    if is_new:
        state.versions[step.number, question] = new
    return is_new


def _continued(state: State, event: ev.Continued) -> None:
    step, training = state.step(event.step), state.study.description.training
    if event.page == "feedback":
        if step is None or step.number != state.feedback:
            return
        state.feedback = None
        may_try_again = training is not None and training.second_try and state.tries[step.number] == 1
        if may_try_again and state.is_right(step) is False:
            state.finished.discard(step.number)
    elif step is None:
        state.left_pages.add(event.page)
    elif state.is_answered(step):
        _leave(state, step)


def _leave(state: State, step: Step) -> None:
    """A step is judged. A training step then shows its feedback; a judging step joins the trail."""
    if step.kind is StepKind.TRAINING:
        state.feedback = step.number
        state.tries[step.number] = state.tries.get(step.number, 0) + 1
    else:
        _join_trail(state, step)
    state.finished.add(step.number)
    _forget(state.deferred, step.number)


def _join_trail(state: State, step: Step) -> None:
    """A step revisited keeps its place on the trail; a new one, or one that was put aside, goes to the end."""
    if step.number not in state.passed:  # the trail may be long
        state.trail.append(step.number)
        state.passed.add(step.number)
    elif state.back is None:
        _forget(state.trail, step.number)
        state.trail.append(step.number)
    state.back = None


def _forget(numbers: list[int], number: int) -> None:
    if number in numbers:
        numbers.remove(number)


def end_of(state: State) -> str:
    """Why the rater cannot go on or did not pass; empty while neither is so. What was logged holds."""
    description = state.study.description
    is_known = "participant" in state.left_pages and not state.steps
    if state.ended or state.is_completed:
        return state.ended
    if is_known and any(ask.screens_out(state.described.get(ask.id, "")) for ask in description.participant):
        return ev.SCREENED_OUT
    if (check := description.comprehension) and state.n_failed >= check.tries:
        return "" if "comprehension" in state.left_pages else ev.FAILED_CHECK
    if (least := description.failed_check.min_gold) is None or not state.is_finished:
        return ""
    return ev.FAILED_CHECK if (share := state.gold_share) is not None and share < least else ""
