"""What one rater is worth, and the mean of several, in any design: reliabilities made of variance components."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.digits import decimal, per_cent
from concordant.engines.crossing import Crossing
from concordant.engines.views import Scores, ratio
from concordant.measures.benchmarks import KOO_LI
from concordant.measures.components import (
    MOST_RATERS,
    Components,
    is_crowded,
    parts_apart,
    reml,
)
from concordant.measures.spec import (
    NUMERIC,
    OF_SCORES,
    ORDERED,
    Computed,
    Needs,
    Parts,
    Pivots,
    Setting,
    WithK,
    measure,
    number,
    undefined,
)
from concordant.measures.three_way import CrossedComponents, crossed_reml, squares_of
from concordant.measures.usual import of_components

RANKS = Needs(suits=ORDERED, accepts=ORDERED, missing="drops incomplete units", continuous=True)
SCORES = replace(RANKS, suits=NUMERIC, takes_steps_as_equal=True)
IN_ANY_DESIGN = replace(SCORES, missing="uses every pair")
CROSSED = replace(IN_ANY_DESIGN, crossed=True)
TOO_FEW = "there are too few judgements to tell differences between units and raters from chance"
ALL_EQUAL = "all scores are the same, so the formula is 0/0"
N_DRAWS = 4000
CROWDED = f"components are those of the mean squares (Henderson III), as always beyond {MOST_RATERS:,} raters"
NO_REST = "raters never differ but in level, so pivots would give an interval without width, which is not certainty"
HEAVY = 1.0  # excess kurtosis of the units' means beyond which intervals were seen to cover less


class Design(NamedTuple):
    """Which components count: a rater's level if `absolute`; `one_way`, if every unit has raters of its own.

    `of_mean` is the reliability of the mean of all who judged a unit.
    """

    absolute: bool = True
    one_way: bool = False
    of_mean: bool = False

    def reliability(self, found: Components | CrossedComponents, k: Floats | float) -> Floats:
        """The coefficient."""
        return found.reliability(k if self.of_mean else 1, absolute=self.absolute)


def _why_not(data: Scores) -> str:
    """Why components cannot be told apart; empty if they can."""
    if len(data.raters if data.crossing is None else np.unique(data.crossing.rater)) < 2:
        return "there is only one rater, and reliability needs two" if data.raters else "there are no judgements"
    n_units = data.weights.sum(axis=-1).max(initial=0.0)
    if n_units < 2:
        return (
            f"{'no unit was' if n_units < 1 else 'only one unit was'} judged by two raters, and reliability needs two"
        )
    return ""


def judgements_per_unit(data: Scores) -> Floats:
    """The harmonic mean of how many judgements a unit has."""
    n = np.bincount(data.pattern, minlength=data.weights.shape[-1])
    return ratio(data.weights.sum(axis=-1), data.weights @ (1 / n))


def from_components(data: Scores, design: Design, k: Floats | float | None = None) -> Parts:
    """A coefficient from variance components; the parts of a design that falls apart are in the details."""
    if why := _why_not(data):
        return undefined(data, why)
    if data.crossing is not None:
        return _of_questions(data, data.crossing, design, 1 if k is None else k)
    if not design.one_way and len(apart := parts_apart(data)) > 1:
        return _apart(data, apart, design, k)
    found = reml(data, with_raters=not design.one_way)
    size = judgements_per_unit(data) if k is None else k
    value = design.reliability(found, size)
    if data.weights.ndim > 1 or np.isnan(value):
        return Parts(value=value, why=ALL_EQUAL if len(np.unique(data.points)) < 2 else TOO_FEW)
    error = float(np.sqrt(found.noise(absolute=design.absolute) / (size if design.of_mean else 1)))
    variances = {name: float(part) for name, part in vars(found).items() if not (design.one_way and name == "raters")}
    told = {"components": variances, "k": float(size), "standard_error_of_measurement": error}
    return Parts(value=value, details=told, notes=(CROWDED,) if is_crowded(data) else ())


def _of_questions(data: Scores, crossing: Crossing, design: Design, k: Floats | float) -> Parts:
    """A coefficient of the mean over several questions; of one row of weights."""
    by_person = replace(data, rater=crossing.rater[data.rater], raters=tuple(map(str, range(crossing.n_raters))))
    if len(apart := parts_apart(by_person)) > 1:
        return undefined(data, f"the design falls into {len(apart)} parts that share no rater and no unit")
    found = crossed_reml(data, crossing) if data.weights.ndim == 1 else None
    if found is None:
        return undefined(data, TOO_FEW)
    value = design.reliability(found, k)
    if np.isnan(value):
        return Parts(value=value, why=ALL_EQUAL)
    variances = {name: float(part) for name, part in vars(found).items() if name != "n_questions"}
    error = float(np.sqrt(found.noise(absolute=design.absolute) / k))
    told = {"components": variances, "k": float(k), "n_questions": found.n_questions}
    told["standard_error_of_measurement"] = error
    told["for_other_questions"] = float(found.for_others(k, absolute=design.absolute))
    return Parts(value=value, details=told)


def _apart(
    data: Scores, apart: Sequence[tuple[tuple[str, ...], NDArray[np.int64]]], design: Design, k: Floats | float | None
) -> Parts:
    """No value, and that of each part."""
    told, words = [], []
    nothing = np.full(data.weights.shape[:-1], np.nan)
    for raters, patterns in apart:
        own = part_of(data, patterns)
        value, n_units = from_components(own, design, k).value, round(float(own.weights.sum()))
        told.append({"raters": list(raters), "units": n_units, "value": number(value) if value.ndim == 0 else None})
        words.append(f"{', '.join(raters[:3])}{', …' * (len(raters) > 3)}: {n_units:,} units")
    shown = "; ".join([*words[:3], *["…"] * (len(words) > 3)])
    why = f"the design falls into {len(apart)} parts that share no rater and no unit ({shown})"
    why += ", so raters cannot be compared; measure each by itself"
    return Parts(value=nothing, why=why, details={"parts": told})


def part_of(data: Scores, patterns: NDArray[np.int64]) -> Scores:
    """Some of the units, with those who judged them."""
    place = np.full(data.weights.shape[-1], -1)
    place[patterns] = np.arange(len(patterns))
    kept = place[data.pattern] >= 0
    who, rater = np.unique(data.rater[kept], return_inverse=True)
    return replace(
        data,
        pattern=place[data.pattern[kept]],
        rater=rater.reshape(-1),
        points=data.points[kept],
        raters=tuple(data.raters[one] for one in who),
        complete=data.complete[patterns],
        weights=data.weights[..., patterns],
        place=None,
    )


def drawn(found: Computed, random: np.random.Generator, design: Design) -> Pivots | str:
    """Draws of a coefficient from the pivots of its components; of complete units where others are dropped."""
    if found.setting.options.incomplete == "drop":
        return drawn_of_complete(found, random, design)
    data = found.data.scores
    return pivots_of(data, random, design, float(judgements_per_unit(data)))


def drawn_of_complete(found: Computed, random: np.random.Generator, design: Design) -> Pivots | str:
    """Draws of a coefficient of the units that every rater judged."""
    data = found.data.scores
    own = part_of(data, np.flatnonzero(data.complete))
    return pivots_of(own, random, design, float(judgements_per_unit(own)))


def pivots_of(data: Scores, random: np.random.Generator, design: Design, k: float) -> Pivots | str:
    """Draws of the reliability of one rater or of k, with a note where they are known to be too sure."""
    squares = squares_of(data, with_raters=not design.one_way)
    if squares.free_rest < 1:
        return "there are too few judgements for pivots"
    values = design.reliability(squares.draws(random, N_DRAWS), k)
    if not squares.rest:
        return NO_REST
    notes = []
    if squares.heavy > HEAVY:
        notes.append(
            f"the units' means have heavy tails (excess kurtosis {squares.heavy:.1f}): in simulations of skewed units "
            "95 % intervals covered 89 to 91 %"
        )
    return Pivots(values[~np.isnan(values)], tuple(notes))


def with_shares(parts: Parts) -> Parts:
    """The same with a note on where the variance of one judgement lies, and what that means in points of the scale."""
    variances: dict[str, float] = parts.details.get("components", {})
    whole = sum(variances.values())
    if not whole > 0:
        return parts
    said = ", ".join(f"{name.replace('_', ' × ')} {per_cent(part / whole, 0)}" for name, part in variances.items())
    error, k = decimal(parts.details["standard_error_of_measurement"]), parts.details["k"]
    of_mean = f" of the mean of {k:g} raters" if k > 1 else ""
    note = f"variance of one judgement: {said}; standard error of measurement{of_mean} {error}"
    return replace(parts, notes=(*parts.notes, note))


of_scores = partial(
    measure,
    kind="reliability",
    needs=IN_ANY_DESIGN,
    view="scores",
    ci=OF_SCORES,
    usual=of_components,
    reads_on=(KOO_LI,),
)
LEVELS, DIFFERENCES = Design(of_mean=True), Design(absolute=False, of_mean=True)


def of_k(found: Computed, random: np.random.Generator, design: Design) -> Pivots | str:
    """Draws of the reliability of the mean of as many raters as were asked for."""
    return pivots_of(found.data.scores, random, design, found.setting.options.k)


def mean_of_k(data: Any, options: WithK, name: str) -> str:
    """The name with the number of raters, and of questions."""
    asked = {question for _, question in data.scale.asked.values()}
    over = f", {len(asked)} questions" if asked else ""
    return f"{name} of one rater{over}" if options.k == 1 else f"{name} of the mean of {options.k} raters{over}"


@of_scores(
    key="dependability",
    needs=CROSSED,
    name="Dependability",
    cite=("brennan-2001", "henderson-1953", "weerahandi-1993"),
    options=WithK,
    name_of=partial(mean_of_k, name="Dependability"),
    pivots=partial(of_k, design=LEVELS),
)
def dependability(data: Scores, setting: Setting) -> Parts:
    """How well the mean of k raters, drawn from raters like these, tells units apart and says where they stand.

    phi_k = var(units) / (var(units) + (var(raters) + var(rest)) / k), k = 1 unless --k says otherwise

    The variances are components of y = mean + unit + rater + rest by restricted maximum likelihood, in any design that
    hangs together: no rater needs to judge every unit. The details hold them with the standard error of measurement,
    the root of (var(raters) + var(rest)) / k. With k = 1 in a complete design it is ICC(A,1), but never below 0.

    With `--crossed` several questions are one design, units × raters × questions, and what k raters tell is the mean
    over the Q questions that were asked: var(units) becomes var(units) + var(unit·question)/Q, var(raters) becomes
    var(raters) + var(rater·question)/Q, var(rest) becomes var(unit·rater) + var(rest)/Q. Differences between the
    questions' means count for nothing. `for_other_questions` in the details is the same for other questions like these.

    When not to use it: If only differences between units matter (generalizability), or if the parts of the design share
    no rater and no unit: then there is nothing to compare raters by.

    In other tools: R `lme4::lmer(y ~ 1 + (1|unit) + (1|rater))` gives the components; `gtheory` calls it dependability
    (phi). Genova and EduG print phi.

    Example: The dependability of one rater was .52, of the mean of three .77 (40 essays, each by 3 of 12 raters).
    """
    return with_shares(from_components(data, LEVELS, setting.options.k))


@of_scores(
    key="generalizability",
    needs=CROSSED,
    name="Generalizability",
    cite=("brennan-2001", "henderson-1953", "weerahandi-1993"),
    options=WithK,
    name_of=partial(mean_of_k, name="Generalizability"),
    pivots=partial(of_k, design=DIFFERENCES),
)
def generalizability(data: Scores, setting: Setting) -> Parts:
    """How well the mean of k raters tells units apart when the same k raters judge all of them.

    E rho²_k = var(units) / (var(units) + var(rest) / k), k = 1 unless --k says otherwise

    The components are those of dependability, also with `--crossed`. A rater's level is the same for all units, so it
    does no harm. With k = 1 in a complete design it is ICC(C,1), but never below 0.

    When not to use it: If units are judged by different raters, or if the values themselves count (pass from 4 up):
    then a strict rater does harm, and dependability says how much.

    In other tools: `gtheory` in R calls it generalizability; Genova and EduG print E rho².

    Example: The generalizability of the mean of three raters was .81 (40 essays, the same raters for all).
    """
    return with_shares(from_components(data, DIFFERENCES, setting.options.k))


MEASURES = (dependability, generalizability)
