"""Pages for running studies: signing in, keys, the list of studies, making one, and how far it is with its people."""

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from concordant.digits import whole_number
from concordant.errors import InputError
from concordant.studio import dashboard, drafts, invitations, kept_files, people, projects, shelf
from concordant.studio.people import MemberPlace
from concordant.tasks.kind import as_text
from concordant.web import visitors
from concordant.web.markup import render, texts, texts_for
from concordant.web.pages.shell import back_to, page, place_of, signed_in, study_page
from concordant.web.requests import aside, checked_form, limited_sign_in, written
from concordant.web.server import server_of

RATERS_ON_A_PAGE = 100
HERE = ("127.0.0.1", "localhost", "::1")


async def sign_in_page(request: Request, *, failed: bool = False) -> Response:
    """GET /researcher/sign-in."""
    t, status = texts_for(request), 403 if failed else 200
    words = {"title": t("sign_in_title"), "about": "", "button": t("sign_in_button"), "is_new": False}
    problem = t("sign_in_failed") if failed else ""
    return render(request, "researcher/sign_in.html", status=status, t=t, problem=problem, **words)


async def sign_in(request: Request) -> Response:
    """POST /researcher/sign-in."""
    server, form = server_of(request), await checked_form(request)
    name, password = (str(form.get(field, "")).replace("\0", "")[:500] for field in ("name", "password"))
    limited_sign_in(request, name)
    if not await run_in_threadpool(people.knows, server, name, password):
        return await sign_in_page(request, failed=True)
    response = RedirectResponse(request.url_for("projects").path, status_code=303)
    visitors.keep(request, response, await visitors.begin(server, visitors.RESEARCHER, name), visitors.RESEARCHER)
    return response


async def sign_out(request: Request) -> Response:
    """POST /researcher/sign-out."""
    await checked_form(request)
    response = RedirectResponse(request.url_for("front").path, status_code=303)
    await visitors.end(request, response, visitors.RESEARCHER)
    return response


async def account(request: Request, *, key: str = "") -> Response:
    """GET /researcher/account."""
    who, here = await signed_in(request), await visitors.visit_of(request, visitors.RESEARCHER)
    known = await aside(people.known_keys, server_of(request), who, here)
    return page(request, "account.html", who, title="Account", key=key, keys=known)


async def make_key(request: Request) -> Response:
    """POST /researcher/account/keys: a key for programs, shown once."""
    who = await signed_in(request)
    await checked_form(request)
    return await account(request, key=await visitors.begin(server_of(request), visitors.RESEARCHER, who))


async def revoke_key(request: Request) -> Response:
    """POST /researcher/account/keys/revoke."""
    who, form, server = await signed_in(request), await checked_form(request), server_of(request)
    visit = await aside(people.visit_with, server, who, str(form.get("key", "")))
    await visitors.end_known(server, visit.token_hash)
    return RedirectResponse(request.url_for("account").path, status_code=303)


async def studies(request: Request, *, problem: str = "") -> Response:
    """GET /researcher."""
    who, server = await signed_in(request), server_of(request)
    cards = await aside(projects.cards, server, who)
    axis, dots = await aside(dashboard.dots_of, cards)
    return page(
        request,
        "projects.html",
        who,
        status=422 if problem else 200,
        title="Studies",
        cards=cards,
        axis=axis,
        dots=dots,
        drafts=await aside(drafts.drafts_of, server, who),
        put_away=await aside(shelf.put_away_by, server, who),
        kept=await aside(kept_files.kept_by, server, who),
        is_alone=request.url.hostname in HERE,
        host=request.url.netloc,
        problem=problem,
        can_make=await aside(projects.can_make, server, who),
        is_researcher=await aside(projects.is_researcher, server, who),
        datasets=server.datasets,
        example="study" if server.home is not None else next(iter(server.datasets), ""),
    )


async def glimpse(request: Request) -> Response:
    """GET /researcher/glimpse: a piece of an example's verdict, put in on the page of those who have nothing yet."""
    who, server = await signed_in(request), server_of(request)
    seen = await aside(server.uploads.glimpse)
    return page(request, "glimpse.html", who, seen=seen, look=seen.look)


async def put_away(request: Request) -> Response:
    """POST /studies/STUDY/put-away: archive or delete a study."""
    place, form = await place_of(request), await checked_form(request)
    try:
        await aside(shelf.put_away, place, f"_{form.get('shelf', '')}", written(form.get("typed")))
    except InputError as error:
        return await studies(request, problem=str(error))
    return RedirectResponse(request.url_for("projects").path, status_code=303)


