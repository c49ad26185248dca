"""ELAN (.eaf): positions in seconds, the annotation's value is the category.

A tier's ANNOTATOR is the rater. Tiers without one: in a folder `rater/text.eaf` the folder names the rater, in a single
file the tier does. Annotations that refer to others (without times of their own) take the times of those.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, number, parts, seen

Times = tuple[float, float]


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of raters' folders, or of one file."""
    is_single = not Path(path).is_dir()
    found = parts(path, (".eaf",), "rater/text")
    marks = [mark for part in found for mark in _marks(part, is_single=is_single)]
    return SpanTable.from_marks(str(path), marks, seen=() if is_single else seen(found))


def _marks(part: Part, *, is_single: bool) -> Iterator[Mark]:
    """The annotations of one file."""
    root = _root(part.file)
    slots = {slot.get("TIME_SLOT_ID", ""): slot.get("TIME_VALUE") for slot in root.iter("TIME_SLOT")}
    times = _times(root, slots, part.file)
    for tier in root.iter("TIER"):
        name = tier.get("TIER_ID", "")
        rater = tier.get("ANNOTATOR") or (name if is_single else part.rater)
        for annotation in tier.iter():
            if annotation.tag in {"ALIGNABLE_ANNOTATION", "REF_ANNOTATION"}:
                begin, end = times[annotation.get("ANNOTATION_ID", "")]
                category = (annotation.findtext("ANNOTATION_VALUE") or "").strip()
                yield Mark(part.text, rater, begin, end, category, {} if rater == name else {"tier": name})


def _root(file: Path) -> ElementTree.Element:
    """The parsed document."""
    try:
        return ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise InputError(f"not XML: {error}", file=file) from error


def _times(root: ElementTree.Element, slots: dict[str, str | None], file: Path) -> dict[str, Times]:
    """Begin and end of every annotation, in seconds."""
    times: dict[str, Times] = {}
    for annotation in root.iter("ALIGNABLE_ANNOTATION"):
        ends = [slots.get(annotation.get(f"TIME_SLOT_REF{side}", "")) for side in (1, 2)]
        if ends[0] is None or ends[1] is None:
            raise InputError(f"the annotation {annotation.get('ANNOTATION_ID')!r} has no times", file=file)
        begin, end = (number(cell, file, None, int) / 1000 for cell in (ends[0], ends[1]))
        times[annotation.get("ANNOTATION_ID", "")] = (begin, end)
    parents = {a.get("ANNOTATION_ID", ""): a.get("ANNOTATION_REF", "") for a in root.iter("REF_ANNOTATION")}
    return times | {name: _inherited(name, parents, times, file) for name in parents}


def _inherited(name: str, parents: dict[str, str], times: dict[str, Times], file: Path) -> Times:
    """The times of the annotation that this one refers to, perhaps by way of others."""
    ancestor, passed = name, set[str]()
    while ancestor in parents and ancestor not in passed:
        passed.add(ancestor)
        ancestor = parents[ancestor]
    if ancestor not in times:
        raise InputError(f"the annotation {name!r} refers to none with times", file=file)
    return times[ancestor]
