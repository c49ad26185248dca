"""Raters' pages: how they come in, the page they are on, what happens when they do something there.

One address serves the work: a browser without the script gets whole pages and is redirected after every form; the
script asks for JSON and gets the screens that come next. What is stored is the same.
"""

import json
import secrets
from collections.abc import Mapping
from contextlib import AsyncExitStack
from importlib.resources import files
from itertools import takewhile
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from concordant.about import NAME
from concordant.collection.accounts import Visit
from concordant.collection.events import Joined, Resumed, new_id
from concordant.collection.session import Running, State
from concordant.collection.store import EventConflictError
from concordant.errors import InputError
from concordant.studio.people import PLATFORMS, owner_mark, personal_link, rater_in, sent_as
from concordant.studio.projects import NotAllowedError
from concordant.tasks.kind import kind_of
from concordant.web import visitors
from concordant.web.markup import draw, message, render, script_of, texts_for
from concordant.web.rater.blinding import medium_path
from concordant.web.rater.parse_page import FIRST, Look, decoded, is_ready
from concordant.web.rater.sessions import shown
from concordant.web.rater.stages import Stage, frame, stage, stages_ahead
from concordant.web.rater.submissions import RefusedError, submission
from concordant.web.requests import UNAUTHORIZED, UNPROCESSABLE, address, checked_form, limited, study_of
from concordant.web.server import Server, server_of
from concordant.web.visitors import RATER, RaterPlace, rater_place

MOST_ORIGINS, LONGEST_ORIGIN = 12, 200
UNREADABLE = {400, 413}  # of too many parts, or too large: it will be no other the next time
REVOKED = "whoever leads the study has ended your part in it; your answers are kept"


async def entrance(request: Request) -> Response:
    """GET /s/STUDY: on to the pages for whoever is signed in; a welcome where all may come; else an explanation.

    Whom a platform sends is that person, whoever used this browser before.
    """
    study, who = study_of(request), await visitors.who_asks(request, RATER, request.path_params["study"])
    sent, refusal = _sent(request, study)
    if who is not None and (sent in {None, who}):
        return _to_pages(request, study.description.name)
    if refusal is not None:
        return refusal
    if await _is_revoked(request, study, sent):
        return message(request, "revoked", status=403)
    t = texts_for(request, study.description.language)
    return render(request, "rater/welcome.html", t=t, title=study.description.title)


def _sent(request: Request, study: Running) -> tuple[str | None, Response | None]:
    """The rater whom the link names, and why whoever is not signed in cannot come in by it."""
    parameter = study.description.recruitment.participant
    if not study.description.is_open:
        return None, message(request, "invited_only", status=403)
    try:
        sent = sent_as(server_of(request), study, request.query_params)
        is_lacking = sent is None and bool(parameter)
    except InputError:
        sent, is_lacking = "", True
    named = parameter or " / ".join(PLATFORMS)
    return sent, message(request, "not_sent", status=403, parameter=named) if is_lacking else None


async def begin(request: Request) -> Response:
    """POST /s/STUDY: take part in an open study under an assigned id."""
    study, server = study_of(request), server_of(request)
    sent, refusal = _sent(request, study)
    if refusal is not None:
        return refusal
    await checked_form(request)
    limited(request, server.limits.entrances, address(request))
    if await _is_revoked(request, study, sent):
        return message(request, "revoked", status=403)
    return _signed_in(request, study, *await join_openly(server, study, request.query_params))


async def by_link(request: Request) -> Response:
    """GET /s/STUDY/as/TOKEN: sign in with a personal link."""
    study, server = study_of(request), server_of(request)
    limited(request, server.limits.entrances, address(request))
    rater = await run_in_threadpool(rater_in, server, study.description.name, request.path_params["token"])
    if rater is None:
        return message(request, "bad_link", status=403)
    return _signed_in(request, study, *await join(server, study, rater))


