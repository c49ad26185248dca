"""What requests have in common: the study they are about, their checked form, the visitor's address, the limits.

Files to take away are written when they are asked for and removed when they are sent.
"""

import math
from collections.abc import Awaitable, Callable
from functools import cache, partial
from logging import getLogger
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, ParamSpec, TypeVar, cast

import anyio
from anyio.to_thread import run_sync
from starlette.background import BackgroundTask
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, Response

from concordant.collection.database import LogError
from concordant.collection.session import Running
from concordant.collection.store import EventConflictError, VisitEndedError
from concordant.errors import ConcordantError, InputError
from concordant.studio.exports import Product
from concordant.studio.projects import NotAllowedError, NotFoundError
from concordant.web.security import CSRF_FIELD, MEDIA_POLICY, form_is_ours
from concordant.web.server import Limit, server_of
from concordant.web.visitors import bearer

P = ParamSpec("P")
T = TypeVar("T")
UNAUTHORIZED, FORBIDDEN, NOT_FOUND, UNPROCESSABLE, TOO_MANY, UNAVAILABLE = 401, 403, 404, 422, 429, 503
STATUS: dict[type[Exception], int] = {
    NotFoundError: NOT_FOUND,
    NotAllowedError: FORBIDDEN,
    VisitEndedError: UNAUTHORIZED,  # another server process ended the visit while this one still remembered it
    EventConflictError: 409,
    LogError: UNAVAILABLE,
}
MOST_FIELDS = 25_000
"""A rater may mark every word of a long text, each a field; how large a form is, is limited before it is read."""
REPORT_POLICY = MEDIA_POLICY.replace("sandbox;", "script-src 'unsafe-inline'; img-src data:; font-src data:;")
"""A report brings its own style, pictures and script; it may reach nothing else."""


@cache
def _limiter() -> anyio.CapacityLimiter:
    """Researchers' work is done in threads of its own, so that raters never wait for one."""
    return anyio.CapacityLimiter(4)


async def aside(work: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Run something that takes a while without holding up other requests."""
    return await run_sync(partial(work, *args, **options), limiter=_limiter())


def refused(error: Exception) -> HTTPException:
    """An error of ours as an answer. What a database said may name its address: that is for the server's messages."""
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), UNPROCESSABLE)
    if status == UNAVAILABLE:
        getLogger(__package__).error("%s", error)
        return HTTPException(status, "the database does not answer", headers={"retry-after": "2"})
    return HTTPException(status, str(error))


def study_of(request: HTTPConnection) -> Running:
    """The study in the address."""
    study = server_of(request).study(request.path_params["study"])
    if study is None:
        raise HTTPException(NOT_FOUND)
    return study


async def checked_form(request: Request, *, most_files: int = 0) -> FormData:
    """The posted form, when it was made by us for this browser."""
    form = await request.form(max_files=most_files, max_fields=MOST_FIELDS)
    token = form.get(CSRF_FIELD)
    is_ours = form_is_ours(request, server_of(request).secret.encode(), token if isinstance(token, str) else None)
    if not is_ours and bearer(request) is None:
        raise HTTPException(FORBIDDEN)
    return form


async def spooled(request: Request) -> IO[bytes]:
    """The body of a request as a file: however large it is, little of it is in memory at a time."""
    content = SpooledTemporaryFile(max_size=1 << 20)  # noqa: SIM115  whoever asked closes it
    async for chunk in request.stream():
        await run_sync(content.write, chunk)
    if not content.tell():
        content.close()
        raise InputError("the file is empty", hint="send it as the body of the request")
    content.seek(0)
    return cast(IO[bytes], content)


def written(cell: object) -> str:
    """A field of a form as text: line ends as we store them, no spaces around it, no sign that no database takes."""
    return str(cell or "").replace("\r\n", "\n").replace("\0", "").strip()


def address(request: HTTPConnection) -> str:
    """Where the visitor is; behind a proxy, what the proxy says (the server trusts only the proxies it is told of)."""
    return request.client.host if request.client else "unknown"


def limited(request: HTTPConnection, limit: Limit, visitor: str) -> None:
    """Refuse a visitor who asks too often, saying when to come again."""
    seconds = limit.wait(visitor)
    if seconds > 0:
        raise HTTPException(TOO_MANY, headers={"retry-after": str(math.ceil(seconds))})


def in_turn(page: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A page for newcomers, who are let in one after the other."""

    async def waited(request: Request) -> Response:
        async with server_of(request).arriving:
            return await page(request)

    return waited


def limited_sign_in(request: HTTPConnection, name: str) -> None:
    """Refuse whoever tries too many passwords: from one address, or of one account from many addresses."""
    limits = server_of(request).limits
    limited(request, limits.passwords, address(request))
    limited(request, limits.names, name)


async def download(product: Product, *, is_shown: bool = False) -> FileResponse:
    """Write to a temporary folder, send, and remove it; a report in HTML may be shown instead of kept."""
    folder = TemporaryDirectory()
    goal = Path(folder.name) / f"{product.name}.{product.ending}"
    try:
        await aside(product.write, goal)
    except ConcordantError:
        folder.cleanup()
        raise
    is_page = product.ending == "html"
    disposition = "inline" if is_shown and is_page else "attachment"
    headers = {"content-disposition": f'{disposition}; filename="{product.file_name}"'}
    if is_page:
        headers["content-security-policy"] = REPORT_POLICY
    return FileResponse(goal, media_type=product.media_type, headers=headers, background=BackgroundTask(folder.cleanup))
