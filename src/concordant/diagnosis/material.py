"""One question of a study made ready to be looked at: its judgements, their tally, what is known of its units.

A case is a whole study with all its questions made ready, values off the declared scale left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.tally import Tally, UnitTally, tally, unit_tally
from concordant.errors import InputError
from concordant.model.columns import Column, blank_out
from concordant.model.judgements import Judgements
from concordant.model.scale import Level, Scale
from concordant.model.study import Study

Codes = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Material:
    """The judgements of one question, or of all pooled (then a unit is a unit with a question)."""

    question: str | None
    study: Study

    @cached_property
    def judgements(self) -> Judgements:
        """The judgements on their scale."""
        return self.study.judgements()

    @cached_property
    def tally(self) -> Tally:
        """The judgements reduced."""
        return tally(self.judgements)

    @cached_property
    def by_unit(self) -> UnitTally:
        """The tally that remembers its units, to cut slices from."""
        return unit_tally(self.judgements)

    @property
    def scale(self) -> Scale:
        """Level of measurement and categories."""
        return self.judgements.scale

    @property
    def units(self) -> tuple[str, ...]:
        """The names of the units."""
        return tuple(self.study.unit.labels)

    @cached_property
    def unit_attributes(self) -> dict[str, Column]:
        """What is known of each unit: one cell per unit."""
        found = {}
        for name in self.study.attribute_of("unit"):
            column = self.study.attributes[name].as_labels()
            codes = np.full(len(self.study.unit.labels), -1, dtype=np.int64)
            codes[self.study.unit.codes[::-1]] = column.codes[::-1]  # the first row of a unit is written last
            found[name] = Column(codes=codes, labels=column.labels)
        return found

    @cached_property
    def is_paired(self) -> NDArray[np.bool_]:
        """Which units have at least two judgements."""
        return np.bincount(self.judgements.rows().unit, minlength=self.judgements.n_units) > 1


def materials(study: Study) -> Iterator[Material]:
    """Each question by itself."""
    if len(study.questions) < 2:
        yield Material(question=None, study=replace(study, question=None))
        return
    for question in study.questions:
        yield Material(question=question, study=replace(study.where("question", [question]), question=None))


def pooled_material(study: Study) -> Material:
    """All questions together; the question becomes an attribute of the pooled units."""
    return Material(question=None, study=study.merged())


MOST_LEVELS, LEAST_UNITS = 12, 5


def grouping_attributes(material: Material) -> tuple[str, ...]:
    """Unit attributes that sort units into a few groups: 2 to 12 levels, two of them with 5 units."""
    found = []
    for name, column in material.unit_attributes.items():
        sizes = np.bincount(column.codes[(column.codes >= 0) & material.is_paired], minlength=len(column.labels))
        if 2 <= int((sizes > 0).sum()) <= MOST_LEVELS and int((sizes >= LEAST_UNITS).sum()) >= 2:
            found.append(name)
    return tuple(found)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitShares:
    """`counts[u, c]`: how many raters gave unit u the category c. Only units with a judgement are here."""

    units: tuple[str, ...]
    places: NDArray[np.int64]  # where each of these units stands among all units of the study
    categories: tuple[str, ...]
    counts: NDArray[np.int64]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Judgements per unit."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def shares(self) -> Floats:
        """Each unit's judgements as proportions."""
        return np.asarray(self.counts / self.sizes[:, None])

    @property
    def largest(self) -> NDArray[np.int64]:
        """The category with most judgements; the first in the scale's order if several have as many."""
        return np.asarray(self.counts.argmax(axis=1))

    @property
    def is_tied(self) -> NDArray[np.bool_]:
        """Whether several categories have the most judgements."""
        return np.asarray((self.counts == self.counts.max(axis=1, keepdims=True)).sum(axis=1) > 1)

    @property
    def values(self) -> tuple[str | None, ...]:
        """The consensus of each unit: the category with most judgements, None where several have as many."""
        found = zip(self.largest.tolist(), self.is_tied.tolist(), strict=True)
        return tuple(None if is_tied else self.categories[c] for c, is_tied in found)

    def coincidences(self) -> Floats:
        """Krippendorff's coincidence matrix: pairs of judgements of one unit by category, a unit counting its size."""
        paired = self.sizes > 1
        counts = self.counts[paired].astype(np.float64)
        weighted = counts * (1 / (self.sizes[paired] - 1))[:, None]
        return weighted.T @ counts - np.diag(weighted.sum(axis=0))


def count_pairs(first: Codes, second: Codes, shape: tuple[int, int], weights: Floats | None = None) -> NDArray[Any]:
    """A table of how often two codes occur together, each time counting its weight."""
    key = first.astype(np.int64) * shape[1] + second
    return np.bincount(key, weights, minlength=shape[0] * shape[1]).reshape(shape)


def unit_shares(data: Judgements) -> UnitShares:
    """Count each unit's judgements by category."""
    if data.scale.is_continuous:
        raise InputError(
            "the scale is continuous, so there are no shares of categories", hint="use variances, or round the values"
        )
    rows = data.rows()
    counts = count_pairs(rows.unit, rows.value, (data.n_units, len(data.scale.categories)))
    judged, names = np.nonzero(counts.sum(axis=1) > 0)[0], data.unit_names
    return UnitShares(
        units=tuple(str(i + 1) if names is None else names[i] for i in judged.tolist()),
        places=judged,
        categories=data.scale.categories,
        counts=counts[judged],
    )


def as_two_raters(
    values: Column, names: tuple[str, str], *, level: str | Level | None, categories: Sequence[str] | None = None
) -> Judgements:
    """The first half of a column as the judgements of one rater, the second as those of another on the same units."""
    n = len(values) // 2
    units = Column(codes=np.tile(np.arange(n), 2), labels=[str(i) for i in range(n)])
    raters = Column(codes=np.repeat([0, 1], n), labels=names)
    return Judgements.from_columns(units, raters, values, level=level, categories=categories)


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """`study` is as it was read; in `clean` and its `parts` the values off the declared scale are blank."""

    study: Study
    clean: Study
    parts: tuple[Material, ...]


def off_scale_labels(study: Study) -> tuple[str, ...]:
    """The labels in the data that are not on the declared scale."""
    if study.categories is None:
        return ()
    labels = study.value.as_labels().labels
    if study.level is Level.SET:
        classes = {part for category in study.categories for part in category.split("+")}
        return tuple(label for label in labels if not set(label.split("+")) <= classes)
    return tuple(label for label in labels if label not in study.categories)


def open_case(study: Study) -> Case:
    """Make a study ready; values off its declared scale must not stop the rest from being looked at."""
    off = off_scale_labels(study)
    clean = replace(study, value=blank_out(study.value.as_labels(), set(off))) if off else study
    return Case(study=study, clean=clean, parts=tuple(materials(clean)))
