"""The web application: pages for raters and researchers, the API, and what surrounds them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from logging import getLogger
from typing import TypedDict

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from assent.collection.database import LogError
from assent.collection.storing import VisitEndedError
from assent.web.api import api
from assent.web.pages import message, render, texts_for
from assent.web.rater import entrance, judging, media
from assent.web.requests import TOO_MANY
from assent.web.researcher import signing_in
from assent.web.researcher.routes import routes as studio_routes
from assent.web.security import BodyLimit, SecurityHeaders
from assent.web.server import Server, server_of

UNAVAILABLE = 503
MESSAGES = {
    401: "invited_only",
    403: "forbidden",
    404: "not_found",
    405: "not_found",
    TOO_MANY: "too_fast",
    UNAVAILABLE: "unavailable",
}


class Shared(TypedDict):
    """What every request can reach."""

    server: Server


def create_app(server: Server) -> Starlette:
    """The application over the shared parts; the log is closed when the server stops."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[Shared]:
        yield {"server": server}
        server.live.close()
        server.log.close()

    return Starlette(
        routes=_routes(),
        middleware=[Middleware(SecurityHeaders), Middleware(BodyLimit)],
        exception_handlers={HTTPException: _explain, LogError: _unavailable, VisitEndedError: _signed_out},
        lifespan=lifespan,
    )


def _routes() -> list[Route | Mount]:
    return [
        Mount("/api", api(), name="api"),
        Mount("/static", StaticFiles(directory=str(files("assent.web") / "static")), name="static"),
        Route("/", front, name="front"),
        Route("/health", health),
        Route("/s/{study}", entrance.entrance, methods=["GET"], name="entrance"),
        Route("/s/{study}", entrance.begin, methods=["POST"]),
        Route("/s/{study}/as/{token}", entrance.by_link, name="link"),
        Route("/s/{study}/judge", judging.show, methods=["GET"], name="judging"),
        Route("/s/{study}/judge", judging.take, methods=["POST"]),
        Route("/s/{study}/offline", judging.keep),
        Route("/s/{study}/worker.js", judging.worker),
        Route("/s/{study}/media/{path:path}", media.media, name="media"),
        Route("/researcher/sign-in", signing_in.sign_in_page, methods=["GET"], name="sign_in"),
        Route("/researcher/sign-in", signing_in.sign_in, methods=["POST"]),
        Route("/researcher/sign-out", signing_in.sign_out, methods=["POST"]),
        *studio_routes(),
    ]


async def front(request: Request) -> Response:
    """GET /: the studies that are open to everybody."""
    t = texts_for(request)
    served = [study.description for study in server_of(request).studies.values() if study.description.is_open]
    return render(request, "front.html", t=t, title=t("front_title"), studies=served)


async def health(request: Request) -> Response:
    """GET /health: whether the server is up, for proxies and monitors."""
    return PlainTextResponse("ok\n")


async def _explain(request: Request, error: Exception) -> Response:
    """An error as a page, or as JSON for a program."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict((error.headers if isinstance(error, HTTPException) else None) or {})
    if "application/json" in request.headers.get("accept", "") or status not in MESSAGES:
        detail = error.detail if isinstance(error, HTTPException) else "error"
        return JSONResponse({"problem": detail}, status_code=status, headers=headers)
    seconds = headers.get("retry-after", "")
    response = message(request, MESSAGES[status], status=status, seconds=seconds)
    response.headers.update(headers)
    return response


async def _signed_out(request: Request, error: Exception) -> Response:
    """Another server process ended the visit while this one still remembered it."""
    return await _explain(request, HTTPException(401))


async def _unavailable(request: Request, error: Exception) -> Response:
    """The database did not answer: nothing was acknowledged, the browser will try again. The reason is for the log."""
    getLogger("assent.web").error("%s", error)
    return await _explain(request, HTTPException(UNAVAILABLE, headers={"retry-after": "2"}))
