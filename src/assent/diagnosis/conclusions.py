"""From tables to findings: what the numbers of each part mean, said only when it is not likely to be chance.

Many tests are made at once, so p-values are corrected by Holm (1979) and a finding needs p < .001 after that.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from assent.diagnosis.categories import Categories
from assent.diagnosis.consistency import Consistency, PairReading, Verdict
from assent.diagnosis.direction import Direction
from assent.diagnosis.entropy import Entropies, EntropyTest
from assent.diagnosis.findings import Finding, Severity, count, named, p_text
from assent.diagnosis.raters import Batch, Misreading
from assent.diagnosis.slices import SliceRow, SliceTable
from assent.model.scale import Level

SURE = 0.001
SKEWED = 0.9
APART = 1.2  # batches that add up to more units than this, of all there are, are not apart
MUCH = 1.5
LEAST_CONFUSED = 10
LEAST_UNITS = 20
WIDTH_IN_ERRORS = 3.92  # a 95 % interval, in standard errors

KINDS = {
    Verdict.LEVEL: ("level-difference", Severity.WARNING),
    Verdict.LOOSE: ("scatter", Severity.NOTE),
    Verdict.NEITHER: ("no-covariation", Severity.SERIOUS),
    Verdict.PREVALENCE: ("prevalence", Severity.WARNING),
    Verdict.REVERSED: ("reversed-scale", Severity.SERIOUS),
}
ADVICE = {
    Verdict.LEVEL: "Their order of units can be trusted, their values cannot be mixed: agree on anchors for each "
    "value, or compare ranks or values centred on each rater. Report agreement and correlation both.",
    Verdict.LOOSE: "Look at the units with the highest entropy and sharpen the guidelines there; more raters per unit "
    "average the scatter out.",
    Verdict.NEITHER: "Do not use these judgements together. Let both raters explain ten units they differ on before "
    "anything is judged again.",
    Verdict.PREVALENCE: "Judge a sample in which the rare values are frequent. Report the observed agreement for each "
    "category, and AC1 or S beside kappa.",
    Verdict.REVERSED: "Ask which end of the scale each of them took for good; if it is a mistake, turn one rater's "
    "values round and say so.",
}


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction.

    >>> holm([0.01, 0.04])
    [0.02, 0.04]
    """
    order = np.argsort(p_values)
    steps = np.asarray(p_values, dtype=np.float64)[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in corrected]


def on_consistency(part: Consistency) -> Iterator[Finding]:
    """One finding for each verdict that calls for something to be done; scatter is said for all questions at once."""
    for verdict, (kind, severity) in KINDS.items():
        if verdict is Verdict.LOOSE:
            continue
        pairs = [pair for pair in part.pairs if pair.verdict is verdict]
        if pairs:
            yield Finding(
                kind=kind,
                severity=severity,
                seen=_seen(pairs, len(part.pairs)),
                sure=_sure(verdict, pairs),
                advice=ADVICE[verdict],
                evidence={"verdict": verdict.value, "pairs": [_numbers(pair) for pair in pairs]},
                question=part.question,
                raters=tuple(dict.fromkeys(rater for pair in pairs for rater in pair.raters)),
            )


def on_scatter(parts: Sequence[Consistency]) -> Iterator[Finding]:
    """Raters who covary but agree only in part, over all questions."""
    pairs = [pair for part in parts for pair in part.pairs if pair.verdict is Verdict.LOOSE]
    if not pairs:
        return
    kind, severity = KINDS[Verdict.LOOSE]
    n_pairs = sum(len(part.pairs) for part in parts)
    questions = list(dict.fromkeys(pair.question for pair in pairs if pair.question is not None))
    shares = [pair.observed for pair in pairs if pair.observed is not None]
    where = f" on {named(questions)}" if questions else ""
    low, high = (f"{share:.0%}" for share in (min(shares), max(shares)))
    same = low if low == high else f"{low} to {high}"
    yield Finding(
        kind=kind,
        severity=severity,
        seen=f"Raters tend the same way{where}, but scatter: {same} of the units get the same value, and nobody is "
        f"systematically higher ({len(pairs):,} of {count(n_pairs, 'comparison')} of two raters).",
        sure=_sure(Verdict.LOOSE, pairs),
        advice=ADVICE[Verdict.LOOSE],
        evidence={"verdict": Verdict.LOOSE.value, "pairs": [_numbers(pair) for pair in pairs]},
        raters=tuple(dict.fromkeys(rater for pair in pairs for rater in pair.raters)),
    )


def _seen(pairs: list[PairReading], n_pairs: int) -> str:
    """The only pair in full; of several the one rater behind them all, or the clearest pair and how many they are."""
    strict = {pair.stricter for pair in pairs}
    if len(pairs) > 1 and len(strict) == 1 and None not in strict:
        return _one_is_stricter(str(strict.pop()), pairs)
    clearest = max(pairs, key=lambda pair: pair.n_units)
    if n_pairs == 1:
        return clearest.explanation
    more = f" ({len(pairs):,} of {count(n_pairs, 'rater pair')}: {named([' and '.join(p.raters) for p in pairs], 4)})"
    return clearest.explanation + more


