"""Definitional patterns with a blank. Stored as `{"similar": "small"}`, the filled ones with their words.

Data files write `similar=small; event=grow`; exports write the classes that were chosen by filling: `basic+event`.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from concordant.model.columns import EMPTY_SET
from concordant.model.scale import Level
from concordant.tasks.kind import Around, Fault, Form, Kind, Swept, WordRules, is_nothing, texts_in
from concordant.tasks.question import Question, Unit, normalised, shared

INVENTED = {"adjective": "small", "noun": "house", "verb": "grow"}


class Patterns(Kind):
    """One or more patterns are filled in."""

    key = "patterns"
    settings = shared("patterns", "minimum", "maximum", "max_length", "shuffle")
    begins: ClassVar[Mapping[str, Any]] = {"patterns": [{"id": "p1", "text": "is like ___"}]}
    level = Level.SET
    lists_answers = True

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Patterns, each with a blank."""
        faults = super().faults(question, around)
        if not question.patterns:
            faults.append(("there are no patterns", "add [[questions.patterns]]"))
        if any("___" not in pattern.text for pattern in question.patterns):
            faults.append(("a pattern has no blank", "write it as ___ in its text"))
        return faults

    def categories(self, question: Question) -> tuple[str, ...]:
        """The classes that patterns stand for."""
        return tuple(dict.fromkeys(pattern.category for pattern in question.patterns))

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """Anything but words by pattern, not too many or too long."""
        if not isinstance(value, Mapping) or not all(isinstance(word, str) and word.strip() for word in value.values()):
            return "expected the filled patterns with their words"
        if unknown := sorted(set(value) - {pattern.id for pattern in question.patterns}):
            return f"there is no pattern {unknown[0]!r}"
        if any(len(word) > question.max_length for word in value.values()):
            return f"at most {question.max_length} characters"
        if question.maximum is not None and len(value) > question.maximum:
            return f"at most {question.maximum} patterns may be filled"
        return None

    def parse(self, question: Question, written: str) -> dict[str, str]:
        """`pattern=word`, joined by semicolons."""
        filled: dict[str, str] = {}
        for part in written.split(";") if written.strip() != EMPTY_SET else ():
            pattern, equals, word = part.partition("=")
            if not equals:
                raise ValueError(f"{part.strip()!r} is not written as pattern=word")
            filled[pattern.strip()] = word.strip()
        return filled

    def write(self, question: Question, value: Any) -> str:
        """The classes, joined by a plus."""
        classes = dict.fromkeys(pattern.category for pattern in question.patterns if pattern.id in value)
        return "+".join(classes) or EMPTY_SET

    def words(self, value: Any) -> str:
        """The words by pattern."""
        return "; ".join(f"{pattern}={word}" for pattern, word in sorted(value.items()))

    def from_form(self, form: Form, name: str, question: Question, unit: Unit) -> dict[str, str] | None:
        """The words in the fields, spaces made single."""
        words = {p.id: " ".join(" ".join(texts_in(form, f"{name}:{p.id}")).split()) for p in question.patterns}
        filled = {pattern: word for pattern, word in words.items() if word}
        return filled or ({} if is_nothing(form, name) else None)

    def in_words(self, question: Question, unit: Unit, value: Any, labels: Mapping[str, str]) -> str:
        """What stands before the blank, and the word."""
        filled = [pattern for pattern in question.patterns if pattern.id in value]
        return "; ".join(f"{' '.join(p.text.split('___')[0].split())} {value[p.id]}" for p in filled)

    def n_fields(self, value: Any) -> int:
        """All that were filled."""
        return len(value)

    def sweep(self, question: Question, value: Any, rules: WordRules) -> Swept:
        """Every word by itself: its spelling, then whether it is a word of the right kind."""
        patterns = {pattern.id: pattern for pattern in question.patterns}
        kept, dropped, corrected = {}, [], []
        for id, written in value.items():
            word = rules.spelling.get(normalised(written), written)
            if word != written:
                corrected.append((id, written, word))
            if reason := rules.fault(word, patterns[id].part_of_speech):
                dropped.append((id, written, reason))
            else:
                kept[id] = word
        return Swept(value=kept or (None if value else {}), dropped=dropped, corrected=corrected)

    def invent(
        self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator
    ) -> dict[str, str]:
        """One pattern with a word that always serves."""
        seen = truth if random.random() < care else int(random.integers(0, len(question.patterns)))
        pattern = question.patterns[seen % len(question.patterns)]
        return {pattern.id: INVENTED.get(pattern.part_of_speech, "thing")}


KIND = Patterns()
