"""`model`: severities of raters, difficulties of questions and fair averages of units by a many-facet Rasch model.

The model and how it is estimated are in `rasch.py`. What cannot be compared is refused by name: raters who share no
unit, even through others; a rater who gave the lowest (or the highest) category only has no finite severity.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.findings import named
from concordant.digits import brief, counted, decimal
from concordant.errors import InputError
from concordant.judging.rasch import MISFIT, Answers, Codes, Fit, chance_of_infit, errors, fit, misfits, neutral_chances
from concordant.model.judgements import Judgements
from concordant.model.scale import Scale
from concordant.model.tabular import plain

MOST_CATEGORIES = 20
PREDICTABLE = 0.6
NORMAL_95 = 1.959963984540054
MOST_SIGMA = 50.0


@dataclass(frozen=True, kw_only=True)
class Element:
    """A rater or a question: the higher the measure, the lower what they give; `points` says so on the scale.

    `p` is the chance of so large an infit in answers that follow the model, where infit is flagged.
    """

    name: str
    measure: float
    se: float
    low: float
    high: float
    points: float
    infit: float
    outfit: float
    n: int
    p: float | None = None


@dataclass(frozen=True, kw_only=True)
class FairUnit:
    """A unit: its measure, and what raters of average severity would give it on average."""

    unit: str
    measure: float
    se: float
    fair: float
    mean: float
    n: int


@dataclass(frozen=True, kw_only=True)
class RaschModel:
    """One question, or all of them if questions are a facet."""

    question: str | None
    categories: tuple[str, ...]
    facets: dict[str, tuple[Element, ...]]
    fair: tuple[FairUnit, ...]
    shares: NDArray[np.float64]
    thresholds: tuple[float, ...]
    mu: float
    sigma: float
    separation: float
    reliability: float
    strata: float
    unit_reliability: float
    parts: tuple[tuple[str, ...], ...]
    left_out: dict[str, str]
    sentence: str
    notes: tuple[str, ...]
    signature: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it, but for the probabilities, which `gold` writes."""
        return {name: plain(value) for name, value in vars(self).items() if name != "shares"}


Parts = Mapping[str | None, Judgements]
"""Judgements by question."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Answers with the names that their codes stand for."""

    units: tuple[str, ...]
    raters: tuple[str, ...]
    questions: tuple[str, ...]
    scale: Scale
    unit: Codes
    rater: Codes
    question: Codes
    value: Codes

    def among(self, kept: NDArray[np.bool_]) -> "Table":
        """Only some answers."""
        return replace(
            self, unit=self.unit[kept], rater=self.rater[kept], question=self.question[kept], value=self.value[kept]
        )


def _table(parts: Parts, name: str) -> Table:
    """The answers to questions with one scale, in which more and less mean something."""
    scale = _usable(next(iter(parts.values())).scale, name)
    units = sorted({one for part in parts.values() for one in _units(part)})
    raters = sorted({one for part in parts.values() for one in part.raters})
    unit_at, rater_at = ({one: i for i, one in enumerate(names)} for names in (units, raters))
    told = []
    for q, part in enumerate(parts.values()):
        rows = part.rows()
        to_unit, to_rater = np.array([unit_at[n] for n in _units(part)]), np.array([rater_at[n] for n in part.raters])
        question = np.full(len(rows.unit), q)
        told.append(np.stack([to_unit[rows.unit], to_rater[rows.rater], question, rows.value.astype(np.int64)]))
    whole = np.concatenate(told, axis=1)
    unit, rater, question, value = whole[:, np.lexsort(whole[2::-1])]  # the same whatever the order of rows
    if len(scale.categories) == 2 and scale.positive == scale.categories[0]:
        scale, value = replace(scale, categories=scale.categories[::-1]), 1 - value
    return Table(
        units=tuple(units), raters=tuple(raters), questions=tuple(map(str, parts)), scale=scale, unit=unit,
        rater=rater, question=question, value=value,
    )  # fmt: skip


def _usable(scale: Scale, name: str) -> Scale:
    """The scale, if it has a few categories in an order."""
    n = len(scale.categories)
    if scale.is_continuous or n > MOST_CATEGORIES:
        here = "any number is a value" if scale.is_continuous else f"there are {n}"
        what = f"a Rasch model takes 2 to {MOST_CATEGORIES} ordered categories, and here {here}"
        raise InputError(what, file=name, hint="group the values first")
    if not (scale.level.is_ordered or n == 2):
        hint = "say --level ordinal and --categories in their order, or keep two categories"
        raise InputError(f"a {scale.level.value} scale has no more and less", file=name, hint=hint)
    return scale


def _units(data: Judgements) -> Sequence[str]:
    return [str(i + 1) for i in range(data.n_units)] if data.unit_names is None else data.unit_names


