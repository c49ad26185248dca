"""Researchers sign in with a name and a password."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.web import visitors
from assent.web.pages import render, texts_for
from assent.web.requests import address, checked_form, limited
from assent.web.researcher.passwords import is_right
from assent.web.server import Server, server_of


async def sign_in_page(request: Request) -> Response:
    """GET /researcher/sign-in."""
    return _page(request)


async def sign_in(request: Request) -> Response:
    """POST /researcher/sign-in."""
    server = server_of(request)
    form = await checked_form(request)
    limited(request, server.limits.passwords, address(request))
    name, password = (str(form.get(field, "")).replace("\0", "")[:500] for field in ("name", "password"))
    if not await run_in_threadpool(knows, server, name, password):
        return _page(request, failed=True)
    response = RedirectResponse(request.url_for("projects").path, status_code=303)
    visitors.keep(request, response, await visitors.begin(server, visitors.RESEARCHER, name), visitors.RESEARCHER)
    return response


async def sign_out(request: Request) -> Response:
    """POST /researcher/sign-out."""
    await checked_form(request)
    response = RedirectResponse(request.url_for("front").path, status_code=303)
    await visitors.end(request, response, visitors.RESEARCHER)
    return response


def knows(server: Server, name: str, password: str) -> bool:
    """Whether this is the password of a researcher of that name."""
    return is_right(server.accounts.password_hash(name), password)


def _page(request: Request, *, failed: bool = False) -> Response:
    t = texts_for(request)
    problem = t("sign_in_failed") if failed else ""
    status = 403 if failed else 200
    return render(request, "researcher/sign_in.html", status=status, t=t, title=t("sign_in_title"), problem=problem)
