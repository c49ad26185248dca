"""Whether raters order or space units alike, whatever level they use: gamma, tau, Somers' d, Spearman, Pearson, Lin.

Each is defined for two raters. With more, it is the mean over all rater pairs with common units (Siegel &
Castellan 1988); a pair without a value makes the mean undefined and is named, never silently skipped.

Symbols: C pairs of units in the same order for both raters, D in opposite order, T_x tied by the first rater only,
T_y tied by the second only, N units, m_x, s_x, s_xy the means, standard deviations and covariance of the scores.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.engines.scatter import Scatter, per_pair, scatter
from assent.engines.views import Pairs, ratio
from assent.measures.spec import NO_PAIR, NUMERIC, ORDERED, Needs, Parts, Setting, measure

RANKS = Needs(suits=ORDERED, accepts=ORDERED, missing="drops units not judged by both", continuous=True)
SCORES = Needs(
    suits=NUMERIC,
    accepts=ORDERED,
    missing="drops units not judged by both",
    continuous=True,
    takes_steps_as_equal=True,
)
MOST_PAIRS = 200  # rater pairs listed one by one in a result's details


@dataclass(frozen=True, kw_only=True)
class Concordance:
    """Pairs of units by how two raters ordered them; arrays end with the axis of rater pairs."""

    concordant: Floats
    discordant: Floats
    tied_first: Floats
    tied_second: Floats
    tied_both: Floats

    @property
    def surplus(self) -> Floats:
        """C - D."""
        return self.concordant - self.discordant

    @property
    def ordered_by_first(self) -> Floats:
        """C + D + T_y: pairs that the first rater did not tie."""
        return self.concordant + self.discordant + self.tied_second

    @property
    def ordered_by_second(self) -> Floats:
        """C + D + T_x: pairs that the second rater did not tie."""
        return self.concordant + self.discordant + self.tied_first

    @property
    def tied(self) -> Floats:
        """Pairs tied by one rater or both."""
        return self.tied_first + self.tied_second + self.tied_both


def concordance(points: Scatter) -> Concordance:
    """C, D and ties: discordant pairs are counted, the rest follows from how often each value was given."""
    n, discordant = points.n_units, points.discordant
    first, second = (points.tied(rater, power=2) for rater in (0, 1))
    both = points.sums(points.weights**2)
    return Concordance(
        concordant=(n**2 - first - second + both) / 2 - discordant,
        discordant=discordant,
        tied_first=(first - both) / 2,
        tied_second=(second - both) / 2,
        tied_both=(both - n) / 2,
    )


def _varies(points: Scatter) -> NDArray[np.bool_]:
    """(…, pairs): whether both raters gave at least two different values."""
    return points.varies(points.first) & points.varies(points.second)


def _mean_over_pairs(
    data: Pairs,
    statistic: Callable[[Scatter], Floats],
    details: Callable[[Pairs, Scatter], dict[str, Any]] | None = None,
) -> Parts:
    """The mean of a pair statistic over all rater pairs with common units."""
    if not len(data.pairs):
        return Parts(value=np.full(data.weights.shape[:-1], np.nan), why=NO_PAIR)
    if data.weights.ndim > 1:
        each, units = np.moveaxis(per_pair(data, lambda p: np.stack([statistic(p), p.n_units], axis=-1)), -1, 0)
        return Parts(value=data.mean(each, units))
    points = scatter(data)
    each = statistic(points)
    more = details(data, points) if details else {}
    return Parts(
        value=data.mean(each, points.n_units),
        why=_why(data, points, each),
        details={"n_pairs": len(data.pairs), **_listed(data, points, each), **more},
    )


def _listed(data: Pairs, points: Scatter, each: Floats) -> dict[str, Any]:
    """The value of every rater pair, unless they are very many."""
    if not 1 < len(data.pairs) <= MOST_PAIRS:
        return {}
    rows = [
        {"raters": [data.raters[one], data.raters[two]], "n_units": int(n), "value": None if np.isnan(v) else float(v)}
        for (one, two), n, v in zip(data.pairs.tolist(), points.n_units, each, strict=True)
    ]
    return {"pairs": rows}


def _why(data: Pairs, points: Scatter, each: Floats) -> str | None:
    """Which rater pair has no value, and why."""
    missing = np.nonzero(np.isnan(each) & (points.n_units > 0))[0]
    if not len(missing):
        return None
    pair = int(missing[0])
    more = f" (and {len(missing) - 1:,} more of {len(each):,} rater pairs have no value)" if len(missing) > 1 else ""
    return _why_pair(data, points, pair) + more


def _why_pair(data: Pairs, points: Scatter, pair: int) -> str:
    """Why one rater pair has no value: one of the two is constant.

    If both vary, two units differ for both: were every two units tied by one rater or the other, all would share
    one rater's value.
    """
    names = [data.raters[rater] for rater in data.pairs[pair]]
    if points.n_units[pair] < 2:
        return f"{names[0]} and {names[1]} judged one unit in common, and a correlation needs two"
    name, other = names if not points.varies(points.first)[pair] else reversed(names)
    return f"rater {name} gave the same value to all units judged in common with {other}"


def _gamma(points: Scatter) -> Floats:
    found = concordance(points)
    return ratio(found.surplus, found.concordant + found.discordant)


def _tau_b(points: Scatter) -> Floats:
    found = concordance(points)
    return ratio(found.surplus, np.sqrt(found.ordered_by_first * found.ordered_by_second))


def _tau_c(points: Scatter) -> Floats:
    fewest = np.minimum(*(points.tied(rater, power=0) for rater in (0, 1)))
    most = points.n_units**2 * ratio(fewest - 1, fewest) / 2
    return ratio(concordance(points).surplus, most)


def _somers(points: Scatter) -> Floats:
    found = concordance(points)
    value = ratio(2 * found.surplus, found.ordered_by_first + found.ordered_by_second)
    return np.where(_varies(points), value, np.nan)


def _correlate(points: Scatter, first: Floats, second: Floats) -> Floats:
    """The product-moment correlation of two scores known per point."""
    s_xx, s_yy, s_xy, _ = _moments(points, first, second)
    value = np.clip(ratio(s_xy, np.sqrt(s_xx) * np.sqrt(s_yy)), -1, 1)
    return np.where(_varies(points), value, np.nan)


def _moments(points: Scatter, first: Floats, second: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Variances, covariance (over N) and the difference of the means of each pair."""
    weights, n = points.weights, points.n_units
    m_x, m_y = (ratio(points.sums(weights * score), n) for score in (first, second))
    x, y = first - m_x[..., points.pair], second - m_y[..., points.pair]
    return (
        ratio(points.sums(weights * x**2), n),
        ratio(points.sums(weights * y**2), n),
        ratio(points.sums(weights * x * y), n),
        m_x - m_y,
    )


