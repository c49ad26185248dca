"""The demonstration: a studio full of example studies in every state, filled with invented answers, and a visit to it.

The answers are those of invented raters who go through a study, each with a level of care and habits of their own. The
visitor is signed in by the address that is printed.
"""

import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import as_file
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from concordant.about import NAME
from concordant.collection import events
from concordant.collection.disputes import Adjudication, Decision, cases_of
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.opened_study import Invitations, read_study, with_invited
from concordant.collection.page import Page, PageKind, page
from concordant.collection.session import Running, State, advance, start
from concordant.design.examples import EXAMPLES
from concordant.errors import InputError, MissingExtra
from concordant.randomness import generator
from concordant.studio.people import hashed
from concordant.tasks.kind import kind_of
from concordant.web import app, visitors
from concordant.web.server import Server, server_of

MOST_PAGES, MOST_EXAMPLES = 4000, 100
EXAMPLE_MADE = Lock()
RESEARCHER = "demo"
REPORTED = ("classes", "features", "ratings", "spans")


@dataclass(frozen=True, kw_only=True)
class Player:
    """An invented rater: how often they see what is there, and from when on they answer."""

    name: str
    care: float
    begun: datetime
    stop_after: int | None = None
    comment: str = ""
    answers: tuple[tuple[str, str], ...] = ()


def play(log: Log, study: Running, player: Player, number: int) -> None:
    """Let the rater take part, to the end or as far as they come."""
    log.append(study.description.name, [events.Joined(rater=player.name, at=player.begun.isoformat())])
    assigned = log.enrol(study, player.name)
    state = advance(start(study, player.name), assigned)
    log.append(study.description.name, list(_events(state, player, number)))


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


def scenes(now: datetime) -> tuple[Scene, ...]:
    """Designed, collecting, finished, adjudicated."""
    week, hour = now - timedelta(days=7), now - timedelta(hours=1)
    second = (
        Player(name="A1", care=0.93, begun=hour),
        Player(name="A2", care=0.86, begun=hour, stop_after=95),
        Player(name="A3", care=0.9, begun=hour, stop_after=60),
    )
    pilot = (
        Player(name="A1", care=0.95, begun=week, comment="The second picture is hard to see."),
        Player(name="A2", care=0.84, begun=week),
    )
    crowd = tuple(_participant(n, week) for n in range(1, 19))
    judges = tuple(Player(name=f"A{n}", care=0.95 - 0.05 * n, begun=week) for n in (1, 2))
    treebankers = (Player(name="A1", care=0.9, begun=hour), Player(name="A2", care=0.75, begun=hour))
    return (
        Scene("tasks", "tasks", "All kinds of tasks"),
        Scene("features", "features", "Describing pictures: second round", second),
        Scene("experiment", "experiment", "What adjectives mean", crowd),
        Scene("preferences", "preferences", "Which response is better?", judges),
        Scene("features", "features-pilot", "Describing pictures: pilot", pilot, is_adjudicated=True),
        Scene("treebank", "treebank", "Which reading is meant?", treebankers),
    )


def _participant(number: int, begun: datetime) -> Player:
    about = (("age", str(19 + 3 * number % 40)), ("linguistics", "yes" if number % 3 == 0 else "no"))
    stop = {5: 3, 11: 8}.get(number)
    return Player(name=f"p{number:02}", care=0.7 + 0.01 * number, begun=begun, stop_after=stop, answers=about)


def build(folder: Path, log: Log, now: datetime | None = None) -> dict[str, Running]:
    """Write the studies into the folder and their answers into the log."""
    studies = {}
    for scene in scenes(now or datetime.now(UTC)):
        with suppress(MissingExtra):  # a study of parses takes an extra of its own; the others are shown without it
            studies[scene.name] = fill(log, _written(folder, scene), scene)
    return studies


def fill(log: Log, study: Running, scene: Scene) -> Running:
    """Invite the raters of a scene and let them answer."""
    for player in scene.players:
        if not study.description.is_open and player.name not in {rater.id for rater in study.description.raters}:
            Invitations(log).invite(study, player.name)
            study = with_invited(log, study)
    for number, player in enumerate(scene.players):
        play(log, study, player, number)
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
        server.take(fill(server.log, _written(home, scene), scene))
        return name


def _written(folder: Path, scene: Scene) -> Running:
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


def datasets() -> Mapping[str, Path]:
    """The finished data sets of judgements and spans that come with the package."""
    return {path.stem: path for path in example_files() if path.stem in REPORTED}


def example_files() -> list[Path]:
    """Every example file, those of pairs, spans and published tables included."""
    return sorted(Path(str(EXAMPLES / "data")).glob("*.csv"))


def demo(port: int = 8000, *, copy: str | Path | None = None, say: Callable[[str], None] = print) -> list[Path]:
    """Serve the studio with example studies on 127.0.0.1 until stopped; everything in it is invented and then gone.

    With `copy` the data sets are copied to that folder instead; returns what was copied.
    """
    if copy is not None:
        return copied(Path(copy))
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-demo-") as name, app.listening("127.0.0.1", port) as listening:
        folder = Path(name)
        log = Log.open(f"sqlite:///{folder / 'studio.db'}")
        server = Server(log, build(folder, log), home=folder, datasets=datasets())
        server.accounts.add_researcher(RESEARCHER, hashed(secrets.token_urlsafe(24)))
        made, key = app.create_app(server), secrets.token_urlsafe(12)
        welcome(made, key)
        say(f"The studio with example studies is at\n\n    http://127.0.0.1:{listening.getsockname()[1]}/demo/{key}\n")
        say("Stop it with Ctrl+C. Everything in it is invented.")
        app.serve(made, listening, patience=2)
    say("Stopped; the demonstration is gone.")
    return []


def copied(goal: Path) -> list[Path]:
    """Copy the data sets and the example treebank to a folder; nothing that is there already is overwritten."""
    paths = [*example_files(), Path(str(EXAMPLES / "treebank"))]
    try:
        goal.mkdir(parents=True, exist_ok=True)
        if there := next((path.name for path in paths if (goal / path.name).exists()), None):
            raise InputError("is there already", file=goal / there, hint="name another folder; nothing was copied")
        for path in paths:
            copy = shutil.copytree if path.is_dir() else shutil.copyfile
            copy(path, goal / path.name)
        return [goal / path.name for path in paths]
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=goal, hint="name another folder") from error


def welcome(made: Starlette, key: str) -> None:
    """Add the address that signs the visitor in; the key keeps other pages from using it."""

    async def enter(request: Request) -> Response:
        token = await visitors.begin(server_of(request), visitors.RESEARCHER, RESEARCHER)
        response = RedirectResponse(request.url_for("projects").path, status_code=303)
        visitors.keep(request, response, token, visitors.RESEARCHER)
        return response

    made.router.routes.insert(0, Route(f"/demo/{key}", enter))
