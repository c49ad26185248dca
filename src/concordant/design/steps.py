"""The random orders of one participant: units, options, slots, where gold and repeated items come.

The draws depend on the plan's seed, the participant's id and the layout of the study when they came, and on nothing
else: they are made when they are needed. The layout is logged (event `assigned`), because what a participant saw is
data.
"""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any
from weakref import ref

import numpy as np

from concordant.arrays import Ints
from concordant.design.description import Description
from concordant.design.plan import Plan
from concordant.memory import one_of_many
from concordant.randomness import generator
from concordant.tasks.kind import kind_of

ORDERS, SETS = 2, 1  # what a participant's draws are for


class StepKind(StrEnum):
    """What a step is for. Raters are never told which steps are gold or repeated."""

    TRAINING = "training"
    MAIN = "main"
    ADAPTIVE = "adaptive"  # a main item that was chosen for the answers it had
    GOLD = "gold"
    REPEAT = "repeat"


JUDGED = frozenset({StepKind.MAIN, StepKind.ADAPTIVE})
"""What a study is about; the rest watches over it."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One page of judging: a unit (or pair) with the questions asked there, and the drawn orders.

    `number` counts the steps of the participant from 0 and is the step's key in events; `options` has, for questions
    whose options or patterns are shuffled, their order; `slots` says which of A and B of a pair comes first.
    """

    number: int
    unit: str
    questions: tuple[str, ...]
    kind: StepKind = StepKind.MAIN
    pass_number: int = 0
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    slots: tuple[str, str] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The step as the event `assigned` stores it."""
        plain: dict[str, Any] = json.loads(json.dumps(self.__dict__))
        return plain

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Step":
        """Read a stored step."""
        made = {
            "questions": tuple(stored["questions"]),
            "kind": StepKind(stored["kind"]),
            "options": {question: tuple(order) for question, order in stored["options"].items()},
            "slots": tuple(stored["slots"]) if stored["slots"] else None,
        }
        return cls(**{**stored, **made})


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What the orders of a participant are drawn from, beside the units of their set: as the study was when they came.

    `passes` are the questions of each; `options` has the values of questions whose options or patterns are shuffled;
    `compared` are the questions about pairs. The event `assigned` keeps it, so that a study file that is changed later
    changes nothing for those who came before.
    """

    passes: tuple[tuple[str, ...], ...]
    training: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    repeats: int = 0
    gap: int = 10
    shuffle: bool = True
    shuffle_slots: bool = True
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compared: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The layout as the event `assigned` stores it."""
        plain: dict[str, Any] = json.loads(json.dumps(self.__dict__))
        return plain

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Layout":
        """Read a stored layout."""
        made = {name: tuple(stored[name]) for name in ("training", "gold", "compared")}
        options = {question: tuple(values) for question, values in stored["options"].items()}
        return cls(**{**stored, **made, "passes": tuple(map(tuple, stored["passes"])), "options": options})


def layout_of(description: Description) -> Layout:
    """The layout of a study as it is now: one pass per question, or one with all questions."""
    ids = tuple(question.id for question in description.questions)
    shown, checks = description.presentation, description.checks
    shuffled = [question for question in description.questions if question.shuffle]
    return Layout(
        passes=tuple((id,) for id in ids) if shown.passes else (ids,),
        training=tuple(unit.id for unit in description.training.units) if description.training else (),
        gold=tuple(unit.id for unit in checks.gold),
        repeats=checks.repeats,
        gap=checks.gap,
        shuffle=shown.shuffle,
        shuffle_slots=shown.shuffle_slots,
        options={
            one.id: tuple(part.id for part in one.patterns) or tuple(option.value for option in one.options)
            for one in shuffled
        },
        compared=tuple(one.id for one in description.questions if kind_of(one).compares),
    )


class Steps(Sequence[Step]):
    """All steps of one participant; `stretches` are the numbers of the steps in parts: training, then each pass."""

    stretches: tuple[range, ...]
    n_asked: int
    """How many questions about main items there are to answer."""
    has_gold: bool
    """Whether there are items with known answers among them."""

    def end_of_round(self, n_rounds: int) -> int:
        """The number of the first step after so many rounds; orders that know none are of one."""
        return len(self)


class StoredSteps(Steps):
    """Steps as they were logged one by one, by versions before the orders were derived."""

    def __init__(self, steps: Sequence[Step]) -> None:
        """In their order."""
        self._steps = tuple(steps)
        keys = [(step.kind is StepKind.TRAINING, step.pass_number) for step in self._steps]
        begins = [i for i, key in enumerate(keys) if i == 0 or key != keys[i - 1]]
        self.stretches = tuple(range(i, j) for i, j in pairwise([*begins, len(keys)]))
        self.n_asked = sum(len(step.questions) for step in self._steps if step.kind in JUDGED)
        self.has_gold = any(step.kind is StepKind.GOLD for step in self._steps)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._steps)

    def __getitem__(self, place: Any) -> Any:
        """The step with this number."""
        return self._steps[place]


class DrawnSteps(Steps):
    """Steps that are derived from seed, participant and layout when they are asked for: training, then pass by pass.

    Nothing is kept but the layout and the steps that were looked at: a hundred thousand units cost a participant no
    more than a hundred.
    """

    def __init__(
        self,
        layout: Layout,
        units: Sequence[str],
        seed: int,
        rater: str,
        rounds: Sequence[int] | None = None,
        kind: StepKind = StepKind.MAIN,
    ) -> None:
        """Of the units of one set, or those that were allocated; the first so many are of the first round, and so on.

        `kind` is that of the steps with units.
        """
        self._kind = kind
        self.layout, self._units, self._seed, self._stream = layout, units, seed, stream(rater)
        self._rounds = shared_out((len(units),) if rounds is None else rounds, layout)
        self.has_gold = bool(layout.gold)
        self._made: dict[int, Step] = {}
        self._last = -2, ref(NOTHING_DRAWN)
        n_training = len(layout.training) * len(layout.passes)
        n_options = tuple((question, len(values)) for question, values in layout.options.items())
        self._drawn_from = (layout.gap, layout.shuffle, n_training, n_options)
        ends = [0, n_training]
        for number in range(len(layout.passes) * len(self._rounds)):
            ends.append(ends[-1] + len(self._draws(number).codes))
        self._begins = tuple(ends[1:-1])
        self.stretches = tuple(range(i, j) for i, j in pairwise(ends) if j > i)
        self.n_asked = len(units) * sum(map(len, layout.passes))

    def __len__(self) -> int:
        """How many there are."""
        return self.stretches[-1].stop if self.stretches else 0

    def __getitem__(self, place: Any) -> Any:
        """The step with this number, or several of them."""
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        if (made := self._made.get(place)) is None:
            number = range(len(self))[place]
            made = self._made[number] = self._derived(number)
        return made

    def _derived(self, number: int) -> Step:
        if number < self._begins[0]:
            unit, part = divmod(number, len(self.layout.passes))
            known = (self.layout.training[unit], StepKind.TRAINING, 0, self.layout.passes[part])
            return self._step(number, *known, self._draws(TRAINING_DRAWS), number)
        of_pass = bisect_right(self._begins, number) - 1
        within, found = number - self._begins[of_pass], self._draws(of_pass)
        in_round, asked = divmod(of_pass, len(self.layout.passes))
        of_round = self._rounds[in_round]
        code, n = int(found.codes[within]), of_round.n_units
        unit_id = self.layout.gold[of_round.gold[-code - 1]] if code < 0 else self._units[of_round.first + code % n]
        kind = StepKind.GOLD if code < 0 else self._kind if code < n else StepKind.REPEAT
        return self._step(number, unit_id, kind, of_pass, self.layout.passes[asked], found, within)

    def end_of_round(self, n_rounds: int) -> int:
        """The number of the first step after so many rounds."""
        place = n_rounds * len(self.layout.passes)
        return self._begins[place] if place < len(self._begins) else len(self)

    def __eq__(self, other: object) -> bool:
        """Whether the same steps come in the same order."""
        return isinstance(other, DrawnSteps) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        """By participant."""
        return hash((self._seed, self._stream))

    def _draws(self, of_pass: int) -> "Draws":
        """What was drawn for a pass: what was looked at last while it is remembered, which is soon told."""
        last, known = self._last
        if last != of_pass or (found := known()) is None:
            part = self._rounds[max(0, of_pass) // len(self.layout.passes)]
            sizes = (part.n_units, len(part.gold), part.repeats)
            found = draws(self._seed, self._stream, of_pass, *sizes, *self._drawn_from)
            self._last = of_pass, ref(found)
        return found

    def _step(
        self, number: int, unit: str, kind: StepKind, pass_number: int, asked: tuple[str, ...], found: "Draws", row: int
    ) -> Step:
        """A step with the orders drawn for it: the row of a pass (or of the training)."""
        layout = self.layout
        options: dict[str, tuple[str, ...]] = {}
        if layout.options:  # most studies shuffle none
            shuffled = [question for question in asked if question in layout.options]
            options = {one: tuple(layout.options[one][i] for i in found.options[one][row]) for one in shuffled}
        slots: tuple[str, str] | None = None
        if layout.compared and not set(asked).isdisjoint(layout.compared):
            slots = ("B", "A") if layout.shuffle_slots and found.swapped[row] else ("A", "B")
        return one_of_many(
            Step,
            {
                "number": number,
                "unit": unit,
                "questions": asked,
                "kind": kind,
                "pass_number": pass_number,
                "options": options,
                "slots": slots,
            },
        )


@dataclass(frozen=True)
class Round:
    """What of a set comes in one round: units from `first` on, the numbers of its gold items, repeated items."""

    first: int
    n_units: int
    gold: range
    repeats: int


def shared_out(sizes: Sequence[int], layout: Layout) -> tuple[Round, ...]:
    """The rounds of a set: gold items one by one to those with units, repeated items as evenly as they can be."""
    found: list[Round] = []
    n_used, n, begin = sum(size > 0 for size in sizes) or 1, 0, 0
    for size in sizes:
        if size or len(sizes) == 1:
            repeats = layout.repeats * (n + 1) // n_used - layout.repeats * n // n_used
            found.append(Round(begin, size, range(n, len(layout.gold), n_used), repeats))
            n += 1
        else:
            found.append(Round(begin, 0, range(0), 0))
        begin += size
    return tuple(found)


TRAINING_DRAWS = -1


@dataclass(frozen=True)
class Draws:
    """What was drawn for one pass: what comes when, which slots are swapped, the orders of options.

    A code below 0 is a gold item, below the number of units that unit, above it a repetition.
    """

    codes: Ints
    swapped: Ints
    options: Mapping[str, Ints]


NOTHING_DRAWN = Draws(codes=np.array([], dtype=np.int64), swapped=np.array([], dtype=np.int64), options={})


@lru_cache(maxsize=128)
def draws(
    seed: int,
    rater: tuple[int, ...],
    of_pass: int,
    n_units: int,
    n_gold: int,
    repeats: int,
    gap: int,
    shuffle: bool,
    n_training: int,
    n_options: tuple[tuple[str, int], ...],
) -> Draws:
    """The draws of a pass: units in random order, gold at random places, repeats `gap` or more later.

    They depend on nothing else, so they are forgotten and made again as memory allows.
    """
    rng = generator(seed, *rater, ORDERS, of_pass + 1)
    codes = np.arange(n_training if of_pass == TRAINING_DRAWS else n_units)
    if of_pass != TRAINING_DRAWS:
        codes = rng.permutation(codes) if shuffle else codes
        for number in range(n_gold):
            codes = np.insert(codes, int(rng.integers(len(codes) + 1)), -number - 1)
        main = np.flatnonzero(codes[: max(0, len(codes) - gap + 1)] >= 0)
        for code in codes[main[rng.permutation(len(main))[:repeats]]].tolist():
            first = int(np.flatnonzero(codes == code)[0])
            codes = np.insert(codes, int(rng.integers(first + gap, len(codes) + 1)), code + n_units)
    swapped = rng.integers(2, size=len(codes))
    rows = {question: np.tile(np.arange(n), (len(codes), 1)) for question, n in n_options}
    return Draws(codes, swapped, {question: rng.permuted(row, axis=1) for question, row in rows.items()})


def schedule(description: Description, plan: Plan, rater: str, set_number: int) -> DrawnSteps:
    """All steps of one participant in order, as the study is now."""
    return steps_of_set(plan, set_number, layout_of(description), rater)


def steps_of_set(plan: Plan, set_number: int, layout: Layout, rater: str) -> DrawnSteps:
    """All steps of one participant with a set of the plan, round by round."""
    return DrawnSteps(layout, plan.sets[set_number], plan.seed, rater, plan.round_sizes(set_number))


def stream(rater: str) -> tuple[int, ...]:
    """Four integers that stand for a participant: equal ids give equal draws, others independent ones."""
    digest = hashlib.sha256(rater.encode()).digest()
    return tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))


def least_filled(plan: Plan, rater: str, filled: Mapping[int, int]) -> int:
    """The set with the fewest participants, whoever dropped out not counted; among equals one at random."""
    counts = [filled.get(i, 0) for i in range(plan.n_offered or len(plan.sets))]
    least = min(counts)
    candidates = [i for i, count in enumerate(counts) if count == least]
    return candidates[int(generator(plan.seed, *stream(rater), SETS).integers(len(candidates)))]
