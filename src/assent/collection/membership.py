"""Who may do what in which study: researchers see everything of a study, adjudicators only what is to be decided.

A member of `ALL` studies belongs to every study of the server, also to those that are made later.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from assent.collection.events import now
from assent.collection.log import Log
from assent.collection.tables import members
from assent.errors import InputError, nearest

ALL = "*"
RESEARCHER, ADJUDICATOR = "researcher", "adjudicator"
ROLES = (RESEARCHER, ADJUDICATOR)


@dataclass(frozen=True, kw_only=True)
class Member:
    """Somebody with an account and what they may do in a study (`ALL`: in every one)."""

    study: str
    name: str
    role: str


class Membership:
    """The members of the studies in one database."""

    def __init__(self, log: Log) -> None:
        """Beside this log."""
        self._log = log

    def admit(self, study: str, name: str, role: str = RESEARCHER) -> None:
        """Let somebody into a study, or change what they may do there."""
        if role not in ROLES:
            raise InputError(f"there is no role {role!r}", hint=nearest(role, ROLES))
        row = {"study": study, "name": name, "role": role, "made_at": now()}
        self._log.write(lambda connection: _replace(connection, row)).result()

    def dismiss(self, study: str, name: str) -> None:
        """Take somebody out of a study."""
        same = (members.c.study == study, members.c.name == name)
        self._log.write(lambda connection: connection.execute(delete(members).where(*same)) and None).result()

    def role(self, study: str, name: str) -> str | None:
        """What somebody may do in a study: what is said for that study, else what is said for all."""
        roles = {member.study: member.role for member in self._read() if member.name == name}
        return roles.get(study, roles.get(ALL))

    def of(self, study: str) -> list[Member]:
        """The members of a study by name."""
        return [member for member in self._read() if member.study in (study, ALL)]

    def _read(self) -> list[Member]:
        query = select(members.c.study, members.c.name, members.c.role).order_by(members.c.name, members.c.study)
        return [Member(**row._mapping) for row in self._log.read(query)]


def _replace(connection: Connection, row: dict[str, str]) -> None:
    connection.execute(delete(members).where(members.c.study == row["study"], members.c.name == row["name"]))
    connection.execute(insert(members), [row])
