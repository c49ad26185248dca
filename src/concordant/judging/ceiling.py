"""The human ceiling: how well people agree, and a model with them.

Three agreements on one expected disagreement, that of the people, over units that two people and the model judged:

    A_hh = 1 - sum_u sum_h mean over g != h of d(x_uh, x_ug) / N / D_e     people with each other (= their alpha)
    A_mh = 1 - sum_u sum_h d(m_u, x_uh) / N / D_e                           the model with people
    A_ch = 1 - sum_u sum_h d(c_u(-h), x_uh) / N / D_e                       the consensus of the others with a person

A_hh holds two people's noise, so a good model can exceed it; A_ch is the mark to compare with. The gap A_mh - A_hh has
a paired bootstrap over units or clusters, D_e computed again in each resample (ordinal distances stay those of all).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.verdict import MAIN
from concordant.errors import InputError
from concordant.judging.panel import Judge, Panel, ToAll, distances, is_answer, paired_sums
from concordant.measures.chance_corrected import percent
from concordant.measures.result import Interval
from concordant.model.scale import Level
from concordant.randomness import generator

MARGIN, RESAMPLES = 0.05, 2000
LEAST_IN_SLICE = 30
MEASURES = (MAIN, percent.key)


@dataclass(frozen=True, kw_only=True)
class Ceiling:
    """The three agreements, the gap with 95 % and 90 % intervals, and what they say at a margin."""

    measure: str
    n_units: int
    human: float | None
    model: float | None
    consensus: float | None
    gap: float | None
    interval: Interval | None
    interval90: Interval | None
    margin: float
    verdict: str
    without: dict[str, float | None]
    reason: str | None = None


def ceiling(
    panel: Panel,
    judge: Judge,
    *,
    key: str = MAIN,
    margin: float = MARGIN,
    resamples: int = RESAMPLES,
    seed: int = 1,
    leave_out: bool = True,
) -> Ceiling:
    """The three agreements, the gap and its verdict, and people's agreement without each of them."""
    rows = is_answer(judge.answer) & (panel.sizes >= 2)
    if key not in MEASURES:
        raise InputError(f"the human ceiling is not computed for {key!r}", hint=f"use {' or '.join(MEASURES)}")
    human, model, consensus, _ = agreements(panel, judge, rows, key, resamples, generator(seed))
    if not rows.any() or not np.isfinite(human[0]):
        why = (
            "all people gave one value: no chance disagreement"
            if rows.any()
            else "no unit has two people and the model"
        )
        return Ceiling(measure=key, n_units=int(rows.sum()), human=None, model=None, consensus=None, gap=None,
                       interval=None, interval90=None, margin=margin, verdict="undefined", without={},
                       reason=why)  # fmt: skip
    gap = model - human
    drawn = gap[1:][np.isfinite(gap[1:])]
    over = f"{panel.cluster_name or 'clusters'}" if panel.clusters is not None else "units"
    method = f"paired percentile bootstrap over {over}, {resamples:,} resamples"
    low, high, low90, high90 = np.quantile(drawn, [0.025, 0.975, 0.05, 0.95]).tolist()
    without: dict[str, float | None] = {}
    for h, name in enumerate(panel.humans) if leave_out and len(panel.humans) > 2 else ():
        less = panel.without(h)
        kept = rows & (less.sizes >= 2)
        value = agreements(less, judge, kept, key, 0, generator(seed))[0][0] if kept.any() else np.nan
        without[name] = float(value) if np.isfinite(value) else None
    return Ceiling(
        measure=key,
        n_units=int(rows.sum()),
        human=float(human[0]),
        model=float(model[0]),
        consensus=float(consensus[0]),
        gap=float(gap[0]),
        interval=Interval(low=low, high=high, level=0.95, method=method),
        interval90=Interval(low=low90, high=high90, level=0.9, method=method),
        margin=margin,
        verdict=verdict_on(low, high, low90, high90, margin),
        without=without,
    )


def verdict_on(low: float, high: float, low90: float, high90: float, margin: float) -> str:
    """What the 95 % and the 90 % interval of a gap say at this margin (the latter is the test of equivalence).

    >>> verdict_on(-0.02, 0.01, -0.018, 0.008, 0.05), verdict_on(-0.2, -0.1, -0.19, -0.11, 0.05)
    ('equivalent', 'worse')
    """
    if low > 0:
        return "better"
    if -margin < low90 and high90 < margin:
        return "equivalent"
    if high < 0 and not low90 > -margin:
        return "worse"
    return "not worse" if low90 > -margin else "undecided"


