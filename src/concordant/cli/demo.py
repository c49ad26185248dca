"""Begin: the studio with example studies and finished data sets; nothing to configure."""

from pathlib import Path

import click

from concordant.cli.options import PLACE, importing_web, refuse


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="The port to listen on; 8000, or another if that is taken.")
@click.option("--copy", "goal", metavar="DIR", type=PLACE, help="Copy the data sets and a treebank to DIR, and exit.")
@click.pass_context
def command(context: click.Context, port: int | None, goal: Path | None) -> None:
    """Serve the studio on 127.0.0.1 with example studies in every state and finished data sets.

    Everything is kept in a temporary folder and is gone when you stop with Ctrl+C; all answers are invented. The
    address that is printed signs you in.

    \b
    %(prog)s demo
    %(prog)s demo --port 8080
    %(prog)s demo --copy examples
    """
    with importing_web("demo"):
        from concordant.web.demonstration import demo
    if goal is not None:
        refuse(context, ("port",), "copied data sets")
    if copied := demo(port, copy=goal, say=click.echo):
        click.echo(f"Copied to {goal}: {', '.join(path.name for path in copied)}.")
