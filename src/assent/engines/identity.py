"""Which data are the same: hashes of patterns, an order that depends on nothing but the data, and the fingerprint.

The order of patterns decides which of them a seed draws. So patterns are put in the order of their hashes: the
same judgements give the same digits however their rows were ordered and whoever counted them.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assent.engines.patterns import Patterns
from assent.model.scale import Scale


def pattern_hashes(patterns: Patterns, raters: Sequence[str], scale: Scale) -> NDArray[np.uint64]:
    """A 64-bit number for each pattern, made from the labels of its raters and values."""
    who = _label_hashes(raters)[patterns.rater]
    is_number = patterns.code.dtype.kind == "f"
    said = patterns.code.view(np.uint64) if is_number else _label_hashes(scale.categories)[patterns.code]
    entry = _mix(who + _mix(said))
    starts = np.nonzero(np.diff(patterns.pattern, prepend=-1))[0]
    return np.add.reduceat(entry, starts) if len(entry) else entry


def canonical(patterns: Patterns, raters: Sequence[str], scale: Scale) -> Patterns:
    """The same patterns in the order of their hashes, equal ones merged."""
    hashes = pattern_hashes(patterns, raters, scale)
    distinct, first, place = np.unique(hashes, return_index=True, return_inverse=True)
    sizes = patterns.sizes
    starts = np.cumsum(sizes) - sizes
    kept = sizes[first]
    before = np.cumsum(kept) - kept
    order = np.repeat(starts[first] - before, kept) + np.arange(int(kept.sum()))
    return Patterns(
        pattern=np.repeat(np.arange(len(distinct)), kept),
        rater=patterns.rater[order],
        code=patterns.code[order],
        weights=np.bincount(place.reshape(-1), weights=patterns.weights, minlength=len(distinct)).astype(np.float64),
    )


def fingerprint(patterns: Patterns, raters: Sequence[str], scale: Scale) -> str:
    """Eight hexadecimal digits from the sorted pattern hashes with their weights."""
    distinct, place = np.unique(pattern_hashes(patterns, raters, scale), return_inverse=True)
    weights = np.bincount(place.reshape(-1), weights=patterns.weights, minlength=len(distinct)).astype("<i8")
    return hashlib.sha256(distinct.astype("<u8").tobytes() + weights.tobytes()).hexdigest()[:8]


def _label_hashes(labels: Sequence[str]) -> NDArray[np.uint64]:
    """A 64-bit number for each label."""
    digests = (hashlib.blake2b(label.encode(), digest_size=8).digest() for label in labels)
    return np.array([int.from_bytes(d, "little") for d in digests], dtype=np.uint64)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter the bits (the finaliser of SplitMix64, Steele et al. 2014), so that sums of hashes rarely collide."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
