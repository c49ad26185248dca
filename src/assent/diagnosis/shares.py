"""How the judgements of each unit are spread over the categories."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.errors import InputError
from assent.model.judgements import Judgements


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitShares:
    """`counts[u, c]`: how many raters gave unit u the category c. Only units with a judgement are here."""

    units: tuple[str, ...]
    places: NDArray[np.int64]  # where each of these units stands among all units of the study
    categories: tuple[str, ...]
    counts: NDArray[np.int64]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Judgements per unit."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def shares(self) -> Floats:
        """Each unit's judgements as proportions."""
        return np.asarray(self.counts / self.sizes[:, None])

    @property
    def largest(self) -> NDArray[np.int64]:
        """The category with most judgements; the first in the scale's order if several have as many."""
        return np.asarray(self.counts.argmax(axis=1))

    @property
    def is_tied(self) -> NDArray[np.bool_]:
        """Whether several categories have the most judgements."""
        return np.asarray((self.counts == self.counts.max(axis=1, keepdims=True)).sum(axis=1) > 1)

    def coincidences(self) -> Floats:
        """Krippendorff's coincidence matrix: pairs of judgements of one unit by category, a unit counting its size."""
        paired = self.sizes > 1
        counts = self.counts[paired].astype(np.float64)
        weight = 1 / (self.sizes[paired] - 1)
        return (counts * weight[:, None]).T @ counts - np.diag((counts * weight[:, None]).sum(axis=0))


def unit_shares(data: Judgements) -> UnitShares:
    """Count each unit's judgements by category."""
    if data.scale.is_continuous:
        raise InputError(
            "the scale is continuous, so there are no shares of categories", hint="use variances, or round the values"
        )
    rows, size = data.rows(), len(data.scale.categories)
    key = rows.unit.astype(np.int64) * size + rows.value.astype(np.int64)
    counts = np.bincount(key, minlength=data.n_units * size).reshape(data.n_units, size)
    judged = np.nonzero(counts.sum(axis=1) > 0)[0]
    return UnitShares(
        units=_names(data, judged), places=judged, categories=data.scale.categories, counts=counts[judged]
    )


def _names(data: Judgements, places: NDArray[np.int64]) -> tuple[str, ...]:
    """The units' names, or their numbers if they have none."""
    names: Sequence[str] | None = data.unit_names
    return tuple(str(i + 1) if names is None else names[i] for i in places.tolist())
