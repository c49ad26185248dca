"""The table of judgements: one row for each unit, rater, question and trial.

Units with the same text were judged once; here the judgement is fanned out to every one of them. `judged_unit` names
the one that was shown, so both counts can be had. A choice among parses is fanned out too (see `fanning`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assent.collection.collected import Collected, Judgement
from assent.collection.fanning import fanned
from assent.collection.tabular import Cell, OutColumn, OutTable, tabulate
from assent.design.description import Question, Task, Unit
from assent.design.ordering import Kind
from assent.design.plan import Pair
from assent.design.showing import unit_shown
from assent.design.values import as_text


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A judgement of one unit, with everything around it."""

    judgement: Judgement
    unit: Unit
    question: Question
    pair: Pair | None
    about_rater: Mapping[str, str]


Column = OutColumn[Judged]

COMMON: tuple[Column, ...] = (
    Column("unit", "what was judged", lambda row: row.unit.id),
    Column("rater", "who judged", lambda row: row.judgement.rater),
    Column("question", "what was asked", lambda row: row.question.id),
    Column(
        "value",
        "the answer; several choices are joined by +, a ranking by >; patterns are given as their classes",
        lambda row: as_text(row.question, row.judgement.value),
    ),
    Column("words", "the words written into patterns, as pattern=word", lambda row: _words(row)),
    Column("kind", "main, or training, gold, repeat", lambda row: str(row.judgement.kind)),
    Column("trial", "1, or 2 when the item came a second time", lambda row: row.judgement.trial),
    Column("item", "the item the unit belongs to", lambda row: row.unit.item),
    Column("judged_unit", "the unit shown: units with the same text were judged once", lambda row: row.judgement.unit),
    Column("set", "the rater's set, from 1", lambda row: row.judgement.set_number + 1),
    Column("position", "the place of the page in the rater's session, from 1", lambda row: row.judgement.position),
    Column("seconds", "time on the page until the last answer", lambda row: row.judgement.seconds),
    Column("at", "when the last answer was given, by the rater's clock", lambda row: row.judgement.at),
    Column("n_given", "how often it was answered; more than once means changed", lambda row: row.judgement.n_given),
    Column("finished", "whether the rater went on", lambda row: "yes" if row.judgement.is_finished else "no"),
    Column("text", "the text that was shown", lambda row: row.unit.text or None),
)  # fmt: skip


def judgement_table(collected: Collected, name: str, meaning: str, *, is_main: bool = True) -> OutTable:
    """The judgements of main items, fanned out; or those of the others: training, gold and repeated items."""
    columns = [*COMMON, *_pair_columns(collected), *_unit_columns(collected), *_rater_columns(collected)]
    rows = (row for row in judged(collected) if (row.judgement.kind is Kind.MAIN) == is_main)
    return tabulate(name, meaning, columns, rows)


def judged(collected: Collected) -> Iterator[Judged]:
    """Every judgement with its unit, once for each unit with the same text."""
    study = collected.study
    questions = {question.id: question for question in study.description.questions}
    rows = {unit.id: unit for unit in study.description.rows}
    about = {person.rater: {**person.attributes, **person.described} for person in collected.people}
    for judgement in collected.judgements:
        shown = unit_shown(study.description, study.plan, judgement.unit)
        for id in shown.copies or (shown.id,):
            for unit, question, value in fanned(rows.get(id, shown), questions[judgement.question], judgement.value):
                yield Judged(
                    judgement=replace(judgement, value=value),
                    unit=unit,
                    question=question,
                    pair=study.plan.pair_by_id.get(judgement.unit),
                    about_rater=about[judgement.rater],
                )


def fan_out_counts(collected: Collected) -> tuple[int, int]:
    """How many judgements of main items were given, and how many they are after fanning out."""
    main = [judgement for judgement in collected.judgements if judgement.kind is Kind.MAIN]
    n_fanned = sum(row.judgement.kind is Kind.MAIN for row in judged(collected))
    return len(main), n_fanned


def _words(row: Judged) -> Cell:
    if row.question.task is not Task.PATTERNS:
        return None
    return "; ".join(f"{pattern}={word}" for pattern, word in sorted(row.judgement.value.items()))


def _names(mappings: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for mapping in mappings for name in mapping))


def _unit_columns(collected: Collected) -> list[Column]:
    """The attributes of units; a name that has another meaning here gets `unit_` before it."""
    taken = {column.name for column in COMMON}
    names = _names(unit.attributes for unit in collected.study.description.rows)
    names += ["sentence", "type"] if any(unit.parses for unit in collected.study.description.rows) else []
    return [
        Column(f"unit_{name}" if name in taken else name, "of the unit, from the units file", _unit_cell(name))
        for name in names
    ]


def _unit_cell(name: str) -> Any:
    return lambda row: row.unit.attributes.get(name)


def _rater_columns(collected: Collected) -> list[Column]:
    names = _names({**person.attributes, **person.described} for person in collected.people)
    meaning = "about the rater, from the study file or their own answers"
    return [Column(f"rater_{name}", meaning, _rater_cell(name)) for name in names]


def _rater_cell(name: str) -> Any:
    return lambda row: row.about_rater.get(name)


def _pair_columns(collected: Collected) -> list[Column]:
    """For planned pairs: what `assent weights` reads, and what A and B were."""
    if not collected.study.plan.pairs:
        return []
    units = collected.study.description.unit_by_id
    names = _names(unit.attributes for unit in collected.study.description.rows)
    columns = [
        Column("pair", "the pair, as in unit", lambda row: row.unit.id),
        Column("choice", "A, B or same, as in value", lambda row: as_text(row.question, row.judgement.value)),
        Column("first_slot", "which of A and B was shown first", lambda row: row.judgement.first_slot),
    ]
    for side in ("a", "b"):
        columns.append(Column(f"{side.upper()}_unit", "the unit", _side_cell(side, lambda unit: unit.id, units)))
        columns.append(Column(f"{side.upper()}_text", "its text", _side_cell(side, lambda unit: unit.text, units)))
        columns += [
            Column(f"{side.upper()}_{name}", "its attribute", _side_cell(side, _attribute(name), units))
            for name in names
        ]
    return columns


def _attribute(name: str) -> Any:
    return lambda unit: unit.attributes.get(name)


def _side_cell(side: str, get: Any, units: Mapping[str, Unit]) -> Any:
    return lambda row: get(units[getattr(row.pair, side)]) if row.pair is not None else None
