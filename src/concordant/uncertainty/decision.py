"""The decision study: how many raters and units a reliability takes, and what they cost.

Of values that can be averaged it is the reliability of the mean of k raters, from variance components (Brennan 2001);
of categories that of the distribution of k raters' answers, k alpha / (1 + (k - 1) alpha): nominal alpha is the
intraclass correlation of the answers written as zeros and ones. Intervals are those of a study of so many units with
raters and holes as in the data.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any

import numpy as np

from concordant.arrays import Floats
from concordant.engines.tally import Tally
from concordant.errors import InputError, nearest
from concordant.measures.dependability import (
    DIFFERENCES,
    LEVELS,
    N_DRAWS,
    Design,
    dependability,
    generalizability,
)
from concordant.measures.evaluation import evaluate
from concordant.measures.krippendorff import alpha
from concordant.measures.result import Agreement
from concordant.measures.spec import DEFAULTS, Measure
from concordant.measures.three_way import squares_of
from concordant.progress import Progress, silent
from concordant.randomness import draw_seed, generator
from concordant.uncertainty.intervals import quantiles, tail_shares
from concordant.uncertainty.request import check_resampling
from concordant.uncertainty.resampling import Sampling, resampled

GOALS: dict[str, tuple[Measure[Any], Design | None]] = {
    dependability.key: (dependability, LEVELS),
    generalizability.key: (generalizability, DIFFERENCES),
    alpha.key: (alpha, None),
}
USUAL_GOAL = 0.8
MOST_RATERS = 10  # rows of the table, unless it takes more
TIMES = (0.5, 1, 2, 4)  # as many units as now


@dataclass(frozen=True, kw_only=True)
class DecisionRow:
    """So many raters for each of so many units: the reliability, its interval, and the cost."""

    raters: int
    units: int
    reliability: float
    low: float | None
    high: float | None
    cost: float

    @property
    def width(self) -> float | None:
        """High end minus low end."""
        return None if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True, kw_only=True)
class DecisionStudy:
    """The table, and the answers: the fewest raters per unit, and the cheapest rows that reach the goal.

    `cheapest` reaches it with the value, `safest` with the low end of the interval as well; None if no row does.
    """

    measure: str
    name: str
    goal: float
    one: Agreement
    needed: int | None
    now_raters: float
    now_units: int
    rows: tuple[DecisionRow, ...]
    cheapest: DecisionRow | None
    safest: DecisionRow | None
    cost_unit: float
    cost_rater: float
    confidence: float
    seed: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The study as JSON shows it."""
        rows = [{**asdict(row), "width": row.width} for row in self.rows]
        return {**asdict(self), "one": self.one.to_dict(), "rows": rows}

    @property
    def verdict(self) -> str:
        """The answer in a sentence or two."""
        first = f"{self.name}: one rater {self.one.value:.2f}"
        if self.needed is None:
            return f"{first}; units do not differ, so no number of raters reaches {self.goal:g}."
        many = "1 rater per unit reaches" if self.needed == 1 else f"{self.needed:,} raters per unit reach"
        return f"{first}; {many} {self.goal:g}."


