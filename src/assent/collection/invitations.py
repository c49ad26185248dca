"""Raters invited from the researcher's pages, beside those in the study file; any invitation can be revoked.

Whoever was invited becomes a rater of the description (`with_invited`), so that enrolment, pages and measures need
know nothing of this table. A revoked rater keeps their answers and cannot come in any more.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, insert, select, update

from assent.collection.events import now
from assent.collection.log import Log
from assent.collection.session import Study
from assent.collection.tables import invitations
from assent.design.description import Rater
from assent.errors import InputError

LONGEST = 80


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """A rater's invitation; `revoked_at` is None while it holds."""

    rater: str
    attributes: Mapping[str, str]
    made_at: str
    revoked_at: str | None


class Invitations:
    """The invitations of the studies in one database."""

    def __init__(self, log: Log) -> None:
        """Beside this log."""
        self._log = log

    def invite(self, study: Study, rater: str, attributes: Mapping[str, str] | None = None) -> None:
        """Invite a new rater; an id that is taken is refused, one that was revoked is let in again."""
        name, id = study.description.name, rater.strip()
        if not id or len(id) > LONGEST or not id.isprintable():
            raise InputError(f"{rater!r} cannot be the name of a rater", hint=f"use 1 to {LONGEST} characters")
        taken = {person.id for person in study.description.raters} - self.revoked(name)
        if id in taken:
            raise InputError(f"{id!r} is invited already", hint="choose another name")
        self._log.write(lambda connection: _invite(connection, name, id, attributes or {})).result()

    def revoke(self, study: Study, rater: str) -> None:
        """The rater's link stops working."""
        if rater not in {person.id for person in study.description.raters}:
            raise InputError(f"{rater!r} is not invited", hint="nothing was changed")
        name = study.description.name
        self._log.write(lambda connection: _revoke(connection, name, rater)).result()

    def of(self, study: str) -> list[Invitation]:
        """All invitations made on the pages, and the revoked ones of the study file."""
        names = ("rater", "attributes", "made_at", "revoked_at")
        query = select(*(invitations.c[name] for name in names)).where(invitations.c.study == study)
        rows = self._log.read(query.order_by(invitations.c.made_at, invitations.c.rater))
        return [Invitation(**{**row._mapping, "attributes": json.loads(row.attributes)}) for row in rows]

    def revoked(self, study: str) -> frozenset[str]:
        """The raters who may not come in."""
        return frozenset(one.rater for one in self.of(study) if one.revoked_at is not None)


def with_invited(log: Log, study: Study) -> Study:
    """The study with everybody who was ever invited among its raters."""
    described = {rater.id for rater in study.description.raters}
    found = Invitations(log).of(study.description.name)
    more = tuple(Rater(id=one.rater, attributes=one.attributes) for one in found if one.rater not in described)
    if not more:
        return study
    return replace(study, description=replace(study.description, raters=(*study.description.raters, *more)))


def _invite(connection: Connection, study: str, rater: str, attributes: Mapping[str, str]) -> None:
    if _known(connection, study, rater):
        _change(connection, study, rater, None)
        return
    about = json.dumps(dict(attributes), sort_keys=True)
    row = {"study": study, "rater": rater, "attributes": about, "made_at": now(), "revoked_at": None}
    connection.execute(insert(invitations), [row])


def _revoke(connection: Connection, study: str, rater: str) -> None:
    if not _known(connection, study, rater):
        _invite(connection, study, rater, {})
    _change(connection, study, rater, now())


def _known(connection: Connection, study: str, rater: str) -> bool:
    same = (invitations.c.study == study, invitations.c.rater == rater)
    return connection.scalar(select(invitations.c.rater).where(*same)) is not None


def _change(connection: Connection, study: str, rater: str, revoked_at: str | None) -> None:
    same = (invitations.c.study == study, invitations.c.rater == rater)
    connection.execute(update(invitations).where(*same).values(revoked_at=revoked_at))
