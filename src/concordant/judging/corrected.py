"""Shares, means and differences of all units from people's labels of some and a model's answers to all.

How intervals are computed stands in `predicted.py`; here is what they are computed from, what is refused and what must
be said beside a figure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.material import Material, materials
from concordant.digits import cell_text, counted, p_text
from concordant.errors import InputError, nearest
from concordant.judging.fingerprints import fingerprint, signed
from concordant.judging.labelled import Weighed, not_random, people_mean, values_of_units, weighed
from concordant.judging.panel import Judge, Panel, Runs, assembled, is_answer
from concordant.judging.predicted import (
    labels_needed,
    mean_limits,
    share_limits,
    weighted_mean_limits,
    weighted_share_limits,
    worth,
)
from concordant.judging.refused import refuse_strangers
from concordant.measures.result import Interval
from concordant.model.columns import Column
from concordant.model.study import Study
from concordant.model.tabular import TabularResult
from concordant.readers.data import as_study
from concordant.uncertainty.front import selection
from concordant.uncertainty.mover import Limits, difference_limits

LEAST_LABELS, LEAST_IN_CLASS = 30, 5
NOT_RANDOM, MUCH_OTHER = 0.01, 1.25
KEY = "corrected"
HALVES, HALVES_OF_SD = (0.05, 0.03, 0.02), (0.2, 0.1, 0.05)
WHAT = ("share", "mean", "difference")


@dataclass(frozen=True, kw_only=True)
class Needed:
    """Labelled units for an interval of ± `half`: by people alone, with the model, and at the ends of rho's."""

    half: float
    alone: int
    labels: int
    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Aim:
    """What is estimated: shares (of one `category`), a mean, or the difference of the two values of `group`.

    `weights` is the column with how many units each labelled one stands for; `beyond` asks about a population that all
    units were drawn from.
    """

    what: str = "share"
    category: str | None = None
    group: str | None = None
    weights: str | None = None
    beyond: bool = False
    runs: Runs = "first"

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.what not in WHAT:
            raise InputError(f"unknown estimate {self.what!r}", hint=nearest(self.what, WHAT))
        if (self.group is None) == (self.what == "difference"):
            hint = "say --group COLUMN with --estimate difference"
            raise InputError("a difference needs the column of two groups, and nothing else does", hint=hint)

    def signed(self) -> dict[str, str]:
        """What of it stands in signatures beside the figure; measures have weights of another kind."""
        fields = {"group": self.group, "weighted": self.weights, "beyond": "yes" if self.beyond else None}
        fields["runs"] = None if self.runs == "first" else self.runs
        return {name: text for name, text in fields.items() if text is not None}


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One corrected figure with what people alone and the model alone would say; `reason` says why there is none.

    Where units were drawn with unequal chances, `weights` is the column with how many each stands for, and `worth` how
    many drawn with equal chances they are worth.
    """

    what: str
    of: str
    judge: str
    n_labelled: int
    n_all: int
    value: float | None
    interval: Interval | None
    people_alone: float | None
    people_interval: Interval | None
    model_alone: float | None
    correlation: float | None
    correlation_interval: Interval | None = None
    needed: tuple[Needed, ...] = ()
    population: str
    weights: str | None = None
    worth: float | None = None
    notes: tuple[str, ...] = ()
    reason: str | None = None
    question: str | None = None
    signature: str = ""


@dataclass(frozen=True, kw_only=True, repr=False)
class Corrected(TabularResult):
    """All estimates, as rows."""

    COLUMNS: ClassVar = {
        key: key for key in ("what", "of", "judge", "value", "low", "high", "people_alone", "model_alone")
    }

    estimates: tuple[Estimate, ...]

    def __repr__(self) -> str:
        """Every figure in a line."""
        return "\n".join(f"<{one.judge}, {one.what} of {one.of}: {cell_text(one.value)}>" for one in self.estimates)

    def rows(self) -> list[dict[str, Any]]:
        """One for each figure."""
        return [
            {**vars(one), "low": one.interval.low if one.interval else None}
            | {"high": one.interval.high if one.interval else None}
            for one in self.estimates
        ]


def corrected(
    labelled: Any,
    all: Any = None,
    *,
    what: str = "share",
    category: str | None = None,
    group: str | None = None,
    weights: str | None = None,
    beyond: bool = False,
    runs: Runs = "first",
    level: str | None = None,
    **reading: Any,
) -> Corrected:
    """Shares, means or the difference of two groups, from people's labels of some units and a model's of all.

    `labelled` are judgements of people (one suffices) and models (`models=`, `model_file=` or a column `kind` say who
    is one); `all` is a file or table with the model's judgements of all units, if they are not among them. The labelled
    units must be a random sample of all; if they were drawn with unequal chances, `weights` is the column with how many
    units each stands for. The figures are about these units; `beyond=True` asks about a population they were drawn
    from. `category` limits shares to one; `group` is the column of units whose two values are compared.
    """
    aim = Aim(what=what, category=category, group=group, weights=weights, beyond=beyond, runs=runs)
    given = {**reading, **({} if level is None else {"level": level})}
    study = as_study(labelled, **{**given, "kind": "all"})
    return Corrected(estimates=tuple(estimated(study, aim, all, given, selection(study, given))))


def estimated(
    study: Study, aim: Aim, rest: Any, reading: Mapping[str, Any], chosen: Mapping[str, str]
) -> list[Estimate]:
    """The figures of every question, signed, with models' judgements of further units (`rest`).

    What was given as a table and not as a file cannot be given again by a signature, so then there is none.
    """
    whole = study if rest is None else with_rest(study, rest, reading)
    is_named = rest is None or isinstance(rest, str | Path)
    found: list[Estimate] = []
    for part in materials(whole):
        panel, judges, used = assembled(part, runs=aim.runs, fewest=1)
        refuse_strangers(used, panel, judges)
        told = {"question": part.question} if part.question else {}
        for judge in judges:
            marks = fingerprint(panel, [judge])
            for one in estimates(panel, judge, Material(question=part.question, study=used), aim):
                fields = {"model": one.judge, "what": one.what, "of": one.of, **aim.signed(), **told}
                fields |= {} if rest is None else {"all": str(rest)}
                fields |= {"labelled": str(one.n_labelled), "units": str(one.n_all)}
                ends = (None, None) if one.interval is None else (one.interval.low, one.interval.high)
                line = signed(KEY, fields, chosen, marks, (one.value, *ends)) if is_named else ""
                found.append(replace(one, question=part.question, signature="" if one.value is None else line))
    return found


COLUMNS = ("unit", "rater", "value", "question", "missing", "level")


def with_rest(study: Study, data: Any, reading: Mapping[str, Any]) -> Study:
    """The study with models' judgements of further units, except those that it has already."""
    rest = as_study(data, **{name: reading[name] for name in COLUMNS if name in reading}, kind="all")
    people = {rater for rater in study.raters if rater not in study.models}
    if both := [rater for rater in rest.raters if rater in people]:
        raise InputError(f"{both[0]!r} is a person and has judgements among all units", hint="give a file of models")
    has = {*zip(study.unit.text().tolist(), study.rater.text().tolist(), strict=True)}
    keys = zip(rest.unit.text().tolist(), rest.rater.text().tolist(), strict=True)
    fresh = rest.take(np.array([key not in has for key in keys], dtype=bool))
    models = tuple(dict.fromkeys([*study.models, *fresh.raters]))
    return replace(study.joined(fresh, is_same_people=True), models=models)


