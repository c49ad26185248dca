"""Positions in tokens instead of characters: a span of long words should not weigh more than one of short words."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from assent.arrays import Floats, Ints
from assent.errors import InputError
from assent.model.spans import SpanTable
from assent.readers.spans.layout import text_of

TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
"""A word, with apostrophes inside it, or a single sign."""


def in_tokens(table: SpanTable, texts: str | Path) -> SpanTable:
    """The table with positions counted in tokens.

    `texts` is a folder with `NAME.txt` for every text, or one file for a table of one text. A span covers every token
    that it touches.
    """
    begin, end = table.begin.copy(), table.end.copy()
    lengths = {}
    for name in sorted(set(table.text.tolist())):
        own = table.text == name
        text = text_of(_file(Path(texts), name, table))
        _refuse_past_end(table, own, len(text), name)
        starts, ends = token_bounds(text)
        begin[own], end[own] = _tokens(table.begin[own], table.end[own], starts, ends)
        lengths[name] = float(len(starts))
    return replace(table, begin=begin, end=end, lengths=lengths, notes=(*table.notes, "positions are tokens"))


def token_bounds(text: str) -> tuple[Ints, Ints]:
    """Where every token begins and ends.

    >>> token_bounds("It's late.")
    (array([0, 5, 9]), array([ 4,  9, 10]))
    """
    found = [match.span() for match in TOKEN.finditer(text)]
    bounds = np.array(found, dtype=np.int64).reshape(-1, 2)
    return bounds[:, 0], bounds[:, 1]


def _tokens(begin: Floats, end: Floats, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """The first token that ends after the begin, and how many tokens begin before the end."""
    first = np.searchsorted(ends, begin, "right")
    return first, np.maximum(first, np.searchsorted(starts, end, "left"))


def _file(texts: Path, name: str, table: SpanTable) -> Path:
    """The file of a text."""
    file = texts / f"{name}.txt" if texts.is_dir() else texts
    if not file.exists():
        raise InputError(f"there is no text {name!r}", file=file, hint="give the folder that holds the texts as .txt")
    if not texts.is_dir() and len(set(table.text.tolist())) > 1:
        raise InputError("one file cannot be several texts", file=file, hint="give a folder with a file for every text")
    return file


def _refuse_past_end(table: SpanTable, own: np.ndarray[tuple[int], np.dtype[np.bool_]], n: int, name: str) -> None:
    """A span that ends past the text belongs to another text."""
    past = np.flatnonzero(own & (table.end > n))
    if len(past):
        at = int(past[0])
        row = None if table.rows is None else int(table.rows[at])
        what = f"the span {table.begin[at]:g}-{table.end[at]:g} ends past the end of {name!r} ({n} characters)"
        raise InputError(what, file=table.name, row=row, hint="check that the text is the right one")
