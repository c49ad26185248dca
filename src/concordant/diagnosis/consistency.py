"""Agreement and correlation together: what two raters' numbers say about how they judge (Amidei, Piwek & Willis 2019).

Low agreement has different causes with different remedies. Raters who covary but differ in level need a common
standard; raters who neither agree nor covary read the question differently; raters who agree only because nearly
everything gets one category have not been tested at all. The verdict on two raters comes from an effect (tau-b; where
categories have no order, the coefficient of agreement) with its 95 % interval [l, h] and the p of a permutation test:

    reversed      p < .05 and the effect is below 0
    level         p < .05, and where they differ it is one and the same rater who is higher (4 of 5 times or more)
    agree         p < .05, and the whole interval of agreement lies at or above 0.67
    loose         p < .05, and the whole interval of agreement lies below 0.67: the rest is scatter
    perhaps       p < .05, and the interval of agreement holds 0.67
    prevalence    p >= .05, yet at least 3 of 4 units get the same value, and 85 of 100 values are one and the same
                  (whoever gives it so often without looking agrees on 3 of 4): nearly all units are of one kind
    weak          p >= .05 and h < 0.3: they covary at most weakly; with l <= -0.3 they may run opposite ways
    undecided     p >= .05 and h >= 0.3: too few units to tell

So a verdict never contradicts its own test, and "no covariation" is never said: no test shows that. The test draws
tables with the same margins, on which tau-b and agreement depend on nothing but the statistic tested. Where one
category is rare a single coincidence makes a correlation look large; the test knows that, a threshold does not.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from concordant.diagnosis.association import (
    Scores,
    Shift,
    association_p,
    exact_kappa,
    least_agreement,
    scores_of,
    shift_of,
)
from concordant.diagnosis.material import Material
from concordant.diagnosis.slices import as_ordered, usual_measure
from concordant.digits import counted, decimal, p_text, percent
from concordant.engines.tally import Tally, with_raters
from concordant.engines.views import Pairs
from concordant.measures.correlation import gk_gamma, tau_b
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement
from concordant.measures.spec import Measure
from concordant.uncertainty.estimate import measure


class Verdict(StrEnum):
    """What is the matter with two raters, in a phrase."""

    AGREE = "agree and covary"
    LEVEL = "covary but differ in level"
    LOOSE = "covary but agree only in part"
    PERHAPS = "covary and may agree well enough"
    WEAK = "covary at most weakly"
    PREVALENCE = "alike because nearly all units are of one kind"
    REVERSED = "covary the wrong way round"
    UNDECIDED = "too few units to tell"


@dataclass(frozen=True, kw_only=True)
class PairReading:
    """Two raters on one question: both kinds of coefficient and what they mean together.

    `correlation` is gamma with tau-b and its counts in the details; None where categories have no order. `effect` is
    what the verdict rests on: tau-b, or the agreement where there is no order, with its interval.
    `stricter` is the rater with the lower level, named only if the verdict is that levels differ.
    """

    question: str | None
    raters: tuple[str, str]
    n_units: int
    observed: float
    agreement: Agreement
    correlation: Agreement | None
    tau_b: Agreement | None
    association_p: float
    shift: Shift | None
    verdict: Verdict
    stricter: str | None
    explanation: str

    @property
    def effect(self) -> Agreement:
        """What the verdict rests on."""
        return self.agreement if self.tau_b is None else self.tau_b

    @property
    def calls_for_action(self) -> bool:
        """Whether the verdict is clear enough to act on: a scale is called turned round only if it clearly is."""
        value, is_reversed = self.effect.value, self.verdict is Verdict.REVERSED
        return not is_reversed or (value is not None and value <= -WEAK and self.association_p < SURE_REVERSED)

    @property
    def tau(self) -> float | None:
        """The value of tau-b."""
        return None if self.tau_b is None else self.tau_b.value

    @property
    def numbers(self) -> dict[str, object]:
        """The numbers behind the verdict."""
        return {
            "raters": list(self.raters),
            "n_units": self.n_units,
            "observed": self.observed,
            "agreement": self.agreement.value,
            tau_b.key: self.tau,
            "interval": None if self.effect.interval is None else [self.effect.interval.low, self.effect.interval.high],
            "shift": None if self.shift is None else self.shift.mean,
            "stricter": self.stricter,
            "p": self.association_p,
        }


@dataclass(frozen=True, kw_only=True)
class Consistency:
    """One question: all raters together, then pair by pair. `refused` says why there are no pairs."""

    question: str | None
    agreement: Agreement
    correlation: Agreement | None = None
    pairs: tuple[PairReading, ...] = ()
    verdicts: Mapping[Verdict, int] = field(default_factory=dict)
    n_pairs_left_out: int = 0
    refused: str | None = None

    def read_on(self, scales: tuple[str, ...]) -> "Consistency":
        """The same, with the values of the question read on these scales where they were made for them."""
        if not scales:
            return self
        correlation = None if self.correlation is None else self.correlation.with_(read_on=scales)
        return replace(self, agreement=self.agreement.with_(read_on=scales), correlation=correlation)


FEW_UNITS = 20  # of a crowd, pairs with fewer are not read
WEAK, STRONG = 0.3, 0.5
SURE = 0.05
SURE_REVERSED = 0.01
AGREE = 0.67
EXACT = 0.8
SAME_VALUE, ONE_KIND = 0.75, 0.85
ONE_SIDED = 0.6
SHIFT_SURE = 0.001
SHIFT_SHARE = 0.1


def decide(scores: Scores, *, agreement: Agreement, effect: Agreement, p: float, shift: Shift | None) -> Verdict:
    """Apply the rules in order. `effect` is tau-b, or the agreement coefficient where there is no order."""
    if p < SURE and effect.value is not None and effect.value < 0:
        return Verdict.REVERSED
    if p >= SURE or effect.value is None:
        if scores.observed >= SAME_VALUE and scores.commonest >= ONE_KIND:
            return Verdict.PREVALENCE
        return Verdict.WEAK if effect.interval is not None and effect.interval.high < WEAK else Verdict.UNDECIDED
    if shift is not None and is_level(shift, scores):
        return Verdict.LEVEL
    low, high = _ends(agreement)
    if scores.observed == 1:  # then resampling finds no uncertainty, whatever the number of units
        low = least_agreement(scores)
    return Verdict.AGREE if low >= AGREE else Verdict.LOOSE if high < AGREE else Verdict.PERHAPS


def _ends(of: Agreement) -> tuple[float, float]:
    """The ends of the interval; of a value without one both are the value, and without a value they are anything."""
    if of.interval is not None:
        return of.interval.low, of.interval.high
    return (-1.0, 1.0) if of.value is None else (of.value, of.value)


def is_level(shift: Shift, scores: Scores) -> bool:
    """Whether the two differ in level: often enough, in one direction, and not by chance."""
    if shift.n_apart < SHIFT_SHARE * scores.n or exact_kappa(scores) >= EXACT:
        return False
    one_sided = abs(shift.n_higher - shift.n_lower) / shift.n_apart
    return one_sided >= ONE_SIDED and shift.p < SHIFT_SURE


MANY_PAIRS = 50  # more rater pairs than this are a crowd
MOST_PAIRS = 300


def consistency_of(material: Material, *, refused: str | None = None, seed: int = 0) -> Consistency:
    """All raters together and each pair; `refused` says why raters cannot be told apart."""
    data = material.tally
    key = usual_measure(data, trust_raters=refused is None)
    agreement = measure(data, key, ci="jackknife", seed=seed, question=material.question)
    if refused is not None:
        return Consistency(question=material.question, agreement=agreement, refused=refused)
    names, n_left_out = pairs_to_read(data)
    pairs = tuple(read_pair(data, pair, question=material.question, seed=seed) for pair in names)
    return Consistency(
        question=material.question,
        agreement=agreement,
        correlation=_correlation(data, gk_gamma, question=material.question),
        pairs=pairs,
        verdicts=dict(Counter(pair.verdict for pair in pairs).most_common()),
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
    agreement = measure(pair, usual_measure(pair), seed=seed, question=question)
    gamma, tau = _correlation(pair, gk_gamma, question=question), None
    if (ordered := as_ordered(pair)) is not None:
        tau = measure(ordered, tau_b.key, ci="jackknife", seed=seed, question=question)
    shift = None if tau is None else shift_of(scores)
    p = association_p(scores, ordered=tau is not None, seed=seed)
    effect = agreement if tau is None else tau
    verdict = decide(scores, agreement=agreement, effect=effect, p=p, shift=shift)
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
        stricter=raters[shift.n_higher <= shift.n_lower] if shift and verdict is Verdict.LEVEL else None,
        explanation=explain(verdict, raters, scores, shift, effect, p),
    )


def _correlation(data: Tally, measure: Measure[Pairs], *, question: str | None) -> Agreement | None:
    """A correlation where values have an order; two categories have one for this purpose (tau-b is then phi)."""
    ordered = as_ordered(data)
    return None if ordered is None else evaluate(measure, ordered).with_(question=question)


def explain(
    verdict: Verdict, raters: tuple[str, str], scores: Scores, shift: Shift | None, effect: Agreement, p: float
) -> str:
    """The verdict in plain language, with the effect it rests on."""
    one, two = raters
    if verdict is Verdict.LEVEL and shift is not None:
        low, high = raters if shift.n_higher > shift.n_lower else raters[::-1]
        most = max(shift.n_higher, shift.n_lower)
        return (
            f"{low} and {high} order units alike, but {low} is stricter: lower by {decimal(abs(shift.mean), 2)} "
            f"on average, and in {most:,} of the {shift.n_apart:,} units on which they differ."
        )
    same = f"{percent(scores.observed)} of {counted(int(scores.n), 'unit')} get the same value"
    covary = f"{one} and {two} covary {_size(effect)} ({_effect_text(effect, p)})"
    too_few = f"{counted(int(scores.n), 'unit')} are too few to tell how {one} and {two} go together"
    if effect.interval is not None and effect.interval.high < WEAK:
        opposite = ", and may run opposite ways" if effect.interval.low <= -WEAK else ""
        open_ = f"{one} and {two} covary at most weakly{opposite} ({_effect_text(effect, p)})"
    elif effect.interval is not None:
        low_end, high_end = decimal(effect.interval.low, 2), decimal(effect.interval.high, 2)
        open_ = f"{too_few}: anything from {low_end} to {high_end} ({effect.name}, {p_text(p)})"
    else:
        open_ = f"{too_few} ({effect.reason or p_text(p)})"
    return {
        Verdict.AGREE: f"{covary} and mostly give the same values: {same}.",
        Verdict.LOOSE: f"{covary}, but agree too little: {same}, and neither is systematically higher.",
        Verdict.PERHAPS: f"{covary}; their agreement may or may not reach {AGREE}: {same}.",
        Verdict.WEAK: f"{open_}: {same}.",
        Verdict.PREVALENCE: f"{one} and {two} agree ({same}) because nearly all units get one value, which is no "
        f"evidence of a shared reading; {open_}.",
        Verdict.REVERSED: f"Where {one} is high {two} tends to be low ({_effect_text(effect, p)}).",
        Verdict.UNDECIDED: f"{open_[0].upper()}{open_[1:]}.",
    }[verdict]


def _size(effect: Agreement) -> str:
    """How large an effect is, in a word."""
    size = abs(effect.value or 0.0)
    return "weakly" if size < WEAK else "moderately" if size < STRONG else "strongly"


def _effect_text(effect: Agreement, p: float) -> str:
    """The effect with its interval; with p where the interval holds 0 and the test does not, or has no width."""
    told = f"{effect.name} {decimal(effect.value or 0.0, 2)}"
    is_held = p < SURE and effect.interval is not None and effect.interval.low <= 0 <= effect.interval.high
    if effect.interval is None or is_held or effect.interval.width < 1e-9:
        return f"{told}, {p_text(p)}"
    return f"{told} [{decimal(effect.interval.low, 2)}, {decimal(effect.interval.high, 2)}]"
