"""The better of two, or neither. Stored as `"A"`, `"B"` or `"same"`: the pair's own A and B, whatever the slots."""

from collections.abc import Sequence

import numpy as np

from concordant.tasks.kind import Around, Choice, Fault, SingleChoice
from concordant.tasks.question import Option, Question, Unit, shared


class Pairwise(SingleChoice):
    """Two texts, of which one is chosen."""

    key = "pairwise"
    settings = shared("options")
    options = (
        Option(value="A", label="A", key="a"),
        Option(value="B", label="B", key="b"),
        Option(value="same", label="Same / unsure", key="s"),
    )
    compares = True

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Two texts, and A and B among the options."""
        faults = []
        if not around.has_pairs and any(len(unit.alternatives) != 2 for unit in around.units):
            faults.append(("there is nothing to compare", "add [pairs], or two columns as alternatives in [units]"))
        if not {"A", "B"} <= {option.value for option in question.options}:
            faults.append(("the options must include A and B", "leave options out for A, B and same"))
        return faults

    def choices(
        self, question: Question, unit: Unit, order: Sequence[str] | None, slots: tuple[str, str] | None
    ) -> list[Choice]:
        """The two texts in the slots drawn, then whatever else may be said (that they are the same)."""
        slots = slots or ("A", "B")
        texts = [
            Choice(
                value=slot, label=unit.alternatives[slot], keys=f"{number} {arrow}", key_shown=str(number), is_text=True
            )
            for number, slot, arrow in zip((1, 2), slots, ("ArrowLeft", "ArrowRight"), strict=True)
        ]
        others = [option for option in question.options if option.value not in slots]
        return texts + [Choice.numbered(option, number) for number, option in enumerate(others, start=3)]

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> str:
        """The longer text, mostly; now and then the other, or neither."""
        longer = "A" if len(unit.alternatives["A"]) >= len(unit.alternatives["B"]) else "B"
        drawn = random.random()
        if drawn < 0.1:
            return "same"
        return longer if drawn < 0.1 + 0.9 * care else ("B" if longer == "A" else "A")


KIND = Pairwise()
