"""Invented raters who go through a study: each has a level of care and habits of their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from assent.collection.events import (
    Answered,
    Commented,
    Completed,
    Consented,
    Continued,
    Described,
    Event,
    Joined,
    Resumed,
)
from assent.collection.log import Log
from assent.collection.pages import Page, PageKind, page
from assent.collection.session import State, Study, advance, start
from assent.design.description import Question, Task, Unit
from assent.design.showing import unit_shown
from assent.randomness import generator
from assent.treebank.choosing import Choosing

MOST_PAGES = 4000


@dataclass(frozen=True, kw_only=True)
class Player:
    """An invented rater: how often they see what is there, and from when on they answer."""

    name: str
    care: float
    begun: datetime
    stop_after: int | None = None
    comment: str = ""
    answers: tuple[tuple[str, str], ...] = ()


def play(log: Log, study: Study, player: Player, number: int) -> None:
    """Let the rater take part, to the end or as far as they come."""
    log.append(study.description.name, [Joined(rater=player.name, at=player.begun.isoformat())])
    assigned = log.enrol(study, player.name)
    state = advance(start(study, player.name), assigned)
    log.append(study.description.name, list(_events(state, player, number)))


def _events(state: State, player: Player, number: int) -> Iterator[Event]:
    random, clock, done = generator(71, number), player.begun, 0
    while (shown := page(state)).kind is not PageKind.THANKS and done < MOST_PAGES:
        if player.stop_after is not None and done >= player.stop_after:
            return
        for event in _acts(state, shown, player, random, clock):
            clock += timedelta(seconds=float(random.gamma(4, 1.4)))
            state = advance(state, event)
            yield event
        done += shown.kind is PageKind.JUDGING
    if player.comment:
        yield Commented(rater=player.name, text=player.comment, at=clock.isoformat())
    yield Completed(rater=player.name, at=clock.isoformat())


def _acts(state: State, shown: Page, player: Player, random: np.random.Generator, clock: datetime) -> Iterator[Event]:
    """What the rater does with a page."""
    who: dict[str, Any] = {"rater": player.name, "at": clock.isoformat()}
    match shown.kind:
        case PageKind.INTRODUCTION:
            yield Consented(text="I agree to take part.", **who)
        case PageKind.PARTICIPANT:
            yield Described(answers=dict(player.answers), **who)
        case PageKind.INSTRUCTIONS:
            yield Continued(page="instructions", **who)
        case PageKind.QUIT:
            yield Resumed(**who)
        case PageKind.FEEDBACK:
            yield Continued(page="feedback", step=shown.step.number if shown.step else None, **who)
        case _:
            yield from _judge(state, shown, player, random, who)


def _judge(
    state: State, shown: Page, player: Player, random: np.random.Generator, who: dict[str, Any]
) -> Iterator[Event]:
    step = shown.step
    assert step is not None
    description = state.study.description
    unit = unit_shown(description, state.study.plan, step.unit)
    for id in step.questions:
        value = _answer(description.question(id), unit, player, random)
        given = {"step": step.number, "unit": step.unit, "question": id, **who}
        yield Answered(value=value, seconds=round(float(random.gamma(4, 1.2)), 1), **given)
    if not state.study.advances(step):
        yield Continued(page=shown.kind.value, step=step.number, **who)


def _answer(question: Question, unit: Unit, player: Player, random: np.random.Generator) -> Any:
    """What is there, seen with the rater's care; else something near by, or anything."""
    values = [option.value for option in question.options] or list(unit.alternatives)
    truth = int(generator(29, *(f"{unit.id} {question.id}".encode())).integers(0, max(len(values), 1) * 3))
    match question.task:
        case Task.BINARY:
            return values[(0 if truth % 3 else 1) ^ int(random.random() > player.care)]
        case Task.PAIRWISE:
            return _preferred(unit, random, player)
        case Task.ORDINAL:
            return values[
                int(np.clip(truth // 3 + round(float(random.normal(0, 1.6 * (1 - player.care)))), 0, len(values) - 1))
            ]
        case Task.PATTERNS:
            seen = truth if random.random() < player.care else int(random.integers(0, len(question.patterns)))
            pattern = question.patterns[seen % len(question.patterns)]
            return {pattern.id: WORDS.get(pattern.part_of_speech, "thing")}
        case Task.MULTILABEL:
            return [values[truth % len(values)]]
        case Task.SLIDER:
            return float(np.clip(round(10.0 * (truth % 10) + float(random.normal(0, 8))), question.low, question.high))
        case Task.RANKING:
            return values
        case Task.TEXT:
            return "an invented answer"
        case Task.PARSES:
            return _chosen(unit, truth, player, random)
        case Task.SPANS:
            return [{"begin": 0, "end": max(1, unit.text.find(" ")), "category": values[truth % len(values)]}]
    return values[truth % len(values) if random.random() < player.care else int(random.integers(0, len(values)))]


def _chosen(unit: Unit, truth: int, player: Player, random: np.random.Generator) -> Any:
    """The right parse by way of the discriminants, mostly; now and then another one, or none."""
    assert unit.parses is not None
    drawn = random.random()
    if drawn > 0.97:
        return Choosing(unit.parses).after(["reject"]).as_value()
    seen = truth if drawn < player.care else int(random.integers(len(unit.parses)))
    wanted, now = seen % len(unit.parses), Choosing(unit.parses)
    while now.verdict == "undecided":
        asked = now.open[0].name
        now = now.after([f"{'yes' if unit.parses.table.holds[unit.parses.rows[asked], wanted] else 'no'} {asked}"])
    return now.as_value()


WORDS = {"adjective": "small", "noun": "house", "verb": "grow"}


def _preferred(unit: Unit, random: np.random.Generator, player: Player) -> str:
    """The longer text, mostly; now and then the other, or neither."""
    longer = "A" if len(unit.alternatives["A"]) >= len(unit.alternatives["B"]) else "B"
    drawn = random.random()
    if drawn < 0.1:
        return "same"
    return longer if drawn < 0.1 + 0.9 * player.care else ("B" if longer == "A" else "A")
