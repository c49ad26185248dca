"""ELAN (.eaf): the annotation's value is the category, the ANNOTATOR of a tier the rater (see `tiers`).

Annotations that refer to others (without times of their own) take the times of those. ELAN lets a row of annotations
share a stretch of time without saying where one ends and the next begins: those are spread evenly, and counted.
"""

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import InputError
from concordant.readers.markup import root_of
from concordant.readers.rater_files import number
from concordant.readers.tiers import Recording, Tier, filled, tier_format

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Times = dict[str, tuple[float, float]]


def of_file(file: Path) -> Recording:
    """The annotations of one file."""
    root = root_of(file.read_bytes(), file)
    times, n_spread = times_of(root, file)
    tiers = []
    for tier in root.iter("TIER"):
        found = (one for one in tier.iter() if one.tag in {"ALIGNABLE_ANNOTATION", "REF_ANNOTATION"})
        marks = [
            (*times[one.get("ANNOTATION_ID", "")], (one.findtext("ANNOTATION_VALUE") or "").strip()) for one in found
        ]
        tiers.append(Tier(tier.get("TIER_ID", ""), marks, annotator=tier.get("ANNOTATOR")))
    note = f"time slots without a time: {n_spread}, spread evenly between their neighbours"
    return Recording(tiers, notes=[note] if n_spread else [])


def times_of(root: "Element", file: Path) -> tuple[Times, int]:
    """Begin and end of every annotation in seconds, its own or those of the one that it refers to by way of others.

    Also how many time slots had no time of their own.
    """
    written = {slot.get("TIME_SLOT_ID", ""): slot.get("TIME_VALUE") for slot in root.iter("TIME_SLOT")}
    slots = {name: None if time is None else number(time, file, None, int) / 1000 for name, time in written.items()}
    times: Times = {}
    spread: set[str] = set()
    for tier in root.iter("TIER"):
        aligned = list(tier.iter("ALIGNABLE_ANNOTATION"))
        chain = [one.get(f"TIME_SLOT_REF{side}", "") for one in aligned for side in (1, 2)]
        if (unknown := next((slot for slot in chain if slot not in slots), None)) is not None:
            raise InputError(f"an annotation refers to the time slot {unknown!r}, which is not there", file=file)
        line = [slot for slot, after in pairwise([*chain, ""]) if slot != after]  # neighbours share a slot
        placed = dict(zip(line, filled([slots[slot] for slot in line], file), strict=True)) if line else {}
        spread |= {slot for slot in line if slots[slot] is None}
        for one, begin, end in zip(aligned, chain[::2], chain[1::2], strict=True):
            times[one.get("ANNOTATION_ID", "")] = (placed[begin], placed[end])
    parents = {a.get("ANNOTATION_ID", ""): a.get("ANNOTATION_REF", "") for a in root.iter("REF_ANNOTATION")}
    inherited = {}
    for name in parents:
        ancestor, passed = name, set[str]()
        while ancestor in parents and ancestor not in passed:
            passed.add(ancestor)
            ancestor = parents[ancestor]
        if ancestor not in times:
            raise InputError(f"the annotation {name!r} refers to none with times", file=file)
        inherited[name] = times[ancestor]
    return times | inherited, len(spread)


FORMAT = tier_format(
    of_file,
    name="elan",
    help="ELAN: the annotator of a tier is the rater, else the folder or the file.",
    endings=(".eaf",),
)
