"""What a study's folder holds that other steps go on with: what adjudicators decided, which response was preferred."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from concordant.arrays import Floats
from concordant.collection.collected import FoldedRater
from concordant.collection.disputes import Adjudication, Decision, Place
from concordant.collection.folding import LiveFold
from concordant.collection.opened_study import open_study
from concordant.collection.session import Running
from concordant.errors import InputError
from concordant.gold.cells import in_numbers
from concordant.gold.feature_values import UnitSource, Vectors
from concordant.gold.weights import CHOICES, Preferences
from concordant.model.columns import encode
from concordant.tasks.kind import as_text, kind_of
from concordant.tasks.question import Unit


@dataclass(frozen=True, kw_only=True, eq=False)
class Settled:
    """A study as far as its log goes, and the decisions that hold."""

    study: Running
    raters: tuple[FoldedRater, ...]
    decisions: Mapping[Place, Decision]


def open_settled(path: str | Path) -> Settled:
    """Read a study's log."""
    with open_study(Path(path)) as (log, study):
        fold = LiveFold(log, study)
        fold.update()
        decisions = Adjudication(log).current(study.description.name)
    return Settled(study=study, raters=tuple(fold.raters[rater] for rater in sorted(fold.raters)), decisions=decisions)


def decided_values(study: Running, decisions: Mapping[Place, Decision], question: str) -> dict[str, str]:
    """The adjudicated values as text, for every unit with the text that was shown."""
    asked, found = study.description.question(question), dict[str, str]()
    for (unit, about), decision in decisions.items():
        if about == question:
            shown = study.unit(unit)
            rows = [replace(shown, id=id) for id in shown.copies or (unit,)]
            parts = [part for row in rows for part in kind_of(asked).judgements(row, asked, decision.value)]
            found |= {part.id: as_text(by, value) for part, by, value in parts if by.id == question}
    return found


def unit_source(study: Running, decisions: Mapping[Place, Decision]) -> UnitSource:
    """What is known of a study's units beside the judgements, and what was decided on them."""
    asked = {question for _, question in decisions}
    return UnitSource(
        item={unit.id: unit.item for unit in study.description.rows},
        about=shown_cells(study.description.rows),
        decided={question: decided_values(study, decisions, question) for question in asked},
    )


def item_vectors(study: Running) -> Vectors:
    """The features that the items of a preference test brought along."""
    pairing, units = study.description.pairing, study.description.units
    if pairing is None:
        raise InputError("this study has no pairs", hint="a preference test has a table [pairs] in its study file")
    return Vectors(
        features=pairing.vector,
        units=tuple(unit.id for unit in units),
        items=tuple(unit.item for unit in units),
        values=features_of([unit.attributes for unit in units], pairing.vector),
        basis="as the items say",
    )


def preferences_of(study: Running, raters: Iterable[FoldedRater]) -> Preferences:
    """The decisions on the plan's pairs, with the features of both responses."""
    pairing, units = study.description.pairing, study.description.unit_by_id
    if pairing is None:
        hint = "a preference test has a table [pairs] in its study file"
        raise InputError("this study has no pairs", hint=hint)
    rows = [row for one in raters for row in one.judged if row.pair is not None]
    if not rows:
        raise InputError("no pair has been decided yet", hint="wait for answers")
    first, second = (
        features_of([units[getattr(row.pair, side)].attributes for row in rows], pairing.vector) for side in "ab"
    )
    chosen = [CHOICES.get(str(row.judgement.value).casefold(), 0) for row in rows]
    return Preferences(
        features=pairing.vector,
        pair=encode([row.unit.id for row in rows]),
        rater=encode([row.judgement.rater for row in rows]),
        choice=np.array(chosen, dtype=np.int64),
        first=first,
        second=second,
        units=(encode([row.pair.a for row in rows if row.pair]), encode([row.pair.b for row in rows if row.pair])),
    )


def features_of(attributes: list[Mapping[str, str]], names: tuple[str, ...]) -> Floats:
    """The features of units as numbers."""
    columns = []
    for name in names:
        numbers = in_numbers([about.get(name, "") for about in attributes])
        if numbers is None:
            raise InputError(f"the feature {name!r} is not a number everywhere", hint="use 1 and 0 in the units file")
        columns.append(numbers)
    return np.column_stack(columns)


def shown_cells(rows: Iterable[Unit]) -> dict[str, dict[str, str]]:
    """What is known of units, by column and unit: text, prompt, pictures, attributes; no empty columns."""
    found = dict[str, dict[str, str]]()
    for unit in rows:
        media = {"image": unit.image, "audio": unit.audio}
        cells = {"text": unit.text, "prompt": unit.prompt}
        for name, medium in media.items():
            cells |= {name: medium.path, f"{name}_alt": medium.alt} if medium else {}
        for name, cell in {**cells, **unit.attributes}.items():
            found.setdefault(name, {})[unit.id] = cell
    return {name: own for name, own in found.items() if any(own.values())}
