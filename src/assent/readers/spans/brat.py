"""brat stand-off: `rater/text.ann`, with `text.txt` beside it for the length.

Every text-bound annotation (T) is a span with its type as the category; attributes (A, M) are features. The parts of a
discontinuous span are one span from the first begin to the last end.
"""

from collections.abc import Iterator
from pathlib import Path

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, lines, number, parts, seen, text_of


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of raters' folders, or of one file."""
    found = parts(path, (".ann",), "rater/text")
    marks = [mark for part in found for mark in _marks(part)]
    return SpanTable.from_marks(str(path), marks, lengths=_lengths(found), seen=seen(found))


def _lengths(found: list[Part]) -> dict[str, float]:
    """The lengths of the texts that lie beside their annotations."""
    texts = {part.text: part.file.with_suffix(".txt") for part in found}
    return {text: float(len(text_of(file))) for text, file in texts.items() if file.exists()}


def _marks(part: Part) -> Iterator[Mark]:
    """The spans of one file."""
    rows = [line.split("\t") for line in lines(part.file)]
    features = _attributes(rows)
    for row, cells in enumerate(rows, start=1):
        if cells[0].startswith("T"):
            category, begin, end = _span(cells, part.file, row)
            yield Mark(part.text, part.rater, begin, end, category, features.get(cells[0], {}))


def _attributes(rows: list[list[str]]) -> dict[str, dict[str, str]]:
    """The attributes of every annotation: name and value, "true" for one without a value."""
    found: dict[str, dict[str, str]] = {}
    for cells in rows:
        words = cells[1].split() if len(cells) > 1 and cells[0][:1] in {"A", "M"} else []
        if len(words) > 1:
            found.setdefault(words[1], {})[words[0]] = " ".join(words[2:]) or "true"
    return found


def _span(cells: list[str], file: Path, row: int) -> tuple[str, float, float]:
    """Type, first begin and last end of `Type 10 20;25 30`."""
    category, _, places = cells[1].partition(" ") if len(cells) > 1 else ("", "", "")
    ends = places.replace(";", " ").split()
    if len(ends) < 2:
        raise InputError("this annotation has no span", file=file, row=row, hint="write `T1<tab>Type 10 20<tab>text`")
    return category, number(ends[0], file, row), number(ends[-1], file, row)
