"""`perspectives`: disagreement as signal. What one rater, the aggregate of raters, and the ranking of units are worth.

one rater      Krippendorff's alpha
aggregate      the share of a category (or the mean) of a unit: random halves of the raters, stepped up
ranking        the same from Spearman's rho of the halves

Raters may differ because people differ. Groups by an attribute are compared by the agreement of pairs within and across
them, the attribute permuted over raters. Camps are looked for without an attribute: each rater's line on the mean of
the others is removed (severity and care), and the leading eigenvalue of the residual correlations is compared with that
of studies drawn from those lines. They are claimed only if p <= .05 and they come again when units are resampled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from concordant.about import VERSION
from concordant.choices import escape
from concordant.diagnosis.aggregate import ENOUGH, GOOD, HALVES, MOST_CELLS, Reliability, most_reliable
from concordant.diagnosis.material import Material, materials
from concordant.diagnosis.verdict import MAIN
from concordant.digits import counted, decimal
from concordant.errors import InputError
from concordant.judging.camps import (
    SURE,
    Camps,
    GroupTest,
    SplitUnit,
    camps_of,
    group_test,
    split_units,
    tested_together,
)
from concordant.judging.soft_labels import Score, SoftLabels, score_against, soft_labels
from concordant.measures.result import Agreement
from concordant.model.study import Study, groups_by_attribute
from concordant.model.tabular import TabularResult, plain
from concordant.progress import Progress, silent
from concordant.readers.data import as_study
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.front import selection


@dataclass(frozen=True, kw_only=True)
class Perspective:
    """Everything about one question."""

    question: str | None
    single: Agreement
    reliability: Reliability
    categories: tuple[Reliability, ...]
    groups: tuple[GroupTest, ...]
    camps: Camps | None
    camps_reason: str | None
    units: tuple[SplitUnit, ...]
    soft: SoftLabels | None
    scores: tuple[Score, ...]
    sentence: str
    signature: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Perspectives(TabularResult):
    """All questions."""

    COLUMNS: ClassVar = {key: key for key in ("question", "alpha", "aggregate", "ranking", "raters_needed", "camps")}

    questions: tuple[Perspective, ...]
    said: tuple[str, ...] = ()

    @property
    def notes(self) -> Sequence[str]:
        """What is to be known about all of them."""
        return self.said

    def __repr__(self) -> str:
        """A sentence for each question."""
        return "\n".join(f"<{f'{one.question}: ' if one.question else ''}{one.sentence}>" for one in self.questions)

    def rows(self) -> list[dict[str, Any]]:
        """One for each question."""
        return [
            {
                "question": one.question,
                "alpha": one.single.value,
                "aggregate": one.reliability.aggregate,
                "ranking": one.reliability.ranking,
                "raters_needed": one.reliability.raters_needed,
                "camps": one.camps.k if one.camps is not None and one.camps.is_claimed else None,
                "sentence": one.sentence,
            }
            for one in self.questions
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        told = []
        for one in self.questions:
            found = plain(one)
            best = found.pop("reliability")
            single = found.pop("single")
            told.append(
                {**found, "camps": found["camps"] or {"reason": one.camps_reason}}
                | {"reliability": {"single": single["value"], **best, "raters_for": {"0.8": best["raters_needed"]}}}
            )
        return {"perspectives": told, "notes": list(self.said)}


def perspectives(
    data: Any,
    *,
    group: str | Sequence[str] = (),
    predictions: Any = None,
    seed: int = 1,
    progress: Progress = silent,
    read: Mapping[str, str] | None = None,
    **reading: Any,
) -> Perspectives:
    """What one rater, the aggregate and the ranking are worth; groups and camps of raters; soft labels; scores.

    `group` names columns of raters; `predictions` is a table with a column `unit` and one for each category, whose rows
    sum to 1: a model's distributions, scored against those of people. `read` says for signatures how data were read.
    """
    study = as_study(data, **reading)
    columns = [group] if isinstance(group, str) else list(group)
    chosen = read if read is not None else {} if study is data else selection(study, reading)
    parts = list(materials(study))
    found = []
    for place, part in enumerate(parts):
        progress(place, len(parts))
        found.append(_perspective(part, study, columns, predictions, seed, chosen))
    progress(len(parts), len(parts))
    return Perspectives(questions=tuple(found), said=tuple(study.notes))


def _perspective(
    part: Material, study: Study, columns: Sequence[str], predictions: Any, seed: int, chosen: Mapping[str, str]
) -> Perspective:
    """One question."""
    data = part.judgements
    if data.n_units * data.n_raters > MOST_CELLS:
        raise InputError(
            f"{data.n_units:,} units × {data.n_raters:,} raters are too many", hint="take a sample of units"
        )
    single = measure(data, MAIN, seed=seed)
    categories, best, of_best = most_reliable(data, seed=seed)
    tests = tested_together([group_test(data, name, groups_by_attribute(study, name), seed=seed) for name in columns])
    camps: Camps | None = None
    why: str | None = "fewer than 10 raters or 20 units"
    if data.n_raters >= 10 and data.n_units >= 20 and best.aggregate is not None:
        camps, why = camps_of(of_best, data.raters, seed=seed), None
    units: tuple[SplitUnit, ...] = ()
    if not data.scale.is_continuous:
        if columns and any(test.p is not None for test in tests):
            units = split_units(data, groups_by_attribute(study, columns[0]))
        elif camps is not None and camps.is_claimed:
            sides: dict[str, list[str]] = {}
            for rater, camp in camps.raters.items():
                sides.setdefault(camp, []).append(rater)
            units = split_units(data, sides) if len(sides) > 1 else ()
    soft = None if data.scale.is_continuous else soft_labels(data)
    scores = () if predictions is None or soft is None else score_against(soft, predictions, data, seed=seed)
    one = Perspective(
        question=part.question, single=single, reliability=best, categories=categories, groups=tests, camps=camps,
        camps_reason=why, units=units, soft=soft, scores=scores, sentence="", signature="",
    )  # fmt: skip
    return replace(one, sentence=sentence_of(one), signature=_signed(one, seed, chosen))


def is_kept(one: Perspective) -> bool:
    """Whether the aggregate is worth keeping though single raters are not."""
    whole = one.reliability.aggregate
    differs = (one.camps is not None and one.camps.is_claimed) or any((g.p_corrected or 1) <= SURE for g in one.groups)
    return whole is not None and (whole >= GOOD or (whole >= ENOUGH and differs))


def sentence_of(one: Perspective) -> str:
    """What may be kept of these judgements."""
    rel, alpha = one.reliability, one.single.value
    told = "undefined" if alpha is None else decimal(alpha)
    k = counted(round(rel.raters_per_unit), "rater")
    if rel.aggregate is None:
        return f"One rater's answer: alpha {told}. The aggregate is not known: {rel.reason}."
    whole = decimal(rel.aggregate)
    if alpha is not None and alpha >= GOOD:
        return f"One rater's answer can be relied on (alpha {told}), and so can the {rel.of} of {k} ({whole})."
    if is_kept(one):
        fewer = f"; fewer than {rel.raters_needed:,} raters a unit would not do" if rel.raters_needed else ""
        single = f"One rater's answer cannot be relied on (alpha {told})"
        return f"{single}; the {rel.of} of {k} can ({whole}). Keep shares (soft labels), not single labels{fewer}."
    if rel.aggregate < ENOUGH:
        return f"Neither one rater's answer (alpha {told}) nor the {rel.of} of {k} ({whole}) can be relied on."
    return f"One rater's answer: alpha {told}; the {rel.of} of {k} can be used with care ({whole})."


def _signed(one: Perspective, seed: int, chosen: Mapping[str, str]) -> str:
    fields = {
        "of": one.reliability.of,
        **({"question": one.question} if one.question else {}),
        **({"groups": ",".join(test.attribute for test in one.groups)} if one.groups else {}),
        **{f"from.{name}": text for name, text in chosen.items()},
        "halves": str(HALVES),
        "seed": str(seed),
        "data": next(f[5:] for f in one.single.signature.split("|") if f.startswith("data:")),
        "value": ",".join(
            "undefined" if v is None else repr(v)
            for v in (one.single.value, one.reliability.aggregate, one.reliability.ranking)
        ),
        "v": VERSION,
    }
    told = (f"{escape(name)}:{text if name == 'value' else escape(text)}" for name, text in fields.items())
    return "|".join(["perspectives", *told])