def modelled(
    parts: Parts, question: str | None = None, *, groups_equal: bool = False, seed: int = 1, name: str = ""
) -> RaschModel:
    """One model of questions with one scale, with everything that is to be known about it."""
    table, left_out = _with_finite(_table(parts, name), name)
    groups = _connected(table)
    if len(groups) > 1 and not groups_equal:
        told = " and ".join("{" + named(group) + "}" for group in groups)
        what = f"raters {told} share no unit: their severities cannot be compared"
        hint = "give both groups some of the same units, or say --groups-equal (units were dealt at random)"
        raise InputError(what, file=name, hint=hint)
    _refuse_nested(table, name)
    answers, codes = _answers(table)
    found = fit(answers)
    if found.sigma > MOST_SIGMA:
        what = f"units differ by {decimal(found.sigma, 0)} logits: raters agree so nearly that the scale has no end"
        raise InputError(what, file=name, hint="there is no severity to estimate; see the agreement instead")
    return _told(question, table, answers, found, codes, groups, left_out, seed)


def _with_finite(table: Table, name: str) -> tuple[Table, dict[str, str]]:
    """Without raters who gave the lowest or the highest category only: they have no finite severity."""
    left_out: dict[str, str] = {}
    while True:
        used = np.unique(table.value)
        if len(used) < 2:
            raise InputError("all raters gave one category", file=name, hint="there is nothing to model")
        size = len(table.raters)
        n, n_low, n_high = (
            np.bincount(table.rater[kept], minlength=size)
            for kept in (np.ones(len(table.value), dtype=bool), table.value == used[0], table.value == used[-1])
        )
        low, high = (n > 0) & (n_low == n), (n > 0) & (n_high == n)
        for r in np.flatnonzero(low | high).tolist():
            word, side = ("lowest", "above") if low[r] else ("highest", "below")
            left_out[table.raters[r]] = f"gave the {word} category only, so its severity is {side} all others"
        if not (low | high).any():
            break
        table = table.among(~(low | high)[table.rater])
        if not len(table.value):
            break
    if len(np.unique(table.rater)) < 2:
        what = f"{counted(len(np.unique(table.rater)), 'rater')} with a finite severity"
        raise InputError(what, file=name, hint="two are needed: the others gave the lowest or highest category only")
    return table, left_out


def _connected(table: Table) -> tuple[tuple[str, ...], ...]:
    """Groups of raters that share units, even through others."""
    from scipy.sparse import csr_matrix  # slow to import
    from scipy.sparse.csgraph import connected_components

    shape = len(table.raters), len(table.units)
    links = csr_matrix((np.ones(len(table.unit)), (table.rater, table.unit)), shape)
    label = connected_components(links @ links.T, directed=False)[1]
    present = np.unique(table.rater)
    return tuple(
        tuple(table.raters[r] for r in present[label[present] == part].tolist()) for part in np.unique(label[present])
    )


def _refuse_nested(table: Table, name: str) -> None:
    """Raters who answered other questions than the others cannot be told from those questions."""
    from scipy.sparse import csr_matrix  # slow to import
    from scipy.sparse.csgraph import connected_components

    size = len(table.raters) + len(table.questions)
    ends = table.rater, len(table.raters) + table.question
    label = connected_components(csr_matrix((np.ones(len(table.unit)), ends), (size, size)), directed=False)[1]
    present = np.unique(table.rater)
    if len(np.unique(label[present])) > 1:
        own = [table.raters[r] for r in present[label[present] == label[present[0]]].tolist()]
        what = f"raters {{{named(own)}}} answered other questions than the rest: severity and difficulty are one"
        raise InputError(what, file=name, hint="leave questions out of --facets")


def _answers(table: Table) -> tuple[Answers, tuple[Codes, Codes, Codes]]:
    """Codes without gaps, and which unit, rater and category each stands for."""
    units, unit = np.unique(table.unit, return_inverse=True)
    raters, rater = np.unique(table.rater, return_inverse=True)
    used, value = np.unique(table.value, return_inverse=True)
    answers = Answers(
        unit=unit.reshape(-1), rater=rater.reshape(-1), question=table.question, value=value.reshape(-1),
        n_units=len(units), n_raters=len(raters), n_questions=len(table.questions), size=len(used),
    )  # fmt: skip
    return answers, (units, raters, used)


