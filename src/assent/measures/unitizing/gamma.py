"""Gamma, Gamma-cat and Gamma-k from the evidence: 1 - observed disorder / expected disorder.

The expected disorder is a mean over chance samples, so Gamma has an error even on fixed data: the interval says where
the value of infinitely many samples lies. It says nothing about other texts or other raters.
"""

from typing import Any

import numpy as np

from assent.arrays import Floats
from assent.measures.result import Agreement, Interval
from assent.measures.unitizing import undefined
from assent.measures.unitizing.alignment import Alignment, best_alignment
from assent.measures.unitizing.dissimilarity import Dissimilarity
from assent.measures.unitizing.entries import NAMES
from assent.measures.unitizing.evidence import Evidence, dissimilarity_of
from assent.measures.unitizing.units import Units
from assent.measures.unitizing.variants import Options
from assent.model.continuum import Continuum

NO_CHANCE = "the chance samples have no disorder, so the formula is 0/0"
NO_PAIR = "the best alignment has no pair of units near enough to compare categories"
NO_CHANCE_PAIR = "no chance sample has a pair of units near enough to compare categories"


def why_no_disorder(continuum: Continuum) -> str | None:
    """Why even the observed disorder of this continuum is undefined, if so."""
    reasons = (undefined.too_few_raters, undefined.without_units, undefined.zero_length)
    return next((sentence for reason in reasons if (sentence := reason(continuum)) is not None), None)


def why_no_chance(continuum: Continuum, options: Options) -> str | None:
    """Why the expected disorder of this continuum is undefined, if so."""
    return undefined.whole_text(continuum) if options.sampler == "shuffle" else None


def gamma(evidence: Evidence) -> Agreement:
    """How far raters agree on where units are and what they are called."""
    dissimilarity = dissimilarity_of(evidence.continuum, evidence.options)
    details = {
        "samples": evidence.chance.tolist(),
        "alignment": alignment_rows(evidence.alignment, evidence.continuum, dissimilarity),
    }
    return _coefficient("gamma", evidence, evidence.observed, evidence.chance, details)


def _unfinished(key: str, evidence: Evidence, details: dict[str, Any]) -> Agreement | None:
    """The result when an interrupt left too little for a value: what is known, and the reason."""
    least = evidence.alignment.least
    if least is not None:
        found = f"the observed disorder is between {least:.4f} and {evidence.observed:.4f}"
        reason = f"interrupted: the best alignment is not proven ({found}), and chance was not sampled"
        observed, details = None, {**details, "observed_between": [least, evidence.observed]}
    elif evidence.interrupted and len(evidence.chance) < 2:
        reason, observed = "interrupted before two chance samples were drawn", evidence.observed
    else:
        return None
    return _result(
        key,
        evidence.continuum,
        evidence.options,
        value=None,
        reason=reason,
        observed=observed if key == "gamma" else None,
        details={**details, "interrupted": True},
    )


def gamma_cat(evidence: Evidence) -> Agreement:
    """How far raters agree on the categories of the units that they aligned."""
    return _categorical("gamma_cat", evidence, 0, {})


def gamma_k(evidence: Evidence, category: str) -> Agreement:
    """How far raters agree on one category, over the aligned pairs that have it."""
    column = evidence.continuum.categories.index(category) + 1
    result = _categorical("gamma_k", evidence, column, {"category": category})
    return result.with_(slice={**evidence.continuum.slice, "category": category})


def _categorical(key: str, evidence: Evidence, column: int, details: dict[str, Any]) -> Agreement:
    """A coefficient over one column of the categorical disorders."""
    if (unfinished := _unfinished(key, evidence, details)) is not None:
        return unfinished
    observed = float(evidence.observed_categories[column])
    chance = evidence.chance_categories[:, column]
    chance = chance[~np.isnan(chance)]
    if np.isnan(observed):
        return without_value(key, evidence.continuum, evidence.options, NO_PAIR)
    if len(chance) < 2:
        return without_value(key, evidence.continuum, evidence.options, NO_CHANCE_PAIR)
    return _coefficient(key, evidence, observed, chance, {**details, "samples": chance.tolist()})


def without_value(
    key: str, continuum: Continuum, options: Options, reason: str, *, observed: float | None = None
) -> Agreement:
    """The undefined coefficient with the reason, and the observed disorder if there is one."""
    return _result(key, continuum, options, value=None, reason=reason, observed=observed)


def without_chance(key: str, continuum: Continuum, options: Options, reason: str) -> Agreement:
    """A coefficient that is undefined only because chance is: the observed disorder of Gamma is given."""
    if key != "gamma":
        return without_value(key, continuum, options, reason)
    dissimilarity = dissimilarity_of(continuum, options)
    observed = best_alignment(Units.of(continuum), dissimilarity).disorders(dissimilarity)
    return without_value(key, continuum, options, reason, observed=float(observed[0]))


