"""Permutation tests: what would the coefficient be if only chance were at work?

* above chance: every rater's judgements are shuffled over the units that rater judged;
* two groups of units: units change groups at random, with all their judgements;
* two groups of raters: raters change groups at random, with all their judgements.

All p-values are two-sided: twice the smaller tail, the observed arrangement counted as one of the permutations
(Phipson & Smyth 2010), so that p is never 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.engines.patterns import Patterns
from assent.engines.tally import Tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.spec import DEFAULTS, Options
from assent.model.scale import Scale, make_scale
from assent.progress import Progress, silent
from assent.randomness import generator
from assent.uncertainty.resampling import Sampling, rater_computer


@dataclass(frozen=True, kw_only=True)
class PermutationTest:
    """A statistic, what chance makes of it on average, and the two-sided p-value."""

    method: str
    statistic: float
    chance_mean: float
    p: float
    permutations: int
    n_undefined: int
    seed: int


def above_chance(
    data: Tally,
    key: str,
    *,
    permutations: int = 1000,
    seed: int,
    options: Options = DEFAULTS,
    progress: Progress = silent,
) -> PermutationTest:
    """Is the coefficient other than it would be if raters judged as they do, but without looking at the units?"""
    measure = find_measure(key)
    statistic = float(evaluate(measure, data, options))
    whole, random = replace(data, patterns=_by_unit(data.patterns)), generator(seed)
    values = np.empty(permutations)
    for row in range(permutations):
        result = evaluate(measure, replace(whole, patterns=_shuffled(whole.patterns, random)), options)
        values[row] = np.nan if result.value is None else result.value
        progress(row + 1, permutations)
    name = f"permutation test of {measure.key} against chance (each rater's judgements shuffled over units), two-sided"
    return _test(name, statistic, values, seed)


def _by_unit(patterns: Patterns) -> Patterns:
    """One pattern per unit."""
    times = patterns.weights.astype(np.int64)
    first_unit = np.cumsum(times) - times
    copies = times[patterns.pattern]
    entry = np.repeat(np.arange(len(copies)), copies)
    nth = np.arange(len(entry)) - np.repeat(np.cumsum(copies) - copies, copies)
    unit = first_unit[patterns.pattern[entry]] + nth
    order = np.lexsort((patterns.rater[entry], unit))
    entry, unit = entry[order], unit[order]
    return Patterns(pattern=unit, rater=patterns.rater[entry], code=patterns.code[entry], weights=np.ones(times.sum()))


def _shuffled(patterns: Patterns, random: np.random.Generator) -> Patterns:
    """Each rater's values in random order over the units that rater judged."""
    mixed = np.lexsort((random.random(len(patterns.rater)), patterns.rater))
    plain = np.argsort(patterns.rater, kind="stable")
    code = np.empty_like(patterns.code)
    code[plain] = patterns.code[mixed]
    return replace(patterns, code=code)


def unit_groups_differ(
    first: Tally, second: Tally, key: str, *, permutations: int = 2000, seed: int, options: Options = DEFAULTS
) -> PermutationTest:
    """Does the coefficient differ between two groups of units (two slices of one study)?"""
    first, second = _alike(first, second)
    measure, random = find_measure(key), generator(seed)
    sampling = Sampling(measure=measure, data=_together(first, second), options=options)
    values = [evaluate(measure, part, options).value for part in (first, second)]
    if values[0] is None or values[1] is None:
        raise InputError(f"{key} is undefined in one of the groups", hint="each group needs units that vary")
    statistic = values[0] - values[1]
    n_first = round(float(measure.look(first).weights.sum()))
    weights, rows = sampling.weights.astype(np.int64), sampling.block_rows()
    parts = []
    for start in range(0, permutations, rows):
        size = min(rows, permutations - start)
        drawn = random.multivariate_hypergeometric(weights, n_first, size=size, method="marginals")
        parts.append(sampling.values(drawn.astype(np.float64)) - sampling.values((weights - drawn).astype(np.float64)))
    return _test(f"permutation test of two groups of units by {key}, two-sided", statistic, np.concatenate(parts), seed)


