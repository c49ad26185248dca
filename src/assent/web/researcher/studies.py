"""The studies of this server: how far they are, and the links to send to raters."""

from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.collection.session import Study
from assent.web import visitors
from assent.web.links import personal_link
from assent.web.pages import render, texts_for
from assent.web.server import Server, server_of


@dataclass(frozen=True, kw_only=True)
class Invited:
    """A rater with a personal link and how far they are: new, begun or completed."""

    id: str
    link: str
    state: str


@dataclass(frozen=True, kw_only=True)
class Overview:
    """One study as the list shows it."""

    title: str
    begun: int
    completed: int
    open_link: str
    raters: list[Invited]


async def studies(request: Request) -> Response:
    """GET /researcher: all studies, for researchers who are signed in."""
    researcher = await visitors.researcher_of(request)
    if researcher is None:
        return RedirectResponse(request.url_for("sign_in").path, status_code=303)
    server, base = server_of(request), str(request.base_url).rstrip("/")
    overviews = [await run_in_threadpool(overview, server, study, base) for study in server.studies.values()]
    t = texts_for(request)
    return render(
        request, "researcher/studies.html", t=t, title=t("studies_title"), studies=overviews, researcher=researcher
    )


def overview(server: Server, study: Study, base: str) -> Overview:
    """How far a study is, with its links as seen from `base`."""
    name = study.description.name
    standings = {standing.rater: standing for standing in server.log.standings(name)}
    states = {rater: "completed" if standing.completed_at else "begun" for rater, standing in standings.items()}
    invited = [
        Invited(id=rater.id, link=base + personal_link(server, name, rater.id), state=states.get(rater.id, "new"))
        for rater in study.description.raters
    ]
    return Overview(
        title=study.description.title,
        begun=len(states),
        completed=sum(state == "completed" for state in states.values()),
        open_link=f"{base}/s/{name}" if study.description.is_open else "",
        raters=invited,
    )
