"""Shares, means and differences from few labels of people and many of a model: prediction-powered inference.

y is people's value of a unit (their mean, or their share of a category), f the model's; n units have both, N only f.

mean   theta = mean y - l (mean of f where labelled - mean of f on the rest), l = cov(y, f) / ((1 + n/N) var f),
       var = var(y - l f)/n + l^2 var f / N, t with n - 2 degrees of freedom
share  post-stratified by the model's category c: theta = sum of w_c p_c, Wilson limits of each p_c joined by MOVER;
       the normal interval fails for rare categories
difference   each group by itself, distances to the limits joined by the root of their squares (MOVER)

If the question is about these M = n + N units and no others, what is sampled is only who was labelled: variances are
multiplied by 1 - n/M, l = cov / var f, and shares w_c are known.

Angelopoulos, A. N. et al. (2023). Prediction-powered inference. Science 382, 669-674. Angelopoulos, A. N., Duchi, J. C.
& Zrnic, T. (2023). PPI++: efficient prediction-powered inference. arXiv:2311.01453. Zou, G. Y. & Donner, A. (2008).
Construction of confidence limits about effect measures: a general approach. Statistics in Medicine 27, 1693-1702.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.material import Material, materials
from concordant.digits import cell_text, counted, decimal
from concordant.errors import InputError, nearest
from concordant.judging.panel import Judge, Panel, assembled, is_answer
from concordant.measures.result import Interval
from concordant.model.columns import Column
from concordant.model.study import Study
from concordant.model.tabular import TabularResult
from concordant.readers.data import as_study
from concordant.uncertainty.mover import Limits, difference_limits

LEAST_LABELS, LEAST_IN_CLASS = 30, 5
NOT_RANDOM = 0.01
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
class Estimate:
    """One corrected figure with what people alone and the model alone would say; `reason` says why there is none."""

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
    notes: tuple[str, ...] = ()
    reason: str | None = None


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


def mean_limits(
    y: Floats, f: Floats, rest: Floats, *, level: float = 0.95, is_finite: bool = False, uses_model: bool = True
) -> Limits:
    """The mean of y over all units."""
    from scipy.special import stdtrit

    n, many = len(y), len(rest)
    spread = float(np.concatenate([f, rest]).var(ddof=1))
    scale = spread * (1.0 if is_finite else 1 + n / max(many, 1))
    weight = float(np.cov(y, f)[0, 1]) / scale if uses_model and spread > 0 and many else 0.0
    everything = np.concatenate([f, rest]).mean()
    target = everything if is_finite else (rest.mean() if many else f.mean())
    value = float(y.mean() - weight * (f.mean() - target))
    free = n - 1 - (weight != 0)
    within = float((y - weight * f).var(ddof=1)) * (n - 1) / free / n
    if is_finite:
        variance = within * (1 - n / (n + many))
    else:
        variance = within + (weight**2 * float(rest.var(ddof=1)) / many if many > 1 else 0.0)
    half = -float(stdtrit(free, (1 - level) / 2)) * np.sqrt(variance)
    return Limits(value, value - half, value + half)


def share_limits(
    y: Floats,
    f: NDArray[Any],
    rest: NDArray[Any],
    *,
    level: float = 0.95,
    is_finite: bool = False,
    people: float = 1.0,
) -> Limits:
    """The share of units with y, post-stratified by what the model said (`f`, `rest`: its categories).

    Where y is the share of several `people`, it varies less than yes and no do, and counts as so many more units.
    """
    from scipy.special import ndtri

    z, times = float(-ndtri((1 - level) / 2)), _worth(y, f, people)
    everything = np.concatenate([f, rest])
    value = down = up = squares = 0.0
    for c in np.unique(everything):
        weight, inside = float((everything == c).mean()), y[f == c]
        n, p = (times * len(inside), float(inside.mean())) if len(inside) else (1.0, float(y.mean()))  # nobody looked
        centre = (n * p + z * z / 2) / (n + z * z)
        half = z / (n + z * z) * np.sqrt(n * p * (1 - p) + z * z / 4)
        sampled = 1 - len(inside) / (everything == c).sum() if is_finite else 1.0
        value, squares = value + weight * p, squares + weight * p * p
        down += sampled * (weight * (p - centre + half)) ** 2
        up += sampled * (weight * (centre + half - p)) ** 2
    extra = 0.0 if is_finite else z * z * max(squares - value**2, 0.0) / len(everything)
    low, high = value - np.sqrt(down + extra), value + np.sqrt(up + extra)
    return Limits(value, float(max(low, 0.0)), float(min(high, 1.0)))


def _worth(y: Floats, f: NDArray[Any], people: float) -> float:
    """How many units with one answer a unit is worth: the variance of yes and no within strata against that of y."""
    plain = within = 0.0
    for c in np.unique(f):
        inside = y[f == c]
        plain += len(inside) * float(inside.mean() * (1 - inside.mean()))
        within += float(((inside - inside.mean()) ** 2).sum())
    return min(plain / within, people) if within > 0 else 1.0


def labels_needed(
    half: float, sd: float, correlation: float, many: int, *, level: float = 0.95, is_finite: bool = False
) -> tuple[int, int]:
    """Labels for this half-width, by people alone and with a model on `many` further units (`is_finite`: on all).

    >>> labels_needed(0.03, 0.21**0.5, 0.8, 50_000)
    (897, 327)
    >>> labels_needed(0.03, 0.21**0.5, 0.8, 600, is_finite=True)
    (360, 210)
    """
    from scipy.special import ndtri

    alone = (float(-ndtri((1 - level) / 2)) * sd / half) ** 2
    if is_finite:
        left = alone * (1 - correlation**2)
        return int(np.ceil(alone / (1 + alone / many))), int(np.ceil(left / (1 + left / many)))
    n = alone
    for _ in range(200):
        n = alone * (1 - correlation**2 * many / (many + n))
    return int(np.ceil(alone)), int(np.ceil(n))


def corrected(
    labelled: Any,
    all: Any = None,
    *,
    what: str = "share",
    category: str | None = None,
    group: str | None = None,
    beyond: bool = False,
    level: str | None = None,
    **reading: Any,
) -> Corrected:
    """Shares, means or the difference of two groups, from people's labels of some units and a model's of all.

    `labelled` are judgements of people and models (`models=`, `model_file=` or a column `kind` say who is one); `all`
    is a file or table with the model's judgements of all units, if they are not among them. The labelled units must be
    a random sample of all. The figures are about these units; `beyond=True` asks about a population they were drawn
    from. `category` limits shares to one; `group` is the column of units whose two values are compared.
    """
    if what not in WHAT:
        raise InputError(f"unknown estimate {what!r}", hint=nearest(what, WHAT))
    if (group is None) == (what == "difference"):
        raise InputError("a difference needs the column of two groups, and nothing else does", hint="say group=COLUMN")
    study = as_study(labelled, level=level, **{**reading, "kind": "all"})
    if all is not None:
        study = with_rest(study, all, {**reading, "level": level})
    found: list[Estimate] = []
    for part in materials(study):
        panel, judges, used = assembled(part)
        found += estimates(panel, judges, Material(question=part.question, study=used), what, category, group, beyond)
    return Corrected(estimates=tuple(found))


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


def estimates(
    panel: Panel,
    judges: Sequence[Judge],
    part: Material,
    what: str,
    category: str | None = None,
    group: str | None = None,
    beyond: bool = False,
) -> list[Estimate]:
    """The estimates of every judge: a share for each category, a mean, or the difference of two groups."""
    columns = part.unit_attributes
    if group is not None and group not in columns:
        part.study.column(group)
        raise InputError(f"{group!r} is not an attribute of units", hint="name a column that every unit has")
    if group is not None and len(columns[group].labels) != 2:
        raise InputError(f"{group!r} has {len(columns[group].labels)} values", hint="a difference is one of two groups")
    if what == "share" and panel.is_continuous:
        raise InputError("a continuous scale has no categories", hint="estimate the mean")
    if category is not None and category not in panel.scale.categories:
        raise InputError(f"there is no category {category!r}", hint=nearest(category, panel.scale.categories))
    is_share = what == "share" or (what == "difference" and not panel.is_ordered)
    if what == "mean" and not panel.is_ordered:
        raise InputError(f"a {panel.scale.level.value} scale has no mean", hint="estimate shares, or say --level")
    names = [category] if category else list(panel.scale.categories)
    names = (names[1:] if len(names) == 2 else names) if is_share else ["mean"]
    found = []
    for judge in judges:
        for name in names:
            place = panel.scale.categories.index(name) if is_share else None
            found.append(_estimate(panel, judge, name, place, columns[group] if group else None, not beyond))
    return found


def _estimate(
    panel: Panel, judge: Judge, name: str, category: int | None, group: Column | None, is_finite: bool
) -> Estimate:
    """One figure of one judge."""
    has = is_answer(judge.answer)
    y = people_mean(panel, category)
    both = has & ~np.isnan(y)
    what: dict[str, Any] = {"judge": judge.name, "n_labelled": int(both.sum()), "n_all": int(has.sum())}
    what["population"] = "these units" if is_finite else "a population that they were drawn from"
    sides = [(both, has)] if group is None else [(both & (group.codes == g), has & (group.codes == g)) for g in (0, 1)]
    what["what"] = "share" if category is not None else "mean"
    what["of"] = name
    if group is not None:
        what |= {"what": "difference", "of": f"{name}: {group.labels[0]} - {group.labels[1]}"}
    nothing: dict[str, Any] = dict.fromkeys(("value", "interval", "people_alone", "people_interval", "model_alone"))
    fewest = min(int(labelled.sum()) for labelled, _ in sides)
    if fewest < LEAST_LABELS:
        reason = f"{counted(fewest, 'unit')} labelled by people; from {LEAST_LABELS} on there is an estimate"
        return Estimate(**what, **nothing, correlation=None, reason=reason)
    f = panel.as_numbers(judge.answer) if category is None else (judge.answer == category).astype(np.float64)
    found = [_limits(panel, judge, y, f, labelled, told, category, is_finite) for labelled, told in sides]
    values, alone = ([one[i] for one in found] for i in (0, 1))
    joined, people = (one[0] if group is None else difference_limits(one[0], one[1]) for one in (values, alone))
    machine = [float(f[told].mean()) for _, told in sides]
    how = "post-stratified, Wilson and MOVER" if category is not None else "prediction-powered (PPI++)"
    rho, sure = _correlation(y[both], f[both])
    spread = float(y[both].std(ddof=1))
    needed = () if group is not None or sure is None else _needed(rho or 0.0, sure, spread, what, is_finite)
    return Estimate(
        **what,
        value=joined.value,
        interval=Interval(low=joined.low, high=joined.high, level=0.95, method=how),
        people_alone=people.value,
        people_interval=Interval(low=people.low, high=people.high, level=0.95, method="people's labels alone"),
        model_alone=machine[0] if group is None else machine[0] - machine[1],
        correlation=rho,
        correlation_interval=sure,
        needed=needed,
        notes=_doubts(panel, judge, f, both, has & ~both, category),
    )


def _limits(
    panel: Panel,
    judge: Judge,
    y: Floats,
    f: Floats,
    labelled: NDArray[np.bool_],
    told: NDArray[np.bool_],
    category: int | None,
    is_finite: bool,
) -> tuple[Limits, Limits]:
    """With the model, and by people alone."""
    rest = told & ~labelled
    if category is None:
        how = {"is_finite": is_finite}
        ours = mean_limits(y[labelled], f[labelled], f[rest], **how)
        return ours, mean_limits(y[labelled], f[labelled], f[rest], **how, uses_model=False)
    one: dict[str, Any] = {"is_finite": is_finite, "people": float(panel.sizes[labelled].mean())}
    ours = share_limits(y[labelled], judge.answer[labelled], judge.answer[rest], **one)
    nothing = np.zeros(len(judge.answer))
    return ours, share_limits(y[labelled], nothing[labelled], nothing[rest], **one)


def people_mean(panel: Panel, category: int | None) -> Floats:
    """The mean of people's answers to each unit, or their share of a category; NaN where nobody answered."""
    n = np.maximum(panel.sizes, 1)
    if category is None:
        found = np.bincount(panel.unit, panel.numbers, minlength=len(panel.units)) / n
    else:
        found = panel.counts[:, category] / n
    return np.where(panel.sizes > 0, found, np.nan)


