"""CATMA's downloads: annotation collections as TEI XML, and results of a query as CSV, one file or a folder of them.

Every annotation is one span, however many segments and properties it has: its tag is the category, with the tags above
it, its properties are features. The rater is the author of the annotation (`catma_markupauthor`) where that tells
collections apart, else the collection. Positions are those of Java.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.spans import SpanTable
from concordant.readers.answers import TableAnswerOptions
from concordant.readers.catma import Tag, path_of
from concordant.readers.format import SURE, Format
from concordant.readers.layers import Annotation, Document, LayerOptions, layered
from concordant.readers.markup import children, local, root_of
from concordant.readers.rater_files import CURATORS, NOT_A_RATER, Part, Parts
from concordant.readers.survey_table import read_survey
from concordant.readers.table import header

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

AUTHOR, SYSTEM = "catma_markupauthor", "catma_"
TARGET = re.compile(r"(.*)#(?:.*&)?char=(\d+),(\d+)")
STAMP = re.compile(r"\s+\d{4}-\d\d-\d\dT[\d:.+-]+$")
COLUMNS = frozenset({"document id", "start offset", "end offset", "collection name", "tag", "annotation id"})
PROPERTY, COMMENT = ("Property ID", "Property Name", "Property Value"), "Comment ID"


class Marked(NamedTuple):
    """An annotation as an export has it: of which text, collection and author, its segments and properties."""

    text: str
    collection: str
    author: str
    tagset: str
    tag: str
    segments: set[tuple[int, int]]
    properties: dict[str, set[str]]


def read(path: str | Path, options: LayerOptions) -> SpanTable:
    """The annotations of a download, or of all in a folder."""
    root = Path(path)
    inside = root.rglob("*") if root.is_dir() else [root]
    files = sorted(one for one in inside if one.suffix.casefold() in (".xml", ".csv"))
    lengths: dict[str, float] = {}
    marks: list[Marked] = []
    left_out: list[str] = []
    for file in files:
        if file.suffix.casefold() == ".csv":
            marks += in_table(file, lengths, left_out)
        else:
            marks += in_tei(file, lengths)
    return table_of(str(path), marks, lengths, left_out, options)


def table_of(
    name: str, marks: list[Marked], lengths: Mapping[str, float], left_out: Iterable[str], options: LayerOptions
) -> SpanTable:
    """The spans of all annotations, by text and rater."""
    if not marks:
        raise InputError("there are no annotations in it", file=name, hint="export a collection that has some")
    people = [one for one in marks if one.collection.casefold() not in CURATORS] or marks
    by_author: dict[tuple[str, str], set[str]] = {}
    for one in people:
        by_author.setdefault((one.text, one.author), set()).add(one.collection)
    are_authors = all(author for _, author in by_author) and all(len(found) == 1 for found in by_author.values())
    parts: dict[tuple[str, str], list[Marked]] = {}
    for one in people:
        parts.setdefault((one.text, one.author if are_authors else one.collection), []).append(one)
    made = [span_of(one) for mine in parts.values() for one in mine]
    notes = [f"raters are the {'authors' if are_authors else 'names'} of the collections"]
    n_split = sum(is_split for _, is_split in made)
    notes += [f"{counted(n_split, 'discontinuous annotation')} taken whole"] if n_split else []
    unused = {f"collection {one.collection}": NOT_A_RATER for one in marks if one.collection.casefold() in CURATORS}
    documents = [
        Document([span_of(one)[0] for one in mine], lengths.get(text), main={one.tagset: "tag" for one in mine})
        for (text, _), mine in parts.items()
    ]
    documents[0] = documents[0]._replace(left_out=tuple(left_out))
    found = Parts([Part(text, rater, Path(name)) for text, rater in parts], unused, tuple(notes))
    return layered(name, found, documents, options)


def span_of(one: Marked) -> tuple[Annotation, bool]:
    """An annotation from its first begin to its last end, and whether its segments do not touch."""
    segments = sorted(one.segments)
    is_split = any(end < begin for (_, end), (begin, _) in pairwise(segments))
    values = {name: "+".join(sorted(each)) for name, each in one.properties.items() if each}
    ends = float(segments[0][0]), float(max(end for _, end in segments))
    return Annotation(one.tagset, *ends, {"tag": one.tag, **values}), is_split


def in_tei(file: Path, lengths: dict[str, float]) -> Iterator[Marked]:
    """The annotations of a collection in TEI: feature structures, and segments of the text that refer to them."""
    root = root_of(file.read_bytes(), file)
    every = {local(element.tag): element for element in root.iter()}
    if "ab" not in every or "teiHeader" not in every:
        raise InputError("this is no annotation collection", file=file, hint="export it from CATMA as XML")
    statement = every.get("titleStmt", root)
    title, author = (written(children(statement, name)) for name in ("title", "author"))
    tags = tags_of(root)
    text, segments = segments_of(every["ab"], file)
    lengths[text] = float(max((end for found in segments.values() for _, end in found), default=0))
    for element in (one for one in root.iter() if local(one.tag) == "fs" and one.get("type")):
        key = next((value for name, value in element.attrib.items() if local(name) == "id"), "")
        if not segments.get(key):
            continue
        tag = tags.get(str(element.get("type")))
        if tag is None:
            what = f"an annotation has the unknown tag {element.get('type')!r}"
            raise InputError(what, file=file, hint="export it again")
        given = {str(one.get("name")): values_of(one) for one in children(element, "f")}
        who = next(iter(given.get(AUTHOR, ())), author)
        own = {name: values for name, values in given.items() if not name.startswith(SYSTEM)}
        yield Marked(text, title or file.stem, who, tag.tagset, path_of(tag, tags), segments[key], own)


def written(elements: Iterable["Element"]) -> str:
    """The text of elements."""
    return " ".join("".join(one.itertext()) for one in elements).strip()


def values_of(feature: "Element") -> set[str]:
    """The values of a property, one or several."""
    return {"".join(one.itertext()) for one in feature.iter() if local(one.tag) == "string"} - {""}


def tags_of(root: "Element") -> dict[str, Tag]:
    """The tags by their ids."""
    tags: dict[str, Tag] = {}
    for declared in (one for one in root.iter() if local(one.tag) == "fsdDecl"):
        tagset = STAMP.sub("", str(declared.get("n") or ""))
        for one in children(declared, "fsDecl"):
            name, parent = written(children(one, "fsDescr")), str(one.get("baseTypes") or "")
            tags[str(one.get("type"))] = Tag(tagset, name, parent, {})
    return tags


def segments_of(block: "Element", file: Path) -> tuple[str, dict[str, set[tuple[int, int]]]]:
    """The text, and the segments of every annotation; texts stand as pointers, or as themselves."""
    found: dict[str, set[tuple[int, int]]] = {}
    text, at = file.stem, len(block.text or "")
    for element in block:
        keys = (element.get("ana") or "").replace("#", " ").split()
        pointers = [element] if local(element.tag) == "ptr" else children(element, "ptr")
        places = [TARGET.fullmatch(str(one.get("target"))) for one in pointers]
        if not all(places):
            raise InputError("a pointer names no characters", file=file, hint="export it again")
        ranges = [(int(one[2]), int(one[3])) for one in places if one]
        if not pointers:
            end = at + len("".join(element.itertext()))
            ranges, at = [(at, end)], end + len(element.tail or "")
        text = next((one[1] for one in places if one), text)
        for key in keys:
            found.setdefault(key, set()).update(ranges)
        found.setdefault("", set()).update(ranges)
    return text.rpartition("/")[2], found


def in_table(file: Path, lengths: dict[str, float], left_out: list[str]) -> Iterator[Marked]:
    """The annotations of a result as CSV: rows with one id are one annotation, its segments and properties."""
    table, rows = read_survey(file, TableAnswerOptions())
    place = {name.casefold(): at for at, name in enumerate(table.names)}
    if lacking := sorted(COLUMNS - place.keys()):
        raise InputError(f"there is no column {lacking[0]!r}", file=file, hint="export the result from CATMA again")
    names = list(table.names)
    after = names.index(COMMENT) if COMMENT in names else len(names)
    columns = [name for name in names[place["annotation id"] + 1 : after] if name not in PROPERTY]
    found: dict[str, Marked] = {}
    for row, cells in zip(table.row_numbers.tolist(), rows, strict=True):
        key = cells[place["annotation id"]]
        if not key:
            left_out.append("rows without an annotation (comments, words)")
            continue
        text = cells[place.get("document name", place["document id"])]
        try:
            segment = int(cells[place["start offset"]]), int(cells[place["end offset"]])
            lengths |= {text: float(cells[place["document length"]])} if cells[place.get("document length", -1)] else {}
        except (ValueError, KeyError) as error:
            raise InputError(f"an offset is no number: {error}", file=file, row=row, hint="export it again") from None
        about = cells[place["collection name"]], "", "tags", cells[place["tag"]].strip("/")
        one = found.setdefault(key, Marked(text, *about, set(), {}))
        one.segments.add(segment)
        given = {name: cells[names.index(name)].split(",") for name in columns}
        if PROPERTY[1] in names:
            given[cells[names.index(PROPERTY[1])]] = [cells[names.index(PROPERTY[2])]]
        for name, values in given.items():
            one.properties.setdefault(name, set()).update(value for value in values if value and name)
    for one in found.values():
        author = next(iter(one.properties.get(AUTHOR, ())), "")
        own = {name: values for name, values in one.properties.items() if not name.startswith(SYSTEM)}
        yield one._replace(author=author, properties=own)


def sniff(path: Path, head: str) -> float:
    """TEI with CATMA's own feature structures, or a table with the columns of its results."""
    if path.suffix.casefold() == ".xml":
        return SURE * ("<TEI" in head and "CATMA_" in head and ("fsdDecl" in head or "CATMA_TECH_DESC" in head))
    return SURE * (path.suffix.casefold() == ".csv" and path.is_file() and header(path, head) >= COLUMNS)


FORMAT = Format(
    name="catma_exports",
    holds="spans",
    help="CATMA's downloads: collections as TEI XML, results of a query as CSV.",
    read=read,
    endings=(".xml", ".csv"),
    options=LayerOptions,
    sniff=sniff,
    in_folders=True,
)
