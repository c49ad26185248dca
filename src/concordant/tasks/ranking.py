"""An order, best first. Stored as `["b", "a", "c"]`, written `b>a>c`."""

from typing import Any

import numpy as np

from concordant.tasks.kind import Around, Fault, Form, Kind, is_list_of_text
from concordant.tasks.question import Question, Unit, shared


class Ranking(Kind):
    """The options, or the texts of the unit, put in order."""

    key = "ranking"
    settings = shared("options", "shuffle")
    lists_answers = True
    joint = ">"

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Two to rank or more."""
        has_several = len(question.options) >= 2 or all(len(unit.alternatives) >= 2 for unit in around.units)
        missing = ("there is nothing to rank", "list options, or columns as alternatives in [units]")
        return [] if has_several else [missing]

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """Anything but all of them once."""
        ranked = [option.value for option in question.options] or list(unit.alternatives)
        if not is_list_of_text(value) or sorted(value) != sorted(ranked):
            return f"expected each of {', '.join(ranked)} exactly once"
        return None

    def write(self, question: Question, value: Any) -> str:
        """Joined by "greater than"."""
        return ">".join(value)

    def from_form(self, form: Form, name: str, question: Question, unit: Unit) -> list[str] | None:
        """The options by the place given to them; a place given twice, or missing, leaves options out."""
        start = f"{name}:"
        given = [(place, key.removeprefix(start)) for key, place in form.multi_items() if key.startswith(start)]
        places = {place: value for place, value in given if place}
        return [places[place] for place in sorted(places, key=str)] or None

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> list[str]:
        """As they come."""
        return [option.value for option in question.options] or list(unit.alternatives)


KIND = Ranking()
