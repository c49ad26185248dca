"""Plan: write a complete example study to start from."""

from pathlib import Path

import click

from concordant.about import NAME
from concordant.cli.options import completing, shown
from concordant.design.examples import example_names, init


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@shown(
    "--example",
    default="features",
    shell_complete=completing(example_names),
    help="Which example: " + ", ".join(example_names()) + ".",
)
def command(directory: Path, example: str) -> None:
    """Write a complete, commented example study into DIRECTORY, to be changed into your own.

    \b
    %(prog)s init my-study --example experiment
    %(prog)s check my-study
    """
    file = init(directory, example)
    click.echo(f"Wrote the example study {example!r} to {directory}.")
    click.echo(f"Look at {file}, then:  {NAME} check {directory}  and  {NAME} serve {directory}")
