"""What every page of the researchers starts from and how it is drawn."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from concordant.collection.accounts import RESEARCHER
from concordant.digits import cell_text, coefficient, interval_text
from concordant.studio import people
from concordant.studio.drafts import WorkingDraft
from concordant.studio.exports import Product
from concordant.studio.people import MemberPlace
from concordant.web import visitors
from concordant.web.markup import draw, render, texts_for
from concordant.web.requests import aside, download
from concordant.web.server import server_of

MOMENT = 0.7  # seconds that a browser waits before it is told how far something is
TABS = ("build", "raters", "results", "disagreements", "report")
"""The pages of every study, always these and always in this order; each has its words in the catalogues."""


async def signed_in(request: Request) -> str:
    """The researcher who is asking; anybody else is sent to the sign-in page."""
    who = await visitors.who_asks(request, visitors.RESEARCHER)
    if who is None:
        raise HTTPException(303, "sign in first", headers={"location": request.url_for("sign_in").path})
    return who


async def place_of(request: Request, roles: tuple[str, ...] = (RESEARCHER,)) -> MemberPlace:
    """The study of the address for a member with one of the roles."""
    who = await signed_in(request)
    place = await aside(people.place_of, server_of(request), who, request.path_params["study"], roles)
    live = place.studio.live
    if is_looking(request) and not await aside(live.is_read, place.study):
        raise StillWorkingError(who, "Reading the answers", live.n_read(place.study), "raters")
    return place


class StillWorkingError(Exception):
    """What was asked for takes a while: `who` sees what is done and how far it is, and then what they asked for."""

    def __init__(self, who: str, doing: str, done: tuple[int, int], of: str = "", back: str = "") -> None:
        """`done` are steps of all steps, `of` what is counted; a file leaves the page standing, `back` leads on."""
        super().__init__(doing)
        self.who, self.doing, self.done, self.of, self.back = who, doing, done, of, back


def is_looking(request: Request) -> bool:
    """Whether somebody sits before a browser; programs and scripts wait until what they asked for is there."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


async def still_working(request: Request, error: Exception) -> HTMLResponse:
    """A page that says how far it is and asks again by itself, without any script."""
    assert isinstance(error, StillWorkingError)
    done, total = error.done
    shown: dict[str, Any] = {"title": error.doing, "done": done, "total": total, "of": error.of, "back": error.back}
    response = page(request, "working.html", error.who, **shown)
    response.headers["refresh"] = "1"
    return response


async def when_made(request: Request, who: str, product: Product, *, is_shown: bool, back: str = "") -> Response:
    """A report, or how far it is: nobody looks at an empty page meanwhile. `back` is where a file was asked for."""
    making = product.making
    if making is not None and is_looking(request) and not await aside(making.is_made, MOMENT):
        raise StillWorkingError(
            who, texts_for(request)("rp_making"), (making.done, making.total), back="" if is_shown else back
        )
    return await download(product, is_shown=is_shown)


def page(request: Request, template: str, who: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of the studio that belongs to no study."""
    return render(request, f"researcher/{template}", status=status, **_shared(request, who), **values)


def study_page(
    request: Request, place: MemberPlace, tab: str, *, template: str = "", status: int = 200, **values: Any
) -> HTMLResponse:
    """A page of a study, below the tabs that this member may use; a tab has a template of its name."""
    shown = {"title": f"{texts_for(request)(f'tab_{tab}')} · {place.study.description.title}"} | values
    name = f"{template or tab}.html"
    return page(request, name, place.who, status=status, **_of_study(request, place, tab), **shown)


def draft_page(
    request: Request, draft: WorkingDraft, template: str, *, status: int = 200, standing: str = "", **values: Any
) -> HTMLResponse:
    """A page on which a study is built; one that was never published has no other pages yet."""
    base, t, is_live = f"/studies/{draft.name}", texts_for(request), draft.live is not None
    tabs = [
        {
            "title": t(f"tab_{key}"),
            "path": f"{base}/{key}" if is_live or key == "build" else "",
            "is_current": key == "build",
        }
        for key in TABS
    ]
    shown = {
        "draft": draft,
        "tabs": tabs,
        "base": base,
        "title": f"{t('tab_build')} · {draft.title}",
        "standing": standing,
    }
    return page(request, template, draft.who, status=status, **shown, **values)


def fragment(request: Request, place: MemberPlace, template: str, **values: Any) -> HTMLResponse:
    """A part of a page, to be put in by the script."""
    shown = _shared(request, place.who) | _of_study(request, place, "") | values
    return HTMLResponse(draw(request, f"researcher/{template}", **shown))


def back_to(request: Request, place: MemberPlace, tab: str, more: str = "") -> RedirectResponse:
    """On to a page of the study; `more` is what follows its path."""
    return RedirectResponse(request.url_for(tab, study=place.name).path + more, status_code=303)


def _shared(request: Request, who: str) -> dict[str, Any]:
    written = {"cell": cell_text, "interval": interval_text, "coefficient": coefficient}
    return {"t": texts_for(request), "researcher": who, **written}


def _of_study(request: Request, place: MemberPlace, tab: str) -> dict[str, Any]:
    base, t = f"/studies/{place.name}", texts_for(request)
    wanted = [key for key in TABS if place.role == RESEARCHER or key == "disagreements"]
    return {
        "tabs": [{"title": t(f"tab_{key}"), "path": f"{base}/{key}", "is_current": key == tab} for key in wanted],
        "base": base,
        "study": place.study.description,
        "has_pairs": bool(place.study.plan.pairs),
        "has_models": place.study.description.has_models,
        "questions": [(one.id, one.title or one.id) for one in place.study.description.questions],
        "media": lambda medium: request.url_for("media", study=place.name, path=medium.path).path,
    }
