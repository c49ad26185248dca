"""How a model differs from people: severity, use of the scale, slices and lengths of units; from other runs and judges.

The residual of a unit is the model's answer minus the mean of people's: in numbers where values have an order, else in
shares of each category. People's own figure is subtracted, so what is left is the model's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from glob import escape
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.verdict import MAIN
from concordant.errors import InputError
from concordant.judging.alt_test import FEWEST_COMMON, AltTest, Nearer
from concordant.judging.ceiling import RESAMPLES, agreements
from concordant.judging.panel import Codes, Judge, Panel, is_answer, paired_sums
from concordant.measures.result import Interval
from concordant.model.columns import Column
from concordant.model.judgements import Judgements
from concordant.model.study import Study
from concordant.randomness import generator
from concordant.uncertainty.estimate import measure

LEAST_IN_SLICE = 30
FEW = 3  # judges that are all compared with each other


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How much higher the model answers than people on average, how widely it uses the scale, and which categories.

    `severity` is None where values have no order. `shares` are those of each category, of the model and of people.
    """

    severity: float | None
    interval: Interval | None
    sd_ratio: float | None
    shares: dict[str, tuple[float, float]]
    total_variation: float | None


@dataclass(frozen=True, kw_only=True)
class Slice:
    """Mean of model minus people in one slice against the rest; `p` is None where units are too few to test."""

    column: str
    value: str
    category: str | None
    n_units: int
    mean: float
    contrast: float | None
    low: float | None
    high: float | None
    p: float | None
    p_corrected: float | None = None

    @property
    def p_shown(self) -> float | None:
        """The corrected p, where there was something to correct for."""
        return self.p if self.p_corrected is None else self.p_corrected


@dataclass(frozen=True, kw_only=True)
class Stability:
    """Repeated runs of one judge: their agreement, and the share of units whose answer ever changes.

    Then the lowest and the highest win rate and gap of a run alone.
    """

    n_runs: int
    alpha: float | None
    changed: float
    win_rates: tuple[float, float] | None
    gaps: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Two prompts, versions or models: how alike they answer; agreement with people of the second less the first's."""

    question: str | None
    first: str
    second: str
    n_units: int
    same: float
    alpha: float | None
    difference: float
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class Position:
    """How often what stood first is chosen, by the model and by people, and how often swapping changes the choice."""

    column: str
    n_units: int
    model: float
    people: float
    difference: float
    low: float | None
    high: float | None
    p: float | None
    n_swapped: int
    changed: float | None


def position_of(study: Study, panel: Panel, judge: Judge, name: str) -> Position:
    """The preference for what stands first: model minus people by unit, a t test over units; ties do not count.

    `name` is the column that says which category stood first for that answer. Of runs with swapped places the share
    whose choice changes is counted.
    """
    from scipy.special import stdtr, stdtrit

    first, value = study.column(name).as_labels(), study.value.as_labels()
    if strange := [label for label in first.labels if label not in value.labels]:
        wrong = f"{strange[0]!r} in the column {name!r} is no answer"
        raise InputError(wrong, file=study.name, hint="write which answer stood first, as A or B")
    told = {label: code for code, label in enumerate(value.labels)}
    shown = np.array([*(told[label] for label in first.labels), -1])[first.codes]
    counts = (value.codes >= 0) & (shown >= 0) & np.isin(value.codes, np.unique(shown[shown >= 0]))
    is_first = (value.codes == shown)[counts]
    unit, rater = study.unit.codes[counts], study.rater.codes[counts]
    sides = []
    mine, humans = study.raters.index(judge.name), [study.raters.index(one) for one in panel.humans]
    for side in (rater == mine, np.isin(rater, humans)):
        n = np.bincount(unit[side], minlength=len(panel.units))
        share = np.bincount(unit[side], is_first[side], minlength=len(panel.units))
        sides.append(np.divide(share, n, out=np.full(len(n), np.nan), where=n > 0))
    both = ~np.isnan(sides[0]) & ~np.isnan(sides[1])
    if not both.any():
        raise InputError(f"no unit has places of {judge.name} and of people", file=study.name, column=name)
    apart = sides[0][both] - sides[1][both]
    n_swapped, changed = _swapped(unit[rater == mine], shown[counts][rater == mine], value.codes[counts][rater == mine])
    what: dict[str, Any] = {"column": name, "n_units": len(apart), "difference": float(apart.mean())}
    what |= {"model": float(sides[0][both].mean()), "people": float(sides[1][both].mean())}
    what |= {"n_swapped": n_swapped, "changed": changed}
    if len(apart) < LEAST_IN_SLICE:
        return Position(**what, low=None, high=None, p=None)
    error, free = float(apart.std(ddof=1) / np.sqrt(len(apart))), len(apart) - 1
    half = -float(stdtrit(free, 0.025)) * error
    p = 2 * float(stdtr(free, -abs(apart.mean()) / error)) if error > 0 else float(apart.mean() == 0)
    return Position(**what, low=float(apart.mean()) - half, high=float(apart.mean()) + half, p=p)


