"""Measure: one measure in words: chance model, formula, source, when not to use it, its names elsewhere.

Example:
  %(prog)s explain kappa
"""

import click

from concordant.cli.options import measure_keys
from concordant.measures.catalogue import explain, find_measure


@click.command("explain")
@click.argument("key", shell_complete=measure_keys)
def command(key: str) -> None:
    """Explain the measure KEY: what it imagines chance to be, its formula and source, when not to use it."""
    click.echo(explain(find_measure(key).key))
