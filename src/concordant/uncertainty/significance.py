"""Tests: permutations, and Welch's.

Permutation tests ask what the coefficient would be if only chance were at work:

* above chance: every rater's judgements are shuffled over the units that rater judged;
* two groups of units: units change groups at random, with all their judgements;
* two groups of raters: raters change groups at random, with all their judgements.

Units that belong together move together: a rater's judgements of a cluster go to another of which they judged as many
units, and clusters change groups as a whole.

All p-values are two-sided: twice the smaller tail. Where there are no more arrangements than permutations asked for,
all of them are looked at and p is exact. Otherwise they are drawn, the observed one counted among them (Phipson &
Smyth 2010), so that p is never 0, and p has a Monte Carlo error. Draws go over raters and patterns in an order of their
own (`engines/colours.py`): the same judgements give the same p, however rows were ordered and whatever units and raters
are called.

Do means differ, when variances may too? Welch's t-test (1947) and Welch's analysis of variance (1951) say so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb, factorial, prod
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.arrays import Floats
from concordant.engines.bundles import Bundles, merged, units_in_clusters
from concordant.engines.colours import canonical_order, rater_ranks
from concordant.engines.patterns import Patterns
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import DEFAULTS, Options
from concordant.model.scale import Scale, make_scale
from concordant.progress import Progress, silent
from concordant.randomness import generator
from concordant.uncertainty.resampling import Sampling, rater_computer, shuffled_clusters

PERMUTATIONS = 1999  # with the observed arrangement 2,000


@dataclass(frozen=True, kw_only=True)
class PermutationTest:
    """A statistic, what chance makes of it on average, and the two-sided p-value.

    `permutations` were looked at: all there are if `is_exact`. `error` is the Monte Carlo error of p, 0 if it is exact.
    """

    method: str
    statistic: float
    chance_mean: float
    p: float
    permutations: int
    n_undefined: int
    seed: int
    is_exact: bool
    error: float


def monte_carlo_error(p: float, permutations: int) -> float:
    """The standard error of twice a tail's share among so many permutations.

    >>> round(monte_carlo_error(0.04, 1999), 4)
    0.0063
    """
    return float(np.sqrt(p * (2 - p) / permutations))


def above_chance(
    data: Tally,
    key: str,
    *,
    permutations: int = PERMUTATIONS,
    seed: int,
    options: Options = DEFAULTS,
    progress: Progress = silent,
) -> PermutationTest:
    """Is the coefficient other than it would be if raters judged as they do, but without looking at the units?"""
    measure = find_measure(key)
    statistic = float(evaluate(measure, data, options))
    if data.bundles is not None:
        return _above_chance_of_clusters(data, data.bundles, key, statistic, permutations, seed, options)
    in_order, rank = canonical_order(data.patterns, data.scale, len(data.raters))
    apart = _by_unit(in_order)
    order = np.lexsort((apart.pattern, rank[apart.rater]))
    said = np.split(apart.code[order], np.flatnonzero(np.diff(rank[apart.rater[order]])) + 1)
    ways = _all_ways(said, is_complete=len(apart.code) == len(said) * len(apart.weights), most=permutations)
    shuffles = _shuffles(said, permutations, seed) if ways is None else product(*(map(np.array, way) for way in ways))
    n_shuffles = permutations if ways is None else prod(map(len, ways))
    values = np.empty(n_shuffles)
    for row, codes in enumerate(shuffles):
        code = np.empty_like(apart.code)
        code[order] = np.concatenate(codes)
        result = evaluate(measure, replace(data, patterns=replace(apart, code=code)), options)
        values[row] = np.nan if result.value is None else result.value
        progress(row + 1, n_shuffles)
    name = f"permutation test of {measure.key} against chance (each rater's judgements shuffled over units), two-sided"
    return permutation_test(name, statistic, values, seed, chances=None if ways is None else np.ones(n_shuffles))


def _above_chance_of_clusters(
    data: Tally, bundles: Bundles, key: str, statistic: float, permutations: int, seed: int, options: Options
) -> PermutationTest:
    """The same where units belong together: what raters said of a cluster moves as a whole."""
    measure, rank = find_measure(key), rater_ranks(data.patterns, data.scale, len(data.raters))
    apart, cluster = units_in_clusters(data.patterns, bundles)
    ways = shuffled_clusters(apart, cluster, np.argsort(rank).tolist(), generator(seed))
    found = [evaluate(measure, replace(data, patterns=next(ways), bundles=None), options) for _ in range(permutations)]
    values = np.array([np.nan if one.value is None else one.value for one in found])
    name = f"permutation test of {key} against chance (each rater's judgements shuffled over {bundles.name}), two-sided"
    return permutation_test(name, statistic, values, seed)


def _shuffles(said: Sequence[NDArray[Any]], permutations: int, seed: int) -> Iterator[list[NDArray[Any]]]:
    """Every rater's judgements in random order, again and again."""
    random = generator(seed)
    for _ in range(permutations):
        yield [random.permutation(mine) for mine in said]


