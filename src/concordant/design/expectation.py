"""What a plan comes to: how many judgements, how many each rater gives, and how sure the coefficient will be.

The interval is that of Krippendorff's alpha over units, as results show it. It is predicted from how many judgements
the units get, for an agreement that is assumed: each rater sees what is there with a probability whose square is the
agreement, and else says any category. Categories are taken to be equally frequent.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from concordant.design.assignment import ASSUMED, SummaryTable, fewest_categories, overlap_tables
from concordant.design.description import Description, Pairing
from concordant.design.plan import Plan, band_names, vector
from concordant.randomness import generator

DRAWN = 20_000


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """The facts of a plan. `per_unit` says how many units get how many judgements of each question."""

    n_units: int
    n_raters: int
    n_questions: int
    n_judgements: int
    most_of_a_rater: int
    n_shared: int
    per_unit: Mapping[int, int]
    n_categories: int
    width: float | None


def expected_of(description: Description, plan: Plan, raters: int | None = None) -> Expectation:
    """The facts of a plan whose sets are each judged by the raters that were named for it, or by one.

    With one set all judge everything; then `raters` says how many there will be, two if nobody is invited.
    """
    offered = plan.n_offered or len(plan.sets)
    named = Counter(one.set for one in description.raters if one.set is not None)
    free = sum(one.set is None for one in description.raters)
    judged_by = Counter(named or dict.fromkeys(range(offered), 1))
    if not named and len(plan.sets) == 1:
        judged_by = Counter({0: max(raters or 0, free, 2)})
    elif not named and raters:  # whoever comes gets the set that needs them most
        judged_by = Counter(number % offered for number in range(raters))
    times: Counter[str] = Counter()
    for number, ids in enumerate(plan.sets):
        times.update({id: judged_by[number] for id in ids if judged_by[number]})
    n_questions, per_unit = len(description.questions), Counter(times.values())
    sizes = [len(plan.sets[number]) for number in judged_by]
    n_raters = sum(judged_by.values())
    return Expectation(
        n_units=len(times),
        n_raters=n_raters,
        n_questions=n_questions,
        n_judgements=n_questions * sum(times.values()),
        most_of_a_rater=max(sizes, default=0),
        n_shared=sum(n == n_raters for n in times.values()),
        per_unit=dict(sorted(per_unit.items())),
        n_categories=fewest_categories(description),
        width=alpha_width(per_unit, fewest_categories(description)),
    )


def alpha_width(per_unit: Mapping[int, int], n_categories: int, agreement: float = ASSUMED) -> float | None:
    """The expected width of the 95 % interval of alpha, by how many units get how many judgements; None without any.

    Units with one judgement tell nothing. A unit counts as often as it was judged, as it does in alpha.
    """
    paired = {times: n for times, n in per_unit.items() if times > 1 and n}
    if not paired:
        return None
    total = sum(times * n for times, n in paired.items())
    variance = sum(n * (times / total) ** 2 * _spread(times, n_categories, agreement) for times, n in paired.items())
    return min(2.0, float(2 * 1.96 * np.sqrt(variance) / (1 - 1 / n_categories)))


@cache
def _spread(times: int, n_categories: int, agreement: float) -> float:
    """The variance over units of the share of pairs that agree, among so many judgements of a unit."""
    rng = generator(1, times, n_categories)
    sees = rng.random((DRAWN, times)) < np.sqrt(agreement)
    said = np.where(sees, 0, rng.integers(n_categories, size=(DRAWN, times)))
    counts = (said[:, :, None] == np.arange(n_categories)).sum(axis=1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / (times * (times - 1))
    return float(agreeing.var())


def expectation_table(description: Description, plan: Plan) -> SummaryTable:
    """The facts as a table."""
    found = expected_of(description, plan)
    width = "undefined: no unit is judged twice" if found.width is None else round(found.width, 2)
    rows: tuple[tuple[object, ...], ...] = (
        ("judgements", found.n_judgements),
        ("raters", found.n_raters),
        ("units of one rater, at most", found.most_of_a_rater),
        (f"width of alpha's 95 % interval, if alpha is {ASSUMED:g}", width),
    )
    if (how := description.allocation) is not None:  # one question's votes decide what is asked, and all are asked
        most = min(how.most * found.n_units, how.budget or how.most * found.n_units)
        rows = (*rows, ("judgements with those allocated later, at most", most * found.n_questions))
    return SummaryTable("In all", ("", "n"), rows)


MOST_NAMED = 6  # raters of one set; more are counted


def summary(description: Description, plan: Plan) -> tuple[SummaryTable, ...]:
    """The tables that describe a plan: strata if there are any, pairs if there are any, and always the sets."""
    tables = []
    if plan.strata and description.sampling.method == "stratified":
        tables.append(strata_table(description, plan))
    if plan.pairs and description.pairing is not None:
        tables.append(pairs_table(description, description.pairing, plan))
    owners = [[rater.id for rater in description.raters if rater.set == number] for number in range(len(plan.sets))]
    rows: list[tuple[object, ...]] = [(i, len(members)) for i, members in enumerate(plan.sets, 1)]
    if any(owners):
        names = (", ".join(own) if len(own) <= MOST_NAMED else f"{len(own):,} raters" for own in owners)
        rows = [(*row, named or None) for row, named in zip(rows, names, strict=True)]
    heading, what = f"Sets (plan {plan.hash}, seed {plan.seed})", "pairs" if plan.pairs else "units"
    drawn = plan.pair_by_id or plan.strata or [unit.id for unit in description.units]
    n_left = len({*drawn} - {id for ids in plan.sets for id in ids})
    columns = ("set", what, "for") if any(owners) else ("set", what)
    left: list[tuple[object, ...]] = [("in no set", n_left, None)[: len(columns)]] if n_left else []
    tables.append(SummaryTable(heading, columns, (*rows, *left)))
    return (*tables, *overlap_tables(description, plan.sets, plan.rounds, what))


def strata_table(description: Description, plan: Plan) -> SummaryTable:
    """How many units of each type and band were drawn, and of how many kinds."""
    sampling = description.sampling
    bands = band_names(sampling.bands) if sampling.frequency else []
    cells = Counter((type_, band) for type_, _, band in plan.strata.values())
    totals = Counter(type_ for type_, _, _ in plan.strata.values())
    types = list(dict.fromkeys(unit.attributes.get(sampling.by, "") for unit in description.units))
    kinds = {t: {kind for type_, kind, _ in plan.strata.values() if type_ == t and kind} for t in types}
    rows: list[tuple[object, ...]] = [
        (t or "all", len(kinds[t]) or None, *(cells[t, b] for b in bands), totals[t]) for t in types
    ]
    columns_total = (sum(cells[t, b] for t in types) for b in bands)
    rows.append(("total", sum(map(len, kinds.values())) or None, *columns_total, len(plan.strata)))
    header = (sampling.by or "type", f"kinds ({sampling.within})" if sampling.within else "kinds", *bands, "total")
    return SummaryTable("Stratification of the sample", header, tuple(rows))


def pairs_table(description: Description, pairing: Pairing, plan: Plan) -> SummaryTable:
    """How many vectors each item has, and how many pairs were made of it."""
    pairs = Counter(pair.item for pair in plan.pairs)
    vectors: dict[str, set[tuple[str, ...]]] = {}
    for unit in description.units:
        vectors.setdefault(unit.item, set()).add(vector(unit, pairing))
    rows: list[tuple[object, ...]] = [(item, len(found), pairs[item]) for item, found in vectors.items()]
    rows.append(("total", None, len(plan.pairs)))
    n_used = len({id for pair in plan.pairs for id in (pair.a, pair.b)})
    heading = f"Preference pairs ({n_used} of {len(description.unit_by_id)} units used)"
    return SummaryTable(heading, ("item", "distinct vectors", "pairs"), tuple(rows))
