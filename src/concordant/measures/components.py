"""Variance components of units × raters in any design, with holes and unequal numbers: y = mean + unit + rater + rest.

Restricted maximum likelihood from Henderson's (1953, 1975) equations: the units are eliminated, what is left is as wide
as there are raters, and the likelihood is a function of two ratios of standard deviations, unit / rest and rater /
rest. Weights may have leading axes, so that a bootstrap is one call. In a complete design the components are those of
the mean squares wherever none of these is negative.

Crowds of raters, whose equations would not fit, have the components of the mean squares.

Intervals come from generalized pivots (Tsui & Weerahandi 1989; Weerahandi 1993): three sums of squares (units given
raters, raters given units, rest: Henderson III) over chi-square draws give draws of the components, and so of any
function of them. In a balanced design that is exact for normal data, in others an approximation.
"""

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.views import Scores, add_up, ratio

MOST_RATERS = 1500  # beyond them the equations take too long, and the components are those of the mean squares
TABLE_CELLS = 1 << 22  # products of pattern incidences are kept up to this size
FAR = 12.0  # arsinh of the largest ratio of standard deviations: beyond it nothing is left of the rest
STEP = 1e-5
ROUNDS = 40
HALVINGS = 12  # of a step that leads up
SETTLED = 1e-9  # a step that changes nothing any more
NO_REST = 1e-9  # the share of the squares below which raters and units explain everything
STARTS = (0.3, 1.0, 2.5)
UNKNOWN = np.array(np.nan)


@dataclass(frozen=True, kw_only=True, eq=False)
class Components:
    """Variances between units, between raters, and of the rest; NaN where all scores are the same."""

    units: Floats
    raters: Floats
    rest: Floats

    def reliability(self, k: Floats | float = 1, *, absolute: bool = True) -> Floats:
        """Of the mean of k raters: σ_u² / (σ_u² + (σ_r² + σ_e²) / k); without σ_r² where only differences count."""
        return ratio(self.units, self.units + self.noise(absolute=absolute) / k)

    def noise(self, *, absolute: bool = True) -> Floats:
        """The variance of one judgement of a unit."""
        return self.raters + self.rest if absolute else self.rest