def _coefficient(key: str, evidence: Evidence, observed: float, chance: Floats, details: dict[str, Any]) -> Agreement:
    """1 - observed / expected with the interval that the samples leave."""
    if (unfinished := _unfinished(key, evidence, details)) is not None:
        return unfinished
    expected = float(chance.mean())
    options = evidence.options
    if expected == 0:
        return _result(key, evidence.continuum, options, value=None, reason=NO_CHANCE, observed=observed, expected=0.0)
    margin = _margin(chance, options.confidence)
    return _result(
        key,
        evidence.continuum,
        options,
        value=1 - observed / expected,
        observed=observed,
        expected=expected,
        interval=_interval(observed, expected, margin, options),
        notes=_notes(evidence, len(chance), margin / expected),
        details={"n_samples": len(chance), "precision": margin / expected, **_ended(evidence), **details},
    )


def _ended(evidence: Evidence) -> dict[str, Any]:
    """The mark of an interrupted result, and how many samples were drawn before."""
    return {"interrupted": True, "n_drawn": len(evidence.chance)} if evidence.interrupted else {}


def _margin(chance: Floats, confidence: float) -> float:
    """Half the width of Student's interval for the mean of the samples."""
    from scipy.special import stdtrit

    t = float(stdtrit(len(chance) - 1, (1 + confidence) / 2))
    return t * float(chance.std(ddof=1)) / float(len(chance) ** 0.5)


def _interval(observed: float, expected: float, margin: float, options: Options) -> Interval | None:
    """The values of gamma at both ends of the expected disorder; none when chance could have no disorder at all."""
    if margin >= expected:
        return None
    return Interval(
        low=1 - observed / (expected - margin),
        high=1 - observed / (expected + margin),
        level=options.confidence,
        method=f"chance samples ({options.sampler})",
    )


def _notes(evidence: Evidence, n_samples: int, precision: float) -> tuple[str, ...]:
    """Which sampler was used, how exact that makes the expected disorder, and whether the user ended the sampling."""
    exact = f"so it is known to ± {precision:.2%}"
    notes = [f"expected disorder from {n_samples} chance samples ({evidence.options.sampler}), {exact}"]
    if evidence.interrupted:
        notes.append(f"interrupted: only {n_samples} samples were drawn")
    return tuple(notes)


def _result(
    key: str, continuum: Continuum, options: Options, *, notes: tuple[str, ...] = (), **parts: Any
) -> Agreement:
    """A result with everything that is known from the continuum and the options."""
    details = {**options.conventions, **parts.pop("details", {})}
    return Agreement(
        measure=key,
        name=NAMES[key],
        n_units=continuum.n_units,
        n_raters=continuum.n_raters,
        n_judgements=continuum.n_units,
        raters=continuum.raters,
        slice=dict(continuum.slice) or None,
        notes=notes,
        details=details,
        **parts,
    )


def alignment_rows(alignment: Alignment, continuum: Continuum, dissimilarity: Dissimilarity) -> list[dict[str, Any]]:
    """The best alignment as plain data: every unitary alignment with its disorder and each rater's unit or None."""
    rows = alignment.rows()
    disorders = row_disorders(alignment, rows, dissimilarity)
    return [
        {
            "disorder": float(disorder),
            "units": {
                name: None if unit < 0 else _span(continuum, int(unit))
                for name, unit in zip(continuum.raters, row, strict=True)
            },
        }
        for row, disorder in zip(rows, disorders, strict=True)
    ]


def _span(continuum: Continuum, unit: int) -> dict[str, Any]:
    """One unit as plain data, with its features if there are any."""
    span: dict[str, Any] = {
        "begin": float(continuum.begin[unit]),
        "end": float(continuum.end[unit]),
        "category": continuum.categories[continuum.category[unit]],
    }
    if continuum.features:
        span["features"] = {name: values[unit] for name, values in continuum.features.items()}
    return span


def row_disorders(alignment: Alignment, rows: Any, dissimilarity: Dissimilarity) -> Floats:
    """The disorder of every unitary alignment: the mean over its pairs, De for pairs with an empty place."""
    n = alignment.units.n_raters
    whole = Alignment(alignment.units, rows)
    u, v, row = whole.pairs()
    excess = dissimilarity.combined(alignment.units, u, v) - dissimilarity.delta_empty
    total: Floats = dissimilarity.delta_empty + np.bincount(row, excess, len(rows)) / (n * (n - 1) / 2)
    return total
