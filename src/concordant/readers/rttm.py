"""RTTM of speaker diarization: `rater.rttm`, positions in seconds, the speaker's name is the category.

Every line is `TYPE text channel begin duration <NA> <NA> name <NA> <NA>`; the text is named in the line.
"""

from concordant.errors import InputError
from concordant.model.spans import Mark
from concordant.readers.rater_files import Marked, Part, lines, number, span_format

DIGITS = 9  # a nanosecond


def of_file(part: Part) -> Marked:
    """The spans of one rater's file."""
    marks = []
    for row, line in enumerate(lines(part.file), start=1):
        cells = line.split()
        if not cells or line.startswith(";"):
            continue
        if len(cells) < 8:
            raise InputError("this line has fewer than 8 fields", file=part.file, row=row)
        begin, lasting = (number(cell, part.file, row) for cell in cells[3:5])
        end = round(begin + lasting, DIGITS)  # else a turn that begins where this one ends may overlap it
        marks.append(Mark(cells[1], part.rater, begin, max(begin, end), cells[7]))
    return Marked(marks, seen=())


FORMAT = span_format(
    of_file,
    name="rttm",
    help="RTTM of speaker diarization: a file for each rater.",
    endings=(".rttm",),
    positions="time",
)
