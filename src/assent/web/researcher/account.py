"""A researcher's own page: keys for programs that use the API."""

from starlette.requests import Request
from starlette.responses import Response

from assent.web import visitors
from assent.web.requests import checked_form
from assent.web.researcher.access import signed_in
from assent.web.researcher.studio import page
from assent.web.server import server_of


async def show(request: Request) -> Response:
    """GET /researcher/account."""
    return page(request, "account.html", await signed_in(request), title="Account", key="")


async def make_key(request: Request) -> Response:
    """POST /researcher/account/keys: a key for programs, shown once."""
    who = await signed_in(request)
    await checked_form(request)
    key = await visitors.begin(server_of(request), visitors.RESEARCHER, who)
    return page(request, "account.html", who, title="Account", key=key)
