"""Published standard errors of chance-corrected agreement.

Two raters: Fleiss, Cohen & Everitt (1969) for kappa with or without weights, from the contingency table. Any number
of raters and missing judgements: Gwet's linearised variance (2008, 2014), which is the spread of what each unit
contributes to the coefficient:

    κ_i = (n / n') (a_i - A_e) / (1 - A_e) - (1 - κ) dA_e_i / (1 - A_e)        variance = sum_i (κ_i - κ)² / (n (n - 1))

n' units of n have two judgements or more; a_i is the share of agreeing pairs in unit i (0 without a pair, and A_e is
then not subtracted), dA_e_i how unit i moves the expected agreement.
"""

from dataclasses import dataclass

import numpy as np

from assent.arrays import Floats
from assent.engines.tally import Tally
from assent.engines.views import Counts, count_view
from assent.measures.chance_corrected import partial_credit, shares
from assent.measures.distance import closeness_named
from assent.measures.krippendorff import points_of, squared_distances
from assent.measures.spec import Setting


@dataclass(frozen=True, kw_only=True)
class StandardError:
    """A standard error, its degrees of freedom (infinite for a normal interval) and where it comes from."""

    error: float
    freedom: float
    source: str


GWET = "linearised variance (Gwet 2014)"
FLEISS_COHEN_EVERITT = "large-sample variance (Fleiss, Cohen & Everitt 1969)"


def asked_closeness(setting: Setting) -> Floats:
    """The weights asked for, or identity."""
    asked = setting.options.weights
    return np.eye(len(setting.scale.categories)) if asked is None else closeness_named(asked, setting.scale)


def kept(counts: Counts, setting: Setting) -> Counts:
    """Units with one judgement go if the coefficient drops them."""
    return counts if setting.options.singletons == "keep" else counts.reweighted(counts.weights * counts.is_paired)


def linearised(counts: Counts, closeness: Floats, moves: Floats, *, value: float, expected: float) -> StandardError:
    """Gwet's standard error; `moves` is dA_e_i per pattern."""
    n, paired = float(counts.weights.sum()), counts.is_paired
    n_paired = float(counts.weights @ paired)
    share = np.divide(counts.agreeing(closeness), counts.pairs, out=np.zeros_like(counts.pairs), where=paired)
    each = (n / n_paired * (share - expected * paired) - (1 - value) * moves) / (1 - expected)
    variance = float(counts.weights @ (each - value) ** 2) / (n * (n - 1))
    return StandardError(error=float(np.sqrt(variance)), freedom=n - 1, source=GWET)


def category_shares(counts: Counts) -> Floats:
    """Patterns × categories: the share of a unit's judgements in each category."""
    matrix = np.zeros((counts.n_patterns, counts.n_categories))
    np.add.at(matrix, (counts.pattern, counts.code), counts.n)
    return np.asarray(matrix / np.maximum(counts.sizes, 1)[:, None])


def percent_error(data: Tally, setting: Setting, value: float, expected: float | None) -> StandardError:
    """Percentage agreement is a mean over units with a pair."""
    counts = data.counts.reweighted(data.counts.weights * data.counts.is_paired)
    return linearised(counts, asked_closeness(setting), np.zeros(counts.n_patterns), value=value, expected=0.0)


def uniform_error(data: Tally, setting: Setting, value: float, expected: float | None) -> StandardError:
    """S and Brennan-Prediger: no unit moves the expected agreement."""
    counts, closeness = kept(data.counts, setting), partial_credit(setting)
    return linearised(counts, closeness, np.zeros(counts.n_patterns), value=value, expected=expected or 0.0)


def s_error(data: Tally, setting: Setting, value: float, expected: float | None) -> StandardError:
    """S takes no weights whatever the level."""
    counts = kept(data.counts, setting)
    identity = np.eye(counts.n_categories)
    return linearised(counts, identity, np.zeros(counts.n_patterns), value=value, expected=expected or 0.0)


def pi_error(data: Tally, setting: Setting, value: float, expected: float | None) -> StandardError:
    """Scott's pi and Fleiss' kappa: dA_e_i = 2 (sum_ck P(c|i) w_ck P(k) - A_e)."""
    counts, closeness, chance = kept(data.counts, setting), asked_closeness(setting), expected or 0.0
    moves = 2 * (category_shares(counts) @ (closeness @ shares(counts, setting)) - chance)
    return linearised(counts, closeness, moves, value=value, expected=chance)


def ac1_error(data: Tally, setting: Setting, value: float, expected: float | None) -> StandardError:
    """AC1 takes no weights whatever the level."""
    return _gwet(data, setting, np.eye(data.counts.n_categories), value, expected or 0.0)


def ac2_error(data: Tally, setting: Setting, value: float, expected: float | None) -> StandardError:
    """AC2 with the weights of the level or those asked for."""
    return _gwet(data, setting, partial_credit(setting), value, expected or 0.0)


