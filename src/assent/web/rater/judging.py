"""The page a rater is on, and what happens when they do something there.

One address serves both: a browser without the script gets whole pages and is redirected after every form; the script
asks for JSON and gets the screens that come next. What is stored is the same.
"""

from dataclasses import dataclass
from importlib.resources import files
from itertools import takewhile
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response

from assent.collection.accounts import Visit
from assent.collection.events import new_id
from assent.collection.session import State, Study
from assent.design.description import Media
from assent.web import links, visitors
from assent.web.pages import draw, render, texts_for
from assent.web.rater.sessions import Session, shown
from assent.web.rater.stages import Stage, frame, stage, stages_ahead
from assent.web.rater.submissions import RefusedError, Submission, submission
from assent.web.rater.treebanking import FIRST, Look, decoded, is_ready
from assent.web.requests import checked_form, limited, study_of
from assent.web.server import Server, server_of

UNAUTHORIZED, UNPROCESSABLE = 401, 422
WORKER = str(files("assent.web") / "static" / "worker.js")


@dataclass(frozen=True)
class Bench:
    """Where a rater works: the study, the server, and who they are."""

    request: Request
    server: Server
    study: Study
    visit: Visit

    @property
    def rater(self) -> str:
        """The rater's id."""
        return self.visit.who

    @property
    def name(self) -> str:
        """The study's name in addresses."""
        return self.study.description.name

    @property
    def wants_json(self) -> bool:
        """Whether the script is asking."""
        return "application/json" in self.request.headers.get("accept", "")

    def values(self, now: Stage, problem: str = "", look: Look = FIRST) -> dict[str, Any]:
        """What the templates of a screen need."""
        description = self.study.description
        root = self.request.scope.get("root_path", "")
        return {
            "t": texts_for(self.request, description.language),
            "title": description.title,
            "description": description,
            "guidelines": description.guidelines,
            "stage": now,
            "owner": links.owner_mark(self.server, self.name, self.rater),
            "resume_link": f"{self.request.base_url}".rstrip("/")
            + links.personal_link(self.server, self.name, self.rater),
            "problem": problem,
            "quit_id": new_id(),
            "worker": f"{root}/s/{self.name}/worker.js",
            "look": look,
            "media": lambda medium: _media_path(root, self.name, medium),
        }


def _media_path(root: str, study: str, medium: Media) -> str:
    return f"{root}/s/{study}/media/{medium.path}"


async def show(request: Request) -> Response:
    """GET /s/STUDY/judge: the page the rater is on."""
    bench = await _bench(request)
    async with bench.server.sessions.of(bench.study, bench.rater) as session:
        await bench.server.sessions.enrol(session)
        look = Look.asked(request.query_params.get("look"))
        if bench.wants_json:
            return await _screens(bench, session.state, look)
        await bench.server.sessions.record(session, [shown(session.state)])
        now = stage(session.state)
        await decoded(now.unit)
        return render(request, "rater/page.html", **bench.values(now, look=look))


async def keep(request: Request) -> Response:
    """GET /s/STUDY/offline: the rater's page without any screen, for the browser to keep."""
    bench = await _bench(request)
    return render(request, "rater/page.html", **bench.values(frame()))


async def worker(request: Request) -> Response:
    """GET /s/STUDY/worker.js: the script that shows the frame when the server cannot be reached.

    It stands beside the pages and not among the other scripts because a browser lets it serve only what is beside it.
    """
    return FileResponse(WORKER, media_type="text/javascript")


async def take(request: Request) -> Response:
    """POST /s/STUDY/judge: something the rater did. The reply is sent when it is stored."""
    bench = await _bench(request, is_writing=True)
    form = await checked_form(request)
    limited(request, bench.server.limits.answers, f"{bench.name} {bench.rater}")
    if form.get("who") != links.owner_mark(bench.server, bench.name, bench.rater):
        raise HTTPException(UNAUTHORIZED)
    async with bench.server.sessions.of(bench.study, bench.rater, writing_as=bench.visit) as session:
        await decoded(stage(session.state).unit)
        try:
            given = submission(form, session.state)
        except RefusedError as refusal:
            return _refused(bench, session.state, refusal)
        await _record(bench, session, given)
        return await _reply(bench, session.state, given, Look.asked(form.get("look")))


async def _record(bench: Bench, session: Session, given: Submission) -> None:
    if given.events:
        await bench.server.sessions.record(session, given.events)
    await bench.server.sessions.enrol(session)


async def _reply(bench: Bench, state: State, given: Submission, look: Look) -> Response:
    if given.lacks:
        return _refused(bench, state, RefusedError(given.lacks))
    if bench.wants_json:
        return await _screens(bench, state, look) if given.leaves else JSONResponse({})
    return RedirectResponse(bench.request.url.path + look.query, status_code=303)


def _refused(bench: Bench, state: State, refusal: RefusedError) -> Response:
    """Say what is wrong, on the same page."""
    t = texts_for(bench.request, bench.study.description.language)
    said = refusal.said or t(refusal.key, **refusal.values)
    if bench.wants_json:
        return JSONResponse({"problem": said}, status_code=UNPROCESSABLE)
    return render(bench.request, "rater/page.html", status=UNPROCESSABLE, **bench.values(stage(state), said))


async def _screens(bench: Bench, state: State, look: Look) -> JSONResponse:
    """The keys of the screens from here on, and those of them that the browser does not have yet."""
    now, *later = stages_ahead(state)
    await decoded(now.unit)
    ahead = [now, *takewhile(lambda s: is_ready(s.unit), later)]
    looks = {now.key: look}
    have = set(bench.request.headers.get("x-have", "").split())
    drawn = {
        s.key: draw(bench.request, "rater/stage.html", **bench.values(s, look=looks.get(s.key, FIRST)))
        for s in ahead
        if s.key not in have
    }
    return JSONResponse({"order": [s.key for s in ahead], "stages": drawn})


async def _bench(request: Request, *, is_writing: bool = False) -> Bench:
    study = study_of(request)
    visit = await visitors.raters_visit(request, study.description.name, is_writing=is_writing)
    if visit is None:
        raise HTTPException(UNAUTHORIZED)
    return Bench(request, server_of(request), study, visit)