def _swapped(unit: Codes, shown: Codes, said: Codes) -> tuple[int, float | None]:
    """Of units answered with either place first: how many there are, and the share whose choice changes."""
    swapped = [u for u in np.unique(unit).tolist() if len(np.unique(shown[unit == u])) > 1]
    changed = [len(np.unique(said[unit == u])) > 1 for u in swapped]
    return len(swapped), float(np.mean(changed)) if changed else None


def own_texts(judge: Judge, sources: Column, own: str | None) -> Column | None:
    """Whether a unit comes from the judge or its family (names like `own`); None if none does."""
    if own is not None and not fnmatchcase(judge.model.casefold(), own.casefold()):
        return None
    pattern = (own or escape(judge.model)).casefold()
    mine = np.array([*(fnmatchcase(label.casefold(), pattern) for label in sources.labels), False])[sources.codes]
    if not mine.any():
        return None
    return Column(codes=np.where(sources.codes < 0, -1, np.where(mine, 0, 1)), labels=["own", "others"])


def difference(panel: Panel, judge: Judge, *, resamples: int = RESAMPLES, seed: int = 1) -> Difference:
    """Severity and use of the scale on the units that people and the model judged."""
    rows = is_answer(judge.answer) & (panel.sizes >= 1)
    ours, shares, apart = panel.among(rows), dict[str, tuple[float, float]](), None
    if not rows.any():
        return Difference(severity=None, interval=None, sd_ratio=None, shares={}, total_variation=None)
    if not panel.is_continuous:
        size = len(panel.scale.categories)
        theirs = np.bincount(judge.answer[rows], minlength=size) / rows.sum()
        people = (ours.counts[rows] / ours.sizes[rows][:, None]).mean(axis=0)
        pairs = zip(theirs.tolist(), people.tolist(), strict=True)
        shares = dict(zip(panel.scale.categories, pairs, strict=True))
        apart = float(np.abs(theirs - people).sum() / 2)
    if not panel.is_ordered:
        return Difference(severity=None, interval=None, sd_ratio=None, shares=shares, total_variation=apart)
    residual = residuals(panel, judge)
    columns = {"r": np.where(rows, np.nan_to_num(residual), 0.0), "n": rows.astype(np.float64)}
    sums = paired_sums(columns, panel, rows, resamples=resamples, random=generator(seed, 1))
    means = sums["r"] / sums["n"]
    low, high = np.quantile(means[1:], [0.025, 0.975]).tolist()
    method = f"percentile bootstrap over {panel.cluster_name or 'units'}, {resamples:,} resamples"
    spread = float(ours.numbers.std(ddof=1)) if len(ours.numbers) > 1 else 0.0
    machine = panel.as_numbers(judge.answer)[rows]
    return Difference(
        severity=float(means[0]),
        interval=Interval(low=low, high=high, level=0.95, method=method),
        sd_ratio=float(machine.std(ddof=1) / spread) if spread > 0 and len(machine) > 1 else None,
        shares=shares,
        total_variation=apart,
    )


