"""The web application: pages for raters and researchers, the API, what surrounds them, and serving it all."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from concordant.about import NAME
from concordant.collection.database import alone
from concordant.collection.log import Log
from concordant.errors import ConcordantError, InputError
from concordant.studio.people import personal_link
from concordant.studio.projects import default_database, home_in, load
from concordant.web.markup import message, render, task_script, texts_for
from concordant.web.pages import GUIDE, ROUTES, SIGNING_IN
from concordant.web.pages.shell import StillWorkingError, still_working
from concordant.web.rater import blinding, pages
from concordant.web.requests import TOO_MANY, UNAUTHORIZED, UNAVAILABLE, in_turn, refused
from concordant.web.security import Guard, PatientProtocol
from concordant.web.server import Server, server_of

MOST_LINKS = 20
PERIOD = 30.0  # seconds between two looks at how much came in
MESSAGES = {
    UNAUTHORIZED: "invited_only",
    403: "forbidden",
    404: "not_found",
    405: "not_found",
    TOO_MANY: "too_fast",
    UNAVAILABLE: "unavailable",
}


RATERS = [
    Route("/s/{study}", in_turn(pages.entrance), methods=["GET"], name="entrance"),
    Route("/s/{study}", in_turn(pages.begin), methods=["POST"]),
    Route("/s/{study}/as/{token}", in_turn(pages.by_link), name="link"),
    Route("/s/{study}/judge", pages.show, methods=["GET"], name="judging"),
    Route("/s/{study}/judge", pages.take, methods=["POST"]),
    Route("/s/{study}/offline", pages.keep),
    Route("/s/{study}/worker.js", pages.worker),
    Route("/s/{study}/media/{path:path}", blinding.media, name="media"),
]


class Programs:
    """The API, imported when a program asks for the first time: no page needs it, and it was a quarter of the start."""

    _api: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it answer; everybody else is served meanwhile."""
        if self._api is None:
            self._api = await run_in_threadpool(_api)
        await self._api(scope, receive, send)


def _api() -> ASGIApp:
    from concordant.web.api import api

    return api()


