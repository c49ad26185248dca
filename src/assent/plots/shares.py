"""Counts that pictures are made of: by rater and category, and between categories."""

import numpy as np
from numpy.typing import NDArray

from assent.engines.tally import Tally
from assent.errors import InputError

Floats = NDArray[np.float64]


def refuse_continuous(data: Tally, kind: str) -> None:
    """Pictures of categories need categories."""
    if data.scale.is_continuous:
        raise InputError(f"{kind} needs categories, and the scale is continuous", hint="draw distribution or scores")


def totals_by_rater(data: Tally) -> Floats:
    """(raters, categories): how often each rater gave each category."""
    seen, size = data.patterns, len(data.scale.categories)
    place = seen.rater * size + seen.code
    flat = np.bincount(place, weights=seen.weights[seen.pattern], minlength=len(data.raters) * size)
    return flat.reshape(len(data.raters), size)


def coincidences(data: Tally) -> Floats:
    """Krippendorff's coincidence matrix: o_ck = sum over units of (pairs of judgements c and k) / (m_u - 1).

    Rows and columns sum to the number of pairable judgements of each category.
    """
    from scipy.sparse import csr_array

    counts = data.counts
    keep = counts.is_paired[counts.pattern]
    pattern, code, n = counts.pattern[keep], counts.code[keep], counts.n[keep]
    shape = (counts.n_patterns, counts.n_categories)
    per_unit = csr_array((n, (pattern, code)), shape=shape)
    share = counts.weights / np.maximum(counts.sizes - 1, 1)
    scaled = csr_array((n * share[pattern], (pattern, code)), shape=shape)
    matrix = np.asarray((per_unit.T @ scaled).todense(), dtype=np.float64)
    own = np.bincount(code, weights=n * share[pattern], minlength=counts.n_categories)
    return matrix - np.diag(own)
