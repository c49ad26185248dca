"""Ways through the studio: where a study opens, where pages were before, and the list to jump from."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from concordant.collection.accounts import ADJUDICATOR
from concordant.studio import projects
from concordant.studio.people import DECIDERS
from concordant.web.pages.shell import page, place_of, signed_in
from concordant.web.requests import aside
from concordant.web.server import server_of

MOVED = {
    "": "",
    "agreement": "results",
    "agreement/stopping": "results/stopping",
    "adjudication": "disagreements/decide",
    "gold": "report/gold",
    "gold.csv": "report/gold.csv",
    "weights": "report/weights",
}
"""Pages of a study that had other names; the rest kept theirs."""


async def study(request: Request) -> Response:
    """GET /studies/STUDY: on to what there is to see: results once somebody has answered."""
    place = await place_of(request, DECIDERS)
    if place.role == ADJUDICATOR:
        return RedirectResponse(request.url_for("adjudication", study=place.name).path, status_code=303)
    has_answers = (await aside(place.latest)).progress.n_answered > 0
    return RedirectResponse(request.url_for("results" if has_answers else "build", study=place.name).path, 303)


async def moved(request: Request) -> Response:
    """Every address of a study as it was before: on to where the page is now, with what was asked and sent."""
    name, rest = request.path_params["study"], request.path_params.get("rest", "")
    path = request.url_for("study", study=name).path + (f"/{found}" if (found := MOVED.get(rest, rest)) else "")
    return RedirectResponse(f"{path}?{request.url.query}" if request.url.query else path, status_code=308)


async def jump(request: Request) -> Response:
    """GET /jump?q=…: studies, their pages and questions whose names have these words."""
    who, asked = await signed_in(request), request.query_params.get("q", "")[:200]
    found = await aside(projects.places, server_of(request), who, asked)
    return page(request, "jump.html", who, title="", places=found, asked=asked)
