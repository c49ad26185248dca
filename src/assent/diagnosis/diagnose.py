"""Why agreement is not higher: everything that the data allow to say, in one call."""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.diagnosis.categories import Categories, category_profile
from assent.diagnosis.consistency import Consistency
from assent.diagnosis.direction import Direction, directions
from assent.diagnosis.entropy import Entropies, unit_entropies
from assent.diagnosis.findings import Finding
from assent.diagnosis.material import Material, grouping_attributes, materials
from assent.diagnosis.pairs import consistency_of
from assent.diagnosis.raters import Batch, Misreading, RaterProfile
from assent.diagnosis.slices import SliceTable, slice_material
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


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """The findings, the most serious first, and the tables behind them. `refused` says why raters are not told apart."""

    name: str
    n_rows: int
    n_units: int
    n_judgements: int
    raters: tuple[str, ...]
    findings: tuple[Finding, ...]
    questions: tuple[QuestionDiagnosis, ...]
    slices: tuple[SliceTable, ...]
    batches: tuple[Batch, ...]
    refused: str | None
    seed: int
    notes: tuple[str, ...] = ()


def diagnose(
    study: Study, *, trust_raters: bool = False, by: Sequence[str] | None = None, base: float = 2.0, seed: int = 1
) -> Diagnosis:
    """Look at a study from all sides. `by` names the attributes to slice by; None takes those with few values."""
    parts = list(materials(study))
    questions = tuple(_question(part, refused=None, base=base, by=by, seed=seed) for part in parts)
    return Diagnosis(
        name=study.name,
        n_rows=study.n_rows,
        n_units=len(study.unit.labels),
        n_judgements=sum(part.judgements.n_judgements for part in parts),
        raters=study.raters,
        findings=(),
        questions=questions,
        slices=tuple(table for part in parts for table in _slices(part, by, seed=seed)),
        batches=(),
        refused=None,
        seed=seed,
        notes=study.notes,
    )


def _question(
    part: Material, *, refused: str | None, base: float, by: Sequence[str] | None, seed: int
) -> QuestionDiagnosis:
    """One question."""
    return QuestionDiagnosis(
        question=part.question,
        level=part.scale.level,
        categories=part.scale.categories,
        n_units=part.judgements.n_units,
        n_judgements=part.judgements.n_judgements,
        consistency=consistency_of(part, refused=refused, seed=seed),
        profile=category_profile(part),
        directions=directions(part.tally),
        entropies=unit_entropies(part, base=base, attributes=by),
        raters=(),
        misreadings=(),
    )


def _slices(part: Material, by: Sequence[str] | None, *, seed: int) -> list[SliceTable]:
    """One table for each attribute."""
    return [
        slice_material(part, [name], seed=seed) for name in (grouping_attributes(part) if by is None else tuple(by))
    ]
