"""Published standard errors that several measures share.

Chance-corrected agreement: Gwet's linearised variance (2008, 2014), for any number of raters and missing judgements. It
is the spread of what each unit contributes to the coefficient:

    κ_i = (n / n') (a_i - A_e) / (1 - A_e) - (1 - κ) dA_e_i / (1 - A_e)        variance = sum_i (κ_i - κ)² / (n (n - 1))

n' units of n have two judgements or more; a_i is the share of agreeing pairs in unit i (0 without a pair, and A_e is
then not subtracted), dA_e_i how unit i moves the expected agreement.

Correlations between two raters. Pearson: Fisher's z (1921). Spearman: the same with the error of Bonett & Wright
(2000). Lin's concordance: Lin's error of z (1989, with the correction of 2000). Gamma, tau-b, tau-c and Somers' d: the
delta method on the table of both raters' values (Goodman & Kruskal 1972; Brown & Benedetti 1977): if the coefficient is
N / M, each unit of cell (i, j) moves it by (dN M - N dM) / M².
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from concordant.arrays import Floats
from concordant.engines.views import Counts, Pairs
from concordant.measures.spec import Computed, Error, StandardError


def unpublished(found: Computed) -> str:
    """In which case no variance is published; empty if there is one."""
    if found.data.n_paired < 2:
        return f"no published interval for {found.key} of one unit"
    if found.setting.options.weight != "units":
        return f"no published interval for {found.key} weighted by judgements"
    return ""


def paired(counts: Counts) -> Counts:
    """Without units that have one judgement."""
    return counts.reweighted(counts.weights * counts.is_paired)


def linearised(found: Computed, counts: Counts, closeness: Floats, moves: Floats | float = 0.0) -> Error:
    """Gwet's standard error; `moves` is dA_e_i per pattern, 0 where no unit moves the expected agreement."""
    if why := unpublished(found):
        return why
    n, paired = float(counts.weights.sum()), counts.is_paired
    n_paired = float(counts.weights @ paired)
    share = np.divide(counts.agreeing(closeness), counts.pairs, out=np.zeros_like(counts.pairs), where=paired)
    each = (n / n_paired * (share - found.expected * paired) - (1 - found.value) * moves) / (1 - found.expected)
    return gwet_error(counts.weights, each - found.value)


def gwet_error(weights: Floats, off: Floats) -> StandardError:
    """The error from how far off the coefficient each unit is."""
    n = float(weights.sum())
    variance = float(weights @ off**2) / (n * (n - 1))
    moved = np.where(weights > 0, off / n, 0.0)
    source = "linearised variance (Gwet 2014)"
    return StandardError(error=float(np.sqrt(variance)), freedom=n - 1, source=source, influence=moved)


def category_shares(counts: Counts) -> Floats:
    """Patterns × categories: the share of a unit's judgements in each category."""
    matrix = np.zeros((counts.n_patterns, counts.n_categories))
    np.add.at(matrix, (counts.pattern, counts.code), counts.n)
    return np.asarray(matrix / np.maximum(counts.sizes, 1)[:, None])


MOST_CELLS = 1 << 22  # cells of a table of both raters' values
GOODMAN_KRUSKAL = "asymptotic standard error (Goodman & Kruskal 1972; Brown & Benedetti 1977)"


Variance = Callable[[Pairs, float, float], float]
Finder = Callable[[Computed], Error]


def _on_z(source: str, *, least: int) -> Callable[[Variance], Finder]:
    """Of a variance of Fisher's z its error, infinite with fewer units than `least`."""

    def wrap(variance: Variance) -> Finder:
        def error(found: Computed) -> Error:
            pair = found.data.pairs
            if len(pair.pairs) != 1:
                return f"no published interval for the mean of {found.key} over rater pairs"
            n = float(pair.n_units[0])
            spread = float(np.sqrt(variance(pair, n, found.value))) if n >= least else float("inf")
            return StandardError(error=spread, freedom=float("inf"), source=source, on_z=True)

        return error

    return wrap


@_on_z("Fisher's z (Fisher 1921)", least=4)
def pearson_error(pair: Pairs, n: float, value: float) -> float:
    """1 / (n - 3)."""
    return 1 / (n - 3)


@_on_z("Fisher's z for ranks (Bonett & Wright 2000)", least=4)
def spearman_error(pair: Pairs, n: float, value: float) -> float:
    """(1 + ρ²/2) / (n - 3)."""
    return (1 + value**2 / 2) / (n - 3)


