"""Krippendorff's alpha for every level of measurement, any number of raters and any missing judgements.

    alpha = 1 - D_o / D_e

D_o is the mean squared distance of values within units, D_e of all values with each other, drawn without
replacement. Only units with two judgements or more (pairable ones) count. Where the distance is one between
points (interval, ordinal on midranks, circular), sums of points and of their squares per unit are enough:
no table of values × values is ever made.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from concordant.arrays import Floats
from concordant.engines.tally import Tally
from concordant.engines.views import Counts, ratio
from concordant.errors import InputError, nearest
from concordant.measures.benchmarks import KRIPPENDORFF
from concordant.measures.distance import (
    SET_DISTANCES,
    TREES,
    bipolar_squared,
    check_matrix,
    circle_points,
    ratio_squared,
    tree_edit,
)
from concordant.measures.spec import (
    ANY,
    OF_CATEGORIES,
    Computed,
    Error,
    Needs,
    PairedShares,
    Parts,
    Setting,
    WithDistance,
    measure,
    only_paired,
    undefined,
)
from concordant.measures.standard_errors import gwet_error, paired, unpublished
from concordant.measures.usual import of_distances
from concordant.model.scale import Level

MOST_VALUES = 4_000  # a ratio or bipolar scale compares every two values; beyond this it would take too long


class AlphaOptions(PairedShares, WithDistance):
    """Options of alpha."""


def _name(data: Tally, options: WithDistance) -> str:
    level, asked = data.scale.level, options.distance
    usual = "MASI" if level is Level.SET else level.value
    kind = usual if asked is None else asked.replace("_", " ") if isinstance(asked, str) else "given distance"
    return f"Krippendorff's alpha ({kind})"


def _error(found: Computed) -> Error:
    """Gwet's variance of Krippendorff's alpha, on the units with two judgements or more.

    With closeness 1 - d², r̄ the mean number of judgements and a_i = m_i / r̄ - Q_i / (r̄ (m_i - 1)), Q_i the sum of d²
    over ordered pairs of unit i, and e_i the closeness of unit i's judgements to all judgements, over r̄:

        α_i - α' = [a_i - A_o (m_i - r̄) / r̄ - A_o' - 2 (1 - α') (e_i - A_e (m_i - r̄) / r̄ - A_e)] / (1 - A_e)
    """
    setting = found.setting
    if why := unpublished(found):
        return why
    if setting.options.distance is None and setting.scale.level is Level.ORDINAL:
        return f"no published interval for {found.key} on ordinal data"  # whose distances depend on the data
    if setting.scale.is_continuous and (level := setting.scale.level) is not Level.INTERVAL:
        return f"no published interval for {found.key} on {level.value} data with so many different values"
    counts = paired(found.data.counts)
    weights, size = counts.weights, counts.sizes
    n, total = float(weights.sum()), float(weights @ size)
    mean_size = total / n
    apart, to_all = _disagreements(counts, setting)
    within = np.divide(apart, size - 1, out=np.zeros_like(apart), where=size > 1) / mean_size
    within_mean, among = float(weights @ within) / n, float(weights @ to_all) / total
    observed = 1 - within_mean * (1 - 1 / total)
    extra = size / mean_size - 1
    moved = extra + within_mean - within - observed * extra
    chance = extra + among - to_all / mean_size - (1 - among) * extra
    each = (moved - 2 * within_mean / among * chance) / among
    return gwet_error(weights, each)


def _disagreements(counts: Counts, setting: Setting) -> tuple[Floats, Floats]:
    """Per pattern: the sum of d² over its ordered pairs, and over its judgements of the mean d² to all judgements."""
    points = points_of(counts, setting)
    if points is None:
        squared = squared_distances(counts, setting)
        if squared is None:
            squared = 1 - np.eye(counts.n_categories)
        totals = counts.totals(only_paired=True)
        return counts.agreeing(squared), counts.sums(squared @ (totals / totals.sum()))
    total = float(counts.weights @ counts.sizes)
    apart, to_all = np.zeros(counts.n_patterns), np.zeros(counts.n_patterns)
    for axis in points:
        s, q = counts.sums(axis), counts.sums(axis**2)
        mean, square = float(counts.weights @ s) / total, float(counts.weights @ q) / total
        apart += 2 * (counts.sizes * q - s**2)
        to_all += q - 2 * mean * s + square * counts.sizes
    return apart, to_all


@measure(
    key="alpha",
    name="Krippendorff's alpha",
    cite=("krippendorff-2011", "krippendorff-2019", "skjaerholt-2014"),
    needs=Needs(suits=ANY, missing="uses every pair", continuous=True),
    view="counts",
    ci=(*OF_CATEGORIES, "hull"),
    usual=of_distances,
    options=AlphaOptions,
    name_of=_name,
    reads_on=(KRIPPENDORFF,),
    recommended=dict.fromkeys(ANY, (1, 1)) | {Level.NOMINAL: (3, 3), Level.SET: (4, 4)},
    standard_error=_error,
)
def alpha(data: Counts, setting: Setting) -> Parts:
    """Chance draws two values from all pairable judgements together, without replacement.

    alpha = 1 - D_o / D_e, D_o = (1/n) sum_u sum_ck o_uck d²_ck, D_e = 1/(n (n - 1)) sum_ck n_c n_k d²_ck

    The squared distance d² is that of the level of measurement: nominal 0/1, ordinal (equal to interval on midranks),
    interval (c - k)², ratio ((c - k)/(c + k))², circular sin²(π (c - k)/period), bipolar, MASI or Jaccard, or given.
    Of trees it is the edit distance (tree_edit): alpha_plain of Skjærholt (2014) for dependency treebanks.

    When not to use it: If raters were chosen to differ (experts and novices): their different use of the values counts
    as disagreement. With nearly constant data it is low and very uncertain.

    In other tools: `krippendorff.alpha(level_of_measurement=...)` agrees for nominal, ordinal, interval and ratio. nltk
    `alpha` agrees with the distance it is given. irrCAC `krippendorff(weights='ordinal')` is not ordinal alpha but uses
    Gwet's ordinal weights (.834 for .815 on Krippendorff's example). R `irr::kripp.alpha` and `DescTools::KrippAlpha`
    are wrong on complete data with three or more raters.

    Example: Krippendorff's alpha (ordinal) was .74, 95 % interval .66 to .81 (three raters, 140 units, 6 % missing).
    """
    if not data.is_paired.any():
        return undefined(data)
    counts = paired(data)
    points = points_of(counts, setting)
    within, among = _by_points(counts, points) if points is not None else _by_categories(counts, setting)
    return Parts(
        value=1 - ratio(within, among),
        observed=within,
        expected=among,
        notes=only_paired(setting, "alpha has no such form and leaves out units with one judgement"),
        details={"parts": "disagreement"},
        why="all pairable values are the same, so no disagreement is expected and the formula is 0/0",
    )


def points_of(data: Counts, setting: Setting) -> Floats | None:
    """Points whose squared distances are the level's, (dimensions, …, values); None if there are none.

    Ordinal ones are midranks: the mean rank of each value among the pairable judgements, as a share.
    """
    if setting.options.distance is not None:
        return None
    level = setting.scale.level
    if level is Level.INTERVAL:
        return np.asarray(data.positions - data.positions.mean())[None]
    if level is Level.CIRCULAR:
        return circle_points(data.positions)
    if level is not Level.ORDINAL:
        return None
    totals = data.totals(only_paired=True)
    order = np.argsort(data.positions, kind="stable")
    ordered = totals[..., order]
    middle = np.empty_like(totals)
    middle[..., order] = np.cumsum(ordered, axis=-1) - ordered / 2
    n = totals.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(middle, n, out=np.zeros_like(middle), where=n > 0))[None]


def _by_points(data: Counts, points: Floats) -> tuple[Floats, Floats]:
    """D_o and D_e from sums of points and of squared points per unit."""
    share = np.divide(data.sizes, data.pairs, out=np.zeros_like(data.sizes), where=data.is_paired)
    n = data.weights @ data.sizes
    within, square, sums = np.zeros((3, *n.shape))
    for axis in points:
        s, q = data.sums(axis), data.sums(axis**2)
        within = within + (data.weights * (2 * share * (data.sizes * q - s**2))).sum(axis=-1)
        square = square + (data.weights * q).sum(axis=-1)
        sums = sums + (data.weights * s).sum(axis=-1) ** 2
    largest = float(np.square(points).max(initial=0.0))
    return _clean(ratio(within, n), largest), _clean(ratio(2 * (n * square - sums), n * (n - 1)), largest)


def _clean(disagreement: Any, largest: float) -> Floats:
    """What rounding left of zero becomes zero; `largest` is the size of the squares that were subtracted."""
    return np.where(np.abs(disagreement) <= 1e-14 * largest, 0.0, disagreement)


def _by_categories(data: Counts, setting: Setting) -> tuple[Floats, Floats]:
    """D_o and D_e where every two values have a distance of their own.

    On a continuous scale every judgement is a value of its own: equal ones are made one category.
    """
    if setting.scale.is_continuous:
        values, code = np.unique(data.positions, return_inverse=True)
        data = replace(data, code=code.reshape(-1)[data.code], positions=values, n_categories=len(values))
    squared = squared_distances(data, setting)  # None means nominal
    share = np.divide(data.sizes, data.pairs, out=np.zeros_like(data.sizes), where=data.is_paired)
    apart = data.pairs - data.agreeing(None) if squared is None else data.agreeing(squared)
    totals = data.totals(only_paired=True)
    n = totals.sum(axis=-1)
    pairs = n**2 - (totals**2).sum(axis=-1) if squared is None else ((totals @ squared) * totals).sum(axis=-1)
    return ratio((data.weights * share * apart).sum(axis=-1), n), ratio(pairs, n * (n - 1))


def squared_distances(data: Counts, setting: Setting) -> Floats | None:
    """The squared distances between categories: those asked for, or those of the level."""
    asked, scale = setting.options.distance, setting.scale
    chosen = {Level.NOMINAL: "nominal", Level.SET: "masi"}.get(scale.level) if asked is None else asked
    if isinstance(chosen, str):
        if chosen == "nominal":
            return None
        if chosen == TREES:
            return tree_edit(scale.categories)
        if chosen not in SET_DISTANCES:
            raise InputError(f"unknown distance {chosen!r}", hint=nearest(chosen, ["nominal", TREES, *SET_DISTANCES]))
        if scale.level is not Level.SET:
            raise InputError(f"{chosen} compares sets, and the level is {scale.level.value}", hint="say --level set")
        return SET_DISTANCES[chosen](scale.members())
    if chosen is not None:
        return check_matrix(chosen, scale, diagonal=0.0)
    if len(data.positions) > MOST_VALUES:
        raise InputError(
            f"{len(data.positions):,} distinct values are too many for a {scale.level.value} scale",
            hint=f"round them to at most {MOST_VALUES:,}",
        )
    return ratio_squared(data.positions) if scale.level is Level.RATIO else bipolar_squared(data.positions)


MEASURES = (alpha,)
