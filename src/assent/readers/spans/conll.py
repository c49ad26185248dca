"""CoNLL with BIO tags: `rater/text.conll`, one token per line, the tag in the last column, positions in tokens.

`B-X` begins a span of category X, `I-X` goes on, `O` ends it; an `I-X` after anything else begins a span too, and so do
`S-X` and `U-X`. Blank lines and comments (#) are skipped.
"""

from collections.abc import Iterator
from pathlib import Path

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, lines, parts


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of raters' folders, or of one file; the length of a text is its number of tokens."""
    found = parts(path, (".conll", ".bio", ".iob", ".tsv"), "rater/text")
    tags = {part: _tags(part) for part in found}
    marks = [mark for part in found for mark in _marks(part, tags[part])]
    return SpanTable.from_marks(str(path), marks, lengths=_lengths({part: len(tags[part]) for part in found}))


def _lengths(counts: dict[Part, int]) -> dict[str, float]:
    """The number of tokens of every text, which must be the same for all raters."""
    lengths: dict[str, float] = {}
    for part, n in counts.items():
        known = lengths.setdefault(part.text, float(n))
        if known != n:
            what = f"{n} tokens, where another rater's file of {part.text!r} has {known:g}"
            raise InputError(what, file=part.file, hint="give every rater the same tokens")
    return lengths


def _tags(part: Part) -> list[str]:
    """The tag of every token."""
    tags = []
    for row, line in enumerate(lines(part.file), start=1):
        if line.strip() and not line.startswith("#"):
            tag = line.split()[-1]
            if tag not in {"O", "_"} and tag[:2] not in {"B-", "I-", "E-", "L-", "S-", "U-"}:
                hint = "the last column must be O, B-X or I-X"
                raise InputError(f"{tag!r} is not a BIO tag", file=part.file, row=row, hint=hint)
            tags.append(tag)
    return tags


def _marks(part: Part, tags: list[str]) -> Iterator[Mark]:
    """Runs of tokens of one category."""
    begin, category = 0, ""
    for token, tag in enumerate([*tags, "O"]):
        goes_on = tag[:2] in {"I-", "E-", "L-"} and tag[2:] == category
        if category and not goes_on:
            yield Mark(part.text, part.rater, begin, token, category)
            category = ""
        if not category and tag not in {"O", "_"}:
            begin, category = token, tag[2:]
