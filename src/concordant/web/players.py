"""Invented raters who go through a study, each with a level of care and habits of their own, and studies they fill."""

import re
import shutil
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import as_file
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from concordant.collection import events
from concordant.collection.disputes import Adjudication, Decision, cases_of
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.opened_study import Invitations, read_study, with_invited
from concordant.collection.page import Page, PageKind, page
from concordant.collection.session import Running, State, advance, start
from concordant.collection.store import Receipt
from concordant.design.examples import EXAMPLES
from concordant.errors import InputError
from concordant.randomness import generator
from concordant.tasks.kind import kind_of
from concordant.web.server import Server

MOST_PAGES, MOST_EXAMPLES = 4000, 100
EXAMPLE_MADE = Lock()
RESEARCHER = "demo"


@dataclass(frozen=True, kw_only=True)
class Player:
    """An invented rater: how often they see what is there, and from when on they answer."""

    name: str
    care: float
    begun: datetime
    stop_after: int | None = None
    comment: str = ""
    answers: tuple[tuple[str, str], ...] = ()


def play(log: Log, study: Running, player: Player, number: int) -> Future[Receipt]:
    """Let the rater take part, to the end or as far as they come; it is stored when the future is resolved."""
    log.submit(study.description.name, [events.Joined(rater=player.name, at=player.begun.isoformat())])
    assigned = log.enrol(study, player.name)
    state = advance(start(study, player.name), assigned)
    return log.submit(study.description.name, list(_events(state, player, number)))


def _events(state: State, player: Player, number: int) -> Iterator[events.Event]:
    random, clock, done = generator(71, number), player.begun, 0
    while (shown := page(state)).kind not in {PageKind.BETWEEN, PageKind.THANKS, PageKind.ENDED} and done < MOST_PAGES:
        if player.stop_after is not None and done >= player.stop_after:
            return
        for event in _acts(state, shown, player, random, clock):
            clock += timedelta(seconds=float(random.gamma(4, 1.4)))
            state = advance(state, event)
            yield event
        done += shown.kind is PageKind.JUDGING
    if player.comment:
        yield events.Commented(rater=player.name, text=player.comment, at=clock.isoformat())
    yield events.Completed(rater=player.name, at=clock.isoformat())


def _acts(
    state: State, shown: Page, player: Player, random: np.random.Generator, clock: datetime
) -> Iterator[events.Event]:
    """What the rater does with a page."""
    who: dict[str, Any] = {"rater": player.name, "at": clock.isoformat()}
    match shown.kind:
        case PageKind.INTRODUCTION:
            yield events.Consented(text="I agree to take part.", **who)
        case PageKind.PARTICIPANT:
            yield events.Described(answers=dict(player.answers), **who)
        case PageKind.INSTRUCTIONS:
            yield events.Continued(page="instructions", **who)
        case PageKind.COMPREHENSION:
            asked = state.study.description.comprehension
            yield events.Checked(answers={one.id: one.right for one in asked.questions} if asked else {}, **who)
        case PageKind.QUIT:
            yield events.Resumed(**who)
        case PageKind.FEEDBACK:
            yield events.Continued(page="feedback", step=shown.step.number if shown.step else None, **who)
        case _:
            yield from _judge(state, shown, player, random, who)


def _judge(
    state: State, shown: Page, player: Player, random: np.random.Generator, who: dict[str, Any]
) -> Iterator[events.Event]:
    """What is there, seen with the rater's care; else something near by, or anything."""
    step = shown.step
    assert step is not None
    description = state.study.description
    unit = state.study.unit(step.unit)
    for question in (description.question(id) for id in step.questions):
        values = [option.value for option in question.options] or list(unit.alternatives)
        truth = int(generator(29, *(f"{unit.id} {question.id}".encode())).integers(0, max(len(values), 1) * 3))
        value = kind_of(question).invent(question, unit, truth, player.care, random)
        given = {"step": step.number, "unit": step.unit, "question": question.id, **who}
        yield events.Answered(value=value, seconds=round(float(random.gamma(4, 1.2)), 1), **given)
    if not state.study.advances(step):
        yield events.Continued(page=shown.kind.value, step=step.number, **who)


@dataclass(frozen=True)
class Scene:
    """One study of the demonstration: the example it is made of, a name and title of its own, and its raters."""

    example: str
    name: str
    title: str
    players: tuple[Player, ...] = ()
    is_adjudicated: bool = False


def fill(log: Log, study: Running, scene: Scene) -> Running:
    """Invite the raters of a scene and let them answer."""
    for player in scene.players:
        if not study.description.is_open and player.name not in {rater.id for rater in study.description.raters}:
            Invitations(log).invite(study, player.name)
            study = with_invited(log, study)
    for played in [play(log, study, player, number) for number, player in enumerate(scene.players)]:
        played.result()
    if scene.is_adjudicated:
        _adjudicate(log, study)
    return study


def example_study(server: Server, who: str) -> str:
    """A finished study with invented answers among one's own, made once; returns its name."""
    home, title = server.home, "Describing pictures: an example"
    if home is None:
        raise InputError("this server has no folder of studies", hint="start it with one")
    with EXAMPLE_MADE:
        names = ["example", *(f"example-{n}" for n in range(2, MOST_EXAMPLES))]
        mine = [name for name in names if (home / name).exists() and server.membership.role(name, who)]
        if mine:
            return mine[0]
        shelved = {one.parent.name for one in home.glob("_*/*/study.toml")}
        name = next((name for name in names if not (home / name).exists() and name not in shelved), "")
        if not name:
            raise InputError("there are very many examples here", hint="delete one")
        week = datetime.now(UTC) - timedelta(days=7)
        players = tuple(Player(name=f"A{n}", care=0.98 - 0.04 * n, begun=week) for n in (1, 2, 3))
        scene = Scene("features", name, title, players)
        server.membership.admit(name, who)
        server.take(fill(server.log, written_study(home, scene), scene))
        return name


def written_study(folder: Path, scene: Scene) -> Running:
    goal = folder / scene.name
    with as_file(EXAMPLES / "studies" / scene.example) as source:
        shutil.copytree(source, goal, ignore=shutil.ignore_patterns("__pycache__"))
    path = goal / "study.toml"
    head, units, rest = path.read_text(encoding="utf-8").partition("[units]")
    for key, value in (("name", scene.name), ("title", scene.title)):
        head = re.sub(rf"(?m)^{key} = .*$", f'{key} = "{value}"', head)
    path.write_text(head + units + rest, encoding="utf-8")
    return read_study(goal)


def _adjudicate(log: Log, study: Running) -> None:
    """Decide all disputes but the last three, one of them with a comment."""
    following = LiveFold(log, study)
    following.update()
    disputed = [case for case in cases_of(study.description, following.raters.values()) if case.is_disputed]
    said = "The guidelines should say what counts as the main event."
    for number, case in enumerate(disputed[:-3]):
        about = {
            "unit": case.unit,
            "question": case.question,
            "adjudicator": RESEARCHER,
            "comment": "" if number else said,
        }
        decision = Decision(value=case.given[0].value, is_unclear=number == 0, seen=following.seq, **about)
        Adjudication(log).decide(study.description.name, decision)
