"""What a log holds, gathered for analysis: everybody who came, and every judgement that was given."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from assent.collection.events import Commented, Event
from assent.collection.log import Answer, Log, Standing
from assent.collection.session import State, Study, replay
from assent.design.ordering import Kind, Step


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """One current answer with all that is known about how it was given. `unit` is what was shown (a unit or a pair).

    `trial` is 2 for a repeated item; `position` counts the rater's steps from 1; `is_finished` is False when the rater
    never went on from the page; `seq` is the number of the event that gave the answer.
    """

    rater: str
    set_number: int
    unit: str
    question: str
    value: Any
    kind: Kind
    trial: int
    position: int
    first_slot: str
    seconds: float | None
    at: str
    n_given: int
    is_finished: bool
    seq: int = 0


@dataclass(frozen=True, kw_only=True)
class Person:
    """One rater: what they said about themselves, how far they came and how they did."""

    rater: str
    set_number: int | None
    first_at: str
    last_at: str
    completed_at: str | None
    n_asked: int
    n_answered: int
    gold_share: float | None
    median_seconds: float | None
    comment: str
    described: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Collected:
    """All people and judgements of a study, as they stand in the log now."""

    study: Study
    people: tuple[Person, ...]
    judgements: tuple[Judgement, ...]


def collect(log: Log, study: Study) -> Collected:
    """Gather a study from its log."""
    name = study.description.name
    events: dict[str, list[Event]] = defaultdict(list)
    for entry in log.events(name):
        events[entry.event.rater].append(entry.event)
    answers: dict[str, list[Answer]] = defaultdict(list)
    for answer in log.answers(name):
        answers[answer.rater].append(answer)
    people, judgements = [], []
    for standing in log.standings(name):
        state = replay(study, standing.rater, events[standing.rater])
        given = judgements_of(state, answers[standing.rater])
        people.append(person_of(state, standing, events[standing.rater], given))
        judgements += given
    return Collected(study=study, people=tuple(people), judgements=tuple(judgements))


def judgements_of(state: State, answers: list[Answer]) -> list[Judgement]:
    """The current answers that belong to the rater's steps; cleared and deferred ones are none."""
    found = []
    for answer in answers:
        step = state.step(answer.step)
        if step is not None and state.answers_of(step).get(answer.question) is not None:
            found.append(_judgement(state, step, answer))
    return found


def _judgement(state: State, step: Step, answer: Answer) -> Judgement:
    return Judgement(
        rater=state.rater,
        set_number=state.set_number or 0,
        unit=step.unit,
        question=answer.question,
        value=state.answers[(step.number, answer.question)],
        kind=step.kind,
        trial=2 if step.kind is Kind.REPEAT else 1,
        position=step.number + 1,
        first_slot=step.slots[0] if step.slots else "",
        seconds=answer.seconds,
        at=answer.at,
        n_given=answer.n_given,
        is_finished=step.number in state.finished,
        seq=answer.seq,
    )


def person_of(state: State, standing: Standing, events: Sequence[Event], given: list[Judgement]) -> Person:
    """One rater: standing, judgements and comments (the only events that matter here)."""
    invited = {rater.id: rater.attributes for rater in state.study.description.raters}
    main = [judgement for judgement in given if judgement.kind is Kind.MAIN]
    seconds = [judgement.seconds for judgement in main if judgement.seconds is not None]
    return Person(
        rater=standing.rater,
        set_number=state.set_number,
        first_at=standing.first_at,
        last_at=standing.last_at,
        completed_at=standing.completed_at,
        n_asked=sum(len(step.questions) for step in state.steps if step.kind is Kind.MAIN),
        n_answered=len(main),
        gold_share=_gold_share(state),
        median_seconds=median(seconds) if seconds else None,
        comment="\n".join(event.text for event in events if isinstance(event, Commented)),
        described=state.described,
        attributes=invited.get(standing.rater, {}),
    )


def _gold_share(state: State) -> float | None:
    """The share of right gold items among those answered."""
    steps = [step for step in state.steps if step.kind is Kind.GOLD and step.number in state.finished]
    right = [state.is_right(step) for step in steps]
    known = [is_right for is_right in right if is_right is not None]
    return sum(known) / len(known) if known else None
