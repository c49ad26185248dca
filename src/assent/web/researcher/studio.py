"""How the researchers' pages are drawn. They are in English, as the reports are."""

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from assent.collection.membership import RESEARCHER
from assent.report.tables import cell_text, interval_text
from assent.web.pages import draw, render
from assent.web.researcher.access import Desk
from assent.web.texts import texts

TABS = {
    "overview": ("Overview", ""),
    "agreement": ("Agreement", "/agreement"),
    "disagreements": ("Disagreements", "/disagreements"),
    "adjudication": ("Adjudication", "/adjudication"),
    "gold": ("Gold standard", "/gold"),
    "weights": ("Weights", "/weights"),
    "report": ("Report and data", "/report"),
}


def page(request: Request, template: str, who: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of the studio that belongs to no study."""
    return render(request, f"researcher/{template}", status=status, **_shared(who), **values)


def study_page(request: Request, desk: Desk, tab: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of a study, with the tabs that this member may use."""
    shown = {"title": f"{TABS[tab][0]} · {desk.study.description.title}", **_of_study(request, desk, tab), **values}
    return render(request, f"researcher/{tab}.html", status=status, **_shared(desk.who), **shown)


def fragment(request: Request, desk: Desk, template: str, **values: Any) -> HTMLResponse:
    """A part of a page, to be put in by the script."""
    return HTMLResponse(
        draw(request, f"researcher/{template}", **_shared(desk.who), **_of_study(request, desk, ""), **values)
    )


def _shared(who: str) -> dict[str, Any]:
    return {"t": texts("en"), "languages": {}, "researcher": who, "cell": cell_text, "interval": interval_text}


def _of_study(request: Request, desk: Desk, tab: str) -> dict[str, Any]:
    base = f"/researcher/studies/{desk.name}"
    wanted = [key for key in TABS if desk.role == RESEARCHER or key == "adjudication"]
    if not desk.study.plan.pairs:
        wanted = [key for key in wanted if key != "weights"]
    tabs = [{"title": TABS[key][0], "path": base + TABS[key][1], "is_current": key == tab} for key in wanted]
    return {
        "tabs": tabs,
        "base": base,
        "study": desk.study.description,
        "media": lambda medium: request.url_for("media", study=desk.name, path=medium.path).path,
    }