async def join_openly(server: Server, study: Running, origin: Mapping[str, str]) -> tuple[str, Visit]:
    """Let in a rater with an assigned id: a new one, or the one whom a platform has sent before; returns the token that
    shows it from now on, and the visit.
    """
    sent, named = sent_as(server, study, origin), study.description.recruitment.participant
    if sent is None and named:
        raise InputError(f"the link does not say who comes ({named})", hint="open it on the platform")
    kept = {key[:80]: value[:LONGEST_ORIGIN] for key, value in list(origin.items())[:MOST_ORIGINS]}
    kept |= {named: origin[named]} if named else {}
    if sent is not None:
        if sent in await run_in_threadpool(server.invitations.revoked, study.description.name):
            raise NotAllowedError(REVOKED)
        return await join(server, study, sent, link="open", origin=kept)
    return await join(server, study, f"p{secrets.token_hex(8)}", is_new=True, link="open", origin=kept)


async def join(server: Server, study: Running, rater: str, *, is_new: bool = False, **about: Any) -> tuple[str, Visit]:
    """Note that a rater has come, or come again, and sign them in; returns the token that shows it from now on, and the
    visit.
    """
    name = study.description.name
    token, visit = visitors.beginning(RATER, rater, name)
    async with server.sessions.of(study, rater, is_new=is_new) as session:
        again = [Resumed(rater=rater)]
        joined = Joined(id=str(uuid5(NAMESPACE_URL, f"joined {name} {rater}")), rater=rater, **about)
        try:
            await server.sessions.arrive(session, again if session.ids else [joined], visit)
        except EventConflictError:  # they came in by another server at the same moment, from another link
            await server.sessions.arrive(session, again, visit)
    visitors.begun(server, visit)
    return token, visit


async def _is_revoked(request: Request, study: Running, sent: str | None) -> bool:
    """Whether somebody was revoked: the one whom a platform sends, or one whom this browser has let in before."""
    server, name = server_of(request), study.description.name
    marks = [] if study.description.recruitment.comes_anew else visitors.marks_of(request, name)
    if sent is None and not marks:
        return False
    revoked = await run_in_threadpool(server.invitations.revoked, name)
    return sent in revoked or any(owner_mark(server, name, rater) in marks for rater in revoked)


def _signed_in(request: Request, study: Running, token: str, visit: Visit) -> Response:
    name = study.description.name
    response = _to_pages(request, name)
    visitors.keep(request, response, token, RATER, name)
    visitors.mark(request, response, name, owner_mark(server_of(request), name, visit.who))
    return response


def _to_pages(request: Request, study: str) -> RedirectResponse:
    return RedirectResponse(request.url_for("judging", study=study).path, status_code=303)


async def show(request: Request) -> Response:
    """GET /s/STUDY/judge: the page the rater is on."""
    place = await _place(request)
    async with place.server.sessions.of(place.study, place.rater) as session, AsyncExitStack() as turn:
        if (before := session.shown) is None:  # a newcomer
            await turn.enter_async_context(place.server.arriving)
        await place.server.sessions.enrol(session)
        look = Look.asked(request.query_params.get("look"))
        if _wants_json(request):
            return JSONResponse(await _screens(request, place, session.state, look))
        if session.shown is before:
            await place.server.sessions.record(session, [shown(session.state)])
        now = stage(session.state)
        await decoded(now.unit)
        return render(request, "rater/page.html", **_values(request, place, now, look=look))


async def keep(request: Request) -> Response:
    """GET /s/STUDY/offline: the rater's page without any screen, for the browser to keep."""
    place = await _place(request)
    return render(request, "rater/page.html", **_values(request, place, frame()))


async def worker(request: Request) -> Response:
    """GET /s/STUDY/worker.js: the script that shows the frame when the server cannot be reached.

    It stands beside the pages and not among the other scripts because a browser lets it serve only what is beside it.
    It keeps the scripts of the kinds of questions that the study asks.
    """
    questions = study_of(request).description.questions
    names = sorted({name for question in questions if (name := script_of(kind_of(question)))})
    script = (files(NAME) / "web" / "static" / "worker.js").read_text(encoding="utf-8")
    return Response(f"const TASKS = {json.dumps(names)};\n{script}", media_type="text/javascript")


