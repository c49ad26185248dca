"""Raters against the others, against what is known and against themselves.

Whose shared batch is the most reliable (Amidei, Piwek & Willis 2019, QG-STEC), and what raters contribute to the
variance; accuracy against a gold standard; stability of their own repeated judgements.

Variance components of units × raters, both random (Brennan 2001), from the mean squares of the units that every rater
judged; a negative estimate is set to 0 and said so:

    units      (MSR - MSE) / k       raters      (MSC - MSE) / N       rest      MSE

The reliability to expect from k raters:

    relative   units / (units + rest / k)               is the order of the units reproducible
    absolute   units / (units + (raters + rest) / k)    are their values reproducible
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.diagnosis.consistency import Consistency, PairReading
from concordant.diagnosis.findings import Finding, note
from concordant.diagnosis.material import Codes, Material, as_two_raters, unit_shares
from concordant.diagnosis.slices import as_ordered, usual_measure
from concordant.digits import counted, decimal
from concordant.engines.tally import Tally, tally, unit_tally
from concordant.errors import InputError
from concordant.measures.dependability import dependability
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement
from concordant.model.columns import Column, compact
from concordant.model.study import Study
from concordant.uncertainty.estimate import measure

APART = 1.2  # batches that add up to more units than this, of all there are, are not apart


@dataclass(frozen=True)
class RaterProfile:
    """One rater on one question: how far their judgements go with the others'. None where it is undefined."""

    question: str | None
    rater: str
    n_judgements: int
    mean_score: float | None
    agreement: float | None  # mean over the pairs they are in
    correlation: float | None


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The units that two raters share, over all questions: mean agreement and mean correlation."""

    raters: tuple[str, str]
    n_units: int
    agreement: float
    correlation: float | None


def rater_profiles(material: Material, consistency: Consistency) -> tuple[RaterProfile, ...]:
    """Each rater's mean score, and mean agreement and correlation with the others."""
    data, patterns = material.tally, material.tally.patterns
    weights = patterns.weights[patterns.pattern]
    n_judgements = np.bincount(patterns.rater, weights=weights, minlength=len(data.raters))
    totals = None
    if data.scale.level.is_ordered or len(data.scale.categories) == 2:
        scores = patterns.code if data.scale.is_continuous else data.positions[patterns.code]
        totals = np.bincount(patterns.rater, weights=weights * scores, minlength=len(data.raters))
    found = []
    for i, rater in enumerate(data.raters):
        if rater in data.used_raters:
            mean = None if totals is None else float(totals[i] / n_judgements[i])
            pairs = [pair for pair in consistency.pairs if rater in pair.raters]
            both = _mean([pair.agreement.value for pair in pairs]), _mean([pair.tau for pair in pairs])
            found.append(RaterProfile(material.question, rater, int(n_judgements[i]), mean, *both))
    return tuple(found)


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean of what is known; None if nothing is, or if something is undefined."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def batches(parts: Sequence[Consistency]) -> tuple[Batch, ...]:
    """Rater pairs over all questions, the most reliable first; a pair with an undefined agreement is left out."""
    by_pair: dict[tuple[str, str], list[PairReading]] = {}
    for pair in (pair for part in parts for pair in part.pairs):
        by_pair.setdefault(pair.raters, []).append(pair)
    found = []
    for raters, readings in by_pair.items():
        agreement = _mean([reading.agreement.value for reading in readings])
        if agreement is not None:
            n_units = max(reading.n_units for reading in readings)
            correlation = _mean([reading.tau for reading in readings])
            found.append(Batch(raters=raters, n_units=n_units, agreement=agreement, correlation=correlation))
    return tuple(sorted(found, key=lambda batch: -(batch.agreement + (batch.correlation or 0.0))))


def on_batches(batches: Sequence[Batch], n_units: int) -> Iterator[Finding]:
    """Where rater pairs have batches of their own: whose is the most reliable. Raters who share all units have none."""
    if len(batches) < 3 or sum(batch.n_units for batch in batches) > APART * n_units:
        return
    best = batches[0]
    if best.correlation is None or any(
        (b.correlation or 0) > best.correlation or b.agreement > best.agreement for b in batches
    ):
        return
    yield note(
        kind="most-reliable-batch",
        seen=f"The units shared by {best.raters[0]} and {best.raters[1]} are the most reliable: mean agreement "
        f"{decimal(best.agreement, 2)}, mean tau-b {decimal(best.correlation, 2)} over all questions.",
        sure=f"Both are the highest of {counted(len(batches), 'rater pair')}; differences may be small.",
        advice="Start from this batch when judgements must be chosen.",
        evidence={"raters": list(best.raters), "agreement": best.agreement, "correlation": best.correlation},
        raters=best.raters,
    )


RATERS_SHOWN = (1, 2, 3, 5, 10)
MOST_SHOWN = 50  # raters beyond whom nobody asks for the mean of all
NO_ORDER = "values without an order have no variance"


@dataclass(frozen=True)
class ExpectedReliability:
    """What the mean of k raters is worth."""

    n_raters: int
    relative: float | None
    absolute: float | None


