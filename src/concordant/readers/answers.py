"""Judgements as other tools export them: what the readers of such tools have in common.

A reader of records (JSON) adds one answer after the other to `Answers`; a reader of tables says which columns are unit,
rater and questions, and `asked` turns the table round. Both end in a `Study` that says what was not used and why.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.choices import Choices, choice
from concordant.errors import InputError
from concordant.model.columns import Column, blank_out, encode, label_of
from concordant.model.columns import stacked as stacked
from concordant.model.scale import Level, level_named
from concordant.model.study import Declared, Study
from concordant.readers.spelling import one_label_each
from concordant.readers.table import ENCODING, LEVEL, SEPARATOR, Table

JOINT, WIDE_JOINT = "+", "＋"  # what joins the members of a set, and what stands for it inside a member


class AnswerOptions(Choices):
    """What may be said about judgements whose units, raters and questions the format itself names."""

    level: str | None = choice(None, LEVEL)
    categories: tuple[str, ...] | None = choice(None, "All categories in order, unused ones too: a,b,c.")
    missing: tuple[str, ...] = choice((), "Values that mean missing, besides empty ones: NA,None.")
    duplicates: Literal["refuse", "first", "last", "all"] = choice(
        "refuse", "Several judgements of one unit by one rater: an error, or those that count (all: models of gold)."
    )


class TableAnswerOptions(AnswerOptions):
    """The same of a table, of which may be said how it is written."""

    encoding: str | None = choice(None, ENCODING)
    separator: str | None = choice(None, SEPARATOR)


class Answer(NamedTuple):
    """One judgement: `value` is a text, a number, a list for several at once, None if nothing was chosen."""

    unit: str
    rater: str
    question: str
    value: Any
    row: int


@dataclass
class Answers:
    """The judgements of a file as they are found; what is not one is counted with its reason."""

    file: Path
    given: list[Answer] = field(default_factory=list)
    about: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # what is known of each unit
    scales: dict[str, Declared] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)  # records that are no judgements, by reason
    missing: Counter[str] = field(default_factory=Counter)  # judgements without a value, by reason
    notes: list[str] = field(default_factory=list)

    def study(self, options: AnswerOptions) -> Study:
        """All of them as a study."""
        if not self.given:
            why = "; ".join(f"{n} left out: {reason}" for reason, n in self.left_out.items())
            raise InputError("there are no judgements in this file" + f" ({why})" * bool(why), file=self.file)
        unit, rater, question, values, rows = zip(*self.given, strict=True)
        several = {asked for asked, value in zip(question, values, strict=True) if is_several(value)}
        several |= {name for name, scale in self.scales.items() if scale.level is Level.SET}
        texts = [value_text(value, asked in several) for asked, value in zip(question, values, strict=True)]
        if any(WIDE_JOINT in text for text in texts):
            self.notes.append(f"{JOINT} inside a label is written {WIDE_JOINT} where several labels can be chosen")
        scales = self.scales | {name: Declared(level=Level.SET) for name in several}
        made = Study(
            name=str(self.file),
            unit=encode(np.array(unit, dtype=object)),
            rater=encode(np.array(rater, dtype=object)),
            value=encode(np.array(texts, dtype=object)),
            question=encode(np.array(question, dtype=object)),
            row_numbers=np.array(rows, dtype=np.int64),
            scales=scales,
            unused=self.unused,
            left_out=tuple((n, reason) for reason, n in self.left_out.items() if n),
            notes=(*self.notes, *(f"{n} missing: {reason}" for reason, n in self.missing.items() if n)),
        )
        return declared(replace(made, attributes=self.unit_attributes(made.unit)), options)

    def unit_attributes(self, unit: Column) -> dict[str, Column]:
        """What is known of units, a column for each plain field; what is nested is not used."""
        plain: dict[str, list[str]] = {}
        known = [self.about.get(label, {}) for label in unit.labels]
        for name in dict.fromkeys(name for one in known for name in one):
            cells = [one.get(name) for one in known]
            if any(isinstance(cell, dict | list) and cell for cell in cells):
                self.unused[name] = "it holds lists or objects, not values"
            elif any(cell not in (None, "", [], {}) for cell in cells):
                plain[name] = [label_of(cell) for cell in cells]
        return {
            name: Column(
                codes=(column := encode(np.array(cells, dtype=object))).codes[unit.codes], labels=column.labels
            )
            for name, cells in plain.items()
            if name not in ("unit", "rater", "value", "question")
        }


def is_several(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) > 1


def value_text(value: Any, is_set: bool) -> str:
    """One value as the study keeps it: the members of a set joined by +, in the order of their names."""
    members = [label_of(one).strip() for one in value] if isinstance(value, list | tuple) else [label_of(value).strip()]
    if is_set:
        return JOINT.join(sorted({one.replace(JOINT, WIDE_JOINT) for one in members if one}))
    return members[0] if members else ""


def declared(study: Study, options: AnswerOptions) -> Study:
    """What the user says of the scale comes before what the file says; the only question needs no name."""
    is_only = study.question is not None and len(study.question.labels) == 1
    scales = study.scales if options.level is None and options.categories is None else {}
    own = scales.get(study.questions[0], Declared()) if is_only else Declared()
    level = own.level if options.level is None else level_named(options.level)
    value = blank_out(study.value.as_labels(), set(options.missing)) if options.missing else study.value
    notes = list(study.notes)
    if is_only and level is not Level.SET and not (options.categories or own.categories):
        value = one_label_each(value, notes)
    return replace(
        study,
        value=value,
        notes=tuple(notes),
        question=None if is_only else study.question,
        scales={} if is_only else scales,
        level=level,
        categories=options.categories or own.categories,
        duplicates=options.duplicates,
    )


def asked(
    table: Table,
    options: AnswerOptions,
    *,
    unit: Column,
    rater: Column,
    questions: Mapping[str, Column],
    rows: NDArray[np.bool_] | None = None,
    attributes: Sequence[str] = (),
    unused: Mapping[str, str] | None = None,
    left_out: Sequence[tuple[int, str]] = (),
    notes: Sequence[str] = (),
    scales: Mapping[str, Declared] | None = None,
) -> Study:
    """A table with a column for each question as a study: a row for every question of every kept row of the table."""
    kept = np.arange(table.n_rows) if rows is None else np.nonzero(rows)[0]
    if not len(kept) or not questions:
        raise InputError("there are no judgements in this file", file=table.file)
    place = np.tile(kept, len(questions))
    study = Study(
        name=table.file,
        unit=unit.as_labels().take(place),
        rater=rater.as_labels().take(place),
        value=stacked([column.as_labels().take(kept) for column in questions.values()]),
        question=Column(codes=np.repeat(np.arange(len(questions)), len(kept)), labels=list(questions)),
        attributes={name: table.columns[name].take(place) for name in attributes},
        row_numbers=table.row_numbers[place],
        scales=scales or {},
        notes=(*table.notes, *notes),
        unused=dict(unused or {}),
        left_out=tuple(one for one in left_out if one[0]),
    )
    return declared(study, options)


def constant(label: str, n_rows: int) -> Column:
    """A column with the same label in every row."""
    return Column(codes=np.zeros(n_rows, dtype=np.int8), labels=[label])
