"""Stability: does a rater say the same thing twice? Each rater against their own repeated judgements."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assent.diagnosis.slices import usual_measure
from assent.engines.membership import UnitTally, unit_tally
from assent.measures.result import Agreement
from assent.model.columns import Column
from assent.model.judgements import Judgements
from assent.model.study import Study
from assent.uncertainty.estimate import measure


@dataclass(frozen=True, kw_only=True)
class Stability:
    """One rater (None: all together): the agreement of their first with their second judgement of a unit."""

    rater: str | None
    n_repeated: int
    result: Agreement


def stability(study: Study, *, seed: int = 0) -> tuple[Stability, ...]:
    """All raters together, then each rater with repeated judgements; nothing if no unit was judged twice by anybody.

    A repeat is another row with the same unit, rater and question; the first two in the order of the file count.
    """
    study = study.merged()
    first, second = repeated_rows(study)
    if not len(first):
        return ()
    data = unit_tally(_first_and_second(study, first, second))
    owner = study.rater.codes[first]
    whole = [(None, np.ones(len(first), dtype=bool))]
    each = [(study.raters[r], owner == r) for r in np.unique(owner).tolist()]
    return tuple(_one(name, data, mask, seed) for name, mask in [*whole, *each])


def repeated_rows(study: Study) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of each repeated judgement: its first and its second, blanks not counted."""
    present = np.nonzero(study.value.as_labels().codes >= 0)[0]
    key = study.unit.codes[present].astype(np.int64) * len(study.rater.labels) + study.rater.codes[present]
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    starts = np.nonzero(np.append(True, np.diff(sorted_key) != 0))[0] if len(order) else order
    again = starts[np.diff(np.append(starts, len(order))) > 1]
    return present[order[again]], present[order[again + (len(order) > 0)]]


def _first_and_second(study: Study, first: NDArray[np.int64], second: NDArray[np.int64]) -> Judgements:
    """The two occasions as two raters."""
    n = len(first)
    value = study.value.take(np.concatenate([first, second]))
    units = Column(codes=np.tile(np.arange(n), 2), labels=[str(i) for i in range(n)])
    occasion = Column(codes=np.repeat([0, 1], n), labels=["first time", "second time"])
    return Judgements.from_columns(units, occasion, value, level=study.level, categories=study.categories)


def _one(name: str | None, data: UnitTally, mask: NDArray[np.bool_], seed: int) -> Stability:
    """Agreement of the two occasions for some repeats."""
    part = data.of_units(mask)
    result = measure(part, usual_measure(data.whole), ci="jackknife", seed=seed)
    return Stability(rater=name, n_repeated=int(mask.sum()), result=result)
