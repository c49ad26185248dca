"""RTTM of speaker diarization: `rater.rttm`, positions in seconds, the speaker's name is the category.

Every line is `TYPE text channel begin duration <NA> <NA> name <NA> <NA>`; the text is named in the line.
"""

from collections.abc import Iterator
from pathlib import Path

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, lines, number, parts


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of raters' files (or folders), or of one file."""
    marks = [mark for part in parts(path, (".rttm",), "rater/text") for mark in _marks(part)]
    return SpanTable.from_marks(str(path), marks)


def _marks(part: Part) -> Iterator[Mark]:
    """The spans of one file."""
    for row, line in enumerate(lines(part.file), start=1):
        cells = line.split()
        if not cells or line.startswith(";"):
            continue
        if len(cells) < 8:
            raise InputError("this line has fewer than 8 fields", file=part.file, row=row)
        begin = number(cells[3], part.file, row)
        yield Mark(cells[1], part.rater, begin, begin + number(cells[4], part.file, row), cells[7])
