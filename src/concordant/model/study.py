"""A study: all judgements of all questions with the attributes of units and raters, as they were read.

Groups of its raters are named, or made by an attribute of the raters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, nearest
from concordant.model.clusters import NO_CLUSTERS, cluster_units
from concordant.model.columns import Column, as_written, stacked
from concordant.model.judgements import Judgements, put_on_scale
from concordant.model.measurable import Summary, named
from concordant.model.orders import guess_notes
from concordant.model.scale import Facet, Level, Scale


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What was declared about a question's scale; None is to be found out from the values."""

    level: Level | None = None
    categories: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Cause:
    """Why raters differed on a text, as an adjudicator named it; `units` are all that the text was shown as.

    `is_measured` is whether the question's judgements are in the study: spans and rankings are decided, too.
    """

    question: str
    units: tuple[str, ...]
    name: str
    is_avoidable: bool
    is_measured: bool = True


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Study(Summary):
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
    titles: Mapping[str, str] = field(default_factory=dict)  # of questions, as people know them
    scales: Mapping[str, Declared] = field(default_factory=dict)  # of single questions, before level and categories
    whole: Mapping[str | None, Scale] = field(default_factory=dict)  # a slice: of each question
    clusters: Mapping[str, Column] = field(default_factory=dict)  # plural of what units belong to -> which, row by row
    is_clustered: bool = False  # whether somebody chose the clusters: then pooling adds none
    facets: tuple[Facet, ...] = ()  # questions that were taken together, and where each category lies on them
    profiles: tuple[tuple[float, ...], ...] = ()
    asked: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # raters with questions, where they are columns
    duplicates: str = "refuse"
    models: tuple[str, ...] = ()  # raters that are no people
    causes: tuple[Cause, ...] = ()  # of disagreement, where somebody has adjudicated
    row_numbers: NDArray[np.int64] | None = None
    notes: tuple[str, ...] = ()
    unused: Mapping[str, str] = field(default_factory=dict)  # columns of the source that say nothing here -> why
    left_out: tuple[tuple[int, str], ...] = ()  # how many rows of the source are no judgements, and why

    def facts(self) -> dict[str, object]:
        """How much was judged, by whom, and what else is known."""
        return {
            "name": self.name,
            "rows": self.n_rows,
            "units": len(self.unit.as_labels().labels),
            "raters": named(self.raters),
            "questions": named(self.questions),
            "level": self.level,
            "attributes": named(list(self.attributes)),
            **({"models": named(self.models)} if self.models else {}),
        }

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions in order of appearance; none when there is only one and it has no name."""
        return () if self.question is None else tuple(self.question.labels)

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters in order of appearance."""
        return tuple(self.rater.labels)

    @property
    def is_judged_by_both(self) -> bool:
        """Whether people and models judged."""
        return 0 < len(set(self.raters) & set(self.models)) < len(self.raters)

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
        return part._as_judgements(self.whole.get(question or next(iter(self.questions), None)))

    def pooled(self) -> Judgements:
        """All questions together: a unit is a unit with a question."""
        return self.merged()._as_judgements(self.whole.get(None))

    def merged(self) -> Self:
        """The same rows as one question: a unit is a unit with a question, and the question is an attribute of it."""
        if self.question is None:
            return self
        size = len(self.question.labels)
        key = self.unit.codes.astype(np.int64) * size + self.question.codes
        used, codes = np.unique(key, return_inverse=True)
        labels = [f"{self.unit.labels[k // size]} · {self.question.labels[k % size]}" for k in used.tolist()]
        unit = Column(codes=codes.reshape(-1), labels=labels)
        clusters = self.clusters if self.is_clustered else {"units": self.unit, **self.clusters}
        attributes = {"question": self.question, **self.attributes}
        return replace(self, unit=unit, question=None, attributes=attributes, clusters=clusters)

    def clustered(self, name: str) -> Self:
        """The same study, whose units belong together where this column is the same; "none": every unit stands alone.

        What the source says about it is forgotten.
        """
        if name == NO_CLUSTERS:
            return replace(self, clusters={}, is_clustered=True)
        column = self.column(name)
        word = "units" if self.role_of.get(name, name) == "unit" else f"clusters of {name!r}"
        return replace(self, clusters={word: column}, is_clustered=True)

    def _as_judgements(self, whole: Scale | None) -> Judgements:
        """Put the values on the declared scale, or on that of the whole; what is off it is reported with its row."""
        self.refuse_off_scale()
        level, categories = self.level, self.categories
        if whole is not None and categories is None:
            level, categories = whole.level, None if whole.level is Level.SET else whole.categories or None
        made = Judgements.from_columns(
            self.unit,
            self.rater,
            self.value,
            level=level,
            categories=categories,
            duplicates=self.duplicates,
            row_numbers=self.row_numbers,
            file=self.name,
        )
        made = replace(made, clusters=cluster_units(self.clusters, self.unit, self.name, is_chosen=self.is_clustered))
        if whole is not None and whole.is_guessed:
            made = replace(made, scale=replace(made.scale, is_guessed=True))
        if self.facets or self.asked:
            whole = replace(made.scale, facets=self.facets, profiles=self.profiles, asked=self.asked)
            made = replace(made, scale=whole)
        return replace(made, notes=guess_notes(made.scale)) if made.scale.is_guessed else made

    def refuse_off_scale(self) -> None:
        """A value off the declared scale is an error that names the first row that has it."""
        if self.categories is None or self.level is Level.SET:
            return
        column = self.value.as_labels()
        off = [i for i, label in enumerate(column.labels) if label not in self.categories]
        if off:
            row = int(np.nonzero(column.codes == off[0])[0][0])
            raise InputError(
                f"the value {column.labels[off[0]]!r} is not on the declared scale",
                file=self.name,
                row=row + 1 if self.row_numbers is None else int(self.row_numbers[row]),
                column=next((name for name, role in self.role_of.items() if role == "value"), "value"),
                hint=nearest(column.labels[off[0]], list(self.categories)),
            )

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
            clusters={name: column.take(rows) for name, column in self.clusters.items()},
            row_numbers=(np.arange(1, self.n_rows + 1) if self.row_numbers is None else self.row_numbers)[rows],
        )

    def joined(self, other: "Study", *, is_same_people: bool = False) -> Self:
        """This study with the rows of another below; a blank where one lacks an attribute.

        Its raters are others, unless somebody says that equal names mean the same. Its numbers are written as here.
        """
        for rater in other.raters:
            if rater in self.raters and not is_same_people:
                raise InputError(f"the rater {rater!r} is in both", file=other.name, hint="give them different names")
        if (self.question is None) != (other.question is None):
            raise InputError("one of the two has questions and the other none", file=other.name)

        def below(name: str) -> Column:
            parts = [one.attributes.get(name) for one in (self, other)]
            blank = [Column(codes=np.full(one.n_rows, -1), labels=[]) for one in (self, other)]
            return stacked([gap if part is None else part for part, gap in zip(parts, blank, strict=True)])

        first, second = (
            np.arange(1, one.n_rows + 1) if one.row_numbers is None else one.row_numbers for one in (self, other)
        )
        questions = [one.question for one in (self, other) if one.question is not None]
        return replace(
            self,
            unit=stacked([self.unit, other.unit]),
            rater=stacked([self.rater, other.rater]),
            value=as_written(stacked([self.value, other.value]), self.value),
            question=stacked(questions) if questions else None,
            attributes={name: below(name) for name in {**self.attributes, **other.attributes}},
            clusters={
                name: stacked([column, other.clusters[name]])
                for name, column in self.clusters.items()
                if name in other.clusters
            },
            row_numbers=np.concatenate([first, second]),
            models=(*self.models, *other.models),
        )

    def slices(self, names: Sequence[str]) -> Iterator[tuple[dict[str, str], Self]]:
        """The parts of the study, one for each combination of values of these columns that has rows.

        They keep the scales of the whole, with categories that nobody gave in a part: what depends on them (the level
        that was guessed, chance agreement of S and AC1) is the same in every part, so parts can be compared.
        """
        columns = {name: self.column(name).as_labels() for name in names}
        whole = self.on_whole_scales()
        yield from ((where, whole.take(rows)) for where, rows in combinations_of(columns, self.n_rows))

    def on_whole_scales(self) -> Self:
        """The same study, parts of which keep the scale that all values of their question give."""

        def scale_of(question: str | None) -> Scale:
            part = self if question is None else self.where("question", [question])
            declared = Declared(level=self.level, categories=self.categories)
            own = declared if question is None else self.scales.get(question, declared)
            return put_on_scale(part.value, level=own.level, categories=own.categories)[0]

        return replace(self, whole={question: scale_of(question) for question in self.questions or (None,)})

    def attribute_of(self, owner: str) -> tuple[str, ...]:
        """The attributes that belong to every `unit` or `rater`: constant in all of its rows."""
        column = self.unit if owner == "unit" else self.rater
        return tuple(name for name, other in self.attributes.items() if _is_constant_within(other.as_labels(), column))

    def torn_units(self, name: str) -> tuple[str, ...]:
        """The units whose rows differ in a column that says nothing about raters: a slice has only a part of them."""
        column = self.column(name).as_labels()
        if self.role_of.get(name, name) in ("unit", "question") or _is_constant_within(column, self.rater):
            return ()
        pairs = np.unique(np.stack([self.unit.codes, column.codes]), axis=1)
        often = np.bincount(pairs[0], minlength=len(self.unit.labels))
        return tuple(self.unit.labels[code] for code in np.flatnonzero(often > 1).tolist())


