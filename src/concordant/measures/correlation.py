"""Whether raters order or space units alike, whatever level they use: gamma, tau, Somers' d, Spearman, Pearson, Lin.

Each is defined for two raters. With more, it is the mean over all rater pairs with common units (Siegel &
Castellan 1988), which count by these or equally; pairs without a value are named, and many of them leave no mean.

Symbols: C pairs of units in the same order for both raters, D in opposite order, T_x tied by the first rater only,
T_y tied by the second only, N units, m_x, s_x, s_xy the means, standard deviations and covariance of the scores.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.choices import Choices
from concordant.engines.scatter import Scatter, concordance, per_pair, scatter
from concordant.engines.views import Pairs, ratio
from concordant.measures import standard_errors as errors
from concordant.measures.benchmarks import ROSENTHAL
from concordant.measures.pair_means import MOST_PAIRS, pair_mean, pair_notes
from concordant.measures.spec import (
    NUMERIC,
    OF_JUDGEMENTS,
    ORDERED,
    Needs,
    Parts,
    Setting,
    WithPairs,
    measure,
    number,
    undefined,
)
from concordant.measures.usual import not_studied, of_moments, of_ranks
from concordant.model.scale import Level

RANKS = Needs(suits=ORDERED, accepts=ORDERED, missing="drops units not judged by both", continuous=True)
SCORES = replace(RANKS, suits=NUMERIC, takes_steps_as_equal=True)


def _varies(points: Scatter) -> NDArray[np.bool_]:
    """(…, pairs): whether both raters gave at least two different values."""
    return points.varies(points.first) & points.varies(points.second)


def _mean_over_pairs(
    data: Pairs,
    setting: Setting,
    statistic: Callable[[Scatter], Floats],
    details: Callable[[Pairs, Scatter], dict[str, Any]] | None = None,
) -> Parts:
    """The mean of a pair statistic over all rater pairs with common units."""
    if not len(data.pairs):
        return undefined(data)
    if data.weights.ndim > 1:
        each, units = np.moveaxis(per_pair(data, lambda p: np.stack([statistic(p), p.n_units], axis=-1)), -1, 0)
        return Parts(value=pair_mean(data, each, units, setting.options))
    points = scatter(data)
    each, units = statistic(points), points.n_units
    told, left_out, held = pair_notes(data, each, units, setting.options, lambda pair: _constant(data, points, pair))
    rows, value = _listed(data, points, each), pair_mean(data, each, units, setting.options)
    told |= {"pairs": rows} if rows else {}
    told |= details(data, points) if details else {}
    return Parts(value=value, why=f"{_why(data, points, each)}{held}", notes=left_out, details=told)


def _constant(data: Pairs, points: Scatter, pair: int) -> str:
    """Why a pair has no value, in a few words."""
    if points.n_units[pair] < 2:
        return "one unit in common"
    return f"{data.raters[data.pairs[pair][int(points.varies(points.first)[pair])]]} is constant"


def _listed(data: Pairs, points: Scatter, each: Floats) -> list[dict[str, Any]]:
    """The value of every rater pair, unless there is one or they are very many."""
    if not 1 < len(data.pairs) <= MOST_PAIRS:
        return []
    return [
        {"raters": [data.raters[one], data.raters[two]], "n_units": int(n), "value": number(value)}
        for (one, two), n, value in zip(data.pairs.tolist(), points.n_units, each, strict=True)
    ]


def _why(data: Pairs, points: Scatter, each: Floats) -> str | None:
    """Which rater pair has no value, and why: one of the two is constant.

    If both vary, two units differ for both: were every two units tied by one rater or the other, all would share
    one rater's value.
    """
    missing = np.nonzero(np.isnan(each) & (points.n_units > 0))[0]
    if not len(missing):
        return None
    pair = int(missing[0])
    more = f" (and {len(missing) - 1:,} more of {len(each):,} rater pairs have no value)" if len(missing) > 1 else ""
    names = [data.raters[rater] for rater in data.pairs[pair]]
    if points.n_units[pair] < 2:
        return f"{names[0]} and {names[1]} judged one unit in common, and a correlation needs two{more}"
    name, other = names if not points.varies(points.first)[pair] else reversed(names)
    return f"rater {name} gave the same value to all units judged in common with {other}{more}"


def _gamma(points: Scatter) -> Floats:
    found = concordance(points)
    return ratio(found.surplus, found.concordant + found.discordant)


def _tau_b(points: Scatter) -> Floats:
    found = concordance(points)
    return ratio(found.surplus, np.sqrt(found.ordered_by_first * found.ordered_by_second))


def tau_b_of_pairs(data: Pairs) -> Floats:
    """Kendall's tau-b of every rater pair by itself; NaN where it is undefined."""
    return _tau_b(scatter(data))


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


