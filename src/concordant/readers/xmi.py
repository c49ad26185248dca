"""UIMA XMI, the export of INCEpTION, WebAnno and Athen: `text/rater.xmi` or `rater/text.xmi`, or a zip archive each.

The type system, an XML file beside the document, in the folder above or in the archive, says which features point to
other annotations; without it every attribute is taken for a value.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import InputError
from concordant.readers.cas import Structure, document_of
from concordant.readers.format import SURE
from concordant.readers.layers import Document, layered_format
from concordant.readers.markup import local, root_of
from concordant.readers.zipped import names_in, opened, unpacked

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PLAIN = re.compile(r"uima\.cas\.(String|Integer|Float|Boolean|Byte|Short|Long|Double)")
BUILT_IN = frozenset({"begin", "end", "sofa", "id"})
XMI = "http://www.omg.org/XMI"


def of_file(file: Path) -> Document:
    """The layers of one document."""
    types, content = types_and_document(file)
    return of_content(content, file, plain_features(types, file) if types else None)


def of_content(content: bytes, file: Path | str, plain: Mapping[str, bool] | None) -> Document:
    """The layers of a document; `plain` says of every feature whether it is a value."""
    root = root_of(content, file)
    sofas = [element for element in root if local(element.tag) == "Sofa"]
    texts = {name_of(sofa, "id"): sofa.get("sofaString") for sofa in sofas}
    sofa = next((name for name, text in texts.items() if text is not None), None)
    if local(root.tag) != "XMI" or sofa is None:
        raise InputError("this is not a UIMA document with a text", file=file, hint="export it as UIMA CAS XMI")
    note = () if plain is not None else ("without its type system every attribute is taken for a feature",)
    document = document_of(texts[sofa] or "", structures(root, sofa, file, plain), file)
    return document._replace(notes=note)


def structures(root: "Element", sofa: str, file: Path | str, plain: Mapping[str, bool] | None) -> Iterator[Structure]:
    """The annotations of a text; what has no begin and end is none, and belongs to another."""
    for element in root:
        place = [element.get(side) for side in ("begin", "end")]
        if None in place or element.get("sofa") != sofa:
            continue
        space, _, name = element.tag.partition("}")
        kind = space.removeprefix("{http:///").removesuffix(".ecore").replace("/", ".") + "." + name
        try:
            begin, end = (int(str(side)) for side in place)
        except ValueError as error:
            raise InputError(f"{name} {'-'.join(map(str, place))} has no position", file=file) from error
        values = {local(key): text for key, text in element.attrib.items() if local(key) not in BUILT_IN}
        values |= {local(child.tag): child.text or "" for child in element}
        links = frozenset(key for key in values if plain is not None and not plain.get(key, False))
        yield Structure(kind, begin, end, {k: v for k, v in values.items() if k not in links}, links)


def name_of(element: "Element", key: str) -> str:
    """An attribute of XMI itself."""
    return element.get(f"{{{XMI}}}{key}", "") or element.get(key, "")


def plain_features(types: bytes, file: Path | str) -> dict[str, bool]:
    """Whether every feature of a type system is a plain value."""
    found: dict[str, bool] = {}
    for element in root_of(types, file).iter():
        if local(element.tag) == "featureDescription":
            cells = {local(child.tag): (child.text or "").strip() for child in element}
            is_plain = PLAIN.fullmatch(cells.get("rangeTypeName", "")) is not None
            found[cells.get("name", "")] = is_plain and found.get(cells.get("name", ""), True)
    return found


def types_and_document(file: Path) -> tuple[bytes | None, bytes]:
    """Type system and document, out of an archive or out of folders."""
    if file.suffix.casefold() == ".zip":
        with opened(file) as archive:
            names = archive.namelist()
            documents = [name for name in names if name.casefold().endswith(".xmi")]
            if not documents:
                raise InputError("the archive has no .xmi", file=file, hint="export it as UIMA CAS XMI")
            types = next((name for name in names if is_type_system(name)), None)
            content = unpacked(archive, documents[0], file)
            return unpacked(archive, types, file) if types else None, content
    for folder in (file.parent, file.parent.parent):
        for other in sorted(folder.glob("*.xml")):
            if is_type_system(other.name):
                return other.read_bytes(), file.read_bytes()
    return None, file.read_bytes()


def is_type_system(name: str) -> bool:
    """Whether a file is called like a type system: TypeSystem.xml, or with a name before it."""
    return name.casefold().replace("_", "").replace("-", "").endswith("typesystem.xml")


def text_in(file: Path) -> str | None:
    """The text of a document as it is written."""
    try:
        found = re.search(rb'sofaString="([^"]*)"', types_and_document(file)[1])
    except InputError:
        return None  # the reader will say what is wrong with it
    return found.group(1).decode("utf-8", "replace") if found else None


def sniff(path: Path, head: str) -> float:
    """XMI says so in its root; an archive holds one document of it."""
    if path.suffix.casefold() == ".zip" and path.is_file():
        return SURE * any(name.casefold().endswith(".xmi") and "/" not in name for name in names_in(path))
    return SURE * (path.suffix.casefold() == ".xmi" and "<xmi:XMI" in head and XMI in head)


FORMAT = layered_format(
    of_file,
    name="xmi",
    help="UIMA XMI as INCEpTION, WebAnno and Athen write it: a file for each text and rater.",
    endings=(".xmi", ".zip"),
    order="text/rater",
    sniff=sniff,
    text_in=text_in,
)
