"""Begin: the studio with example studies and finished data sets; nothing to configure."""

from pathlib import Path

import click

from concordant.about import NAME
from concordant.cli.options import PLACE, refuse, shown
from concordant.errors import MissingExtra


@click.command()
@shown("--port", default=8000, type=click.IntRange(0, 65535), help="The port to listen on.")
@click.option("--copy", "goal", metavar="DIR", type=PLACE, help="Copy the data sets and a treebank to DIR, and exit.")
@click.pass_context
def command(context: click.Context, port: int, goal: Path | None) -> None:
    """Serve the studio on 127.0.0.1 with example studies in every state and finished data sets.

    Everything is kept in a temporary folder and is gone when you stop with Ctrl+C; all answers are invented. The
    address that is printed signs you in.

    \b
    %(prog)s demo
    %(prog)s demo --port 8080
    %(prog)s demo --copy examples
    """
    try:
        from concordant.web.demonstration import demo
    except ModuleNotFoundError as error:
        raise MissingExtra(f"{NAME} demo", "web") from error
    if goal is not None:
        refuse(context, ("port",), "copied data sets")
    if copied := demo(port, copy=goal, say=click.echo):
        click.echo(f"Copied to {goal}: {', '.join(path.name for path in copied)}.")
