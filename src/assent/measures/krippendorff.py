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

from assent.arrays import Floats
from assent.engines.tally import Tally
from assent.engines.views import Counts, ratio
from assent.errors import InputError, nearest
from assent.measures.distance import (
    SET_DISTANCES,
    bipolar_squared,
    check_matrix,
    circle_points,
    ratio_squared,
)
from assent.measures.spec import ANY, NO_PAIR, Needs, Options, Parts, Setting, measure
from assent.model.scale import Level

MOST_VALUES = 4_000  # a ratio or bipolar scale compares every two values; beyond this it would take too long


def _name(data: Tally, options: Options) -> str:
    kind: Any = options.distance if options.distance is not None else data.scale.level.value
    if data.scale.level is Level.SET and options.distance is None:
        kind = "MASI"
    return f"Krippendorff's alpha ({'given distance' if isinstance(kind, np.ndarray) else kind})"


@measure(
    key="alpha",
    name="Krippendorff's alpha",
    cite=("krippendorff-2011", "krippendorff-2019"),
    needs=Needs(suits=ANY, missing="uses every pair", continuous=True),
    view="counts",
    name_of=_name,
)
def alpha(data: Counts, setting: Setting) -> Parts:
    """Chance draws two values from all pairable judgements together, without replacement.

    alpha = 1 - D_o / D_e, D_o = (1/n) sum_u sum_ck o_uck d²_ck, D_e = 1/(n (n - 1)) sum_ck n_c n_k d²_ck

    The squared distance d² is that of the level of measurement: nominal 0/1, ordinal (equal to interval on midranks),
    interval (c - k)², ratio ((c - k)/(c + k))², circular sin²(π (c - k)/period), bipolar, MASI or Jaccard, or given.
    """
    if not data.is_paired.any():
        return Parts(value=np.full(data.weights.shape[:-1], np.nan), why=NO_PAIR)
    paired = data.reweighted(data.weights * data.is_paired)
    points = points_of(paired, setting)
    within, among = _by_points(paired, points) if points is not None else _by_categories(paired, setting)
    return Parts(
        value=1 - ratio(within, among),
        observed=within,
        expected=among,
        details={"parts": "disagreement"},
        why="all pairable values are the same, so no disagreement is expected and the formula is 0/0",
    )


def points_of(data: Counts, setting: Setting) -> Floats | None:
    """Points whose squared distances are the level's, (dimensions, …, values); None if there are none."""
    if setting.options.distance is not None:
        return None
    level = setting.scale.level
    if level is Level.INTERVAL:
        return np.asarray(data.positions - data.positions.mean())[None]
    if level is Level.ORDINAL:
        return _midranks(data)[None]
    if level is Level.CIRCULAR:
        return circle_points(data.positions)
    return None


def _midranks(data: Counts) -> Floats:
    """The mean rank of each value among the pairable judgements, as a share: ordinal d² is their squared difference."""
    totals = data.totals(only_paired=True)
    order = np.argsort(data.positions, kind="stable")
    ordered = totals[..., order]
    middle = np.empty_like(totals)
    middle[..., order] = np.cumsum(ordered, axis=-1) - ordered / 2
    n = totals.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(middle, n, out=np.zeros_like(middle), where=n > 0))


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
    """D_o and D_e where every two values have a distance of their own."""
    known = _with_distinct_values(data) if setting.scale.is_continuous else data
    return _by_matrix(known, squared_distances(known, setting))


def _with_distinct_values(data: Counts) -> Counts:
    """On a continuous scale every judgement is a value of its own: make equal ones one category."""
    values, code = np.unique(data.positions, return_inverse=True)
    return replace(data, code=code.reshape(-1)[data.code], positions=values, n_categories=len(values))


def _by_matrix(data: Counts, squared: Floats | None) -> tuple[Floats, Floats]:
    """D_o and D_e from squared distances between categories; None means nominal."""
    share = np.divide(data.sizes, data.pairs, out=np.zeros_like(data.sizes), where=data.is_paired)
    apart = data.pairs - data.agreeing(None) if squared is None else data.agreeing(squared)
    totals = data.totals(only_paired=True)
    n = totals.sum(axis=-1)
    pairs = n**2 - (totals**2).sum(axis=-1) if squared is None else ((totals @ squared) * totals).sum(axis=-1)
    return ratio((data.weights * share * apart).sum(axis=-1), n), ratio(pairs, n * (n - 1))


def squared_distances(data: Counts, setting: Setting) -> Floats | None:
    """The squared distances between categories: those asked for, or those of the level."""
    asked, scale = setting.options.distance, setting.scale
    if asked is not None:
        return _asked_distance(asked, setting)
    if scale.level is Level.SET:
        return SET_DISTANCES["masi"](scale.members())
    if scale.level is Level.NOMINAL:
        return None
    if len(data.positions) > MOST_VALUES:
        raise InputError(
            f"{len(data.positions):,} distinct values are too many for a {scale.level.value} scale",
            hint=f"round them to at most {MOST_VALUES:,}",
        )
    return ratio_squared(data.positions) if scale.level is Level.RATIO else bipolar_squared(data.positions)


def _asked_distance(asked: str | Floats, setting: Setting) -> Floats | None:
    """A distance by name, or a matrix of squared distances."""
    if not isinstance(asked, str):
        return check_matrix(asked, setting.scale, diagonal=0.0)
    if asked == "nominal":
        return None
    if asked not in SET_DISTANCES:
        raise InputError(f"unknown distance {asked!r}", hint=nearest(asked, ["nominal", *SET_DISTANCES]))
    if setting.scale.level is not Level.SET:
        raise InputError(f"{asked} compares sets, and the level is {setting.scale.level.value}", hint="say --level set")
    return SET_DISTANCES[asked](setting.scale.members())


MEASURES = (alpha,)
