"""From data to a result: make them ready for the measure, ask what it needs, compute, and say what was used.

Also where agreement comes from: the value of each category against the rest, and the agreement on each unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.patterns import units_as_patterns
from concordant.engines.tally import Tally
from concordant.engines.views import count_view
from concordant.errors import InputError
from concordant.measures.distance import closeness_named
from concordant.measures.result import Agreement
from concordant.measures.spec import (
    DEFAULTS,
    Asked,
    Measure,
    Options,
    PairedShares,
    Parts,
    Setting,
    WithIncomplete,
    WithShares,
    number,
)
from concordant.model.judgements import Judgements
from concordant.model.measurable import Measurable, Used
from concordant.model.scale import Level, Scale


def prepared(measure: Measure[Any], data: Any, asked: Asked) -> Measurable:
    """The data as the measure takes them."""
    return cast(Measurable, data) if measure.ready is None else measure.ready(data, asked)


def evaluate(
    measure: Measure[Any], data: Measurable, options: Any = DEFAULTS, *, confidence: float = 0.95
) -> Agreement:
    """The coefficient of data that are ready, with the measure's own interval if it has one.

    Data that it cannot use give an undefined result with the reason.
    """
    problems = measure.problems(data)
    if problems:
        parts = Parts(value=np.array(np.nan), why="; ".join(problems))
    else:
        parts = measure.compute(measure.look(data), Setting(data=data, options=options, confidence=confidence))
    value = float(parts.value)
    is_defined = bool(np.isfinite(value))
    dropping = issubclass(measure.options, WithIncomplete) and options.incomplete == "drop"
    used = data.used(complete=dropping or measure.needs.missing == "drops incomplete units")
    cautions = (f"{measure.name} {caution}" for caution in measure.cautions(data))
    return Agreement(
        measure=measure.key,
        name=measure.full_name(data, options),
        value=value if is_defined else None,
        reason=None if is_defined else (parts.why or "the formula has no value on these data"),
        observed=number(parts.observed),
        expected=number(parts.expected),
        interval=parts.interval,
        n_units=used.n_units,
        n_raters=len(data.used_raters),
        n_judgements=used.n_judgements,
        n_dropped=used.n_dropped,
        raters=data.used_raters,
        notes=(*data.notes, *cautions, *_left_out(measure, used, options), *parts.notes),
        details=parts.details,
    )


COUNTED = "--shares all counts them in chance, as irrCAC does"


def _left_out(measure: Measure[Any], used: Used, options: Any) -> tuple[str, ...]:
    """What was left out and which choice would count it, or that chance knows it all the same."""
    counted = issubclass(measure.options, WithShares) and not issubclass(measure.options, PairedShares)
    if not (used.n_dropped and counted):
        return used.notes
    if options.shares != "all":
        return tuple(f"{note} of all coefficients ({COUNTED})" for note in used.notes)
    many = f"{used.n_dropped:,} unit{'s' * (used.n_dropped != 1)}"
    return (f"{many} with one judgement counted in chance, not in observed agreement (--shares all)",)


def resample(measure: Measure[Any], view: Any, data: Measurable, options: Any = DEFAULTS) -> Floats:
    """The values for a reweighted view, NaN where undefined."""
    return measure.compute(view, Setting(data=data, options=options)).value


def can_split(measure: Measure[Any], data: Tally) -> bool:
    """Whether each category has a value of its own: a chance-corrected measure of categories."""
    return measure.kind == "agreement" and Level.NOMINAL in measure.needs.suits and not data.scale.is_continuous


def by_category(measure: Measure[Any], data: Tally, options: Options = DEFAULTS) -> dict[str, Agreement]:
    """The coefficient of each category against all others together, declared but unused categories included.

    Weights and distances between categories mean nothing for two, so they are left out.
    """
    if not can_split(measure, data):
        raise InputError(f"{measure.key} has no value for each category", hint="use kappa, fleiss, ac1 or alpha")
    plain, found = replace(options, weights=None, distance=None), {}
    for code, category in enumerate(data.scale.categories):
        scale = Scale(level=Level.NOMINAL, categories=(f"not {category}", category))
        is_it = (data.patterns.code == code).astype(np.int64)
        against = replace(data, scale=scale, patterns=replace(data.patterns, code=is_it), notes=())
        found[category] = evaluate(measure, against, plain)
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitAgreement:
    """Agreement unit by unit; NaN for a unit with fewer than two judgements."""

    units: Sequence[str]
    n_judgements: NDArray[np.int64]
    agreement: Floats

    def rows(self) -> list[dict[str, Any]]:
        """One row per unit, None where there is no pair of judgements."""
        values = [None if np.isnan(value) else value for value in self.agreement.tolist()]
        return [
            {"unit": unit, "n_judgements": n, "agreement": value}
            for unit, n, value in zip(self.units, self.n_judgements.tolist(), values, strict=True)
        ]


def by_unit(data: Judgements, weights: str | Floats | None = None) -> UnitAgreement:
    """The share of rater pairs that agree on each judged unit, with partial credit if `weights` are given."""
    if data.scale.is_continuous:
        raise InputError("agreement on each unit needs categories", hint="the values are any numbers")
    closeness = None if weights is None else closeness_named(weights, data.scale)
    rows = data.rows()
    counts = count_view(units_as_patterns(rows, data.n_units), data.scale.positions(), np.ones(data.n_raters))
    nothing = np.full(len(counts.pairs), np.nan)
    agreement = np.divide(counts.agreeing(closeness), counts.pairs, out=nothing, where=counts.is_paired)
    judged = np.unique(rows.unit)
    names = data.unit_names or [str(unit + 1) for unit in range(data.n_units)]
    return UnitAgreement(
        units=[names[unit] for unit in judged.tolist()], n_judgements=counts.sizes.astype(np.int64), agreement=agreement
    )
