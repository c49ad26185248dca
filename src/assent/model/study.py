"""A study: all judgements of all questions with the attributes of units and raters, as they were read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assent.errors import InputError, nearest
from assent.model.columns import Column
from assent.model.judgements import Judgements
from assent.model.scale import Level


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What was declared about a question's scale; None is to be found out from the values."""

    level: Level | None = None
    categories: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """One row per judgement. Columns are encoded; `row_numbers` says where each row stood in the file."""

    name: str
    unit: Column
    rater: Column
    value: Column
    question: Column | None = None
    attributes: Mapping[str, Column] = field(default_factory=dict)
    role_of: Mapping[str, str] = field(default_factory=dict)  # name in the file -> unit, rater, question or value
    level: Level | None = None
    categories: tuple[str, ...] | None = None
    scales: Mapping[str, Declared] = field(default_factory=dict)  # of single questions, before level and categories
    duplicates: str = "refuse"
    row_numbers: NDArray[np.int64] | None = None
    notes: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions in order of appearance; none when there is only one and it has no name."""
        return () if self.question is None else tuple(self.question.labels)

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters in order of appearance."""
        return tuple(self.rater.labels)

    @property
    def n_rows(self) -> int:
        """How many rows, blank values included."""
        return len(self.unit)

    def judgements(self, question: str | None = None) -> Judgements:
        """The judgements of one question (of the only one, if None)."""
        part = self if question is None or self.question is None else self.where("question", [question])
        own = None if question is None else self.scales.get(question)
        if own is not None:
            part = replace(part, level=own.level, categories=own.categories)
        if question is None and len(self.questions) > 1:
            raise InputError(f"the study has {len(self.questions)} questions", hint="name one, or pool them")
        return part._as_judgements(part.unit)

    def pooled(self) -> Judgements:
        """All questions together: a unit is a unit with a question."""
        merged = self.merged()
        return merged._as_judgements(merged.unit)

    def merged(self) -> Self:
        """The same rows as one question: a unit is a unit with a question, and the question is an attribute of it."""
        if self.question is None:
            return self
        size = len(self.question.labels)
        key = self.unit.codes.astype(np.int64) * size + self.question.codes
        used, codes = np.unique(key, return_inverse=True)
        labels = [f"{self.unit.labels[k // size]} · {self.question.labels[k % size]}" for k in used.tolist()]
        unit = Column(codes=codes.reshape(-1), labels=labels)
        return replace(self, unit=unit, question=None, attributes={"question": self.question, **self.attributes})

    def _as_judgements(self, unit: Column) -> Judgements:
        """Put the values on the declared scale; what is off it is reported with its row."""
        self._refuse_off_scale()
        made = Judgements.from_columns(
            unit,
            self.rater,
            self.value,
            level=self.level,
            categories=self.categories,
            duplicates=self.duplicates,
            row_numbers=self.row_numbers,
            file=self.name,
        )
        return replace(made, notes=self._scale_notes(made))

    def _scale_notes(self, made: Judgements) -> tuple[str, ...]:
        """Say so when the level of measurement was guessed."""
        if not made.scale.is_guessed:
            return ()
        return (f"level of measurement guessed: {made.scale.level.value} (say --level to change it)",)

    def _refuse_off_scale(self) -> None:
        """A value off the declared scale is an error that names the first row that has it."""
        if self.categories is None or self.level is Level.SET:
            return
        column = self.value.as_labels()
        off = [i for i, label in enumerate(column.labels) if label not in self.categories]
        if off:
            rows = np.nonzero(column.codes == off[0])[0]
            raise InputError(
                f"the value {column.labels[off[0]]!r} is not on the declared scale",
                file=self.name,
                row=self._row(int(rows[0])),
                column=self._name_of("value"),
                hint=nearest(column.labels[off[0]], list(self.categories)),
            )

    def _row(self, index: int) -> int:
        """The line of the file that holds a row."""
        return index + 1 if self.row_numbers is None else int(self.row_numbers[index])

    def column(self, name: str) -> Column:
        """An attribute, or one of unit, rater, question and value, by its role or by its name in the file."""
        name = self.role_of.get(name, name)
        roles: dict[str, Column | None] = {
            "unit": self.unit,
            "rater": self.rater,
            "question": self.question,
            "value": self.value,
            **self.attributes,
        }
        found = roles.get(name)
        if found is None:
            known = [role for role, column in roles.items() if column is not None]
            raise InputError("there is no such column", file=self.name, column=name, hint=nearest(name, known))
        return found

    def _name_of(self, role: str) -> str:
        """What the file calls a role."""
        return next((name for name, known in self.role_of.items() if known == role), role)

    def where(self, name: str, values: Sequence[str]) -> Self:
        """Only the rows whose column has one of these values."""
        column = self.column(name).as_labels()
        unknown = [value for value in values if value not in column.labels]
        if unknown:
            raise InputError(
                f"no row has the value {unknown[0]!r}",
                file=self.name,
                column=name,
                hint=nearest(unknown[0], list(column.labels)),
            )
        wanted = np.array([*(label in values for label in column.labels), False])
        return self.take(wanted[column.codes])

    def take(self, rows: NDArray[Any]) -> Self:
        """Only these rows (a mask or positions)."""
        return replace(
            self,
            unit=self.unit.take(rows),
            rater=self.rater.take(rows),
            value=self.value.take(rows),
            question=None if self.question is None else self.question.take(rows),
            attributes={name: column.take(rows) for name, column in self.attributes.items()},
            row_numbers=np.nonzero(rows)[0] + 1 if self.row_numbers is None else self.row_numbers[rows],
        )

    def slices(self, names: Sequence[str]) -> Iterator[tuple[dict[str, str], Self]]:
        """The parts of the study, one for each combination of values of these columns that has rows."""
        columns = [self.column(name).as_labels() for name in names]
        for combination in product(*(range(len(column.labels)) for column in columns)):
            mask = np.ones(self.n_rows, dtype=bool)
            for column, code in zip(columns, combination, strict=True):
                mask &= column.codes == code
            if mask.any():
                labels = (column.labels[code] for column, code in zip(columns, combination, strict=True))
                yield dict(zip(names, labels, strict=True)), self.take(mask)

    def attribute_of(self, owner: str) -> tuple[str, ...]:
        """The attributes that belong to every `unit` or `rater`: constant in all of its rows."""
        column = self.unit if owner == "unit" else self.rater
        return tuple(name for name, other in self.attributes.items() if _is_constant_within(other.as_labels(), column))


def _is_constant_within(attribute: Column, owner: Column) -> bool:
    """Whether the attribute has one value for each owner."""
    first = np.full(len(owner.labels), -2, dtype=np.int64)
    first[owner.codes[::-1]] = attribute.codes[::-1]
    return bool((first[owner.codes] == attribute.codes).all())
