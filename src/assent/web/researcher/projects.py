"""The studies of this server that a researcher works on, and making a new one."""

from dataclasses import dataclass, replace

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.collection.membership import ADJUDICATOR
from assent.collection.session import Study
from assent.errors import AssentError, InputError
from assent.web.requests import NOT_FOUND, checked_form
from assent.web.researcher.access import aside, signed_in
from assent.web.researcher.drafts import Draft, DraftQuestion, make_study
from assent.web.researcher.live import Snapshot
from assent.web.researcher.studio import page
from assent.web.server import Server, server_of


@dataclass(frozen=True, kw_only=True)
class Card:
    """One study as the list shows it; `snapshot` is None for adjudicators."""

    study: Study
    role: str
    state: str
    snapshot: Snapshot | None
    n_decided: int

    @property
    def path(self) -> str:
        """Where its pages begin."""
        base = f"/researcher/studies/{self.study.description.name}"
        return f"{base}/adjudication" if self.role == ADJUDICATOR else base


async def show(request: Request) -> Response:
    """GET /researcher."""
    who = await signed_in(request)
    server = server_of(request)
    cards = await aside(lambda: _cards(server, who))
    return page(
        request,
        "projects.html",
        who,
        title="Studies",
        cards=cards,
        datasets=server.datasets,
        can_make=_can_make(server),
    )


async def new(request: Request) -> Response:
    """GET /researcher/new."""
    who = await signed_in(request)
    if not _can_make(server_of(request)):
        raise HTTPException(NOT_FOUND)
    return _form(request, who, Draft())


async def make(request: Request) -> Response:
    """POST /researcher/new: make the study, or show the form with room for another question."""
    who, form, server = await signed_in(request), await checked_form(request), server_of(request)
    draft = draft_in(form)
    if form.get("more"):
        return _form(request, who, replace(draft, questions=(*draft.questions, DraftQuestion())))
    try:
        study = await aside(lambda: made(server, who, draft))
    except AssentError as error:
        return _form(request, who, draft, problem=str(error))
    return RedirectResponse(request.url_for("overview", study=study.description.name).path, status_code=303)


def draft_in(form: FormData) -> Draft:
    """What a form holds; questions of which nothing was filled in are left out."""
    columns = [[_text(cell) for cell in form.getlist(name)] for name in ("ask", "question", "task", "options")]
    questions = [DraftQuestion(ask=a, name=n, task=t, options=o) for a, n, t, o in zip(*columns, strict=False)]
    return Draft(
        **{name: _text(form.get(name, "")) for name in ("title", "name", "units", "guidelines")},
        questions=tuple(one for one in questions if not one.is_empty),
        passes=form.get("passes") != "no",
        is_open=form.get("open") == "yes",
    )


def _text(cell: object) -> str:
    return str(cell).replace("\r\n", "\n")


def _form(request: Request, who: str, draft: Draft, *, problem: str = "") -> Response:
    shown = draft if draft.questions else replace(draft, questions=(DraftQuestion(),))
    status = 422 if problem else 200
    return page(request, "new.html", who, status=status, title="New study", draft=shown, problem=problem)


def made(server: Server, who: str, draft: Draft) -> Study:
    """A new study of this researcher, served at once."""
    if server.home is None:
        raise InputError(
            "studies cannot be made on this server", hint="serve a folder of studies: `assent serve FOLDER`"
        )
    study = make_study(server.home, draft, taken=set(server.studies))
    server.membership.admit(study.description.name, who)
    server.take(study)
    return server.studies[study.description.name]


def _can_make(server: Server) -> bool:
    return server.home is not None


def _cards(server: Server, who: str) -> list[Card]:
    found = (_card(server, who, study) for study in server.look_around())
    return [card for card in found if card is not None]


def _card(server: Server, who: str, study: Study) -> Card | None:
    name = study.description.name
    role = server.membership.role(name, who)
    if role is None:
        return None
    n_decided = len(server.adjudication.current(name))
    if role == ADJUDICATOR:
        return Card(study=study, role=role, state="", snapshot=None, n_decided=n_decided)
    snapshot = server.live.measured(study)
    return Card(study=study, role=role, state=state_of(snapshot, n_decided), snapshot=snapshot, n_decided=n_decided)


def state_of(snapshot: Snapshot, n_decided: int) -> str:
    """Designed, collecting, finished or adjudicated."""
    progress = snapshot.progress
    if not progress.n_begun:
        return "designed"
    if progress.count("working") or progress.count("invited"):
        return "collecting"
    return "adjudicated" if n_decided else "finished"
