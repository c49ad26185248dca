"""Who may come in: researchers, and the sessions of browsers. Kept in the database, so a restart signs nobody out.

Nothing here hashes passwords or signs cookies; the web layer does, and hands in hashes only. Writes go through the
log's one writer.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from assent.collection.events import now
from assent.collection.log import Log
from assent.collection.membership import ALL as ALL_STUDIES
from assent.collection.membership import Membership
from assent.collection.tables import keys, researchers, visits
from assent.errors import InputError


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


class Accounts:
    """Accounts and visits beside a log."""

    def __init__(self, log: Log) -> None:
        """Beside this log."""
        self._log = log

    def server_key(self, name: str = "links") -> str:
        """A secret of this database, drawn once: what personal links and cookies are signed with."""
        key: str = self._write(lambda connection: _key(connection, name))
        return key

    def add_researcher(
        self, name: str, password_hash: str, *, study: str = ALL_STUDIES, role: str = "researcher"
    ) -> None:
        """A new account and what it may do where; refuses a name that is taken."""
        self._write(lambda connection: _add_researcher(connection, name, password_hash))
        Membership(self._log).admit(study, name, role)

    def set_password(self, name: str, password_hash: str) -> None:
        """Change a researcher's password and end their visits."""
        self._write(lambda connection: _set_password(connection, name, password_hash))

    def password_hash(self, name: str) -> str | None:
        """The stored hash of a researcher, None when there is no such researcher."""
        found = self._log.read(select(researchers.c.password_hash).where(researchers.c.name == name))
        return found[0].password_hash if found else None

    def researchers(self) -> list[str]:
        """All researchers by name."""
        return [row.name for row in self._log.read(select(researchers.c.name).order_by(researchers.c.name))]

    def begin_visit(self, visit: Visit) -> None:
        """Remember a signed-in browser."""
        self._write(lambda connection: connection.execute(insert(visits), [visit.__dict__]) and None)

    def visit(self, token_hash: str) -> Visit | None:
        """The visit with this token, None when it is unknown or over."""
        query = select(visits).where(visits.c.token_hash == token_hash, visits.c.expires_at > now())
        found = self._log.read(query)
        return Visit(**found[0]._mapping) if found else None

    def visits_of(self, role: str, who: str) -> list[Visit]:
        """Where somebody is signed in, in the order of their coming."""
        theirs = (visits.c.role == role, visits.c.who == who, visits.c.expires_at > now())
        found = self._log.read(select(visits).where(*theirs).order_by(visits.c.made_at, visits.c.token_hash))
        return [Visit(**row._mapping) for row in found]

    def end_visits(self, role: str, study: str, who: str) -> None:
        """Sign somebody out everywhere."""
        same = (visits.c.role == role, visits.c.study == study, visits.c.who == who)
        self._write(lambda connection: connection.execute(delete(visits).where(*same)) and None)

    def end_visit(self, token_hash: str) -> None:
        """Sign a browser out."""
        self._write(
            lambda connection: connection.execute(delete(visits).where(visits.c.token_hash == token_hash)) and None
        )

    def _write(self, work: Callable[[Connection], Any]) -> Any:
        return self._log.write(work).result()


def _key(connection: Connection, name: str) -> str:
    value = connection.scalar(select(keys.c.value).where(keys.c.name == name))
    if value is None:
        value = secrets.token_urlsafe(32)
        connection.execute(insert(keys), [{"name": name, "value": value}])
    return value


def _add_researcher(connection: Connection, name: str, password_hash: str) -> None:
    if connection.scalar(select(researchers.c.name).where(researchers.c.name == name)) is not None:
        raise InputError(f"there is already a researcher {name!r}", hint="choose another name")
    row = {"name": name, "password_hash": password_hash, "made_at": now()}
    connection.execute(insert(researchers), [row])


def _set_password(connection: Connection, name: str, password_hash: str) -> None:
    changed = connection.execute(
        update(researchers).where(researchers.c.name == name).values(password_hash=password_hash)
    )
    if changed.rowcount == 0:
        raise InputError(f"there is no researcher {name!r}")
    connection.execute(delete(visits).where(visits.c.role == "researcher", visits.c.who == name))
