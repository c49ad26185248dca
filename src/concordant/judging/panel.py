"""People and the models that judged the same units, made ready to be compared.

A judge is a model with a prompt; its runs are repeats, of which the first counts. An answer that could not be read is
missing and counted, never a category.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.material import Material, count_pairs
from concordant.errors import InputError
from concordant.measures.distance import SET_DISTANCES, ratio_squared
from concordant.model.columns import Column
from concordant.model.judgements import Judgements, Rows
from concordant.model.refusals import without_refusals
from concordant.model.scale import Level, Scale
from concordant.model.study import Study

PROMPT, RUN = "prompt", "run"
LEVELS = (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL, Level.RATIO, Level.SET)
Codes = NDArray[np.int64]
Runs = Literal["first", "majority", "mean"]
"""What of a model's repeated runs is its answer."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Judge:
    """A model with a prompt: its answer to every unit, -1 or NaN where there is none; `runs[i]` are those of run i."""

    name: str
    model: str
    prompt: str | None
    answer: NDArray[Any]
    runs: tuple[NDArray[Any], ...]
    asked: Codes  # the unit of each of its rows, and of those without an answer that could be read
    refused: Codes

    @property
    def n_asked(self) -> int:
        """How many rows it has."""
        return len(self.asked)

    @property
    def n_refused(self) -> int:
        """How many of them have no answer that could be read."""
        return len(self.refused)

    @property
    def refusals(self) -> float:
        """The share of its rows without an answer that could be read."""
        return self.n_refused / self.n_asked if self.n_asked else 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """What people answered, row by row: codes of categories, or numbers on a continuous scale."""

    units: tuple[str, ...]
    humans: tuple[str, ...]
    scale: Scale
    unit: Codes
    rater: Codes
    value: NDArray[Any]
    clusters: Codes | None = None
    cluster_name: str = ""

    @property
    def is_continuous(self) -> bool:
        """Whether values are numbers and not codes."""
        return self.scale.is_continuous

    @cached_property
    def sizes(self) -> Codes:
        """How many people judged each unit."""
        return np.bincount(self.unit, minlength=len(self.units))

    @cached_property
    def counts(self) -> Floats:
        """How often each unit got each category."""
        shape = len(self.units), len(self.scale.categories)
        return count_pairs(self.unit, self.value, shape).astype(np.float64)

    @cached_property
    def numbers(self) -> Floats:
        """Every answer as a number: its value, or the place of its category."""
        return self.as_numbers(self.value)

    def as_numbers(self, values: NDArray[Any]) -> Floats:
        """Answers as numbers; NaN where there is none."""
        if self.is_continuous:
            return np.asarray(values, dtype=np.float64)
        return np.append(self.scale.positions(), np.nan)[values.astype(np.int64)]

    @property
    def is_ordered(self) -> bool:
        """Whether more and less mean something."""
        return self.scale.level.is_ordered

    def without(self, human: int) -> "Panel":
        """The same without one person."""
        kept = self.rater != human
        return replace(self, unit=self.unit[kept], rater=self.rater[kept], value=self.value[kept])

    def among(self, units: NDArray[np.bool_]) -> "Panel":
        """Only the answers to these units."""
        kept = units[self.unit]
        return replace(self, unit=self.unit[kept], rater=self.rater[kept], value=self.value[kept])


