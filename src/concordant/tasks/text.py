"""Free text. Stored and written as it is."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from concordant.tasks.kind import Choice, Kind
from concordant.tasks.question import Question, Unit, normalised, shared


class Text(Kind):
    """Any words, in one line or several."""

    key, label = "text", "free text"
    settings = shared("max_length")
    is_free_text = True

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """Anything but a text, or too long a one."""
        if not isinstance(value, str):
            return "expected a text"
        return f"at most {question.max_length} characters" if len(value) > question.max_length else None

    def is_enough(self, question: Question, value: Any) -> bool:
        """Something besides spaces."""
        return bool(str(value).strip())

    def from_program(self, said: Any, choices: Sequence[Choice]) -> Any:
        """As it is."""
        return said

    def same(self, question: Question, expected: Any, value: Any) -> bool:
        """After normalisation."""
        return normalised(str(value or "")) == normalised(str(expected))

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> str:
        """Always the same."""
        return "an invented answer"


KIND = Text()
