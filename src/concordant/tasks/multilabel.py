"""Several categories. Stored as `["noun", "verb"]`, written `noun+verb` in the order of the options, `∅` for none."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from concordant.model.columns import EMPTY_SET
from concordant.model.scale import Level
from concordant.tasks.kind import (
    Around,
    Fault,
    Form,
    Kind,
    is_list_of_text,
    is_nothing,
    option_problem,
    texts_in,
    too_few_options,
)
from concordant.tasks.question import Question, Unit, shared


class Multilabel(Kind):
    """As many categories as fit, up to `maximum`."""

    key, label = "multilabel", "one or more categories"
    settings = shared("options", "minimum", "maximum", "shuffle")
    begins: ClassVar[Mapping[str, Any]] = {"options": ["A", "B"]}
    level = Level.SET
    joint = "+"
    lists_answers = True

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Two categories or more, and a possible number of them."""
        return super().faults(question, around) + too_few_options(question)

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """Anything but different options, not too many."""
        if not is_list_of_text(value):
            return "expected a list of options"
        if len(set(value)) != len(value):
            return "an option is named twice"
        if question.maximum is not None and len(value) > question.maximum:
            return f"at most {question.maximum} may be chosen"
        return next((fault for chosen in value if (fault := option_problem(question, chosen))), None)

    def parse(self, question: Question, written: str) -> Any:
        """Joined by a plus."""
        return [] if written.strip() == EMPTY_SET else super().parse(question, written)

    def write(self, question: Question, value: Any) -> str:
        """Joined by a plus, in the order of the options."""
        return "+".join(option.value for option in question.options if option.value in value) or EMPTY_SET

    def from_form(self, form: Form, name: str, question: Question, unit: Unit) -> list[str] | None:
        """The boxes that are ticked."""
        ticked = [value for value in texts_in(form, name) if value]
        return ticked or ([] if is_nothing(form, name) else None)

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> list[str]:
        """What is there."""
        return [question.options[truth % len(question.options)].value]


KIND = Multilabel()
