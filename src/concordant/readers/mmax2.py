"""MMAX2: a folder for each rater with `TEXT.mmax` and markables in layers; positions are words, counted from 0.

The words lie in a file that the project names, in the rater's folder or beside it. Attributes of markables are
features; those that refer to other markables are relations. A markable that leaves words out is one span from the first
to the last.
"""

import re
from pathlib import Path

from concordant.digits import counted
from concordant.errors import InputError
from concordant.readers.cas import RELATES
from concordant.readers.format import SURE
from concordant.readers.layers import Annotation, Document, layered_format
from concordant.readers.markup import local, root_of

OWN = frozenset({"id", "span", "mmax_level"})
REFERENCE = re.compile(r"([\w-]+:)?markable_\d+(;.*)?")
EMPTY = frozenset({"", "empty", "none"})


def of_file(file: Path) -> Document:
    """The layers of one project."""
    places = words_of(file)
    spans: list[Annotation] = []
    unused: dict[str, str] = {}
    n_split = 0
    for level in sorted(file.parent.rglob(f"{file.stem}_*_level.xml")):
        layer = level.stem.removeprefix(f"{file.stem}_").removesuffix("_level")
        for one in root_of(level.read_bytes(), level):
            begin, end, is_split = place_of(one.get("span", ""), places, level)
            n_split += is_split
            given = {key: value for key, value in one.attrib.items() if key not in OWN}
            links = {key for key, value in given.items() if key.endswith("ref") or REFERENCE.fullmatch(value)}
            unused |= {f"attribute {key} of {layer}": RELATES for key in links}
            values = {key: value for key, value in given.items() if key not in links and value not in EMPTY}
            spans.append(Annotation(layer, begin, end, values))
    notes = (f"{counted(n_split, 'discontinuous span')} of all layers taken whole",) * bool(n_split)
    return Document(spans, float(len(places)), unused, notes=notes)


def words_of(file: Path) -> dict[str, int]:
    """The place of every word."""
    named = [(one.text or "").strip() for one in root_of(file.read_bytes(), file).iter() if local(one.tag) == "words"]
    if not named or not named[0]:
        raise InputError("this project names no file of words", file=file, hint="it must say <words>FILE</words>")
    for folder in (file.parent, file.parent.parent):
        for words in sorted(folder.rglob(Path(named[0]).name)):
            elements = [one for one in root_of(words.read_bytes(), words) if local(one.tag) == "word"]
            return {one.get("id", ""): at for at, one in enumerate(elements)}
    hint = "keep the folder with the words beside the annotators' folders"
    raise InputError(f"there is no {named[0]}, which holds the words", file=file, hint=hint)


def place_of(written: str, places: dict[str, int], file: Path) -> tuple[float, float, bool]:
    """Begin and end of `word_3..word_5,word_9`, and whether words are left out between them."""
    try:
        runs = [[places[name.strip()] for name in run.split("..")] for run in written.split(",")]
    except KeyError as error:
        raise InputError(f"a markable has the word {error}, which there is not", file=file) from error
    n_words = sum(run[-1] - run[0] + 1 for run in runs)
    begin, end = min(run[0] for run in runs), max(run[-1] for run in runs) + 1
    return float(begin), float(end), end - begin > n_words


def text_in(file: Path) -> str | None:
    """The words of a project, by their names."""
    try:
        return " ".join(words_of(file))
    except InputError:
        return None  # the reader will say what is wrong with it


def sniff(path: Path, head: str) -> float:
    """A project says so in its root."""
    return SURE * (path.suffix.casefold() == ".mmax" and "<mmax_project" in head)


FORMAT = layered_format(
    of_file,
    name="mmax2",
    help="MMAX2: a folder for each rater with markables in layers.",
    endings=(".mmax",),
    order="rater/text",
    sniff=sniff,
    text_in=text_in,
)