def is_answer(answer: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a judge has answered."""
    return ~np.isnan(answer) if answer.dtype.kind == "f" else np.asarray(answer >= 0)


def distances(panel: Panel, *, by_midranks: bool = False) -> Floats:
    """The distance between every two categories: 0 and 1, squared steps, or MASI between sets.

    Ordinal categories are as far apart as their places; `by_midranks` as Krippendorff's alpha has them: as the mean
    ranks of the answers of units with two people or more.
    """
    level, positions = panel.scale.level, panel.scale.positions()
    if level is Level.NOMINAL:
        return 1 - np.eye(len(panel.scale.categories))
    if level is Level.SET:
        return SET_DISTANCES["masi"](panel.scale.members())
    if level is Level.RATIO and by_midranks:
        return ratio_squared(positions)
    if level is Level.ORDINAL:
        positions = np.arange(len(positions), dtype=np.float64)
        if by_midranks:
            totals = panel.counts[panel.sizes > 1].sum(axis=0)
            positions = (np.cumsum(totals) - totals / 2) / max(totals.sum(), 1)
    return np.asarray((positions[:, None] - positions[None, :]) ** 2)


class ToAll:
    """The sum of distances from any answer to all people's answers to a unit."""

    def __init__(self, panel: Panel) -> None:
        """Sum once for each unit."""
        self.is_continuous = panel.is_continuous
        if self.is_continuous:
            self.centre = float(panel.value.mean()) if len(panel.value) else 0.0
            x, n = panel.value - self.centre, len(panel.units)
            self.sizes = panel.sizes
            self.first = np.bincount(panel.unit, x, minlength=n)
            self.second = np.bincount(panel.unit, x**2, minlength=n)
        else:
            self.table = distances(panel)
            self.totals = panel.counts @ self.table

    def total(self, unit: Codes, answer: NDArray[Any]) -> Floats:
        """From these answers to all people's answers to these units."""
        if not self.is_continuous:
            return np.asarray(self.totals[unit, answer])
        x = answer - self.centre
        return np.asarray(self.second[unit] - 2 * x * self.first[unit] + self.sizes[unit] * x**2)

    def between(self, one: NDArray[Any], other: NDArray[Any]) -> Floats:
        """From one answer to another."""
        return np.asarray((one - other) ** 2 if self.is_continuous else self.table[one, other])


def assembled(
    part: Material, cluster: str | None = None, runs: Runs = "first", *, fewest: int = 2
) -> tuple[Panel, tuple[Judge, ...], Study]:
    """People's answers to one question (of `fewest` or more), the judges, and the study whose units they share.

    `runs` says what of repeated runs is a judge's answer.
    """
    study = _with_judges(without_refusals(part.study))
    models = [rater for rater in study.raters if rater in set(study.models)]
    if not models:
        raise InputError("no rater is a model", file=study.name, hint="name the models with --models or --model-file")
    people = [rater for rater in study.raters if rater not in set(models)]
    if len(people) < fewest:
        needed = "two or more are needed; one is enough for --estimate" if fewest > 1 else "labels of people are needed"
        raise InputError(f"{'one person' if people else 'no person'} judged", file=study.name, hint=needed)
    if cluster is not None:
        study = study.clustered(cluster)
    study.where("rater", people).judgements()  # refuses repeats of people
    whole = replace(study, duplicates="all").judgements()
    if whole.scale.level not in LEVELS:
        what = f"judges are not compared on a {whole.scale.level.value} scale"
        raise InputError(what, hint=f"say --level {' or '.join(level.value for level in LEVELS)}")
    rows, scale = rows_for(whole, runs)
    is_model = np.array([rater in set(models) for rater in whole.raters])
    ours = ~is_model[rows.rater]
    place = np.full(len(whole.raters), -1, dtype=np.int64)
    place[~is_model] = np.arange((~is_model).sum())
    panel = Panel(
        units=tuple(study.unit.as_labels().labels),
        humans=tuple(rater for rater in whole.raters if rater not in set(models)),
        scale=scale,
        unit=rows.unit[ours].astype(np.int64),
        rater=place[rows.rater[ours]],
        value=rows.value[ours] if scale.is_continuous else rows.value[ours].astype(np.int64),
        clusters=None if whole.clusters is None else whole.clusters.of,
        cluster_name="" if whole.clusters is None else whole.clusters.name,
    )
    blank = study.value.codes < 0 if study.value.numbers is None else np.isnan(study.value.numbers)
    judges = tuple(_judge(study, name, rows, whole.raters.index(name), panel, blank, runs) for name in models)
    return panel, judges, study


def _judge(study: Study, name: str, rows: Any, code: int, panel: Panel, blank: NDArray[np.bool_], how: Runs) -> Judge:
    """One judge's answer to each unit, the first of its runs unless said, and every run by itself."""
    own = study.rater.codes == study.raters.index(name)
    mine = rows.rater == code
    unit, value = rows.unit[mine].astype(np.int64), rows.value[mine]
    order = np.argsort(unit, kind="stable")
    starts = np.concatenate([[0], np.flatnonzero(np.diff(unit[order])) + 1]) if len(unit) else np.zeros(0, np.int64)
    again = np.arange(len(unit)) - np.repeat(starts, np.diff(np.append(starts, len(unit))))
    runs = []
    for run in range(int(again.max(initial=0)) + 1):
        answer = np.full(len(panel.units), np.nan if panel.is_continuous else -1, dtype=value.dtype)
        if not panel.is_continuous:
            answer = answer.astype(np.int64)
        chosen = order[again == run]
        answer[unit[chosen]] = value[chosen]
        runs.append(answer)
    model, _, prompt = name.partition(" · ")
    return Judge(
        name=name,
        model=model,
        prompt=prompt or None,
        answer=answer_of(np.stack(runs), how, panel),
        runs=tuple(runs),
        asked=study.unit.as_labels().codes[own].astype(np.int64),
        refused=study.unit.as_labels().codes[own & blank].astype(np.int64),
    )


def rows_for(whole: Judgements, runs: Runs) -> tuple[Rows, Scale]:
    """The judgements; as numbers where the mean of several may lie between two of them."""
    rows, scale = whole.rows(), whole.scale
    if runs != "mean" or scale.is_continuous:
        return rows, scale
    if scale.level not in (Level.INTERVAL, Level.RATIO):
        raise InputError("categories have no mean", hint="say --runs majority, or --level interval")
    numbers = scale.positions()[rows.value.astype(np.int64)]
    return replace(rows, value=numbers), replace(scale, categories=(), is_continuous=True)


def answer_of(runs: NDArray[Any], how: Runs, panel: Panel) -> NDArray[Any]:
    """The answer that counts: of the first run; what most runs say, the earliest of those tied; or the mean."""
    if how == "first" or len(runs) == 1:
        return np.asarray(runs[0])
    if how == "mean":
        known = ~np.isnan(runs)
        total, n = np.where(known, runs, 0).sum(axis=0), known.sum(axis=0)
        return np.where(n > 0, total / np.maximum(n, 1), np.nan)
    is_there = ~np.isnan(runs) if panel.is_continuous else runs >= 0
    same = ((runs[:, None] == runs[None]) & is_there).sum(axis=1) * is_there  # how many runs say what each says
    return np.asarray(np.take_along_axis(runs, same.argmax(axis=0)[None], axis=0)[0])


def _with_judges(study: Study) -> Study:
    """The study whose models are called by their prompts too where they have several, rows in the order of the runs."""
    run = study.attributes.get(RUN)
    is_model = np.isin(study.rater.codes, [study.raters.index(m) for m in study.models if m in study.raters])
    keys = study.unit.codes.astype(np.int64) * len(study.raters) + study.rater.codes
    prompts = study.attributes.get(PROMPT)
    if prompts is not None:
        study, keys = _by_prompt(study, prompts.as_labels(), is_model)
    if run is not None:
        codes = _in_order(run.as_labels())
        keys = keys * (int(codes.max(initial=0)) + 2) + codes + 1
    of_models = keys[is_model]
    if len(np.unique(of_models)) < len(of_models):
        hint = "a model that answered several times needs a column `run`, with several prompts a column `prompt`"
        raise InputError("a model has two answers to one unit", file=study.name, hint=hint)
    return study if run is None else study.take(np.argsort(codes, kind="stable"))


def _by_prompt(study: Study, prompts: Column, is_model: NDArray[np.bool_]) -> tuple[Study, Codes]:
    """Models with several prompts are a judge for each."""
    names = np.array([*study.raters], dtype=object)[study.rater.codes]
    told = np.array([*prompts.labels, ""], dtype=object)[prompts.codes]
    several = {m for m in study.models if len({*told[is_model & (names == m)].tolist()}) > 1}
    marked = np.isin(names.astype(str), list(several)) & is_model
    joined = np.where(marked, names + " · " + told, names)
    labels = list(dict.fromkeys(joined.tolist()))
    place = {label: i for i, label in enumerate(labels)}
    rater = Column(codes=np.array([place[one] for one in joined.tolist()], dtype=np.int64), labels=labels)
    models = tuple(dict.fromkeys(joined[is_model].tolist()))
    return replace(study, rater=rater, models=models), study.unit.codes.astype(np.int64) * len(labels) + rater.codes


def _in_order(column: Column) -> Codes:
    """Codes that follow the order of the labels: as numbers if they are, else as words."""
    numbers = [float(one) if one.replace(".", "", 1).isdigit() else None for one in column.labels]
    keys: Sequence[Any] = numbers if None not in numbers else column.labels
    rank = np.argsort(np.argsort(np.array(keys, dtype=object if None in numbers else float), kind="stable"))
    return np.asarray(np.append(rank, -1)[column.codes], dtype=np.int64)


def on_common_scale(panel: Panel, judges: Sequence[Judge], how: str) -> tuple[Panel, tuple[Judge, ...]]:
    """Everybody's answers as places in their own: mid-ranks as shares of all they judged, or standard scores."""
    if not panel.is_ordered:
        raise InputError(f"a {panel.scale.level.value} scale has no order", hint=f"leave out --{how}")

    def turned(values: Floats) -> Floats:
        known = ~np.isnan(values)
        out, x = np.full(len(values), np.nan), values[known]
        if how == "ranks":
            _, of, times = np.unique(x, return_inverse=True, return_counts=True)
            out[known] = ((np.cumsum(times) - times / 2) / max(len(x), 1))[of.reshape(-1)]
        else:
            out[known] = (x - x.mean()) / (x.std() or 1.0) if len(x) else x
        return out

    value = np.zeros(len(panel.value))
    for human in range(len(panel.humans)):
        value[panel.rater == human] = turned(panel.numbers[panel.rater == human])
    scale = Scale(level=Level.INTERVAL, categories=(), is_continuous=True)
    moved = (turned(panel.as_numbers(judge.answer)) for judge in judges)
    return replace(panel, scale=scale, value=value), tuple(
        replace(judge, answer=answer) for judge, answer in zip(judges, moved, strict=True)
    )


def paired_sums(
    columns: Mapping[str, Floats], panel: Panel, rows: NDArray[np.bool_], *, resamples: int, random: np.random.Generator
) -> dict[str, Floats]:
    """Sums over units of these columns (one value a unit, or several), first as they are and then resampled.

    Units are drawn, or whole clusters; one draw serves all columns. Units with equal rows are drawn as one group.
    """
    stats = np.column_stack([column if column.ndim > 1 else column[:, None] for column in columns.values()])[rows]
    if not resamples:
        groups, times = stats, np.ones(len(stats))
    elif panel.clusters is not None:
        used, place = np.unique(panel.clusters[rows], return_inverse=True)
        groups, times = np.zeros((len(used), stats.shape[1])), np.ones(len(used))
        np.add.at(groups, place.reshape(-1), stats)
    else:
        groups, times = _distinct(stats)
    n = int(times.sum())
    chunk = max(1, int(2e7 // max(len(groups), 1)))
    sums = [times @ groups]
    for start in range(0, resamples, chunk):
        drawn = random.multinomial(n, times / n, size=min(chunk, resamples - start))
        sums.append(drawn @ groups)
    whole, found, at = np.vstack(sums), dict[str, Floats](), 0
    for name, column in columns.items():
        width = column.shape[1] if column.ndim > 1 else 1
        found[name] = whole[:, at : at + width] if column.ndim > 1 else whole[:, at]
        at += width
    return found


def _distinct(rows: Floats) -> tuple[Floats, Floats]:
    """Rows that differ, in an order of their own, and how often each occurs."""
    keys = rows @ np.random.Generator(np.random.PCG64(1)).random(rows.shape[1])
    _, first, place, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    if not np.array_equal(rows[first][place.reshape(-1)], rows):  # two different rows with one key
        found, times = np.unique(rows, axis=0, return_counts=True)
        return found, times.astype(np.float64)
    return rows[first], times.astype(np.float64)
