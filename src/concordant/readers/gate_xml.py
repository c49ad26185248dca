"""GATE XML: annotation sets over a text whose nodes are places.

Sets that have types in common are raters; others are layers, and one is chosen. `sets` says it. The set "Original
markups" is how the source was marked up, and "Key" is a gold standard. The type of an annotation is the category.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from concordant.choices import choice
from concordant.errors import InputError
from concordant.readers.format import SURE, Format
from concordant.readers.layers import Annotation, Document, LayerOptions, layered
from concordant.readers.markup import children, local, root_of
from concordant.readers.rater_files import CURATORS, NOT_A_RATER, parts

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from concordant.model.spans import SpanTable

DEFAULT, MARKUP = "default", "Original markups"
Sets = Mapping[str, list[Annotation]]


class GateOptions(LayerOptions):
    """What annotation sets are."""

    sets: Literal["raters", "layers"] | None = choice(None, "What annotation sets are.")


def read(path: str | Path, options: GateOptions) -> "SpanTable":
    """The spans of all documents."""
    found = parts(path, (".xml",), None, options=options, text_in=text_in)
    return layered(str(path), found, [of_file(part.file, options.sets) for part in found.files], options)


def of_file(file: Path, asked: str | None) -> Document:
    """The annotations of one document, their sets as raters or as layers."""
    root = root_of(file.read_bytes(), file)
    if local(root.tag) != "GateDocument":
        raise InputError("this is not a GATE document", file=file, hint="save it as GATE XML")
    length, nodes = nodes_of(root, file)
    sets = {
        one.get("Name") or DEFAULT: [annotation(each, nodes, file) for each in children(one, "Annotation")]
        for one in children(root, "AnnotationSet")
    }
    unused = {f"set {name}": "the markup of the source" for name in sets if name == MARKUP}
    gold = {name for name in sets if name.casefold() in CURATORS | {"key"}}
    unused |= {f"set {name}": NOT_A_RATER for name in gold if len(sets) > 1}
    kept = {name: spans for name, spans in sets.items() if f"set {name}" not in unused and spans}
    if asked == "raters" or (asked is None and are_raters(kept)):
        spans = [one._replace(layer="annotations", rater=name) for name, found in kept.items() for one in found]
        note = () if asked else ("annotation sets are the raters: they have types in common",)
        return Document(spans, length, unused, notes=note, main={"annotations": "type"}, raters=tuple(kept))
    spans = [one._replace(layer=name) for name, found in kept.items() for one in found]
    return Document(spans, length, unused, main=dict.fromkeys(kept, "type"))


def are_raters(sets: Sets) -> bool:
    """Whether every two sets have types in common."""
    types = [{one.values["type"] for one in found} for found in sets.values()]
    return len(types) > 1 and all(a & b for a in types for b in types)


def nodes_of(root: "Element", file: Path) -> tuple[float, dict[str, float]]:
    """The length of the text, and the place of every node in it."""
    text = next(iter(children(root, "TextWithNodes")), None)
    if text is None:
        raise InputError("this GATE document has no text", file=file, hint="save it as GATE XML")
    at = len(text.text or "")
    nodes = {}
    for node in text:
        nodes[node.get("id", "")] = float(at)
        at += len(node.tail or "")
    return float(at), nodes


def annotation(one: "Element", nodes: Mapping[str, float], file: Path) -> Annotation:
    """One annotation with its features; those that are Java objects are left as they are written."""
    try:
        begin, end = (nodes[one.get(side, "")] for side in ("StartNode", "EndNode"))
    except KeyError as error:
        what = f"the annotation {one.get('Id')!r} has the node {error} that the text has not"
        raise InputError(what, file=file, hint="save it again") from error
    values = {"type": one.get("Type", "")}
    for feature in children(one, "Feature"):
        cells = {local(cell.tag): cell for cell in feature}
        if "ObjectWrapper" not in cells["Value"].get("className", ""):
            values[cells["Name"].text or ""] = cells["Value"].text or ""
    return Annotation("", begin, end, values)


def text_in(file: Path) -> str | None:
    """The text of a document."""
    try:
        text = children(root_of(file.read_bytes(), file), "TextWithNodes")
    except InputError:
        return None  # the reader will say what is wrong with it
    return "".join(text[0].itertext()) if text else None


def sniff(path: Path, head: str) -> float:
    """The root says so."""
    return SURE * (path.suffix.casefold() == ".xml" and "<GateDocument" in head)


FORMAT = Format(
    name="gate",
    holds="spans",
    help="GATE XML: annotation sets with types in common are raters.",
    read=read,
    endings=(".xml",),
    options=GateOptions,
    sniff=sniff,
    in_folders=True,
)