def _alike(first: Tally, second: Tally) -> tuple[Tally, Tally]:
    """Both groups with the categories and the raters of either, which a slice by itself may lack."""
    if first.scale.categories == second.scale.categories and first.raters == second.raters:
        return first, second
    if first.scale.level is not second.scale.level or first.scale.is_continuous or second.scale.is_continuous:
        raise InputError("the two groups of units differ in scale", hint="take two slices of one study")
    scale = first.scale
    if scale.categories != second.scale.categories:
        labels = list(dict.fromkeys([*scale.categories, *second.scale.categories]))
        scale = replace(make_scale(labels, level=scale.level), is_guessed=scale.is_guessed)
    raters = tuple(dict.fromkeys([*first.raters, *second.raters]))
    return _renumbered(first, scale, raters), _renumbered(second, scale, raters)


def _renumbered(data: Tally, scale: Scale, raters: tuple[str, ...]) -> Tally:
    """The same judgements with the numbers of other lists of categories and raters."""
    code = np.array([scale.categories.index(name) for name in data.scale.categories])[data.patterns.code]
    rater = np.array([raters.index(name) for name in data.raters])[data.patterns.rater]
    order = np.lexsort((rater, data.patterns.pattern))
    patterns = replace(
        data.patterns, pattern=data.patterns.pattern[order], rater=rater[order], code=code[order].astype(np.int64)
    )
    return replace(data, scale=scale, raters=raters, patterns=patterns)


def _together(first: Tally, second: Tally) -> Tally:
    """Both groups in one tally."""
    one, two = first.patterns, second.patterns
    patterns = Patterns(
        pattern=np.concatenate([one.pattern, two.pattern + len(one.weights)]),
        rater=np.concatenate([one.rater, two.rater]),
        code=np.concatenate([one.code, two.code]),
        weights=np.concatenate([one.weights, two.weights]),
    )
    return replace(first, patterns=patterns, n_units=first.n_units + second.n_units)


def rater_groups_differ(
    data: Tally,
    first: Sequence[str],
    second: Sequence[str],
    key: str,
    *,
    permutations: int = 2000,
    seed: int,
    options: Options = DEFAULTS,
) -> PermutationTest:
    """Does the coefficient differ between two groups of raters, each measured among themselves?"""
    place, measure = _places(data, first, second), find_measure(key)
    if measure.view not in ("counts", "pairs"):
        raise InputError(f"{key} cannot compare groups of raters", hint="alpha, kappa and their kin can")
    sampling = Sampling(measure=measure, data=data, options=options)
    compute, random, units = rater_computer(sampling), generator(seed), data.patterns.weights

    def difference(order: NDArray[np.int64]) -> float:
        one, two = (np.isin(np.arange(len(data.raters)), part).astype(np.float64) for part in _split(order, len(first)))
        return compute(one, units) - compute(two, units)

    statistic = difference(place)
    if np.isnan(statistic):
        raise InputError(f"{key} is undefined in one of the groups", hint="each group needs raters with common units")
    values = np.array([difference(random.permutation(place)) for _ in range(permutations)])
    return _test(f"permutation test of two groups of raters by {key}, two-sided", statistic, values, seed)


def _split(order: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return order[:size], order[size:]


def _places(data: Tally, first: Sequence[str], second: Sequence[str]) -> NDArray[np.int64]:
    """The raters of both groups as numbers; each is in one group, and each group has two."""
    names = [*first, *second]
    if min(len(first), len(second)) < 2 or len(set(names)) < len(names):
        raise InputError("two groups of raters need at least two raters each, and nobody in both")
    unknown = next((name for name in names if name not in data.raters), None)
    if unknown is not None:
        raise InputError(f"there is no rater {unknown!r}", hint=f"raters: {', '.join(data.raters[:12])}")
    return np.array([data.raters.index(name) for name in names])


def _test(method: str, statistic: float, values: Floats, seed: int) -> PermutationTest:
    """The two-sided p-value: twice the smaller tail, at most 1. Undefined permutations are left out and counted."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        raise InputError("every permutation is undefined", hint="there is too little variation to test")
    close = 1e-12
    above = (defined >= statistic - close).sum() + 1
    below = (defined <= statistic + close).sum() + 1
    return PermutationTest(
        method=method,
        statistic=statistic,
        chance_mean=float(defined.mean()),
        p=min(1.0, 2 * float(min(above, below)) / (len(defined) + 1)),
        permutations=len(values),
        n_undefined=len(values) - len(defined),
        seed=seed,
    )
