"""The tally: judgements reduced once, from which everything else is computed."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.engines.patterns import Patterns, find_patterns
from assent.engines.views import Counts, Pairs, Panel, count_view, pair_view, panel_view
from assent.model.judgements import Judgements
from assent.model.scale import Scale


@dataclass(frozen=True, kw_only=True, eq=False)
class Tally:
    """Patterns with the scale and the raters they refer to; the views are made when first asked for."""

    scale: Scale
    raters: tuple[str, ...]
    patterns: Patterns
    n_units: int
    notes: tuple[str, ...] = ()

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """Where the categories lie on the scale; of a continuous scale, nothing."""
        return self.scale.positions()

    @cached_property
    def n_judgements(self) -> int:
        """All judgements, single ones included."""
        return int(self.patterns.weights @ self.patterns.sizes)

    @cached_property
    def n_judged(self) -> int:
        """Units with at least one judgement."""
        return int(self.patterns.weights.sum())

    @cached_property
    def n_paired(self) -> int:
        """Units with at least two judgements."""
        return int(self.patterns.weights[self.patterns.sizes > 1].sum())

    @cached_property
    def used_raters(self) -> tuple[str, ...]:
        """Raters with at least one judgement."""
        return tuple(self.raters[i] for i in np.unique(self.patterns.rater))

    @cached_property
    def counts(self) -> Counts:
        """How often each category was given, by pattern."""
        return count_view(self.patterns, self.positions)

    @cached_property
    def pairs(self) -> Pairs:
        """Contingency tables of rater pairs."""
        return pair_view(self.patterns, self.raters, self.positions)

    @cached_property
    def panel(self) -> Panel:
        """The units that every rater judged."""
        return panel_view(self.patterns, self.raters, self.positions)

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change when any judgement changes; order and unit names do not matter."""
        return fingerprint(self.patterns, self.raters, self.scale)


def tally(data: Judgements) -> Tally:
    """Reduce judgements in memory."""
    return Tally(
        scale=data.scale, raters=data.raters, patterns=find_patterns(data), n_units=data.n_units, notes=data.notes
    )


def fingerprint(patterns: Patterns, raters: tuple[str, ...], scale: Scale) -> str:
    """Hash each pattern from its (rater, value) labels, then the sorted pattern hashes with their weights.

    Equal data give equal fingerprints however they were read, ordered or reduced.
    """
    who = _label_hashes(raters)[patterns.rater]
    said = (
        patterns.code.view(np.uint64)
        if patterns.code.dtype.kind == "f"
        else _label_hashes(scale.categories)[patterns.code]
    )
    entry = _mix(who + _mix(said))
    starts = np.nonzero(np.diff(patterns.pattern, prepend=-1))[0]
    whole = np.add.reduceat(entry, starts) if len(entry) else entry
    distinct, inverse = np.unique(whole, return_inverse=True)
    weights = np.bincount(inverse.reshape(-1), weights=patterns.weights, minlength=len(distinct)).astype(np.int64)
    digest = hashlib.sha256(distinct.astype("<u8").tobytes() + weights.astype("<i8").tobytes())
    return digest.hexdigest()[:8]


def _label_hashes(labels: Any) -> NDArray[np.uint64]:
    """A 64-bit number for each label."""
    digests = (hashlib.blake2b(label.encode(), digest_size=8).digest() for label in labels)
    return np.array([int.from_bytes(d, "little") for d in digests], dtype=np.uint64)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter the bits (the finaliser of SplitMix64, Steele et al. 2014), so that sums of hashes rarely collide."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