def _told(
    question: str | None,
    table: Table,
    answers: Answers,
    found: Fit,
    codes: tuple[Codes, Codes, Codes],
    groups: tuple[tuple[str, ...], ...],
    left_out: dict[str, str],
    seed: int,
) -> RaschModel:
    """Estimates as people read them."""
    units, raters, used = codes
    values, shares = _values(table.scale)[used], neutral_chances(found)
    of_raters, of_questions, _ = errors(answers, found)
    names = [table.raters[r] for r in raters.tolist()]
    people = [
        replace(one, p=chance_of_infit(answers, found, r, one.infit, seed=seed)) if one.infit > MISFIT else one
        for r, one in enumerate(_elements(names, answers, found, (found.severity, of_raters), answers.rater, values))
    ]
    facets = {"rater": tuple(sorted(people, key=lambda one: one.measure))}
    if len(table.questions) > 1:
        measured = found.difficulty, of_questions
        facets["question"] = _elements(table.questions, answers, found, measured, answers.question, values)
    rmse = float(np.sqrt((of_raters**2).mean()))
    separation = float(np.sqrt(max(found.severity.var(ddof=1) - rmse**2, 0))) / rmse if rmse > 0 else 0.0
    return RaschModel(
        question=question,
        categories=tuple(table.scale.categories[c] for c in used.tolist()),
        facets=facets,
        fair=_fair_units([table.units[u] for u in units.tolist()], answers, found, shares @ values, values),
        shares=shares,
        thresholds=tuple(found.thresholds.tolist()),
        mu=found.mu,
        sigma=found.sigma,
        separation=separation,
        reliability=separation**2 / (1 + separation**2),
        strata=(4 * separation + 1) / 3,
        unit_reliability=float(1 - (found.deviation**2).mean() / found.sigma**2),
        parts=groups,
        left_out=left_out,
        sentence=_sentence(facets["rater"], separation),
        notes=tuple(_notes(table, used, found, groups, left_out)),
    )


def _fair_units(
    names: Sequence[str], answers: Answers, found: Fit, fair: Floats, values: Floats
) -> tuple[FairUnit, ...]:
    """Every unit with what it got and what neutral raters would give."""
    n = np.bincount(answers.unit, minlength=len(names))
    means = np.bincount(answers.unit, values[answers.value], minlength=len(names)) / n
    columns = (column.tolist() for column in (found.measure, found.deviation, fair, means, n))
    return tuple(
        FairUnit(unit=name, measure=measure, se=se, fair=mean, mean=raw, n=times)
        for name, measure, se, mean, raw, times in zip(names, *columns, strict=True)
    )


def _values(scale: Scale) -> Floats:
    """What categories are worth: their numbers, else 1, 2, 3 … (0 and 1 for two)."""
    return scale.positions() + (0 if scale.has_numbers or len(scale.categories) == 2 else 1)


def _elements(
    names: Sequence[str],
    answers: Answers,
    found: Fit,
    measured: tuple[Floats, Floats],
    of: Codes,
    values: Floats,
) -> tuple[Element, ...]:
    """Raters or questions with intervals, fit, and what their measure means on the scale for an average unit."""
    measures, spread = measured
    at_mu = replace(found, measure=found.mu - np.append(0.0, measures))
    expected = neutral_chances(at_mu) @ values
    fits = misfits(answers, found, of, len(names))
    n = np.bincount(of, minlength=len(names))
    columns = (measures, spread, expected[1:] - expected[0], fits.infit, fits.outfit, n)
    return tuple(
        Element(
            name=name, measure=measure, se=se, low=measure - NORMAL_95 * se, high=measure + NORMAL_95 * se,
            points=points, infit=infit, outfit=outfit, n=times,
        )
        for name, measure, se, points, infit, outfit, times in zip(
            names, *(column.tolist() for column in columns), strict=True
        )
    )  # fmt: skip


def _sentence(raters: Sequence[Element], separation: float) -> str:
    """Whether raters differ in severity, and whose answers do not fit."""
    mild, severe = raters[0], raters[-1]
    points = decimal(mild.points - severe.points, 2)
    if separation < 1:
        told = f"Severities are hardly told apart (separation {decimal(separation, 2)})"
    else:
        told = f"Raters differ in severity: {mild.name} gives an average unit {points} more than {severe.name}"
        told += f" (separation {decimal(separation, 2)})"
    off = [f"{one.name} (infit {decimal(one.infit, 2)})" for one in raters if one.infit > MISFIT]
    if not off:
        return f"{told}. No rater contradicts the others (infit up to {brief(MISFIT)})."
    return f"{told}. The answers of {named(off)} do not follow what the others say of the units."


def _notes(
    table: Table, used: Codes, found: Fit, groups: Sequence[Sequence[str]], left_out: Mapping[str, str]
) -> Iterator[str]:
    """What is to be known about the estimates."""
    for name, why in left_out.items():
        yield f"{name} is left out: {why}"
    unused = [name for c, name in enumerate(table.scale.categories) if c not in set(used.tolist())]
    if unused:
        yield f"never given, so without a threshold: {named(unused)}"
    if (np.diff(found.thresholds) < 0).any():
        yield "thresholds are out of order: some category is the likeliest of no unit"
    if len(groups) > 1:
        told = " and ".join("{" + named(tuple(group)) + "}" for group in groups)
        yield f"{told} share no unit and are compared as if units had been dealt to them at random"
    if found.sigma < 0.05:
        yield "units hardly differ: severities stand, measures of units mean nothing"
    yield "fair averages lean towards the mean of all units, the more the fewer answers a unit has"
    yield "severities are marginal estimates; joint ones, as FACETS has them, are L/(L-1) larger with L raters a unit"