def estimates(panel: Panel, judge: Judge, part: Material, aim: Aim) -> list[Estimate]:
    """The estimates of one judge: a share for each category, a mean, or the difference of two groups."""
    group = None if aim.group is None else _groups(part.study, judge, aim.group)
    if aim.what == "share" and panel.is_continuous:
        raise InputError("a continuous scale has no categories", hint="estimate the mean")
    if aim.category is not None and aim.category not in panel.scale.categories:
        raise InputError(f"there is no category {aim.category!r}", hint=nearest(aim.category, panel.scale.categories))
    is_share = aim.what == "share" or (aim.what == "difference" and not panel.is_ordered)
    if aim.what == "mean" and not panel.is_ordered:
        raise InputError(f"a {panel.scale.level.value} scale has no mean", hint="estimate shares, or say --level")
    weights = None if aim.weights is None else weighed(part.study, panel, aim.weights)
    names = [aim.category] if aim.category else list(panel.scale.categories)
    names = (names[1:] if len(names) == 2 and not aim.category else names) if is_share else ["mean"]
    return [
        _estimate(panel, judge, name, panel.scale.categories.index(name) if is_share else None, group, weights, aim)
        for name in names
    ]


def _groups(study: Study, judge: Judge, name: str) -> Column:
    """The group of every unit that the model answered: whose is not known cannot be counted in either."""
    group = values_of_units(study, name)
    if len(group.labels) != 2:
        raise InputError(f"{name!r} has {len(group.labels)} values", hint="a difference is one of two groups")
    if lacking := int((is_answer(judge.answer) & (group.codes < 0)).sum()):
        what = f"{counted(lacking, 'unit')} that {judge.name} answered have nothing in {name!r}"
        raise InputError(what, file=study.name, hint="say of every unit which group it is in")
    return group


