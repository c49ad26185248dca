"""The demonstration: a studio full of example studies in every state, filled with invented answers, and a visit to it.

The answers are those of invented raters who go through a study, each with a level of care and habits of their own. The
visitor is signed in by the address that is printed.
"""

import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from concordant.about import NAME
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.examples import EXAMPLES
from concordant.errors import InputError, MissingExtra
from concordant.web import app, visitors
from concordant.web.players import RESEARCHER, Player, Scene, fill, written_study
from concordant.web.server import Server, server_of

REPORTED = ("classes", "features", "ratings", "spans")


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
            studies[scene.name] = fill(log, written_study(folder, scene), scene)
    return studies


def datasets() -> Mapping[str, Path]:
    """The finished data sets of judgements and spans that come with the package."""
    return {path.stem: path for path in example_files() if path.stem in REPORTED}


def example_files() -> list[Path]:
    """Every example file, those of pairs, spans and published tables included."""
    return sorted(Path(str(EXAMPLES / "data")).glob("*.csv"))


def demo(port: int | None = None, *, copy: str | Path | None = None, say: Callable[[str], None] = print) -> list[Path]:
    """Serve the studio with example studies on 127.0.0.1 until stopped; everything in it is invented and then gone.

    Without `port` it is 8000, or another one where that is taken.
    With `copy` the data sets are copied to that folder instead; returns what was copied.
    """
    if copy is not None:
        return copied(Path(copy))
    with (
        tempfile.TemporaryDirectory(prefix=f"{NAME}-demo-") as name,
        app.near("127.0.0.1", port) as at,
        Log.open(f"sqlite:///{Path(name) / 'studio.db'}") as log,
    ):
        folder = Path(name)
        server = Server(log, build(folder, log), home=folder, datasets=datasets())
        server.accounts.add_researcher(RESEARCHER, "*")  # the hash of no password: only the address signs in
        made, key = app.create_app(server), secrets.token_urlsafe(12)
        welcome(made, key)
        say(f"The studio with example studies is at\n\n    http://127.0.0.1:{at.getsockname()[1]}/demo/{key}\n")
        say("Stop it with Ctrl+C. Everything in it is invented.")
        app.serve(made, at, patience=2)
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