def residuals(panel: Panel, judge: Judge, category: int | None = None) -> Floats:
    """The model minus the mean of people by unit, in numbers or in shares of one category; NaN where either lacks."""
    n = np.maximum(panel.sizes, 1)
    if category is None:
        people = np.bincount(panel.unit, panel.numbers, minlength=len(panel.units)) / n
        machine = panel.as_numbers(judge.answer)
    else:
        people, machine = panel.counts[:, category] / n, (judge.answer == category).astype(np.float64)
    return np.where((panel.sizes > 0) & is_answer(judge.answer), machine - people, np.nan)


def slices_of(panel: Panel, judge: Judge, columns: dict[str, Column]) -> tuple[Slice, ...]:
    """The mean of model minus people in each slice against all other units, corrected by Benjamini & Hochberg."""
    wanted: list[tuple[str | None, Floats]] = [(None, residuals(panel, judge))] if panel.is_ordered else []
    if not wanted:
        names = panel.scale.categories
        wanted = [(name, residuals(panel, judge, c)) for c, name in enumerate(names)]
        wanted = wanted[1:] if len(names) == 2 else wanted  # the other of two says the same
    found = [
        _slice(name, column, code, category, r)
        for category, r in wanted
        for name, column in columns.items()
        for code in range(len(column.labels))
    ]
    return _corrected([one for one in found if one is not None])


def _slice(name: str, column: Column, code: int, category: str | None, r: Floats) -> Slice | None:
    known = ~np.isnan(r) & (column.codes >= 0)
    inside, outside = r[known & (column.codes == code)], r[known & (column.codes != code)]
    if not len(inside):
        return None
    what: dict[str, Any] = {"column": name, "value": column.labels[code], "category": category}
    what |= {"n_units": len(inside), "mean": float(inside.mean())}
    if min(len(inside), len(outside)) < LEAST_IN_SLICE:
        return Slice(**what, contrast=None, low=None, high=None, p=None)
    return Slice(**what, **_welch(inside, outside))


def _welch(inside: Floats, outside: Floats) -> dict[str, Any]:
    """The difference of two means with its interval and test (Welch)."""
    from scipy.special import stdtr, stdtrit

    errors = [side.var(ddof=1) / len(side) for side in (inside, outside)]
    contrast, error = float(inside.mean() - outside.mean()), float(np.sqrt(sum(errors)))
    if error == 0:
        return {"contrast": contrast, "low": contrast, "high": contrast, "p": 1.0 if contrast == 0 else 0.0}
    free = sum(errors) ** 2 / sum(e**2 / (len(s) - 1) for e, s in zip(errors, (inside, outside), strict=True))
    half = -float(stdtrit(free, 0.025)) * error
    p = 2 * float(stdtr(free, -abs(contrast) / error))
    return {"contrast": contrast, "low": contrast - half, "high": contrast + half, "p": p}


def length_slope(panel: Panel, judge: Judge, name: str, column: Column) -> tuple[Slice, ...]:
    """The slope of model minus people on the standardised logarithm of a length."""
    from scipy.special import stdtr, stdtrit

    cells = column.text()
    length = np.array([float(one) if str(one).replace(".", "", 1).isdigit() else np.nan for one in cells.tolist()])
    if np.isnan(length).any() or (length <= 0).any():
        raise InputError(f"the length {name!r} is not a number above 0 everywhere", hint="give every unit its length")
    r = residuals(panel, judge)
    known = ~np.isnan(r)
    x, y = np.log(length[known]), r[known]
    what: dict[str, Any] = {"column": name, "value": "per standard deviation of log length", "category": None}
    what |= {"n_units": len(y), "mean": float(y.mean())}
    if len(y) < LEAST_IN_SLICE or x.std() == 0:
        return (Slice(**what, contrast=None, low=None, high=None, p=None),)
    x = (x - x.mean()) / x.std(ddof=1)
    slope = float((x @ y) / (x @ x))
    rest = y - y.mean() - slope * x
    error, free = float(np.sqrt(rest @ rest / (len(y) - 2) / (x @ x))), len(y) - 2
    half = -float(stdtrit(free, 0.025)) * error
    p = 2 * float(stdtr(free, -abs(slope) / error)) if error > 0 else float(slope == 0)
    return (Slice(**what, contrast=slope, low=slope - half, high=slope + half, p=p),)


