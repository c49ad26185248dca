"""Raters for the tests: they look at the page and do what it asks, with random answers."""

from random import Random
from typing import Any

from concordant.collection import events as ev
from concordant.collection.log import Log
from concordant.collection.page import Page, PageKind, page
from concordant.collection.session import Running, State, advance, start
from concordant.design.plan import make_plan, unit_shown
from concordant.design.steps import layout_of
from concordant.tasks.question import Question, Unit
from concordant.tasks.slider import KIND as SLIDER
from concordant.treebank.disambiguation import Choosing


def planned(description: Any) -> Running:
    """A study with its plan."""
    return Running(description=description, plan=make_plan(description))


def assigned(study: Running, rater: str, set_number: int = 0) -> ev.Assigned:
    """What enrolment would store."""
    layout = layout_of(study.description).to_dict()
    return ev.Assigned(rater=rater, set_number=set_number, plan=study.plan.hash, layout=layout)


def random_answer(question: Question, unit: Unit, random: Random) -> Any:
    """Any acceptable and complete answer."""
    values = [option.value for option in question.options] or list(unit.alternatives)
    match question.task:
        case "multilabel":
            return random.sample(values, random.randint(question.minimum, question.maximum or len(values)))
        case "slider":
            return random.uniform(*SLIDER.ends(question))
        case "number":
            return random.randint(0, 9)
        case "ranking":
            return random.sample(values, len(values))
        case "text":
            return "words"
        case "patterns":
            chosen = random.sample(question.patterns, random.randint(1, question.maximum or 1))
            return {pattern.id: random.choice(["small", "grow", "two words"]) for pattern in chosen}
        case "parses":
            assert unit.parses is not None
            move = random.choice(["reject", *(f"select {result}" for result in unit.parses.results)])
            return Choosing(unit.parses).after([move]).as_value()
        case "spans":
            return [{"begin": 0, "end": 3, "category": values[0]}]
    return random.choice(values)


def next_events(state: State, shown: Page, random: Random) -> list[ev.Event]:
    """What a willing rater does with a page."""
    rater, step = state.rater, shown.step
    match shown.kind:
        case PageKind.INTRODUCTION:
            return [ev.Consented(rater=rater, text="I agree")]
        case PageKind.PARTICIPANT:
            return [ev.Described(rater=rater, answers={"age": str(random.randint(18, 80))})]
        case PageKind.INSTRUCTIONS:
            return [ev.Continued(rater=rater, page="instructions")]
        case PageKind.QUIT:
            return [ev.Resumed(rater=rater)]
    assert step is not None
    if shown.kind is PageKind.FEEDBACK:
        return [ev.Continued(rater=rater, page="feedback", step=step.number)]
    description, plan = state.study.description, state.study.plan
    unit = unit_shown(description, plan, step.unit)
    answers: list[ev.Event] = [
        ev.Answered(
            rater=rater,
            step=step.number,
            unit=step.unit,
            question=id,
            value=random_answer(description.question(id), unit, random),
            seconds=random.uniform(1, 9),
        )
        for id in step.questions
    ]
    if state.study.advances(step):
        return answers
    return [*answers, ev.Continued(rater=rater, page=shown.kind.value, step=step.number)]


def whole_session(study: Running, rater: str = "A1", seed: int = 1) -> list[ev.Event]:
    """All events of a rater who goes from the first page to the last."""
    random = Random(f"{rater} {seed}")
    done: list[ev.Event] = [ev.Joined(rater=rater), assigned(study, rater)]
    state = start(study, rater)
    for event in done:
        state = advance(state, event)
    while (shown := page(state)).kind is not PageKind.THANKS:
        assert len(done) < 5000, f"the session is stuck at {shown}"
        for event in next_events(state, shown, random):
            state = advance(state, event)
            done.append(event)
    return [*done, ev.Completed(rater=rater)]


def play(log: Log, study: Running, rater: str, seed: int = 1, *, n_events: int | None = None) -> None:
    """Let a rater take part; with `n_events` they stop early."""
    log.enrol(study, rater)
    events = [event for event in whole_session(study, rater, seed) if not isinstance(event, ev.Assigned)]
    log.append(study.description.name, events[:n_events])
