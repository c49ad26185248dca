"""Other samples like the one at hand: units or raters drawn again or left out, written as weights.

A resample of units is a vector that says how often each pattern was drawn; a measure computes a whole block of them
in one call. Units that belong together are drawn together: then the vector says how often each bundle of patterns was
drawn, and units are clusters of one. Resamples of raters say how often each rater was drawn, and nobody is ever
paired with their own copy. Blocks are sized by memory. Every row comes from the generator in order, so the size of
the blocks does not change the numbers; nor does the order of rows in the file, for patterns and raters have an order
of their own.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.bundles import Bundles
from concordant.engines.patterns import Patterns
from concordant.engines.views import Counts, count_view
from concordant.errors import InputError
from concordant.measures.evaluation import resample
from concordant.measures.spec import Measure
from concordant.progress import Progress, silent
from concordant.randomness import generator

Over = Literal["units", "raters", "both"]
BLOCK_CELLS = 1 << 17  # numbers in one block of weights, 1 MB: it stays in the processor's cache and no page is new
CACHED = 1 << 17  # units that are drawn at once


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """A measure with the data it is computed on again and again."""

    measure: Measure[Any]
    data: Any
    options: Any

    @property
    def view(self) -> Any:
        """The view of the data that the measure looks at."""
        return self.measure.look(self.data)

    @property
    def weights(self) -> Floats:
        """How many units have each pattern of the view."""
        return np.asarray(self.view.weights)

    @cached_property
    def bundles(self) -> Bundles | None:
        """The clusters of units as they are in the view; None if every unit stands alone."""
        bundles: Bundles | None = getattr(self.data, "bundles", None)
        place = self.view.place if bundles is not None else None
        return bundles if bundles is None or place is None else bundles.moved(place)

    @property
    def times(self) -> Floats:
        """How many of what is drawn are alike: units of a pattern, or clusters of a bundle."""
        return self.weights if self.bundles is None else self.bundles.times

    @property
    def over(self) -> str:
        """What is drawn, in words: units, or 876 texts (1,293 units)."""
        if self.bundles is None:
            return str(self.data.unit)
        words = "units with a question" if "units" in self.bundles.name else "units"
        return f"{self.bundles.n_clusters:,} {self.bundles.name} ({round(float(self.weights.sum())):,} {words})"

    def alone(self) -> "Sampling":
        """The same with every unit standing alone."""
        return replace(self, data=replace(self.data, bundles=None)) if self.bundles is not None else self

    def drawn(self, times: Floats) -> Floats:
        """The measure if what is drawn is drawn so often, NaN where it is undefined."""
        return self.values(times if self.bundles is None else self.bundles.weights(times, len(self.weights)))

    def left_after(self, groups: Sequence[NDArray[np.int64]]) -> Floats:
        """How many units of each pattern are left without each of some groups of what is drawn."""
        group, member = np.repeat(np.arange(len(groups)), [len(one) for one in groups]), np.concatenate(groups)
        shape = (len(groups), len(self.weights))
        if self.bundles is None:
            place = group * len(self.weights) + member
            return self.weights - np.bincount(place, minlength=math.prod(shape)).reshape(shape)
        return self.bundles.weights(self.times, len(self.weights)) - self.bundles.gathered(group, member, shape)

    def values(self, weights: Floats) -> Floats:
        """The measure for each row of weights, NaN where it is undefined."""
        return resample(self.measure, self.view.reweighted(weights), self.data, self.options)

    def block_rows(self) -> int:
        """How many resamples are computed at once."""
        size = max(len(self.weights), len(self.times))
        if self.measure.view == "pairs":
            size = max(size, len(self.view.pattern), len(self.view.pairs) * self.view.n_categories)
        return max(1, BLOCK_CELLS // max(size, 1))


def draw_units(
    weights: Floats, n_units: int, generator: np.random.Generator, rows: int, *, multinomial: bool = False
) -> Floats:
    """`rows` samples of `n_units` units drawn with replacement: how often each pattern was drawn.

    A multinomial draw per sample; where patterns are hardly fewer than units it is quicker to draw the units, unless
    it is to be `multinomial`.
    """
    total = round(float(weights.sum()))
    if multinomial or n_units > 4 * len(weights):
        return generator.multinomial(n_units, weights / total, size=rows).astype(np.float64)
    owner = np.repeat(np.arange(len(weights), dtype=np.int32), weights.astype(np.int64))
    drawn, step = np.empty((rows, len(weights))), max(1, CACHED // max(n_units, len(weights)))
    for start in range(0, rows, step):  # in 32 bits and a few rows at a time: the same draws, in the processor's cache
        n = min(step, rows - start)
        places = owner[generator.integers(0, total, (n, n_units), dtype=np.int32)]
        places += len(weights) * np.arange(n, dtype=np.int32)[:, np.newaxis]
        drawn[start : start + n] = np.bincount(places.reshape(-1), minlength=n * len(weights)).reshape(n, -1)
    return drawn


def resampled(
    sampling: Sampling, *, over: Over, resamples: int, seed: int, size: int | None = None, progress: Progress = silent
) -> Floats:
    """The measure on samples of units, raters or both, drawn with replacement; NaN where it is undefined.

    A sample has as many units (or clusters of them, or raters) as the data unless `size` says otherwise. With both, a
    pair of judgements weighs as often as its unit and both its raters were drawn (McCullagh 2000; Owen 2007). A draw of
    one rater only is drawn again.
    """
    random = generator(seed)
    if over == "units":
        weights, parts = sampling.times, []
        n_units, block = size or round(float(weights.sum())), sampling.block_rows()
        multinomial = sampling.data.kind != "judgements"  # sentences were always drawn so, and their signatures hold
        for start in range(0, resamples, block):
            rows = min(block, resamples - start)
            parts.append(sampling.drawn(draw_units(weights, n_units, random, rows, multinomial=multinomial)))
            progress(start + rows, resamples)
        return np.concatenate(parts)
    used, compute, weights = raters_to_draw(sampling), rater_computer(sampling), sampling.data.patterns.weights
    bundles, values, again = sampling.data.bundles, np.empty(resamples), generator(seed, 1)
    times = weights if bundles is None else bundles.times
    n_units = round(float(times.sum()))
    for row in range(resamples):
        drawn = np.zeros(len(sampling.data.raters))
        drawn[used] = random.multinomial(size or len(used), np.full(len(used), 1 / len(used)))
        while np.count_nonzero(drawn) < 2:  # nobody to be paired with
            drawn[used] = again.multinomial(size or len(used), np.full(len(used), 1 / len(used)))
        units = draw_units(times, n_units, random, 1)[0] if over == "both" else weights
        if over == "both" and bundles is not None:
            units = bundles.weights(units, len(weights))
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
    """A function from rater weights and unit weights to the measure; the patterns are sorted only once."""
    view, patterns, positions = sampling.view, sampling.data.patterns, sampling.data.positions
    if sampling.measure.view == "pairs":

        def draw(raters: Floats, units: Floats) -> Any:
            return view.with_rater_weights(raters).reweighted(units)

    elif sampling.measure.view != "counts":
        raise InputError(
            f"raters cannot be resampled for {sampling.measure.key}",
            hint="a rater's copy would agree with itself; resample units instead",
        )
    elif patterns.code.dtype.kind == "f":

        def draw(raters: Floats, units: Floats) -> Any:
            return _judged_only(count_view(replace(patterns, weights=units), positions, raters))

    else:
        cell, inverse = np.unique(patterns.pattern * len(positions) + patterns.code, return_inverse=True)
        entry = inverse.reshape(-1)
        plain = count_view(patterns, positions, np.ones(int(patterns.rater.max(initial=-1)) + 1))

        def draw(raters: Floats, units: Floats) -> Any:
            drawn = raters[patterns.rater]
            n, own = (np.bincount(entry, weights=w, minlength=len(cell)).astype(float) for w in (drawn, drawn**2))
            return _judged_only(replace(plain, n=n, own=own, weights=units))

    return lambda raters, units: float(resample(sampling.measure, draw(raters, units), sampling.data, sampling.options))


def _judged_only(counts: Counts) -> Counts:
    """Units that none of the drawn raters judged have no weight."""
    return counts.reweighted(counts.weights * (counts.sizes > 0))


MOST_GROUPS = 2000


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Values without each group: `times` groups of `size` units (or raters) each give the same value."""

    values: Floats
    size: Floats
    times: Floats

    @property
    def total(self) -> float:
        """All units (or raters)."""
        return float(self.size @ self.times)

    @property
    def n_groups(self) -> float:
        """How many groups are left out in turn."""
        return float(self.times.sum())


