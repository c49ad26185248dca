"""Marked parts of the unit's text. Stored as `[{"begin": 0, "end": 4, "category": "PER"}]`, written as JSON."""

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from concordant.digits import whole_number
from concordant.tasks.kind import Around, Fault, Form, Kind, is_nothing, labels_of, option_problem, texts_in
from concordant.tasks.question import Question, Unit, shared

SHAPE = {"begin": int, "end": int, "category": str}


class Spans(Kind):
    """Characters of the text, each span with a category."""

    key, label = "spans", "marking words of the text"
    settings = shared("options", "minimum", "maximum")
    begins: ClassVar[Mapping[str, Any]] = {"options": ["A"], "minimum": 0}
    marks_spans = True
    rows = 8
    """How many spans can be quoted where there is no script."""

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Categories, and texts to mark."""
        faults = super().faults(question, around)
        if not question.options:
            faults.append(("there is no category to mark spans with", "list categories under options"))
        if any(not unit.text for unit in around.units):
            faults.append(("spans need texts", "name the column of texts in [units]"))
        return faults

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """Anything but different spans inside the text, not too many."""
        if not isinstance(value, list) or not all(
            isinstance(span, Mapping) and {key: type(part) for key, part in span.items()} == SHAPE for span in value
        ):
            return "expected a list of spans with begin, end and category"
        if question.maximum is not None and len(value) > question.maximum:
            return f"at most {question.maximum} spans may be marked"
        if any(not 0 <= span["begin"] < span["end"] <= len(unit.text) for span in value):
            return f"a span lies outside the text's {len(unit.text)} characters"
        ordered = sorted((span["begin"], span["end"], span["category"]) for span in value)
        if any(first == second for first, second in pairwise(ordered)):
            return "a span is marked twice"
        return next((fault for span in value if (fault := option_problem(question, span["category"]))), None)

    def parse(self, question: Question, written: str) -> Any:
        """JSON."""
        return json.loads(written)

    def write(self, question: Question, value: Any) -> str:
        """JSON."""
        return json.dumps(value, ensure_ascii=False, sort_keys=True)

    def from_form(self, form: Form, name: str, question: Question, unit: Unit) -> list[dict[str, Any]] | None:
        """Spans marked by the script (`begin:end:category`), or quoted by hand where there is no script.

        A quote is looked for in the text; a second quote of the same words is the next place.
        """
        spans = [_span(text) for text in texts_in(form, name) if text]
        seen: dict[str, int] = {}
        for row in range(1, self.rows + 1):
            if quote := "".join(texts_in(form, f"{name}:quote:{row}")[-1:]).strip():
                begin = unit.text.find(quote, seen.get(quote, 0))
                seen[quote] = begin + len(quote)
                category = "".join(texts_in(form, f"{name}:category:{row}")[-1:])
                spans.append({"begin": begin, "end": begin + len(quote), "category": category})
        return spans or ([] if is_nothing(form, name) else None)

    def quotes(self, unit: Unit, value: Any) -> list[dict[str, Any]]:
        """Rows for marking without a script: those marked so far, then empty ones."""
        marked = [{**span, "quote": unit.text[span["begin"] : span["end"]]} for span in value or ()]
        return marked + [{"quote": "", "begin": "", "category": ""}] * (self.rows - len(marked))

    def in_words(self, question: Question, unit: Unit, value: Any, labels: Mapping[str, str]) -> str:
        """The words that were marked."""
        return ", ".join(f"{unit.text[span['begin'] : span['end']]} ({span['category']})" for span in value)

    def label_of(self, question: Question, unit: Unit, text: str) -> str:
        """The words that were marked."""
        labels = labels_of(question)
        quoted = (f"{unit.text[one['begin'] : one['end']]} ({labels[one['category']]})" for one in json.loads(text))
        return ", ".join(quoted) or "–"

    def invent(
        self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator
    ) -> list[dict[str, Any]]:
        """The first word."""
        category = question.options[truth % len(question.options)].value
        return [{"begin": 0, "end": max(1, unit.text.find(" ")), "category": category}]


def _span(text: str) -> dict[str, Any]:
    """A span as the script posts it; what is no number becomes a place that no text has."""
    begin, _, rest = text.partition(":")
    end, _, category = rest.partition(":")
    places = [-1 if (place := whole_number(part)) is None else place for part in (begin, end)]
    return {"begin": places[0], "end": places[1], "category": category}


KIND = Spans()