def _order_details(data: Pairs, points: Scatter, options: Any) -> dict[str, Any]:
    """Counts of concordant, discordant and tied pairs, and tau-b: gamma alone saturates; also for each rater pair."""
    found, tau = concordance(points), _tau_b(points)
    tied = found.tied_first + found.tied_second + found.tied_both
    counts = {"concordant": found.concordant, "discordant": found.discordant, "tied": tied}
    rows = [
        {**row, **{name: int(n[i]) for name, n in counts.items()}, "tau_b": number(tau[i])}
        for i, row in enumerate(_listed(data, points, _gamma(points)))
    ]
    totals = {name: int(n.sum()) for name, n in counts.items()}
    return {
        **totals,
        "tau_b": number(pair_mean(data, tau, points.n_units, options)),
        **({"pairs": rows} if rows else {}),
    }


of_two = partial(measure, options=WithPairs, kind="correlation", needs=RANKS, view="pairs", reads_on=(ROSENTHAL,))
of_two_orders = partial(of_two, ci=(*OF_JUDGEMENTS, "posterior"), usual=of_ranks)
of_two_scores = partial(of_two, needs=SCORES, ci=(*OF_JUDGEMENTS, "hull"), usual=of_moments)


@of_two_orders(
    key="gk_gamma",
    name="Goodman & Kruskal's gamma",
    cite=("goodman-kruskal-1954", "siegel-castellan-1988"),
    recommended={Level.ORDINAL: (4, 4)},
    standard_error=errors.gamma_error,
)
def gk_gamma(data: Pairs, setting: Setting) -> Parts:
    """Order only, ties ignored: the surplus of pairs of units in the same order among those that neither rater tied.

    gamma = (C - D) / (C + D)

    It saturates: with few categories most pairs are tied and gamma is near 1 whatever the rest does, so the counts
    of concordant, discordant and tied pairs and tau-b stand beside it.

    When not to use it: Alone: it ignores tied pairs, so with few categories it is near 1 even if raters differ on half
    of the units. Nor as agreement: a rater who is one step stricter throughout has gamma 1.

    In other tools: R `DescTools::GoodmanKruskalGamma`, `vcdExtra::GKgamma`; SAS and SPSS print it as Gamma. Not
    Mathet's gamma for unitizing, which has the key `gamma`. scipy has none.

    Example: The mean gamma over three rater pairs was .91 (tau-b .70; 2,101 concordant, 98 discordant, 1,654 tied
    pairs).
    """
    return _mean_over_pairs(data, setting, _gamma, partial(_order_details, options=setting.options))


