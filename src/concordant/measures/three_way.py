"""Variance components of units × raters × questions in any design, with holes and unequal numbers.

    y = question + unit + rater + unit·question + rater·question + unit·rater + rest

The questions are those that were asked (their means are fixed), units and raters are drawn from many like them. The
components are found by restricted maximum likelihood (Patterson & Thompson 1971): the judgements of one unit have a
covariance of their own, what raters add is as wide as there are raters with a question. Units that were asked the same
of the same raters are added up first, so that the likelihood does not take longer with more of them.

Intervals come from generalized pivots (Tsui & Weerahandi 1989; Weerahandi 1993) of six sums of squares (Henderson III):
each term given all that do not contain it. What they hold on average is linear in the components. In a complete design
they are those of the analysis of variance (Brennan 2001) and independent; in others that is an approximation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.crossing import Crossing
from concordant.engines.views import Scores, ratio
from concordant.errors import InputError
from concordant.measures.components import FAR, NO_REST, Squares, excess_kurtosis, sums_of_squares

TERMS = ("units", "raters", "unit_questions", "rater_questions", "unit_raters", "rest")
OF_UNITS = ("units", "unit_questions", "unit_raters")  # what the judgements of one unit share
MOST_CELLS = 1500  # raters with a question: beyond them the equations take too long
CHUNK = 1 << 22  # numbers in one block of products
STEP = 1e-4
ELSEWHERE = 1.0  # another place to start from
Shared = Literal["nothing", "raters", "cells"]


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossedComponents:
    """Variances between units, raters, their interactions with questions and each other, and of the rest."""

    units: Floats
    raters: Floats
    unit_questions: Floats
    rater_questions: Floats
    unit_raters: Floats
    rest: Floats
    n_questions: int

    def true(self) -> Floats:
        """The variance between units in their means over these questions."""
        return self.units + self.unit_questions / self.n_questions

    def noise(self, *, absolute: bool = True) -> Floats:
        """The variance of one rater's mean over these questions about a unit."""
        level = self.raters + self.rater_questions / self.n_questions if absolute else 0.0
        return level + self.unit_raters + self.rest / self.n_questions

    def reliability(self, k: Floats | float = 1, *, absolute: bool = True) -> Floats:
        """Of the mean of k raters over these questions; without raters' levels where only differences count."""
        return self._share(self.true(), self.true() + self.noise(absolute=absolute) / k)

    def for_others(self, k: Floats | float = 1, *, absolute: bool = True) -> Floats:
        """Of the same mean, for what other questions like these would say: what units show in these alone is error."""
        return self._share(self.units, self.true() + self.noise(absolute=absolute) / k)

    @staticmethod
    def _share(part: Any, whole: Any) -> Floats:
        return ratio(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))


class Block(NamedTuple):
    """Units with so many judgements, those of the same cells as one row: how many, their sums and products."""

    cells: NDArray[np.int64]
    n: Floats
    sums: Floats
    products: Floats
    alike: dict[str, Floats]  # which two judgements of a unit share each of its terms


