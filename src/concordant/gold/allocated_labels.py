"""What allocation would save: as many right labels for fewer judgements, simulated from a pilot.

Shares of units are drawn from the Dirichlet distribution that the pilot's votes suggest, and votes from them. One study
takes as many votes of every unit as are planned; the other takes two of each and every further one by the rule of
`design.allocation`, a twentieth of the units at a time, until it is stopped. Both see the same votes in the same order.
Right is what most raters of the population would say. How far other pilots of this size would have said something else
is found by drawing some.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from concordant.arrays import Floats, Ints
from concordant.design.allocation import LEAST_PLANNED, most_wanted
from concordant.design.description import Allocation
from concordant.diagnosis.material import unit_shares
from concordant.errors import InputError
from concordant.judging.soft_labels import fitted_strength
from concordant.progress import Progress, silent
from concordant.randomness import draw_seed, generator
from concordant.readers.data import as_data, as_study

N_UNITS = 1000  # simulated; the saving is a share
PILOTS, STUDIES, FIRST = 10, 2, 12  # other pilots, studies like each, studies like the pilot itself
BATCH = 0.05  # of the units at a time
WORTH = 0.15  # less is not worth a design that agreement cannot be computed from
Curve = list[tuple[float, float]]


@dataclass(frozen=True, kw_only=True)
class LabelPlan:
    """How often labels are right with a fixed number of votes, and how many votes a unit allocation needs for that.

    `saved` is a share of the judgements, `saved_range` what 80 % of such pilots would say; `stopped_at` is where the
    rule ends by itself (votes a unit), and `stopped_right` how often labels are right there.
    """

    per_unit: int
    right: float
    needed: float | None
    saved: float | None
    saved_range: tuple[float, float] | None
    stopped_at: float
    stopped_right: float
    most: int
    sure: float
    n_units: int
    seed: int

    @property
    def is_worth_it(self) -> bool:
        """Whether other pilots, too, would promise a saving that matters."""
        return self.saved_range is not None and self.saved_range[0] >= WORTH

    def to_dict(self) -> dict[str, Any]:
        """All of it, and the verdict."""
        return {**asdict(self), "worth_it": self.is_worth_it}


def plan_labels(
    data: Any,
    votes: int = 5,
    *,
    most: int = Allocation.most,
    sure: float = Allocation.sure,
    seed: int | None = None,
    progress: Progress = silent,
    **options: Any,
) -> LabelPlan:
    """What `[allocation]` would save against so many votes for each unit, if units are like those of a pilot.

    `data` is whatever holds its judgements of one question, and options say how to read them (`level=` …).

    >>> pilot = [["yes", "yes", "yes"], ["no", "no", "no"], ["yes", "no", "no"]] * 20
    >>> plan_labels(pilot, 5, seed=1).is_worth_it
    True
    """
    rule, per_unit = Allocation(most=most, sure=sure), votes
    seed = draw_seed() if seed is None else seed
    study = as_study(as_data(data, **options))
    if not LEAST_PLANNED < per_unit <= rule.most:
        what = f"{per_unit} votes for each unit"
        raise InputError(f"{what} leave nothing to allocate", hint=f"ask for 3 to {rule.most}, such as labels=5")
    counts = unit_shares(study.judgements()).counts
    counts = counts[counts.sum(axis=1) > 1][:, counts.sum(axis=0) > 0]
    if len(counts) < 2 or counts.shape[1] < 2:
        raise InputError("a pilot needs units with several judgements and two categories", hint="judge units twice")
    found = []
    for number in range(PILOTS + 1):
        random = generator(seed, number)
        pilot = counts if not number else counts[random.integers(len(counts), size=len(counts))]
        if (pilot.sum(axis=0) > 0).sum() > 1:
            n_studies = STUDIES if number else FIRST
            found.append(compared(pilot.astype(np.float64), per_unit, rule, n_studies, random))
        progress(number + 1, PILOTS + 1)
    right, needed, (stopped_at, stopped_right) = found[0]
    savings = [1 - n / per_unit for _, n, _ in found[1:] if n is not None]
    is_known = needed is not None and len(savings) > PILOTS / 2
    return LabelPlan(
        per_unit=per_unit,
        right=right,
        needed=needed,
        saved=None if needed is None else 1 - needed / per_unit,
        saved_range=tuple(np.quantile(savings, (0.1, 0.9)).tolist()) if is_known else None,
        stopped_at=stopped_at,
        stopped_right=stopped_right,
        most=rule.most,
        sure=rule.sure,
        n_units=N_UNITS,
        seed=seed,
    )


def compared(
    pilot: Floats, per_unit: int, rule: Allocation, n_studies: int, random: np.random.Generator
) -> tuple[float, float | None, tuple[float, float]]:
    """The share of right labels with a fixed number of votes, how many votes a unit reach it when they are allocated,
    and where allocation ends.
    """
    weight = fitted_strength(pilot) * pilot.sum(axis=0) / pilot.sum()
    fixed, curves = [], []
    for _ in range(n_studies):
        shares = random.dirichlet(weight[weight > 0], size=N_UNITS)
        shares /= shares.sum(axis=1, keepdims=True)
        drawn = random.random((N_UNITS, rule.most))[:, :, None] > shares.cumsum(axis=1)[:, None, :-1]
        said = np.eye(shares.shape[1], dtype=np.int64)[drawn.sum(axis=-1)]
        truth = shares.argmax(axis=1)
        fixed.append(_right(said[:, :per_unit].sum(axis=1), truth))
        curves.append(one_study(said, truth, rule, random))
    target = float(np.mean(fixed))
    steps = np.unique([n for curve in curves for n, _ in curve])
    paths = [np.array(curve).T for curve in curves]
    mean = np.mean([np.interp(steps, path[0], path[1]) for path in paths], axis=0)
    over = np.flatnonzero(mean >= target)
    if len(over) and over[0]:  # between two steps
        i = over[0]
        reached = steps[i - 1] + (steps[i] - steps[i - 1]) * (target - mean[i - 1]) / (mean[i] - mean[i - 1])
    else:
        reached = steps[0]
    at, is_right = np.mean([curve[-1] for curve in curves], axis=0).tolist()
    return target, float(reached) if len(over) else None, (at, is_right)


def one_study(said: Ints, truth: Ints, rule: Allocation, random: np.random.Generator) -> Curve:
    """One study: votes a unit and the share of right labels, from the planned votes to the end.

    `said` has every vote that a unit would get, in order, as a 1 in the column of its category.
    """
    n_units = len(said)
    votes, n = said[:, :LEAST_PLANNED].sum(axis=1), np.full(n_units, LEAST_PLANNED)
    order, none = random.permutation(n_units), np.zeros(n_units, dtype=np.int64)
    curve = [(float(LEAST_PLANNED), _right(votes, truth))]
    while len(chosen := most_wanted(votes, none, rule, order=order, size=int(BATCH * n_units))):
        votes[chosen] += said[chosen, n[chosen]]
        n[chosen] += 1
        curve.append((float(n.mean()), _right(votes, truth)))
    return curve


def _right(votes: Ints, truth: Ints) -> float:
    """The share of units whose most frequent answer is that of most raters; of tied answers each counts in part."""
    is_top = votes == votes.max(axis=1, keepdims=True)
    return float((is_top[np.arange(len(votes)), truth] / is_top.sum(axis=1)).mean())
