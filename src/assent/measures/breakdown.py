"""Where agreement comes from: the value of each category against the rest, and the agreement on each unit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.engines.patterns import units_as_patterns
from assent.engines.tally import Tally
from assent.engines.views import count_view
from assent.errors import InputError
from assent.measures.distance import closeness_named
from assent.measures.evaluation import evaluate
from assent.measures.result import Agreement
from assent.measures.spec import DEFAULTS, Measure, Options
from assent.model.judgements import Judgements
from assent.model.scale import Level, Scale


def can_split(measure: Measure[Any], data: Tally) -> bool:
    """Whether each category has a value of its own: a chance-corrected measure of categories."""
    return measure.kind == "agreement" and Level.NOMINAL in measure.needs.suits and not data.scale.is_continuous


def by_category(measure: Measure[Any], data: Tally, options: Options = DEFAULTS) -> dict[str, Agreement]:
    """The coefficient of each category against all others together, declared but unused categories included.

    Weights and distances between categories mean nothing for two, so they are left out.
    """
    if not can_split(measure, data):
        raise InputError(f"{measure.key} has no value for each category", hint="use kappa, fleiss, ac1 or alpha")
    plain = replace(options, weights=None, distance=None)
    return {
        category: evaluate(measure, _against_rest(data, code), plain)
        for code, category in enumerate(data.scale.categories)
    }


def _against_rest(data: Tally, code: int) -> Tally:
    """The same judgements with two categories: this one, and not this one."""
    category = data.scale.categories[code]
    scale = Scale(level=Level.NOMINAL, categories=(f"not {category}", category))
    is_it = (data.patterns.code == code).astype(np.int64)
    return replace(data, scale=scale, patterns=replace(data.patterns, code=is_it), notes=())


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
        units=[names[unit] for unit in judged.tolist()],
        n_judgements=counts.sizes.astype(np.int64),
        agreement=agreement,
    )