def agreements(
    panel: Panel,
    judge: Judge,
    rows: NDArray[np.bool_],
    key: str,
    resamples: int,
    random: np.random.Generator,
    beside: Judge | None = None,
) -> tuple[Floats, Floats, Floats, Floats]:
    """A_hh, A_mh and A_ch, first as they are and then resampled, and A_mh of a judge `beside`, in the same draws."""
    ours = panel.among(rows)
    n = panel.sizes.astype(np.float64) * rows
    each, machine, others = _disagreements(ours, judge, key)
    other = machine if beside is None else _disagreements(ours, beside, key)[1]
    columns: dict[str, Floats] = {"n": n, "pair": each, "machine": machine, "consensus": others, "other": other}
    if panel.is_continuous:
        centre = float(ours.value.mean()) if len(ours.value) else 0.0
        x = ours.value - centre
        columns["first"] = by_unit(ours, x)
        columns["second"] = by_unit(ours, x**2)
    else:
        columns["counts"] = ours.counts
    if not rows.any():
        nothing = np.full(1, np.nan)
        return nothing, nothing, nothing, nothing
    sums = paired_sums(columns, panel, rows, resamples=resamples, random=random)
    total = sums["n"]
    if key == percent.key:
        expected = np.ones_like(total)
    elif panel.is_continuous:
        expected = 2 * (total * sums["second"] - sums["first"] ** 2) / (total * (total - 1))
    else:
        counts = sums["counts"]
        expected = ((counts @ distances(ours, by_midranks=True)) * counts).sum(axis=1) / (total * (total - 1))
    expected = np.where(expected > 1e-14, expected, np.nan)
    found = [1 - sums[name] / total / expected for name in ("pair", "machine", "consensus", "other")]
    return found[0], found[1], found[2], found[3]


def _disagreements(ours: Panel, judge: Judge, key: str) -> tuple[Floats, Floats, Floats]:
    """By unit: sums over people of the mean distance to the others, to the model, and to the others' consensus."""
    rows = ours.unit
    size = ours.sizes[rows]
    if ours.is_continuous:
        if key == percent.key:
            raise InputError("percent agreement says nothing about a continuous scale", hint="use --measure alpha")
        to_all = ToAll(ours)
        pair = to_all.total(rows, ours.value) / np.maximum(size - 1, 1)
        machine = (judge.answer[rows] - ours.value) ** 2
        mean = (by_unit(ours, ours.value)[rows] - ours.value) / np.maximum(size - 1, 1)
        consensus = (mean - ours.value) ** 2
    else:
        table = 1 - np.eye(len(ours.scale.categories)) if key == percent.key else distances(ours, by_midranks=True)
        totals = ours.counts @ table
        pair = totals[rows, ours.value] / np.maximum(size - 1, 1)
        machine = table[np.maximum(judge.answer[rows], 0), ours.value]
        consensus = _to_consensus(ours, table, key)
    return by_unit(ours, pair), by_unit(ours, machine), by_unit(ours, consensus)


def by_unit(panel: Panel, values: Floats) -> Floats:
    """One value an answer, summed by unit."""
    return np.bincount(panel.unit, values, minlength=len(panel.units)).astype(np.float64)


def _to_consensus(ours: Panel, table: Floats, key: str) -> Floats:
    """For each answer its distance to the consensus of the others: their mean, median, or most frequent answer.

    Of several most frequent answers, or of two in the middle, the mean distance counts.
    """
    level, positions, rows = ours.scale.level, ours.scale.positions(), ours.unit
    if key != percent.key and level in (Level.INTERVAL, Level.RATIO):
        x, n = positions[ours.value], np.maximum(ours.sizes[rows] - 1, 1)
        mean = (by_unit(ours, x)[rows] - x) / n
        apart = (mean - x) ** 2
        return np.asarray(apart / np.maximum(mean + x, 1e-300) ** 2 if level is Level.RATIO else apart)
    others = ours.counts[rows]
    others[np.arange(len(rows)), ours.value] -= 1
    if key != percent.key and level is Level.ORDINAL:
        below, n = np.cumsum(others, axis=1), others.sum(axis=1)
        low = (below > ((n - 1) // 2)[:, None]).argmax(axis=1)
        high = (below > (n // 2)[:, None]).argmax(axis=1)
        return np.asarray((table[low, ours.value] + table[high, ours.value]) / 2)
    best = (others == others.max(axis=1, keepdims=True)).astype(np.float64)
    return np.asarray((best * table[:, ours.value].T).sum(axis=1) / best.sum(axis=1))


def prompt_optimism(panel: Panel, prompts: Sequence[Judge], key: str, seed: int) -> tuple[str, float, float]:
    """The best of several prompts, its gap on units not used to choose it, and how much better it looks on all.

    Half of the units choose, the other half measures, 20 times.
    """
    random = generator(seed, 2)

    def gap(judge: Judge, units: NDArray[np.bool_]) -> float:
        rows = is_answer(judge.answer) & (panel.sizes >= 2) & units
        human, model, *_ = agreements(panel, judge, rows, key, 0, random)
        return float(model[0] - human[0])

    everything = np.ones(len(panel.units), dtype=bool)
    gaps = [gap(judge, everything) for judge in prompts]
    best, held_out = int(np.nanargmax(gaps)), []
    for _ in range(20):
        half = random.permutation(len(panel.units)) < len(panel.units) / 2
        for units in (half, ~half):
            first = [gap(judge, units) for judge in prompts]
            if np.isfinite(first).any():
                held_out.append(gap(prompts[int(np.nanargmax(first))], ~units))
    mean = float(np.nanmean(held_out)) if held_out else float("nan")
    return prompts[best].name, mean, gaps[best] - mean
