"""The pattern posterior: an interval for categories that holds for few units, near-perfect agreement, rare categories.

How often each pattern of judgements occurs is drawn from a Dirichlet distribution (the Bayesian bootstrap, Rubin 1981),
to which one and a half units that nobody saw are added: one on which raters agree, spread evenly over the categories,
and half a unit on which they differ, spread evenly over the pairs of categories. So a category that was seen once, or
never, has a mass of its own. Masses and shapes were chosen by simulation (scripts/coverage_map.py).
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.patterns import Patterns
from concordant.engines.views import Counts, Pairs
from concordant.measures.evaluation import resample
from concordant.measures.result import Interval
from concordant.progress import Progress, silent
from concordant.randomness import generator
from concordant.uncertainty.intervals import (
    Uncertainty,
    no_interval,
    quantiles,
    t_quantile,
    tail_shares,
    told,
    too_few,
)
from concordant.uncertainty.resampling import BLOCK_CELLS, Sampling

AGREEING, DIFFERING = 1.0, 0.5  # units that nobody saw; other masses covered worse
AGREEING_LESS = 0.85  # once somebody differed: with 1 rare categories were covered too often
MOST_UNSEEN = 4096  # pairs of categories that get a unit of their own
POPULATION = 2.0**30  # weights are multiplied by it, so that nothing is corrected for a small sample


def unseen(n_categories: int, agreeing: float = AGREEING) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Two categories and the mass of each unit that nobody saw: equal ones, then every two that differ.

    Of very many categories each is paired with some of the others, at even steps.
    """
    c = np.arange(n_categories)
    n_steps = min(n_categories - 1, max(MOST_UNSEEN // n_categories, 1))
    steps = np.floor(np.linspace(1, n_categories - 1, n_steps)).astype(np.int64)
    other = (c + steps[:, np.newaxis]) % n_categories
    first, second = np.concatenate([c, np.tile(c, len(steps))]), np.concatenate([c, other.reshape(-1)])
    mass = np.where(first == second, agreeing / n_categories, DIFFERING / max(other.size, 1))
    return first, second, mass


def more_counts(view: Counts, first: NDArray[np.int64], second: NDArray[np.int64]) -> Counts:
    """The same patterns, and after them a unit that nobody saw for every two categories: a pair of judgements.

    The pair weighs as much as the judgements of a unit on average, for measures that count units by them.
    """
    counted = view.weights * view.is_paired
    half = float(counted @ view.sizes) / float(counted.sum()) / 2
    new, alike = np.arange(len(first)), first == second
    code, owner = np.concatenate([first, second[~alike]]), np.concatenate([new, new[~alike]])
    order = np.argsort(owner, kind="stable")
    times = np.where(alike[owner[order]], 2.0, 1.0)
    return replace(
        view,
        weights=np.concatenate([view.weights, np.zeros(len(new))]),
        place=None,
        pattern=np.concatenate([view.pattern, view.n_patterns + owner[order]]),
        code=np.concatenate([view.code, code[order]]),
        n=np.concatenate([view.n, times * half]),
        own=np.concatenate([view.own, times * half**2]),
    )


def more_pairs(view: Pairs, first: NDArray[np.int64], second: NDArray[np.int64]) -> Pairs:
    """The same patterns, and after them a unit that nobody saw for every two categories: a pair of judgements.

    Of two raters one gave the first category and one the second; of more each gave both half, and each as much as
    they judged of the units.
    """
    new, seen = len(view.weights) + np.arange(len(first)), view.patterns
    if view.raters[view.pairs[0][0]] > view.raters[view.pairs[0][1]]:  # by name, whoever comes first in the file
        first, second = second, first
    if len(view.pairs) == 1:
        raters, shares = view.pairs[0], np.ones(2)
        code = np.stack([first, second], axis=1)
    else:
        judged = view.rater_totals(only_paired=True).sum(axis=-1)
        raters = np.repeat(np.flatnonzero(judged), 2)
        shares = judged[raters] / float(view.weights @ view.is_paired) / 2
        code = np.tile(np.stack([first, second], axis=1), len(raters) // 2)
    entries = Patterns(
        pattern=np.concatenate([seen.pattern, np.repeat(new, len(raters))]),
        rater=np.concatenate([seen.rater, np.tile(raters, len(new))]),
        code=np.concatenate([seen.code, code.reshape(-1)]),
        weights=np.concatenate([seen.weights, np.zeros(len(new))]),
    )
    return replace(
        view,
        weights=entries.weights,
        patterns=entries,
        amounts=np.concatenate([np.ones(len(seen.code)), np.tile(shares, len(new))]),
        which=np.concatenate([view.which, np.zeros(len(new), dtype=np.int64)]),
        pattern=np.concatenate([view.pattern, new]),
        first=np.concatenate([view.first, first]),
        second=np.concatenate([view.second, second]),
    )


def more_points(view: Pairs, first: NDArray[np.int64], second: NDArray[np.int64]) -> Pairs:
    """The same patterns, and after them for every two raters a unit that nobody saw for every two categories."""
    n_pairs, n_new = len(view.pairs), len(first)
    new = len(view.weights) + np.arange(n_pairs * n_new)
    return replace(
        view,
        weights=np.concatenate([view.weights, np.zeros(len(new))]),
        which=np.concatenate([view.which, np.repeat(np.arange(n_pairs), n_new)]),
        pattern=np.concatenate([view.pattern, new]),
        first=np.concatenate([view.first, np.tile(first, n_pairs)]),
        second=np.concatenate([view.second, np.tile(second, n_pairs)]),
    )


def widened(sampling: Sampling, n_categories: int, agreeing: float) -> tuple[Counts | Pairs, Floats]:
    """What the measure looks at with units that nobody saw, and their masses.

    In a mean over rater pairs such a unit is of two raters: each pair has as much of them as of the common units.
    """
    first, second, mass = unseen(n_categories, agreeing)
    view = sampling.view
    if sampling.measure.kind == "correlation":
        share = view.n_units / view.n_units.sum()
        return more_points(view, first, second), np.outer(share, mass).reshape(-1)
    return (more_counts if isinstance(view, Counts) else more_pairs)(view, first, second), mass


def posterior(
    sampling: Sampling,
    value: float | None,
    *,
    confidence: float,
    resamples: int,
    seed: int,
    size: int | None = None,
    progress: Progress = silent,
) -> Uncertainty:
    """Equal tails of the coefficient over draws of how often each pattern (or cluster of units) occurs.

    A pattern seen w times has the shape w (z/t)², with t of n - 1 degrees of freedom instead of the normal z; where no
    two judgements differ w (z/t)² (n-1)/n, and the upper end is 1 (as Brown, Cai & DasGupta 2001 do for a proportion).
    Nothing is undefined, so there is an interval even if the data leave the value itself open. With a `size` it is the
    interval of so many units (or clusters) of which each pattern has the share that it has here.
    """
    view, times, bundles = sampling.view, sampling.times, sampling.bundles
    paired = view.is_paired.astype(np.float64)
    drawn = paired if bundles is None else (bundles.sums(paired) > 0).astype(np.float64)
    n, n_units = float(times @ drawn), float(sampling.weights @ paired)
    if (lack := too_few(sampling)) or n < 2 or view.n_categories < 2:
        return no_interval(lack or ("the scale has one category" if n >= 2 else "too few units for an interval"))
    differ = view.has_differences
    wider, mass = widened(sampling, view.n_categories, AGREEING_LESS if differ else AGREEING)
    share_drawn = 1.0 if size is None else size / n
    times, n, n_units = times * share_drawn, n * share_drawn, n_units * share_drawn
    share = (1 + confidence) / 2
    concentration = (t_quantile(share, math.inf) / t_quantile(share, n - 1)) ** 2 * (1 if differ else (n - 1) / n)
    counted = times if getattr(sampling.options, "shares", "") == "all" else times * drawn
    shape, random, parts = np.concatenate([counted * concentration, mass]), generator(seed), []
    block = max(1, BLOCK_CELLS // max(len(shape), len(wider.weights)))
    for start in range(0, resamples, block):
        weights = random.standard_gamma(shape, (min(block, resamples - start), len(shape)))
        seen = weights[:, : len(times)] if bundles is None else bundles.weights(weights[:, : len(times)], len(paired))
        every = np.concatenate([seen, weights[:, len(times) :] * (n_units / n)], axis=1) * POPULATION
        parts.append(resample(sampling.measure, wider.reweighted(every), sampling.data, sampling.options))
        progress(start + len(weights), resamples)
    values = np.concatenate(parts)
    low, high = quantiles(values[~np.isnan(values)], tail_shares(confidence))
    high = high if differ else 1.0
    known = [] if value is None else [value]
    what = f"{round(n):,} units" if bundles is None else sampling.over
    method = f"pattern posterior over {what}, {resamples:,} draws"
    ends: dict[str, Any] = {"low": min([float(low), *known]), "high": max([float(high), *known])}
    return told(Uncertainty(interval=Interval(**ends, level=confidence, method=method)), sampling, "units")
