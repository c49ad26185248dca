"""Several questions at once: a rater's answers about a unit are one profile, or columns of judgements."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.model.columns import Column, encode
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


def crossed(study: Study) -> Study:
    """The study with a column of judgements for every rater with a question, all of them numbers of one unit."""
    if study.question is None or len(study.questions) < 2:
        raise InputError("there is one question, so there is nothing to cross", file=study.name)
    scales = [study.judgements(question).scale for question in study.questions]  # refuses what is off its scale
    for question, scale in zip(study.questions, scales, strict=True):
        if not scale.level.is_ordered:
            what = f"the answers to {question!r} are {scale.level.value}, and variances are of numbers"
            raise InputError(what, file=study.name, hint="leave that question out, or say its level")
    size, value = len(study.questions), study.value.as_labels()
    points = np.full(study.n_rows, np.nan)
    for number, scale in enumerate(scales):
        mine = np.flatnonzero((study.question.codes == number) & (value.codes >= 0))
        points[mine] = _places(scale, value.labels, value.codes[mine])
    key = study.rater.codes.astype(np.int64) * size + study.question.codes
    used, codes = np.unique(key, return_inverse=True)
    whose = [(study.rater.labels[one // size], study.question.labels[one % size]) for one in used.tolist()]
    names = [BETWEEN.join(pair) for pair in whose]
    if len(set(names)) < len(names):
        raise InputError(f"names of raters and questions contain {BETWEEN!r}", file=study.name, hint="rename them")
    levels = {scale.level for scale in scales}
    guessed = "levels of measurement guessed: answers taken as numbers with equal steps (say --level to change it)"
    return replace(
        study,
        rater=Column(codes=codes.reshape(-1), labels=names),
        value=encode(points),
        question=None,
        level=levels.pop() if len(levels) == 1 else Level.INTERVAL,
        categories=None,
        scales={},
        asked=dict(zip(names, whose, strict=True)),
        notes=(*study.notes, *([guessed] if any(scale.is_guessed for scale in scales) else [])),
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
