"""What a plan comes to: how many judgements, how many each rater gives, and how wide the interval of alpha will be.

The interval is the one that results show: the pattern posterior over units, or of numbers the hull of two jackknife
intervals. Its width follows from how far one unit moves alpha, for an agreement that is assumed: each rater sees what
is there with a probability whose square is the agreement, and else gives any answer; all answers are equally frequent.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import atanh, inf, sqrt, tanh

import numpy as np

from concordant.arrays import Floats
from concordant.design.assignment import ASSUMED, SummaryTable, overlap_tables
from concordant.design.description import Description, Pairing
from concordant.design.plan import Plan, band_names, vector
from concordant.model.scale import Level
from concordant.randomness import generator
from concordant.tasks.kind import kind_of
from concordant.uncertainty.intervals import t_quantile
from concordant.uncertainty.posterior import AGREEING_LESS, unseen

DRAWN = 20_000
VALUES = 21  # stand for all numbers between two ends
SHARE = 0.975  # both ends of 95 %


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What an interval depends on: how many different answers a question has, and whether they are names or numbers."""

    title: str
    n: int
    level: Level


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """The facts of a plan. `per_unit` says how many units get how many judgements of each question.

    `answers` are those of the question whose interval is the widest; None where alpha is not measured, or nothing is
    judged twice.
    """

    n_units: int
    n_raters: int
    n_questions: int
    n_judgements: int
    most_of_a_rater: int
    n_shared: int
    per_unit: Mapping[int, int]
    is_measured: bool
    answers: Answers | None = None
    width: float | None = None


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
    measured = answers_of(description)
    widths = [(width, one) for one in measured if (width := alpha_width(per_unit, one)) is not None]
    width, widest = max(widths, key=lambda found: found[0], default=(None, None))
    return Expectation(
        n_units=len(times),
        n_raters=n_raters,
        n_questions=n_questions,
        n_judgements=n_questions * sum(times.values()),
        most_of_a_rater=max(sizes, default=0),
        n_shared=sum(n == n_raters for n in times.values()),
        per_unit=dict(sorted(per_unit.items())),
        is_measured=bool(measured),
        answers=widest,
        width=width,
    )


def answers_of(description: Description) -> list[Answers]:
    """The answers of each question that alpha is measured of; what is marked, ranked or written freely has none."""
    found = []
    for one in description.measured:
        kind = kind_of(one)
        if kind.level is not None:
            n = VALUES if kind.level is Level.INTERVAL else max(len(kind.categories(one)), 2)
            found.append(Answers(title=one.title or one.ask or one.id, n=n, level=kind.level))
    return found


def alpha_width(per_unit: Mapping[int, int], answers: Answers, agreement: float = ASSUMED) -> float | None:
    """The expected width of the 95 % interval of alpha, by how many units get how many judgements.

    Units with one judgement tell nothing; fewer than two others have no interval. A unit counts as often as it was
    judged, as it does in alpha.
    """
    paired = {times: n for times, n in per_unit.items() if times > 1 and n}
    if (n := sum(paired.values())) < 2:
        return None
    mean = sum(times * count for times, count in paired.items()) / n
    is_ordered = answers.level not in (Level.NOMINAL, Level.SET)
    moves = sum(
        count * (times / mean) ** 2 * _spread(times, answers.n, is_ordered, agreement)
        for times, count in paired.items()
    )
    if answers.level is Level.INTERVAL:
        half = t_quantile(SHARE, n - 1) * sqrt(moves) / n
        low, high = (tanh(atanh(agreement) + side * half / (1 - agreement**2)) for side in (-1, 1))
        return max(min(agreement + half, 1.0), high) - min(max(agreement - half, -1.0), low)
    first, second, mass = unseen(answers.n, AGREEING_LESS)
    every = np.eye(answers.n)
    z = t_quantile(SHARE, inf)
    concentration = (z / t_quantile(SHARE, n - 1)) ** 2
    of_unseen = float(mass @ _moves(every[first] + every[second], is_ordered, agreement) ** 2)
    error = sqrt(concentration * moves + of_unseen) / (n * concentration + float(mass.sum()))
    return min(2 * z * error, 2.0)


@cache
def _spread(times: int, n_answers: int, is_ordered: bool, agreement: float) -> float:
    """The variance over units of what a unit with so many judgements moves alpha by."""
    random = generator(1, times, n_answers)
    sees = random.random((DRAWN, times)) < sqrt(agreement)
    what = random.integers(n_answers, size=(DRAWN, 1))
    said = np.where(sees, what, random.integers(n_answers, size=(DRAWN, times)))
    place = said + n_answers * np.arange(DRAWN)[:, np.newaxis]
    counts = np.bincount(place.reshape(-1), minlength=DRAWN * n_answers).reshape(DRAWN, n_answers)
    return float(_moves(counts.astype(np.float64), is_ordered, agreement).var())


def _moves(counts: Floats, is_ordered: bool, agreement: float) -> Floats:
    """How far each unit moves alpha (its influence), by how often each answer was given of it.

    alpha = 1 - observed / expected: a unit moves it by its own disagreement, and by how far its answers are from all.
    """
    steps = np.arange(counts.shape[1])
    apart = np.abs(steps[:, np.newaxis] - steps)
    distance = (apart**2 if is_ordered else apart > 0).astype(np.float64)
    times, expected = counts.sum(axis=1), float(distance.mean())
    observed = ((counts @ distance) * counts).sum(axis=1) / (times * (times - 1))
    from_all = counts @ distance.mean(axis=0) / times
    moved: Floats = (1 - agreement) * (2 * from_all / expected - 1) - observed / expected
    return moved


def expectation_table(description: Description, plan: Plan) -> SummaryTable:
    """The facts as a table."""
    found = expected_of(description, plan)
    lack = "undefined: no two units are judged twice" if found.is_measured else "alpha is not measured of such answers"
    of = f" of {found.answers.title!r}, the widest" if found.answers and found.n_questions > 1 else ""
    rows: tuple[tuple[object, ...], ...] = (
        ("judgements", found.n_judgements),
        ("raters", found.n_raters),
        ("units of one rater, at most", found.most_of_a_rater),
        (
            f"width of alpha's 95 % interval{of}, if alpha is {ASSUMED:g}",
            lack if found.width is None else round(found.width, 2),
        ),
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