def _all_ways(said: Sequence[NDArray[Any]], *, is_complete: bool, most: int) -> list[list[tuple[Any, ...]]] | None:
    """For each rater all different orders of their judgements; None if they combine in more ways than `most`.

    Where everybody judged everything, only who stands beside whom counts: one rater's judgements may stay in place.
    """
    sizes = [_n_orders(mine) for mine in said]
    fixed = int(np.argmax(sizes)) if is_complete else -1
    if prod(size for place, size in enumerate(sizes) if place != fixed) > most:
        return None
    return [[tuple(mine)] if place == fixed else list(_orders(mine)) for place, mine in enumerate(said)]


def _n_orders(values: NDArray[Any]) -> int:
    """How many different orders a list has: n! / product of c! over its distinct values."""
    return factorial(len(values)) // prod(map(factorial, np.unique(values, return_counts=True)[1].tolist()))


def _orders(values: NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    """All different orders of a list, from the ascending one (the next order after Narayana Pandita)."""
    order = sorted(values.tolist())
    while True:
        yield tuple(order)
        rises = [place for place in range(len(order) - 1) if order[place] < order[place + 1]]
        if not rises:
            return
        left = rises[-1]
        right = max(place for place in range(left + 1, len(order)) if order[place] > order[left])
        order[left], order[right] = order[right], order[left]
        order[left + 1 :] = reversed(order[left + 1 :])


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


def unit_groups_differ(
    first: Tally, second: Tally, key: str, *, permutations: int = PERMUTATIONS, seed: int, options: Options = DEFAULTS
) -> PermutationTest:
    """Does the coefficient differ between two groups of units (two slices of one study)? Clusters move as a whole."""
    first, second = _alike(first, second)
    measure, random = find_measure(key), generator(seed)
    one, two = first.patterns, second.patterns
    joined = Patterns(
        pattern=np.concatenate([one.pattern, two.pattern + len(one.weights)]),
        rater=np.concatenate([one.rater, two.rater]),
        code=np.concatenate([one.code, two.code]),
        weights=np.concatenate([one.weights, two.weights]),
    )
    bundles = merged(first.bundles, second.bundles, len(one.weights))
    together = canonical_order(joined, first.scale, len(first.raters))[0] if bundles is None else joined
    both = replace(first, patterns=together, n_units=first.n_units + second.n_units, bundles=bundles)
    sampling = Sampling(measure=measure, data=both, options=options)
    found = [evaluate(measure, part, options).value for part in (first, second)]
    if found[0] is None or found[1] is None:
        raise InputError(f"{key} is undefined in one of the groups", hint="each group needs units that vary")
    statistic = found[0] - found[1]
    moved = measure.look(first).weights if bundles is None or first.bundles is None else first.bundles.times
    n_first = round(float(moved.sum()))
    weights, rows = sampling.times.astype(np.int64), sampling.block_rows()
    ways = all_divisions(weights.tolist(), n_first, most=permutations)
    values, chances = np.empty(permutations if ways is None else len(ways)), None
    if ways is not None:
        chances = np.array([prod(map(comb, weights.tolist(), way)) for way in ways.tolist()], dtype=np.float64)
    for start in range(0, len(values), rows):
        here = slice(start, start + min(rows, len(values) - start))
        drawn = _drawn(random, weights, n_first, here.stop - start) if ways is None else ways[here]
        left, right = drawn.astype(np.float64), (weights - drawn).astype(np.float64)
        values[here] = sampling.drawn(left) - sampling.drawn(right)
    name = f"permutation test of two groups of {'units' if bundles is None else bundles.name} by {key}, two-sided"
    return permutation_test(name, statistic, values, seed, chances=chances)


def _drawn(random: np.random.Generator, weights: NDArray[np.int64], size: int, rows: int) -> NDArray[np.int64]:
    """How many units of each pattern are in the first group, for as many random divisions as `rows`."""
    return random.multivariate_hypergeometric(weights, size, size=rows, method="marginals")


def all_divisions(weights: Sequence[int], size: int, *, most: int) -> NDArray[np.int64] | None:
    """All ways to take `size` units from patterns with so many units each; None if there are more than `most`."""
    after = np.cumsum([0, *weights[::-1]])[::-1]  # units in this pattern and those behind it
    begun: list[tuple[int, ...]] = [()]
    for place, n_units in enumerate(weights):
        behind, begun_here = int(after[place + 1]), begun
        begun = []
        for way in begun_here:
            open_ = size - sum(way)
            begun += [(*way, taken) for taken in range(max(0, open_ - behind), min(n_units, open_) + 1)]
            if len(begun) > most:
                return None
    return np.array(begun, dtype=np.int64)


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


def rater_groups_differ(
    data: Tally,
    first: Sequence[str],
    second: Sequence[str],
    key: str,
    *,
    permutations: int = PERMUTATIONS,
    seed: int,
    options: Options = DEFAULTS,
) -> PermutationTest:
    """Does the coefficient differ between two groups of raters, each measured among themselves?"""
    names, measure = [*first, *second], find_measure(key)
    if min(len(first), len(second)) < 2 or len(set(names)) < len(names):
        raise InputError("two groups of raters need at least two raters each, and nobody in both")
    unknown = next((name for name in names if name not in data.raters), None)
    if unknown is not None:
        raise InputError(f"there is no rater {unknown!r}", hint=f"raters: {', '.join(data.raters[:12])}")
    place = np.array([data.raters.index(name) for name in names])
    if measure.view not in ("counts", "pairs"):
        raise InputError(f"{key} cannot compare groups of raters", hint="alpha, kappa and their kin can")
    sampling = Sampling(measure=measure, data=data, options=options)
    compute, random, units = rater_computer(sampling), generator(seed), data.patterns.weights

    def difference(order: NDArray[np.int64]) -> float:
        sides = order[: len(first)], order[len(first) :]
        one, two = (np.isin(np.arange(len(data.raters)), side).astype(np.float64) for side in sides)
        return compute(one, units) - compute(two, units)

    statistic = difference(place)
    if np.isnan(statistic):
        raise InputError(f"{key} is undefined in one of the groups", hint="each group needs raters with common units")
    place = place[np.argsort(rater_ranks(data.patterns, data.scale, len(data.raters))[place])]
    is_exact = comb(len(place), len(first)) <= permutations
    if is_exact:
        sides = (np.array(side) for side in combinations(place.tolist(), len(first)))
        values = np.array([difference(np.concatenate([side, np.setdiff1d(place, side)])) for side in sides])
    else:
        values = np.array([difference(random.permutation(place)) for _ in range(permutations)])
    name = f"permutation test of two groups of raters by {key}, two-sided"
    return permutation_test(name, statistic, values, seed, chances=np.ones(len(values)) if is_exact else None)


def permutation_test(
    method: str, statistic: float, values: Floats, seed: int, *, chances: Floats | None = None
) -> PermutationTest:
    """The two-sided p-value: twice the smaller tail, at most 1. Undefined permutations are left out and counted.

    `chances` says how likely each arrangement is, up to a factor, if `values` are those of all there are.
    """
    is_defined = ~np.isnan(values)
    defined = values[is_defined]
    if not len(defined):
        raise InputError("every permutation is undefined", hint="there is too little variation to test")
    close, own = 1e-12, 0 if chances is not None else 1
    weight = np.ones(len(defined)) if chances is None else chances[is_defined]
    above = weight[defined >= statistic - close].sum() + own
    below = weight[defined <= statistic + close].sum() + own
    p = min(1.0, 2 * float(min(above, below)) / float(weight.sum() + own))
    return PermutationTest(
        method=method,
        statistic=statistic,
        chance_mean=float(np.average(defined, weights=weight)),
        p=p,
        permutations=len(values),
        n_undefined=len(values) - len(defined),
        seed=seed,
        is_exact=chances is not None,
        error=0.0 if chances is not None else monte_carlo_error(p, len(defined)),
    )


@dataclass(frozen=True, kw_only=True)
class WelchTest:
    """A statistic with its degrees of freedom and two-sided p-value (an F is two-sided by nature).

    `text` is how a paper prints it: t(62.3) = 4.21, p < .001.
    """

    kind: Literal["t", "F"]
    statistic: float
    freedom: tuple[float, ...]
    p: float
    means: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def method(self) -> str:
        """The exact name of the test."""
        return "Welch's t-test, two-sided" if self.kind == "t" else "Welch's analysis of variance"

    @property
    def text(self) -> str:
        """The test in a sentence: degrees of freedom in brackets, whole ones without a decimal."""
        freedom = ", ".join(f"{df:.0f}" if df == round(df) else f"{df:.1f}" for df in self.freedom)
        shown = "p < .001" if self.p < 0.001 else f"p = {self.p:.3f}".replace("0.", ".", 1)
        return f"{self.kind}({freedom}) = {self.statistic:.2f}, {shown}"


def welch_t(first: ArrayLike, second: ArrayLike) -> WelchTest:
    """Do two groups have the same mean? t = (m1 - m2) / √(s1²/n1 + s2²/n2), Welch-Satterthwaite degrees of freedom.

    >>> welch_t([1.0, 2.0, 4.0], [5.0, 6.0, 9.0]).text
    't(3.7) = -2.91, p = .049'
    """
    from scipy.special import stdtr

    mean, error, size, told = _summary([first, second])
    if error.sum() <= 0:
        raise InputError("neither group varies, so Welch's t is undefined", hint="compare groups whose values differ")
    t = float((mean[0] - mean[1]) / np.sqrt(error.sum()))
    freedom = float(error.sum() ** 2 / (error**2 / (size - 1)).sum())
    return WelchTest(kind="t", statistic=t, freedom=(freedom,), p=2 * float(stdtr(freedom, -abs(t))), **told)


def welch_anova(groups: Sequence[ArrayLike]) -> WelchTest:
    """Do several groups have the same mean? Groups are weighted by w = n / s², so none may be constant.

    F = [sum w (m - m̄)² / (k - 1)] / [1 + 2 (k - 2) / (k² - 1) · Λ],  Λ = sum (1 - w / sum w)² / (n - 1),
    with k - 1 and (k² - 1) / (3 Λ) degrees of freedom.
    """
    from scipy.special import fdtrc

    mean, error, size, told = _summary(groups)
    k = len(size)
    if k < 2 or (error <= 0).any():
        raise InputError("Welch's analysis of variance needs two groups or more, each with differing values")
    w = 1 / error
    centre = (w @ mean) / w.sum()
    lack = float((((1 - w / w.sum()) ** 2) / (size - 1)).sum())
    f = float(w @ (mean - centre) ** 2 / (k - 1)) / (1 + 2 * (k - 2) / (k**2 - 1) * lack)
    freedom = (float(k - 1), (k**2 - 1) / (3 * lack))
    return WelchTest(kind="F", statistic=f, freedom=freedom, p=float(fdtrc(*freedom, f)), **told)


def _summary(groups: Sequence[ArrayLike]) -> tuple[Floats, Floats, Floats, dict[str, Any]]:
    """Means, squared standard errors and sizes of groups of finite numbers, at least two of them; and what is told."""
    checked = [np.asarray(group, dtype=np.float64).reshape(-1) for group in groups]
    for number, group in enumerate(checked, start=1):
        if len(group) < 2 or not np.isfinite(group).all():
            raise InputError(f"group {number} has fewer than two finite values", hint="every group needs two values")
    mean, size = np.array([group.mean() for group in checked]), np.array([len(group) for group in checked])
    told = {"means": tuple(mean.tolist()), "sizes": tuple(size.tolist())}
    return mean, np.array([group.var(ddof=1) for group in checked]) / size, size.astype(np.float64), told
