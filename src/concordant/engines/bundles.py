"""Clusters of units as a bootstrap draws them: distinct bundles of patterns with multiplicities.

A cluster is drawn with all its units. Clusters whose units have the same patterns are interchangeable, so what is left
of them is one bundle and how many clusters are like it. A cluster of one unit is the bundle of one pattern: units that
are clusters of their own have the bundles, the order and the draws of units.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.patterns import Patterns, scattered
from concordant.engines.views import add_up


@dataclass(frozen=True, kw_only=True, eq=False)
class Bundles:
    """Entry e: a cluster of bundle `bundle[e]` has `n[e]` units of pattern `pattern[e]`; `times[b]` clusters are alike.

    `name` says in the plural what the clusters are.
    """

    name: str
    bundle: NDArray[np.int64]
    pattern: NDArray[np.int64]
    n: Floats
    times: Floats

    @property
    def n_clusters(self) -> int:
        """How many clusters have a pattern."""
        return round(float(self.times.sum()))

    def weights(self, drawn: Floats, n_patterns: int) -> Floats:
        """How often each pattern is drawn if each bundle is drawn so often; `drawn` may have leading axes."""
        rows = drawn.reshape(-1, drawn.shape[-1])
        return self._padded(rows @ self._table, n_patterns).reshape(*drawn.shape[:-1], n_patterns)

    def gathered(self, group: NDArray[np.int64], bundle: NDArray[np.int64], shape: tuple[int, int]) -> Floats:
        """Groups × patterns: how many units of each pattern are in the clusters that each group gathers."""
        from scipy.sparse import csr_array

        held = csr_array((np.ones(len(group)), (group, bundle)), shape=(shape[0], len(self.times)))
        return self._padded((held @ self._table).toarray(), shape[1])

    @cached_property
    def _table(self) -> Any:
        """Bundles × patterns, sparse: a bundle holds few of the patterns."""
        from scipy.sparse import csr_array

        shape = (len(self.times), int(self.pattern.max(initial=-1)) + 1)
        return csr_array((self.n, (self.bundle, self.pattern)), shape=shape)

    @staticmethod
    def _padded(rows: Floats, n_patterns: int) -> Floats:
        """The same with the patterns that no bundle holds, which come last."""
        out = np.zeros((len(rows), n_patterns))
        out[:, : rows.shape[1]] = rows
        return out

    def sums(self, each: Floats) -> Floats:
        """For each bundle the sum over its units of what is known of each pattern."""
        return add_up(self.bundle, self.n * each[self.pattern], len(self.times))

    def moved(self, place: NDArray[np.int64]) -> "Bundles":
        """The same clusters where pattern p has become `place[p]`, or is left out (-1)."""
        kept = place[self.pattern] >= 0
        return bundled(self.name, self.bundle[kept], place[self.pattern[kept]], self.n[kept], self.times)


def bundled(
    name: str, cluster: NDArray[np.int64], pattern: NDArray[np.int64], n: Floats, times: Floats | None = None
) -> Bundles:
    """Bundles from entries (`n` units of a pattern in a cluster); `times` clusters are like each that is given.

    Bundles of one pattern come first, in the order of the patterns; the others in an order that depends on nothing but
    which patterns they hold.
    """
    size = int(pattern.max(initial=-1)) + 1
    key, entry = np.unique(cluster * size + pattern, return_inverse=True)
    amount = add_up(entry.reshape(-1), n, len(key))
    owners, owner = np.unique(key // max(size, 1), return_inverse=True)
    owner, pattern = owner.reshape(-1), key % max(size, 1)
    hashes = np.zeros(len(owners), dtype=np.uint64)
    np.add.at(hashes, owner, scattered(pattern.astype(np.uint64) + np.uint64(1)) * amount.astype(np.uint64))
    each = np.ones(len(owners)) if times is None else times[owners]
    distinct, first, which = np.unique(hashes, return_index=True, return_inverse=True)
    begins = np.searchsorted(owner, first)
    is_mixed = np.bincount(owner, minlength=len(owners))[first] > 1
    alike = [np.where(is_mixed, 0, known[begins]) for known in (amount, pattern)]
    order = np.lexsort((distinct, *alike, is_mixed))
    rank = np.full(len(owners), -1, dtype=np.int64)
    rank[first[order]] = np.arange(len(order))
    kept = np.flatnonzero(rank[owner] >= 0)
    kept = kept[np.argsort(rank[owner[kept]], kind="stable")]
    return Bundles(
        name=name,
        bundle=rank[owner[kept]],
        pattern=pattern[kept],
        n=amount[kept],
        times=add_up(which.reshape(-1), each, len(distinct))[order],
    )


def merged(first: Bundles | None, second: Bundles | None, n_patterns: int) -> Bundles | None:
    """The clusters of two groups of units, the second of which has its patterns behind those of the first."""
    if first is None or second is None:
        return None
    return bundled(
        first.name,
        np.concatenate([first.bundle, second.bundle + len(first.times)]),
        np.concatenate([first.pattern, second.pattern + n_patterns]),
        np.concatenate([first.n, second.n]),
        np.concatenate([first.times, second.times]),
    )


def units_in_clusters(patterns: Patterns, bundles: Bundles) -> tuple[Patterns, NDArray[np.int64]]:
    """One pattern per unit, and the cluster of each judgement."""
    entry = np.repeat(np.arange(len(bundles.bundle)), bundles.n.astype(np.int64))
    times = bundles.times.astype(np.int64)
    copies = times[bundles.bundle[entry]]
    nth = np.arange(copies.sum()) - np.repeat(np.cumsum(copies) - copies, copies)
    entry = np.repeat(entry, copies)
    cluster, of = (np.cumsum(times) - times)[bundles.bundle[entry]] + nth, bundles.pattern[entry]
    sizes = np.bincount(patterns.pattern, minlength=len(patterns.weights))
    starts, size = np.cumsum(sizes) - sizes, sizes[of]
    within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    row = np.repeat(starts[of], size) + within
    unit = np.repeat(np.arange(len(of)), size)
    apart = Patterns(pattern=unit, rater=patterns.rater[row], code=patterns.code[row], weights=np.ones(len(of)))
    return apart, np.repeat(cluster, size)
