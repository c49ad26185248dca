"""Serving the demonstration: the visitor is signed in by the address that is printed."""

import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from assent.collection.log import Log
from assent.web import visitors
from assent.web.app import create_app
from assent.web.demonstration.studio import RESEARCHER, build, datasets
from assent.web.researcher.passwords import hashed
from assent.web.server import Server, server_of


def serve(folder: Path, listening: socket.socket, say: Callable[[str], None]) -> None:
    """Build the examples and serve them until stopped."""
    log = Log.open(f"sqlite:///{folder / 'studio.db'}")
    server = Server.over(log, build(folder, log), home=folder, datasets=datasets())
    server.accounts.add_researcher(RESEARCHER, hashed(secrets.token_urlsafe(24)))
    base = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app, key = create_app(server), secrets.token_urlsafe(12)
    welcome(app, key)
    say(f"The studio with example studies is at\n\n    {base}/demo/{key}\n")
    say("Stop it with Ctrl+C. Everything in it is invented.")
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=2
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    say("Stopped; the demonstration is gone.")


def welcome(app: Starlette, key: str) -> None:
    """Add the address that signs the visitor in; the key keeps other pages from using it."""

    async def enter(request: Request) -> Response:
        token = await visitors.begin(server_of(request), visitors.RESEARCHER, RESEARCHER)
        response = RedirectResponse(request.url_for("projects").path, status_code=303)
        visitors.keep(request, response, token, visitors.RESEARCHER)
        return response

    app.router.routes.insert(0, Route(f"/demo/{key}", enter))
