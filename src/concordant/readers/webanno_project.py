"""A whole project as INCEpTION and WebAnno export it: a zip archive with `annotation/TEXT/RATER.*`.

What curators decided (`curation/`) and the state before annotating are not raters. Annotations are read where they were
exported as WebAnno TSV, UIMA XMI or UIMA CAS JSON; Java's own form (`annotation_ser/`) is not.
"""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from concordant.errors import InputError
from concordant.readers import cas_json, webanno, xmi
from concordant.readers.format import SURE, Format
from concordant.readers.layers import Document, LayerOptions, layered
from concordant.readers.rater_files import CURATORS, NOT_A_RATER, Part, Parts
from concordant.readers.zipped import damages, names_in, opened, unpacked

if TYPE_CHECKING:
    from concordant.model.spans import SpanTable

UNREADABLE = "annotations as Java objects or plain text, without spans that can be read"
AS_WHAT = "export the project again with the annotations as WebAnno TSV 3.3 or UIMA CAS XMI"


def read(path: str | Path, options: LayerOptions) -> "SpanTable":
    """The spans of all annotators."""
    file = Path(path)
    with opened(file) as archive:
        names = [PurePosixPath(name) for name in archive.namelist() if not name.endswith("/")]
        made = [name for name in names if name.parts[0] == "annotation" and len(name.parts) > 2]
        if not made:
            raise InputError("this project has no annotations", file=file, hint=AS_WHAT)
        people = [name for name in made if name.stem.casefold() not in CURATORS]
        others = [name for name in names if name.parts[0] == "curation" or (name in made and name not in people)]
        unused = {str(name): NOT_A_RATER for name in others}
        unused |= {f"{name.parts[0]}/": "Java's own form" for name in names if name.parts[0].endswith("_ser")}
        documents = [document_of(unpacked(archive, str(name), file), name, file) for name in people]
    found = [Part("/".join(name.parts[1:-1]), name.stem, file) for name in people]
    known = [one for one in documents if one is not None]
    if known and len(known) < len(documents):
        lacking = next(name for name, one in zip(people, documents, strict=True) if one is None)
        raise InputError(f"{lacking} is plain text or in Java's own form", file=file, hint=AS_WHAT)
    lost = Document([], None, left_out=(UNREADABLE,), notes=(AS_WHAT,))
    return layered(str(path), Parts(found, unused), known or [lost] * len(found), options)


def document_of(content: bytes, name: PurePosixPath, file: Path) -> Document | None:
    """The layers of one annotator's file, by what is in it; None if it is in a form without spans."""
    from zipfile import is_zipfile

    place = f"{file}/{name}"
    if is_zipfile(BytesIO(content)):
        return of_archive(content, place)
    reader = reader_of(content)
    if reader is None:
        return None
    if reader is not xmi:
        of_text: Callable[[str, str], Document] = webanno.of_text if reader is webanno else cas_json.of_text
        return of_text(content.decode("utf-8-sig", "replace"), place)
    return xmi.of_content(content, place, None)


def reader_of(content: bytes) -> object:
    """The module that reads such a file, None if none does."""
    head = content[:4096].decode("utf-8-sig", "replace")
    kinds = ((webanno, ".tsv"), (cas_json, ".json"), (xmi, ".xmi"))
    return next((module for module, ending in kinds if module.sniff(Path(f"x{ending}"), head)), None)


def of_archive(content: bytes, place: str) -> Document:
    """An archive in the archive: XMI with its type system."""
    from zipfile import ZipFile

    try:
        with ZipFile(BytesIO(content)) as inner:
            names = inner.namelist()
            document = next((name for name in names if name.casefold().endswith(".xmi")), None)
            types = next((name for name in names if xmi.is_type_system(name)), None)
            if document is None:
                raise InputError("the archive has no .xmi", file=place, hint=AS_WHAT)
            plain = xmi.plain_features(unpacked(inner, types, Path(place)), place) if types else None
            return xmi.of_content(unpacked(inner, document, Path(place)), place, plain)
    except damages() as error:
        raise InputError(f"this is not a whole zip archive: {error}", file=place, hint="export it again") from error


def sniff(path: Path, head: str) -> float:
    """A project has its settings in JSON and folders of annotations."""
    if path.suffix.casefold() != ".zip" or not head.startswith("PK"):
        return 0.0
    names = names_in(path)
    is_project = any(name.startswith("exportedproject") and name.endswith(".json") for name in names)
    return SURE * (is_project and any(name.startswith(("annotation/", "annotation_ser/")) for name in names))


FORMAT = Format(
    name="webanno_project",
    holds="spans",
    help="A whole project of INCEpTION or WebAnno: a zip archive with annotation/TEXT/RATER.",
    read=read,
    endings=(".zip",),
    options=LayerOptions,
    sniff=sniff,
)
