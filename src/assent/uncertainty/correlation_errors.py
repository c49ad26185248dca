"""Published intervals of correlations between two raters.

Pearson: Fisher's z (1921). Spearman: the same with the error of Bonett & Wright (2000). Lin's concordance: Lin's error
of z (1989, with the correction of 2000). Gamma, tau-b, tau-c and Somers' d: the delta method on the table of both
raters' values (Goodman & Kruskal 1972; Brown & Benedetti 1977): if the coefficient is N / M, each unit of cell (i, j)
moves it by (dN M - N dM) / M².
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assent.arrays import Floats
from assent.engines.views import Pairs
from assent.measures.result import Interval
from assent.uncertainty.intervals import t_interval

ALMOST_ONE = 1 - 1e-12  # beyond it Fisher's z is rounding error
MOST_CELLS = 1 << 22  # cells of a table of both raters' values


def fisher_interval(value: float, error: float, *, confidence: float, method: str) -> Interval | None:
    """tanh(atanh(value) ± quantile · error); None if the value is ±1, where Fisher's z is infinite."""
    if abs(value) > ALMOST_ONE or not np.isfinite(error):
        return None
    on_z = t_interval(float(np.arctanh(value)), error, float("inf"), confidence=confidence, method=method)
    return Interval(low=float(np.tanh(on_z.low)), high=float(np.tanh(on_z.high)), level=confidence, method=method)


def pearson_interval(pair: Pairs, value: float, confidence: float) -> Interval | None:
    """Fisher's z has the error 1 / √(n - 3)."""
    error = _root(1 / (_n_units(pair) - 3)) if _n_units(pair) > 3 else float("inf")
    return fisher_interval(value, error, confidence=confidence, method="Fisher's z (Fisher 1921)")


def spearman_interval(pair: Pairs, value: float, confidence: float) -> Interval | None:
    """Fisher's z has the error √((1 + ρ²/2) / (n - 3)) for ranks."""
    error = _root((1 + value**2 / 2) / (_n_units(pair) - 3)) if _n_units(pair) > 3 else float("inf")
    return fisher_interval(value, error, confidence=confidence, method="Fisher's z for ranks (Bonett & Wright 2000)")


def _root(number: float) -> float:
    return float(np.sqrt(number))


def _n_units(pair: Pairs) -> float:
    """Units that both raters judged."""
    return float(pair.n_units[0])


def lin_interval(pair: Pairs, value: float, confidence: float) -> Interval | None:
    """Lin's error of z from r, the concordance c and the shift of location u = (m_x - m_y) / √(s_x s_y)."""
    x, y = pair.scores()
    w = pair.weights[pair.pattern]
    n = float(w.sum())
    shift = float(w @ (x - y)) / n
    dx, dy = x - float(w @ x) / n, y - float(w @ y) / n
    s_xx, s_yy, s_xy = float(w @ dx**2) / n, float(w @ dy**2) / n, float(w @ (dx * dy)) / n
    if n < 3 or s_xy == 0 or abs(value) > ALMOST_ONE:
        return None
    r, u2, c, room = s_xy / _root(s_xx * s_yy), shift**2 / _root(s_xx * s_yy), value, 1 - value**2
    variance = (1 - r**2) * c**2 / (room * r**2)
    variance += (2 * c**3 * (1 - c) * u2 / r - c**4 * u2**2 / (2 * r**2)) / room**2
    method = "Fisher's z (Lin 1989, corrected 2000)"
    return fisher_interval(value, _root(max(variance, 0.0) / (n - 2)), confidence=confidence, method=method)


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


def _order(table: Floats) -> Order:
    """Count for each cell the units below right and above left of it, and those below left and above right."""
    before = np.zeros((table.shape[0] + 1, table.shape[1] + 1))
    before[1:, 1:] = table.cumsum(axis=0).cumsum(axis=1)
    total, rows, columns = before[-1, -1], before[:, -1:], before[-1:, :]
    above_left = before[:-1, :-1]
    below_right = total - rows[1:] - columns[:, 1:] + before[1:, 1:]
    above_right = rows[:-1] - before[:-1, 1:]
    below_left = columns[:, :-1] - before[1:, :-1]
    return Order(table=table, same=above_left + below_right, opposite=above_right + below_left)


def _gamma(order: Order) -> tuple[float, Floats]:
    both = order.same + order.opposite
    return float((order.table * both).sum()), 2 * both


def _tau_b(order: Order) -> tuple[float, Floats]:
    (first, first_moves), (second, second_moves) = order.untied(1), order.untied(0)
    root = _root(first * second)
    return root, (second * first_moves + first * second_moves) / (2 * root)


def _tau_c(order: Order) -> tuple[float, Floats]:
    fewest = min(int((order.table.sum(axis=axis) > 0).sum()) for axis in (0, 1))
    share = (fewest - 1) / fewest
    return order.n**2 * share, np.full(order.table.shape, 2 * order.n * share)


def _somers(order: Order) -> tuple[float, Floats]:
    (first, first_moves), (second, second_moves) = order.untied(1), order.untied(0)
    return (first + second) / 2, (first_moves + second_moves) / 2


DENOMINATORS: dict[str, Callable[[Order], tuple[float, Floats]]] = {
    "gk_gamma": _gamma,
    "tau_b": _tau_b,
    "tau_c": _tau_c,
    "somers_d": _somers,
}


def order_error(key: str, pair: Pairs) -> float:
    """The asymptotic standard error of gamma, tau-b, tau-c or Somers' d."""
    order = _order(pair.tables()[0])
    below, below_moves = DENOMINATORS[key](order)
    each = (2 * (order.same - order.opposite) * below - order.surplus * below_moves) / below**2
    return _root(float((order.table * each**2).sum()))
