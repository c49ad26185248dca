"""What shells complete besides commands and options: names of files, and keys of measures."""

import click

FILE = click.Path()
"""The type of an argument that names a file, a folder, or `-`; whoever reads it says what is wrong with it."""


def measure_keys(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The keys that begin like what was typed."""
    from assent.measures.catalogue import CATALOGUE

    return [key for key in CATALOGUE if key.startswith(incomplete)]
