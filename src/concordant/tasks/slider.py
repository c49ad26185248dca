"""A place between two ends. Stored as `62.5`, written `62.5`."""

from typing import Any

import numpy as np

from concordant.tasks.kind import Around, Fault
from concordant.tasks.number import Number
from concordant.tasks.question import Question, Unit, shared


class Slider(Number):
    """A number chosen with a slider, from 0 to 100 unless the study says otherwise."""

    key, label = "slider", "a slider from 0 to 100"
    settings = shared("low", "high", "step", "low_label", "high_label")

    def ends(self, question: Question) -> tuple[float, float]:
        """The low end and the high end."""
        return 0.0 if question.low is None else question.low, 100.0 if question.high is None else question.high

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Ends that are apart, and a step."""
        wrong = [("step must be more than 0", "use 1 or a smaller part")] if question.step <= 0 else []
        return super().faults(question, around) + wrong

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> Any:
        """Somewhere near what is there."""
        return float(np.clip(round(10.0 * (truth % 10) + float(random.normal(0, 8))), *self.ends(question)))


KIND = Slider()