def create_app(server: Server) -> Starlette:
    """The application over the shared parts; the log is closed when the server stops."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Server]]:
        keeping = asyncio.create_task(_keep_up(server))
        yield {"server": server}
        keeping.cancel()
        server.uploads.close()
        server.live.close()
        server.reports.close()
        server.log.close()

    return Starlette(
        routes=[
            Mount("/api", Programs(), name="api"),
            Route("/static/tasks/{key}.js", task_script),
            Mount("/static", StaticFiles(directory=str(files(__package__) / "static")), name="static"),
            Route("/", front, name="front"),
            Route("/health", health),
            *RATERS,
            *SIGNING_IN,
            *GUIDE,
            *ROUTES,
        ],
        middleware=[Middleware(Guard)],
        exception_handlers={
            HTTPException: _explain,
            ConcordantError: _explain,
            ClientDisconnect: _gone,
            StillWorkingError: still_working,
        },
        lifespan=lifespan,
    )


async def _keep_up(server: Server) -> None:
    """Follow what comes in, so that the first page after a restart need not begin at the beginning, and see that the
    file of the database itself holds it.
    """
    while True:
        await asyncio.sleep(PERIOD)
        await run_in_threadpool(server.log.settle)
        with suppress(ConcordantError, RuntimeError):  # a database that is away, or a server that is stopping
            await run_in_threadpool(server.live.keep_up, list(server.studies.values()))


async def front(request: Request) -> Response:
    """GET /: the studies that are open to everybody."""
    t = texts_for(request)
    described = [study.description for study in server_of(request).studies.values()]
    served = [one for one in described if one.is_open and not one.recruitment.participant]
    return render(request, "front.html", t=t, title=t("front_title"), studies=served)


async def health(request: Request) -> Response:
    """GET /health: whether the server is up, for proxies and monitors."""
    return PlainTextResponse("ok\n")


async def _explain(request: Request, error: Exception) -> Response:
    """An error as a page, or as JSON for a program.

    Where the database did not answer, nothing was acknowledged, and the browser will try again.
    """
    told = error if isinstance(error, HTTPException) else refused(error)
    status, headers = told.status_code, dict(told.headers or {})
    if "application/json" in request.headers.get("accept", "") or "location" in headers:
        return JSONResponse({"problem": told.detail}, status_code=status, headers=headers)
    # What we refuse has words of its own; a page that nobody may see, or a database that is away, has none to show.
    is_told = isinstance(error, ConcordantError) and status not in {UNAUTHORIZED, UNAVAILABLE}
    key = "problem" if is_told else MESSAGES.get(status, "problem")
    response = message(request, key, status=status, seconds=headers.get("retry-after", ""), problem=told.detail)
    response.headers.update(headers)
    return response


async def _gone(request: Request, error: Exception) -> Response:
    """Whoever asked hung up, or was hung up on, before the request was whole: nobody reads this."""
    return PlainTextResponse("the request did not come whole\n", status_code=400)


def serve(app: Starlette, listening: socket.socket, *, patience: int = 5, proxies: Sequence[str] = ()) -> None:
    """Answer requests until stopped; whoever is being served then gets some seconds of patience.

    Where somebody is and whether their connection is encrypted is taken from the headers of declared proxies only.
    """
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=patience,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def serve_studies(
    *studies: str | Path,
    db: str | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    public: str | None = None,
    proxies: Sequence[str] = (),
    say: Callable[[str], None] = print,
) -> None:
    """Serve studies to raters' browsers until stopped; the links to send are said first.

    `db` is where answers are kept (study.db in the study's folder by default), `public` the address that raters use
    when a proxy stands in front, `proxies` those whose headers count (by default what FORWARDED_ALLOW_IPS names). An
    answer is acknowledged only when it is stored.
    """
    paths = [Path(study) for study in studies]
    loaded, home = load(paths), home_in(paths)
    declared = [*filter(None, os.environ.get("FORWARDED_ALLOW_IPS", "").split(","))]
    with listening(host, port) as at:
        named = {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
        base = (public or f"http://{named}:{at.getsockname()[1]}").rstrip("/")
        with Log.open(db or default_database(loaded, home)) as log, alone(log.engine):
            server = Server(log, loaded, home=home)
            for line in announcement(server, base):
                say(line)
            serve(create_app(server), at, proxies=proxies or declared)
    say("Stopped; every acknowledged answer is stored.")


def near(host: str, port: int | None) -> socket.socket:
    """A socket on the port that was asked for; when none was, on 8000, or on any where that is taken."""
    if port is not None:
        return listening(host, port)
    try:
        return listening(host, 8000)
    except InputError:
        return listening(host, 0)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens, or a line saying why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        said = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise InputError(
            f"cannot listen on {host} port {port}: {said}", hint="choose another with --port or --host"
        ) from error


def announcement(server: Server, base: str) -> list[str]:
    """What to print at the start: where the server is, the links to send, where the answers go."""
    lines = [f"Serving on {base} (stop with Ctrl+C)", ""]
    for study in server.studies.values():
        name, models = study.description.name, study.description.models
        raters = [one for one in study.description.raters if one.id not in models]  # no link to answer for a model
        lines.append(f"{study.description.title} ({name})")
        if study.description.is_open:
            lines.append(f"  open to everybody  {base}/s/{name}")
        width = max((len(rater.id) for rater in raters), default=0)
        shown = [(rater.id, personal_link(server, name, rater.id)) for rater in raters[:MOST_LINKS]]
        lines += [f"  {rater:<{width}}  {base}{link}" for rater, link in shown]
        if len(raters) > MOST_LINKS:
            lines.append(f"  … and {len(raters) - MOST_LINKS} more: researchers see all links at {base}/researcher")
        lines.append("")
    lines.append(f"Answers are kept in {server.log.engine.url.render_as_string(hide_password=True)}")
    if server.accounts.researchers():
        return [*lines, f"Researchers sign in at {base}/researcher"]
    return [*lines, f"No researcher can sign in yet: `{NAME} researcher NAME STUDY` adds one."]
