"""The catalogue: every measure by its key. An explicit list; a test fails if a measure is defined and not listed."""

from typing import Any

from assent.errors import InputError, nearest
from assent.measures import chance_corrected, correlation, kappas, krippendorff, reliability, treebanks
from assent.measures.spec import Measure
from assent.measures.unitizing import entries as unitizing

FAMILIES = (chance_corrected, kappas, krippendorff, correlation, reliability, unitizing, treebanks)
CATALOGUE: dict[str, Measure[Any]] = {m.key: m for family in FAMILIES for m in family.MEASURES}


def find_measure(key: str) -> Measure[Any]:
    """The measure of that key; an unknown key is an error that suggests the nearest."""
    if key not in CATALOGUE:
        raise InputError(f"unknown measure {key!r}", hint=nearest(key, list(CATALOGUE)))
    return CATALOGUE[key]
