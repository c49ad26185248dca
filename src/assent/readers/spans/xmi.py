"""UIMA XMI, the export of INCEpTION and WebAnno: `text/rater.xmi` or `text/rater.zip`, through dkpro-cassis.

The type system is `TypeSystem.xml` in the same folder or archive. Spans are the annotations of custom layers
(`webanno.custom.*`) and named entities; their features are merged into the category, the layer is the feature `layer`.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from warnings import catch_warnings, filterwarnings
from zipfile import BadZipFile, ZipFile

from assent.errors import InputError, MissingExtra
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, parts, seen

LAYERS = ("webanno.custom.", "custom.", "de.tudarmstadt.ukp.dkpro.core.api.ner.type.")
BUILT_IN = {"begin", "end", "sofa", "xmiID", "type"}
IDENTIFIER = "identifier"


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of texts' folders, or of one file."""
    lengths: dict[str, float] = {}
    marks: list[Mark] = []
    found = parts(path, (".xmi", ".zip"), "text/rater")
    for part in found:
        length, own = _read_part(part)
        lengths[part.text] = length
        marks += own
    return SpanTable.from_marks(str(path), marks, lengths=lengths, seen=seen(found))


def _read_part(part: Part) -> tuple[float, list[Mark]]:
    """The length of the text and the spans of one rater's file."""
    try:
        from cassis import load_cas_from_xmi, load_typesystem
        from cassis.typesystem import AnnotationHasNoSofa, TypeCheckError, TypeNotFoundError
    except ImportError as error:
        raise MissingExtra("reading UIMA XMI", "spans") from error
    types, document = _archived(part.file) if part.file.suffix.casefold() == ".zip" else _beside(part.file)
    wrong = (SyntaxError, ValueError, LookupError, AttributeError, TypeError, RuntimeError, UserWarning)  # lxml: Syntax
    try:
        with catch_warnings():
            filterwarnings("error", "Not mapping external offset")  # a span past the text's end
            cas = load_cas_from_xmi(BytesIO(document), typesystem=load_typesystem(BytesIO(types)))
            return float(len(cas.sofa_string or "")), list(_marks(part, cas))
    except (*wrong, AnnotationHasNoSofa, TypeCheckError, TypeNotFoundError) as error:
        raise InputError(f"not a UIMA document with its type system: {error}", file=part.file) from error


def _archived(file: Path) -> tuple[bytes, bytes]:
    """Type system and document out of an archive."""
    try:
        with ZipFile(file) as archive:
            documents = [name for name in archive.namelist() if name.casefold().endswith(".xmi")]
            if "TypeSystem.xml" not in archive.namelist() or not documents:
                raise InputError("the archive has no TypeSystem.xml or no .xmi", file=file)
            return archive.read("TypeSystem.xml"), archive.read(documents[0])
    except BadZipFile as error:
        raise InputError("this is not a zip archive", file=file) from error


def _beside(file: Path) -> tuple[bytes, bytes]:
    """Type system and document out of folders; the type system may lie one folder up."""
    for folder in (file.parent, file.parent.parent):
        if (folder / "TypeSystem.xml").exists():
            return (folder / "TypeSystem.xml").read_bytes(), file.read_bytes()
    raise InputError("there is no TypeSystem.xml beside the document", file=file, hint="export it with the type system")


def _marks(part: Part, cas: Any) -> Iterator[Mark]:
    """The annotations of all span layers."""
    layers = sorted(kind.name for kind in cas.typesystem.get_types() if kind.name.startswith(LAYERS))
    for layer in layers:
        for annotation in cas.select(layer):
            if hasattr(annotation, "begin"):
                short = layer.rsplit(".", 1)[-1]
                category = _category(annotation, short)
                yield Mark(part.text, part.rater, annotation.begin, annotation.end, category, {"layer": short})


def _category(annotation: Any, layer: str) -> str:
    """The plain features merged: a value alone, `name=value` when there are several, the layer when there is none."""
    names = [f.name for f in annotation.type.all_features if f.name not in BUILT_IN and f.name != IDENTIFIER]
    values = {name: getattr(annotation, name) for name in names}
    plain = {name: str(value) for name, value in values.items() if isinstance(value, str | int | float | bool)}
    if len(plain) == 1:
        return next(iter(plain.values()))
    return "+".join(f"{name}={value}" for name, value in sorted(plain.items())) or layer