def _pearson(points: Scatter) -> Floats:
    return _correlate(points, points.first, points.second)


def _spearman(points: Scatter) -> Floats:
    return _correlate(points, *(points.midranks(ties) for ties in points.ties))


def _lin(points: Scatter) -> Floats:
    s_xx, s_yy, s_xy, apart = _moments(points, points.first, points.second)
    return ratio(2 * s_xy, s_xx + s_yy + apart**2)


def _order_details(data: Pairs, points: Scatter) -> dict[str, Any]:
    """Counts of concordant, discordant and tied pairs over all rater pairs, and tau-b: gamma alone saturates."""
    found = concordance(points)
    tau = float(data.mean(_tau_b(points), points.n_units))
    return {
        "concordant": int(found.concordant.sum()),
        "discordant": int(found.discordant.sum()),
        "tied": int(found.tied.sum()),
        "tau_b": None if np.isnan(tau) else tau,
    }


def _order_rows(data: Pairs, points: Scatter, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same counts beside each rater pair's gamma."""
    found, tau = concordance(points), _tau_b(points)
    return [
        {
            **row,
            "concordant": int(found.concordant[i]),
            "discordant": int(found.discordant[i]),
            "tied": int(found.tied[i]),
            "tau_b": None if np.isnan(tau[i]) else float(tau[i]),
        }
        for i, row in enumerate(rows)
    ]


def _gamma_details(data: Pairs, points: Scatter) -> dict[str, Any]:
    listed = _listed(data, points, _gamma(points))
    rows = {"pairs": _order_rows(data, points, listed["pairs"])} if listed else {}
    return {**_order_details(data, points), **rows}


@measure(
    key="gk_gamma",
    name="Goodman & Kruskal's gamma",
    cite=("goodman-kruskal-1954", "siegel-castellan-1988"),
    kind="correlation",
    needs=RANKS,
    view="pairs",
)
def gk_gamma(data: Pairs, setting: Setting) -> Parts:
    """Order only, ties ignored: the surplus of pairs of units in the same order among those that neither rater tied.

    gamma = (C - D) / (C + D)

    It saturates: with few categories most pairs are tied and gamma is near 1 whatever the rest does, so the counts
    of concordant, discordant and tied pairs and tau-b stand beside it.
    """
    return _mean_over_pairs(data, _gamma, _gamma_details)


@measure(
    key="tau_b",
    name="Kendall's tau-b",
    cite=("kendall-1945", "siegel-castellan-1988"),
    kind="correlation",
    needs=RANKS,
    view="pairs",
)
def tau_b(data: Pairs, setting: Setting) -> Parts:
    """Order with ties charged to both raters alike.

    tau_b = (C - D) / sqrt((C + D + T_x) (C + D + T_y))
    """
    return _mean_over_pairs(data, _tau_b)


@measure(key="tau_c", name="Stuart's tau-c", cite=("stuart-1953",), kind="correlation", needs=RANKS, view="pairs")
def tau_c(data: Pairs, setting: Setting) -> Parts:
    """Order, scaled for raters who use different numbers of values.

    tau_c = 2 (C - D) / (N² (m - 1) / m), m the smaller number of different values the two raters used

    It reaches 1 only if the values are used equally often.
    """
    return _mean_over_pairs(data, _tau_c)


def _directions(data: Pairs, points: Scatter) -> dict[str, Any]:
    """Somers' d in both directions, each the mean over rater pairs."""
    found = concordance(points)
    given_first = data.mean(ratio(found.surplus, found.ordered_by_first), points.n_units)
    given_second = data.mean(ratio(found.surplus, found.ordered_by_second), points.n_units)
    both = {"second_given_first": float(given_first), "first_given_second": float(given_second)}
    return {direction: None if np.isnan(value) else value for direction, value in both.items()}


@measure(
    key="somers_d", name="Somers' d (symmetric)", cite=("somers-1962",), kind="correlation", needs=RANKS, view="pairs"
)
def somers_d(data: Pairs, setting: Setting) -> Parts:
    """Order, as a prediction of one rater by the other; raters have no direction, so the symmetric form is given.

    d = (C - D) / (C + D + (T_x + T_y) / 2)

    The details hold the directed forms: d(second | first) = (C - D) / (C + D + T_y) and d(first | second) with T_x.
    """
    return _mean_over_pairs(data, _somers, _directions)


@measure(
    key="spearman",
    name="Spearman's rho",
    cite=("spearman-1904", "siegel-castellan-1988"),
    kind="correlation",
    needs=RANKS,
    view="pairs",
)
def spearman(data: Pairs, setting: Setting) -> Parts:
    """Pearson's correlation of the ranks; tied units share their mean rank.

    rho = s_xy / (s_x s_y) of the midranks
    """
    return _mean_over_pairs(data, _spearman)


@measure(
    key="pearson", name="Pearson's correlation", cite=("pearson-1895",), kind="correlation", needs=SCORES, view="pairs"
)
def pearson(data: Pairs, setting: Setting) -> Parts:
    """How well a straight line, of any slope and height, turns one rater's scores into the other's.

    r = s_xy / (s_x s_y)
    """
    return _mean_over_pairs(data, _pearson)


@measure(
    key="lin_ccc",
    name="Lin's concordance correlation",
    cite=("lin-1989",),
    kind="correlation",
    needs=SCORES,
    view="pairs",
)
def lin_ccc(data: Pairs, setting: Setting) -> Parts:
    """How close two raters' scores are to being equal: Pearson's correlation times a penalty for level and spread.

    ccc = 2 s_xy / (s_x² + s_y² + (m_x - m_y)²), variances over N

    A rater who gives one value to every unit gets 0; it is undefined only if both give one and the same value.
    """
    return _mean_over_pairs(data, _lin)


MEASURES = (gk_gamma, tau_b, tau_c, somers_d, spearman, pearson, lin_ccc)