class Equations:
    """Henderson's equations of some scores; rows of weights are solved together."""

    def __init__(self, data: Scores, *, with_raters: bool = True) -> None:
        """Sum up what does not depend on the ratios. Without raters their differences belong to the rest."""
        self.data, self.free = data, np.array([1.0, 1.0 if with_raters else 0.0])
        n_patterns, n_raters = data.weights.shape[-1], len(data.raters)
        points = data.points - data.points.flat[0]  # large scores lose no digits
        self.n = add_up(data.pattern, np.ones(len(points)), n_patterns)
        self.sums, self.squares = (add_up(data.pattern, each, n_patterns) for each in (points, points**2))
        self.weights = data.weights.reshape(-1, n_patterns)
        self.total = self.weights @ self.n
        self.seen, self.given = (self._table(each, n_raters) for each in (np.ones(len(points)), points))
        self.per_rater, self.by_rater = (np.asarray(self.weights @ each) for each in (self.seen, self.given))

    def _table(self, amounts: Floats, n_raters: int) -> Any:
        """Patterns × raters, sparse where most of it is empty."""
        from scipy.sparse import csr_array

        shape = (len(self.n), n_raters)
        sparse = csr_array((amounts, (self.data.pattern, self.data.rater)), shape=shape)
        return sparse.toarray() if len(amounts) > 0.1 * shape[0] * shape[1] else sparse

    @cached_property
    def _products(self) -> Floats | None:
        """Which two raters meet in each pattern, flat; None where that is too much to keep."""
        n_patterns, n_raters = self.seen.shape
        if n_patterns * n_raters**2 > TABLE_CELLS or not isinstance(self.seen, np.ndarray):
            return None
        return np.asarray((self.seen[:, :, None] * self.seen[:, None, :]).reshape(n_patterns, -1))

    def meetings(self, shares: Floats) -> Floats:
        """(rows, raters, raters): the sum of a pattern's share over the patterns that both judged."""
        if len(shares) > 1 and self._products is not None:
            width = self.seen.shape[1]
            return np.asarray((shares @ self._products).reshape(len(shares), width, width))
        each = [self.seen.T @ (self.seen * row[:, None]) for row in shares]
        return np.array([one if isinstance(one, np.ndarray) else one.toarray() for one in each])

    def only(self, rows: NDArray[np.bool_]) -> "Equations":
        """Those of some rows of weights."""
        if rows.all():
            return self
        part = copy(self)
        for name in ("weights", "total", "per_rater", "by_rater"):
            setattr(part, name, getattr(self, name)[rows])
        return part

    def solve(self, place: Floats) -> "Solution":
        """The equations at arsinh of the ratios of standard deviations."""
        u, r = np.sinh(np.clip(place * self.free, -FAR, FAR)).T[:, :, None]
        left = self.weights / (1 + u**2 * self.n)
        taken = left * u**2
        width = self.seen.shape[1]
        inside, raters = slice(1, 1 + width), np.arange(1, 1 + width)
        matrix = np.zeros((len(u), 2 + width, 2 + width))  # the right side is a last row, so one factor has all
        matrix[:, inside, inside] = -self.meetings(taken)
        matrix[:, raters, raters] += self.per_rater
        matrix[:, inside, inside] *= r[:, :, None] ** 2
        matrix[:, raters, raters] += 1
        matrix[:, 0, 0], matrix[:, -1, 0] = left @ self.n, left @ self.sums
        matrix[:, inside, 0] = r * np.asarray(left @ self.seen)
        matrix[:, -1, inside] = r * (self.by_rater - np.asarray((taken * self.sums) @ self.seen))
        square = self.weights @ self.squares - taken @ self.sums**2
        matrix[:, -1, -1] = 2 * square + 1
        factor = np.linalg.cholesky(matrix)
        rest = np.maximum(square - (factor[:, -1, :-1] ** 2).sum(axis=1), 0.0) / (self.total - 1)
        size = (self.weights * np.log1p(u**2 * self.n)).sum(axis=1)
        size += 2 * np.log(np.diagonal(factor, axis1=1, axis2=2)[:, :-1]).sum(axis=1)
        return Solution(equations=self, units=u, raters=r, rest=rest, size=size, factor=factor)


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """Henderson's equations solved for some ratios of standard deviations, a row for each."""

    equations: Equations
    units: Floats
    raters: Floats
    rest: Floats
    size: Floats
    factor: Floats

    @property
    def criterion(self) -> Floats:
        """-2 · the restricted log-likelihood, the variance of the rest at its best."""
        left = self.equations.total - 1
        with np.errstate(divide="ignore"):
            return np.asarray(left * (np.log(self.rest) + 1 + np.log(2 * np.pi)) + self.size)

    def slope(self) -> Floats:
        """(rows, 2): how the criterion rises with arsinh of both ratios.

        For log γ, a ratio of variances, it is q - tr C - v'v / σ²: q effects v in units of their standard deviation,
        C σ² the variance of their errors.
        """
        at, u, r = self.equations, self.units, self.raters
        found, raters = self._effects()
        around = np.linalg.inv(self.factor[:, :-1, :-1])
        errors = around.transpose(0, 2, 1) @ around
        shrunk = 1 / (1 + u**2 * at.n)
        units = u * shrunk * (at.sums - at.n * found[:, :1] - np.asarray(at.seen @ raters.T).T)
        share = at.weights * u**2 * shrunk**2
        of_raters = errors[:, 1:, 1:]
        error = (at.weights * shrunk).sum(axis=1) + errors[:, 0, 0] * (share @ at.n**2)
        error += 2 * (errors[:, 0, 1:] * r * np.asarray((share * at.n) @ at.seen)).sum(axis=1)
        error += (r[:, :, None] ** 2 * of_raters * at.meetings(share)).sum(axis=(1, 2))
        per_unit = at.weights.sum(axis=1) - error - (at.weights * units**2).sum(axis=1) / self.rest
        diagonal = np.diagonal(of_raters, axis1=1, axis2=2)
        per_rater = (1 - diagonal).sum(axis=1) - (found[:, 1:] ** 2).sum(axis=1) / self.rest
        rises = np.stack([per_unit, per_rater * at.free[1]], axis=1)
        place = np.concatenate([u, r], axis=1)
        return np.asarray(2 * rises * np.sqrt(1 + place**2) / np.where(place == 0, 1, place))

    def _effects(self) -> tuple[Floats, Floats]:
        """The mean with the raters' standardized effects, and these as they are."""
        known, back = self.factor[:, :-1, :-1].transpose(0, 2, 1), self.factor[:, -1, :-1, None]
        found = np.asarray(np.linalg.solve(known, back)[:, :, 0], dtype=np.float64)
        return found, np.asarray(self.raters * found[:, 1:])

    def components(self) -> Floats:
        """(3, rows): the variances; what is nothing beside the rest is 0."""
        of_units, of_raters = (np.where(one[:, 0] ** 2 > 1e-10, one[:, 0] ** 2, 0) for one in (self.units, self.raters))
        return np.stack([of_units * self.rest, of_raters * self.rest, self.rest])

    def exact_components(self) -> Floats:
        """(3, rows): the variances where units and raters explain everything, so that their effects are known."""
        at, (found, raters) = self.equations, self._effects()
        off = at.sums - at.n * found[:, :1] - np.asarray(at.seen @ raters.T).T
        units = self.units**2 / (1 + self.units**2 * at.n) * off
        seen = (at.per_rater > 0) * at.free[1]
        return np.stack([_spread(units, at.weights), _spread(raters, seen), np.zeros(len(units))])


