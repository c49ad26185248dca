"""A ranking of responses, and automatic systems against it: by item, on average, and against each other.

Responses are ranked within items, so a system is judged within items: Spearman's rho and Kendall's tau-b of its scores
with those of the ranking in each item, with an interval over the item's responses. The mean over items has a t
interval over items, since another study would have other items. Two systems are compared on the items where both have a
value: the mean of the differences, its t interval, and a test that turns over the signs of the differences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.findings import holm
from concordant.diagnosis.material import as_two_raters
from concordant.measures.correlation import spearman, tau_b
from concordant.measures.result import Agreement
from concordant.model.columns import encode
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.intervals import bounded
from concordant.uncertainty.paired import Mean, mean_of, sign_test

COEFFICIENTS = {one.key: one for one in (spearman, tau_b)}
DIGITS = 12  # scores that differ by less are the same


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """Responses with their scores and ranks; rank 1 is the best of its item, equal scores share the best rank."""

    units: tuple[str, ...]
    items: tuple[str, ...]
    item: NDArray[np.int64]
    scores: Floats
    ranks: NDArray[np.int64]

    def rows(self) -> list[dict[str, Any]]:
        """One entry per response, best first within its item."""
        items, scores, ranks = (self.items[i] for i in self.item), self.scores.tolist(), self.ranks.tolist()
        columns = {"item": items, "unit": self.units, "score": scores, "rank": ranks}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return [rows[i] for i in np.lexsort((self.ranks, self.item)).tolist()]


def rank_within(item: NDArray[np.int64], scores: Floats) -> NDArray[np.int64]:
    """Ranks within each item: the highest score gets 1, equal scores share the best rank (1, 2, 2, 4)."""
    both = np.column_stack([item, -np.round(scores, DIGITS)])
    place = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
    return np.searchsorted(np.sort(place), place) - np.searchsorted(np.sort(item), item) + 1


@dataclass(frozen=True)
class ItemComparison:
    """A system against the ranking in one item (None: all responses together)."""

    item: str | None
    n_units: int
    spearman: Agreement
    tau_b: Agreement


@dataclass(frozen=True, kw_only=True)
class SystemComparison:
    """Item by item, the means over the items that have a value, and how many have none."""

    system: str
    items: tuple[ItemComparison, ...]
    whole: ItemComparison
    means: Mapping[str, Mean] = field(default_factory=dict)
    n_undefined: int

    @property
    def mean_spearman(self) -> float | None:
        """The mean of Spearman's rho over items."""
        return self.means[spearman.key].value if self.means else None

    @property
    def mean_tau_b(self) -> float | None:
        """The mean of tau-b over items."""
        return self.means[tau_b.key].value if self.means else None


@dataclass(frozen=True, kw_only=True)
class SystemDifference:
    """One system less another by one coefficient, on the items where both have a value.

    `p_corrected` is Holm's, over all pairs of systems; None where there is no item in common.
    """

    first: str
    second: str
    coefficient: str
    name: str
    n_items: int
    difference: Mean | None
    p: float | None
    p_corrected: float | None
    is_exact: bool
    error: float


def compare_system(
    ranking: Ranking, system: str, values: Floats, *, ci: str = "bootstrap", confidence: float = 0.95, seed: int = 1
) -> SystemComparison:
    """Spearman and tau-b of a system's scores with the ranking's, within each item and over all.

    Over all responses there is no interval: they are not independent of each other within items.
    """
    ask: dict[str, Any] = {"confidence": confidence, "seed": seed}
    parts = [_compare(ranking, values, ranking.item == i, name, ci=ci, **ask) for i, name in enumerate(ranking.items)]
    whole = _compare(ranking, values, np.ones(len(values), dtype=bool), None, ci="none", **ask)
    known = [part for part in parts if part.spearman.value is not None and part.tau_b.value is not None]
    return SystemComparison(
        system=system,
        items=tuple(parts),
        whole=whole,
        means={
            name: correlation_mean([float(getattr(part, name)) for part in known], confidence)
            for name in (COEFFICIENTS if known else ())
        },
        n_undefined=len(parts) - len(known),
    )


def correlation_mean(values: Sequence[float], confidence: float) -> Mean:
    """The mean over items; its interval ends where correlations do."""
    found = mean_of(values, over="items", confidence=confidence)
    return found if found.interval is None else replace(found, interval=bounded(found.interval).interval)


def _compare(ranking: Ranking, values: Floats, rows: NDArray[np.bool_], item: str | None, **ask: Any) -> ItemComparison:
    """One item."""
    scores = encode(np.concatenate([np.round(ranking.scores[rows], DIGITS), values[rows]]))
    data = as_two_raters(scores, ("weights", "system"), level="interval")
    found = {name: measure(data, one.key, **ask) for name, one in COEFFICIENTS.items()}
    return ItemComparison(item, int(rows.sum()), **found)


def differences(
    systems: Sequence[SystemComparison], *, confidence: float = 0.95, seed: int = 1
) -> tuple[SystemDifference, ...]:
    """Every two systems against each other, by each coefficient."""
    found = []
    for name in COEFFICIENTS:
        tested = [_difference(one, two, name, confidence, seed) for one, two in combinations(systems, 2)]
        corrected = holm([1.0 if one.p is None else one.p for one in tested])
        found += [
            one if one.p is None else replace(one, p_corrected=p) for one, p in zip(tested, corrected, strict=True)
        ]
    return tuple(found)


def _difference(
    one: SystemComparison, two: SystemComparison, name: str, confidence: float, seed: int
) -> SystemDifference:
    """One system less another."""
    values = [(getattr(a, name).value, getattr(b, name).value) for a, b in zip(one.items, two.items, strict=True)]
    apart = [a - b for a, b in values if a is not None and b is not None]
    test = sign_test(apart, seed=seed) if apart else None
    return SystemDifference(
        first=one.system,
        second=two.system,
        coefficient=name,
        name=COEFFICIENTS[name].name,
        n_items=len(apart),
        difference=mean_of(apart, over="items", confidence=confidence) if apart else None,
        p=test.p if test else None,
        p_corrected=None,
        is_exact=bool(test and test.is_exact),
        error=test.error if test else 0.0,
    )