def _gwet(data: Tally, setting: Setting, closeness: Floats, value: float, expected: float) -> StandardError:
    """dA_e_i = 2 (T_w / (K (K - 1)) · sum_k P(k|i) (1 - P(k)) - A_e)."""
    counts = kept(data.counts, setting)
    size = max(counts.n_categories, 2)
    share = category_shares(counts) @ (1 - shares(counts, setting))
    moves = 2 * (float(closeness.sum()) / (size * (size - 1)) * share - expected)
    return linearised(counts, closeness, moves, value=value, expected=expected)


def kappa_error(data: Tally, closeness: Floats, value: float, expected: float) -> StandardError:
    """Two raters: from their table. More: Gwet's variance of Conger's kappa."""
    if len(data.pairs.pairs) == 1:
        return _table_error(data.pairs.tables()[0], closeness, value, expected)
    counts = count_view(data.patterns, data.positions, np.ones(len(data.raters)))
    return linearised(counts, closeness, _conger_moves(data, closeness, counts), value=value, expected=expected)


def _table_error(table: Floats, closeness: Floats, value: float, expected: float) -> StandardError:
    """Fleiss, Cohen & Everitt: the variance of p_ij [w_ij - (w_i. + w_.j)(1 - κ)], over n (1 - A_e)²."""
    n = float(table.sum())
    share = table / n
    near_first, near_second = closeness @ share.sum(axis=0), share.sum(axis=1) @ closeness
    each = closeness - (near_first[:, None] + near_second[None, :]) * (1 - value)
    spread = float((share * each**2).sum()) - (value - expected * (1 - value)) ** 2
    error = float(np.sqrt(max(spread, 0.0) / n)) / (1 - expected)
    return StandardError(error=error, freedom=float("inf"), source=FLEISS_COHEN_EVERITT)


def _conger_moves(data: Tally, closeness: Floats, counts: Counts) -> Floats:
    """dA_e_i = 2 / (R (R - 1)) · sum_r (n / n_r) (δ_ir - P(.|r))' W (sum_s≠r P(.|s)), over the raters r of unit i."""
    totals = data.pairs.rater_totals()
    totals = totals[totals.sum(axis=1) > 0]
    judged = totals.sum(axis=1, keepdims=True)
    share = totals / judged
    n_raters = len(share)
    pull = (share.sum(axis=0) - share) @ closeness
    seen = np.unique(data.patterns.rater, return_inverse=True)[1].reshape(-1)
    gain = pull[seen, data.patterns.code] - (pull * share).sum(axis=1)[seen]
    moved = np.bincount(data.patterns.pattern, weights=gain / judged[seen, 0], minlength=counts.n_patterns)
    return np.asarray(moved * 2 * counts.weights.sum() / (n_raters * (n_raters - 1)))


def alpha_error(data: Tally, setting: Setting) -> StandardError:
    """Gwet's variance of Krippendorff's alpha, on the units with two judgements or more.

    With closeness 1 - d², r̄ the mean number of judgements and a_i = m_i / r̄ - Q_i / (r̄ (m_i - 1)), Q_i the sum of d²
    over ordered pairs of unit i, and e_i the closeness of unit i's judgements to all judgements, over r̄:

        α_i - α' = [a_i - A_o (m_i - r̄) / r̄ - A_o' - 2 (1 - α') (e_i - A_e (m_i - r̄) / r̄ - A_e)] / (1 - A_e)
    """
    counts = data.counts.reweighted(data.counts.weights * data.counts.is_paired)
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
    error = float(np.sqrt(weights @ each**2 / (n * (n - 1))))
    return StandardError(error=error, freedom=n - 1, source=GWET)


def _disagreements(counts: Counts, setting: Setting) -> tuple[Floats, Floats]:
    """Per pattern: the sum of d² over its ordered pairs, and over its judgements of the mean d² to all judgements."""
    points = points_of(counts, setting)
    if points is not None:
        return _by_points(counts, points)
    squared = squared_distances(counts, setting)
    if squared is None:
        squared = 1 - np.eye(counts.n_categories)
    totals = counts.totals(only_paired=True)
    return counts.agreeing(squared), counts.sums(squared @ (totals / totals.sum()))


def _by_points(counts: Counts, points: Floats) -> tuple[Floats, Floats]:
    """The same from sums of points and squared points."""
    total = float(counts.weights @ counts.sizes)
    apart, to_all = np.zeros(counts.n_patterns), np.zeros(counts.n_patterns)
    for axis in points:
        s, q = counts.sums(axis), counts.sums(axis**2)
        mean, square = float(counts.weights @ s) / total, float(counts.weights @ q) / total
        apart += 2 * (counts.sizes * q - s**2)
        to_all += q - 2 * mean * s + square * counts.sizes
    return apart, to_all