def reml(data: Scores, *, with_raters: bool = True) -> Components:
    """The components by restricted maximum likelihood, for each row of weights; of crowds those of the mean squares."""
    if is_crowded(data):
        return of_mean_squares(data, with_raters=with_raters)
    at = Equations(data, with_raters=with_raters)
    shape, n = data.weights.shape[:-1], len(at.weights)
    free_rest = at.total - at.weights.sum(axis=1) - at.free[1] * ((at.per_rater > 0).sum(axis=1) - 1)
    squares, found = at.weights @ at.squares, np.full((3, n), np.nan)
    spread = squares - (at.weights @ at.sums) ** 2 / np.maximum(at.total, 1)
    is_spread = (spread > 1e-20 * squares) & (at.weights.sum(axis=1) > 1) & (free_rest >= 1)
    if is_spread.any():
        some = at.only(is_spread)
        far = some.solve(np.full((len(some.weights), 2), FAR))
        exact = far.rest * (some.total - 1) <= NO_REST * spread[is_spread]
        known = far.exact_components() if exact.any() else np.zeros((3, len(exact)))
        if not exact.all():
            left = some.only(~exact)
            known[:, ~exact] = left.solve(minimum(left)).components()
        found[:, is_spread] = known
    units, raters, rest = (row.reshape(shape) for row in found)
    return Components(units=units, raters=raters, rest=rest)


def is_crowded(data: Scores) -> bool:
    """Whether the raters are too many for maximum likelihood."""
    return len(data.raters) > MOST_RATERS


def of_mean_squares(data: Scores, *, with_raters: bool = True) -> Components:
    """The components that the mean squares have on average (Henderson III), at least 0, for each row of weights."""
    shape, rows = data.weights.shape[:-1], data.weights.reshape(-1, data.weights.shape[-1])
    each = [vars(sums_of_squares(data.reweighted(row), with_raters=with_raters).components()) for row in rows]
    return Components(**{name: np.reshape([one[name] for one in each], shape) for name in each[0]})


def _spread(effects: Floats, weights: Floats) -> Floats:
    """The variance of known effects, each as often as its weight says; beside a mean they add to 0."""
    return np.asarray((weights * effects**2).sum(axis=1) / np.maximum(weights.sum(axis=1) - 1, 1))


