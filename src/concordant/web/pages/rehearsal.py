"""The raters' pages for whoever builds a study: the real pages, fed by a draft in memory; answers are forgotten."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from concordant.collection.session import State
from concordant.errors import InputError
from concordant.studio import rehearsals
from concordant.studio.drafts import WorkingDraft, draft_of
from concordant.tasks.kind import kind_of
from concordant.web.markup import message, render, script_of, texts_for
from concordant.web.rater.blinding import looked_at
from concordant.web.rater.parse_page import FIRST, Look, decoded
from concordant.web.rater.stages import stage
from concordant.web.rater.submissions import RefusedError, submission
from concordant.web.requests import NOT_FOUND, UNPROCESSABLE, aside, checked_form
from concordant.web.security import PAGE_POLICY
from concordant.web.server import server_of
from concordant.web.visitors import RESEARCHER, who_asks

FRAMED = {
    "content-security-policy": PAGE_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "x-frame-options": "SAMEORIGIN",
}
MOST_REHEARSALS = 50


async def _draft(request: Request) -> WorkingDraft:
    who = await who_asks(request, RESEARCHER)
    if who is None:
        raise HTTPException(NOT_FOUND)
    return await aside(draft_of, server_of(request), who, request.path_params["study"])


async def show(request: Request) -> Response:
    """GET …/build/preview: the page that a part of the draft is about, or with `whole` the rater's first page."""
    draft, part = await _draft(request), request.query_params.get("part", "")
    kept = server_of(request).rehearsals
    place = (draft.who, draft.name)
    if "go" not in request.query_params or place not in kept:
        try:
            study = await aside(rehearsals.rehearsed, draft, part)
        except InputError as error:
            return _framed(message(request, "no_preview", status=200, problem=str(error)))
        is_whole = "whole" in request.query_params
        kept[place] = rehearsals.advanced(rehearsals.beginning(study)) if is_whole else rehearsals.at_part(study, part)
        kept.move_to_end(place)
        while len(kept) > MOST_REHEARSALS:
            kept.popitem(last=False)
    look = Look.asked(request.query_params.get("look"))
    return await _drawn(request, kept[place], look)


async def take(request: Request) -> Response:
    """POST …/build/preview: on to the next page; nothing is stored."""
    draft, kept = await _draft(request), server_of(request).rehearsals
    form, place = await checked_form(request), (draft.who, draft.name)
    if (state := kept.get(place)) is None:
        return RedirectResponse(request.url.path, status_code=303)
    await decoded(stage(state).unit)
    look = Look.asked(form.get("look"))
    try:
        given = submission(form, state, None)
    except RefusedError as refusal:
        t = texts_for(request, state.study.description.language)
        said = refusal.said or t(refusal.key, **refusal.values)
        return await _drawn(request, state, look, said)
    kept[place] = rehearsals.advanced(state, *given.events)
    if given.lacks:
        t = texts_for(request, state.study.description.language)
        return await _drawn(request, kept[place], look, t("required_missing", ask=given.lacks))
    query = look.query.replace("?", "&", 1)
    return RedirectResponse(f"{request.url.path}?go=1{query}", status_code=303)


async def medium(request: Request) -> Response:
    """GET …/build/media/PATH: a picture or sound that the draft shows."""
    draft, kept = await _draft(request), server_of(request).rehearsals
    state = kept.get((draft.who, draft.name))
    file = None if state is None else rehearsals.medium_file(state.study, request.path_params["path"])
    if file is None:
        raise HTTPException(NOT_FOUND)
    return looked_at(file)


async def _drawn(request: Request, state: State, look: Look = FIRST, problem: str = "") -> Response:
    now, description = stage(state), state.study.description
    await decoded(now.unit)
    base = request.url.path.rpartition("/")[0]
    response = render(
        request,
        "rater/page.html",
        status=UNPROCESSABLE if problem else 200,
        t=texts_for(request, description.language),
        title=description.title,
        description=description,
        guidelines=description.guidelines,
        stage=now,
        owner="",
        resume_link="",
        problem=problem,
        quit_id=now.event_id,
        worker="",
        look=look,
        is_rehearsal=True,
        media=lambda medium: f"{base}/media/{medium.path}",
        scripts=[name for question in description.questions if (name := script_of(kind_of(question)))],
    )
    return _framed(response)


def _framed(response: Response) -> Response:
    """A page that our own pages may show in a frame."""
    for name, value in FRAMED.items():
        response.headers[name] = value
    return response
