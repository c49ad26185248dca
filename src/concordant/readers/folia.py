"""FoLiA XML (FLAT): spans over words, in layers such as entities or chunking; positions in the words' text.

The class is the category. Alternative layers are readings of their own, as another annotator's would be. Words are set
apart by a space unless they say that none follows. A span that leaves words out is one from the first to the last.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.digits import counted
from concordant.errors import InputError
from concordant.readers.format import SURE
from concordant.readers.layers import Annotation, Document, layered_format
from concordant.readers.markup import children, local, root_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ID = "{http://www.w3.org/XML/1998/namespace}id"
LAYERS = {
    "entities": "entity", "chunking": "chunk", "sentiments": "sentiment", "semroles": "semrole", "syntax": "su",
    "statements": "statement", "observations": "observation", "timing": "timesegment", "spanrelations": "spanrelation",
}  # fmt: skip
RELATIONS = {"dependencies": "relations are not compared", "coreferences": "chains are not compared"}
Words = Mapping[str, tuple[int, float, float]]


def of_file(file: Path) -> Document:
    """The layers of one document."""
    root = root_of(file.read_bytes(), file)
    if local(root.tag) != "FoLiA":
        raise InputError("this is not a FoLiA document", file=file, hint="save it as FoLiA XML")
    words, length = words_of(root)
    rater = annotator(root) or file.name.partition(".")[0]
    spans: list[Annotation] = []
    n_split, n_readings = 0, 1
    for reading, layer in layers(root):
        n_readings = max(n_readings, reading + 1)
        name = rater if reading == 0 else f"{rater} (alternative {reading})"
        for one in layer.iter():
            if local(one.tag) == LAYERS[local(layer.tag)]:
                span, is_split = span_of(one, words, name, file)
                n_split += is_split
                spans.append(span)
    notes = [f"{counted(n_split, 'discontinuous span')} taken whole"] if n_split else []
    notes += ["alternatives are read as raters of their own"] if n_readings > 1 else []
    unused = {f"layer {local(e.tag)}": RELATIONS[local(e.tag)] for e in root.iter() if local(e.tag) in RELATIONS}
    raters = (rater, *(f"{rater} (alternative {n})" for n in range(1, n_readings)))
    main = dict.fromkeys(LAYERS.values(), "class")
    return Document(spans, length, unused, notes=tuple(notes), main=main, raters=raters)


def words_of(root: "Element") -> tuple[Words, float]:
    """Number, begin and end of every word, and the length of the text that they make."""
    words: dict[str, tuple[int, float, float]] = {}
    at, end = 0, 0
    for word in root.iter():
        if local(word.tag) == "w" and word.get(ID):
            form = next((text.text or "" for text in children(word, "t") if text.get("class") in {None, "current"}), "")
            end = at + len(form)
            words[word.get(ID, "")] = (len(words), float(at), float(end))
            at = end + (word.get("space") != "no")
    return words, float(end)


def annotator(root: "Element") -> str | None:
    """The person that the metadata name, if it is one."""
    people = {one.get("name") for one in root.iter() if local(one.tag) == "processor" and one.get("type") == "manual"}
    return people.pop() if len(people) == 1 else None


def layers(root: "Element") -> Iterator[tuple[int, "Element"]]:
    """The layers of spans, each with the number of its reading: 0, or that of the alternative beside others."""
    inside = {id(layer) for alt in root.iter() if local(alt.tag) == "altlayers" for layer in alt.iter()}
    for parent in root.iter():
        alternatives = children(parent, "altlayers")
        for layer in parent:
            if local(layer.tag) in LAYERS and id(layer) not in inside:
                yield 0, layer
        for number, alternative in enumerate(alternatives, start=1):
            yield from ((number, layer) for layer in alternative if local(layer.tag) in LAYERS)


def span_of(one: "Element", words: Words, rater: str, file: Path) -> tuple[Annotation, bool]:
    """A span over its own words, or those of its head, and whether it leaves some out."""
    references = children(one, "wref") or [w for head in children(one, "hd") for w in children(head, "wref")]
    names = [reference.get("id", "") for reference in references]
    if lacking := next((name for name in names if name not in words), None):
        raise InputError(f"a span refers to the word {lacking!r}, which there is not", file=file, hint="save it again")
    if not names:
        what = f"the {local(one.tag)} {one.get(ID, '')!r} has no words"
        raise InputError(what, file=file, hint="save it again")
    places = sorted(words[name] for name in names)
    values = {key: one.get(key, "") for key in ("class", "polarity", "strength") if one.get(key)}
    span = Annotation(local(one.tag), places[0][1], places[-1][2], values, rater)
    return span, places[-1][0] - places[0][0] >= len(set(names))


def text_in(file: Path) -> str | None:
    """The words of a document."""
    try:
        root = root_of(file.read_bytes(), file)
    except InputError:
        return None  # the reader will say what is wrong with it
    return " ".join(t.text or "" for word in root.iter() if local(word.tag) == "w" for t in children(word, "t"))


def sniff(path: Path, head: str) -> float:
    """The root says so."""
    return SURE * (path.suffix.casefold() == ".xml" and "<FoLiA" in head)


FORMAT = layered_format(
    of_file,
    name="folia",
    help="FoLiA XML: spans over words; alternatives are readings.",
    endings=(".xml",),
    order=None,
    sniff=sniff,
    text_in=text_in,
)
