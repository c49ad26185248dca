"""A server with studies, answers and members of every role, and what programs of theirs show and send."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from concordant.collection.events import Answered
from concordant.collection.session import Running
from concordant.design.description import Rater
from concordant.design.examples import STUDIES
from concordant.design.plan import load_plan
from concordant.design.study_file import read
from concordant.studio.people import hashed
from concordant.studio.projects import Studio
from tests.collection.playing import play
from tests.web.samples import RunningServer, running, study, unit

PASSWORD = "a long enough password"
NOBODY, RATER, ADJUDICATOR, RESEARCHER, STRANGER = "nobody", "rater", "adjudicator", "researcher", "stranger"
EXPERTS = "attribute=rater_group&one=expert&other=participant"
UNITS = tuple(unit(number, attributes={"kind": "odd" if number % 2 else "even"}) for number in range(1, 9))
RATERS = (Rater(id="Ada", attributes={"group": "expert"}), Rater(id="Ben", attributes={"group": "participant"}))


def studies(folder: Path) -> tuple[Running, ...]:
    """Three studies: one whose raters differ on two units, one of a stranger, a preference test."""
    sample = study(folder, "binary", units=UNITS, raters=RATERS)
    return sample, study(folder, "binary", name="other"), preferences(folder)


def fill(studio: Studio) -> None:
    """Members of every role, and answers: two raters answer everything and differ on the first two units."""
    add = studio.accounts.add_researcher
    add(RESEARCHER, hashed(PASSWORD), study="sample")
    add(ADJUDICATOR, hashed(PASSWORD), study="sample", role="adjudicator")
    add(STRANGER, hashed(PASSWORD), study="other")
    for name in (RESEARCHER, ADJUDICATOR):
        studio.membership.admit("preferences", name, name)
    for rater, odd in (("Ada", "no"), ("Ben", "yes")):
        assigned = studio.log.enrol(studio.studies["sample"], rater)
        answers = [
            Answered(rater=rater, step=int(step["number"]), unit=step["unit"], question="binary", value=odd if step["unit"] in ("u1", "u2") else "yes" if step["unit"] > "u5" else "no", seconds=2.0)
            for step in assigned.steps
        ]  # fmt: skip
        studio.log.append("sample", answers)
    for rater in ("A1", "A2"):
        play(studio.log, studio.studies["preferences"], rater)


@contextmanager
def with_members(folder: Path) -> Iterator[RunningServer]:
    """The studies on a server, with members and answers."""
    with running(folder, *studies(folder), home=folder / "made") as server:
        fill(server.server)
        yield server


def preferences(folder: Path) -> Running:
    """The example of a preference test."""
    shutil.copytree(str(STUDIES / "preferences"), folder / "preferences")
    description = read(folder / "preferences")
    return Running(description=description, plan=load_plan(description))


def bearer(reply: httpx.Response) -> dict[str, str]:
    """The header that shows the key of a reply."""
    assert reply.status_code == 201, reply.text
    return {"authorization": f"Bearer {reply.json()['key']}"}


def scores_of_all(run: RunningServer) -> str:
    """A CSV file with a score for every unit of the preference test."""
    units = run.server.studies["preferences"].description.units
    return "unit,score\n" + "".join(f"{unit.id},{number}\n" for number, unit in enumerate(units))
