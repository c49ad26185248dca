"""One of two: yes or no unless the study names others. Stored as `"yes"`, written `yes`."""

import numpy as np

from concordant.tasks.kind import YES_OR_NO, Around, Fault, SingleChoice
from concordant.tasks.question import Question, Unit, shared


class Binary(SingleChoice):
    """Yes or no, with "Not sure" between them where it is allowed."""

    key, label = "binary", "Yes or No"
    settings = shared("options")
    options = YES_OR_NO
    defers_among_options = True

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Two options, no more and no less."""
        if len(question.options) == 2:
            return []
        return [("there must be two options", "leave options out for yes and no")]

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> str:
        """Two of three units are a yes."""
        return question.options[(0 if truth % 3 else 1) ^ int(random.random() > care)].value


KIND = Binary()
