"""What requests have in common: the study they are about, their checked form, the visitor's address, the limits."""

import math

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request

from assent.collection.session import Study
from assent.web.limits import Limit
from assent.web.security import CSRF_FIELD, form_is_ours
from assent.web.server import server_of
from assent.web.visitors import bearer

FORBIDDEN, NOT_FOUND, TOO_MANY = 403, 404, 429
MOST_FIELDS = 500


def study_of(request: HTTPConnection) -> Study:
    """The study in the address."""
    study = server_of(request).study(request.path_params["study"])
    if study is None:
        raise HTTPException(NOT_FOUND)
    return study


async def checked_form(request: Request) -> FormData:
    """The posted form, when it was made by us for this browser."""
    form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    token = form.get(CSRF_FIELD)
    is_ours = form_is_ours(request, server_of(request).secret.encode(), token if isinstance(token, str) else None)
    if not is_ours and bearer(request) is None:
        raise HTTPException(FORBIDDEN)
    return form


def address(request: HTTPConnection) -> str:
    """Where the visitor is; behind a proxy, what the proxy says (the server trusts only the proxies it is told of)."""
    return request.client.host if request.client else "unknown"


def limited(request: HTTPConnection, limit: Limit, visitor: str) -> None:
    """Refuse a visitor who asks too often, saying when to come again."""
    seconds = limit.wait(visitor)
    if seconds > 0:
        raise HTTPException(TOO_MANY, headers={"retry-after": str(math.ceil(seconds))})
