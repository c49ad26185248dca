"""Which answers a question accepts. One small check per task; each returns what is wrong, or None.

A value that passes may still be unfinished (nothing ticked yet): choices are saved at once, and `is_complete` says
whether the rater may go on.
"""

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from assent.design.description import Question, Task, Unit
from assent.design.texts import normalised
from assent.design.values import as_text
from assent.errors import InputError
from assent.treebank.choosing import Choosing, State


def problem(question: Question, unit: Unit, value: Any) -> str | None:
    """What is wrong with `value` as an answer to `question` about `unit`; None when nothing is. A null clears an
    answer.
    """
    return None if value is None else CHECKS[question.task](question, unit, value)


def is_complete(question: Question, value: Any) -> bool:
    """Whether the rater may go on: enough is chosen, filled or written, or the question is optional."""
    if question.is_optional:
        return True
    if value is None or (question.task is Task.TEXT and not str(value).strip()):
        return False
    if question.task in {Task.MULTILABEL, Task.PATTERNS, Task.SPANS}:
        return len(value) >= question.minimum
    return question.task is not Task.PARSES or value["verdict"] != "undecided"


def settled(question: Question, unit: Unit, value: Any) -> Any:
    """The answer as it is stored. Of parses the moves are enough: the states of all discriminants follow from them."""
    if question.task is not Task.PARSES or not isinstance(value, Mapping) or unit.parses is None:
        return value
    moves: Any = value.get("moves")
    if not _is_list_of_text(moves):
        raise InputError("expected the moves that were made", hint='send {"moves": ["yes …", "reject"]}')
    found = Choosing(unit.parses).after(moves).as_value()
    if any(found.get(key) != given for key, given in value.items() if key != "moves"):
        raise InputError("that does not follow from the moves", hint="send the moves alone")
    return found


def matches_expected(question: Question, expected: Any, value: Any) -> bool:
    """Whether an answer is the expected one: patterns by which ones are filled, texts after normalisation, sets in
    any order.
    """
    if question.task is Task.PATTERNS:
        return set(value or ()) == set(expected)
    if question.task is Task.MULTILABEL:
        return set(value or ()) == set(expected)
    if question.task is Task.PARSES:
        return as_text(question, value) == as_text(question, expected)
    if question.task is Task.TEXT:
        return normalised(str(value or "")) == normalised(str(expected))
    return bool(value == expected)


def _one_option(question: Question, unit: Unit, value: Any) -> str | None:
    if isinstance(value, str) and value in {option.value for option in question.options}:
        return None
    return f"{value!r} is not an option of {question.id!r}"


def _labels(question: Question, unit: Unit, value: Any) -> str | None:
    if not _is_list_of_text(value):
        return "expected a list of options"
    if len(set(value)) != len(value):
        return "an option is named twice"
    if question.maximum is not None and len(value) > question.maximum:
        return f"at most {question.maximum} may be chosen"
    return next((fault for chosen in value if (fault := _one_option(question, unit, chosen))), None)


def _slider(question: Question, unit: Unit, value: Any) -> str | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return "expected a number"
    if not question.low <= value <= question.high:
        return f"expected a number from {question.low:g} to {question.high:g}"
    return None


def _ranking(question: Question, unit: Unit, value: Any) -> str | None:
    ranked = [option.value for option in question.options] or list(unit.alternatives)
    if not _is_list_of_text(value) or sorted(value) != sorted(ranked):
        return f"expected each of {', '.join(ranked)} exactly once"
    return None


def _text(question: Question, unit: Unit, value: Any) -> str | None:
    if not isinstance(value, str):
        return "expected a text"
    return f"at most {question.max_length} characters" if len(value) > question.max_length else None


def _patterns(question: Question, unit: Unit, value: Any) -> str | None:
    if not isinstance(value, Mapping) or not all(isinstance(word, str) and word.strip() for word in value.values()):
        return "expected the filled patterns with their words"
    if unknown := sorted(set(value) - {pattern.id for pattern in question.patterns}):
        return f"there is no pattern {unknown[0]!r}"
    if any(len(word) > question.max_length for word in value.values()):
        return f"at most {question.max_length} characters"
    if question.maximum is not None and len(value) > question.maximum:
        return f"at most {question.maximum} patterns may be filled"
    return None


def _spans(question: Question, unit: Unit, value: Any) -> str | None:
    if not isinstance(value, list) or not all(_is_span(span) for span in value):
        return "expected a list of spans with begin, end and category"
    if question.maximum is not None and len(value) > question.maximum:
        return f"at most {question.maximum} spans may be marked"
    if any(not 0 <= span["begin"] < span["end"] <= len(unit.text) for span in value):
        return f"a span lies outside the text's {len(unit.text)} characters"
    ordered = sorted((span["begin"], span["end"], span["category"]) for span in value)
    if any(first == second for first, second in pairwise(ordered)):
        return "a span is marked twice"
    return next((fault for span in value if (fault := _one_option(question, unit, span["category"]))), None)


def _parses(question: Question, unit: Unit, value: Any) -> str | None:
    """The shape only: what follows from what is the work of `settled`, when an answer comes in."""
    wanted = {"verdict", "result", "n_left", "moves", "states"}
    if not isinstance(value, Mapping) or set(value) != wanted or not isinstance(value["states"], Mapping):
        return f"expected {', '.join(sorted(wanted))}"
    if value["verdict"] not in {"accepted", "rejected", "undecided"} or not _is_list_of_text(value["moves"]):
        return "expected a verdict and the moves that led to it"
    is_known = all(state in STATES for state in value["states"].values())
    return None if is_known else "a discriminant is in no known state"


STATES = frozenset(map(str, State))


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _is_span(span: Any) -> bool:
    if not isinstance(span, Mapping) or set(span) != {"begin", "end", "category"}:
        return False
    return type(span["begin"]) is int and type(span["end"]) is int and isinstance(span["category"], str)


CHECKS: dict[Task, Callable[[Question, Unit, Any], str | None]] = {
    Task.BINARY: _one_option,
    Task.CATEGORICAL: _one_option,
    Task.MULTILABEL: _labels,
    Task.ORDINAL: _one_option,
    Task.SLIDER: _slider,
    Task.PAIRWISE: _one_option,
    Task.RANKING: _ranking,
    Task.TEXT: _text,
    Task.PATTERNS: _patterns,
    Task.SPANS: _spans,
    Task.PARSES: _parses,
}
