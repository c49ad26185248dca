"""Several questions as one: what a rater answered to all questions about a unit is one value, a profile."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.model.scale import Facet, Level, Scale
from concordant.model.study import Study

BETWEEN = " · "


def as_one(study: Study) -> Study:
    """The study with one judgement for each rater of a unit: the answers to all its questions, if none is missing."""
    if study.question is None or len(study.questions) < 2:
        raise InputError("there is one question, so there is nothing to take together", file=study.name)
    scales = [study.judgements(question).scale for question in study.questions]  # refuses what is off its scale
    value = study.value.as_labels()
    answered = np.flatnonzero(value.codes >= 0)
    key = study.unit.codes.astype(np.int64) * len(study.raters) + study.rater.codes
    order = answered[np.lexsort((study.question.codes[answered], key[answered]))]
    _, first, sizes = np.unique(key[order], return_index=True, return_counts=True)
    if sizes.max(initial=0) > len(scales):
        raise InputError("a rater answered a question about a unit twice", file=study.name, hint="leave out one answer")
    whole = first[sizes == len(scales)]
    answers = value.codes[order][whole[:, None] + np.arange(len(scales))]
    profiles, codes = np.unique(answers, axis=0, return_inverse=True)
    labels = [BETWEEN.join(value.labels[code] for code in row) for row in profiles.tolist()]
    places = [_places(scale, value.labels, profiles[:, number]) for number, scale in enumerate(scales)]
    facets = [
        Facet(question, scale.level.is_ordered, float(np.ptp(_ends(scale, each))) if len(each) else 0.0)
        for question, scale, each in zip(study.questions, scales, places, strict=True)
    ]
    lost = len(sizes) - len(whole)
    told = f"{lost:,} of {len(sizes):,} raters' answers to a unit lack a question: left out, for all count together"
    kept = {
        name: column
        for name, column in study.attributes.items()
        if _is_of_answers(column.as_labels().codes, order, key)
    }
    return replace(
        replace(study, attributes=kept).take(order[whole]),
        question=None,
        value=Column(codes=codes.reshape(-1), labels=labels),
        level=Level.NOMINAL,
        categories=tuple(labels),
        scales={},
        facets=tuple(facets),
        profiles=tuple(zip(*(each.tolist() for each in places), strict=True)),
        notes=(*study.notes, *([told] if lost else [])),
    )


def _places(scale: Scale, labels: Sequence[str], codes: NDArray[np.int64]) -> Floats:
    """Where the answers lie on the scale of their question; of one without an order any number for each answer."""
    if not scale.level.is_ordered:
        return codes.astype(np.float64)
    if scale.is_continuous:
        return np.array([float(labels[code]) for code in codes.tolist()])
    known = dict(zip(scale.categories, scale.positions().tolist(), strict=True))
    return np.array([known[labels[code]] for code in codes.tolist()], dtype=np.float64)


def _ends(scale: Scale, places: Floats) -> Floats:
    """What the range of a scale is measured on: what was declared, or what was answered."""
    return places if scale.is_continuous or not scale.level.is_ordered else scale.positions()


def _is_of_answers(codes: NDArray[np.int64], order: NDArray[np.int64], key: NDArray[np.int64]) -> bool:
    """Whether an attribute is the same for all questions."""
    same = key[order][1:] == key[order][:-1]
    return not bool((codes[order][1:] != codes[order][:-1])[same].any())