@dataclass(frozen=True, kw_only=True)
class Generalizability:
    """Variance components with their shares; `reason` says why there are none."""

    n_units: int
    n_raters: int
    units: float | None = None
    raters: float | None = None
    rest: float | None = None
    expected: tuple[ExpectedReliability, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def shares(self) -> dict[str, float]:
        """Each component as a share of all variance; empty without variance."""
        parts = {"units": self.units or 0.0, "raters": self.raters or 0.0, "rest": self.rest or 0.0}
        total = sum(parts.values())
        return {name: part / total for name, part in parts.items()} if total > 0 else {}


def generalizability(data: Tally) -> Generalizability:
    """Variance components of a question whose values can be averaged (ordered scales, or two categories)."""
    ordered = as_ordered(data)
    if ordered is None:
        return Generalizability(n_units=data.n_paired, n_raters=len(data.used_raters), reason=NO_ORDER)
    found = evaluate(dependability, ordered)
    size: dict[str, Any] = {"n_units": found.n_units, "n_raters": found.n_raters}
    if found.value is None:
        return Generalizability(**size, reason=found.reason)
    units, raters, rest = (found.details["components"][name] for name in ("units", "raters", "rest"))
    shown = sorted({*RATERS_SHOWN, found.n_raters} - ({found.n_raters} if found.n_raters > MOST_SHOWN else set()))
    expected = tuple(reliability_of_mean(k, units, raters, rest) for k in shown)
    return Generalizability(**size, units=units, raters=raters, rest=rest, expected=expected)


def reliability_of_mean(size: int, units: float, raters: float, rest: float) -> ExpectedReliability:
    """Reliability of the mean of `size` raters; None where nothing varies."""
    wholes = units + rest / size, units + (raters + rest) / size
    return ExpectedReliability(size, *(units / whole if whole > 0 else None for whole in wholes))


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """One rater (None: the consensus of all) against the gold standard. `n_tied` units had no consensus."""

    question: str | None
    rater: str | None
    n_units: int
    share_right: float | None
    result: Agreement
    n_tied: int = 0


def accuracy(material: Material, gold: str, *, seed: int = 0) -> tuple[Accuracy, ...]:
    """The consensus first, then each rater; `gold` is the attribute of units that holds the right values."""
    if gold not in material.unit_attributes:
        material.study.column(gold)
        raise InputError(f"{gold!r} is not the same in all rows of a unit", hint="gold has one value per unit")
    column = material.unit_attributes[gold]
    labels = tuple(dict.fromkeys([*material.scale.categories, *column.labels]))  # the first are the categories
    place = np.array([*(labels.index(label) for label in column.labels), -1])
    right = Column(codes=place[column.codes], labels=labels)
    rows, shares = material.judgements.rows(), unit_shares(material.judgements)
    clear = ~shares.is_tied
    n_tied = int((~clear).sum())
    found = [_against(material, right, None, shares.places[clear], shares.largest[clear], seed=seed, n_tied=n_tied)]
    for r, rater in enumerate(material.tally.raters):
        mine = rows.rater == r
        found.append(_against(material, right, rater, rows.unit[mine], rows.value[mine], seed=seed))
    return tuple(found)


def _against(
    material: Material, gold: Column, rater: str | None, units: Codes, said: Codes, *, seed: int, n_tied: int = 0
) -> Accuracy:
    """Gold and one rater as two raters; units without gold are left out."""
    scale, known = material.scale, gold.codes[units] >= 0
    right, said = gold.codes[units[known]], said[known].astype(np.int64)
    values = compact(Column(codes=np.concatenate([right, said]), labels=gold.labels))
    fits = len(gold.labels) == len(scale.categories)
    categories = material.study.categories or (scale.categories if fits else None)
    data = tally(as_two_raters(values, ("gold", rater or "consensus"), level=scale.level, categories=categories))
    return Accuracy(
        question=material.question,
        rater=rater,
        n_units=len(right),
        share_right=float((right == said).mean()) if len(right) else None,
        result=measure(data, usual_measure(data), ci="jackknife", seed=seed, question=material.question),
        n_tied=n_tied,
    )


@dataclass(frozen=True)
class Stability:
    """One rater (None: all together): the agreement of their first with their second judgement of a unit."""

    rater: str | None
    n_repeated: int
    result: Agreement


def stability(study: Study, *, seed: int = 0) -> tuple[Stability, ...]:
    """All raters together, then each rater with repeated judgements; nothing if no unit was judged twice by anybody.

    A repeat is another row with the same unit, rater and question; the first two in the order of the file count.
    """
    study = study.merged()
    present = np.nonzero(study.value.as_labels().codes >= 0)[0]
    key = study.unit.codes[present].astype(np.int64) * len(study.rater.labels) + study.rater.codes[present]
    order = np.argsort(key, kind="stable")
    is_repeated = np.diff(key[order]) == 0
    first = np.nonzero(is_repeated & ~np.append(False, is_repeated[:-1]))[0]
    if not len(first):
        return ()
    value = study.value.take(present[order[np.append(first, first + 1)]])
    occasions = "first time", "second time"
    data = unit_tally(as_two_raters(value, occasions, level=study.level, categories=study.categories))
    owner, chosen = study.rater.codes[present[order[first]]], usual_measure(data.whole)
    masks: dict[str | None, NDArray[np.bool_]] = {None: np.ones(len(first), dtype=bool)}
    masks |= {study.raters[r]: owner == r for r in np.unique(owner).tolist()}
    return tuple(
        Stability(name, int(mask.sum()), measure(data.of_units(mask), chosen, ci="jackknife", seed=seed))
        for name, mask in masks.items()
    )
