"""A plan in one small table, like Table I of Boleda, Schulte im Walde & Badia (2009): what was drawn from which
strata.
"""

from collections import Counter
from dataclasses import dataclass

from assent.design.description import Description
from assent.design.pairs import vector
from assent.design.plan import Plan
from assent.design.sampling import band_names


@dataclass(frozen=True)
class SummaryTable:
    """A table ready to print: a heading, the columns' names, the rows."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


def summary(description: Description, plan: Plan) -> tuple[SummaryTable, ...]:
    """The tables that describe a plan: strata if there are any, pairs if there are any, and always the sets."""
    tables = []
    if plan.strata and description.sampling.method == "stratified":
        tables.append(_strata_table(description, plan))
    if plan.pairs:
        tables.append(_pairs_table(description, plan))
    return (*tables, _sets_table(plan))


def _strata_table(description: Description, plan: Plan) -> SummaryTable:
    sampling = description.sampling
    bands = band_names(sampling.bands) if sampling.frequency else []
    cells = Counter((type_, band) for type_, _, band in plan.strata.values())
    types = list(dict.fromkeys(unit.attributes.get(sampling.by, "") for unit in description.units))
    kinds = {t: {kind for type_, kind, _ in plan.strata.values() if type_ == t and kind} for t in types}
    rows: list[tuple[object, ...]] = [
        (t or "all", len(kinds[t]) or None, *(cells[t, b] for b in bands), _sum(cells, t)) for t in types
    ]
    columns_total = (sum(cells[t, b] for t in types) for b in bands)
    rows.append(("total", sum(map(len, kinds.values())) or None, *columns_total, len(plan.strata)))
    header = (sampling.by or "type", f"kinds ({sampling.within})" if sampling.within else "kinds", *bands, "total")
    return SummaryTable("Stratification of the sample", header, tuple(rows))


def _sum(cells: "Counter[tuple[str, str]]", type_: str) -> int:
    return sum(n for (t, _), n in cells.items() if t == type_)


def _pairs_table(description: Description, plan: Plan) -> SummaryTable:
    pairing = description.pairing
    assert pairing is not None
    units = description.unit_by_id
    pairs = Counter(pair.item for pair in plan.pairs)
    vectors: dict[str, set[tuple[str, ...]]] = {}
    for unit in description.units:
        vectors.setdefault(unit.item, set()).add(vector(unit, pairing))
    rows: list[tuple[object, ...]] = [(item, len(found), pairs[item]) for item, found in vectors.items()]
    n_used = len({id for pair in plan.pairs for id in (pair.a, pair.b)})
    rows.append(("total", None, len(plan.pairs)))
    heading = f"Preference pairs ({n_used} of {len(units)} units used)"
    return SummaryTable(heading, ("item", "distinct vectors", "pairs"), tuple(rows))


def _sets_table(plan: Plan) -> SummaryTable:
    what = "pairs" if plan.pairs else "units"
    rows = [(i, len(members)) for i, members in enumerate(plan.sets, 1)]
    return SummaryTable(f"Sets (plan {plan.hash}, seed {plan.seed})", ("set", what), tuple(rows))
