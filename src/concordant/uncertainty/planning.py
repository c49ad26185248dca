"""How many units, or raters, for an interval of a given width; and when to stop collecting.

The data at hand (a pilot study, or what is collected so far) stand for the population. The width is that of the very
interval that is shown: the posterior of so many units of which each pattern has its share; percentiles of samples of
that size, drawn with replacement; or, of errors, what the square-root law makes of the width now. How far other pilots
of this size would have said something else is found by drawing some. Widths shrink with the square root of the size, so
the search starts from width · √size = constant and is then settled.

More raters narrow the interval over units as far as they make each unit surer: what widths are with fewer of these
raters is looked at, and goes on as width² = a + b / raters.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, log, sqrt
from typing import Any, Literal

import numpy as np

from concordant.engines.tally import Tally, with_raters
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement
from concordant.measures.spec import DEFAULTS, Options
from concordant.progress import Progress, silent
from concordant.randomness import generator
from concordant.uncertainty.estimate import interval_of
from concordant.uncertainty.intervals import MOST_UNDEFINED, quantiles, t_quantile, tail_shares
from concordant.uncertainty.posterior import posterior
from concordant.uncertainty.request import Ci, Request, check_resampling, read_signature
from concordant.uncertainty.resampling import Sampling, draw_units, raters_to_draw, resampled

Of = Literal["units", "raters"]
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
    of: Of
    what: str  # units, raters, or what the clusters of units are that a size counts
    size: int
    width: float | None
    width_range: tuple[float, float] | None = None  # from the 10 % to the 90 % of what other pilots would have said
    method: str  # of the interval
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
    of: Of = "units",
    ci: Ci = "auto",
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
    plain = evaluate(measure, data, options)
    value = float(plain)
    sampling = Sampling(measure=measure, data=data, options=options)
    request = Request(key=key, ci=ci, confidence=confidence, resamples=resamples, seed=seed)
    simulate, method = _over_raters(sampling, request) if of == "raters" else _over_units(sampling, plain, request)
    now = n_drawn(sampling) if of == "units" else len(raters_to_draw(sampling))
    what = of if of == "raters" or sampling.bundles is None else sampling.bundles.name
    steps = _search(simulate, now, width, 2 if of == "units" else 3, progress)
    best = min((step for step in steps if step.is_within(width)), key=lambda step: step.size, default=None)
    if best is None:
        lack = f"no number of {what} up to {max(step.size for step in steps):,} gives an interval {width:g} wide"
        raise InputError(lack, hint="ask for a wider interval")
    return Recommendation(
        measure=key,
        of=of,
        what=what,
        size=best.size,
        width=best.width,
        width_range=_pilots(sampling, request, best.size) if of == "units" else None,
        method=method,
        asked_width=width,
        confidence=confidence,
        value=value,
        now=now,
        now_width=steps[0].width,
        steps=tuple(sorted(steps, key=lambda step: step.size)),
        resamples=resamples,
        seed=seed,
    )


Simulated = Callable[[int], float | None]


def n_drawn(sampling: Sampling) -> int:
    """How many units there are, or clusters of them."""
    return round(float(sampling.times.sum()))


def _samples(sampling: Sampling, over: Of, request: Request) -> Simulated:
    """The width of the middle of the coefficient over samples of a size; None where too many are undefined."""

    def simulate(size: int) -> float | None:
        values = resampled(sampling, over=over, resamples=request.resamples, seed=request.seed, size=size)
        defined = values[~np.isnan(values)]
        is_rare = len(defined) < (1 - MOST_UNDEFINED) * request.resamples
        return None if is_rare else float(np.ptp(quantiles(defined, tail_shares(request.confidence))))

    return simulate


def _over_raters(sampling: Sampling, request: Request) -> tuple[Simulated, str]:
    """Widths by the number of raters that are drawn."""
    return _samples(sampling, "raters", request), "percentile bootstrap over raters"


def _over_units(sampling: Sampling, found: Agreement, request: Request) -> tuple[Simulated, str]:
    """Widths by the number of units, and the method of the interval that is shown."""
    sure, ci = interval_of(sampling, found, request)
    if ci in ("bootstrap", "bca") or sure.interval is None:
        return _samples(sampling, "units", request), "percentile bootstrap over units"
    method, width, now = sure.interval.method, sure.interval.width, n_drawn(sampling)
    if ci == "posterior":
        if not sampling.view.has_differences:
            raise InputError("no two judgements of a unit differ", hint="a plan needs data with disagreements")
        how: dict[str, Any] = {n: getattr(request, n) for n in ("confidence", "resamples", "seed")}

        def of_size(size: int) -> float | None:
            interval = posterior(sampling, None, size=size, **how).interval
            return None if interval is None else interval.width

        return of_size, method
    share = (1 + request.confidence) / 2

    def by_law(size: int) -> float:
        return width * sqrt(now / size) * t_quantile(share, max(size - 1, 1)) / t_quantile(share, max(now - 1, 1))

    return by_law, method


PILOTS = 30
MOST_PATTERNS = 50_000  # beyond them other pilots are not drawn


def _pilots(sampling: Sampling, request: Request, size: int) -> tuple[float, float] | None:
    """From the 10 % to the 90 % of the widths that other pilots like this one would predict for a size."""
    data, bundles, random = sampling.data, sampling.data.bundles, generator(request.seed, 1)
    patterns = data.patterns
    if len(patterns.weights) > MOST_PATTERNS:
        return None
    fewer, widths = replace(request, resamples=min(request.resamples, 400)), list[float]()
    for _ in range(PILOTS):
        times = patterns.weights if bundles is None else bundles.times
        drawn = draw_units(times, round(float(times.sum())), random, 1)[0]
        weights = drawn if bundles is None else bundles.weights(drawn, len(patterns.weights))
        held = None if bundles is None else replace(bundles, times=drawn)
        other = replace(sampling, data=replace(data, patterns=replace(patterns, weights=weights), bundles=held))
        plain = evaluate(sampling.measure, other.data, sampling.options)
        try:
            found = None if plain.value is None else _over_units(other, plain, fewer)[0](size)
        except InputError:  # a pilot without disagreements
            continue
        widths += [] if found is None else [found]
    if len(widths) < max(PILOTS // 2, 1):
        return None
    low, high = quantiles(np.array(widths), np.array([0.1, 0.9]))
    return float(low), float(high)


def _search(
    simulate: Callable[[int], float | None], now: int, width: float, smallest: int, progress: Progress
) -> list[Step]:
    """Sizes around the answer: the square-root law guesses, the bracket between too wide and narrow enough shrinks."""
    steps = [Step(size=now, width=simulate(now))]
    if steps[0].is_within(1e-12):
        raise InputError("all samples of these data give the same value", hint="a plan needs data with disagreements")
    for done in range(STEPS):
        wide = max((step.size for step in steps if not step.is_within(width)), default=smallest - 1)
        narrow = min((step.size for step in steps if step.is_within(width)), default=LARGEST + 1)
        if narrow - wide <= max(1, narrow // 100):
            break  # known to one per cent, or nothing is left to try
        known = [(step.size, step.width) for step in steps if step.width is not None]
        size, found = min(known, key=lambda one: abs(log(max(one[1], 1e-12) / width)), default=(0, None))
        guess = 2 * max(step.size for step in steps) if found is None else ceil(size * (found / width) ** 2)
        if narrow > LARGEST:
            guess = min(max(guess, ceil(1.1 * wide)), LARGEST)
        elif not wide < guess < narrow:
            guess = (wide + narrow) // 2
        steps.append(Step(size=guess, width=simulate(guess)))
        progress(done + 1, STEPS)
    return steps


FEWEST_UNITS = 10
"""A bootstrap of fewer units can draw only a few different samples: its interval is too narrow to stop at."""


@dataclass(frozen=True, kw_only=True)
class Stopping:
    """One question: the coefficient, its interval's width against the target, and how many units or raters it takes.

    `more_units` is None when it cannot be said; then `reason` says why. The same for raters.
    """

    result: Agreement
    target: float
    units: Recommendation | None = None
    raters: Recommendation | None = None
    units_reason: str | None = None
    raters_reason: str | None = None

    @property
    def width(self) -> float | None:
        """The width of the interval now."""
        return None if self.result.interval is None else self.result.interval.width

    @property
    def is_reached(self) -> bool:
        """Whether the interval is narrow enough, and rests on enough units to be believed."""
        return self.width is not None and self.width <= self.target and self.n_drawn >= FEWEST_UNITS

    @property
    def is_unusable(self) -> bool:
        """Whether the value is of the lowest kind on the scale that reads it: then nothing is done by stopping."""
        scale = next(iter(find_measure(self.result.measure).reads_on), None)
        return scale is not None and self.result.value is not None and scale.label(self.result.value) == scale.lowest

    @property
    def is_done(self) -> bool:
        """Whether collecting can stop with a value that can be used."""
        return self.is_reached and not self.is_unusable and self.result.value is not None

    @property
    def n_drawn(self) -> int:
        """How many units the interval rests on, or clusters of them."""
        interval = self.result.interval
        return self.result.n_units if interval is None or interval.n_clusters is None else interval.n_clusters

    @property
    def fewest(self) -> int:
        """How many units an interval should rest on."""
        return FEWEST_UNITS

    @property
    def is_too_small(self) -> bool:
        """Whether the interval is narrow only because there are hardly any units."""
        return self.width is not None and self.width <= self.target and not self.is_reached

    @property
    def more_units(self) -> int | None:
        """How many more units it takes."""
        return None if self.units is None else max(0, self.units.size - self.units.now)

    @property
    def more_raters(self) -> int | None:
        """How many more raters it takes."""
        return None if self.raters is None else max(0, self.raters.size - self.raters.now)


def stopping(data: Tally, result: Agreement, target: float, *, resamples: int = 400, seed: int = 1) -> Stopping:
    """Compare a result with the target, and plan for the rest if it is not reached: for the interval that is shown."""
    reached = Stopping(result=result, target=target)
    if reached.is_reached or reached.is_too_small or result.value is None:
        return reached
    shown = read_signature(result.signature).fields["ci"].partition(",")[0] if result.signature else "auto"
    how: dict[str, Any] = {"width": target, "resamples": resamples, "seed": seed, "ci": shown}
    found: dict[str, Any] = {}
    for of, planned in (("units", plan), ("raters", plan_raters)):
        try:
            found[of] = planned(data, result.measure, **how)
        except InputError as error:
            found[f"{of}_reason"] = str(error)
    return replace(reached, **found)


SUBSETS = 6  # of raters, of each size
FEWER = 3  # raters that are left out at most
FARTHEST = 4  # times as many raters: beyond that nothing is foretold
COMPLETE = 0.9  # of the judgements that there could be


def plan_raters(data: Tally, key: str, *, width: float, ci: Ci, resamples: int, seed: int) -> Recommendation:
    """How many raters of the same units make the interval over units so narrow: width² = a + b / raters.

    Both are found from the widths with some of these raters left out.
    """
    raters = data.used_raters
    if len(raters) < 3:
        raise InputError(f"{len(raters)} raters do not say what more of them would do")
    if data.n_judgements < COMPLETE * data.n_judged * len(raters):
        raise InputError("units are judged by some of the raters only")
    steps = _with_fewer_raters(data, Request(key=key, ci=ci, resamples=resamples, seed=seed))
    points = [(1 / step.size, step.width**2) for step in steps if step.width is not None]
    shares, squares = [x for x, _ in points], [y for _, y in points]
    slope, level = np.polyfit(shares, squares, 1).tolist() if len(points) > 1 else (0.0, float("inf"))
    if level < 0:  # nothing falls faster than with the root
        slope, level = squares[-1] * len(raters), 0.0
    most = FARTHEST * len(raters)
    size = ceil(slope / (width**2 - level)) if slope > 0 and width**2 > level else most + 1
    if size > most:
        raise InputError("more raters alone hardly narrow the interval", hint="judge more units")
    return Recommendation(
        measure=key,
        of="raters",
        what="raters",
        size=size,
        width=sqrt(level + slope / size),
        method="width² = a + b / raters, of the interval that is shown",
        asked_width=width,
        confidence=0.95,
        value=float(evaluate(find_measure(key), data)),
        now=len(raters),
        now_width=steps[-1].width,
        steps=tuple(steps),
        resamples=resamples,
        seed=seed,
    )


def _with_fewer_raters(data: Tally, request: Request) -> list[Step]:
    """The mean width of the interval with some of the raters, of each number up to all of them."""
    raters, random, steps = data.used_raters, generator(request.seed, 2), []
    measure = find_measure(request.key)
    for size in range(max(len(raters) - FEWER, 2), len(raters) + 1):
        widths = list[float]()
        for _ in range(SUBSETS if size < len(raters) else 1):
            some = random.permutation(len(raters))[:size]
            part = with_raters(data, [raters[i] for i in sorted(some.tolist())])
            found, sampling = evaluate(measure, part), Sampling(measure=measure, data=part, options=DEFAULTS)
            interval = None if found.value is None else interval_of(sampling, found, request)[0].interval
            widths += [] if interval is None else [interval.width]
        steps.append(Step(size=size, width=float(np.mean(widths)) if widths else None))
    return steps