async def take_back(request: Request) -> Response:
    """POST /researcher/take-back: serve a study again that was put away."""
    who, form = await signed_in(request), await checked_form(request)
    await aside(shelf.take_back, server_of(request), who, written(form.get("study")))
    return RedirectResponse(request.url_for("projects").path, status_code=303)


async def overview(request: Request) -> Response:
    """GET …/build of a study that is changed in its file: how it is set up."""
    place = await place_of(request)
    seen = (await aside(place.latest)).guidelines
    return study_page(request, place, "build", template="overview", versions=seen, plan=place.study.plan)


async def raters(request: Request, *, problem: str = "", pasted: str = "") -> Response:
    """GET …/raters: who takes part, how far they are, and how others are invited."""
    place, base = await place_of(request), _base(request)
    latest, link = await aside(place.latest), invitations.open_link_of(place, base)
    n_pages = max(1, -(-len(latest.progress.raters) // RATERS_ON_A_PAGE))
    number, now = min(max(1, _asked(request, "page")), n_pages), texts_for(request)
    first = (number - 1) * RATERS_ON_A_PAGE
    return study_page(
        request,
        place,
        "raters",
        status=422 if problem else 200,
        progress=latest.progress,
        conflicts=latest.conflicts,
        title_of={one.id: one.title or one.id for one in place.study.description.measured},
        text_of=lambda unit: place.study.unit(unit).words,
        written=lambda one, version: as_text(place.study.description.question(one.question), version.value) or "–",
        raters=await aside(people.invited, place, base, first=first, most=RATERS_ON_A_PAGE),
        waits=invitations.waits,
        models=place.study.description.models,
        number=number,
        n_pages=n_pages,
        members=await aside(place.studio.membership.of, place.name),
        open_link=link,
        code=Markup(invitations.code_to_scan(place, base, now("p_code_title"))) if link else "",
        platforms=invitations.platform_links(place, link) if link else {},
        to_raters=texts(place.study.description.language),
        problem=problem,
        pasted=pasted,
        new=_asked(request, "new"),
        known=_asked(request, "known"),
    )


def _asked(request: Request, name: str) -> int:
    """A whole number in the address, 0 where there is none."""
    return whole_number(request.query_params.get(name)) or 0


async def invite(request: Request) -> Response:
    """POST …/invitations: invite the people in pasted lines; with `table` their table comes back."""
    place, form = await place_of(request), await checked_form(request)
    pasted = str(form.get("raters", ""))
    try:
        guests = await aside(invitations.guests_in, place, pasted)
        place, n_new = await aside(invitations.invite_all, place, guests)
    except InputError as error:
        return await raters(request, problem=str(error), pasted=pasted)
    if form.get("table"):
        return _table(place, await aside(invitations.table_of, place, _base(request), guests=guests))
    return back_to(request, place, "raters", f"?new={n_new}&known={len(guests) - n_new}")


async def invitation_table(request: Request) -> Response:
    """GET …/invitations.csv: everybody with their links; with `open` only who has not finished."""
    place, is_open = await place_of(request), "open" in request.query_params
    return _table(place, await aside(invitations.table_of, place, _base(request), is_open=is_open))


def _table(place: MemberPlace, text: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{place.name}-invitations.csv"'}
    return Response(text.encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=headers)


def _base(request: Request) -> str:
    """The address below which this server is reached."""
    return str(request.base_url).rstrip("/")


async def revoke(request: Request) -> Response:
    """POST …/invitations/revoke."""
    place, form = await place_of(request), await checked_form(request)
    await aside(people.revoke, place, str(form.get("rater", "")))
    return back_to(request, place, "raters")


async def admit(request: Request) -> Response:
    """POST …/members: a colleague or adjudicator, with a password if they have no account yet."""
    place, form = await place_of(request), await checked_form(request)
    name, role, password = (written(form.get(field)) for field in ("name", "role", "password"))
    try:
        await aside(people.admit, place, name, role, password)
    except InputError as error:
        return await raters(request, problem=str(error))
    return back_to(request, place, "raters", "#members")


async def dismiss(request: Request) -> Response:
    """POST …/members/dismiss."""
    place, form = await place_of(request), await checked_form(request)
    await aside(place.studio.membership.dismiss, place.name, str(form.get("name", "")))
    return back_to(request, place, "raters", "#members")