def _estimate(
    panel: Panel,
    judge: Judge,
    name: str,
    category: int | None,
    group: Column | None,
    weights: Weighed | None,
    aim: Aim,
) -> Estimate:
    """One figure of one judge."""
    has = is_answer(judge.answer)
    y = people_mean(panel, category)
    both = has & ~np.isnan(y)
    what: dict[str, Any] = {"judge": judge.name, "n_labelled": int(both.sum()), "n_all": int(has.sum())}
    what["population"] = "a population that they were drawn from" if aim.beyond else "these units"
    sides = [(both, has)] if group is None else [(both & (group.codes == g), has & (group.codes == g)) for g in (0, 1)]
    what |= {"what": "share" if category is not None else "mean", "of": name}
    if group is not None:
        what |= {"what": "difference", "of": f"{name}: {group.labels[0]} - {group.labels[1]}"}
    if weights is not None:
        what |= {"weights": weights.name, "worth": worth(weights.of[both])}
    uneven = None if weights is None or weights.is_even else weights.of
    if (reason := _too_few([labelled for labelled, _ in sides], uneven)) is not None:
        names = ("value", "interval", "people_alone", "people_interval", "model_alone", "correlation")
        return Estimate(**(what | dict.fromkeys(names)), reason=reason)
    f = panel.as_numbers(judge.answer) if category is None else (judge.answer == category).astype(np.float64)
    found = [_limits(panel, judge, y, f, labelled, told, category, uneven, aim) for labelled, told in sides]
    values, alone = ([one[i] for one in found] for i in (0, 1))
    joined, people = (one[0] if group is None else difference_limits(one[0], one[1]) for one in (values, alone))
    machine = [float(f[told].mean()) for _, told in sides]
    how = "post-stratified, Wilson and MOVER" if category is not None else "prediction-powered (PPI++)"
    rho, sure = _correlation(y[both], f[both], uneven if uneven is None else uneven[both])
    spread = float(y[both].std(ddof=1))
    is_told = group is None and sure is not None and uneven is None
    return Estimate(
        **what,
        value=joined.value,
        interval=Interval(low=joined.low, high=joined.high, level=0.95, method=how),
        people_alone=people.value,
        people_interval=Interval(low=people.low, high=people.high, level=0.95, method="people's labels alone"),
        model_alone=machine[0] if group is None else machine[0] - machine[1],
        correlation=rho,
        correlation_interval=sure,
        needed=_needed(rho or 0.0, sure, spread, what, not aim.beyond) if is_told and sure is not None else (),
        notes=_doubts(panel, judge, f, both, has & ~both, category, uneven),
    )


def _too_few(sides: Sequence[NDArray[np.bool_]], weights: Floats | None) -> str | None:
    """Why there is no estimate: too few labelled units, or units that are worth too few."""
    fewest = min(int(labelled.sum()) for labelled in sides)
    if fewest < LEAST_LABELS:
        return f"{counted(fewest, 'unit')} labelled by people; from {LEAST_LABELS} on there is an estimate"
    for labelled in sides if weights is not None else ():
        n = worth(weights[labelled])  # type: ignore[index]
        if n < LEAST_LABELS:
            many = f"{counted(int(labelled.sum()), 'unit')} labelled with such unequal chances"
            return f"{many} are worth {n:.0f}; from {LEAST_LABELS} on there is an estimate"
    return None


