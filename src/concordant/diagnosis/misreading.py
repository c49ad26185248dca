"""Who misreads which question (Amidei, Piwek & Willis 2019, QG-STEC): whose judgements go with nobody's.

A rater misreads a question if their judgements go with nobody's while the others' go together: the mean of their
correlations is low, and well below the mean of the correlations among the others, by more than the units that happened
to be judged explain (bootstrap over units, all correlations from the same draws; Bonferroni over the raters looked at).
The worst is set aside, and the rest are looked at again, so that two who misread do not hide each other; but never
half of the raters, for those who are left would be no majority to differ from.

Tau-b is low, too, between raters who order units alike and use a rare value with different frequency. That is a
difference in level, which is told elsewhere: nobody is named whose gamma with the others is as high as theirs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from concordant.arrays import Floats
from concordant.diagnosis.consistency import Consistency
from concordant.diagnosis.findings import Finding, serious
from concordant.digits import counted, decimal, p_text
from concordant.engines.tally import Tally
from concordant.measures.correlation import tau_b_of_pairs
from concordant.randomness import generator
from concordant.uncertainty.resampling import draw_units

LOW = 0.5
GAP = 0.25
LEAST_PAIRS = 2
SURE = 0.05  # of the chance of such a gap
DRAWS, SEED = 400, 1  # samples of units, always the same
MOST_UNITS = 20_000  # patterns; beyond them correlations are as good as known
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
            if (look := misread(rater, left, drawn, question)) is not None and not differs_in_level(rater, known)
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


def misread(
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
