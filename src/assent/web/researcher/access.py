"""Who may see which of the researchers' pages, and what every page of a study starts from."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

import anyio
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request

from assent.collection.membership import ADJUDICATOR, RESEARCHER
from assent.collection.session import Study
from assent.web import visitors
from assent.web.requests import FORBIDDEN, NOT_FOUND
from assent.web.researcher.live import Snapshot
from assent.web.server import Server, server_of

T = TypeVar("T")
BOTH = (RESEARCHER, ADJUDICATOR)


@cache
def _limiter() -> anyio.CapacityLimiter:
    """Researchers' pages compute in threads of their own, so that raters never wait for one."""
    return anyio.CapacityLimiter(4)


async def aside(work: Callable[[], T]) -> T:
    """Run something that takes a while without holding up other requests."""
    return await run_sync(work, limiter=_limiter())


@dataclass(frozen=True, kw_only=True)
class Desk:
    """A study on the desk of somebody who may work on it."""

    server: Server
    study: Study
    who: str
    role: str

    @property
    def name(self) -> str:
        """The study's name."""
        return self.study.description.name

    def renewed(self) -> "Desk":
        """The same desk with the study as the server has it now."""
        return replace(self, study=self.server.studies[self.name])

    async def latest(self) -> Snapshot:
        """The study with every answer that is stored."""
        return await aside(lambda: self.server.live.latest(self.study))

    async def measured(self) -> Snapshot:
        """The study as it was measured a moment ago: for pages that follow it."""
        return await aside(lambda: self.server.live.measured(self.study))


async def signed_in(request: Request) -> str:
    """The researcher who is asking; anybody else is sent to the sign-in page."""
    who = await visitors.researcher_of(request)
    if who is None:
        raise HTTPException(303, "sign in first", headers={"location": request.url_for("sign_in").path})
    return who


async def desk_of(request: Request, *roles: str) -> Desk:
    """The study of the address for a member with one of the roles (researchers only, unless others are named).

    To somebody who is no member a study looks as if it did not exist.
    """
    who = await signed_in(request)
    return await desk(server_of(request), who, request.path_params["study"], *roles)


async def desk(server: Server, who: str, name: str, *roles: str) -> Desk:
    """The same for somebody who is known already."""
    study = await aside(lambda: server.current(name))
    role = await aside(lambda: server.membership.role(name, who)) if study else None
    if study is None or role is None:
        raise HTTPException(NOT_FOUND, "there is no such study on this server")
    if role not in (roles or (RESEARCHER,)):
        raise HTTPException(FORBIDDEN, f"this is for {' and '.join(f'{one}s' for one in roles or (RESEARCHER,))}")
    return Desk(server=server, study=study, who=who, role=role)
