"""Other samples like the one at hand: units or raters drawn again, written as weights.

A resample of units is a vector that says how often each pattern was drawn; a measure computes a whole block of
them in one call. Resamples of raters say how often each rater was drawn, and nobody is ever paired with their
own copy. Blocks are sized by memory. Every row comes from the generator in order, so the size of the blocks
does not change the numbers; nor does the order of rows in the file, for patterns and raters have an order of their own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.engines.patterns import Patterns
from assent.engines.tally import Tally
from assent.engines.views import Counts, Pairs, count_view
from assent.errors import InputError
from assent.measures.evaluation import resample, reweighted
from assent.measures.spec import Measure, Options
from assent.progress import Progress, silent
from assent.randomness import generator

Over = Literal["units", "raters", "both"]
BLOCK_CELLS = 1 << 19  # numbers in one block of weights: small enough to stay in the processor's cache


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """A measure with the data it is computed on again and again."""

    measure: Measure[Any]
    data: Tally
    options: Options

    @property
    def view(self) -> Any:
        """The view of the data that the measure looks at."""
        return self.measure.look(self.data)

    @property
    def weights(self) -> Floats:
        """How many units have each pattern of the view."""
        return np.asarray(self.view.weights)

    def values(self, weights: Floats) -> Floats:
        """The measure for each row of weights, NaN where it is undefined."""
        return resample(self.measure, reweighted(self.view, weights), self.data, self.options)

    def block_rows(self) -> int:
        """How many resamples are computed at once."""
        size = len(self.weights)
        if self.measure.view == "pairs":
            size = max(size, len(self.view.pattern), len(self.view.pairs) * self.view.n_categories)
        return max(1, BLOCK_CELLS // max(size, 1))


def draw_units(weights: Floats, n_units: int, generator: np.random.Generator, rows: int) -> Floats:
    """`rows` samples of `n_units` units drawn with replacement: how often each pattern was drawn.

    A multinomial draw per sample; where patterns are hardly fewer than units it is quicker to draw the units.
    """
    total = round(float(weights.sum()))
    if n_units > 4 * len(weights):
        return generator.multinomial(n_units, weights / total, size=rows).astype(np.float64)
    owner = np.repeat(np.arange(len(weights)), weights.astype(np.int64))
    places = owner[generator.integers(0, total, (rows, n_units))] + len(weights) * np.arange(rows)[:, np.newaxis]
    drawn = np.bincount(places.reshape(-1), minlength=rows * len(weights))
    return drawn.reshape(rows, len(weights)).astype(np.float64)


def unit_values(
    sampling: Sampling, *, resamples: int, seed: int, n_units: int | None = None, progress: Progress = silent
) -> Floats:
    """The measure on `resamples` samples of units, each as large as the data unless `n_units` says otherwise."""
    weights, random = sampling.weights, generator(seed)
    size = n_units or round(float(weights.sum()))
    parts = []
    for start, rows in _blocks(resamples, sampling.block_rows()):
        parts.append(sampling.values(draw_units(weights, size, random, rows)))
        progress(start + rows, resamples)
    return np.concatenate(parts)


def _blocks(total: int, rows: int) -> Iterator[tuple[int, int]]:
    """(start, length) of consecutive blocks."""
    return ((start, min(rows, total - start)) for start in range(0, total, rows))


def rater_values(
    sampling: Sampling,
    *,
    resamples: int,
    seed: int,
    with_units: bool = False,
    n_raters: int | None = None,
    progress: Progress = silent,
) -> Floats:
    """The measure on samples of raters drawn with replacement (and of units too, if `with_units`)."""
    used, compute, random = raters_to_draw(sampling), rater_computer(sampling), generator(seed)
    weights = sampling.data.patterns.weights
    n_units = round(float(weights.sum()))
    values = np.empty(resamples)
    for row in range(resamples):
        drawn = np.zeros(len(sampling.data.raters))
        drawn[used] = random.multinomial(n_raters or len(used), np.full(len(used), 1 / len(used)))
        units = draw_units(weights, n_units, random, 1)[0] if with_units else weights
        values[row] = compute(drawn, units)
        progress(row + 1, resamples)
    return values


def raters_to_draw(sampling: Sampling) -> NDArray[np.int64]:
    """The raters with judgements in the order of their names; fewer than three say nothing about other raters."""
    raters = sampling.data.raters
    used = sorted(np.unique(sampling.data.patterns.rater).tolist(), key=lambda place: raters[place])
    if len(used) < 3:
        raise InputError(f"raters cannot be resampled: there are {len(used)}", hint="resample units instead")
    return np.array(used, dtype=np.int64)


def rater_computer(sampling: Sampling) -> Callable[[Floats, Floats], float]:
    """A function from rater weights and unit weights to the measure."""
    if sampling.measure.view == "pairs":
        view = sampling.view
        return lambda raters, units: _number(sampling, _weighted_pairs(view, raters, units))
    if sampling.measure.view == "counts":
        draw = _count_drawer(sampling.data.patterns, sampling.data.positions)
        return lambda raters, units: _number(sampling, draw(raters, units))
    raise InputError(
        f"raters cannot be resampled for {sampling.measure.key}",
        hint="a rater's copy would agree with itself; resample units instead",
    )


def _number(sampling: Sampling, view: Any) -> float:
    """The measure of one reweighted view."""
    return float(resample(sampling.measure, view, sampling.data, sampling.options))


def _weighted_pairs(view: Pairs, raters: Floats, units: Floats) -> Pairs:
    """Rater pairs as often as both were drawn."""
    return view.with_rater_weights(raters).reweighted(units)


def _count_drawer(patterns: Patterns, positions: Floats) -> Callable[[Floats, Floats], Counts]:
    """A function from rater weights and unit weights to the counts; the patterns are sorted only once."""
    if patterns.code.dtype.kind == "f":
        return lambda raters, units: _judged_only(count_view(replace(patterns, weights=units), positions, raters))
    cell, inverse = np.unique(patterns.pattern * len(positions) + patterns.code, return_inverse=True)
    entry = inverse.reshape(-1)
    plain = count_view(patterns, positions, np.ones(int(patterns.rater.max(initial=-1)) + 1))

    def draw(raters: Floats, units: Floats) -> Counts:
        drawn = raters[patterns.rater]
        n: Floats = np.bincount(entry, weights=drawn, minlength=len(cell)).astype(np.float64)
        own: Floats = np.bincount(entry, weights=drawn**2, minlength=len(cell)).astype(np.float64)
        return _judged_only(replace(plain, n=n, own=own, weights=units))

    return draw


def _judged_only(counts: Counts) -> Counts:
    """Units that none of the drawn raters judged have no weight."""
    return counts.reweighted(counts.weights * (counts.sizes > 0))
