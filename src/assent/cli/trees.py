"""The options of trees, and whether data are trees; what measures them is loaded when they are."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from assent.cli.completion import FILE
from assent.cli.data import Source
from assent.measures.treebanks import OF_PROFILES

FORMAT = "trees"
_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--preterminals/--no-preterminals", default=True, help="Trees: whether Parseval counts nodes above words."
    ),
    click.option("--ignore", metavar="LABELS", help="Trees: labels of nodes that Parseval leaves out: TOP,ROOT."),
    click.option(
        "--punctuation", metavar="LABELS", help="Trees: labels of punctuation, taken out before spans are counted."
    ),
)


def tree_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the files of further raters and the options of Parseval to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return click.argument("more", type=FILE, nargs=-1, metavar="[DATA OF OTHER RATERS]...")(command)


def is_trees(source: Source, keys: Sequence[str]) -> bool:
    """Whether the data are trees: the format or a measure of trees says so."""
    return source.options.get("format") == FORMAT or any(key in OF_PROFILES for key in keys)