def decide(
    data: Tally,
    measure: str | None = None,
    *,
    goal: float = USUAL_GOAL,
    raters: Sequence[int] = (),
    units: Sequence[int] = (),
    cost_unit: float = 0.0,
    cost_rater: float = 1.0,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int | None = None,
    progress: Progress = silent,
) -> DecisionStudy:
    """A decision study of judgements; without a measure dependability, or alpha where values cannot be averaged.

    A row costs units · (cost_unit + raters · cost_rater): `cost_rater` is that of one rater's judgement of one unit.
    """
    drawn = draw_seed() if seed is None else seed
    _check(goal, cost_unit, cost_rater, raters, units)
    check_resampling(confidence=confidence, resamples=resamples, seed=drawn)
    key = measure or (dependability.key if not dependability.problems(data) else alpha.key)
    if key not in GOALS:
        raise InputError(f"no decision study of {key!r}", hint=nearest(key, list(GOALS)))
    chosen, design = GOALS[key]
    one = evaluate(chosen, data, DEFAULTS, confidence=confidence)
    value = float(one)
    needed = ceil(goal / (1 - goal) * (1 - value) / value - 1e-9) if value > 0 else None
    most = min(2 * (needed or MOST_RATERS) + 1, MOST_RATERS)
    ks = sorted({*raters} or {*range(1, most + 1), needed or most})
    now = one.n_units
    sizes = sorted({*units} or {max(2, round(now * times)) for times in TIMES})
    rows = []
    for done, size in enumerate(sizes):
        values = _drawn(data, chosen, design, size / now, drawn, resamples)
        for k in ks:
            low, high = _ends(values, k, confidence)
            cost, mean = size * (cost_unit + k * cost_rater), float(of_mean(np.array(value), k))
            rows.append(DecisionRow(raters=k, units=size, reliability=mean, low=low, high=high, cost=cost))
        progress(done + 1, len(sizes))
    return DecisionStudy(
        measure=key,
        name=chosen.name,
        goal=goal,
        one=one,
        needed=None if needed is None else max(1, needed),
        now_raters=one.n_judgements / now / one.details.get("n_questions", 1),
        now_units=now,
        rows=tuple(rows),
        cheapest=_cheapest([row for row in rows if row.reliability >= goal - 1e-12]),
        safest=_cheapest([row for row in rows if row.low is not None and row.low >= goal]),
        cost_unit=cost_unit,
        cost_rater=cost_rater,
        confidence=confidence,
        seed=drawn,
        notes=one.notes,
    )


def of_mean(one: Floats, k: float) -> Floats:
    """The reliability of the mean of k raters from that of one, by Spearman and Brown's formula.

    The formula has no meaning below zero (of -.5 it makes 2.5 for five raters): what one rater does not tell apart,
    several do not either.

    >>> of_mean(np.array([-0.5, 0.0, 0.5]), 5).round(3).tolist(), float(of_mean(np.array(-1.0), 1))
    ([0.0, 0.0, 0.833], -1.0)
    """
    if k <= 1:
        return one
    some = np.maximum(one, 0.0)
    mean: Floats = k * some / (1 + (k - 1) * some)
    return mean


def _cheapest(rows: Sequence[DecisionRow]) -> DecisionRow | None:
    """The row that costs least, with the fewest raters among equals."""
    return min(rows, key=lambda row: (row.cost, row.raters), default=None)


def _check(goal: float, cost_unit: float, cost_rater: float, raters: Sequence[int], units: Sequence[int]) -> None:
    """Refuse what cannot be meant."""
    if not 0 < goal < 1:
        raise InputError(f"a reliability of {goal:g} cannot be reached", hint="give a goal between 0 and 1, such as .8")
    if cost_unit < 0 or cost_rater < 0 or cost_unit + cost_rater <= 0:
        raise InputError("costs must not be negative, nor all of them zero")
    if any(k < 1 for k in raters) or any(n < 2 for n in units):
        raise InputError("a study has at least one rater for each of two units")


def _drawn(data: Tally, chosen: Measure[Any], design: Design | None, times: float, seed: int, resamples: int) -> Floats:
    """Draws of the reliability of one rater in a study with so many times the units."""
    sampling = Sampling(measure=chosen, data=data, options=DEFAULTS)
    n = float(sampling.times.sum())
    if data.scale.asked and sampling.bundles is not None:
        hint = "draw every unit alone (cluster none), or plan for one question"
        raise InputError("with several questions only units that stand alone can be planned for", hint=hint)
    if design is None or sampling.bundles is not None:
        return resampled(sampling, over="units", resamples=resamples, seed=seed, size=max(2, round(n * times)))
    squares = squares_of(data.scores.reweighted(data.scores.weights * times))
    return design.reliability(squares.draws(generator(seed), N_DRAWS), 1)


def _ends(values: Floats, k: int, confidence: float) -> tuple[float | None, float | None]:
    """The ends of the interval of the mean of k raters."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None, None
    low, high = quantiles(of_mean(defined, k), tail_shares(confidence))
    return float(low), float(high)