def combinations_of(columns: Mapping[str, Column], n_rows: int) -> Iterator[tuple[dict[str, str], NDArray[np.bool_]]]:
    """Each combination of values of these columns that occurs, and the rows that have it."""
    for codes in product(*(range(len(column.labels)) for column in columns.values())):
        found = dict(zip(columns, codes, strict=True))
        rows = np.ones(n_rows, dtype=bool)
        for name, code in found.items():
            rows &= columns[name].codes == code
        if rows.any():
            yield {name: columns[name].labels[code] for name, code in found.items()}, rows


def _is_constant_within(attribute: Column, owner: Column) -> bool:
    """Whether the attribute has one value for each owner."""
    first = np.full(len(owner.labels), -2, dtype=np.int64)
    first[owner.codes[::-1]] = attribute.codes[::-1]
    return bool((first[owner.codes] == attribute.codes).all())


Groups = Mapping[str, tuple[str, ...]]
Given = Mapping[str, Sequence[str]] | str | Sequence[str] | None  # groups as people say them


def named_groups(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Groups of raters written as `own=A,B`; one text may name several.

    >>> named_groups(["own=Ida,Jon,foreign=Kim"])
    {'own': ('Ida', 'Jon'), 'foreign': ('Kim',)}
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        name = ""
        for part in text.split(","):
            before, equals, after = part.partition("=")
            name = before.strip() if equals else name
            rater = (after if equals else part).strip()
            if not (name and rater):
                raise InputError(f"{text!r} is not a group of raters", hint="write NAME=RATER,RATER: native=J1,J2")
            groups.setdefault(name, []).append(rater)
    return {name: tuple(raters) for name, raters in groups.items()}


def groups_by_attribute(study: Study, name: str) -> dict[str, tuple[str, ...]]:
    """The raters of each value of a rater attribute."""
    if name not in study.attribute_of("rater"):
        study.column(name)
        raise InputError(f"{name!r} is not an attribute of raters", hint="name the groups: --group native=J1,J2")
    column = study.attributes[name].as_labels()
    first = np.full(len(study.raters), -1, dtype=np.int64)
    first[study.rater.codes[::-1]] = column.codes[::-1]
    return {
        label: tuple(rater for rater, code in zip(study.raters, first.tolist(), strict=True) if code == place)
        for place, label in enumerate(column.labels)
    }


def check_groups(study: Study, groups: Groups) -> None:
    """Refuse a group with a rater who is not in the data, or in two groups."""
    seen: set[str] = set()
    for name, raters in groups.items():
        for rater in raters:
            if rater not in study.raters:
                raise InputError(f"group {name!r}: there is no rater {rater!r}", hint=nearest(rater, study.raters))
            if rater in seen:
                raise InputError(f"rater {rater!r} is in two groups", hint="put every rater in one group")
            seen.add(rater)


def rater_groups(study: Study, given: Given) -> dict[str, tuple[str, ...]] | None:
    """Groups as they are, or written `native=J1,J2`, or made by a column of raters; None if there are none."""
    if not given:
        return None
    if isinstance(given, Mapping):
        groups = {name: tuple(raters) for name, raters in given.items()}
    else:
        texts = [given] if isinstance(given, str) else list(given)
        groups = named_groups([text for text in texts if "=" in text])
        for name in texts:
            groups |= groups_by_attribute(study, name) if "=" not in name else {}
    check_groups(study, groups)
    return groups
