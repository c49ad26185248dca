"""A study from its folder: what its file says, its frozen plan, what was collected so far, and who was invited to it.

Raters can be invited from the researcher's pages, beside those in the study file; any invitation can be revoked.
Whoever was invited becomes a rater of the description (`with_invited`), so that enrolment, pages and measures need
know nothing of that table. A revoked rater keeps their answers and cannot come in any more.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from concordant.about import NAME
from concordant.collection.database import FILE, VARIABLE, default_url, has_begun, invitations, raters
from concordant.collection.events import Assigned, now
from concordant.collection.log import BesideLog, Log
from concordant.collection.session import Running
from concordant.collection.written_log import LOG, as_lines, reopened
from concordant.design.description import Rater
from concordant.design.plan import load_plan
from concordant.design.study_file import read
from concordant.errors import InputError

LONGEST = 80
BACK = f"undo what was changed in it and run `{NAME} design STUDY --force`; or change a copy in a folder of its own"
"""How a study comes back to the plan under which answers were collected: the same study draws the same plan."""


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """A rater's invitation; `revoked_at` is None while it holds."""

    rater: str
    attributes: Mapping[str, str]
    made_at: str
    revoked_at: str | None


class Invitations(BesideLog):
    """The invitations of the studies in one database."""

    def invite(self, study: Running, rater: str, attributes: Mapping[str, str] | None = None) -> None:
        """Invite a new rater; an id that is taken is refused, one that was revoked is let in again."""
        self._note(study.description.name, self.checked(study, rater), attributes or {}, None)

    def checked(self, study: Running, rater: str) -> str:
        """The id of a rater who can be invited; refuses one that is taken or cannot be an id."""
        name, id = study.description.name, rater.strip()
        if not id or len(id) > LONGEST or not id.isprintable():
            raise InputError(f"{rater!r} cannot be the name of a rater", hint=f"use 1 to {LONGEST} characters")
        taken = {person.id for person in study.description.raters} - self.revoked(name)
        if id in taken:
            raise InputError(f"{id!r} is invited already", hint="choose another name")
        return id

    def revoke(self, study: Running, rater: str) -> None:
        """The rater cannot come in any more, be they invited or a participant of an open study."""
        name = study.description.name
        came = (standing.rater for standing in self.log.standings(name))
        if rater not in {*(person.id for person in study.description.raters), *came}:
            raise InputError(f"{rater!r} is not invited and never came", hint="nothing was changed")
        self._note(name, rater, {}, now())

    def _note(self, study: str, rater: str, attributes: Mapping[str, str], revoked_at: str | None) -> None:
        """A rater who is in the table keeps what is known about them; only whether they may come in changes."""
        about = json.dumps(dict(attributes), sort_keys=True)
        same = (invitations.c.study == study, invitations.c.rater == rater)

        def write(connection: Connection) -> None:
            known = update(invitations).where(*same).values(revoked_at=revoked_at)
            if connection.execute(known).rowcount == 0:
                row = {"study": study, "rater": rater, "attributes": about, "made_at": now(), "revoked_at": revoked_at}
                connection.execute(insert(invitations), [row])

        self.log.write(write).result()

    def of(self, study: str) -> list[Invitation]:
        """All invitations made on the pages, and the revoked ones of the study file."""
        same = invitations.c.study == study
        return self.log.values(Invitation, invitations, same, order=("made_at", "rater"), json="attributes")

    def revoked(self, study: str) -> frozenset[str]:
        """The raters who may not come in."""
        return frozenset(one.rater for one in self.of(study) if one.revoked_at is not None)


def with_invited(log: Log, study: Running) -> Running:
    """The study with everybody who was ever invited among its raters."""
    described = {rater.id for rater in study.description.raters}
    found = Invitations(log).of(study.description.name)
    more = tuple(Rater(id=one.rater, attributes=one.attributes) for one in found if one.rater not in described)
    if not more:
        return study
    return replace(study, description=replace(study.description, raters=(*study.description.raters, *more)))


def refuse_another_plan(log: Log, study: Running) -> None:
    """Refuse a study whose plan is not the one under which its raters came: old and new answers would not fit together.

    The first and the last who came are asked.
    """
    name, plan = study.description.name, study.plan
    whose = select(raters.c.rater).where(raters.c.study == name, raters.c.set_number.is_not(None))
    orders = (raters.c.first_at, raters.c.first_at.desc())
    came = {row.rater for order in orders for row in log.read(whose.order_by(order).limit(1))}
    for rater in sorted(came):
        given = [one.event for one in log.events(name, rater) if isinstance(one.event, Assigned) and one.event.layout]
        if given and given[0].plan not in (plan.hash, *plan.earlier):
            what = f"its answers were collected under another plan ({given[0].plan}) than this ({plan.hash})"
            raise InputError(what, file=study.description.folder, hint=BACK)


def read_study(path: Path) -> Running:
    """Read the study file at a path or in a folder, and the plan beside it (made now if there is none)."""
    description = read(path)
    return Running(description=description, plan=load_plan(description))


@contextmanager
def open_study(path: Path, db: str | None = None) -> Iterator[tuple[Log, Running]]:
    """A study's log and the study with everybody who was invited; refuses when nothing was collected yet.

    `db` is the address of the database when it is not the study's own. The folder of an archived study has its log
    written down instead.
    """
    study = read_study(path.parent if path.name == FILE else path)
    url = db or default_url(study.description.folder)
    if db is None and (study.description.folder / LOG).exists() and not (study.description.folder / FILE).exists():
        with reopened(study.description.folder, study.description.name) as log:
            yield log, study
        return
    if not (db or has_begun(url)):
        hint = f"run `{NAME} serve {path}`, or name the database in {VARIABLE}"
        raise InputError("nothing was collected yet", file=study.description.folder / FILE, hint=hint)
    with Log.open(url) as log:
        refuse_another_plan(log, study)
        yield log, with_invited(log, study)


def log(study: str | Path, *, rater: str | None = None, db: str | None = None) -> list[dict[str, Any]]:
    """Everything that happened in a study, or to one rater, oldest first, each event as a dictionary."""
    with open_study(Path(study), db) as (opened, described):
        return as_lines(opened.events(described.description.name, rater))


def rebuild(study: str | Path, *, db: str | None = None) -> int:
    """Make the tables of current answers again from the log, which is only read; returns the number of events."""
    with open_study(Path(study), db) as (opened, _):
        return opened.rebuild()
