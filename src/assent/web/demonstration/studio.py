"""A studio full of examples in a folder: what `assent demo` serves. All answers in it are invented."""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import as_file, files
from pathlib import Path

from assent.collection.adjudication import Adjudication, Decision
from assent.collection.disputes import cases_of
from assent.collection.following import Following
from assent.collection.invitations import Invitations, with_invited
from assent.collection.log import Log
from assent.collection.session import Study
from assent.collection.studies import read_study
from assent.errors import MissingExtra
from assent.web.demonstration.playing import Player, play

EXAMPLES = files("assent") / "examples"
RESEARCHER = "demo"
REPORTED = ("classes", "features", "ratings", "spans")


@dataclass(frozen=True, kw_only=True)
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
    return (
        Scene(example="tasks", name="tasks", title="All kinds of tasks"),
        Scene(
            example="features",
            name="features",
            title="Describing pictures: second round",
            players=(
                Player(name="A1", care=0.93, begun=hour),
                Player(name="A2", care=0.86, begun=hour, stop_after=95),
                Player(name="A3", care=0.9, begun=hour, stop_after=60),
            ),
        ),
        Scene(
            example="experiment",
            name="experiment",
            title="What adjectives mean",
            players=tuple(_participant(n, week) for n in range(1, 19)),
        ),
        Scene(
            example="preferences",
            name="preferences",
            title="Which response is better?",
            players=tuple(Player(name=f"A{n}", care=0.95 - 0.05 * n, begun=week) for n in (1, 2)),
        ),
        Scene(
            example="features",
            name="features-pilot",
            title="Describing pictures: pilot",
            players=(
                Player(name="A1", care=0.95, begun=week, comment="The second picture is hard to see."),
                Player(name="A2", care=0.84, begun=week),
            ),
            is_adjudicated=True,
        ),
        _treebank(hour),
    )


def _treebank(begun: datetime) -> Scene:
    return Scene(
        example="treebank",
        name="treebank",
        title="Which reading is meant?",
        players=(Player(name="A1", care=0.9, begun=begun), Player(name="A2", care=0.75, begun=begun)),
    )


def _participant(number: int, begun: datetime) -> Player:
    about = (("age", str(19 + 3 * number % 40)), ("linguistics", "yes" if number % 3 == 0 else "no"))
    stop = {5: 3, 11: 8}.get(number)
    return Player(name=f"p{number:02}", care=0.7 + 0.01 * number, begun=begun, stop_after=stop, answers=about)


def build(folder: Path, log: Log, now: datetime | None = None) -> dict[str, Study]:
    """Write the studies into the folder and their answers into the log."""
    studies = {}
    for scene in scenes(now or datetime.now(UTC)):
        with suppress(MissingExtra):  # a study of parses takes an extra of its own; the others are shown without it
            studies[scene.name] = fill(log, _written(folder, scene), scene)
    return studies


def fill(log: Log, study: Study, scene: Scene) -> Study:
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


def _written(folder: Path, scene: Scene) -> Study:
    goal = folder / scene.name
    with as_file(EXAMPLES / "studies" / scene.example) as source:
        shutil.copytree(source, goal, ignore=shutil.ignore_patterns("__pycache__"))
    path = goal / "study.toml"
    head, units, rest = path.read_text(encoding="utf-8").partition("[units]")
    renamed = "\n".join(_renamed(line, scene) for line in head.split("\n"))
    path.write_text(renamed + units + rest, encoding="utf-8")
    return read_study(goal)


def _renamed(line: str, scene: Scene) -> str:
    if line.startswith("name = "):
        return f'name = "{scene.name}"'
    return f'title = "{scene.title}"' if line.startswith("title = ") else line


def _adjudicate(log: Log, study: Study) -> None:
    """Decide all disputes but the last three, one of them with a comment."""
    following = Following(log, study)
    following.update()
    disputed = [case for case in cases_of(study.description, following.raters.values()) if case.is_disputed]
    for number, case in enumerate(disputed[:-3]):
        Adjudication(log).decide(
            study.description.name,
            Decision(
                unit=case.unit,
                question=case.question,
                value=case.given[0].value,
                adjudicator=RESEARCHER,
                comment="The guidelines should say what counts as the main event." if number == 0 else "",
                is_unclear=number == 0,
                seen=following.seq,
            ),
        )


def datasets() -> Mapping[str, Path]:
    """The finished data sets of judgements and spans that come with the package."""
    return {path.stem: path for path in example_files() if path.stem in REPORTED}


def example_files() -> list[Path]:
    """Every example file, those of pairs, spans and published tables included."""
    return sorted(Path(str(EXAMPLES / "data")).glob("*.csv"))
