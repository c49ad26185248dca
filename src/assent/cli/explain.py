"""`assent explain`: one measure in words."""

import click

from assent.cli.completion import measure_keys
from assent.measures.catalogue import find_measure
from assent.measures.explanation import explain


@click.command("explain", epilog="\b\nExample:\n  assent explain kappa")
@click.argument("key", shell_complete=measure_keys)
def command(key: str) -> None:
    """Explain the measure KEY: what it imagines chance to be, its formula and source, when not to use it."""
    click.echo(explain(find_measure(key).key))