@of_two_orders(
    key="gk_gamma_pooled",
    name="Goodman & Kruskal's gamma (pooled)",
    cite=("goodman-kruskal-1954",),
    options=Choices,
)
def gk_gamma_pooled(data: Pairs, setting: Setting) -> Parts:
    """Order only, ties ignored, over all rater pairs together: the surplus of same over opposite orders.

    gamma = (sum C - sum D) / (sum C + sum D), sums over rater pairs

    No constant rater breaks it: pairs that order nothing add nothing. With two raters it is gk_gamma.

    When not to use it: To speak about pairs of raters: those with many units and few ties count most. Otherwise as
    gk_gamma.

    In other tools: No other tool has it under a name; the sums are of what SAS and SPSS print for each pair.

    Example: Gamma pooled over nine rater pairs was .48 (one of the raters gave one value throughout).
    """
    if not len(data.pairs):
        return undefined(data)

    def orders(points: Scatter) -> Floats:
        found = concordance(points)
        return np.stack([found.concordant, found.discordant], axis=-1)

    each = per_pair(data, orders) if data.weights.ndim > 1 else orders(scatter(data))
    same, opposite = np.moveaxis((each * data.pair_weights[:, np.newaxis]).sum(axis=-2), -1, 0)
    counts = {"concordant": int(same), "discordant": int(opposite)} if data.weights.ndim == 1 else {}
    return Parts(
        value=ratio(same - opposite, same + opposite),
        why="no two raters put two units in an order",
        details={"n_pairs": len(data.pairs), **counts},
    )


@of_two_orders(
    key="tau_b",
    name="Kendall's tau-b",
    cite=("kendall-1945", "siegel-castellan-1988"),
    recommended={Level.ORDINAL: (5, 5)},
    standard_error=errors.tau_b_error,
)
def tau_b(data: Pairs, setting: Setting) -> Parts:
    """Order with ties charged to both raters alike.

    tau_b = (C - D) / sqrt((C + D + T_x) (C + D + T_y))

    When not to use it: As agreement: it knows order only, and a stricter rater can have tau-b 1.

    In other tools: scipy `kendalltau`, pandas `corr(method='kendall')`, R `cor(method = "kendall")`,
    `DescTools::KendallTauB`.

    Example: The mean tau-b over three rater pairs was .70 (140 units, scale 1 to 5).
    """
    return _mean_over_pairs(data, setting, _tau_b)


@of_two(key="tau_c", name="Stuart's tau-c", cite=("stuart-1953",), standard_error=errors.tau_c_error, usual=not_studied)
def tau_c(data: Pairs, setting: Setting) -> Parts:
    """Order, scaled for raters who use different numbers of values.

    tau_c = 2 (C - D) / (N² (m - 1) / m), m the smaller number of different values the two raters used

    It reaches 1 only if the values are used equally often.

    When not to use it: To compare studies with different category shares: it reaches 1 only if the values are used
    equally often.

    In other tools: scipy `kendalltau(variant='c')`, R `DescTools::StuartTauC`. The size of the table is the number of
    different values used, as in scipy.

    Example: Tau-c was .58 (two raters, 140 units, scales of three and five points).
    """

    def statistic(points: Scatter) -> Floats:
        fewest = np.minimum(*(points.tied(rater, power=0) for rater in (0, 1)))
        return ratio(concordance(points).surplus, points.n_units**2 * ratio(fewest - 1, fewest) / 2)

    return _mean_over_pairs(data, setting, statistic)


@of_two_orders(key="somers_d", name="Somers' d (symmetric)", cite=("somers-1962",), standard_error=errors.somers_error)
def somers_d(data: Pairs, setting: Setting) -> Parts:
    """Order, as a prediction of one rater by the other; raters have no direction, so the symmetric form is given.

    d = (C - D) / (C + D + (T_x + T_y) / 2)

    The notes (of several raters the details) hold the directed forms: d(second | first) = (C - D) / (C + D + T_y) and
    d(first | second) with T_x.

    When not to use it: If one rater is a gold standard: then a direction is meant; take the one below the table.

    In other tools: scipy `somersd(x, y)` is the directed d(y | x), our `second_given_first`; R `DescTools::SomersDelta`
    has both directions; SPSS prints the symmetric form too.

    Example: Somers' d (symmetric) was .66 (two raters, 140 units).
    """

    def statistic(points: Scatter) -> Floats:
        found = concordance(points)
        value = ratio(2 * found.surplus, found.ordered_by_first + found.ordered_by_second)
        return np.where(_varies(points), value, np.nan)

    def directions(data: Pairs, points: Scatter) -> dict[str, Any]:
        found = concordance(points)
        given_first, given_second = (
            number(pair_mean(data, ratio(found.surplus, ordered), points.n_units, setting.options))
            for ordered in (found.ordered_by_first, found.ordered_by_second)
        )
        return {"second_given_first": given_first, "first_given_second": given_second}

    parts = _mean_over_pairs(data, setting, statistic, directions)
    return replace(parts, notes=(*parts.notes, *_directed(data, parts.details)))