def minimum(at: Equations) -> Floats:
    """Where the criterion is least, for every row of weights: the best of a few starts, then Newton's steps.

    The criterion is even in both ratios, so that the border at 0 is a smooth place too.
    """
    n = len(at.weights)
    starts = np.array([np.tile([a, b], (n, 1)) for a in STARTS for b in STARTS])
    values = np.array([at.solve(start).criterion for start in starts])
    place, value = starts[values.argmin(axis=0), np.arange(n)], values.min(axis=0)
    moving = np.ones(n, dtype=bool)
    for _ in range(ROUNDS):
        some = at.only(moving)
        move, here, left = newton_step(some, place[moving]), value[moving], HALVINGS
        up = np.ones(len(here), dtype=bool)
        move *= 2
        while up.any() and left:  # halve the steps that lead up
            move[up] /= 2
            tried = np.clip(place[moving] + move, -FAR, FAR)
            there = some.solve(tried).criterion
            up = there > here + 1e-10 * np.abs(here)  # more than rounding
            left -= 1
        place[moving] = np.where(up[:, None], place[moving], tried)
        value[moving] = np.where(up, here, there)
        moving[moving] = np.abs(move).max(axis=1) > SETTLED
        if not moving.any():
            break
    return np.asarray(place, dtype=np.float64)


def newton_step(at: Equations, place: Floats) -> Floats:
    """Newton's step downwards, never longer than 1."""
    here, *there = (at.solve(place + way).slope() for way in ((0, 0), (STEP, 0), (0, STEP)))
    bend = (np.stack(there, axis=2) - here[:, :, None]) / STEP
    sizes, axes = np.linalg.eigh((bend + bend.transpose(0, 2, 1)) / 2)
    along = np.einsum("nij,ni->nj", axes, here) / np.maximum(np.abs(sizes), 1e-3)
    move = -np.einsum("nij,nj->ni", axes, along)
    return np.asarray(move / np.maximum(1, np.linalg.norm(move, axis=1))[:, None])


@dataclass(frozen=True, kw_only=True)
class Squares:
    """Sums of squares of units given raters, raters given units, and the rest, with their degrees of freedom.

    `times_units` and `times_raters` say how often the component is in the mean square besides the rest. `heavy` is the
    excess kurtosis of the units' means, at least 0.
    """

    n_units: float
    units: float
    raters: float
    rest: float
    free_units: float
    free_raters: float
    free_rest: float
    times_units: float
    times_raters: float
    heavy: float

    def components(self) -> Components:
        """The components that would give these mean squares; one below 0 is 0."""
        if self.free_rest < 1 or not self.rest + self.units + self.raters:
            return Components(units=UNKNOWN, raters=UNKNOWN, rest=UNKNOWN)
        rest = np.asarray(self.rest / self.free_rest)
        raters = (self.raters / self.free_raters - rest) / self.times_raters if self.free_raters else 0.0
        units = (self.units / self.free_units - rest) / self.times_units
        return Components(units=np.maximum(units, 0.0), raters=np.maximum(raters, 0.0), rest=rest)

    def draws(self, random: np.random.Generator, n: int) -> Components:
        """Draws of the components from their pivots.

        Heavy tails leave the units fewer degrees of freedom: 2 / (2 / (n - 1) + g / n), since a variance varies more.
        """
        free = 2 / (2 / self.free_units + self.heavy / self.n_units)
        rest = self.rest / random.chisquare(self.free_rest, n)
        units = self.units / self.free_units * free / random.chisquare(free, n)
        raters = np.zeros(n)
        if self.free_raters:
            raters = np.maximum((self.raters / random.chisquare(self.free_raters, n) - rest) / self.times_raters, 0)
        return Components(units=np.maximum((units - rest) / self.times_units, 0), raters=raters, rest=rest)


