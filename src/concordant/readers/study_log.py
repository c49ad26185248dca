"""Judgements straight from a study's log: `concordant measure STUDY` while the study runs, or after.

Main items only: training, gold and repeated items are not what raters agree on. The study's cleaning rules are
applied, and the notes say what they left out. Rankings, free texts and spans are no categories, so they are not read
here (`concordant export` has them).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.about import NAME
from concordant.collection.collected import FoldedRater, Judgement, losses, said_by, units_shown
from concordant.collection.disputes import AVOIDABLE, Adjudication, Decision
from concordant.collection.folding import LiveFold
from concordant.collection.opened_study import open_study
from concordant.collection.session import Running
from concordant.design.description import Description
from concordant.design.steps import JUDGED, StepKind
from concordant.design.study_file import FILE as STUDY_FILE
from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.columns import Column, blank_out, encode
from concordant.model.scale import Level, level_named
from concordant.model.study import Cause, Declared, Study
from concordant.readers.rater_kinds import MODEL
from concordant.tasks.kind import as_text, kind_of

Codes = NDArray[np.int64]
ROUND = "guidelines_version"
"""The column with the version of the guidelines beside each answer, where there are several: a change is a round."""


def read_log(
    path: str | Path,
    *,
    attributes: Sequence[str] | None = None,
    level: str | Level | None = None,
    allocated: bool = False,
) -> Study:
    """The judgements of a study as they stand in its log now; for labels with those of units that were `allocated`."""
    place = Path(path)
    with open_study(place) as (log, study):
        fold = LiveFold(log, study)
        fold.update()
        decided = Adjudication(log).current(study.description.name)
    encoded = Encoding(study, allocated=allocated).study(fold.raters)
    if encoded is None:
        raise InputError(
            "there are no judgements yet", file=place, hint=f"wait for answers, or look at `{NAME} export`"
        )
    encoded = with_causes(encoded, study.description, decided.values())
    chosen = {name: column for name, column in encoded.attributes.items() if attributes is None or name in attributes}
    if level is None:
        return replace(encoded, attributes=chosen)
    return replace(encoded, attributes=chosen, level=level_named(level), scales={})


def with_causes(encoded: Study, description: Description, decided: Iterable[Decision]) -> Study:
    """The study with why its raters differed, as far as those who decided have named it."""
    shown, unit = encoded.clusters[description.shown], encoded.unit
    order = np.argsort(shown.codes, kind="stable")
    begin, end = (np.searchsorted(shown.codes[order], np.arange(len(shown.labels)), side) for side in ("left", "right"))
    measured = {asked.id for asked in description.measured if kind_of(asked).level is not None}
    codes = {label: unit.codes[order[begin[i] : end[i]]] for i, label in enumerate(shown.labels)}
    causes = [
        Cause(
            question=one.question,
            units=tuple(unit.labels[code] for code in np.unique(codes[one.unit]).tolist()),
            name=one.cause,
            is_avoidable=one.cause in AVOIDABLE,
            is_measured=one.question in measured,
        )
        for one in decided
        if one.cause and one.unit in codes
    ]
    return replace(encoded, causes=tuple(causes))


@dataclass(frozen=True, kw_only=True, eq=False)
class RaterRows:
    """One rater's judgements as codes, one column for each of `ROLES`, and the rater they were made of.

    `n_given` and `n_more` count judgements before fanning out, and after it those of units that were allocated;
    `n_fanned` those that `n_given` became, whatever they are about.
    """

    source: FoldedRater
    codes: Codes
    n_given: int
    n_fanned: int
    n_more: int


ROLES = ("unit", "shown", "question", "value", "first_slot", "guidelines")


@dataclass(frozen=True, slots=True)
class Said:
    """What an answer says of which units: codes of those parts that are measured, the units, and how many all are."""

    codes: list[tuple[int, ...]]
    units: Mapping[str, Mapping[str, str]]
    n: int


class Encoding:
    """The judgements of followed raters as columns; a rater who has not changed is not encoded again."""

    def __init__(self, study: Running, *, allocated: bool = False) -> None:
        """Nothing is encoded yet; with `allocated` all judgements will be that labels are made of."""
        self._description = study.description
        self._allocated = allocated
        self._kinds = JUDGED if allocated else frozenset({StepKind.MAIN})
        self._rows: dict[str, RaterRows] = {}
        self._places: dict[str, dict[str, int]] = {role: {} for role in ROLES}
        self._said: dict[tuple[str, str, str], Said] = {}
        self._units: dict[str, Mapping[str, str]] = {}

    def study(self, raters: Mapping[str, FoldedRater]) -> Study | None:
        """The study as it is now, raters in the order of their ids; None when nobody has judged anything."""
        for rater, source in sorted(raters.items()):
            if rater not in self._rows or self._rows[rater].source is not source:
                self._rows[rater] = self._encoded(source)
        rows = [self._rows[rater] for rater in sorted(raters) if len(self._rows[rater].codes)]
        if not rows:
            return None
        codes = dict(zip(ROLES, np.concatenate([one.codes for one in rows]).T, strict=True))
        columns = {role: in_order_of_appearance(codes[role], list(self._places[role])) for role in codes}
        owner = np.repeat(np.arange(len(rows)), [len(one.codes) for one in rows])
        units = [self._units[label] for label in columns["unit"].labels]
        people = [one.source.person.about for one in rows]
        known = self._description.measured
        scales = {
            asked.id: Declared(level=kind_of(asked).level, categories=kind_of(asked).categories(asked) or None)
            for asked in known
            if asked.id in columns["question"].labels
        }
        levels = {scale.level for scale in scales.values()}
        categories = {scale.categories for scale in scales.values()}
        return Study(
            name=str(self._description.folder / STUDY_FILE),
            unit=columns["unit"],
            rater=Column(codes=owner, labels=[one.source.person.rater for one in rows]),
            value=blank_out(columns["value"], {""}),
            question=columns["question"] if len(known) > 1 else None,
            attributes={
                **_spread(units, columns["unit"].codes),
                **_spread(people, owner, "rater_"),
                **where_told(columns["first_slot"], blank_out(columns["guidelines"], {""})),
            },
            # What all questions share is declared for all of them pooled; the level is guessed where they differ.
            level=levels.pop() if len(levels) == 1 else None,
            categories=categories.pop() if len(categories) == 1 else None,
            scales=scales,
            titles={asked.id: asked.title or asked.id for asked in known},
            clusters={self._description.shown: columns["shown"]},
            notes=_notes(self._description, [self._rows[rater] for rater in raters], allocated=self._allocated),
            models=tuple(one.id for one in self._description.raters if one.kind == MODEL),
        )

    def _encoded(self, source: FoldedRater) -> RaterRows:
        kinds, n_given, n_fanned, n_more = self._kinds, 0, 0, 0
        places = self._places["first_slot"], self._places["guidelines"]
        rows = list[tuple[int, ...]]()
        for judgement in source.cleaned.collected.judgements:
            if judgement.kind not in JUDGED:
                continue
            said = self._what_it_says(source.study, judgement)
            n_more += said.n if judgement.kind is not StepKind.MAIN else 0
            if judgement.kind in kinds:
                n_given, n_fanned = n_given + 1, n_fanned + said.n
                self._units.update(said.units)
                told = _code(places[0], judgement.first_slot), _code(places[1], judgement.guidelines)
                for said_of_one in said.codes:
                    rows.append(said_of_one + told)
        rows += self._missing(source)
        codes = np.array(rows, dtype=np.int64).reshape(-1, len(ROLES))
        return RaterRows(source=source, codes=codes, n_given=n_given, n_fanned=n_fanned, n_more=n_more)

    def _missing(self, source: FoldedRater) -> Iterator[tuple[int, ...]]:
        """What a model was asked and did not answer: rows without a value, which are counted as such."""
        if source.person.rater in source.cleaned.left_out:
            return
        nothing = _code(self._places["first_slot"], ""), _code(self._places["guidelines"], "")
        for one in source.unanswered:
            asked = source.study.description.question(one.question)
            kind = kind_of(asked)
            if one.kind not in self._kinds or kind.level is None or kind.measured(asked) != (asked,):
                continue
            for unit in units_shown(source.study, one.unit):
                self._units[unit.id] = unit.attributes
                said = {"unit": unit.id, "shown": one.unit, "question": one.question, "value": ""}
                yield (*(_code(self._places[role], text) for role, text in said.items()), *nothing)

    def _what_it_says(self, study: Running, judgement: Judgement) -> Said:
        """Raters say the same of the same again and again: it is looked up where the answer is a text."""
        is_text = type(judgement.value) is str
        place = (judgement.unit, judgement.question, judgement.value)
        if is_text and (found := self._said.get(place)) is not None:
            return found
        parts = list(said_by(study, judgement))
        measured = [part for part in parts if kind_of(part[1]).level is not None]
        shown = _code(self._places["shown"], judgement.unit) if measured else 0
        said = Said(
            codes=[
                (
                    _code(self._places["unit"], unit.id),
                    shown,
                    _code(self._places["question"], question.id),
                    _code(self._places["value"], as_text(question, value)),
                )
                for unit, question, value in measured
            ],
            units={unit.id: unit.attributes for unit, _, _ in measured},
            n=len(parts),
        )
        if is_text and measured:
            self._said[place] = said
        return said


def _code(places: dict[str, int], label: str) -> int:
    """The code of a label; a new one gets the next."""
    return places.setdefault(label, len(places))


def _spread(known: Sequence[Mapping[str, str]], owner: Codes, prefix: str = "") -> dict[str, Column]:
    """What is known about each owner as one column for each name, with a cell for each row."""
    found = {}
    for name in dict.fromkeys(name for about in known for name in about):
        column = encode(np.array([about.get(name, "") for about in known], dtype=object))
        found[f"{prefix}{name}"] = Column(codes=column.codes[owner], labels=column.labels)
    return found


def where_told(first_slot: Column, rounds: Column) -> dict[str, Column]:
    """What is known of how each answer was given, where there is something to know."""
    told = {"first_slot": first_slot} if any(first_slot.labels) else {}
    return told | ({ROUND: rounds} if len(rounds.labels) > 1 else {})


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


def _notes(description: Description, rows: list[RaterRows], *, allocated: bool) -> tuple[str, ...]:
    """What the reader should know: cleaning, fanning out, and questions that were left aside."""
    left_out = Counter[str]()
    for one in rows:
        left_out.update({step.reason: step.n_left_out for step in one.source.cleaned.flow})
    notes = [
        f"{counted(n, 'rater')} left out by the study's cleaning rules: {reason}" for reason, n in left_out.items() if n
    ]
    notes += losses([one.source.cleaned for one in rows])
    n_given, n_fanned, n_more = (sum(getattr(one, name) for one in rows) for name in ("n_given", "n_fanned", "n_more"))
    if n_fanned != n_given:
        notes.append(f"{description.becomes_many}: {n_given} judgements given, {n_fanned} after fanning out")
    if n_more and allocated:
        notes.append(f"{counted(n_more, 'judgement')} of them of units that were allocated for the answers they had")
    elif n_more:
        notes.append(
            f"{counted(n_more, 'judgement')} of allocated units left out: which units get them was decided by "
            f"earlier answers, so agreement is that of the planned judgements (labels, `{NAME} gold`, are made of all)"
        )
    aside = [question.id for question in description.measured if kind_of(question).level is None]
    if aside:
        notes.append(f"not measured here: {', '.join(aside)} (rankings, texts and spans; see `{NAME} export`)")
    return tuple(notes)
