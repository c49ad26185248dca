"""The pair matrix: every two raters on every question, agreement and correlation side by side with a verdict."""

from collections import Counter

import numpy as np

from assent.diagnosis.consistency import Consistency, PairReading, Shift, Verdict
from assent.diagnosis.findings import count
from assent.diagnosis.groups import as_ordered
from assent.diagnosis.material import Material
from assent.diagnosis.slices import usual_measure
from assent.diagnosis.verdicts import FEW_UNITS, Scores, association_p, decide, scores_of, shift_of
from assent.engines.subset import with_raters
from assent.engines.tally import Tally
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.result import Agreement
from assent.uncertainty.estimate import measure
from assent.uncertainty.request import Ci

MANY_PAIRS = 50  # more rater pairs than this are a crowd
MOST_PAIRS = 300


def consistency_of(
    material: Material, *, refused: str | None = None, ci: Ci = "jackknife", seed: int = 0
) -> Consistency:
    """All raters together and each pair; `refused` says why raters cannot be told apart."""
    data = material.tally
    key = usual_measure(data, trust_raters=refused is None)
    agreement = measure(data, key, ci=ci, seed=seed, question=material.question)
    if refused is not None:
        return Consistency(
            question=material.question, agreement=agreement, correlation=None, pairs=(), verdicts={}, refused=refused
        )
    names, n_left_out = pairs_to_read(data)
    pairs = tuple(read_pair(data, pair, question=material.question, seed=seed) for pair in names)
    verdicts = dict(Counter(pair.verdict for pair in pairs).most_common())
    return Consistency(
        question=material.question,
        agreement=agreement,
        correlation=_correlation(data, "gk_gamma", question=material.question),
        pairs=pairs,
        verdicts=verdicts,
        n_pairs_left_out=n_left_out,
    )


def pairs_to_read(data: Tally) -> tuple[list[tuple[str, str]], int]:
    """The rater pairs with common units, and how many are left out.

    Of a crowd only pairs with enough units to tell are read, at most `MOST_PAIRS`: those with most.
    """
    n_units = data.pairs.n_units
    with_units = np.nonzero(n_units > 0)[0]
    chosen = with_units if len(with_units) <= MANY_PAIRS else with_units[n_units[with_units] >= FEW_UNITS]
    if len(chosen) > MOST_PAIRS:
        chosen = np.sort(chosen[np.argsort(-n_units[chosen], kind="stable")[:MOST_PAIRS]])
    places = data.pairs.pairs[chosen].tolist()
    return [(data.raters[one], data.raters[two]) for one, two in places], len(with_units) - len(chosen)


def read_pair(data: Tally, raters: tuple[str, str], *, question: str | None = None, seed: int = 0) -> PairReading:
    """Two raters: both coefficients, the difference in level, and the verdict."""
    pair = with_raters(data, raters)
    scores = scores_of(pair)
    agreement = evaluate(find_measure(usual_measure(pair)), pair).with_(question=question)
    gamma, tau = (_correlation(pair, key, question=question) for key in ("gk_gamma", "tau_b"))
    ordered = tau is not None
    shift = shift_of(scores) if ordered else None
    association = tau.value if tau is not None else agreement.value
    p = association_p(scores, ordered=ordered, seed=seed)
    verdict = decide(scores, agreement=agreement.value, association=association, p=p, shift=shift)
    return PairReading(
        question=question,
        raters=raters,
        n_units=int(scores.n),
        observed=scores.observed,
        agreement=agreement,
        correlation=gamma,
        tau_b=tau,
        association_p=p,
        shift=shift,
        verdict=verdict,
        stricter=_stricter(raters, shift) if verdict is Verdict.LEVEL else None,
        explanation=explain(verdict, raters, scores, shift),
    )


def _correlation(data: Tally, key: str, *, question: str | None) -> Agreement | None:
    """A correlation where values have an order; two categories have one for this purpose (tau-b is then phi)."""
    ordered = as_ordered(data)
    return None if ordered is None else evaluate(find_measure(key), ordered).with_(question=question)


def _stricter(raters: tuple[str, str], shift: Shift | None) -> str | None:
    """The rater with the lower level."""
    if shift is None:
        return None
    return raters[0] if shift.n_higher > shift.n_lower else raters[1]


def explain(verdict: Verdict, raters: tuple[str, str], scores: Scores, shift: Shift | None) -> str:
    """The verdict in plain language."""
    one, two = raters
    if verdict is Verdict.LEVEL and shift is not None:
        return _explain_level(raters, shift)
    same = f"{scores.observed:.0%} of {count(int(scores.n), 'unit')} get the same value"
    return {
        Verdict.AGREE: f"{one} and {two} put units in the same order and mostly give the same values ({same}).",
        Verdict.LEVEL: f"{one} and {two} order units alike at different levels.",
        Verdict.LOOSE: f"{one} and {two} tend the same way, but scatter: {same}, and neither is systematically higher.",
        Verdict.NEITHER: f"What {one} says hardly tells what {two} says ({same}): they read the question differently, "
        "or one of them guesses.",
        Verdict.PREVALENCE: f"{one} and {two} agree ({same}) because nearly all units get one value; on the rest they "
        "do not go together, so the agreement is not evidence of a shared reading.",
        Verdict.REVERSED: f"Where {one} is high {two} is low: one of them uses the scale the other way round.",
        Verdict.UNDECIDED: f"{one} and {two} have {count(int(scores.n), 'unit')} in common; {FEW_UNITS} are needed.",
    }[verdict]


def _explain_level(raters: tuple[str, str], shift: Shift) -> str:
    """Who is stricter, by how much, how consistently."""
    low, high = raters if shift.n_higher > shift.n_lower else raters[::-1]
    most = max(shift.n_higher, shift.n_lower)
    return (
        f"{low} and {high} order units alike, but {low} is stricter: lower by {abs(shift.mean):.2f} on average, "
        f"and in {most:,} of the {shift.n_apart:,} units on which they differ."
    )
