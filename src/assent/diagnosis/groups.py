"""Groups of raters side by side and against each other: all, native, non-native, native × non-native."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from assent.diagnosis.material import Material, materials
from assent.diagnosis.slices import usual_measure
from assent.engines.subset import with_raters
from assent.engines.tally import Tally
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.result import Agreement
from assent.measures.spec import DEFAULTS, Options
from assent.model.groups import Groups, check_groups
from assent.model.scale import Level
from assent.model.study import Study
from assent.uncertainty.estimate import measure
from assent.uncertainty.request import Ci

QUADRATIC = replace(DEFAULTS, weights="quadratic")


@dataclass(frozen=True, kw_only=True)
class GroupRow:
    """One question in one group ("all" too), or between two groups; agreement and correlation side by side."""

    question: str | None
    group: str
    against: str | None
    raters: tuple[str, ...]
    agreement: Agreement
    correlation: Agreement | None


def group_rows(
    study: Study, groups: Groups, *, key: str | None = None, ci: Ci = "jackknife", seed: int = 0
) -> tuple[GroupRow, ...]:
    """For each question: all raters, each group, then each two groups against each other."""
    check_groups(study, groups)
    return tuple(row for part in materials(study) for row in _of_question(part, groups, key=key, ci=ci, seed=seed))


def _of_question(part: Material, groups: Groups, *, key: str | None, ci: Ci, seed: int) -> Iterator[GroupRow]:
    """The rows of one question."""
    data = part.tally
    for name, raters in {"all": data.used_raters, **groups}.items():
        chosen = with_raters(data, raters)
        agreement = measure(chosen, key or usual_measure(chosen), ci=ci, seed=seed, question=part.question)
        ordered = as_ordered(chosen)
        correlation = (
            None if ordered is None else measure(ordered, "gk_gamma", ci=ci, seed=seed, question=part.question)
        )
        yield GroupRow(
            question=part.question,
            group=name,
            against=None,
            raters=raters,
            agreement=agreement,
            correlation=correlation,
        )
    for one, two in combinations(groups, 2):
        yield _row_between(part, (one, groups[one]), (two, groups[two]))


def _row_between(part: Material, one: tuple[str, tuple[str, ...]], two: tuple[str, tuple[str, ...]]) -> GroupRow:
    """Group against group."""
    ordered = as_ordered(part.tally)
    key, options = ("weighted_kappa", QUADRATIC) if part.scale.level.is_ordered else ("kappa", DEFAULTS)
    return GroupRow(
        question=part.question,
        group=one[0],
        against=two[0],
        raters=(*one[1], *two[1]),
        agreement=between(part.tally, one[1], two[1], key, options=options).with_(question=part.question),
        correlation=None
        if ordered is None
        else between(ordered, one[1], two[1], "gk_gamma").with_(question=part.question),
    )


def as_ordered(data: Tally) -> Tally | None:
    """The data for a correlation: ordered as they are, two categories taken as ordered, else None."""
    if data.scale.level.is_ordered:
        return data
    if data.scale.level is Level.NOMINAL and len(data.scale.categories) == 2:
        return replace(data, scale=replace(data.scale, level=Level.ORDINAL))
    return None


def between(
    data: Tally, first: Sequence[str], second: Sequence[str], key: str, *, options: Options = DEFAULTS
) -> Agreement:
    """The mean of a pair coefficient over all pairs of one rater of each group with common units.

    One undefined pair makes the mean undefined, with its reason.
    """
    results = [evaluate(find_measure(key), with_raters(data, pair), options) for pair in product(first, second)]
    common = [result for result in results if result.n_units]
    undefined = next((result for result in common if result.value is None), None)
    values = [float(result) for result in common if result.value is not None]
    reason = None if values and undefined is None else _why(undefined)
    return Agreement(
        measure=key,
        name=f"{common[0].name if common else find_measure(key).name}, mean over rater pairs across two groups",
        value=None if reason else float(np.mean(values)),
        reason=reason,
        n_units=max((result.n_units for result in common), default=0),
        n_raters=len(first) + len(second),
        n_judgements=sum(result.n_judgements for result in common),
        raters=(*first, *second),
        details={"n_pairs": len(common), "pairs": [{"raters": list(r.raters), "value": r.value} for r in common]},
    )


def _why(undefined: Agreement | None) -> str:
    """Why there is no mean."""
    if undefined is None:
        return "no unit was judged by raters of both groups"
    return f"{' and '.join(undefined.raters)}: {undefined.reason}"
