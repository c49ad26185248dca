"""The random-pair interval: many raters per unit, few units per rater (Boleda, Schulte im Walde & Badia 2009, 4.1.2).

All rater pairs together are not independent, for each rater is in many. So the raters of a set are put at random into
disjoint pairs (an odd one out is dropped at random), each pair is scored, and the interval of a set is

    mean ± t(α/2, N - 1) · s / √N

over its N pairs. Values and interval ends are then averaged over the sets. A set is a group of raters with the same
units to judge: given by name, or found as the raters connected by common units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assent.arrays import Floats
from assent.engines.subset import with_raters
from assent.engines.tally import Tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.result import Agreement, Interval
from assent.measures.spec import DEFAULTS, Options
from assent.randomness import generator
from assent.uncertainty.intervals import t_interval

DEFINITIONS = (("full", "set_full"), ("weighted", "set_weighted"), ("overlapping", "set_overlapping"))


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


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """One line of Table IV: a definition of agreement, a statistic, its mean over sets and the interval."""

    agreement: str
    statistic: str
    mean: float
    interval: Interval


def rater_sets(data: Tally, attribute: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """The raters of each set by name: sets of a rater attribute, or raters connected by common units ("set 1" …)."""
    groups = _connected(data) if attribute is None else attribute
    missing = next((rater for rater in data.used_raters if rater not in groups), None)
    if missing is not None:
        raise InputError(f"rater {missing!r} is in no set", hint="name the set of every rater")
    sets: dict[str, list[str]] = {}
    for rater in sorted(data.used_raters):
        sets.setdefault(groups[rater], []).append(rater)
    if attribute is not None:
        return sets
    return {f"set {number}": raters for number, raters in enumerate(sets.values(), start=1)}


def _connected(data: Tally) -> dict[str, str]:
    """A group for each rater with judgements: raters connected by common units share one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rater = np.unique(data.patterns.rater, return_inverse=True)[1].reshape(-1)
    n_raters = len(data.used_raters)
    size = n_raters + len(data.patterns.weights)
    links = coo_array((np.ones(len(rater)), (rater, n_raters + data.patterns.pattern)), shape=(size, size))
    labels = connected_components(links, directed=False)[1]
    return {name: str(labels[place]) for place, name in enumerate(data.used_raters)}


def draw_pairs(raters: Sequence[str], random: np.random.Generator) -> tuple[tuple[str, str], ...]:
    """Disjoint pairs at random; of an odd number one rater is left over."""
    order = random.permutation(len(raters))
    return tuple((raters[order[i]], raters[order[i + 1]]) for i in range(0, len(raters) - 1, 2))


def score_pairs(
    data: Tally, key: str, *, seed: int, options: Options = DEFAULTS, attribute: Mapping[str, str] | None = None
) -> list[ScoredSet]:
    """Draw the pairs of every set and score each pair; the same seed draws the same pairs for every measure."""
    random, measure = generator(seed), find_measure(key)
    scored = []
    for name, raters in rater_sets(data, attribute).items():
        pairs, of_set = draw_pairs(raters, random), with_raters(data, raters)
        results = tuple(evaluate(measure, with_raters(of_set, pair), options) for pair in pairs)
        scored.append(ScoredSet(name=name, results=results, n_left_over=len(raters) - 2 * len(pairs)))
    return scored


def mean_over_sets(scores: Sequence[Floats], *, confidence: float) -> tuple[float, Interval] | None:
    """The mean of the sets' means and of their interval ends; None if no set has two scored pairs."""
    usable = [values for values in scores if len(values) > 1]
    if not usable:
        return None
    each = [_set_interval(values, confidence) for values in usable]
    low, high = (float(np.mean([getattr(one, end) for one in each])) for end in ("low", "high"))
    over = f", averaged over {len(usable)} sets" if len(usable) > 1 else ""
    method = f"t interval of {sum(map(len, usable)):,} random rater pairs{over}"
    value = float(np.mean([values.mean() for values in usable]))
    return value, Interval(low=low, high=high, level=confidence, method=method)


def _set_interval(values: Floats, confidence: float) -> Interval:
    """mean ± t s / √N."""
    error = float(values.std(ddof=1)) / float(np.sqrt(len(values)))
    return t_interval(float(values.mean()), error, len(values) - 1, confidence=confidence, method="t interval")


def random_pairs(
    data: Tally,
    key: str,
    *,
    seed: int,
    confidence: float = 0.95,
    options: Options = DEFAULTS,
    attribute: Mapping[str, str] | None = None,
) -> Agreement:
    """The mean score of random rater pairs with its interval, as a result of its own."""
    sets = score_pairs(data, key, seed=seed, options=options, attribute=attribute)
    found = mean_over_sets([one.values for one in sets], confidence=confidence)
    observed = [values for values in (one.observed for one in sets) if len(values)]
    results = [result for one in sets for result in one.results]
    return Agreement(
        measure=key,
        name=f"{results[0].name if results else find_measure(key).name}, mean over random rater pairs",
        value=None if found is None else found[0],
        reason=_why(results) if found is None else None,
        observed=float(np.mean([values.mean() for values in observed])) if found and observed else None,
        interval=None if found is None else found[1],
        n_units=data.n_paired,
        n_raters=2 * len(results),
        n_judgements=sum(result.n_judgements for result in results),
        n_dropped=data.n_judged - data.n_paired,
        raters=tuple(rater for result in results for rater in result.raters),
        notes=(*data.notes, *_notes(sets)),
        details={"n_pairs": len(results), "n_sets": len(sets)},
    )


def _why(results: list[Agreement]) -> str:
    """Why there is no mean: not even two pairs, or pairs without a score."""
    undefined = [result for result in results if result.reason is not None]
    few = (
        f"{len(results)} random rater pair{'s' * (len(results) != 1)}, and an interval needs two with a score in a set"
    )
    return f"{few}; {undefined[0].reason}" if undefined else few


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


def agreement_table(
    data: Tally, *, seed: int, confidence: float = 0.95, attribute: Mapping[str, str] | None = None
) -> list[TableRow]:
    """Full, weighted and overlapping agreement of sets: observed agreement and kappa with intervals (Table IV)."""
    rows = []
    for agreement, key in DEFINITIONS:
        sets = score_pairs(data, key, seed=seed, attribute=attribute)
        for statistic, scores in (("p_o", [s.observed for s in sets]), ("kappa", [s.values for s in sets])):
            found = mean_over_sets(scores, confidence=confidence)
            if found is None:
                raise InputError(
                    "no set has two rater pairs with a score", hint="random pairs need many raters per unit"
                )
            rows.append(TableRow(agreement=agreement, statistic=statistic, mean=found[0], interval=found[1]))
    return rows
