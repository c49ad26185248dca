"""Starting the server: studies are read, the database is opened, links are printed, requests are answered."""

import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from assent.collection.database import default_url
from assent.collection.log import Log
from assent.collection.session import Study
from assent.collection.studies import read_study
from assent.design.study_file import FILE
from assent.errors import InputError
from assent.web.app import create_app
from assent.web.links import personal_link
from assent.web.server import Server

MOST_LINKS = 20


def load(paths: Sequence[Path]) -> dict[str, Study]:
    """Read studies and their plans; two of the same name are refused. A folder of studies stands for all in it."""
    studies: dict[str, Study] = {}
    for path in _expanded(paths):
        study = read_study(path)
        name = study.description.name
        if name in studies:
            raise InputError(f"two studies are called {name!r}", file=path, hint="change `name` in one of them")
        studies[name] = study
    return studies


def home_in(paths: Sequence[Path]) -> Path | None:
    """The folder of studies among the paths, where new ones can be made: a folder that is no study itself."""
    return next((path for path in paths if path.is_dir() and not (path / FILE).exists()), None)


def _expanded(paths: Sequence[Path]) -> list[Path]:
    home = home_in(paths)
    inside = sorted(file.parent for file in home.glob(f"*/{FILE}")) if home else []
    return [*(path for path in paths if path != home), *inside]


def default_database(studies: Mapping[str, Study], home: Path | None = None) -> str:
    """The file beside the study, or in the folder of studies; several studies need a database that is named."""
    if home is not None:
        return default_url(home)
    if len(studies) != 1:
        raise InputError("several studies need one database", hint="name it, as in --db sqlite:///answers.db")
    return default_url(next(iter(studies.values())).description.folder)


def run(
    studies: Mapping[str, Study],
    database: str,
    listening: socket.socket,
    base: str,
    say: Callable[[str], None],
    home: Path | None = None,
) -> None:
    """Serve until stopped."""
    log = Log.open(database)
    server = Server.over(log, studies, home=home)
    for line in announcement(server, base):
        say(line)
    config = uvicorn.Config(
        create_app(server),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    say("Stopped; every acknowledged answer is stored.")


def announcement(server: Server, base: str) -> list[str]:
    """What to print at the start: where the server is, the links to send, where the answers go."""
    lines = [f"Serving on {base} (stop with Ctrl+C)", ""]
    for study in server.studies.values():
        lines += [*_links(server, study, base), ""]
    lines.append(f"Answers are kept in {server.log.engine.url.render_as_string(hide_password=True)}")
    if server.accounts.researchers():
        lines.append(f"Researchers sign in at {base}/researcher")
    else:
        lines.append("No researcher can sign in yet: `assent researcher NAME STUDY` adds one.")
    return lines


def _links(server: Server, study: Study, base: str) -> list[str]:
    name, raters = study.description.name, study.description.raters
    lines = [f"{study.description.title} ({name})"]
    if study.description.is_open:
        lines.append(f"  open to everybody  {base}/s/{name}")
    width = max((len(rater.id) for rater in raters), default=0)
    lines += [f"  {rater.id:<{width}}  {base}{personal_link(server, name, rater.id)}" for rater in raters[:MOST_LINKS]]
    if len(raters) > MOST_LINKS:
        lines.append(f"  … and {len(raters) - MOST_LINKS} more: researchers see all links at {base}/researcher")
    return lines