def _correlation(y: Floats, f: Floats) -> tuple[float | None, Interval | None]:
    """Of people's values and the model's, with the interval from Fisher's z."""
    if not (y.std() > 0 and f.std() > 0):
        return None, None
    rho = float(np.clip(np.corrcoef(y, f)[0, 1], -1, 1))
    centre, half = np.arctanh(np.clip(rho, -0.999999, 0.999999)), 1.959963984540054 / np.sqrt(len(y) - 3)
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
    panel: Panel, judge: Judge, f: Floats, both: NDArray[np.bool_], rest: NDArray[np.bool_], category: int | None
) -> tuple[str, ...]:
    """Whether the labelled units look like a random sample, and whether each of the model's categories was labelled."""
    notes = []
    if rest.any():
        p = _not_random(judge, f, both, rest, category)
        if p < NOT_RANDOM:
            said = "the model answers otherwise there than on the rest"
            notes.append(f"the labelled units are not a random sample: {said} (p = {decimal(p, 4)})")
    else:
        notes.append("every unit is labelled: the model adds nothing")
    if category is not None:
        n = np.bincount(judge.answer[both], minlength=len(panel.scale.categories))
        used = np.bincount(judge.answer[both | rest], minlength=len(panel.scale.categories))
        few = [panel.scale.categories[c] for c in np.flatnonzero((used > 0) & (n < LEAST_IN_CLASS)).tolist()]
        if few:
            notes.append(f"fewer than {LEAST_IN_CLASS} labelled units where the model says {', '.join(few)}")
    return tuple(notes)


def _not_random(
    judge: Judge, f: Floats, both: NDArray[np.bool_], rest: NDArray[np.bool_], category: int | None
) -> float:
    """P that the model's answers differ between the labelled units and the rest by chance."""
    from scipy.special import chdtrc, stdtr

    if category is None:
        errors = [f[side].var(ddof=1) / side.sum() if side.sum() > 1 else 0.0 for side in (both, rest)]
        gap, error = f[both].mean() - f[rest].mean(), float(np.sqrt(sum(errors)))
        return 2 * float(stdtr(both.sum() - 1, -abs(gap) / error)) if error > 0 else 1.0
    size = int(judge.answer.max()) + 1
    table = np.stack([np.bincount(judge.answer[side], minlength=size) for side in (both, rest)])
    table = table[:, table.sum(axis=0) > 0]
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    return float(chdtrc(max(table.shape[1] - 1, 1), ((table - expected) ** 2 / expected).sum()))
