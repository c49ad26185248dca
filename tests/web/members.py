"""A server with studies, answers and members of every role, and what programs of theirs show and send."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from assent.cli.init import STUDIES
from assent.collection.events import Answered
from assent.collection.session import Study
from assent.design.description import Rater, Task
from assent.design.planning import load_plan
from assent.design.study_file import read
from assent.web.researcher.passwords import hashed
from tests.collection.playing import play
from tests.web.samples import Running, running, study, unit

PASSWORD = "a long enough password"
NOBODY, RATER, ADJUDICATOR, RESEARCHER, STRANGER = "nobody", "rater", "adjudicator", "researcher", "stranger"
EXPERTS = "attribute=rater_group&one=expert&other=participant"
UNITS = tuple(unit(number, attributes={"kind": "odd" if number % 2 else "even"}) for number in range(1, 9))
RATERS = (Rater(id="Ada", attributes={"group": "expert"}), Rater(id="Ben", attributes={"group": "participant"}))


@contextmanager
def with_members(folder: Path) -> Iterator[Running]:
    """Three studies on a server: one whose raters differ on two units, one of a stranger, a preference test."""
    sample = study(folder, Task.BINARY, units=UNITS, raters=RATERS)
    others = study(folder, Task.BINARY, name="other"), preferences(folder)
    with running(folder, sample, *others, home=folder / "made") as server:
        add = server.server.accounts.add_researcher
        add(RESEARCHER, hashed(PASSWORD), study="sample")
        add(ADJUDICATOR, hashed(PASSWORD), study="sample", role="adjudicator")
        add(STRANGER, hashed(PASSWORD), study="other")
        for name in (RESEARCHER, ADJUDICATOR):
            server.server.membership.admit("preferences", name, name)
        _answer(server)
        for rater in ("A1", "A2"):
            play(server.server.log, others[1], rater)
        yield server


def preferences(folder: Path) -> Study:
    """The example of a preference test."""
    shutil.copytree(str(STUDIES / "preferences"), folder / "preferences")
    description = read(folder / "preferences")
    return Study(description=description, plan=load_plan(description))


def _answer(run: Running) -> None:
    """Two raters answer everything, and differ on the first two units."""
    for rater, odd in (("Ada", "no"), ("Ben", "yes")):
        assigned = run.server.log.enrol(run.server.studies["sample"], rater)
        answers = [
            Answered(rater=rater, step=int(step["number"]), unit=step["unit"], question="binary", value=odd if step["unit"] in ("u1", "u2") else "yes" if step["unit"] > "u5" else "no", seconds=2.0)
            for step in assigned.steps
        ]  # fmt: skip
        run.server.log.append("sample", answers)


def bearer(reply: httpx.Response) -> dict[str, str]:
    """The header that shows the key of a reply."""
    assert reply.status_code == 201, reply.text
    return {"authorization": f"Bearer {reply.json()['key']}"}


def scores_of_all(run: Running) -> str:
    """A CSV file with a score for every unit of the preference test."""
    units = run.server.studies["preferences"].description.units
    return "unit,score\n" + "".join(f"{unit.id},{number}\n" for number, unit in enumerate(units))
