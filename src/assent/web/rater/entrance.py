"""How raters come in: by a personal link, or by the open link of a study that is open to everybody."""

import secrets
from uuid import NAMESPACE_URL, uuid5

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.collection.events import Joined, Resumed
from assent.collection.session import Study
from assent.web import links, visitors
from assent.web.pages import message, render, texts_for
from assent.web.requests import address, checked_form, limited, study_of
from assent.web.server import Server, server_of

MOST_ORIGINS, LONGEST_ORIGIN = 12, 200


async def entrance(request: Request) -> Response:
    """GET /s/STUDY: on to the pages for whoever is signed in; a welcome where all may come; else an explanation."""
    study = study_of(request)
    name = study.description.name
    if await visitors.rater_of(request, name):
        return _to_pages(request, name)
    if not study.description.is_open:
        return message(request, "invited_only", status=403)
    t = texts_for(request, study.description.language)
    return render(request, "rater/welcome.html", t=t, title=study.description.title)


async def begin(request: Request) -> Response:
    """POST /s/STUDY: take part in an open study under an assigned id."""
    study, server = study_of(request), server_of(request)
    if not study.description.is_open:
        return message(request, "invited_only", status=403)
    await checked_form(request)
    limited(request, server.limits.entrances, address(request))
    origin = dict(list(request.query_params.items())[:MOST_ORIGINS])
    rater = await join_openly(server, study, {key[:80]: value[:LONGEST_ORIGIN] for key, value in origin.items()})
    return await _signed_in(request, study, rater)


async def by_link(request: Request) -> Response:
    """GET /s/STUDY/as/TOKEN: sign in with a personal link."""
    study, server = study_of(request), server_of(request)
    limited(request, server.limits.entrances, address(request))
    rater = await run_in_threadpool(links.rater_in, server, study.description.name, request.path_params["token"])
    if rater is None:
        return message(request, "bad_link", status=403)
    await join_by_link(server, study, rater)
    return await _signed_in(request, study, rater)


async def join_openly(server: Server, study: Study, origin: dict[str, str]) -> str:
    """A new rater with an assigned id."""
    rater = f"p{secrets.token_hex(5)}"
    async with server.sessions.of(study, rater) as session:
        await server.sessions.record(session, [Joined(rater=rater, link="open", origin=origin)])
    return rater


async def join_by_link(server: Server, study: Study, rater: str) -> None:
    """Note that an invited rater has come, or come again."""
    async with server.sessions.of(study, rater) as session:
        first = Joined(id=str(uuid5(NAMESPACE_URL, f"joined {study.description.name} {rater}")), rater=rater)
        await server.sessions.record(session, [Resumed(rater=rater) if session.ids else first])


async def _signed_in(request: Request, study: Study, rater: str) -> Response:
    name = study.description.name
    token = await visitors.begin(server_of(request), visitors.RATER, rater, name)
    response = _to_pages(request, name)
    visitors.keep(request, response, token, visitors.RATER, name)
    return response


def _to_pages(request: Request, study: str) -> RedirectResponse:
    return RedirectResponse(request.url_for("judging", study=study).path, status_code=303)