class Blocks:
    """The judgements of some units, added up by which rater was asked which question."""

    def __init__(self, data: Scores, crossing: Crossing) -> None:
        """Add up; the mean of each question is taken off first, which changes nothing and keeps the digits."""
        self.crossing, self.weights = crossing, data.weights
        if len(crossing.rater) > MOST_CELLS:
            what = f"{len(crossing.rater):,} raters with a question are more than {MOST_CELLS:,}"
            raise InputError(what, hint="measure one question, or fewer raters")
        asked, often = crossing.question[data.rater], data.weights[data.pattern]
        size = crossing.n_questions
        total, number = (np.bincount(asked, weights=each, minlength=size) for each in (often * data.points, often))
        self.points = data.points - (total / np.maximum(number, 1))[asked]
        self.data, self.n, self.spread = data, float(often.sum()), float(often @ self.points**2)
        self.blocks = [*self._added_up()]

    def _added_up(self) -> Iterator[Block]:
        sizes = np.bincount(self.data.pattern, minlength=len(self.weights))
        for size in np.unique(sizes[self.weights > 0]).tolist():
            kept = (sizes == size) & (self.weights > 0)
            entry, weights = kept[self.data.pattern], self.weights[kept]
            who, said = (each[entry].reshape(-1, size) for each in (self.data.rater, self.points))
            cells, row = np.unique(who, axis=0, return_inverse=True)
            row, products = row.reshape(-1), np.zeros((len(cells), size, size))
            sums = np.zeros(cells.shape)
            np.add.at(sums, row, weights[:, None] * said)
            step = max(1, CHUNK // size**2)
            for at in range(0, len(said), step):
                some = slice(at, at + step)
                np.add.at(products, row[some], (weights[some, None] * said[some])[:, :, None] * said[some, None, :])
            n = np.bincount(row, weights=weights, minlength=len(cells)).astype(np.float64)
            yield Block(cells=cells, n=n, sums=sums, products=products, alike=self._alike(cells))

    def _alike(self, cells: NDArray[np.int64]) -> dict[str, Floats]:
        asked, who = self.crossing.question[cells], self.crossing.rater[cells]
        same = {name: (each[:, :, None] == each[:, None, :]) for name, each in (("q", asked), ("r", who))}
        ones = np.ones(same["q"].shape)
        return {"units": ones, "unit_questions": same["q"].astype(float), "unit_raters": same["r"].astype(float)}

    @cached_property
    def by_question(self) -> Floats:
        """Cells × questions."""
        return np.asarray(np.eye(self.crossing.n_questions)[self.crossing.question])

    @cached_property
    def by_rater(self) -> Floats:
        """Cells × raters."""
        return np.asarray(np.eye(self.crossing.n_raters)[self.crossing.rater])

    def in_cells(self, parts: Sequence[Floats]) -> Floats:
        """What each block holds for every two of its cells, added up as cells × cells."""
        width = len(self.crossing.rater)
        total = np.zeros((width, width))
        for block, part in zip(self.blocks, parts, strict=True):
            np.add.at(total, (block.cells[:, :, None], block.cells[:, None, :]), part)
        return total

    def by_cell(self, parts: Sequence[Floats]) -> Floats:
        """What each block holds for its cells, added up."""
        total = np.zeros(len(self.crossing.rater))
        for block, part in zip(self.blocks, parts, strict=True):
            np.add.at(total, block.cells, part)
        return total

    def solve(self, place: Floats) -> tuple[float, float]:
        """-2 · the restricted log-likelihood and the variance of the rest, the other variances sinh² of that · it."""
        u, uq, ur, r, rq = np.sinh(np.clip(place, -FAR, FAR)) ** 2
        inverses, size, square = [], 0.0, 0.0
        for block in self.blocks:
            inside = np.eye(block.cells.shape[1]) + u * block.alike["units"]
            inside = inside + uq * block.alike["unit_questions"] + ur * block.alike["unit_raters"]
            factor = np.linalg.cholesky(inside)
            size += 2 * float(block.n @ np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(axis=1))
            inverse = np.linalg.inv(inside)
            square += float((inverse * block.products).sum())
            inverses.append(inverse)
        held = zip(inverses, self.blocks, strict=True)
        given = self.by_cell([np.einsum("dij,dj->di", inverse, block.sums) for inverse, block in held])
        held = zip(inverses, self.blocks, strict=True)
        met = self.in_cells([inverse * block.n[:, None, None] for inverse, block in held])
        width = self.crossing.n_questions
        columns = np.hstack([self.by_question, np.sqrt(r) * self.by_rater, np.sqrt(rq) * np.eye(len(met))])
        matrix = columns.T @ met @ columns
        matrix[np.diag_indices(len(matrix))] += np.arange(len(matrix)) >= width
        lower = np.linalg.cholesky(matrix)
        shift = np.linalg.solve(lower, columns.T @ given)
        rest = max((square - float(shift @ shift)) / (self.n - width), 1e-300)
        size += 2 * float(np.log(np.diagonal(lower)).sum())
        return float((self.n - width) * (np.log(rest) + 1 + np.log(2 * np.pi)) + size), rest

    def left_over(self, of_units: Sequence[str], shared: Shared) -> "LeftOver":
        """What is left of the squares when some terms have explained what they can, and what it holds on average."""
        away, rank = [], 0.0
        for block in self.blocks:
            one = np.zeros((len(block.cells), block.cells.shape[1], 0))
            span = np.concatenate([one, *(block.alike[name] for name in of_units)], axis=2)
            onto = span @ np.linalg.pinv(span, rcond=1e-10) if span.shape[2] else np.zeros(block.products.shape)
            rank += float(block.n @ np.trace(onto, axis1=1, axis2=2))
            away.append(np.eye(block.cells.shape[1]) - onto)
        held = [*zip(away, self.blocks, strict=True)]
        met = self.in_cells([out * block.n[:, None, None] for out, block in held])
        given = self.by_cell([np.einsum("dij,dj->di", out, block.sums) for out, block in held])
        columns = {"nothing": met[:, :0], "raters": self.by_rater, "cells": np.eye(len(met))}[shared]
        inner = columns.T @ met @ columns
        back = columns @ np.linalg.pinv(inner, rcond=1e-10, hermitian=True) @ columns.T if columns.shape[1] else 0 * met
        squares = sum(float((out * block.products).sum()) for out, block in held) - float(given @ back @ given)
        traces = []
        for name in OF_UNITS:
            kept = [out @ block.alike[name] @ out * block.n[:, None, None] for out, block in held]
            plain = sum(float(np.trace(part, axis1=1, axis2=2).sum()) for part in kept)
            traces.append(plain - float((back * self.in_cells(kept)).sum()))
        both = (self.by_rater @ self.by_rater.T, np.eye(len(met)))
        traces += [float((met * alike).sum() - (back * (met @ alike @ met)).sum()) for alike in both]
        free = self.n - rank - float(np.trace(back @ met))
        units, unit_questions, unit_raters, raters, rater_questions = traces
        return LeftOver(squares, free, np.array([units, raters, unit_questions, rater_questions, unit_raters, free]))


class LeftOver(NamedTuple):
    """A sum of squares, its degrees of freedom, and how much of each component (in the order of `TERMS`) it holds."""

    squares: float
    free: float
    holds: Floats

    def without(self, other: "LeftOver") -> "LeftOver":
        """What is left over here but no longer there."""
        return LeftOver(self.squares - other.squares, self.free - other.free, self.holds - other.holds)


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossedSquares:
    """Six sums of squares in the order of `TERMS`, their degrees of freedom, and what they hold on average.

    `heavy` is the excess kurtosis of the units' means, at least 0.
    """

    squares: Floats
    free: Floats
    holds: Floats
    n_units: float
    n_questions: int
    heavy: float

    @property
    def rest(self) -> float:
        """The squares that nothing explains."""
        return float(self.squares[-1])

    @property
    def free_rest(self) -> float:
        """Their degrees of freedom; 0 where the terms cannot be told apart."""
        return float(self.free[-1]) if (self.free > 0.5).all() else 0.0

    def _solved(self, means: Floats) -> CrossedComponents:
        """The components that would give these mean squares, each at least 0; one set for each row."""
        found = np.linalg.solve(self.holds / self.free[:, None], means.T)
        named: Any = dict(zip(TERMS, np.maximum(found, 0.0), strict=True))
        return CrossedComponents(**named, n_questions=self.n_questions)

    def components(self) -> CrossedComponents:
        """The components of the mean squares."""
        return self._solved(self.squares / self.free)

    def draws(self, random: np.random.Generator, n: int) -> CrossedComponents:
        """Draws of the components from their pivots; heavy tails leave the units fewer degrees of freedom."""
        free = self.free.copy()
        free[0] = 2 / (2 / self.free[0] + self.heavy / self.n_units)
        chance = random.chisquare(free, (n, len(free))) / free
        return self._solved(self.squares / self.free / chance)


def crossed_squares(data: Scores, crossing: Crossing) -> CrossedSquares:
    """The sums of squares of Henderson III: each term given those that do not contain it."""
    at = Blocks(data, crossing)
    rest = at.left_over(("unit_questions", "unit_raters"), "cells")
    of_raters = at.left_over(("unit_questions",), "raters")
    found = [
        at.left_over((), "cells").without(at.left_over(("units",), "cells")),
        at.left_over(("unit_questions",), "nothing").without(of_raters),
        at.left_over(("unit_raters",), "cells").without(rest),
        at.left_over(("unit_questions", "unit_raters"), "nothing").without(rest),
        at.left_over(("unit_questions",), "cells").without(rest),
        rest,
    ]
    noise = NO_REST * max(at.spread, 1e-300)
    squares = np.array([max(one.squares, 0.0) if one.squares > noise else 0.0 for one in found])
    return CrossedSquares(
        squares=squares,
        free=np.array([one.free for one in found]),
        holds=np.array([one.holds for one in found]),
        n_units=float(data.weights.sum()),
        n_questions=crossing.n_questions,
        heavy=_heavy(at),
    )


def squares_of(data: Scores, *, with_raters: bool = True) -> Squares | CrossedSquares:
    """The sums of squares that pivots are made of."""
    if data.crossing is not None:
        return crossed_squares(data, data.crossing)
    return sums_of_squares(data, with_raters=with_raters)


def _heavy(at: Blocks) -> float:
    """The excess kurtosis of the units' means without the levels of raters and questions."""
    data, size = at.data, len(at.weights)
    often = at.weights[data.pattern]
    total, number = (
        np.bincount(data.rater, weights=each, minlength=len(at.crossing.rater)) for each in (often * at.points, often)
    )
    off = at.points - (total / np.maximum(number, 1e-300))[data.rater]
    n = np.maximum(np.bincount(data.pattern, minlength=size), 1)
    return excess_kurtosis(np.bincount(data.pattern, weights=off, minlength=size) / n, at.weights)


def crossed_reml(data: Scores, crossing: Crossing) -> CrossedComponents | None:
    """The components by restricted maximum likelihood; None where they cannot be told apart."""
    from scipy.optimize import minimize

    squares = crossed_squares(data, crossing)
    if squares.free_rest < 1:
        return None
    start = squares.components()
    if not squares.rest:  # raters differ in nothing but level: the squares are the components
        return start
    at = Blocks(data, crossing)
    ratios = [getattr(start, name) / start.rest for name in (*OF_UNITS, "raters", "rater_questions")]
    starts = [np.arcsinh(np.sqrt(np.maximum(np.array(ratios), 0.01))), np.full(len(ratios), ELSEWHERE)]

    def criterion(place: Floats) -> float:
        return at.solve(place)[0]

    how: dict[str, Any] = {"jac": lambda place: _slope(at, place), "method": "BFGS"}
    tried: list[Any] = [minimize(criterion, one, **how) for one in starts]
    best = min(tried, key=lambda one: float(one.fun)).x
    rest = at.solve(best)[1]
    share = np.sinh(np.clip(best, -FAR, FAR)) ** 2
    units, unit_questions, unit_raters, raters, rater_questions = np.where(share > 1e-8, share, 0.0) * rest
    return CrossedComponents(
        units=units,
        raters=raters,
        unit_questions=unit_questions,
        rater_questions=rater_questions,
        unit_raters=unit_raters,
        rest=np.asarray(rest),
        n_questions=crossing.n_questions,
    )


def _slope(at: Blocks, place: Floats) -> Floats:
    """How the criterion rises, by central differences."""
    ways = STEP * np.eye(len(place))
    return np.array([at.solve(place + way)[0] - at.solve(place - way)[0] for way in ways]) / (2 * STEP)
