"""`assent serve`: collect judgements in the browser."""

import os
import socket
from pathlib import Path

import click

from assent.errors import InputError, MissingExtra


@click.command()
@click.argument("studies", metavar="STUDY...", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--db", metavar="URL", help="Where answers are kept; study.db in the study's folder by default.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port to listen on.")
@click.option("--public", metavar="URL", help="The address raters use, when a proxy stands in front: for the links.")
def command(studies: tuple[Path, ...], db: str | None, host: str, port: int, public: str | None) -> None:
    """Serve one or more studies to raters' browsers, and print the links to send.

    An answer is acknowledged only when it is stored. Stop with Ctrl+C: everybody goes on where they were when the
    server is started again. Only this computer can reach the server unless you name another --host or put a proxy in
    front.

    \b
    assent init features --example features
    assent serve features
    assent serve studies                          a folder of studies; researchers can make new ones there
    assent serve features preferences --db sqlite:///answers.db
    assent serve experiment --db postgresql://assent@localhost/assent --public https://study.example.org
    """
    try:
        from assent.web import serving
    except ModuleNotFoundError as error:
        raise MissingExtra("assent serve", "web") from error
    loaded = serving.load(studies)
    with listening(host, port) as socket_:
        base = (public or f"http://{_shown(host)}:{socket_.getsockname()[1]}").rstrip("/")
        home = serving.home_in(studies)
        serving.run(loaded, db or serving.default_database(loaded, home), socket_, base, click.echo, home)


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


def _shown(host: str) -> str:
    """The host as it is written in links."""
    return {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
