"""A researcher's own page: keys for programs that use the API, and browsers in which they are signed in."""

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.collection.accounts import Visit
from assent.web import visitors
from assent.web.requests import NOT_FOUND, checked_form
from assent.web.researcher.access import aside, signed_in
from assent.web.researcher.studio import page
from assent.web.server import Server, server_of


@dataclass(frozen=True, kw_only=True)
class KnownKey:
    """A key or a signed-in browser; `id` names it and opens nothing, `is_here` is the one that is asking."""

    id: str
    made_at: str
    expires_at: str
    is_here: bool


async def show(request: Request) -> Response:
    """GET /researcher/account."""
    return await _page(request, await signed_in(request))


async def make_key(request: Request) -> Response:
    """POST /researcher/account/keys: a key for programs, shown once."""
    who = await signed_in(request)
    await checked_form(request)
    return await _page(request, who, key=await visitors.begin(server_of(request), visitors.RESEARCHER, who))


async def revoke(request: Request) -> Response:
    """POST /researcher/account/keys/revoke."""
    who, form = await signed_in(request), await checked_form(request)
    await revoke_key(server_of(request), who, str(form.get("key", "")))
    return RedirectResponse(request.url_for("account").path, status_code=303)


async def _page(request: Request, who: str, *, key: str = "") -> Response:
    known = await known_keys(request, who)
    return page(request, "account.html", who, title="Account", key=key, keys=known)


async def known_keys(request: Request, who: str) -> list[KnownKey]:
    """Those that are still good, the newest first; the keys themselves are not stored."""
    server, here = server_of(request), await visitors.researchers_visit(request)
    found = await aside(lambda: server.accounts.visits_of(visitors.RESEARCHER, who))
    newest_first = sorted(found, key=lambda one: one.made_at, reverse=True)
    return [_known(one, is_here=one == here) for one in newest_first]


async def revoke_key(server: Server, who: str, key: str) -> None:
    """The key with this id opens nothing from now on."""
    found = await aside(lambda: server.accounts.visits_of(visitors.RESEARCHER, who))
    revoked = next((one for one in found if _id(one) == key), None)
    if revoked is None:
        raise HTTPException(NOT_FOUND, "you have no such key")
    await visitors.end_known(server, revoked)


def _known(visit: Visit, *, is_here: bool) -> KnownKey:
    return KnownKey(id=_id(visit), made_at=visit.made_at, expires_at=visit.expires_at, is_here=is_here)


def _id(visit: Visit) -> str:
    """Part of the hash of its token: the token cannot be told from it."""
    return visit.token_hash[:16]
