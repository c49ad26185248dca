"""Why agreement is not higher: everything that the data allow to say, in one call."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assent.diagnosis import conclusions
from assent.diagnosis.accuracy import Accuracy, accuracy
from assent.diagnosis.categories import Categories, category_profile
from assent.diagnosis.consistency import Consistency, Verdict
from assent.diagnosis.direction import Direction, directions
from assent.diagnosis.entropy import Entropies, unit_entropies
from assent.diagnosis.findings import Finding, by_severity
from assent.diagnosis.forensics import examine, open_case
from assent.diagnosis.generalizability import Generalizability, generalizability
from assent.diagnosis.groups import GroupRow, group_rows
from assent.diagnosis.material import Material, as_study, grouping_attributes
from assent.diagnosis.pairs import consistency_of
from assent.diagnosis.raters import Batch, Misreading, RaterProfile, batches, question_misreaders, rater_profiles
from assent.diagnosis.slices import SliceTable, slice_material
from assent.diagnosis.stability import Stability, stability
from assent.model.judgements import Judgements
from assent.model.scale import Level
from assent.model.study import Study


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
    misreadings: tuple[Misreading, ...]
    generalizability: Generalizability | None
    accuracy: tuple[Accuracy, ...]


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """The findings, the most serious first, and the tables behind them. `refused`: why raters are not told apart."""

    name: str
    n_rows: int
    n_units: int
    n_judgements: int
    raters: tuple[str, ...]
    findings: tuple[Finding, ...]
    questions: tuple[QuestionDiagnosis, ...]
    slices: tuple[SliceTable, ...]
    groups: tuple[GroupRow, ...]
    batches: tuple[Batch, ...]
    stability: tuple[Stability, ...]
    refused: str | None
    seed: int
    notes: tuple[str, ...] = ()


def diagnose(
    data: Study | Judgements,
    *,
    trust_raters: bool = False,
    by: Sequence[str] | None = None,
    groups: Mapping[str, tuple[str, ...]] | None = None,
    gold: str | None = None,
    base: float = 2.0,
    seed: int = 1,
) -> Diagnosis:
    """Look at a study (or judgements) from all sides.

    `by` names the attributes to slice by (None takes those with few values), `groups` are named groups of raters,
    `gold` is the attribute that holds the right values, `base` that of entropy. Statistics about single raters are
    refused when the raters turn out to be places in a table, unless `trust_raters` says that they are people.
    """
    study = as_study(data)
    case = open_case(study)
    seen, refused = examine(case, trust_raters=trust_raters)
    asked = Asked(by=by, gold=gold, base=base, seed=seed, refused=refused)
    questions = tuple(_question(part, asked) for part in case.parts)
    slices = tuple(table for part in case.parts for table in _slices(part, asked))
    shared = batches([one.consistency for one in questions])
    return Diagnosis(
        name=study.name,
        n_rows=study.n_rows,
        n_units=len(study.unit.labels),
        n_judgements=sum(part.judgements.n_judgements for part in case.parts),
        raters=study.raters,
        findings=by_severity([*seen, *_conclusions(questions, slices, shared)]),
        questions=questions,
        slices=slices,
        groups=group_rows(study, groups, seed=seed) if groups and refused is None else (),
        batches=shared,
        stability=stability(study, seed=seed),
        refused=refused,
        seed=seed,
        notes=study.notes,
    )


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the parts of a diagnosis need to know."""

    by: Sequence[str] | None
    gold: str | None
    base: float
    seed: int
    refused: str | None


def _question(part: Material, asked: Asked) -> QuestionDiagnosis:
    """One question from all sides."""
    trust = asked.refused is None
    consistency = consistency_of(part, refused=asked.refused, seed=asked.seed)
    return QuestionDiagnosis(
        question=part.question,
        level=part.scale.level,
        categories=part.scale.categories,
        n_units=part.judgements.n_units,
        n_judgements=part.judgements.n_judgements,
        consistency=consistency,
        profile=category_profile(part, trust_raters=trust),
        directions=directions(part.tally) if trust else (),
        entropies=unit_entropies(part, base=asked.base, attributes=_unit_attributes(part, asked)),
        raters=rater_profiles(part, consistency) if trust else (),
        misreadings=question_misreaders(consistency),
        generalizability=generalizability(part.tally) if trust else None,
        accuracy=() if asked.gold is None else accuracy(part, asked.gold, seed=asked.seed),
    )


def _unit_attributes(part: Material, asked: Asked) -> tuple[str, ...]:
    """The attributes of units to test entropy by."""
    if asked.by is None:
        return grouping_attributes(part)
    return tuple(name for name in asked.by if name in part.unit_attributes)


def _slices(part: Material, asked: Asked) -> list[SliceTable]:
    """One table for each attribute."""
    names = grouping_attributes(part) if asked.by is None else tuple(asked.by)
    trust = asked.refused is None
    return [slice_material(part, [name], seed=asked.seed, trust_raters=trust) for name in names]


def _news(one: QuestionDiagnosis) -> list[Direction]:
    """The directions of the pairs that are not said to differ in level already."""
    said = {pair.raters for pair in one.consistency.pairs if pair.verdict in (Verdict.LEVEL, Verdict.REVERSED)}
    return [part for part in one.directions if part.raters not in said]


def _conclusions(
    questions: Sequence[QuestionDiagnosis], slices: Sequence[SliceTable], shared: Sequence[Batch]
) -> Iterator[Finding]:
    """What the parts say together."""
    for one in questions:
        yield from conclusions.on_consistency(one.consistency)
        yield from conclusions.on_misreadings(one.misreadings)
        yield from conclusions.on_categories(one.question, one.level, one.profile)
    yield from conclusions.on_scatter([one.consistency for one in questions])
    yield from conclusions.on_directions([(one.question, part) for one in questions for part in _news(one)])
    yield from conclusions.on_slices(slices)
    yield from conclusions.on_entropy([(one.question, one.entropies) for one in questions])
    n_units = max((one.n_units for one in questions), default=0)
    yield from conclusions.on_batches(shared, n_units)