def _one_is_stricter(rater: str, pairs: list[PairReading]) -> str:
    """One rater is lower than several others."""
    others = [other for pair in pairs for other in pair.raters if other != rater]
    shifts = [abs(pair.shift.mean) for pair in pairs if pair.shift is not None]
    apart = sum(pair.shift.n_apart for pair in pairs if pair.shift is not None)
    lower = sum(max(pair.shift.n_higher, pair.shift.n_lower) for pair in pairs if pair.shift is not None)
    return (
        f"{rater} orders units like {named(others)}, but is stricter than each of them: lower by {np.mean(shifts):.2f} "
        f"on average, and lower in {lower:,} of {count(apart, 'disagreement')}."
    )


def _sure(verdict: Verdict, pairs: list[PairReading]) -> str:
    """The test behind the verdict."""
    if verdict is Verdict.LEVEL:
        return "Sign test, the largest: " + p_text(max(p.shift.p for p in pairs if p.shift is not None)) + "."
    largest = max(pair.association_p for pair in pairs if pair.association_p is not None)
    smallest = min(pair.association_p for pair in pairs if pair.association_p is not None)
    if verdict in (Verdict.NEITHER, Verdict.PREVALENCE):
        return f"Permutation test of covariation: {p_text(smallest)} at the least; no test proves that there is none."
    return f"Permutation test of covariation: {p_text(largest)} at the most."


def _numbers(pair: PairReading) -> dict[str, object]:
    """The numbers behind a pair's verdict."""
    return {
        "raters": list(pair.raters),
        "n_units": pair.n_units,
        "observed": pair.observed,
        "agreement": pair.agreement.value,
        "tau_b": None if pair.tau_b is None else pair.tau_b.value,
        "shift": None if pair.shift is None else pair.shift.mean,
        "stricter": pair.stricter,
        "p": pair.association_p,
    }


def on_misreadings(found: Iterable[Misreading]) -> Iterator[Finding]:
    """Raters who go with nobody."""
    for one in found:
        question = "the question" if one.question is None else repr(one.question)
        yield Finding(
            kind="misreading",
            severity=Severity.SERIOUS,
            seen=f"{one.rater} seems to read {question} differently: mean tau-b {one.with_others:.2f} with the others, "
            f"who have {one.among_others:.2f} among each other.",
            sure=f"Over {count(one.n_pairs, 'rater pair')}; the gap exceeds three standard errors.",
            advice=f"Go through {question} with {one.rater}; measure with and without this rater and report both.",
            evidence={"with_others": one.with_others, "among_others": one.among_others, "n_pairs": one.n_pairs},
            question=one.question,
            raters=(one.rater,),
        )


def on_directions(found: Sequence[tuple[str | None, Direction]]) -> Iterator[Finding]:
    """Disagreements that go one way."""
    tested = [(question, one, one.p) for question, one in found if one.p is not None]
    for (question, one, _), p in zip(tested, holm([p for _, _, p in tested]), strict=True):
        if p < SURE:
            yield Finding(
                kind="direction",
                severity=Severity.NOTE,
                seen=_direction_text(one),
                sure=f"{one.method}, corrected for {count(len(tested), 'test')}: {p_text(p)}.",
                advice="Disagreement in one direction is a difference in standards, not noise: settle border cases.",
                evidence={"only_first": one.only_first, "only_second": one.only_second, "p": one.p, "p_holm": p},
                question=question,
                raters=one.raters,
            )


def _direction_text(one: Direction) -> str:
    """Who says what alone."""
    surplus = np.array(one.only_first) - np.array(one.only_second)
    c = int(np.argmax(np.abs(surplus)))
    (first, second), category = one.raters, one.categories[c]
    return (
        f"{first} and {second} disagree in one direction: only {first} says {category!r} in {one.only_first[c]:,} "
        f"units, only {second} in {one.only_second[c]:,}."
    )


def on_slices(tables: Sequence[SliceTable]) -> Iterator[Finding]:
    """Attributes with a value where agreement is clearly lower than at the best value; the worst value is named."""
    pairs = [(table, row, best) for table in tables for row, best in _worst_and_best(table)]
    tested = holm([_difference_p(row, best) * _n_pairs(table) for table, row, best in pairs])
    for (table, row, best), p in zip(pairs, tested, strict=True):
        if p < SURE:
            name, value = next(iter(row.slice.items()))
            yield Finding(
                kind="slice",
                severity=Severity.WARNING,
                seen=f"Agreement depends on {name!r}: {table.measure} {float(row.result):.3f} where it is {value!r}, "
                f"{float(best.result):.3f} where it is {best.slice[name]!r}.",
                sure=f"The lowest against the highest of {count(len(table.rows), 'value')}, jackknife errors, "
                f"corrected for {count(len(pairs), 'test')}: {p_text(p)}.",
                advice=f"Read the disagreements where {name!r} is {value!r}: the guidelines may not fit these units.",
                evidence={"slice": dict(row.slice), "value": row.result.value, "best": best.result.value, "p_holm": p},
                question=row.question,
            )


