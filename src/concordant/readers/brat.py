"""brat stand-off: a folder with `text.ann` for each rater, or a folder with `rater.ann` for each text.

Every text-bound annotation (T) is a span with its type as the category; attributes (A, M) are features. A discontinuous
span is one span from its first begin to its last end, and a note counts them. `text.txt` beside it gives the length.
"""

from pathlib import Path

from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.spans import Mark
from concordant.readers.format import LIKELY, SURE
from concordant.readers.rater_files import Marked, Part, lines, number, span_format, text_of

OTHER = {
    "R": "a relation is not a span",
    "*": "an equivalence is not a span",
    "E": "an event is not a span, its trigger is one",
    "N": "a link to a knowledge base is not a span",
    "#": "a comment of an annotator is not a span",
}


def of_file(part: Part) -> Marked:
    """The spans of one file, and the length of its text."""
    rows = [line.split("\t") for line in lines(part.file)]
    features = attributes(rows)
    marks, left_out, n_split = [], [], 0
    for row, cells in enumerate(rows, start=1):
        kind = cells[0][:1]
        if kind in OTHER:
            left_out.append(OTHER[kind])
        elif kind == "T":
            category, places = places_of(cells, part.file, row)
            n_split += len(places) > 2
            begin, end = min(places), max(places)
            marks.append(Mark(part.text, part.rater, begin, end, category, features.get(cells[0], {})))
        elif kind not in {"A", "M", ""}:
            hint = "lines begin with T, A, M, R, E, N, * or #"
            raise InputError(f"{cells[0][:20]!r} is no annotation of brat", file=part.file, row=row, hint=hint)
    text = text_in(part.file)
    notes = (f"{counted(n_split, 'discontinuous span')} of {part.text!r} by {part.rater!r} taken whole",)
    lengths = {} if text is None else {part.text: float(len(text))}
    contents = {} if text is None else {part.text: text}
    return Marked(marks, lengths, left_out=left_out, notes=notes * bool(n_split), contents=contents)


def attributes(rows: list[list[str]]) -> dict[str, dict[str, str]]:
    """The attributes of every annotation; one without a value is "true"."""
    features: dict[str, dict[str, str]] = {}
    for cells in rows:
        words = cells[1].split() if len(cells) > 1 and cells[0][:1] in {"A", "M"} else []
        if len(words) > 1:
            features.setdefault(words[1], {})[words[0]] = " ".join(words[2:]) or "true"
    return features


def places_of(cells: list[str], file: Path, row: int) -> tuple[str, list[float]]:
    """The type and all positions of `Type 10 20;25 30`; fragments that touch are one."""
    category, _, written = cells[1].partition(" ") if len(cells) > 1 else ("", "", "")
    fragments = [fragment.split() for fragment in written.split(";")]
    if any(len(fragment) != 2 for fragment in fragments):
        raise InputError("this annotation has no span", file=file, row=row, hint="write `T1<tab>Type 10 20<tab>text`")
    places = [number(cell, file, row) for fragment in fragments for cell in fragment]
    if any(begin > end for begin, end in zip(places[::2], places[1::2], strict=True)):
        raise InputError("this span begins after its end", file=file, row=row, hint="swap begin and end")
    is_whole = all(end == begin for end, begin in zip(places[1:-1:2], places[2::2], strict=True))
    return category, [places[0], places[-1]] if is_whole else places


def text_in(file: Path) -> str | None:
    """The text beside a file of annotations."""
    text = file.with_suffix(".txt")
    return text_of(text) if text.exists() else None


def sniff(path: Path, head: str) -> float:
    """The first line of stand-off is an annotation; a file without any is known by its ending."""
    first = next((line for line in head.splitlines() if line.strip()), "")
    if not first:
        return LIKELY * (path.suffix.casefold() == ".ann")
    return SURE * (path.suffix.casefold() == ".ann" and first[0] in {"T", "A", "M", *OTHER} and "\t" in first)


FORMAT = span_format(
    of_file,
    name="brat",
    help="brat stand-off: a folder for each rater with a file for each text.",
    endings=(".ann",),
    order=None,
    sniff=sniff,
    text_in=text_in,
)
