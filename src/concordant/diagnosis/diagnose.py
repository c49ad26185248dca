"""Why agreement is not higher: everything that the data allow to say, in one call.

From tables to findings: what the numbers of each part mean is said only when it is not likely to be chance. Many tests
are made at once, so p-values are corrected by Holm (1979) and a finding needs p < .001 after that.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from concordant.diagnosis import categories as of_categories
from concordant.diagnosis import misreading
from concordant.diagnosis import rater_profiles as of_raters
from concordant.diagnosis.aggregate import GOOD as RELIABLE
from concordant.diagnosis.aggregate import MOST_CELLS, Reliability, most_reliable
from concordant.diagnosis.categories import Categories, Direction, Entropies
from concordant.diagnosis.causes import CauseCount, count_causes, on_causes
from concordant.diagnosis.consistency import Consistency, PairReading, Verdict, consistency_of
from concordant.diagnosis.findings import Finding, Severity, by_severity, named
from concordant.diagnosis.forensics import examine
from concordant.diagnosis.material import Material, grouping_attributes, open_case
from concordant.diagnosis.pooled import Pooled, on_pooled, pooled
from concordant.diagnosis.rater_profiles import Accuracy, Batch, Generalizability, RaterProfile, Stability
from concordant.diagnosis.slices import GroupRow, SliceTable, group_rows, on_slices, slice_material
from concordant.diagnosis.verdict import MAIN, StudyVerdict, study_verdict
from concordant.digits import counted, decimal, p_text, percent
from concordant.measures.benchmarks import check_scales
from concordant.measures.catalogue import find_measure
from concordant.model.scale import Level
from concordant.model.study import Groups, Study, rater_groups
from concordant.model.tabular import TabularResult
from concordant.readers.data import as_study
from concordant.uncertainty.studies import measure_study

MOST_KNOWN = 60
"""More raters than these are a crowd: nobody can ask them, and one pair of them says nothing about the others."""


@dataclass(frozen=True, kw_only=True)
class QuestionDiagnosis:
    """One question from all sides. Parts that rater identity is needed for are empty when it is not trusted."""

    question: str | None
    level: Level
    categories: tuple[str, ...]
    n_units: int
    n_judgements: int
    consistency: Consistency
    profile: Categories | None
    directions: tuple[Direction, ...]
    entropies: Entropies | None
    raters: tuple[RaterProfile, ...]
    misreadings: tuple[misreading.Misreading, ...]
    generalizability: Generalizability | None
    accuracy: tuple[Accuracy, ...]
    pooled: Pooled | None = None

    @property
    def unsaid_directions(self) -> list[Direction]:
        """The directions of the pairs that are not said to differ in level already."""
        said = {pair.raters for pair in self.consistency.pairs if pair.verdict in (Verdict.LEVEL, Verdict.REVERSED)}
        return [part for part in self.directions if part.raters not in said]


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(TabularResult):
    """The findings, the most serious first, and the tables behind them. `refused`: why raters are not told apart."""

    COLUMNS: ClassVar = {"severity": "", "question": "Question", "seen": "What was seen", "sure": "How sure"} | {
        "advice": "What to do"
    }

    name: str
    n_rows: int
    n_units: int
    n_judgements: int
    raters: tuple[str, ...]
    verdict: StudyVerdict
    findings: tuple[Finding, ...]
    questions: tuple[QuestionDiagnosis, ...]
    slices: tuple[SliceTable, ...]
    groups: tuple[GroupRow, ...]
    batches: tuple[Batch, ...]
    stability: tuple[Stability, ...]
    refused: str | None
    seed: int
    notes: tuple[str, ...] = ()
    causes: tuple[CauseCount, ...] = ()

    @property
    def is_crowd(self) -> bool:
        """Whether there are too many raters to speak of each, or with them."""
        return len(self.raters) > MOST_KNOWN

    def __repr__(self) -> str:
        """The size of the study and the findings in short; all of it is in the fields."""
        size = f"{self.n_judgements:,} judgements of {self.n_units:,} units by {len(self.raters):,} raters"
        return "\n".join([self.verdict.sentence, f"{self.name}: {size}", *map(repr, self.findings)])

    def rows(self) -> list[dict[str, Any]]:
        """One for each finding."""
        keys = ("kind", "severity", "question", "seen", "sure", "advice")
        return [{key: one.to_dict()[key] for key in keys} for one in self.findings]


def diagnose(
    data: Any,
    *,
    trust_raters: bool = False,
    by: str | Sequence[str] | None = None,
    group: Groups | str | Sequence[str] | None = None,
    gold: str | None = None,
    base: float = 2.0,
    seed: int = 1,
    interval: Mapping[str, Any] | None = None,
    read_on: str | Sequence[str] = (),
    **reading: Any,
) -> Diagnosis:
    """Look at judgements from all sides; `data` is whatever holds some, `reading` says how to read them.

    `by` names the attributes to slice by (None takes those with few values), `group` names groups of raters: a mapping,
    texts such as `native=J1,J2`, or a column that says each rater's group.
    Values of whole questions are read on the scales `read_on`, where these were made for them.
    `gold` is the attribute that holds the right values, `base` that of entropy. Statistics about single raters are
    refused when the raters turn out to be places in a table, unless `trust_raters` says that they are people.
    """
    scales = (read_on,) if isinstance(read_on, str) else tuple(read_on)
    check_scales(scales)
    study = as_study(data, **reading)
    stability = of_raters.stability(study, seed=seed)
    study = _first_judged(study, stability)
    groups = rater_groups(study, group)
    by = [by] if isinstance(by, str) else by
    case = open_case(study)
    seen, refused = examine(case, trust_raters=trust_raters)
    how: dict[str, Any] = {"by": by, "gold": gold, "base": base, "seed": seed, "read_on": scales}
    questions = tuple(_question(part, refused, **how) for part in case.parts)
    slices = _sliced(case.parts, by, seed=seed, trust_raters=refused is None)
    causes, is_crowd = count_causes(study), len(study.raters) > MOST_KNOWN
    shared = () if is_crowd else of_raters.batches([one.consistency for one in questions])
    concluded = _conclusions(questions, slices, shared, is_crowd=is_crowd)
    return Diagnosis(
        name=study.name,
        n_rows=study.n_rows,
        n_units=len(study.unit.labels),
        n_judgements=sum(part.judgements.n_judgements for part in case.parts),
        raters=study.raters,
        verdict=study_verdict(
            measure_study(case.clean, [MAIN], seed=seed, **_of_main(interval or {})),
            [one.consistency for one in questions],
            titles=study.titles,
        ),
        findings=by_severity([*seen, *_worth_keeping(case.parts, concluded, seed), *on_causes(causes)]),
        questions=questions,
        slices=slices,
        groups=group_rows(study, groups, seed=seed) if groups and refused is None else (),
        batches=shared,
        stability=stability,
        refused=refused,
        seed=seed,
        notes=study.notes,
        causes=causes,
    )


def _sliced(
    parts: Sequence[Material], by: Sequence[str] | None, *, seed: int, trust_raters: bool
) -> tuple[SliceTable, ...]:
    """Every question by every attribute that was named, or that has few values."""
    return tuple(
        slice_material(part, [name], seed=seed, trust_raters=trust_raters)
        for part in parts
        for name in (grouping_attributes(part) if by is None else by)
    )


def _first_judged(study: Study, stability: Sequence[Stability]) -> Study:
    """The first judgements, where units were judged again and nobody said which of them to take."""
    if not stability or study.duplicates not in ("refuse", "all"):
        return study
    n = counted(stability[0].n_repeated, "unit")
    note = f"{n} judged again by the same rater: stability is of the repeats, all else of the first judgements"
    return replace(study, duplicates="first", notes=(*study.notes, note))


def _of_main(asked: Mapping[str, Any]) -> dict[str, Any]:
    """How an interval is made, as far as the main coefficient has it."""
    ci = asked.get("ci")
    return {**asked, "ci": ci if ci != "none" and ci in find_measure(MAIN).ci else "auto"}


def _question(
    part: Material,
    refused: str | None,
    *,
    by: Sequence[str] | None,
    gold: str | None,
    base: float,
    seed: int,
    read_on: tuple[str, ...],
) -> QuestionDiagnosis:
    """One question from all sides."""
    trust, is_crowd = refused is None, len(part.study.raters) > MOST_KNOWN
    attributes = None if by is None else [name for name in by if name in part.unit_attributes]
    consistency = consistency_of(part, refused=refused, seed=seed).read_on(read_on)
    return QuestionDiagnosis(
        question=part.question,
        level=part.scale.level,
        categories=part.scale.categories,
        n_units=part.judgements.n_units,
        n_judgements=part.judgements.n_judgements,
        consistency=consistency,
        profile=of_categories.category_profile(part, trust_raters=trust),
        directions=of_categories.directions(part.tally) if trust and not is_crowd else (),
        entropies=of_categories.unit_entropies(part, base=base, attributes=attributes),
        raters=of_raters.rater_profiles(part, consistency) if trust else (),
        misreadings=() if is_crowd else misreading.question_misreaders(consistency, part.tally),
        generalizability=of_raters.generalizability(part.tally) if trust else None,
        accuracy=() if gold is None else of_raters.accuracy(part, gold, seed=seed),
        pooled=pooled(part, consistency, seed=seed) if trust and not is_crowd else None,
    )


def _worth_keeping(parts: Sequence[Material], findings: Iterable[Finding], seed: int) -> Iterator[Finding]:
    """No advice to give judgements up if what many raters say together can be relied on."""
    found: dict[str | None, Reliability] = {}
    for one in findings:
        if ADVICE[Verdict.WEAK] != one.advice:
            yield one
            continue
        if one.question not in found:
            part = next((p for p in parts if p.question == one.question), parts[0])
            data = part.judgements
            if data.n_units * data.n_raters > MOST_CELLS or data.n_repeats:
                yield one
                continue
            found[one.question] = most_reliable(data, seed=seed, draws=0)[1]
        best = found[one.question]
        if best.aggregate is None or best.aggregate < RELIABLE:
            yield one
            continue
        many = f"the {best.of} of {round(best.raters_per_unit):,} raters can ({decimal(best.aggregate)})"
        advice = f"One rater's answer cannot be relied on, {many}: keep shares (soft labels), not single labels."
        evidence = {**one.evidence, "aggregate": best.aggregate, "of": best.of}
        yield replace(one, advice=advice, severity=Severity.WARNING, evidence=evidence)


def _conclusions(
    questions: Sequence[QuestionDiagnosis], slices: Sequence[SliceTable], shared: Sequence[Batch], *, is_crowd: bool
) -> Iterator[Finding]:
    """What the parts say together."""
    for one in questions:
        yield from on_crowd(one.consistency) if is_crowd else on_consistency(one.consistency)
        yield from on_pooled(one.pooled)
        yield from misreading.on_misreadings(one.misreadings)
        yield from of_categories.on_categories(one.question, one.level, one.profile)
    yield from on_scatter([one.consistency for one in questions])
    yield from of_categories.on_directions(
        [(one.question, part) for one in questions for part in one.unsaid_directions]
    )
    yield from on_slices(slices)
    yield from of_categories.on_entropy([(one.question, one.entropies) for one in questions])
    yield from of_raters.on_batches(shared, max((one.n_units for one in questions), default=0))


KINDS = {
    Verdict.LEVEL: ("level-difference", Severity.WARNING),
    Verdict.LOOSE: ("scatter", Severity.NOTE),
    Verdict.WEAK: ("weak-covariation", Severity.SERIOUS),
    Verdict.PREVALENCE: ("prevalence", Severity.WARNING),
    Verdict.REVERSED: ("reversed-scale", Severity.SERIOUS),
}
ADVICE = {
    Verdict.LEVEL: "Their order of units can be trusted, their values cannot be mixed: agree on anchors for each "
    "value, or compare ranks or values centred on each rater. Report agreement and correlation both.",
    Verdict.LOOSE: "Look at the units with the highest entropy and sharpen the guidelines there; more raters per unit "
    "average the scatter out.",
    Verdict.WEAK: "Do not use these judgements together. Let both raters explain ten units they differ on before "
    "anything is judged again.",
    Verdict.PREVALENCE: "Judge a sample in which the rare values are frequent. Report the observed agreement for each "
    "category, and AC1 or S beside kappa.",
    Verdict.REVERSED: "Ask which end of the scale each of them took for good; if it is a mistake, turn one rater's "
    "values round and say so.",
}


def on_consistency(part: Consistency) -> Iterator[Finding]:
    """One finding for each verdict that calls for something to be done; scatter is said for all questions at once."""
    for verdict in KINDS:
        pairs = [pair for pair in part.pairs if pair.verdict is verdict and pair.calls_for_action]
        if pairs and verdict is not Verdict.LOOSE:
            yield _verdict(verdict, pairs, _seen(pairs, len(part.pairs)), part.question)


def on_crowd(part: Consistency) -> Iterator[Finding]:
    """Of a crowd only how many of the pairs looked at are of each kind: single people cannot be asked."""
    for verdict in KINDS:
        pairs = [pair for pair in part.pairs if pair.verdict is verdict and pair.calls_for_action]
        if pairs and verdict is not Verdict.LOOSE:
            share = len(pairs) / len(part.pairs)
            looked = f"{len(pairs):,} of {counted(len(part.pairs), 'rater pair')} that were looked at"
            seen = f"{looked} ({percent(share, 1)}): {verdict.value}."
            told = _verdict(verdict, pairs, seen, part.question)
            yield replace(told, severity=Severity.WARNING if share > MANY else Severity.NOTE, advice=CROWD_ADVICE)


MANY = 0.1
"""A larger share of the pairs of a crowd is no accident."""
CROWD_ADVICE = (
    "Nobody in a crowd can be asked: leave people out by rules that are declared beforehand and applied to all, such "
    "as control items, and look at the distribution of answers to each unit rather than at single people."
)


def on_scatter(parts: Sequence[Consistency]) -> Iterator[Finding]:
    """Raters who covary but agree only in part, over all questions."""
    pairs = [pair for part in parts for pair in part.pairs if pair.verdict is Verdict.LOOSE]
    if pairs:
        n_pairs = sum(len(part.pairs) for part in parts)
        questions = list(dict.fromkeys(pair.question for pair in pairs if pair.question is not None))
        shares = [pair.observed for pair in pairs]
        where = f" on {named(questions)}" if questions else ""
        low, high = percent(min(shares)), percent(max(shares))
        same = low if low == high else f"{low} to {high}"
        seen = (
            f"Raters tend the same way{where}, but scatter: {same} of the units get the same value, and nobody is "
            f"systematically higher ({len(pairs):,} of {counted(n_pairs, 'comparison')} of two raters)."
        )
        yield _verdict(Verdict.LOOSE, pairs, seen)


def _verdict(verdict: Verdict, pairs: list[PairReading], seen: str, question: str | None = None) -> Finding:
    """A finding about the pairs of one verdict."""
    (kind, severity), found = KINDS[verdict], [pair.association_p for pair in pairs]
    sure = f"Permutation test of covariation: {p_text(max(found))} at the most."
    if verdict is Verdict.LEVEL:
        sure = "Sign test, the largest: " + p_text(max(pair.shift.p for pair in pairs if pair.shift is not None)) + "."
    elif verdict in (Verdict.WEAK, Verdict.PREVALENCE):
        sure = f"Permutation test of covariation: {p_text(min(found))} at the least; no test proves that there is none."
    return Finding(
        kind=kind,
        severity=severity,
        seen=seen,
        sure=sure,
        advice=ADVICE[verdict],
        evidence={"verdict": verdict.value, "pairs": [pair.numbers for pair in pairs]},
        question=question,
        raters=tuple(dict.fromkeys(rater for pair in pairs for rater in pair.raters)),
    )


def _seen(pairs: list[PairReading], n_pairs: int) -> str:
    """The only pair in full; of several the one rater behind them all, or the clearest pair and how many they are."""
    strict = {pair.stricter for pair in pairs}
    if len(pairs) > 1 and len(strict) == 1 and None not in strict:
        rater, shifts = strict.pop(), [pair.shift for pair in pairs if pair.shift is not None]
        others = [other for pair in pairs for other in pair.raters if other != rater]
        lower = sum(max(shift.n_higher, shift.n_lower) for shift in shifts)
        mean = float(np.mean([abs(shift.mean) for shift in shifts]))
        return (
            f"{rater} orders units like {named(others)}, but is stricter than each of them: lower by "
            f"{decimal(mean, 2)} on average, and lower in {lower:,} of "
            f"{counted(sum(shift.n_apart for shift in shifts), 'disagreement')}."
        )
    clearest = max(pairs, key=lambda pair: pair.n_units)
    if n_pairs == 1:
        return clearest.explanation
    more = f" ({len(pairs):,} of {counted(n_pairs, 'rater pair')}: {named([' and '.join(p.raters) for p in pairs], 4)})"
    return clearest.explanation + more