def _corrected(found: Sequence[Slice]) -> tuple[Slice, ...]:
    """Benjamini & Hochberg over the slices that were tested."""
    tested = [one.p for one in found if one.p is not None]
    p = np.array(tested)
    order = np.argsort(-p, kind="stable")
    ranks = np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.minimum.accumulate(p[order] * len(p) / ranks), 1.0) if len(p) else []
    values = iter(adjusted.tolist())
    return tuple(one if one.p is None else replace(one, p_corrected=next(values)) for one in found)


def stability(panel: Panel, judge: Judge, test: AltTest, key: str) -> Stability | None:
    """How far repeated runs of one judge agree, and what each alone would have said; None if there is one."""
    if len(judge.runs) < 2:
        return None
    answers = np.column_stack(judge.runs)
    known = np.column_stack([is_answer(run) for run in judge.runs])
    both = known.sum(axis=1) >= 2
    first = answers[np.arange(len(answers)), known.argmax(axis=1)]
    changes = (known & (answers != first[:, None])).any(axis=1)[both]
    rates, gaps = [], []
    for run in judge.runs:
        alone = replace(judge, answer=run)
        rates.append(Nearer(panel, alone).with_all().win_rate(test.epsilon, test.q, test.least))
        human, model, *_ = agreements(panel, alone, is_answer(run) & (panel.sizes >= 2), key, 0, generator(0))
        gaps.append(float(model[0] - human[0]))
    told, apart = [one for one in rates if one is not None], [one for one in gaps if np.isfinite(one)]
    return Stability(
        n_runs=len(judge.runs),
        alpha=_alpha_among(panel, answers[both]),
        changed=float(changes.mean()) if len(changes) else 0.0,
        win_rates=(min(told), max(told)) if told else None,
        gaps=(min(apart), max(apart)) if apart else None,
    )


def _alpha_among(panel: Panel, answers: NDArray[Any]) -> float | None:
    """Agreement of columns of answers among each other, if there are enough of them."""
    if len(answers) < FEWEST_COMMON:
        return None
    if panel.is_continuous:
        return measure(Judgements.from_matrix(answers, level=panel.scale.level), MAIN, ci="none", seed=0).value
    order = list(panel.scale.categories)
    cells = np.array([*order, ""], dtype=object)[answers]
    found = Judgements.from_matrix(cells, level=panel.scale.level, categories=order)
    return measure(found, MAIN, ci="none", seed=0).value


def compared(
    panel: Panel, judges: Sequence[Judge], question: str | None, *, key: str, resamples: int, seed: int
) -> list[Compared]:
    """Prompts of one model in pairs, and all judges if they are few: on units that both answered, in the same draws."""
    found = []
    for one, other in combinations(judges, 2):
        rows = is_answer(one.answer) & is_answer(other.answer) & (panel.sizes >= 2)
        if not rows.any() or (len(judges) > FEW and one.model != other.model):
            continue
        draws = agreements(panel, one, rows, key, resamples, generator(seed, 5), other)
        drawn = (draws[3] - draws[1])[np.isfinite(draws[0])]
        if not np.isfinite(draws[0][0]) or len(drawn) < 2:
            continue
        low, high = np.quantile(drawn[1:], [0.025, 0.975]).tolist()
        both = np.column_stack([one.answer, other.answer])[rows]
        found.append(
            Compared(
                question=question, first=one.name, second=other.name, n_units=int(rows.sum()),
                same=float((both[:, 0] == both[:, 1]).mean()), alpha=_alpha_among(panel, both),
                difference=float(drawn[0]),
                interval=Interval(low=low, high=high, level=0.95, method="paired percentile bootstrap"),
            )
        )  # fmt: skip
    return found
