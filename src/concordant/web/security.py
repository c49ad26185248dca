"""What every reply and every form carries so that a page of ours cannot be turned against its reader.

Headers keep a browser from running, framing or fetching anything that is not ours. A form is accepted only when the
browser says that it comes from our own pages *and* it repeats a token bound to a cookie of that browser: a page
elsewhere can neither read the token nor forge the origin. A request that shows its key in the Authorization header
needs no token, because no browser sends that header by itself.
"""

import asyncio
import hmac
import re
import secrets
from hashlib import sha256
from typing import Any, ClassVar
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from concordant.about import NAME

CSRF_COOKIE = f"{NAME}-form"
CSRF_FIELD = "form_token"
CSRF_HEADER = "x-form-token"
LARGEST_BODY = 1_000_000
UPLOADS, LARGEST_UPLOAD = "/researcher/files", 512 << 20
UPLOADING = re.compile(
    rf"{UPLOADS}(/[^/]+/add)?|/api/files(/[^/]+/files)?|/studies/[^/]+/build/files|/api/drafts/[^/]+/items"
)
"""Where researchers bring files, which may be larger; nothing of them is read before it is clear who sends them."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; media-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Media come from the study's author and may be SVG or HTML in disguise: they may be looked at and do nothing.
MEDIA_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Middleware: refuse requests that carry more than any form of ours can; add headers that a reply does not set."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on while its body stays small, and the reply back with our headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        seen, largest = 0, LARGEST_UPLOAD if UPLOADING.fullmatch(scope["path"]) else LARGEST_BODY

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > largest:
                raise HTTPException(413, "the request is too large")
            return message

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-cache" if "etag" in headers else "no-store")
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        await self.app(scope, counted, guarded)


def from_elsewhere(request: HTTPConnection) -> bool:
    """Does the browser say that the request was made by a page that is not ours?"""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")


def form_token(secret: bytes, browser: str) -> str:
    """The token that forms of this browser must repeat."""
    return hmac.new(secret, browser.encode(), sha256).hexdigest()


def form_is_ours(request: HTTPConnection, secret: bytes, token: str | None) -> bool:
    """Was the form made by us for this very browser?"""
    browser = request.cookies.get(CSRF_COOKIE, "")
    expected = form_token(secret, browser)
    return (
        bool(browser) and not from_elsewhere(request) and hmac.compare_digest(expected.encode(), (token or "").encode())
    )


def browser_of(request: HTTPConnection) -> str:
    """The random name of this browser that form tokens are bound to; a new one when it has none yet."""
    known = request.cookies.get(CSRF_COOKIE)
    if known is None:
        known = request.scope.setdefault(f"{NAME}.browser", secrets.token_urlsafe(18))
    return str(known)


def set_cookie(request: Request, response: Response, name: str, value: str, *, days: int) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send."""
    response.set_cookie(
        name, value, max_age=days * 86_400, httponly=True, samesite="lax", secure=request.url.scheme == "https"
    )


class PatientProtocol(asyncio.Protocol):
    """A connection of uvicorn's that is closed when a request takes too long to arrive.

    uvicorn waits for the rest of a request for as long as the connection is open. Whoever opens thousands and sends
    half a line to each would fill the server without ever asking for anything: so a request that has not come whole
    in time is hung up on. The time counts from the first byte, however slowly the others trickle in; what does come
    buys time for the rest, at a pace that any connection has, so that large files arrive and trickles do not.
    """

    seconds: ClassVar[float] = 30.0
    pace: ClassVar[float] = 20_000.0  # bytes in a second, at which somebody who sends may go on

    def __init__(self, **options: Any) -> None:
        """As uvicorn makes its own."""
        made: Any = AutoHTTPProtocol
        self._inner = made(**options)
        self._transport: asyncio.BaseTransport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there; a first request is due."""
        self._transport = transport
        self._inner.connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Part of a request, or all of it."""
        self._due += len(data) / self.pace
        before = self._inner.cycle
        is_next = before is not None and before.response_complete
        self._inner.data_received(data)
        now = self._inner.cycle
        if now is None or now.more_body or (is_next and now is before):
            self._wait()
        else:
            self._stop()

    def connection_lost(self, error: Exception | None) -> None:
        """Nobody is there any more."""
        self._stop()
        self._inner.connection_lost(error)

    def eof_received(self) -> bool | None:
        """Nothing more will come."""
        ended: bool | None = self._inner.eof_received()
        return ended

    def pause_writing(self) -> None:
        """The other side reads too slowly."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """It reads again."""
        self._inner.resume_writing()

    def _wait(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._due = loop.time() + self.seconds
            self._timer = loop.call_at(self._due, self._hang_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hang_up(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._due - 0.001:  # more has come meanwhile
            self._timer = loop.call_at(self._due, self._hang_up)
        elif self._transport is not None:
            self._transport.close()
