"""One point of a scale, whose options are in order. Stored as `"4"`, written `4`."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from concordant.model.scale import Level
from concordant.tasks.kind import SingleChoice
from concordant.tasks.question import Question, Unit, shared


class Ordinal(SingleChoice):
    """A point on a scale, with words at its ends."""

    key, label = "ordinal", "a point on a scale"
    settings = shared("options", "low_label", "high_label")
    begins: ClassVar[Mapping[str, Any]] = {"options": ["1", "2", "3", "4", "5"]}
    level = Level.ORDINAL

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> str:
        """What is there, or a point near by."""
        drawn = truth // 3 + round(float(random.normal(0, 1.6 * (1 - care))))
        return question.options[int(np.clip(drawn, 0, len(question.options) - 1))].value


KIND = Ordinal()