async def take(request: Request) -> Response:
    """POST /s/STUDY/judge: something the rater did. The reply is sent when it is stored."""
    place = await _place(request, is_writing=True)
    sessions = place.server.sessions
    try:
        form = await checked_form(request)
    except HTTPException as error:
        if error.status_code not in UNREADABLE or not _wants_json(request):
            raise
        unread = {"event": request.headers.get("x-event", "")}
        said = texts_for(request, place.study.description.language)("too_large")
        return JSONResponse(_receipt(unread, "refused", reason=said), status_code=error.status_code)
    limited(request, place.server.limits.answers, f"{place.name} {place.rater}")
    if form.get("who") != owner_mark(place.server, place.name, place.rater):
        raise HTTPException(UNAUTHORIZED)
    async with sessions.of(place.study, place.rater, writing_as=place.visit) as session:
        await decoded(stage(session.state).unit)
        await sessions.hear(
            session, [str(text) for name, text in form.multi_items() if name.startswith("saw:") and text]
        )
        try:
            given = submission(form, session.state, session.shown)
            is_known = bool(given.events) and all(event.id in session.ids for event in given.events)
            await sessions.record(session, given.events)
        except RefusedError as refusal:
            return _refused(request, place, session.state, refusal, form)
        except EventConflictError:
            return _refused(request, place, session.state, RefusedError("refused"), form)
        await sessions.enrol(session)
        if given.lacks:
            return _refused(request, place, session.state, RefusedError("required_missing", ask=given.lacks), form)
        look = Look.asked(form.get("look"))
        if not _wants_json(request):
            return RedirectResponse(request.url.path + look.query, status_code=303)
        receipt = _receipt(form, "known" if is_known else "stored")
        screens = await _screens(request, place, session.state, look) if given.leaves else {}
        return JSONResponse({**receipt, **screens})


def _receipt(form: Mapping[str, Any], state: str, **more: str) -> dict[str, Any]:
    """What became of a form: stored, known (it was stored before) or refused.

    It names the id that the browser gave the form. The browser lets an answer go on nothing less: whatever else can
    come back from a network was not said by us about this answer.
    """
    return {"receipt": {"id": str(form.get("event", "")), "state": state, **more}}


async def _place(request: Request, *, is_writing: bool = False) -> RaterPlace:
    place = await rater_place(request, study_of(request), is_writing=is_writing)
    if place is None:
        raise HTTPException(UNAUTHORIZED)
    return place


def _wants_json(request: Request) -> bool:
    """Whether the script is asking."""
    return "application/json" in request.headers.get("accept", "")


def _values(request: Request, place: RaterPlace, now: Stage, problem: str = "", look: Look = FIRST) -> dict[str, Any]:
    """What the templates of a screen need."""
    description = place.study.description
    root = f"{request.scope.get('root_path', '')}/s/{place.name}"
    return {
        "t": texts_for(request, description.language),
        "title": description.title,
        "description": description,
        "guidelines": description.guidelines,
        "stage": now,
        "owner": owner_mark(place.server, place.name, place.rater),
        "resume_link": f"{request.base_url}".rstrip("/") + personal_link(place.server, place.name, place.rater),
        "problem": problem,
        "quit_id": new_id(),
        "worker": f"{root}/worker.js",
        "look": look,
        "media": lambda medium: (
            f"{root}/media/{medium_path(place.server, place.study, place.rater, now.page.step, medium)}"
        ),
        "scripts": [name for question in description.questions if (name := script_of(kind_of(question)))],
    }


def _refused(request: Request, place: RaterPlace, state: State, refusal: RefusedError, form: FormData) -> Response:
    """Say what is wrong, on the same page."""
    t = texts_for(request, place.study.description.language)
    said = refusal.said or t(refusal.key, **refusal.values)
    if _wants_json(request):
        return JSONResponse(_receipt(form, "refused", reason=said), status_code=UNPROCESSABLE)
    values = _values(request, place, stage(state), said)
    return render(request, "rater/page.html", status=UNPROCESSABLE, **values)


async def _screens(request: Request, place: RaterPlace, state: State, look: Look) -> dict[str, Any]:
    """The keys of the screens from here on, and those of them that the browser does not have yet."""
    now, *later = stages_ahead(state)
    await decoded(now.unit)
    ahead = [now, *takewhile(lambda one: is_ready(one.unit), later)]
    have = set(request.headers.get("x-have", "").split())
    drawn = {
        one.key: draw(request, "rater/stage.html", **_values(request, place, one, look=look if one is now else FIRST))
        for one in ahead
        if one.key not in have
    }
    return {"order": [one.key for one in ahead], "stages": drawn}