def leave_out(sampling: Sampling, *, over: Over, most: int | None = None) -> LeftOut:
    """The value without one unit of each pattern or one of `most` random groups of units, or without each rater."""
    if over == "raters":
        used, compute, units = raters_to_draw(sampling), rater_computer(sampling), sampling.data.patterns.weights
        everybody = np.zeros(len(sampling.data.raters))
        everybody[used] = 1
        without = [compute(everybody * (np.arange(len(everybody)) != rater), units) for rater in used]
        return LeftOut(values=np.array(without), size=np.ones(len(used)), times=np.ones(len(used)))
    weights, rows, most = sampling.times, sampling.block_rows(), most or MOST_GROUPS
    n = len(weights)
    if n <= most:
        parts = [sampling.drawn(weights - np.eye(n)[i : i + rows]) for i in range(0, n, rows)]
        return LeftOut(values=np.concatenate(parts), size=np.ones(n), times=weights)
    owner = np.repeat(np.arange(n), weights.astype(np.int64))  # the units, each written as its pattern
    groups = np.array_split(generator(0).permutation(owner), most)  # nearly equal, the same every time
    parts = []
    for i in range(0, most, rows):
        parts.append(sampling.values(sampling.left_after(groups[i : i + rows])))
    size = np.array([len(group) for group in groups], dtype=np.float64)
    return LeftOut(values=np.concatenate(parts), size=size, times=np.ones(most))


def shuffled_clusters(
    apart: Patterns, cluster: NDArray[np.int64], raters: Sequence[int], random: np.random.Generator
) -> Iterator[Patterns]:
    """The same units, each rater's judgements in other places, again and again.

    What a rater said of a cluster goes, in any order, to another cluster of which they judged as many units.
    """
    mine = [np.flatnonzero(apart.rater == rater) for rater in raters]
    sizes = [np.bincount(cluster[rows], minlength=int(cluster.max()) + 1)[cluster[rows]] for rows in mine]
    places = [rows[np.lexsort((cluster[rows], size))] for rows, size in zip(mine, sizes, strict=True)]
    while True:
        code = apart.code.copy()
        for rows, size, place in zip(mine, sizes, places, strict=True):
            lot: Floats = random.random(int(cluster.max()) + 1)
            code[place] = apart.code[rows[np.lexsort((random.random(len(rows)), lot[cluster[rows]], size))]]
        yield Patterns(pattern=apart.pattern, rater=apart.rater, code=code, weights=apart.weights)
