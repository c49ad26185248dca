"""Texts with spans out of a table of spans: rows chosen, positions in characters or tokens, features, groups of raters.

Positions in tokens are for when a span of long words should not weigh more than one of short words.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from concordant.arrays import Ints
from concordant.errors import InputError
from concordant.model.continuum import Continuum, by_groups, continua
from concordant.model.spans import SpanTable
from concordant.model.study import named_groups
from concordant.readers.rater_files import text_of

TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
"""A word, with apostrophes inside it, or a single sign."""


class Chosen(NamedTuple):
    """What is taken of a table of spans: rows, raters, `features` as part of the category, groups (or their column).

    `texts`, a folder or a file, say how long the texts are; with `tokens` positions are counted in their tokens.
    """

    where: Sequence[tuple[str, Sequence[str]]] = ()
    raters: tuple[str, ...] | None = None
    features: tuple[str, ...] = ()
    texts: str | None = None
    groups: tuple[str, ...] = ()
    tokens: bool = False

    def of(self, table: SpanTable, by: Sequence[str]) -> list[Continuum]:
        """The continuum of every text, slice and group of raters; there is at least one."""
        kept = table
        if self.texts is not None:
            kept = in_tokens(table, self.texts) if self.tokens else in_characters(table, self.texts)
        for name, values in self.where:
            kept = kept.where(name, values)
        found = continua(kept, by=by, features=self.features, raters=self.raters or ())
        if not found:
            raise InputError("there are no spans", file=table.name)
        if not self.groups:
            return found
        is_column = len(self.groups) == 1 and "=" not in self.groups[0]
        return by_groups(found, self.groups[0] if is_column else named_groups(self.groups))


def in_tokens(table: SpanTable, texts: str | Path) -> SpanTable:
    """The table with positions counted in tokens.

    `texts` is a folder with `NAME.txt` for every text, or one file for a table of one text. A span covers every token
    that it touches.
    """
    begin, end = table.begin.copy(), table.end.copy()
    lengths = {}
    for name in sorted(set(table.text.tolist())):
        own = table.text == name
        text = text_of(file_of(Path(texts), name, table))
        _refuse_past_end(table, own, len(text), name)
        starts, ends = token_bounds(text)
        first = np.searchsorted(ends, table.begin[own], "right")  # the first token that ends after the begin
        begin[own], end[own] = first, np.maximum(first, np.searchsorted(starts, table.end[own], "left"))
        lengths[name] = float(len(starts))
    notes = (*table.notes, "positions are tokens")
    return replace(table, begin=begin, end=end, lengths=lengths, positions="steps", notes=notes)


def in_characters(table: SpanTable, texts: str | Path) -> SpanTable:
    """The table with the lengths of the texts, in characters."""
    if table.positions == "time":
        raise InputError("these positions are times, not characters", file=table.name, hint="leave out --texts")
    lengths = {}
    for name in sorted(set(table.text.tolist())):
        n = len(text_of(file_of(Path(texts), name, table)))
        _refuse_past_end(table, table.text == name, n, name)
        lengths[name] = float(n)
    return replace(table, lengths=lengths)


def token_bounds(text: str) -> tuple[Ints, Ints]:
    """Where every token begins and ends.

    >>> token_bounds("It's late.")
    (array([0, 5, 9]), array([ 4,  9, 10]))
    """
    found = [match.span() for match in TOKEN.finditer(text)]
    bounds = np.array(found, dtype=np.int64).reshape(-1, 2)
    return bounds[:, 0], bounds[:, 1]


def file_of(texts: Path, name: str, table: SpanTable) -> Path:
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
