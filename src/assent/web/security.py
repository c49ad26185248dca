"""What every reply and every form carries so that a page of ours cannot be turned against its reader.

Headers keep a browser from running, framing or fetching anything that is not ours. A form is accepted only when the
browser says that it comes from our own pages *and* it repeats a token bound to a cookie of that browser: a page
elsewhere can neither read the token nor forge the origin. A request that shows its key in the Authorization header
needs no token, because no browser sends that header by itself.
"""

import hmac
import secrets
from hashlib import sha256
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSRF_COOKIE = "assent-form"
CSRF_FIELD = "form_token"
CSRF_HEADER = "x-form-token"
LARGEST_BODY = 1_000_000

PAGE_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
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


class SecurityHeaders:
    """Middleware: add the headers that a reply does not set by itself."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and the reply back with our headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-cache" if "etag" in headers else "no-store")
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        await self.app(scope, receive, guarded)


class BodyLimit:
    """Middleware: refuse requests that carry more than any form of ours can."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on while its body stays small."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > LARGEST_BODY:
                raise HTTPException(413, "the request is too large")
            return message

        await self.app(scope, counted, send)


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
        known = request.scope.setdefault("assent.browser", secrets.token_urlsafe(18))
    return str(known)


def set_cookie(request: Request, response: Response, name: str, value: str, *, days: int) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send."""
    response.set_cookie(
        name, value, max_age=days * 86_400, httponly=True, samesite="lax", secure=request.url.scheme == "https"
    )
