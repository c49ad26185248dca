"""Who misreads which question, and whose shared batch is the most reliable (Amidei, Piwek & Willis 2019, QG-STEC).

A rater misreads a question if their judgements go with nobody's while the others' go together: the mean of their
correlations is low, and well below the mean of the correlations among the others. The worst is set aside, and the rest
are looked at again, so that two who misread do not hide each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assent.diagnosis.consistency import Consistency, PairReading
from assent.diagnosis.material import Material

LOW = 0.5
GAP = 0.25
LEAST_PAIRS = 2
ERRORS = 3.0
Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Misreading:
    """A rater whose judgements of a question go with nobody's, while the others' go together."""

    question: str | None
    rater: str
    with_others: float  # mean correlation with the other raters
    among_others: float  # mean correlation of the others with each other
    n_pairs: int


@dataclass(frozen=True, kw_only=True)
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
    correlations: Mapping[Pair, float], *, n_units: Mapping[Pair, int] | None = None, question: str | None = None
) -> tuple[Misreading, ...]:
    """The raters who go with nobody, worst first. With `n_units` a gap must also exceed three standard errors."""
    left = dict(correlations)
    found: list[Misreading] = []
    while True:
        raters = list(dict.fromkeys(rater for pair in left for rater in pair))
        looks = [look for rater in raters if (look := _look(rater, left, n_units, question)) is not None]
        if not looks:
            return tuple(found)
        worst = max(looks, key=lambda one: one.among_others - one.with_others)
        found.append(worst)
        left = {pair: value for pair, value in left.items() if worst.rater not in pair}


def _look(
    rater: str, left: Mapping[Pair, float], n_units: Mapping[Pair, int] | None, question: str | None
) -> Misreading | None:
    """A misreading by this rater, if it is one."""
    own = {pair: value for pair, value in left.items() if rater in pair}
    others = {pair: value for pair, value in left.items() if rater not in pair}
    if len(own) < LEAST_PAIRS or not others:
        return None
    with_others, among_others = (float(np.mean(list(part.values()))) for part in (own, others))
    gap = among_others - with_others
    if with_others >= LOW or gap < max(GAP, ERRORS * _error(own, others, n_units)):
        return None
    return Misreading(
        question=question, rater=rater, with_others=with_others, among_others=among_others, n_pairs=len(own)
    )


def _error(own: Mapping[Pair, float], others: Mapping[Pair, float], n_units: Mapping[Pair, int] | None) -> float:
    """A generous standard error of the gap: each correlation is uncertain by about 1 / √n."""
    if n_units is None:
        return 0.0
    return float(np.sqrt(sum(sum(1 / n_units[pair] for pair in part) / len(part) ** 2 for part in (own, others))))


def question_misreaders(consistency: Consistency) -> tuple[Misreading, ...]:
    """Who misreads one question, by tau-b; a question without an order has none."""
    known = [pair for pair in consistency.pairs if pair.tau_b is not None and pair.tau_b.value is not None]
    values = {pair.raters: float(pair.tau_b) for pair in known if pair.tau_b is not None}
    sizes = {pair.raters: pair.n_units for pair in known}
    return misreaders(values, n_units=sizes, question=consistency.question)


def rater_profiles(material: Material, consistency: Consistency) -> tuple[RaterProfile, ...]:
    """Each rater's mean score, and mean agreement and correlation with the others."""
    data = material.tally
    n_judgements = np.bincount(
        data.patterns.rater, weights=data.patterns.weights[data.patterns.pattern], minlength=len(data.raters)
    )
    means = _mean_scores(material)
    return tuple(
        RaterProfile(
            question=material.question,
            rater=rater,
            n_judgements=int(n_judgements[i]),
            mean_score=means[i],
            agreement=_mean([pair.agreement.value for pair in consistency.pairs if rater in pair.raters]),
            correlation=_mean([_tau(pair) for pair in consistency.pairs if rater in pair.raters]),
        )
        for i, rater in enumerate(data.raters)
        if rater in data.used_raters
    )


def _mean_scores(material: Material) -> list[float | None]:
    """Each rater's mean value where values have an order."""
    data = material.tally
    patterns = data.patterns
    if not (data.scale.level.is_ordered or len(data.scale.categories) == 2):
        return [None] * len(data.raters)
    scores = patterns.code if data.scale.is_continuous else data.positions[patterns.code]
    weights = patterns.weights[patterns.pattern]
    total, n = (np.bincount(patterns.rater, weights=w, minlength=len(data.raters)) for w in (weights * scores, weights))
    return [float(t / k) if k else None for t, k in zip(total, n, strict=True)]


def _tau(pair: PairReading) -> float | None:
    """The pair's tau-b."""
    return None if pair.tau_b is None else pair.tau_b.value


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean of what is known; None if nothing is, or if something is undefined."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def batches(parts: Sequence[Consistency]) -> tuple[Batch, ...]:
    """Rater pairs over all questions, the most reliable first; a pair with an undefined agreement is left out."""
    by_pair: dict[Pair, list[PairReading]] = {}
    for part in parts:
        for pair in part.pairs:
            by_pair.setdefault(pair.raters, []).append(pair)
    found = []
    for raters, readings in by_pair.items():
        agreement = _mean([reading.agreement.value for reading in readings])
        if agreement is not None:
            n_units = max(reading.n_units for reading in readings)
            correlation = _mean([_tau(reading) for reading in readings])
            found.append(Batch(raters=raters, n_units=n_units, agreement=agreement, correlation=correlation))
    return tuple(sorted(found, key=lambda batch: -(batch.agreement + (batch.correlation or 0.0))))
