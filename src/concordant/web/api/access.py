"""Who may use which part of the API."""

from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request
from pydantic import BaseModel

from concordant.collection.session import Running
from concordant.studio.people import DECIDERS, MemberPlace, place_of
from concordant.web import visitors
from concordant.web.requests import aside, limited
from concordant.web.security import CSRF_HEADER, form_is_ours
from concordant.web.server import Server, server_of
from concordant.web.visitors import RESEARCHER, RaterPlace, rater_place

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
StudyName = Annotated[str, Path(description="The study's name, as in its address.", max_length=200)]


class Problem(BaseModel):
    """What is wrong."""

    problem: str


class Key(BaseModel):
    """The key to show from now on."""

    key: str


def refusals(*codes: int) -> dict[int | str, dict[str, object]]:
    """The refusals an operation may answer with, for its description."""
    return {code: {"model": Problem} for code in (*codes, 503)}


async def served(request: Request, study: StudyName) -> Running:
    """The study of the address. (Asynchronous, like all that follows: FastAPI sends others through a thread.)"""
    found = server_of(request).study(study)
    if found is None:
        raise HTTPException(404, "there is no such study on this server")
    return found


async def shared(request: Request) -> Server:
    """What all requests share."""
    return server_of(request)


async def raters_place(request: Request, study: StudyName) -> RaterPlace:
    """The rater who is asking. One dependency for all of it: answers come often, and each dependency costs."""
    found, is_writing = await served(request, study), request.method not in SAFE
    place = await rater_place(request, found, is_writing=is_writing)
    if place is None:
        raise HTTPException(401, "sign in first", headers={"www-authenticate": "Bearer"})
    _check_form(request)
    if is_writing:
        limited(request, place.server.limits.answers, f"{place.name} {place.rater}")
    return place


async def signed_in_researcher(request: Request) -> str:
    """The researcher whose key or cookie the request shows."""
    researcher = await visitors.who_asks(request, RESEARCHER)
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


Served = Annotated[Running, Depends(served)]
AtRatersPlace = Annotated[RaterPlace, Depends(raters_place)]
Researcher = Annotated[str, Depends(signed_in_researcher)]
Shared = Annotated[Server, Depends(shared)]


async def _researchers_place(server: Shared, who: Researcher, study: StudyName) -> MemberPlace:
    return await aside(place_of, server, who, study)


async def _deciders_place(server: Shared, who: Researcher, study: StudyName) -> MemberPlace:
    return await aside(place_of, server, who, study, DECIDERS)


AsResearcher = Annotated[MemberPlace, Depends(_researchers_place)]
AsDecider = Annotated[MemberPlace, Depends(_deciders_place)]
REFUSALS = refusals(401, 403, 404, 422)