def _limits(
    panel: Panel,
    judge: Judge,
    y: Floats,
    f: Floats,
    labelled: NDArray[np.bool_],
    told: NDArray[np.bool_],
    category: int | None,
    weights: Floats | None,
    aim: Aim,
) -> tuple[Limits, Limits]:
    """With the model, and by people alone."""
    rest, w = told & ~labelled, None if weights is None else weights[labelled]
    how: dict[str, Any] = {"is_finite": not aim.beyond}
    if category is None and w is None:
        ours = mean_limits(y[labelled], f[labelled], f[rest], **how)
        return ours, mean_limits(y[labelled], f[labelled], f[rest], **how, uses_model=False)
    if category is None and w is not None:
        ours = weighted_mean_limits(y[labelled], f[labelled], w, f[told], **how)
        return ours, weighted_mean_limits(y[labelled], f[labelled], w, f[told], **how, uses_model=False)
    how["people"] = float(panel.sizes[labelled].mean())
    said, nothing = judge.answer, np.zeros(len(judge.answer))
    if w is None:
        ours = share_limits(y[labelled], said[labelled], said[rest], **how)
        return ours, share_limits(y[labelled], nothing[labelled], nothing[rest], **how)
    ours = weighted_share_limits(y[labelled], said[labelled], w, said[told], **how)
    return ours, weighted_share_limits(y[labelled], nothing[labelled], w, nothing[told], **how)


def _correlation(y: Floats, f: Floats, weights: Floats | None) -> tuple[float | None, Interval | None]:
    """Of people's values and the model's, with the interval from Fisher's z."""
    if not (y.std() > 0 and f.std() > 0):
        return None, None
    table, n = np.cov(y, f, aweights=weights), float(len(y)) if weights is None else worth(weights)
    rho = float(np.clip(table[0, 1] / np.sqrt(table[0, 0] * table[1, 1]), -1, 1))
    centre, half = np.arctanh(np.clip(rho, -0.999999, 0.999999)), 1.959963984540054 / np.sqrt(n - 3)
    ends = np.tanh([centre - half, centre + half])
    return rho, Interval(low=float(ends[0]), high=float(ends[1]), level=0.95, method="Fisher's z")


def _needed(rho: float, sure: Interval, spread: float, what: Mapping[str, Any], is_finite: bool) -> tuple[Needed, ...]:
    """How many labels suffice for some half-widths."""
    many = what["n_all"] if is_finite else max(what["n_all"] - what["n_labelled"], 1)
    near, far = sorted((abs(sure.low), abs(sure.high)))
    rhos, found = (rho, far, 0.0 if sure.low <= 0 <= sure.high else near), []
    for half in HALVES if what["what"] == "share" else [float(f"{part * spread:.1g}") for part in HALVES_OF_SD]:
        both = [labels_needed(half, spread, one, many, is_finite=is_finite) for one in rhos]
        n, low, high = (max(labels, LEAST_LABELS) for _, labels in both)
        found.append(Needed(half=half, alone=max(both[0][0], LEAST_LABELS), labels=n, low=low, high=high))
    return tuple(found)


def _doubts(
    panel: Panel,
    judge: Judge,
    f: Floats,
    both: NDArray[np.bool_],
    rest: NDArray[np.bool_],
    category: int | None,
    weights: Floats | None,
) -> tuple[str, ...]:
    """Whether the labelled units look like a random sample, and whether each of the model's categories was labelled."""
    notes = []
    if left := int(((panel.sizes > 0) & ~both).sum()):
        notes.append(
            f"{counted(left, 'labelled unit')} without an answer of the model left out: nothing is said of such"
        )
    if not rest.any():
        notes.append("every unit is labelled: the model adds nothing")
    elif (p := not_random(judge.answer, f, both, rest, category, weights)) < NOT_RANDOM:
        sample = "the labelled units are not a random sample" + (
            ", weighted as they are" if weights is not None else ""
        )
        notes.append(f"{sample}: the model answers otherwise there than on the rest ({p_text(p)})")
    if weights is not None:
        many = counted(int(both.sum()), "labelled unit")
        notes.append(f"drawn with unequal chances, {many} are worth {worth(weights[both]):.0f} drawn with equal ones")
        total, units = float(weights[both].sum()), int((both | rest).sum())
        if not 1 / MUCH_OTHER < total / units < MUCH_OTHER:
            notes.append(f"the weights add up to {total:,.0f} and not to {units:,} units: only their ratios are used")
    if category is not None:
        n = np.bincount(judge.answer[both], minlength=len(panel.scale.categories))
        used = np.bincount(judge.answer[both | rest], minlength=len(panel.scale.categories))
        few = [panel.scale.categories[c] for c in np.flatnonzero((used > 0) & (n < LEAST_IN_CLASS)).tolist()]
        if few:
            notes.append(f"fewer than {LEAST_IN_CLASS} labelled units where the model says {', '.join(few)}")
    return tuple(notes)
