"""What is known of units beside their judgements: people's values, attributes, and how many units each stands for."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.judging.panel import Panel
from concordant.judging.predicted import scaled, worth
from concordant.model.columns import Column
from concordant.model.study import Study

HOW = "give how many units each stands for: 1 divided by its chance of being drawn"


@dataclass(frozen=True, kw_only=True, eq=False)
class Weighed:
    """How many units each labelled unit stands for; NaN elsewhere."""

    name: str
    of: Floats

    @property
    def is_even(self) -> bool:
        """Whether all are equal, as if there were none."""
        known = self.of[~np.isnan(self.of)]
        return bool(np.ptp(known) <= 1e-9 * known.max()) if len(known) else True


def people_mean(panel: Panel, category: int | None) -> Floats:
    """The mean of people's answers to each unit, or their share of a category; NaN where nobody answered."""
    n = np.maximum(panel.sizes, 1)
    if category is None:
        found = np.bincount(panel.unit, panel.numbers, minlength=len(panel.units)) / n
    else:
        found = panel.counts[:, category] / n
    return np.where(panel.sizes > 0, found, np.nan)


def values_of_units(study: Study, name: str) -> Column:
    """What a column says of each unit, blank cells aside: a file of models need not repeat it."""
    wrong = f"{name!r} is not an attribute of units"
    if name not in study.attributes:
        study.column(name)
        raise InputError(wrong, file=study.name, hint="name a column that says something of every unit")
    column, unit = study.attributes[name].as_labels(), study.unit.as_labels()
    told = column.codes >= 0
    codes = np.full(len(unit.labels), -1, dtype=np.int64)
    codes[unit.codes[told][::-1]] = column.codes[told][::-1]  # the first row of a unit is written last
    torn = np.flatnonzero(told & (codes[unit.codes] != column.codes))
    if len(torn):
        which = unit.codes[torn[0]]
        first, other = (column.labels[int(code)] for code in (codes[which], column.codes[torn[0]]))
        hint = f"unit {unit.labels[int(which)]!r} has {first!r} and {other!r}: give every unit one value"
        raise InputError(wrong, file=study.name, hint=hint)
    return Column(codes=codes, labels=column.labels)


def weighed(study: Study, panel: Panel, name: str) -> Weighed:
    """The weights of the labelled units, each a number above 0."""
    column = values_of_units(study, name)
    numbers = [_number(label) for label in column.labels]
    found = np.array([*numbers, np.nan])[column.codes]
    labelled = panel.sizes > 0
    _refuse(labelled & (column.codes < 0), "no weight", panel, study, name)
    _refuse(labelled & ~(found > 0), "a weight that is no number above 0", panel, study, name)
    weights = Weighed(name=name, of=np.where(labelled, found, np.nan))
    if labelled.any() and not weights.is_even and np.nanmax(weights.of) <= 1:
        what = f"the weights in {name!r} are {np.nanmax(weights.of):g} at most, like chances of being drawn"
        raise InputError(what, file=study.name, hint=HOW)
    return weights


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return np.nan
    return found if np.isfinite(found) else np.nan


def _refuse(wrong: NDArray[np.bool_], what: str, panel: Panel, study: Study, name: str) -> None:
    if wrong.any():
        first, more = panel.units[int(wrong.argmax())], int(wrong.sum()) - 1
        also = f" and {more:,} more labelled" if more else ""
        raise InputError(f"unit {first!r}{also} has {what} in {name!r}", file=study.name, hint=HOW)


def not_random(
    answer: NDArray[Any],
    f: Floats,
    both: NDArray[np.bool_],
    rest: NDArray[np.bool_],
    category: int | None,
    weights: Floats | None = None,
) -> float:
    """P that the model's answers differ between the labelled units and the rest by chance."""
    from scipy.special import chdtrc, stdtr

    if weights is not None:
        kinds = [f] if category is None else [(answer == c).astype(np.float64) for c in np.unique(answer[both | rest])]
        found = [_p_weighted(one[both], weights[both], one[both | rest]) for one in kinds]
        return min(min(found) * len(found), 1.0)
    if category is None:
        errors = [f[side].var(ddof=1) / side.sum() if side.sum() > 1 else 0.0 for side in (both, rest)]
        gap, error = f[both].mean() - f[rest].mean(), float(np.sqrt(sum(errors)))
        return 2 * float(stdtr(both.sum() - 1, -abs(gap) / error)) if error > 0 else 1.0
    size = int(answer.max()) + 1
    table = np.stack([np.bincount(answer[side], minlength=size) for side in (both, rest)])
    table = table[:, table.sum(axis=0) > 0]
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    return float(chdtrc(max(table.shape[1] - 1, 1), ((table - expected) ** 2 / expected).sum()))


def _p_weighted(f: Floats, weights: Floats, everything: Floats) -> float:
    """P that the weighted mean differs so much from that of all units, which is known."""
    from scipy.special import stdtr

    many = len(everything)
    w, open_ = scaled(weights, many)
    mean = float(w @ f) / many
    error = float(np.sqrt((w**2 * open_) @ (f - mean) ** 2)) / many
    gap = abs(mean - float(everything.mean()))
    return 2 * float(stdtr(worth(w) - 1, -gap / error)) if error > 0 else 1.0
