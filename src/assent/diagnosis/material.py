"""One question of a study made ready to be looked at: its judgements, their tally, what is known of its units."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assent.engines.membership import UnitTally, unit_tally
from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.model.columns import Column
from assent.model.judgements import Judgements
from assent.model.scale import Scale
from assent.model.study import Study


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
        return {name: self._per_unit(self.study.attributes[name]) for name in self.study.attribute_of("unit")}

    def _per_unit(self, attribute: Column) -> Column:
        """The cell of each unit's first row."""
        column = attribute.as_labels()
        codes = np.full(len(self.study.unit.labels), -1, dtype=np.int64)
        codes[self.study.unit.codes[::-1]] = column.codes[::-1]
        return Column(codes=codes, labels=column.labels)

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
        part = study.where("question", [question])
        yield Material(question=question, study=replace(part, question=None))


def pooled_material(study: Study) -> Material:
    """All questions together; the question becomes an attribute of the pooled units."""
    return Material(question=None, study=study.merged())


def grouping_attributes(material: Material, *, most: int = 12, fewest: int = 5) -> tuple[str, ...]:
    """Unit attributes that sort units into a few groups: 2 to `most` levels, two with `fewest` units."""
    found = []
    for name, column in material.unit_attributes.items():
        sizes = np.bincount(column.codes[(column.codes >= 0) & material.is_paired], minlength=len(column.labels))
        if 2 <= int((sizes > 0).sum()) <= most and int((sizes >= fewest).sum()) >= 2:
            found.append(name)
    return tuple(found)


def as_study(data: Study | Judgements) -> Study:
    """Judgements as a study with one question; a study as it is."""
    if isinstance(data, Study):
        return data
    if not isinstance(data, Judgements):
        raise InputError(
            f"a study or judgements are needed, not {type(data).__name__}", hint="read the data with assent.read"
        )
    rows = data.rows()
    units = data.unit_names if data.unit_names is not None else [str(i + 1) for i in range(data.n_units)]
    value = (
        Column(codes=np.zeros(0, dtype=np.int8), labels=[], numbers=rows.value)
        if data.scale.is_continuous
        else Column(codes=rows.value, labels=data.scale.categories)
    )
    return Study(
        name="judgements",
        unit=Column(codes=rows.unit, labels=units),
        rater=Column(codes=rows.rater, labels=data.raters),
        value=value,
        level=None if data.scale.is_guessed else data.scale.level,
        categories=data.scale.categories or None,
        notes=data.notes,
    )
