"""From a tally to a result: ask what the measure needs, compute, and say what was used."""

from dataclasses import replace
from typing import Any

import numpy as np

from assent.engines.tally import Tally
from assent.engines.views import Counts, Pairs, Panel
from assent.measures.result import Agreement
from assent.measures.spec import DEFAULTS, Measure, Options, Parts, Setting


def evaluate(measure: Measure[Any], data: Tally, options: Options = DEFAULTS) -> Agreement:
    """The coefficient without an interval. Data it cannot use give an undefined result with the reason."""
    problems = measure.needs.problems(data)
    if problems:
        return _result(measure, data, options, Parts(value=np.array(np.nan), why="; ".join(problems)))
    parts = measure.compute(measure.look(data), Setting(scale=data.scale, options=options))
    return _result(measure, data, options, parts)


def resample(measure: Measure[Any], view: Any, data: Tally, options: Options = DEFAULTS) -> np.ndarray[Any, Any]:
    """The values for a reweighted view, NaN where undefined."""
    return measure.compute(view, Setting(scale=data.scale, options=options)).value


def _result(measure: Measure[Any], data: Tally, options: Options, parts: Parts) -> Agreement:
    """Put the parts and the counts of what was used together."""
    value = float(parts.value)
    is_defined = bool(np.isfinite(value))
    n_units, n_judgements = used(measure, data)
    return Agreement(
        measure=measure.key,
        name=measure.full_name(data, options),
        value=value if is_defined else None,
        reason=None if is_defined else (parts.why or "the formula has no value on these data"),
        observed=_number(parts.observed),
        expected=_number(parts.expected),
        n_units=n_units,
        n_raters=len(data.used_raters),
        n_judgements=n_judgements,
        n_dropped=data.n_judged - n_units,
        raters=data.used_raters,
        notes=(*data.notes, *_notes(measure, data, n_units), *parts.notes),
        details=parts.details,
    )


def _number(part: Any) -> float | None:
    """A part as a number, None if there is none."""
    return None if part is None or not np.isfinite(part) else float(part)


def used(measure: Measure[Any], data: Tally) -> tuple[int, int]:
    """Units and judgements that enter the coefficient."""
    sizes, weights = data.patterns.sizes, data.patterns.weights
    enough = max(len(data.used_raters), 2) if measure.needs.missing == "drops incomplete units" else 2
    kept = sizes >= enough
    return int(weights[kept].sum()), int((weights * sizes)[kept].sum())


def _notes(measure: Measure[Any], data: Tally, n_units: int) -> list[str]:
    """What the reader must know: units left out, and a measure that does not suit the level."""
    notes = [f"{measure.name} {caution}" for caution in measure.needs.cautions(data)]
    dropped = data.n_judged - n_units
    if dropped:
        why = "one judgement" if measure.needs.missing != "drops incomplete units" else "missing judgements"
        notes.append(f"{dropped:,} unit{'s' * (dropped != 1)} with {why} left out")
    return notes


def reweighted(view: Any, weights: np.ndarray[Any, Any]) -> Any:
    """The view with other multiplicities of its patterns."""
    if isinstance(view, Tally):
        return replace(view, patterns=replace(view.patterns, weights=weights))
    assert isinstance(view, Counts | Pairs | Panel)
    return view.reweighted(weights)
