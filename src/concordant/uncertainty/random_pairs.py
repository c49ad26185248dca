"""The interval of a mean over random rater pairs: many raters per unit, few units per rater.

All rater pairs together are not independent, for each rater is in many. So the raters of a set (connected by common
units) are put at random into disjoint pairs (an odd one out is dropped at random), each pair is scored, and the
interval of a set of N pairs is mean ± t(α/2, N - 1) · s / √N. Values and interval ends are then averaged over the
sets (Boleda, Schulte im Walde & Badia 2009, 4.1.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concordant.arrays import Floats
from concordant.engines.tally import Tally, with_raters
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement, Interval
from concordant.measures.spec import DEFAULTS, Options
from concordant.randomness import generator
from concordant.uncertainty.intervals import t_interval


@dataclass(frozen=True, kw_only=True)
class ScoredSet:
    """The random pairs of one set, each with its result."""

    name: str
    results: tuple[Agreement, ...]
    n_left_over: int

    @property
    def values(self) -> Floats:
        """The pairs' coefficients, without those that have none."""
        return np.array([result.value for result in self.results if result.value is not None])

    @property
    def observed(self) -> Floats:
        """The pairs' observed agreement, where there is one."""
        return np.array([result.observed for result in self.results if result.observed is not None])


def rater_sets(data: Tally) -> dict[str, list[str]]:
    """The raters of each set by name: raters connected by common units are "set 1" …, in the order of their names."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rater = np.unique(data.patterns.rater, return_inverse=True)[1].reshape(-1)
    n_raters = len(data.used_raters)
    size = n_raters + len(data.patterns.weights)
    links = coo_array((np.ones(len(rater)), (rater, n_raters + data.patterns.pattern)), shape=(size, size))
    labels = connected_components(links, directed=False)[1]
    sets: dict[int, list[str]] = {}
    for name, label in sorted(zip(data.used_raters, labels.tolist(), strict=False)):
        sets.setdefault(label, []).append(name)
    return {f"set {number}": raters for number, raters in enumerate(sets.values(), start=1)}


def draw_pairs(raters: Sequence[str], random: np.random.Generator) -> tuple[tuple[str, str], ...]:
    """Disjoint pairs at random; of an odd number one rater is left over."""
    order = random.permutation(len(raters))
    return tuple((raters[order[i]], raters[order[i + 1]]) for i in range(0, len(raters) - 1, 2))


def score_pairs(data: Tally, key: str, *, seed: int, options: Options = DEFAULTS) -> list[ScoredSet]:
    """Draw the pairs of every set and score each pair; the same seed draws the same pairs for every measure."""
    random, measure = generator(seed), find_measure(key)
    scored = []
    for name, raters in rater_sets(data).items():
        pairs, of_set = draw_pairs(raters, random), with_raters(data, raters)
        results = tuple(evaluate(measure, with_raters(of_set, pair), options) for pair in pairs)
        scored.append(ScoredSet(name=name, results=results, n_left_over=len(raters) - 2 * len(pairs)))
    return scored


def mean_over_sets(scores: Sequence[Floats], *, confidence: float) -> tuple[float, Interval] | None:
    """The mean of the sets' means and of their interval ends; None if no set has two scored pairs."""
    usable = [values for values in scores if len(values) > 1]
    if not usable:
        return None
    each = []
    for values in usable:
        error = float(values.std(ddof=1)) / float(np.sqrt(len(values)))
        each.append(t_interval(float(values.mean()), error, len(values) - 1, confidence=confidence, method="t"))
    low, high = (float(np.mean([getattr(one, end) for one in each])) for end in ("low", "high"))
    over = f", averaged over {len(usable)} sets" if len(usable) > 1 else ""
    method = f"t interval of {sum(map(len, usable)):,} random rater pairs{over}"
    value = float(np.mean([values.mean() for values in usable]))
    return value, Interval(low=low, high=high, level=confidence, method=method)


def random_pairs(
    data: Tally,
    key: str,
    *,
    seed: int,
    confidence: float = 0.95,
    options: Options = DEFAULTS,
) -> Agreement:
    """The mean score of random rater pairs with its interval, as a result of its own."""
    sets = score_pairs(data, key, seed=seed, options=options)
    found = mean_over_sets([one.values for one in sets], confidence=confidence)
    observed = [values for values in (one.observed for one in sets) if len(values)]
    seen = mean_over_sets(observed, confidence=confidence)
    results = [result for one in sets for result in one.results]
    undefined = [result.reason for result in results if result.reason is not None]
    pairs = f"{len(results)} random rater pair{'s' * (len(results) != 1)}"
    few = f"{pairs}, and an interval needs two with a score in a set"
    return Agreement(
        measure=key,
        name=f"{results[0].name if results else find_measure(key).name}, mean over random rater pairs",
        value=None if found is None else found[0],
        reason=None if found else f"{few}; {undefined[0]}" if undefined else few,
        observed=seen[0] if found and seen else None,
        interval=None if found is None else found[1],
        n_units=data.n_paired,
        n_raters=2 * len(results),
        n_judgements=sum(result.n_judgements for result in results),
        n_dropped=data.n_judged - data.n_paired,
        raters=tuple(rater for result in results for rater in result.raters),
        notes=(*data.notes, *_notes(sets)),
        details={
            "n_pairs": len(results),
            "n_sets": len(sets),
            **({} if found is None or seen is None else {"observed_interval": seen[1].to_dict()}),
        },
    )


def _notes(sets: Sequence[ScoredSet]) -> list[str]:
    """Who was left over, which pairs have no score, which sets were too small: nothing is dropped silently."""
    left_over = sum(one.n_left_over for one in sets)
    unscored = sum(len(one.results) - len(one.values) for one in sets)
    small = [one.name for one in sets if len(one.values) < 2]
    notes = [f"{left_over} rater{'s' * (left_over > 1)} left over by the pairing"] if left_over else []
    if unscored:
        notes.append(f"{unscored} random pair{'s' * (unscored > 1)} without a score left out")
    if small and len(small) < len(sets):
        notes.append(
            f"{len(small)} set{'s' * (len(small) > 1)} with fewer than two scored pairs left out: {small[0]} …"
        )
    return notes
