"""CoNLL with BIO tags: `rater/text.conll`, one token per line, the tag in the last column, positions in tokens.

`B-X` begins a span of category X, `I-X` goes on, `O` ends it; an `I-X` after anything else begins a span too, and so do
`S-X` and `U-X`. Blank lines and comments (#) are skipped.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from concordant.errors import InputError
from concordant.model.spans import Mark, SpanTable
from concordant.readers.format import Format
from concordant.readers.rater_files import FileOptions, Part, lines, parts


def read(path: str | Path, options: FileOptions) -> SpanTable:
    """The spans of a folder of raters' folders, or of one file; a text is as long as its tokens, the same for all."""
    is_flat = Path(path).is_dir() and not any(one.is_dir() for one in Path(path).iterdir())
    endings, known_by = (".conll", ".bio", ".iob", ".tsv"), tokens_of if is_flat else None
    inside = parts(path, endings, "rater/text", options=options, text_in=known_by)
    found = inside.files
    lengths: dict[str, float] = {}
    marks: list[Mark] = []
    for part in found:
        tags = tags_of(part)
        known = lengths.setdefault(part.text, float(len(tags)))
        if known != len(tags):
            what = f"{len(tags)} tokens, where another rater's file of {part.text!r} has {known:g}"
            raise InputError(what, file=part.file, hint="give every rater the same tokens")
        marks += runs(part, tags)
    seen = [(part.text, part.rater) for part in found]
    table = SpanTable.from_marks(str(path), marks, lengths=lengths, positions="steps", seen=seen)
    return replace(table, unused=inside.unused, notes=(*table.notes, *inside.notes))


def tokens_of(file: Path) -> str:
    """The tokens, which are the same in all files of a text."""
    return " ".join(line.split()[0] for line in lines(file) if line.strip() and not line.startswith("#"))


def tags_of(part: Part) -> list[str]:
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


def runs(part: Part, tags: list[str]) -> Iterator[Mark]:
    """Runs of tokens of one category."""
    begin, category = 0, ""
    for token, tag in enumerate([*tags, "O"]):
        goes_on = tag[:2] in {"I-", "E-", "L-"} and tag[2:] == category
        if category and not goes_on:
            yield Mark(part.text, part.rater, begin, token, category)
            category = ""
        if not category and tag not in {"O", "_"}:
            begin, category = token, tag[2:]


FORMAT = Format(
    name="conll",
    holds="spans",
    help="CoNLL with BIO tags: a folder for each rater with a file for each text.",
    read=read,
    options=FileOptions,
    endings=(".conll", ".bio", ".iob"),
    in_folders=True,
)
