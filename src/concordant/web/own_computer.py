"""The studio on one's own computer: opened in the browser, reached by nobody else; its first account is made there.

The address that is opened holds a key that works once. Without the key no other page or program on the computer can
make that account, and a request that was meant for another host (a name that was bent to this computer) is refused.
"""

import secrets
import webbrowser
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from concordant.about import NAME
from concordant.collection.database import alone
from concordant.collection.log import Log
from concordant.errors import InputError
from concordant.studio.people import hashed
from concordant.studio.projects import default_database, load
from concordant.web import app, visitors
from concordant.web.demonstration import datasets
from concordant.web.markup import message, render, texts_for
from concordant.web.requests import NOT_FOUND, checked_form, written
from concordant.web.server import Server, server_of

HOSTS = ["127.0.0.1", "localhost"]
LONGEST_NAME = 100


def open_studio(
    folder: str | Path | None = None,
    *,
    port: int | None = None,
    browse: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the studio to this computer until stopped, and open it in the browser.

    Studies and answers are kept in `folder`, by default one called like this program in your home. Without `port` it
    is 8000, or another one where that is taken.
    """
    home = Path.home() / NAME if folder is None else Path(folder)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder ({error.strerror})", file=home, hint="name another") from error
    if (home / "study.toml").exists():
        raise InputError("this is one study", file=home, hint=f"use `{NAME} serve`, or name the folder above it")
    loaded = load([home])
    with app.near(HOSTS[0], port) as at, Log.open(default_database(loaded, home)) as log, alone(log.engine):
        server = Server(log, loaded, home=home, datasets=datasets())
        made = app.create_app(server)
        made.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS, www_redirect=False)
        base = f"http://127.0.0.1:{at.getsockname()[1]}"
        address = f"{base}/researcher" if server.accounts.researchers() else base + first_account(made)
        say(f"The studio is at\n\n    {address}\n\nStop it with Ctrl+C. Studies and answers are kept in {home}.")
        if browse:
            webbrowser.open(address)
        app.serve(made, at, patience=2)
    say("Stopped; every acknowledged answer is stored.")


def first_account(made: Starlette) -> str:
    """Add the page on which the first account is made; returns its path, which works until there is one."""
    path = f"/begin/{secrets.token_urlsafe(18)}"

    async def begin(request: Request) -> Response:
        server, t, problem = server_of(request), texts_for(request), ""
        if await run_in_threadpool(server.accounts.researchers):
            return message(request, "not_found", status=NOT_FOUND)
        if request.method == "POST":
            form = await checked_form(request)
            name, password = written(form.get("name"))[:LONGEST_NAME], str(form.get("password", ""))
            try:
                if not name:
                    raise InputError(t("begin_no_name"))
                await run_in_threadpool(lambda: server.accounts.add_researcher(name, hashed(password)))
            except InputError as error:
                problem = str(error)
            else:
                response = RedirectResponse(request.url_for("projects").path, status_code=303)
                token = await visitors.begin(server, visitors.RESEARCHER, name)
                visitors.keep(request, response, token, visitors.RESEARCHER)
                return response
        words = {"title": t("begin_title"), "about": t("begin_about"), "button": t("begin_button")}
        return render(
            request,
            "researcher/sign_in.html",
            status=422 if problem else 200,
            t=t,
            problem=problem,
            is_new=True,
            **words,
        )

    made.router.routes.insert(0, Route(path, begin, methods=["GET", "POST"]))
    return path