def sums_of_squares(data: Scores, *, with_raters: bool = True) -> Squares:
    """Henderson III; without raters the one-way analysis of variance, whose rest holds their differences."""
    at = Equations(data)
    w, (total,), per_rater = data.weights, at.total, at.per_rater[0]
    seen = per_rater > 0
    n_units, n_raters = float(w.sum()), float(seen.sum())
    mean = float(w @ at.sums) / total
    sums, points = at.sums - mean * at.n, float(w @ (at.squares - 2 * mean * at.sums + mean**2 * at.n))
    given = at.by_rater[0][seen] - mean * per_rater[seen]
    between = float(w @ (sums**2 / at.n))
    level = np.zeros(len(seen))
    level[seen] = given / per_rater[seen]
    heavy = excess_kurtosis((sums - np.asarray(at.seen @ level)) / at.n, w)  # of means without the raters' levels
    how: dict[str, float] = {"n_units": n_units, "free_units": n_units - 1, "heavy": heavy}
    if not with_raters:
        times = (total - float(w @ at.n**2) / total) / (n_units - 1)
        how |= {"units": between, "raters": 0.0, "rest": max(points - between, 0.0), "times_units": times}
        return Squares(**how, free_raters=0.0, free_rest=total - n_units, times_raters=1.0)
    aside = given - np.asarray((w * sums / at.n) @ at.seen)[seen]
    raters = float(effects_of_raters(at, seen, aside) @ aside)
    how |= {"units": between + raters - float((given**2 / per_rater[seen]).sum()), "raters": raters}
    how |= {"times_units": (total - n_raters) / (n_units - 1), "times_raters": (total - n_units) / (n_raters - 1)}
    rest = max(points - between - raters, 0.0)
    return Squares(**how, rest=rest, free_raters=n_raters - 1, free_rest=total - n_units - n_raters + 1)


def effects_of_raters(at: Equations, seen: NDArray[np.bool_], aside: Floats) -> Floats:
    """The raters' levels given the units, by least squares; they add to 0. NaN if that cannot be solved.

    Crowds meet rarely, so that their equations are multiplied out of who judged what (conjugate gradients).
    """
    share, judged = at.weights[0] / at.n, at.per_rater[0][seen]
    if len(seen) <= MOST_RATERS:
        inner = np.diag(at.per_rater[0]) - at.meetings(share[None])[0]
        return np.asarray(np.linalg.solve(inner[np.ix_(seen, seen)] + 1 / len(judged), aside))  # else singular by one
    from scipy.sparse.linalg import LinearOperator, cg

    who = at.seen[:, np.flatnonzero(seen)]
    size = (len(judged), len(judged))
    times = LinearOperator(
        size, lambda x: judged * x - who.T @ (share * (who @ x)) + x.sum() / len(judged), dtype=float
    )
    found, failed = cg(times, aside, rtol=1e-12, M=LinearOperator(size, lambda x: x / judged, dtype=float))
    return np.where(failed, np.nan, found)


def excess_kurtosis(values: Floats, weights: Floats) -> float:
    """Fisher's unbiased estimate, at least 0; 0 for fewer than four values or for equal ones."""
    n = float(weights.sum())
    off = values - weights @ values / n
    second, fourth = float(weights @ off**2) / n, float(weights @ off**4) / n
    if n < 4 or second <= 0:
        return 0.0
    return max(0.0, (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (fourth / second**2 - 3) + 6))


def parts_apart(data: Scores) -> list[tuple[tuple[str, ...], NDArray[np.int64]]]:
    """The parts of a design that share neither a unit nor a rater: who judged, and which patterns; largest first."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_patterns, size = data.weights.shape[-1], data.weights.shape[-1] + len(data.raters)
    meets = coo_array((np.ones(len(data.pattern)), (data.pattern, n_patterns + data.rater)), shape=(size, size))
    _, label = connected_components(meets, directed=False)
    parts = []
    for one in np.unique(label[:n_patterns]):
        patterns = np.flatnonzero(label[:n_patterns] == one)
        who = np.flatnonzero(label[n_patterns:] == one)
        parts.append((tuple(data.raters[rater] for rater in who), patterns))
    return sorted(parts, key=lambda part: -float(data.weights[..., part[1]].sum()))
