"""`assent demo`: the studio with example studies and finished data sets, nothing to configure."""

import shutil
import tempfile
from pathlib import Path

import click

from assent.errors import InputError, MissingExtra


@click.command()
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port to listen on.")
@click.option(
    "--copy", "goal", metavar="DIR", type=click.Path(path_type=Path), help="Copy the data sets to DIR and exit."
)
def command(port: int, goal: Path | None) -> None:
    """Serve the studio on 127.0.0.1 with example studies in every state and finished data sets.

    Everything is kept in a temporary folder and is gone when you stop with Ctrl+C; all answers are invented. The
    address that is printed signs you in.

    \b
    assent demo
    assent demo --port 8080
    assent demo --copy examples
    """
    try:
        from assent.web.demonstration.serving import serve
        from assent.web.demonstration.studio import example_files
    except ModuleNotFoundError as error:
        raise MissingExtra("assent demo", "web") from error
    if goal is not None:
        _copy(example_files(), goal)
        return
    from assent.cli.serve import listening

    with tempfile.TemporaryDirectory(prefix="assent-demo-") as folder, listening("127.0.0.1", port) as socket:
        serve(Path(folder), socket, click.echo)


def _copy(paths: list[Path], goal: Path) -> None:
    """Copy the data sets; a file that is there already is not overwritten."""
    try:
        goal.mkdir(parents=True, exist_ok=True)
        taken = next((path.name for path in paths if (goal / path.name).exists()), None)
        if taken is not None:
            raise InputError("is there already", file=goal / taken, hint="name another folder; nothing was copied")
        for path in paths:
            shutil.copyfile(path, goal / path.name)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=goal, hint="name another folder") from error
    click.echo(f"Copied {', '.join(path.name for path in paths)} to {goal}.")
