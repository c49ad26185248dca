"""Judgements straight from a study's log: `assent measure STUDY` while the study runs, or after.

Main items only: training, gold and repeated items are not what raters agree on. The study's cleaning rules are
applied, and the notes say what they left out. Rankings, free texts and spans are no categories, so they are not read
here (`assent export` has them).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assent.collection.database import FILE, default_url, has_begun
from assent.collection.fanning import measured_questions, what_is_fanned
from assent.collection.following import Followed, Following
from assent.collection.invitations import with_invited
from assent.collection.log import Log
from assent.collection.session import Study as CollectionStudy
from assent.design.description import Description, Question, Task
from assent.design.ordering import Kind
from assent.design.planning import load_plan
from assent.design.study_file import FILE as STUDY_FILE
from assent.design.study_file import read as read_description
from assent.design.values import as_text
from assent.errors import InputError
from assent.model.columns import Column, blank_out, encode
from assent.model.scale import Level, level_named
from assent.model.study import Declared, Study

Codes = NDArray[np.int64]

LEVELS = {
    Task.BINARY: Level.NOMINAL,
    Task.CATEGORICAL: Level.NOMINAL,
    Task.PAIRWISE: Level.NOMINAL,
    Task.ORDINAL: Level.ORDINAL,
    Task.SLIDER: Level.INTERVAL,
    Task.MULTILABEL: Level.SET,
    Task.PATTERNS: Level.SET,
    Task.PARSES: Level.NOMINAL,  # fanned out to yes and no
}


def read(path: str | Path, *, attributes: Sequence[str] | None = None, level: str | Level | None = None) -> Study:
    """The judgements of a study as they stand in its log now."""
    place = Path(path)
    description = read_description(place.parent if place.name == FILE else place)
    url = default_url(description.folder)
    if not has_begun(url):
        raise InputError("nothing was collected yet", file=place, hint=f"run `assent serve {place}`")
    with Log.open(url) as log:
        study = with_invited(log, CollectionStudy(description=description, plan=load_plan(description)))
        following = Following(log, study)
        following.update()
    encoded = Encoding(study).study(following.raters)
    if encoded is None:
        raise InputError("there are no judgements yet", file=place, hint="wait for answers, or look at `assent export`")
    chosen = {name: column for name, column in encoded.attributes.items() if attributes is None or name in attributes}
    if level is None:
        return replace(encoded, attributes=chosen)
    return replace(encoded, attributes=chosen, level=level_named(level), scales={})


@dataclass(frozen=True, kw_only=True, eq=False)
class RaterRows:
    """One rater's judgements as codes, and the rater they were made of."""

    source: Followed
    unit: Codes
    question: Codes
    value: Codes


class Encoding:
    """The judgements of followed raters as columns; a rater who has not changed is not encoded again."""

    def __init__(self, study: CollectionStudy) -> None:
        """Nothing is encoded yet."""
        self._description = study.description
        self._rows: dict[str, RaterRows] = {}
        self._places: dict[str, dict[str, int]] = {"unit": {}, "question": {}, "value": {}}
        self._units: dict[str, Mapping[str, str]] = {}

    def study(self, raters: Mapping[str, Followed]) -> Study | None:
        """The study as it is now, raters in the order of their ids; None when nobody has judged anything."""
        rows = [rows for rater in sorted(raters) if len((rows := self._of(rater, raters[rater])).unit)]
        if not rows:
            return None
        names = [one.source.person.rater for one in rows]
        unit, question, value = (self._column(rows, role) for role in ("unit", "question", "value"))
        known = measured_questions(self._description)
        asked = [question_ for question_ in known if question_.id in question.labels]
        sizes = [len(one.unit) for one in rows]
        return Study(
            name=str(self._description.folder / STUDY_FILE),
            unit=unit,
            rater=Column(codes=np.repeat(np.arange(len(rows)), sizes), labels=names),
            value=blank_out(value, {""}),
            question=question if len(known) > 1 else None,
            attributes=self._attributes(unit, rows, sizes),
            level=_common_level(asked),
            categories=_common_categories(asked),
            scales={question_.id: _declared(question_) for question_ in asked},
            notes=_notes(self._description, list(raters.values())),
        )

    def _of(self, rater: str, source: Followed) -> RaterRows:
        known = self._rows.get(rater)
        if known is None or known.source is not source:
            known = self._rows[rater] = self._encoded(source)
        return known

    def _encoded(self, source: Followed) -> RaterRows:
        rows = [row for row in source.judged if row.question.task in LEVELS]
        self._units.update((row.unit.id, row.unit.attributes) for row in rows)
        return RaterRows(
            source=source,
            unit=self._codes("unit", [row.unit.id for row in rows]),
            question=self._codes("question", [row.question.id for row in rows]),
            value=self._codes("value", [as_text(row.question, row.judgement.value) for row in rows]),
        )

    def _codes(self, role: str, labels: list[str]) -> Codes:
        places = self._places[role]
        return np.array([places.setdefault(label, len(places)) for label in labels], dtype=np.int64)

    def _column(self, rows: list[RaterRows], role: str) -> Column:
        codes: Codes = np.concatenate([getattr(one, role) for one in rows])
        return in_order_of_appearance(codes, list(self._places[role]))

    def _attributes(self, unit: Column, rows: list[RaterRows], sizes: list[int]) -> dict[str, Column]:
        """What is known about the unit and, with `rater_` before it, about the rater."""
        units = [self._units[label] for label in unit.labels]
        people = [{**one.source.person.attributes, **one.source.person.described} for one in rows]
        found = {name: _spread([about.get(name, "") for about in units], unit.codes) for name in _names(units)}
        owner = np.repeat(np.arange(len(rows)), sizes)
        for name in _names(people):
            found[f"rater_{name}"] = _spread([about.get(name, "") for about in people], owner)
        return found


