"""How many units, or raters, for an interval of a given width?

The data at hand (a pilot study) stand for the population: samples of other sizes are drawn from it with
replacement, and the width is that of the middle 95 % of the coefficient over these samples. Widths shrink with the
square root of the size, so the search starts from width · √size = constant and is then settled by simulation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Literal

import numpy as np

from assent.engines.tally import Tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.spec import DEFAULTS, Options
from assent.progress import Progress, silent
from assent.uncertainty.bootstrap import MOST_UNDEFINED, tail_shares
from assent.uncertainty.intervals import quantiles
from assent.uncertainty.request import check_resampling
from assent.uncertainty.resampling import Sampling, rater_values, raters_to_draw, unit_values

LARGEST = 10_000_000  # sizes beyond this are not searched
STEPS = 20  # rounds of the search at most; it ends earlier when the answer is known to one per cent


@dataclass(frozen=True, kw_only=True)
class Step:
    """A size that was simulated and the width found there; None if too many samples of that size are undefined."""

    size: int
    width: float | None

    def is_within(self, width: float) -> bool:
        """Whether the interval is narrow enough."""
        return self.width is not None and self.width <= width


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """The smallest size found whose interval is no wider than asked for."""

    measure: str
    of: Literal["units", "raters"]
    size: int
    width: float | None
    asked_width: float
    confidence: float
    value: float
    now: int
    now_width: float | None
    steps: tuple[Step, ...]
    resamples: int
    seed: int


def plan(
    data: Tally,
    key: str,
    *,
    width: float,
    of: Literal["units", "raters"] = "units",
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int,
    options: Options = DEFAULTS,
    progress: Progress = silent,
) -> Recommendation:
    """The number of units (or raters) with which the interval of a measure is `width` wide."""
    if not 0 < width < 2:
        raise InputError(f"an interval cannot be {width:g} wide", hint="ask for a width between 0 and 2, such as 0.1")
    check_resampling(confidence=confidence, resamples=resamples, seed=seed)
    measure = find_measure(key)
    value = float(evaluate(measure, data, options))
    sampling = Sampling(measure=measure, data=data, options=options)
    simulate = _simulator(sampling, of, confidence=confidence, resamples=resamples, seed=seed)
    now = round(float(sampling.weights.sum())) if of == "units" else len(raters_to_draw(sampling))
    smallest = 2 if of == "units" else 3
    steps = _search(simulate, now, width, smallest, progress)
    best = _smallest(steps, width, of)
    return Recommendation(
        measure=key,
        of=of,
        size=best.size,
        width=best.width,
        asked_width=width,
        confidence=confidence,
        value=value,
        now=now,
        now_width=steps[0].width,
        steps=tuple(sorted(steps, key=lambda step: step.size)),
        resamples=resamples,
        seed=seed,
    )


def _smallest(steps: Sequence[Step], width: float, of: str) -> Step:
    """The smallest size with an interval narrow enough."""
    best = min((step for step in steps if step.is_within(width)), key=lambda step: step.size, default=None)
    if best is None:
        largest = max(step.size for step in steps)
        what = f"no number of {of} up to {largest:,} gives an interval {width:g} wide"
        raise InputError(what, hint="ask for a wider interval")
    return best


def _simulator(
    sampling: Sampling, of: Literal["units", "raters"], *, confidence: float, resamples: int, seed: int
) -> Callable[[int], float | None]:
    """A function from a size to the simulated width; None where too many samples are undefined."""
    shares = tail_shares(confidence)

    def simulate(size: int) -> float | None:
        if of == "units":
            values = unit_values(sampling, resamples=resamples, seed=seed, n_units=size)
        else:
            values = rater_values(sampling, resamples=resamples, seed=seed, n_raters=size)
        defined = values[~np.isnan(values)]
        if len(defined) < (1 - MOST_UNDEFINED) * resamples:
            return None
        return float(np.ptp(quantiles(defined, shares)))

    return simulate


def _search(
    simulate: Callable[[int], float | None], now: int, width: float, smallest: int, progress: Progress
) -> list[Step]:
    """Sizes around the answer: the square-root law guesses, the bracket between too wide and narrow enough shrinks."""
    steps = [Step(size=now, width=simulate(now))]
    if steps[0].is_within(1e-12):
        raise InputError("all samples of these data give the same value", hint="a plan needs data with disagreements")
    for done in range(STEPS):
        guess = _next_size(steps, width, smallest)
        if guess is None:
            break
        steps.append(Step(size=guess, width=simulate(guess)))
        progress(done + 1, STEPS)
    return steps


def _next_size(steps: list[Step], width: float, smallest: int) -> int | None:
    """The next size to try; None when the bracket is within one per cent, or nothing is left to try."""
    wide = max((step.size for step in steps if not step.is_within(width)), default=smallest - 1)
    narrow = min((step.size for step in steps if step.is_within(width)), default=LARGEST + 1)
    if narrow - wide <= max(1, narrow // 100):
        return None
    guess = ceil(_by_law(steps, width))
    if narrow > LARGEST:
        return min(max(guess, ceil(1.1 * wide)), LARGEST)
    return guess if wide < guess < narrow else (wide + narrow) // 2


def _by_law(steps: list[Step], width: float) -> float:
    """The size by the square-root law, from the width nearest to the one asked for; twice the size if none is known."""
    known = [(step.size, step.width) for step in steps if step.width is not None]
    if not known:
        return 2.0 * max(step.size for step in steps)
    size, found = min(known, key=lambda one: abs(log(max(one[1], 1e-12) / width)))
    return size * (found / width) ** 2
