"""The random orders of one participant: units, options, slots, where gold and repeated items come.

The draws depend on the plan's seed and the participant's id only, so they can be made again; the realised order is
nevertheless logged (event `assigned`), because what a participant saw is data.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np

from assent.design.description import Description, Question, Task
from assent.design.plan import Plan
from assent.randomness import generator


class Kind(StrEnum):
    """What a step is for. Raters are never told which steps are gold or repeated."""

    TRAINING = "training"
    MAIN = "main"
    GOLD = "gold"
    REPEAT = "repeat"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One page of judging: a unit (or pair) with the questions asked there, and the drawn orders.

    `number` counts the steps of the participant from 0 and is the step's key in events; `options` has, for questions
    whose options or patterns are shuffled, their order; `slots` says which of A and B of a pair comes first.
    """

    number: int
    unit: str
    questions: tuple[str, ...]
    kind: Kind = Kind.MAIN
    pass_number: int = 0
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    slots: tuple[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The step as the event `assigned` stores it."""
        return {
            "number": self.number,
            "unit": self.unit,
            "questions": list(self.questions),
            "kind": str(self.kind),
            "pass_number": self.pass_number,
            "options": {question: list(order) for question, order in self.options.items()},
            "slots": list(self.slots) if self.slots else None,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Step":
        """Read a stored step."""
        return cls(
            number=stored["number"],
            unit=stored["unit"],
            questions=tuple(stored["questions"]),
            kind=Kind(stored["kind"]),
            pass_number=stored["pass_number"],
            options={question: tuple(order) for question, order in stored["options"].items()},
            slots=(stored["slots"][0], stored["slots"][1]) if stored["slots"] else None,
        )


def schedule(description: Description, plan: Plan, rater: str, set_number: int) -> tuple[Step, ...]:
    """All steps of one participant in order: training first, then one pass per question, or one with all questions."""
    rng = generator(plan.seed, *stream(rater))
    passes = _passes(description)
    training = description.training.units if description.training else ()
    steps = [
        Step(number=0, unit=unit.id, questions=questions, kind=Kind.TRAINING)
        for unit in training
        for questions in passes
    ]
    for number, questions in enumerate(passes):
        steps += [
            Step(number=0, unit=unit, questions=questions, kind=kind, pass_number=number)
            for unit, kind in _pass_order(description, plan.sets[set_number], rng)
        ]
    return tuple(_drawn(description, replace(step, number=i), rng) for i, step in enumerate(steps))


def stream(rater: str) -> tuple[int, ...]:
    """Four integers that stand for a participant: equal ids give equal draws, others independent ones."""
    digest = hashlib.sha256(rater.encode()).digest()
    return tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))


def _passes(description: Description) -> list[tuple[str, ...]]:
    ids = tuple(question.id for question in description.questions)
    return [(id,) for id in ids] if description.presentation.passes else [ids]


def _pass_order(description: Description, units: Sequence[str], rng: np.random.Generator) -> list[tuple[str, Kind]]:
    """The units of one pass in random order, with gold items at random places and repeats `gap` or more later."""
    steps = [(unit, Kind.MAIN) for unit in units]
    if description.presentation.shuffle:
        steps = [steps[i] for i in rng.permutation(len(steps))]
    for unit in description.checks.gold:
        steps.insert(int(rng.integers(len(steps) + 1)), (unit.id, Kind.GOLD))
    return _with_repeats(steps, description.checks.repeats, description.checks.gap, rng)


def _with_repeats(steps: list[tuple[str, Kind]], n: int, gap: int, rng: np.random.Generator) -> list[tuple[str, Kind]]:
    main = [i for i, (_, kind) in enumerate(steps) if kind is Kind.MAIN and i + gap <= len(steps)]
    chosen = [steps[main[i]][0] for i in rng.permutation(len(main))[:n]]
    for unit in chosen:
        first = steps.index((unit, Kind.MAIN))
        steps.insert(int(rng.integers(first + gap, len(steps) + 1)), (unit, Kind.REPEAT))
    return steps


def _drawn(description: Description, step: Step, rng: np.random.Generator) -> Step:
    """The step with its shuffled options and slots."""
    questions = [description.question(id) for id in step.questions]
    options = {question.id: _shuffled(_choices(question), rng) for question in questions if question.shuffle}
    if not any(question.task is Task.PAIRWISE for question in questions):
        return replace(step, options=options)
    swapped = description.presentation.shuffle_slots and bool(rng.integers(2))
    return replace(step, options=options, slots=("B", "A") if swapped else ("A", "B"))


def _choices(question: Question) -> tuple[str, ...]:
    return tuple(p.id for p in question.patterns) or tuple(option.value for option in question.options)


def _shuffled(values: tuple[str, ...], rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(values[i] for i in rng.permutation(len(values)))