@_on_z("Fisher's z (Lin 1989, corrected 2000)", least=3)
def lin_error(pair: Pairs, n: float, c: float) -> float:
    """From r, the concordance c and the shift of location u = (m_x - m_y) / √(s_x s_y)."""
    x, y = pair.scores()
    w = pair.weights[pair.pattern]
    shift = float(w @ (x - y)) / n
    dx, dy = x - float(w @ x) / n, y - float(w @ y) / n
    s_xx, s_yy, s_xy = float(w @ dx**2) / n, float(w @ dy**2) / n, float(w @ (dx * dy)) / n
    room = 1 - c**2
    if s_xy == 0 or room == 0:
        return float("inf")
    root = float(np.sqrt(s_xx * s_yy))
    r, u2 = s_xy / root, shift**2 / root
    variance = (1 - r**2) * c**2 / (room * r**2)
    variance += (2 * c**3 * (1 - c) * u2 / r - c**4 * u2**2 / (2 * r**2)) / room**2
    return max(variance, 0.0) / (n - 2)


@dataclass(frozen=True, kw_only=True)
class Order:
    """Of a table: units in the same (P) and opposite (Q) order, per cell and as sums over units; margins; units."""

    table: Floats
    same: Floats
    opposite: Floats

    @property
    def n(self) -> float:
        """Units."""
        return float(self.table.sum())

    @property
    def surplus(self) -> float:
        """P - Q: twice the concordant minus twice the discordant pairs."""
        return float((self.table * (self.same - self.opposite)).sum())

    def untied(self, axis: int) -> tuple[float, Floats]:
        """n² - sum of squared totals of one rater, and how a unit of each cell moves it."""
        totals = self.table.sum(axis=axis, keepdims=True)
        moves = np.broadcast_to(2 * (self.n - totals), self.table.shape)
        return self.n**2 - float((totals**2).sum()), np.asarray(moves)


def _of_order(below: Callable[[Order], tuple[float, Floats]]) -> Finder:
    """The asymptotic error of (P - Q) / M; `below` gives M and how a unit of each cell moves it."""

    def error(found: Computed) -> Error:
        pair = found.data.pairs
        if len(pair.pairs) != 1:
            return f"no published interval for the mean of {found.key} over rater pairs"
        if found.data.scale.is_continuous or pair.n_categories**2 > MOST_CELLS:
            return f"no interval for {found.key} of so many different values"
        table = pair.tables()[0]
        before = np.zeros((table.shape[0] + 1, table.shape[1] + 1))
        before[1:, 1:] = table.cumsum(axis=0).cumsum(axis=1)
        total, rows, columns = before[-1, -1], before[:, -1:], before[-1:, :]
        above_left = before[:-1, :-1]
        below_right = total - rows[1:] - columns[:, 1:] + before[1:, 1:]
        above_right = rows[:-1] - before[:-1, 1:]
        below_left = columns[:, :-1] - before[1:, :-1]
        order = Order(table=table, same=above_left + below_right, opposite=above_right + below_left)
        whole, moves = below(order)
        each = (2 * (order.same - order.opposite) * whole - order.surplus * moves) / whole**2
        spread = float(np.sqrt((order.table * each**2).sum()))
        return StandardError(error=spread, freedom=float("inf"), source=GOODMAN_KRUSKAL)

    return error


@_of_order
def gamma_error(order: Order) -> tuple[float, Floats]:
    """P + Q."""
    both = order.same + order.opposite
    return float((order.table * both).sum()), 2 * both


@_of_order
def tau_b_error(order: Order) -> tuple[float, Floats]:
    """√ of the product of what the raters did not tie."""
    (first, first_moves), (second, second_moves) = order.untied(1), order.untied(0)
    root = float(np.sqrt(first * second))
    return root, (second * first_moves + first * second_moves) / (2 * root)


@_of_order
def tau_c_error(order: Order) -> tuple[float, Floats]:
    """n² (m - 1) / m, m the smaller number of values used."""
    fewest = min(int((order.table.sum(axis=axis) > 0).sum()) for axis in (0, 1))
    share = (fewest - 1) / fewest
    return order.n**2 * share, np.full(order.table.shape, 2 * order.n * share)


@_of_order
def somers_error(order: Order) -> tuple[float, Floats]:
    """The mean of what the raters did not tie."""
    (first, first_moves), (second, second_moves) = order.untied(1), order.untied(0)
    return (first + second) / 2, (first_moves + second_moves) / 2
