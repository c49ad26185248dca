"""The features of responses as numbers: what raters answered, made one value for each unit and question.

The value is that of most raters, what adjudicators decided (or all agree on), or one rater's own. Words for yes and no
become 1 and 0. A unit whose value is undecided for some feature (a tie, a dispute that nobody decided, no answer) has
no vector; it is counted and named, never guessed.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from concordant.arrays import Floats
from concordant.diagnosis.findings import named
from concordant.diagnosis.material import Material, materials
from concordant.digits import brief, counted
from concordant.errors import InputError, MissingExtra, nearest
from concordant.files import written_whole
from concordant.gold.by_models import Method
from concordant.gold.cells import in_numbers
from concordant.gold.standard import gold_standard
from concordant.model.study import Study
from concordant.model.tabular import TabularResult
from concordant.readers.data import any_table, as_study
from concordant.readers.study_folder import is_study

ITEM_NAMES = ("item", "item_id", "prompt", "task")
MOST_SHOWN = 20
OF_THE_RATING = frozenset(
    {"words", "kind", "trial", "judged_unit", "set", "position", "seconds", "at", "n_given", "finished"}
)
"""Columns of an export that are about how an answer was given."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Vectors(TabularResult):
    """`values[u, f]` is feature f of unit u, not a number where it is undecided; `basis` says where values come from.

    `about` has further columns that are known of the units.
    """

    COLUMNS: ClassVar = {"unit": "Unit", "item": "Item"}

    features: tuple[str, ...]
    units: tuple[str, ...]
    items: tuple[str, ...]
    values: Floats
    basis: str
    about: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """How many units have a vector."""
        n = int(self.is_known.sum())
        return f"<{n:,} of {counted(len(self.units), 'unit')} with {', '.join(self.features)}, {self.basis}>"

    @property
    def is_known(self) -> Any:
        """Which units have a value of every feature."""
        return ~np.isnan(self.values).any(axis=1)

    @property
    def n_distinct(self) -> int:
        """How many different vectors there are."""
        return len(np.unique(self.values[self.is_known], axis=0))

    def rows(self) -> list[dict[str, Any]]:
        """One for each unit; None where a feature is undecided."""
        cells = [[None if np.isnan(cell) else cell for cell in row] for row in self.values.tolist()]
        known = zip(self.units, self.items, cells, strict=True)
        return [{"unit": unit, "item": item, **dict(zip(self.features, row, strict=True))} for unit, item, row in known]

    def first_rows(self) -> list[dict[str, Any]]:
        """The first units."""
        return self.rows()[:MOST_SHOWN]

    def to_csv(self, path: str | Path) -> None:
        """The units that have a vector, as the units file of a preference test."""
        names = ["id", "item", *self.about, *self.features]
        rows = zip(self.units, self.items, *self.about.values(), self.values.tolist(), self.is_known, strict=True)
        with written_whole(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([*told, *map(brief, vector)] for *told, vector, is_known in rows if is_known)


def feature_vectors(
    data: Any,
    *,
    values: str | None = None,
    features: Sequence[str] | None = None,
    item: str | None = None,
    decisions: "str | Path | UnitSource | None" = None,
    **reading: Any,
) -> Vectors:
    """The vector of every unit: from a study's folder, its export, or whatever else holds judgements.

    `values` is `votes`, `adjudicated` or the name of a rater; unless said, what was adjudicated if anything was, else
    votes. `decisions` is the folder of the study, or the table of decisions that an export writes, or what is
    known already. `features` are the questions to take (else all whose answers are numbers, or yes and no), `item` the
    column that units belong to.
    """
    study = as_study(data, **reading)
    where = decisions if decisions is not None else data if isinstance(data, str | Path) and is_study(data) else None
    source = where if isinstance(where, UnitSource) else _source(study, where, item)
    parts, notes = _features(study, features)
    chosen = values or (Method.ADJUDICATED if any(source.decided.values()) else Method.VOTES)
    if chosen == Method.ADJUDICATED and not source.decided:
        raise InputError("nothing was adjudicated", hint="name the decisions, take votes, or one rater")
    if chosen not in (Method.VOTES, Method.ADJUDICATED, *study.raters):
        known = [Method.VOTES.value, Method.ADJUDICATED.value, *study.raters]
        raise InputError(f"there are no values {chosen!r}", hint=nearest(chosen, known))
    units = tuple(map(str, study.unit.labels))
    words: dict[str, str] = {Method.VOTES: "by votes", Method.ADJUDICATED: "adjudicated or unanimous"}
    found = [_numbers(part, name, chosen, source.decided.get(name, {})) for name, part in parts.items()]
    matrix = np.array([[one.get(unit, np.nan) for one in found] for unit in units])
    return Vectors(
        features=tuple(parts),
        units=units,
        items=tuple(source.item.get(unit, unit) for unit in units),
        values=matrix,
        basis=words.get(chosen, f"as {chosen} says"),
        about={name: tuple(cells.get(unit, "") for unit in units) for name, cells in source.about.items()},
        notes=(*study.notes, *notes, *_undecided(tuple(parts), units, matrix)),
    )


@dataclass(frozen=True, kw_only=True)
class UnitSource:
    """What is known beside the judgements: the item of each unit, further cells, the decisions by question and unit."""

    item: Mapping[str, str]
    about: Mapping[str, Mapping[str, str]]
    decided: Mapping[str, Mapping[str, str]]


def _source(study: Study, where: str | Path | None, item: str | None) -> UnitSource:
    """From a study's own files and log, or from what stands beside the judgements."""
    if where is None or not is_study(where):
        return _units_of_table(study, where, item)
    try:
        from concordant.gold.settled import open_settled, unit_source
    except ModuleNotFoundError as error:
        raise MissingExtra("reading a study's log", "web") from error
    settled = open_settled(where)
    return unit_source(settled.study, settled.decisions)


def _units_of_table(study: Study, decisions: str | Path | None, item: str | None) -> UnitSource:
    """From the columns beside the judgements; an export says in `judged_unit` which unit was shown and decided on."""
    known = Material(question=None, study=replace(study, question=None)).unit_attributes
    cells = {name: dict(zip(study.unit.labels, column.text().tolist(), strict=True)) for name, column in known.items()}
    if item is not None and item not in cells:
        what = "the item of a unit is not the same in all its rows" if item in study.attributes else "no such column"
        raise InputError(what, file=study.name, column=item, hint=nearest(item, list(cells)))
    names = {name.casefold(): name for name in reversed(list(cells))}
    chosen = item or next((names[usual] for usual in ITEM_NAMES if usual in names), None)
    decided = dict[str, dict[str, str]]()
    if decisions is not None:
        table = any_table(decisions)
        columns = [table.column(name).text().tolist() for name in ("unit", "question", "value", "holds")]
        shown = {
            (unit, question): value for unit, question, value, holds in zip(*columns, strict=True) if holds != "no"
        }
        copies = cells.get("judged_unit", {})
        for question in {question for _, question in shown}:
            places = {unit: (copies.get(unit, unit), question) for unit in study.unit.labels}
            decided[question] = {unit: shown[place] for unit, place in places.items() if place in shown}
    return UnitSource(
        item=dict.fromkeys(study.unit.labels, "all") if chosen is None else cells.pop(chosen),
        about={name: own for name, own in cells.items() if name not in OF_THE_RATING},
        decided=decided,
    )


def by_question(study: Study) -> dict[str, Material]:
    """Each question by its name; a study without questions has one called "value"."""
    return {part.question or next(iter(study.questions), "value"): part for part in materials(study)}


def _features(study: Study, wanted: Sequence[str] | None) -> tuple[dict[str, Material], list[str]]:
    """The questions that are features, and what is said of the others."""
    parts = by_question(study)
    if wanted is not None:
        if unknown := next((name for name in wanted if name not in parts), None):
            raise InputError(f"there is no question for the feature {unknown!r}", hint=nearest(unknown, list(parts)))
        return {name: parts[name] for name in wanted}, []
    found = {name: part for name, part in parts.items() if in_numbers(part.scale.categories) is not None}
    if not found:
        raise InputError("no question is answered by numbers, or by yes and no", file=study.name)
    aside = [name for name in parts if name not in found]
    return found, [f"no feature, since its answers are no numbers: {name}" for name in aside]


def _numbers(part: Material, name: str, chosen: str, decided: Mapping[str, str]) -> dict[str, float]:
    """The value of each unit that has one, as a number."""
    methods = (Method.VOTES, Method.ADJUDICATED)
    data = part.judgements if chosen in methods else part.study.where("rater", [chosen]).judgements()
    standard = gold_standard(data, Method(chosen) if chosen in methods else Method.VOTES, decided)
    labels = list(dict.fromkeys([*standard.categories, *decided.values()]))
    numbers = in_numbers(labels)
    if numbers is None:
        raise InputError(f"the answers to {name!r} are no numbers, nor yes and no", hint=f"values: {named(labels)}")
    of = dict(zip(labels, numbers.tolist(), strict=True))
    return {one.unit: of[one.value] for one in standard.values if one.value is not None}


def _undecided(features: tuple[str, ...], units: tuple[str, ...], values: Floats) -> list[str]:
    """Units without a vector, and why it matters."""
    lacking = np.isnan(values)
    if not lacking.any():
        return []
    whole = [units[place] for place in np.flatnonzero(lacking.any(axis=1)).tolist()]
    worst = ", ".join(f"{name} {n:,}" for name, n in zip(features, lacking.sum(axis=0).tolist(), strict=True) if n)
    return [f"{counted(len(whole), 'unit')} without a vector, left out ({worst} undecided): {named(whole)}"]
