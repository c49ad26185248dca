"""`assent init`: a complete study to start from."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

import click

from assent.errors import InputError, nearest

STUDIES = files("assent") / "examples" / "studies"


def example_names() -> list[str]:
    """The example studies that come with the package."""
    return sorted(entry.name for entry in STUDIES.iterdir() if (entry / "study.toml").is_file())


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--example", default="features", show_default=True, help="Which example: " + ", ".join(example_names()) + "."
)
def command(directory: Path, example: str) -> None:
    """Write a complete, commented example study into DIRECTORY, to be changed into your own.

    \b
    assent init my-study --example experiment
    assent check my-study
    """
    if example not in example_names():
        raise InputError(f"there is no example {example!r}", hint=nearest(example, example_names()))
    if directory.exists() and any(directory.iterdir()):
        raise InputError("the folder is not empty", file=directory, hint="name a new folder; nothing was written")
    with as_file(STUDIES / example) as source:
        shutil.copytree(source, directory, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    click.echo(f"Wrote the example study {example!r} to {directory}.")
    click.echo(f"Look at {directory / 'study.toml'}, then:  assent check {directory}  and  assent serve {directory}")