def _directed(data: Pairs, details: Mapping[str, Any]) -> tuple[str, ...]:
    """Both directions of two raters in words."""
    ways = [details.get(name) for name in ("second_given_first", "first_given_second")]
    if len(data.pairs) != 1 or None in ways:
        return ()
    first, second = (data.raters[rater] for rater in data.pairs[0])
    return (f"d({second} | {first}) = {ways[0]:.3f}, d({first} | {second}) = {ways[1]:.3f}",)


@of_two_orders(
    key="spearman",
    name="Spearman's rho",
    cite=("spearman-1904", "siegel-castellan-1988"),
    recommended={Level.ORDINAL: (6, None)},
    standard_error=errors.spearman_error,
)
def spearman(data: Pairs, setting: Setting) -> Parts:
    """Pearson's correlation of the ranks; tied units share their mean rank.

    rho = s_xy / (s_x s_y) of the midranks

    When not to use it: As agreement: it knows ranks only. With few categories and many ties prefer tau-b.

    In other tools: scipy `spearmanr`, pandas `corr(method='spearman')`, R `cor(method = "spearman")`; all use midranks,
    as ours.

    Example: The mean Spearman correlation over three rater pairs was .79 (140 units).
    """
    return _mean_over_pairs(data, setting, lambda points: _correlate(points, *map(points.midranks, points.ties)))


@of_two_scores(
    key="pearson",
    name="Pearson's correlation",
    cite=("pearson-1895",),
    recommended={Level.INTERVAL: (4, 4), Level.RATIO: (4, 4)},
    standard_error=errors.pearson_error,
)
def pearson(data: Pairs, setting: Setting) -> Parts:
    """How well a straight line, of any slope and height, turns one rater's scores into the other's.

    r = s_xy / (s_x s_y)

    When not to use it: As agreement: raters who differ by a constant or a factor correlate perfectly. On ordinal data
    it takes the steps as equal.

    In other tools: scipy `pearsonr`, `numpy.corrcoef`, R `cor`.

    Example: Pearson's correlation was .83 (two raters, 500 scores).
    """
    return _mean_over_pairs(data, setting, lambda points: _correlate(points, points.first, points.second))


@of_two_scores(
    key="lin_ccc",
    name="Lin's concordance correlation",
    cite=("lin-1989",),
    reads_on=(),
    recommended={Level.INTERVAL: (2, None), Level.RATIO: (2, None)},
    standard_error=errors.lin_error,
)
def lin_ccc(data: Pairs, setting: Setting) -> Parts:
    """How close two raters' scores are to being equal: Pearson's correlation times a penalty for level and spread.

    ccc = 2 s_xy / (s_x² + s_y² + (m_x - m_y)²), variances over N

    A rater who gives one value to every unit gets 0; it is undefined only if both give one and the same value.

    When not to use it: To compare studies whose units differ more or less: the more units vary, the higher it is.

    In other tools: R `DescTools::CCC`, `epiR::epi.ccc` (variances over N, as ours and Lin's); some tools divide by N -
    1, which moves it slightly.

    Example: Lin's concordance was .79 (two raters, 500 scores).
    """

    def statistic(points: Scatter) -> Floats:
        s_xx, s_yy, s_xy, apart = _moments(points, points.first, points.second)
        return ratio(2 * s_xy, s_xx + s_yy + apart**2)

    return _mean_over_pairs(data, setting, statistic)


MEASURES = (gk_gamma, gk_gamma_pooled, tau_b, tau_c, somers_d, spearman, pearson, lin_ccc)
