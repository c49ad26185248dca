"""Who may use which part of the API."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request
from pydantic import BaseModel

from assent.collection.accounts import Visit
from assent.collection.session import Study
from assent.web import visitors
from assent.web.requests import limited
from assent.web.security import CSRF_HEADER, form_is_ours
from assent.web.server import Server, server_of

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
StudyName = Annotated[str, Path(description="The study's name, as in its address.", max_length=200)]


class Problem(BaseModel):
    """What is wrong."""

    problem: str


def refusals(*codes: int) -> dict[int | str, dict[str, object]]:
    """The refusals an operation may answer with, for its description."""
    return {code: {"model": Problem} for code in (*codes, 503)}


@dataclass(frozen=True)
class Seat:
    """A rater at work: the server, the study, and the visit whose key or cookie the request shows."""

    server: Server
    study: Study
    visit: Visit


async def served(request: Request, study: StudyName) -> Study:
    """The study of the address. (Asynchronous, like all that follows: FastAPI sends others through a thread.)"""
    found = server_of(request).study(study)
    if found is None:
        raise HTTPException(404, "there is no such study on this server")
    return found


async def shared(request: Request) -> Server:
    """What all requests share."""
    return server_of(request)


async def raters_seat(request: Request, study: StudyName) -> Seat:
    """The rater who is asking. One dependency for all of it: answers come often, and each dependency costs."""
    found, server, is_writing = await served(request, study), server_of(request), request.method not in SAFE
    visit = await visitors.raters_visit(request, study, is_writing=is_writing)
    if visit is None:
        raise HTTPException(401, "sign in first", headers={"www-authenticate": "Bearer"})
    _check_form(request)
    if is_writing:
        limited(request, server.limits.answers, f"{study} {visit.who}")
    return Seat(server, found, visit)


async def signed_in_researcher(request: Request) -> str:
    """The researcher whose key or cookie the request shows."""
    researcher = await visitors.researcher_of(request)
    if researcher is None:
        raise HTTPException(401, "sign in first", headers={"www-authenticate": "Bearer"})
    _check_form(request)
    return researcher


def _check_form(request: Request) -> None:
    """A cookie alone is not enough to change something: another site's page could make the browser send it."""
    if request.method in SAFE or visitors.bearer(request) is not None:
        return
    if not form_is_ours(request, server_of(request).secret.encode(), request.headers.get(CSRF_HEADER)):
        raise HTTPException(403, f"show the form token in the header {CSRF_HEADER}")


Served = Annotated[Study, Depends(served)]
RatersSeat = Annotated[Seat, Depends(raters_seat)]
Researcher = Annotated[str, Depends(signed_in_researcher)]
Shared = Annotated[Server, Depends(shared)]
