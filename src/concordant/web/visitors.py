"""Who is asking: browsers that signed in. A browser holds a random token, the database its hash.

A rater's visit belongs to one study and has its own cookie, so one person can be a rater in several studies and a
researcher besides. Programs may show the token in the Authorization header instead.
"""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from time import monotonic

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from concordant.about import NAME
from concordant.collection.accounts import Visit
from concordant.collection.events import now
from concordant.collection.session import Running
from concordant.web.security import set_cookie
from concordant.web.server import Server, server_of

RATER, RESEARCHER, DEVICE = "rater", "researcher", "device"
MOST_MARKS = 12
DAYS = {RATER: 180, RESEARCHER: 14}
REMEMBERED, MOST_REMEMBERED = 20.0, 10_000


def cookie_name(role: str, study: str = "") -> str:
    """The cookie that holds the token of a visit."""
    return "-".join(filter(None, (NAME, role, study)))


async def begin(server: Server, role: str, who: str, study: str = "") -> str:
    """Sign somebody in; returns the token that shows it from now on."""
    token, visit = beginning(role, who, study)
    await run_in_threadpool(server.accounts.begin_visit, visit)
    return token


def beginning(role: str, who: str, study: str = "") -> tuple[str, Visit]:
    """A visit that is to begin, with its token."""
    token = secrets.token_urlsafe(32)
    until = datetime.now(UTC) + timedelta(days=DAYS[role])
    return token, Visit(
        token_hash=_hash(token),
        role=role,
        study=study,
        who=who,
        made_at=now(),
        expires_at=until.isoformat(timespec="milliseconds"),
    )


def begun(server: Server, visit: Visit) -> None:
    """Remember a visit that was stored a moment ago."""
    _remember(server, visit.token_hash, visit)


def keep(request: Request, response: Response, token: str, role: str, study: str = "") -> None:
    """Give the token to the browser."""
    set_cookie(request, response, cookie_name(role, study), token, days=DAYS[role])


def mark(request: Request, response: Response, study: str, owner: str) -> None:
    """Let the browser know whom it has let in, the last few of them, also when nobody is signed in any more.

    The mark of a rater tells nobody who they are.
    """
    marks = [*(one for one in marks_of(request, study) if one != owner), owner]
    set_cookie(request, response, cookie_name(DEVICE, study), ".".join(marks[-MOST_MARKS:]), days=DAYS[RATER])


def marks_of(request: Request, study: str) -> list[str]:
    """The marks of those whom this browser has let in."""
    return [one for one in request.cookies.get(cookie_name(DEVICE, study), "").split(".") if one]


async def end(request: Request, response: Response, role: str, study: str = "") -> None:
    """Sign the browser out."""
    token = request.cookies.get(cookie_name(role, study))
    if token:
        await end_known(server_of(request), _hash(token))
    response.delete_cookie(cookie_name(role, study))


async def end_known(server: Server, token_hash: str) -> None:
    """End a visit of somebody, wherever its token is."""
    await run_in_threadpool(server.accounts.end_visit, token_hash)
    _remember(server, token_hash, None)


async def who_asks(request: HTTPConnection, role: str, study: str = "") -> str | None:
    """The rater of this study, or the researcher, who is asking; None when the browser is not signed in as one."""
    visit = await visit_of(request, role, study)
    return visit.who if visit else None


async def visit_of(request: HTTPConnection, role: str, study: str = "", *, from_memory: bool = False) -> Visit | None:
    """The visit whose key or cookie the request shows."""
    token = bearer(request) or request.cookies.get(cookie_name(role, study))
    visit = await _known(server_of(request), _hash(token), from_memory=from_memory) if token else None
    return visit if visit and (visit.role, visit.study) == (role, study) and visit.expires_at > now() else None


@dataclass(frozen=True)
class RaterPlace:
    """A rater at work: the server, the study, and the visit whose key or cookie the request shows."""

    server: Server
    study: Running
    visit: Visit

    @property
    def rater(self) -> str:
        """The rater's id."""
        return self.visit.who

    @property
    def name(self) -> str:
        """The study's name in addresses."""
        return self.study.description.name


async def rater_place(request: HTTPConnection, study: Running, *, is_writing: bool) -> RaterPlace | None:
    """The place of the rater who is asking; None when nobody is signed in.

    A writer hands the visit on, and what they send is stored only if it holds: for that, memory is good enough.
    """
    visit = await visit_of(request, RATER, study.description.name, from_memory=is_writing)
    return None if visit is None else RaterPlace(server_of(request), study, visit)


def bearer(request: HTTPConnection) -> str | None:
    """The token in the Authorization header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


async def _known(server: Server, token_hash: str, *, from_memory: bool) -> Visit | None:
    """The visit in the database; one that was found is remembered for a moment, because pages come in bursts.

    Where another process may have ended it, memory is good enough only for what is checked again.
    """
    visit, seen = server.visits.get(token_hash, (None, 0.0))
    if visit is None or monotonic() - seen > REMEMBERED or (server.log.is_shared and not from_memory):
        visit = await run_in_threadpool(server.accounts.visit, token_hash)
        _remember(server, token_hash, visit)
    return visit


def _remember(server: Server, token_hash: str, visit: Visit | None) -> None:
    server.visits.pop(token_hash, None)
    if visit is not None:
        server.visits[token_hash] = (visit, monotonic())
    while len(server.visits) > MOST_REMEMBERED:
        server.visits.popitem(last=False)


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
