"""Collect: judgements in the browser."""

from pathlib import Path

import click

from concordant.cli.options import PLACE, importing_web, shown


@click.command()
@click.argument("studies", metavar="STUDY...", type=PLACE, nargs=-1, required=True)
@click.option("--db", metavar="URL", help="Where answers are kept; study.db in the study's folder by default.")
@shown("--host", default="127.0.0.1", help="The address to listen on.")
@shown("--port", default=8000, type=click.IntRange(0, 65535), help="The port to listen on.")
@click.option("--public", metavar="URL", help="The address raters use, when a proxy stands in front: for the links.")
@click.option(
    "--proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="A proxy in front, whose word on where raters are and whether their connection is encrypted counts.",
)
def command(
    studies: tuple[Path, ...], db: str | None, host: str, port: int, public: str | None, proxies: tuple[str, ...]
) -> None:
    """Serve one or more studies to raters' browsers, and print the links to send.

    An answer is acknowledged only when it is stored. Stop with Ctrl+C: everybody goes on where they were when the
    server is started again. Only this computer can reach the server unless you name another --host or put a proxy in
    front.

    \b
    %(prog)s init features --example features
    %(prog)s serve features
    %(prog)s serve studies                          a folder of studies; researchers can make new ones there
    %(prog)s serve features preferences --db sqlite:///answers.db
    %(prog)s serve experiment --db postgresql://%(prog)s@localhost/%(prog)s \\
        --public https://study.example.org --proxy 127.0.0.1
    """
    with importing_web("serve"):
        from concordant.web.app import serve_studies
    serve_studies(*studies, db=db, host=host, port=port, public=public, proxies=proxies, say=click.echo)
