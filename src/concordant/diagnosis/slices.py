"""Agreement in parts of the data: slices of units by an attribute, groups of raters and group against group.

The columns of a slice are those of a careful published table: the number of units (Total), each rater's rate of yes for
two-category questions, their average, agreement by chance, observed agreement and the coefficient with its interval.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product

import numpy as np

from concordant.diagnosis.findings import Finding, not_by_chance, warning
from concordant.diagnosis.material import Material, materials
from concordant.digits import counted, decimal, p_text
from concordant.engines.tally import Tally, category_rates, tally, with_raters
from concordant.measures.catalogue import find_measure
from concordant.measures.chance_corrected import fleiss
from concordant.measures.correlation import gk_gamma
from concordant.measures.evaluation import evaluate
from concordant.measures.kappas import kappa, set_weighted_kappa, weighted_kappa
from concordant.measures.krippendorff import alpha
from concordant.measures.result import Agreement
from concordant.measures.spec import DEFAULTS, Options
from concordant.model.scale import Level
from concordant.model.study import Groups, Study, check_groups, combinations_of
from concordant.uncertainty.estimate import measure


@dataclass(frozen=True)
class SliceRow:
    """One part: which one, how much of it both raters judged, how often they say yes, and the coefficient."""

    question: str | None
    slice: Mapping[str, str]
    total: int
    yes_rates: tuple[float | None, ...]  # one for each rater of the table; empty unless there are two categories
    average: float | None
    result: Agreement

    @property
    def chance(self) -> float | None:
        """Agreement expected by chance."""
        return self.result.expected

    @property
    def observed(self) -> float | None:
        """Observed agreement."""
        return self.result.observed


@dataclass(frozen=True, kw_only=True)
class SliceTable:
    """All parts by the same attributes, with one coefficient. `yes` is the category whose rate is shown."""

    by: tuple[str, ...]
    measure: str
    raters: tuple[str, ...]
    yes: str | None
    rows: tuple[SliceRow, ...]
    n_without_pairs: int = 0  # parts in which no unit was judged twice


def usual_measure(data: Tally, *, trust_raters: bool = True) -> str:
    """The coefficient when none is asked for: kappa or Fleiss for names, alpha for what is ordered.

    Where raters cannot be told apart it must be one that forgets who judged.
    """
    if data.scale.level is Level.SET and trust_raters:
        return set_weighted_kappa.key
    if data.scale.level is Level.NOMINAL:
        return kappa.key if len(data.used_raters) <= 2 and trust_raters else fleiss.key
    return alpha.key


def slice_material(material: Material, by: Sequence[str], *, seed: int = 0, trust_raters: bool = True) -> SliceTable:
    """Cut one question by attributes. Without trust in raters no rate of a single rater is shown.

    Attributes of units are cut from one tally. An attribute of raters or of single judgements is cut from the rows.
    """
    data = material.tally
    chosen = usual_measure(data, trust_raters=trust_raters)
    yes = material.scale.positive if trust_raters else None
    parts = list(_parts(material, by))
    rows = []
    for where, part in parts:
        if part.n_paired:
            result = measure(part, chosen, ci="jackknife", seed=seed, question=material.question, slice=where)
            rates = category_rates(part, yes, data.used_raters) if yes is not None else ()
            known = [rate for rate in rates if rate is not None]
            average = float(np.mean(known)) if known else None
            rows.append(SliceRow(material.question, where, result.n_units, rates, average, result))
    lacking = len(parts) - len(rows)
    return SliceTable(
        by=tuple(by), measure=chosen, raters=data.used_raters, yes=yes, rows=tuple(rows), n_without_pairs=lacking
    )


def _parts(material: Material, by: Sequence[str]) -> Iterator[tuple[dict[str, str], Tally]]:
    """Each combination of values with its tally, those of unit attributes cut from one; none without units."""
    if not all(name in material.unit_attributes for name in by):
        yield from ((where, tally(part.judgements())) for where, part in material.study.slices(by))
        return
    columns = {name: material.unit_attributes[name] for name in by}
    for where, units in combinations_of(columns, len(material.by_unit.pattern_of)):
        yield where, material.by_unit.of_units(units)


QUADRATIC = replace(DEFAULTS, weights="quadratic")


@dataclass(frozen=True)
class GroupRow:
    """One question in one group ("all" too), or between two groups; agreement and correlation side by side."""

    question: str | None
    group: str
    against: str | None
    raters: tuple[str, ...]
    agreement: Agreement
    correlation: Agreement | None


def group_rows(study: Study, groups: Groups, *, seed: int = 0) -> tuple[GroupRow, ...]:
    """For each question: all raters, each group, then each two groups against each other."""
    check_groups(study, groups)
    rows = []
    for part in materials(study):
        data, asked = part.tally, part.question
        measured = partial(measure, ci="jackknife", seed=seed, question=asked)
        for name, raters in {"all": data.used_raters, **groups}.items():
            chosen = with_raters(data, raters)
            agreement, ordered = measured(chosen, usual_measure(chosen)), as_ordered(chosen)
            correlation = None if ordered is None else measured(ordered, gk_gamma.key)
            rows.append(GroupRow(asked, name, None, raters, agreement, correlation))
        ordered = as_ordered(data)
        used, options = coefficient_of_pairs(part.scale.level)
        for one, two in combinations(groups, 2):
            pair = groups[one], groups[two]
            agreement = between(data, *pair, used, options=options).with_(question=asked)
            crossed = None if ordered is None else between(ordered, *pair, gk_gamma.key).with_(question=asked)
            rows.append(GroupRow(asked, one, two, (*pair[0], *pair[1]), agreement, crossed))
    return tuple(rows)


def coefficient_of_pairs(level: Level) -> tuple[str, Options]:
    """What raters of different groups are compared by: what each group has too, where that is made for pairs."""
    if level is Level.SET:
        return set_weighted_kappa.key, DEFAULTS
    return (weighted_kappa.key, QUADRATIC) if level.is_ordered else (kappa.key, DEFAULTS)


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
    reasons = [f"{' and '.join(result.raters)}: {result.reason}" for result in common if result.value is None]
    if not common:
        reasons = ["no unit was judged by raters of both groups"]
    return Agreement(
        measure=key,
        name=f"{common[0].name if common else find_measure(key).name}, mean over rater pairs across two groups",
        value=None if reasons else float(np.mean([float(result) for result in common])),
        reason=reasons[0] if reasons else None,
        n_units=max((result.n_units for result in common), default=0),
        n_raters=len(first) + len(second),
        n_judgements=sum(result.n_judgements for result in common),
        raters=(*first, *second),
        details={"n_pairs": len(common), "pairs": [{"raters": list(r.raters), "value": r.value} for r in common]},
    )


LEAST_UNITS = 20
WIDTH_IN_ERRORS = 3.92  # a 95 % interval, in standard errors


def on_slices(tables: Sequence[SliceTable]) -> Iterator[Finding]:
    """Attributes with a value where agreement is clearly lower than at the best value; the worst value is named."""
    from scipy.special import ndtr

    tested = []
    for table in tables:
        known = [row for row in table.rows if row.result.interval is not None and row.total >= LEAST_UNITS]
        if len(known) < 2:
            continue
        row, *_, best = sorted(known, key=lambda row: float(row.result))
        # two independent parts: normal test of the difference
        widths = [one.result.interval.width for one in (row, best) if one.result.interval is not None]
        error = float(np.linalg.norm(widths)) / WIDTH_IN_ERRORS
        gap = abs(float(row.result) - float(best.result))
        n_tests = len(table.rows) * (len(table.rows) - 1) // 2
        p = float(2 * ndtr(-gap / error)) if error > 0 else float(gap == 0)
        tested.append(((table, row, best), p * n_tests))
    for (table, row, best), p in not_by_chance(tested):
        name, value = next(iter(row.slice.items()))
        yield warning(
            kind="slice",
            seen=f"Agreement depends on {name!r}: {table.measure} {decimal(float(row.result))} where it is {value!r}, "
            f"{decimal(float(best.result))} where it is {best.slice[name]!r}.",
            sure=f"The lowest against the highest of {counted(len(table.rows), 'value')}, jackknife errors, "
            f"corrected for {counted(len(tested), 'test')}: {p_text(p)}.",
            advice=f"Read the disagreements where {name!r} is {value!r}: the guidelines may not fit these units.",
            evidence={"slice": dict(row.slice), "value": row.result.value, "best": best.result.value, "p_holm": p},
            question=row.question,
        )
