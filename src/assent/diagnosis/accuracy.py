"""Accuracy: each rater, and the consensus of all, against a gold standard."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.diagnosis.material import Material
from assent.diagnosis.shares import unit_shares
from assent.diagnosis.slices import usual_measure
from assent.engines.tally import tally
from assent.errors import InputError
from assent.measures.result import Agreement
from assent.model.columns import Column
from assent.model.judgements import Judgements
from assent.uncertainty.estimate import measure

Codes = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """One rater (None: the consensus of all) against the gold standard. `n_tied` units had no consensus."""

    question: str | None
    rater: str | None
    n_units: int
    share_right: float | None
    result: Agreement
    n_tied: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Gold:
    """The right value of each unit as a code into `labels` (-1: unknown); the first labels are the categories."""

    codes: NDArray[np.int64]
    labels: tuple[str, ...]


def accuracy(material: Material, gold: str, *, seed: int = 0) -> tuple[Accuracy, ...]:
    """The consensus first, then each rater; `gold` is the attribute of units that holds the right values."""
    right = read_gold(material, gold)
    rows, shares = material.judgements.rows(), unit_shares(material.judgements)
    clear = ~shares.is_tied
    n_tied = int((~clear).sum())
    found = [_against(material, right, None, shares.places[clear], shares.largest[clear], seed=seed, n_tied=n_tied)]
    for r, rater in enumerate(material.tally.raters):
        mine = rows.rater == r
        found.append(_against(material, right, rater, rows.unit[mine], rows.value[mine], seed=seed))
    return tuple(found)


def read_gold(material: Material, name: str) -> Gold:
    """The gold standard from an attribute of units."""
    if name not in material.unit_attributes:
        material.study.column(name)
        raise InputError(f"{name!r} is not the same in all rows of a unit", hint="gold has one value per unit")
    column = material.unit_attributes[name]
    labels = tuple(dict.fromkeys([*material.scale.categories, *column.labels]))
    place = np.array([*(labels.index(label) for label in column.labels), -1])
    return Gold(codes=place[column.codes], labels=labels)


def _against(
    material: Material, gold: Gold, rater: str | None, units: Codes, said: Codes, *, seed: int, n_tied: int = 0
) -> Accuracy:
    """Gold and one rater as two raters; units without gold are left out."""
    known = gold.codes[units] >= 0
    right, said = gold.codes[units[known]], said[known].astype(np.int64)
    n = len(right)
    data = tally(
        Judgements.from_columns(
            Column(codes=np.tile(np.arange(n), 2), labels=[str(i) for i in range(n)]),
            Column(codes=np.repeat([0, 1], n), labels=["gold", rater or "consensus"]),
            Column(codes=np.concatenate([right, said]), labels=gold.labels).take(np.arange(2 * n)),
            level=material.scale.level,
            categories=material.study.categories or _order(material, gold),
        )
    )
    return Accuracy(
        question=material.question,
        rater=rater,
        n_units=n,
        share_right=float((right == said).mean()) if n else None,
        result=measure(data, usual_measure(data), ci="jackknife", seed=seed, question=material.question),
        n_tied=n_tied,
    )


def _order(material: Material, gold: Gold) -> tuple[str, ...] | None:
    """The categories in order if the gold standard has no others; else they are ordered anew."""
    return material.scale.categories if len(gold.labels) == len(material.scale.categories) else None
