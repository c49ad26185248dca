"""CATMA by its Git access: a folder with `collections`, `documents` and `tagsets`.

Every annotation is one span, however many properties it has: its tag is the category, with the tags above it, its
properties are features, its tagset is the layer. Segments that touch are one; an annotation whose segments do not is
one span from the first begin to the last end, and a note counts them. Positions are those of Java.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.spans import SpanTable
from concordant.readers.cas import characters
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import as_json
from concordant.readers.layers import Annotation, Document, LayerOptions, layered
from concordant.readers.rater_files import CURATORS, NOT_A_RATER, Part, Parts, text_of


class Collection(NamedTuple):
    """The annotations of one text by one person."""

    folder: Path
    name: str
    user: str
    document: str


class Tag(NamedTuple):
    """A tag: its tagset, its name, the tag above it, and the names of its properties."""

    tagset: str
    name: str
    parent: str
    properties: Mapping[str, str]


def read(path: str | Path, options: LayerOptions) -> SpanTable:
    """The annotations of all collections but gold ones."""
    root = Path(path)
    found = [collection(header) for header in sorted(root.glob("collections/*/header.json"))]
    if not found:
        raise InputError("there are no collections of annotations", file=root, hint="clone the whole project")
    people = [one for one in found if one.name.casefold() not in CURATORS] or found
    unused = {f"collection {one.name}": NOT_A_RATER for one in found if one not in people}
    by_user = Counter((one.user, one.document) for one in people)
    are_users = all(one.user for one in people) and max(by_user.values()) == 1
    titles = {one.document: title_of(root, one.document) for one in people}
    files = [Part(titles[one.document], one.user if are_users else one.name, one.folder) for one in people]
    named = ", ".join(f"{one.name} by {one.user or 'nobody'}" for one in people)
    notes = (f"raters are the {'users' if are_users else 'names'} of the collections: {named}",)
    tags = tags_of(root)
    documents = [document_of(root, one, tags) for one in people]
    return layered(str(path), Parts(files, unused, notes), documents, options)


def parsed(file: Path) -> Any:
    """What a JSON file of the project holds."""
    try:
        return as_json(text_of(file), file)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", file=file, hint="clone the project again") from error


def collection(header: Path) -> Collection:
    """A collection by its header."""
    about = parsed(header)
    if not isinstance(about, dict) or not about.get("sourceDocumentId"):
        raise InputError("this collection names no document", file=header, hint="clone the project again")
    name = str(about.get("name") or header.parent.name)
    return Collection(header.parent, name, str(about.get("responsibleUser") or ""), str(about["sourceDocumentId"]))


def title_of(root: Path, document: str) -> str:
    """The title of a document, or its id."""
    header = root / "documents" / document / "header.json"
    about = parsed(header) if header.exists() else {}
    return str(about.get("gitContentInfoSet", {}).get("title") or document)


def tags_of(root: Path) -> dict[str, Tag]:
    """All tags by their ids."""
    tags = {}
    for file in sorted(root.glob("tagsets/*/**/propertydefs.json")):
        about = parsed(file)
        header = root / "tagsets" / file.relative_to(root).parts[1] / "header.json"
        tagset = str(parsed(header).get("name", "")) if header.exists() else file.relative_to(root).parts[1]
        given = about.get("userDefinedPropertyDefinitions", {})
        properties = {key: str(one.get("name", key)) for key, one in given.items()}
        tags[file.parent.name] = Tag(tagset, str(about.get("name", "")), str(about.get("parentUuid", "")), properties)
    return tags


def path_of(tag: Tag, tags: Mapping[str, Tag]) -> str:
    """A tag's name after those of the tags above it."""
    names, passed = [tag.name], set[str]()
    while tag.parent in tags and tag.parent not in passed:
        passed.add(tag.parent)
        tag = tags[tag.parent]
        names.append(tag.name)
    return "/".join(reversed(names))


def document_of(root: Path, one: Collection, tags: Mapping[str, Tag]) -> Document:
    """The annotations of a collection."""
    file = root / "documents" / one.document / f"{one.document}.txt"
    places = characters(text_of(file)) if file.exists() else None
    spans, n_split = [], 0
    for page in sorted(one.folder.glob("annotations/*.json")):
        found = parsed(page)
        for annotation in found if isinstance(found, list) else [found]:
            try:
                span, is_split = span_of(annotation, places, tags)
            except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
                hint = "clone the project again, with its tagsets and documents"
                raise InputError(f"an annotation is not as CATMA writes it: {error!r}", file=page, hint=hint) from error
            spans.append(span)
            n_split += is_split
    notes = (f"{counted(n_split, 'discontinuous annotation')} of {one.name} taken whole",) * bool(n_split)
    main = {span.layer: "tag" for span in spans}
    return Document(spans, None if places is None else places[-1], notes=notes, main=main)


def span_of(annotation: Any, places: list[float] | None, tags: Mapping[str, Tag]) -> tuple[Annotation, bool]:
    """One annotation, and whether its segments do not touch."""
    body = annotation["body"]
    tag = tags[body["tag"].rpartition("/")[2]]
    selectors = [item["selector"] for item in annotation["target"]["items"]]
    segments = sorted((int(each["start"]), int(each["end"])) for each in selectors)
    if segments[0][0] < 0 or any(begin > end for begin, end in segments):
        raise ValueError(f"the segments {segments}")
    is_split = any(end < begin for (_, end), (begin, _) in pairwise(segments))
    begin, end = segments[0][0], max(end for _, end in segments)
    given = body.get("properties", {}).get("user", {})
    values = {tag.properties.get(key, key): "+".join(sorted(map(str, each))) for key, each in given.items() if each}
    ends = (float(begin), float(end)) if places is None else (places[begin], places[end])
    return Annotation(tag.tagset, *ends, {"tag": path_of(tag, tags), **values}), is_split


def sniff(path: Path, head: str) -> float:
    """A project is a folder with collections and their documents or tagsets."""
    is_project = path.is_dir() and any(path.glob("collections/*/header.json"))
    return SURE * (is_project and ((path / "documents").is_dir() or (path / "tagsets").is_dir()))


FORMAT = Format(
    name="catma",
    holds="spans",
    help="CATMA by its Git access: a folder with collections, documents and tagsets.",
    read=read,
    endings=(".catma",),
    options=LayerOptions,
    sniff=sniff,
)
