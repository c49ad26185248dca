"""A number that is typed in. Stored as `62.5`, written `62.5`."""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from concordant.model.scale import Level
from concordant.tasks.kind import Around, Choice, Fault, Form, Kind
from concordant.tasks.question import TEXT, Question, Section, Setting, Unit, shared

UNIT_LABEL = Setting(TEXT, "words after a number, like kg or years", "")


class Number(Kind):
    """Any number, or one between two ends that the study names."""

    key, label = "number", "a number"
    settings: ClassVar[Section] = {**shared("low", "high"), "unit_label": UNIT_LABEL}
    level = Level.INTERVAL

    def ends(self, question: Question) -> tuple[float, float]:
        """The smallest and the largest number accepted."""
        return -math.inf if question.low is None else question.low, math.inf if question.high is None else question.high

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Ends that are apart."""
        low, high = self.ends(question)
        return [("low must be less than high", "swap them")] if low >= high else []

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """Anything but a number in the range."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            return "expected a number"
        low, high = self.ends(question)
        if low <= value <= high:
            return None
        if math.isinf(high):
            return f"expected a number from {low:g}"
        return f"expected a number {f'up to {high:g}' if math.isinf(low) else f'from {low:g} to {high:g}'}"

    def parse(self, question: Question, written: str) -> float:
        """A plain number."""
        return float(written)

    def write(self, question: Question, value: Any) -> str:
        """Without a needless decimal point."""
        return f"{value:.12g}"

    def from_program(self, said: Any, choices: Sequence[Choice]) -> Any:
        """A number, also one written as a text."""
        return float(said) if isinstance(said, str) else said

    def from_form(self, form: Form, name: str, question: Question, unit: Unit) -> Any:
        """The field's number, with a comma or a point; what is no number stays what was written."""
        text = super().from_form(form, name, question, unit)
        try:
            return None if text is None else float(text.replace(",", "."))
        except ValueError:
            return text

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> Any:
        """Somewhere near what is there."""
        return float(np.clip(truth % 10 + round(float(random.normal(0, 3 * (1 - care)))), *self.ends(question)))


KIND = Number()
