"""Raters against the others, against what is known and against themselves.

Who misreads which question, whose shared batch is the most reliable (Amidei, Piwek & Willis 2019, QG-STEC), and what
raters contribute to the variance; accuracy against a gold standard; stability of their own repeated judgements.

A rater misreads a question if their judgements go with nobody's while the others' go together: the mean of their
correlations is low, and well below the mean of the correlations among the others, by more than the units that happened
to be judged explain (bootstrap over units, all correlations from the same draws; Bonferroni over the raters looked at).
The worst is set aside, and the rest are looked at again, so that two who misread do not hide each other; but never
half of the raters, for those who are left would be no majority to differ from.

Tau-b is low, too, between raters who order units alike and use a rare value with different frequency. That is a
difference in level, which is told elsewhere: nobody is named whose gamma with the others is as high as theirs.

Variance components of units × raters, both random (Brennan 2001), from the mean squares of the units that every rater
judged; a negative estimate is set to 0 and said so:

    units      (MSR - MSE) / k       raters      (MSC - MSE) / N       rest      MSE

The reliability to expect from k raters:

    relative   units / (units + rest / k)               is the order of the units reproducible
    absolute   units / (units + (raters + rest) / k)    are their values reproducible
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.consistency import Consistency, PairReading
from concordant.diagnosis.findings import Finding, note, serious
from concordant.diagnosis.material import Codes, Material, as_two_raters, unit_shares
from concordant.diagnosis.slices import as_ordered, usual_measure
from concordant.digits import counted, decimal, p_text
from concordant.engines.tally import Tally, tally, unit_tally
from concordant.errors import InputError
from concordant.measures.correlation import tau_b_of_pairs
from concordant.measures.dependability import dependability
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement
from concordant.model.columns import Column, compact
from concordant.model.study import Study
from concordant.randomness import generator
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.resampling import draw_units

LOW = 0.5
GAP = 0.25
LEAST_PAIRS = 2
SURE = 0.05  # of the chance of such a gap
DRAWS, SEED = 400, 1  # samples of units, always the same
MOST_UNITS = 20_000  # patterns; beyond them correlations are as good as known
APART = 1.2  # batches that add up to more units than this, of all there are, are not apart
Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Misreading:
    """A rater whose judgements of a question go with nobody's, while the others' go together."""

    question: str | None
    rater: str
    with_others: float  # mean correlation with the other raters
    among_others: float  # mean correlation of the others with each other
    n_pairs: int
    p: float | None = None  # None where only the correlations are known


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

    raters: Pair
    n_units: int
    agreement: float
    correlation: float | None


def misreaders(
    correlations: Mapping[Pair, float],
    *,
    gammas: Mapping[Pair, float] | None = None,
    drawn: Mapping[Pair, Floats] | None = None,
    question: str | None = None,
) -> tuple[Misreading, ...]:
    """The raters who go with nobody, worst first, less than half of them.

    `gammas` are the same without what levels do to them; `drawn` the correlations in samples of the units, for a test.
    """
    left, n_raters = dict(correlations), len({rater for pair in correlations for rater in pair})
    found: list[Misreading] = []
    while 2 * (len(found) + 1) < n_raters:
        raters = list(dict.fromkeys(rater for pair in left for rater in pair))
        known = {pair: value for pair, value in (gammas or {}).items() if pair in left}
        looks = [
            look
            for rater in raters
            if (look := misreading(rater, left, drawn, question)) is not None and not differs_in_level(rater, known)
        ]
        if not looks:
            break
        worst = max(looks, key=lambda one: one.among_others - one.with_others)
        found.append(worst)
        left = {pair: value for pair, value in left.items() if worst.rater not in pair}
    return tuple(found)


def standing(rater: str, left: Mapping[Pair, float]) -> tuple[float, float] | None:
    """The mean correlation with the others, and that of the others among each other; None with too few pairs."""
    own, others = ([value for pair, value in left.items() if (rater in pair) is of_rater] for of_rater in (True, False))
    return (float(np.mean(own)), float(np.mean(others))) if len(own) >= LEAST_PAIRS and others else None


def is_apart(with_others: float, among_others: float) -> bool:
    """Whether a rater goes with nobody while the others go together."""
    return with_others < LOW and among_others - with_others >= GAP


def differs_in_level(rater: str, gammas: Mapping[Pair, float]) -> bool:
    """Whether the rater orders units as the others do; False where gamma does not tell."""
    means = standing(rater, gammas)
    return means is not None and not is_apart(*means)


def misreading(
    rater: str, left: Mapping[Pair, float], drawn: Mapping[Pair, Floats] | None, question: str | None
) -> Misreading | None:
    """A misreading by this rater, if it is one."""
    means = standing(rater, left)
    if means is None or not is_apart(*means):
        return None
    with_others, among_others = means
    own, others = [pair for pair in left if rater in pair], [pair for pair in left if rater not in pair]
    gap, p = among_others - with_others, None
    if drawn is not None:
        from scipy.special import ndtr

        n_raters = len({one for pair in left for one in pair})
        gaps = _means([drawn[pair] for pair in others]) - _means([drawn[pair] for pair in own])
        error = float(np.nanstd(gaps)) if np.isfinite(gaps).sum() > DRAWS / 2 else float("inf")
        p = min(1.0, n_raters * float(ndtr(-gap / max(error, 1e-9))))
        if p > SURE:
            return None
    return Misreading(
        question=question, rater=rater, with_others=with_others, among_others=among_others, n_pairs=len(own), p=p
    )


def _means(drawn: Sequence[Floats]) -> Floats:
    """The mean correlation in every sample, of the pairs that have one there."""
    known = np.isfinite(stacked := np.stack(drawn))
    return np.asarray(np.where(known, stacked, 0).sum(axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan))


def drawn_correlations(data: Tally) -> dict[Pair, Floats]:
    """Tau-b of every two raters in samples of the units (or of the clusters they belong to), drawn together."""
    patterns, bundles, view = data.patterns, data.bundles, data.pairs
    times = patterns.weights if bundles is None else bundles.times
    drawn = draw_units(times, round(float(times.sum())), generator(SEED), DRAWS)
    weights = drawn if bundles is None else bundles.weights(drawn, len(patterns.weights))
    found = np.stack([tau_b_of_pairs(view.reweighted(row)) for row in weights])
    names = [tuple(sorted((data.raters[one], data.raters[two]))) for one, two in view.pairs.tolist()]
    return {(name[0], name[1]): found[:, i] for i, name in enumerate(names)}


def question_misreaders(consistency: Consistency, data: Tally) -> tuple[Misreading, ...]:
    """Who misreads one question, by tau-b; a question without an order has none."""
    values = {pair.raters: pair.tau for pair in consistency.pairs if pair.tau is not None}
    coefficients = ((pair.raters, pair.correlation) for pair in consistency.pairs)
    gammas = {raters: one.value for raters, one in coefficients if one is not None and one.value is not None}
    found = misreaders(values, gammas=gammas, question=consistency.question)
    if not found or len(data.patterns.weights) > MOST_UNITS:  # nobody to test, or nothing to doubt
        return found
    drawn = drawn_correlations(data)
    known = {(one, two): drawn[min(one, two), max(one, two)] for one, two in values}
    return misreaders(values, gammas=gammas, drawn=known, question=consistency.question)


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
    by_pair: dict[Pair, list[PairReading]] = {}
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


def on_misreadings(found: Iterable[Misreading]) -> Iterator[Finding]:
    """Raters who go with nobody."""
    for one in found:
        question = "the question" if one.question is None else repr(one.question)
        tested = "" if one.p is None else f"; {p_text(one.p)}, bootstrap over units, for all raters looked at"
        yield serious(
            kind="misreading",
            seen=f"{one.rater} seems to read {question} differently: mean tau-b {decimal(one.with_others, 2)} "
            f"with the others, who have {decimal(one.among_others, 2)} among each other.",
            sure=f"Over {counted(one.n_pairs, 'rater pair')}{tested}.",
            advice=f"Go through {question} with {one.rater}; measure with and without this rater and report both.",
            evidence={"with_others": one.with_others, "among_others": one.among_others, "n_pairs": one.n_pairs}
            | {"p": one.p},
            question=one.question,
            raters=(one.rater,),
        )


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