def _n_pairs(table: SliceTable) -> int:
    """How many differences between two values there are: the largest was picked from them."""
    return len(table.rows) * (len(table.rows) - 1) // 2


def _worst_and_best(table: SliceTable) -> Iterator[tuple[SliceRow, SliceRow]]:
    """The parts with the lowest and the highest value, of those with an interval and enough units."""
    known = [row for row in table.rows if row.result.interval is not None and row.total >= LEAST_UNITS]
    if len(known) > 1:
        ordered = sorted(known, key=lambda row: float(row.result))
        yield ordered[0], ordered[-1]


def _difference_p(one: SliceRow, two: SliceRow) -> float:
    """Two independent parts: normal test of the difference."""
    from scipy.special import ndtr

    widths = [row.result.interval.width for row in (one, two) if row.result.interval is not None]
    error = float(np.linalg.norm(widths)) / WIDTH_IN_ERRORS
    gap = abs(float(one.result) - float(two.result))
    return float(2 * ndtr(-gap / error)) if error > 0 else float(gap == 0)


def on_entropy(found: Sequence[tuple[str | None, Entropies | None]]) -> Iterator[Finding]:
    """Attributes that go with the uncertainty of units; with two raters per unit slices say the same, and better."""
    tests = [(question, one) for question, part in found if part is not None and part.most > 2 for one in part.tests]
    known = [(question, one, one.test.p) for question, one in tests if one.test is not None]
    for (question, one, _), p in zip(known, holm([p for *_, p in known]), strict=True):
        if p < SURE and one.test is not None:
            yield Finding(
                kind="entropy",
                severity=Severity.NOTE,
                seen=f"Units differ in difficulty by {one.attribute!r}: {_extremes(one)}.",
                sure=f"{one.test.method}: {one.test.text}; corrected for {count(len(known), 'test')}: {p_text(p)}.",
                advice="Read the units with the highest entropy of the hardest group first.",
                evidence={"attribute": one.attribute, "means": {g.value: g.mean for g in one.groups}, "p_holm": p},
                question=question,
            )


def _extremes(one: EntropyTest) -> str:
    """The hardest and the easiest group."""
    ordered = sorted(one.groups, key=lambda group: -group.mean)
    high, low = ordered[0], ordered[-1]
    return f"mean entropy {high.mean:.2f} where it is {high.value!r}, {low.mean:.2f} where it is {low.value!r}"


def on_categories(question: str | None, level: Level, profile: Categories | None) -> Iterator[Finding]:
    """Categories that are confused more than chance would, and scales used at one place only."""
    if profile is None:
        return
    top = max(profile.uses, key=lambda use: use.share, default=None)
    if top is not None and top.share >= SKEWED and top.share < 1:
        yield Finding(
            kind="skewed-categories",
            severity=Severity.NOTE,
            seen=f"{top.category!r} takes {top.share:.0%} of all judgements.",
            sure="Counted.",
            advice="Agreement by chance is high then, and kappa low for a few disagreements: report observed agreement "
            "by category, and AC1 or S beside it.",
            evidence={"category": top.category, "share": top.share},
            question=question,
        )
    if not level.is_ordered and len(profile.uses) > 2:
        yield from _confused(question, profile)


def _confused(question: str | None, profile: Categories) -> Iterator[Finding]:
    """The two categories most often given to the same unit, if chance would not give them so."""
    from scipy.special import bdtrc

    if not profile.confusions:
        return
    top = profile.confusions[0]
    shares = {use.category: use.share for use in profile.uses}
    other = (1 - sum(share**2 for share in shares.values())) / 2
    expected = shares[top.first] * shares[top.second] / other if other > 0 else 1.0
    n = round(top.n_pairs / top.share)
    if top.n_pairs < LEAST_CONFUSED or top.share < MUCH * expected:
        return
    p = float(bdtrc(int(top.n_pairs) - 1, n, min(expected, 1.0)))
    if p < SURE:
        yield Finding(
            kind="confused-categories",
            severity=Severity.NOTE,
            seen=f"{top.first!r} and {top.second!r} make up {top.share:.0%} of all disagreement; by their frequency "
            f"they would make up {expected:.0%}.",
            sure=f"Binomial test: {p_text(p)}.",
            advice="Sharpen the border between the two, or merge them and measure again.",
            evidence={"categories": [top.first, top.second], "share": top.share, "expected": expected, "p": p},
            question=question,
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
    yield Finding(
        kind="most-reliable-batch",
        severity=Severity.NOTE,
        seen=f"The units shared by {best.raters[0]} and {best.raters[1]} are the most reliable: mean agreement "
        f"{best.agreement:.2f}, mean tau-b {best.correlation:.2f} over all questions.",
        sure=f"Both are the highest of {count(len(batches), 'rater pair')}; differences may be small.",
        advice="Start from this batch when judgements must be chosen.",
        evidence={"raters": list(best.raters), "agreement": best.agreement, "correlation": best.correlation},
        raters=best.raters,
    )
