"""One study: how far it is, who is invited, who works on it, which guidelines were shown."""

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.collection import tables
from assent.collection.events import Shown
from assent.collection.membership import ROLES
from assent.collection.progress import RaterProgress
from assent.collection.storing import recorded
from assent.errors import InputError
from assent.web import visitors
from assent.web.links import personal_link
from assent.web.requests import checked_form
from assent.web.researcher.access import Desk, aside, desk_of
from assent.web.researcher.passwords import hashed
from assent.web.researcher.studio import study_page


@dataclass(frozen=True, kw_only=True)
class Invited:
    """A rater with their link (none once it is revoked) and how far they are."""

    progress: RaterProgress
    link: str
    is_revoked: bool


async def show(request: Request) -> Response:
    """GET /researcher/studies/STUDY."""
    return await _page(request, await desk_of(request))


async def invite(request: Request) -> Response:
    """POST …/invitations: invite raters, one id on each line."""
    desk, form = await desk_of(request), await checked_form(request)
    names = [line.strip() for line in str(form.get("raters", "")).splitlines() if line.strip()]
    try:
        await aside(lambda: invite_raters(desk, names))
    except InputError as error:
        return await _page(request, desk, problem=str(error))
    return _back(request, desk, "raters")


async def revoke(request: Request) -> Response:
    """POST …/invitations/revoke."""
    desk, form = await desk_of(request), await checked_form(request)
    rater = str(form.get("rater", ""))
    await aside(lambda: revoke_rater(desk, rater))
    return _back(request, desk, "raters")


async def admit(request: Request) -> Response:
    """POST …/members: a colleague or adjudicator, with a password if they have no account yet."""
    desk, form = await desk_of(request), await checked_form(request)
    name, role, password = (str(form.get(field, "")).strip() for field in ("name", "role", "password"))
    try:
        await aside(lambda: admit_member(desk, name, role, password))
    except InputError as error:
        return await _page(request, desk, problem=str(error))
    return _back(request, desk, "members")


async def dismiss(request: Request) -> Response:
    """POST …/members/dismiss."""
    desk, form = await desk_of(request), await checked_form(request)
    name = str(form.get("name", ""))
    await aside(lambda: desk.server.membership.dismiss(desk.name, name))
    return _back(request, desk, "members")


def invite_raters(desk: Desk, names: list[str]) -> None:
    """Invite everybody, and let the server know."""
    for name in names:
        desk.server.invitations.invite(desk.server.studies[desk.name], name)
        desk.server.take(desk.server.studies[desk.name])


def revoke_rater(desk: Desk, rater: str) -> None:
    """The link stops working, and whoever came with it is signed out."""
    desk.server.invitations.revoke(desk.study, rater)
    desk.server.accounts.end_visits(visitors.RATER, desk.name, rater)
    desk.server.visits.clear()


def admit_member(desk: Desk, name: str, role: str, password: str) -> None:
    """Let somebody work on the study; without an account they need a password."""
    if not name or role not in ROLES:
        raise InputError("a name and a role are needed", hint="nothing was changed")
    if name in desk.server.accounts.researchers():
        desk.server.membership.admit(desk.name, name, role)
    else:
        desk.server.accounts.add_researcher(name, hashed(password), study=desk.name, role=role)


def invited_raters(desk: Desk, base: str, progress: tuple[RaterProgress, ...]) -> list[Invited]:
    """Everybody who came or was invited, with their links."""
    revoked = desk.server.invitations.revoked(desk.name)
    described = {rater.id for rater in desk.server.studies[desk.name].description.raters}
    return [
        Invited(
            progress=one,
            link=base + personal_link(desk.server, desk.name, one.rater)
            if one.rater in described and one.rater not in revoked
            else "",
            is_revoked=one.rater in revoked,
        )
        for one in sorted(progress, key=lambda one: one.rater)
    ]


def guideline_versions(desk: Desk) -> list[tuple[str, int]]:
    """Each version of the guidelines with how many pages were shown beside it, in order of appearance."""
    table = tables.events
    query = select(table).where(table.c.study == desk.name, table.c.kind == Shown.kind).order_by(table.c.seq)
    with desk.server.log.engine.connect() as connection:
        shown = [recorded(row).event for row in connection.execute(query)]
    versions = Counter(event.guidelines for event in shown if isinstance(event, Shown) and event.guidelines)
    return list(versions.items())


async def _page(request: Request, desk: Desk, problem: str = "") -> Response:
    snapshot = await desk.latest()
    progress = await aside(lambda: snapshot.progress)
    base = str(request.base_url).rstrip("/")
    return study_page(
        request,
        desk,
        "overview",
        status=422 if problem else 200,
        progress=progress,
        raters=await aside(lambda: invited_raters(desk, base, progress.raters)),
        members=await aside(lambda: desk.server.membership.of(desk.name)),
        versions=await aside(lambda: guideline_versions(desk)),
        open_link=f"{base}/s/{desk.name}" if desk.study.description.is_open else "",
        plan=desk.study.plan,
        problem=problem,
    )


def _back(request: Request, desk: Desk, part: str) -> Response:
    return RedirectResponse(f"{request.url_for('overview', study=desk.name).path}#{part}", status_code=303)
