"""Counts that pictures are made of."""

import numpy as np

from assent.arrays import Floats
from assent.engines.tally import Tally
from assent.errors import InputError
from assent.model.scale import Scale


def refuse_continuous(scale: Scale, kind: str) -> None:
    """Pictures of categories need categories."""
    if scale.is_continuous:
        raise InputError(f"{kind} needs categories, and the scale is continuous", hint="draw distribution or scores")


def totals_by_rater(data: Tally) -> Floats:
    """(raters, categories): how often each rater gave each category."""
    seen, size = data.patterns, len(data.scale.categories)
    place = seen.rater * size + seen.code
    flat = np.bincount(place, weights=seen.weights[seen.pattern], minlength=len(data.raters) * size)
    return np.asarray(flat, dtype=np.float64).reshape(len(data.raters), size)