def _names(known: Sequence[Mapping[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for attributes in known for name in attributes))


def _spread(cells: list[str], owner: Codes) -> Column:
    """One cell for each owner as one cell for each row."""
    column = encode(np.array(cells, dtype=object))
    return Column(codes=column.codes[owner], labels=column.labels)


def in_order_of_appearance(codes: Codes, labels: Sequence[str]) -> Column:
    """The column whose labels stand in the order in which rows use them: however the codes came about, it is the same.

    >>> in_order_of_appearance(np.array([2, 0, 2]), ["a", "b", "c"]).labels
    ['c', 'a']
    """
    used, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Column(codes=rank[place.reshape(-1)], labels=[labels[code] for code in used[order].tolist()])


def _common_level(questions: list[Question]) -> Level | None:
    """The level of measurement of all questions pooled, when they share one; otherwise it is guessed."""
    levels = {LEVELS[question.task] for question in questions}
    return levels.pop() if len(levels) == 1 else None


def _common_categories(questions: list[Question]) -> tuple[str, ...] | None:
    """The declared categories, those nobody used included, when all questions share them."""
    declared = {_categories(question) for question in questions}
    return (declared.pop() or None) if len(declared) == 1 else None


def _declared(question: Question) -> Declared:
    """The scale of one question as the study file declares it."""
    return Declared(level=LEVELS[question.task], categories=_categories(question) or None)


def _categories(question: Question) -> tuple[str, ...]:
    if question.task is Task.PATTERNS:
        return tuple(dict.fromkeys(pattern.category for pattern in question.patterns))
    return tuple(option.value for option in question.options)


def _notes(description: Description, raters: list[Followed]) -> tuple[str, ...]:
    """What the reader should know: cleaning, fanning out, and questions that were left aside."""
    left_out, dropped = Counter[str](), Counter[str]()
    for one in raters:
        left_out.update({step.reason: step.n_left_out for step in one.cleaned.flow})
        dropped.update(one.cleaned.counts)
    n_fields = sum(one.cleaned.n_fields for one in raters)
    notes = [f"{n} raters left out by the study's cleaning rules: {reason}" for reason, n in left_out.items() if n]
    notes += [f"{n} of {n_fields} answers dropped: {reason}" for reason, n in dropped.items()]
    n_judged = sum(judgement.kind is Kind.MAIN for one in raters for judgement in one.cleaned.collected.judgements)
    n_fanned = sum(len(one.judged) for one in raters)
    if n_fanned != n_judged:
        notes.append(f"{what_is_fanned(description)}: {n_judged} judgements given, {n_fanned} after fanning out")
    aside = [question.id for question in measured_questions(description) if question.task not in LEVELS]
    if aside:
        notes.append(f"not measured here: {', '.join(aside)} (rankings, texts and spans; see `assent export`)")
    return tuple(notes)
