"""Who may come in and do what in which study: researchers, the sessions of browsers, the members of studies.

Kept in the database, so a restart signs nobody out. Nothing here hashes passwords or signs cookies; the web layer does,
and hands in hashes only. Writes go through the log's one writer.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from concordant.collection.database import keys, members, researchers, visits
from concordant.collection.events import now
from concordant.collection.log import BesideLog
from concordant.errors import InputError, nearest

ALL = "*"
"""A member of `ALL` studies belongs to every study of the server, also to those that are made later."""

RESEARCHER, ADJUDICATOR = "researcher", "adjudicator"
ROLES = (RESEARCHER, ADJUDICATOR)
"""Researchers see everything of a study, adjudicators only what is to be decided."""


@dataclass(frozen=True, kw_only=True)
class Visit:
    """A signed-in browser. `role` is rater or researcher; a rater's visit belongs to one study, a researcher's to
    none ("").
    """

    token_hash: str
    role: str
    study: str
    who: str
    made_at: str
    expires_at: str


@dataclass(frozen=True, kw_only=True)
class Member:
    """Somebody with an account and what they may do in a study (`ALL`: in every one)."""

    study: str
    name: str
    role: str


class Accounts(BesideLog):
    """Accounts and visits beside a log."""

    def server_key(self, name: str = "links") -> str:
        """A secret of this database, drawn once: what personal links and cookies are signed with."""

        def drawn(connection: Connection) -> str:
            value = connection.scalar(select(keys.c.value).where(keys.c.name == name))
            if value is None:
                value = secrets.token_urlsafe(32)
                connection.execute(insert(keys), [{"name": name, "value": value}])
            return value

        return self.log.write(drawn).result()

    def add_researcher(self, name: str, password_hash: str, *, study: str = ALL, role: str = RESEARCHER) -> None:
        """A new account and what it may do where; refuses a name that is taken."""

        def add(connection: Connection) -> None:
            if connection.scalar(select(researchers.c.name).where(researchers.c.name == name)) is not None:
                raise InputError(f"there is already a researcher {name!r}", hint="choose another name")
            connection.execute(insert(researchers).values(name=name, password_hash=password_hash, made_at=now()))

        self.log.write(add).result()
        Membership(self.log).admit(study, name, role)

    def set_password(self, name: str, password_hash: str) -> None:
        """Change a researcher's password and end their visits."""

        def change(connection: Connection) -> None:
            new = update(researchers).where(researchers.c.name == name).values(password_hash=password_hash)
            if connection.execute(new).rowcount == 0:
                raise InputError(f"there is no researcher {name!r}")
            connection.execute(delete(visits).where(visits.c.role == "researcher", visits.c.who == name))

        self.log.write(change).result()

    def password_hash(self, name: str) -> str | None:
        """The stored hash of a researcher, None when there is no such researcher."""
        found = self.log.read(select(researchers.c.password_hash).where(researchers.c.name == name))
        return found[0].password_hash if found else None

    def researchers(self) -> list[str]:
        """All researchers by name."""
        return [row.name for row in self.log.read(select(researchers.c.name).order_by(researchers.c.name))]

    def begin_visit(self, visit: Visit) -> None:
        """Remember a signed-in browser."""
        self.log.change(insert(visits).values(visit.__dict__))

    def visit(self, token_hash: str) -> Visit | None:
        """The visit with this token, None when it is unknown or over."""
        found = self._visits(visits.c.token_hash == token_hash)
        return found[0] if found else None

    def visits_of(self, role: str, who: str) -> list[Visit]:
        """Where somebody is signed in, in the order of their coming."""
        return self._visits(visits.c.role == role, visits.c.who == who)

    def _visits(self, *which: ColumnElement[bool]) -> list[Visit]:
        return self.log.values(Visit, visits, *which, visits.c.expires_at > now(), order=("made_at", "token_hash"))

    def end_visits(self, role: str, study: str, who: str) -> None:
        """Sign somebody out everywhere."""
        self.log.change(delete(visits).where(visits.c.role == role, visits.c.study == study, visits.c.who == who))

    def end_visit(self, token_hash: str) -> None:
        """Sign a browser out."""
        self.log.change(delete(visits).where(visits.c.token_hash == token_hash))


class Membership(BesideLog):
    """The members of the studies in one database."""

    def admit(self, study: str, name: str, role: str = RESEARCHER) -> None:
        """Let somebody into a study, or change what they may do there."""
        if role not in ROLES:
            raise InputError(f"there is no role {role!r}", hint=nearest(role, ROLES))
        same = (members.c.study == study, members.c.name == name)
        row = {"study": study, "name": name, "role": role, "made_at": now()}
        self.log.change(delete(members).where(*same), insert(members).values(row))

    def dismiss(self, study: str, name: str) -> None:
        """Take somebody out of a study."""
        self.log.change(delete(members).where(members.c.study == study, members.c.name == name))

    def role(self, study: str, name: str) -> str | None:
        """What somebody may do in a study: what is said for that study, else what is said for all."""
        roles = {member.study: member.role for member in self._read() if member.name == name}
        return roles.get(study, roles.get(ALL))

    def roles(self, name: str) -> set[str]:
        """What somebody may do anywhere."""
        return {member.role for member in self._read() if member.name == name}

    def of(self, study: str) -> list[Member]:
        """The members of a study by name."""
        return [member for member in self._read() if member.study in (study, ALL)]

    def _read(self) -> list[Member]:
        return self.log.values(Member, members, order=("name", "study"))
