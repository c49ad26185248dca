"""Answers as text: how a data file writes an expected answer, and how an export writes a given one.

binary, categorical, ordinal, pairwise   yes
multilabel                               noun+verb
slider                                   62.5
ranking                                  b>a>c
patterns                                 basic=small; event=grow   (exported as the classes: basic+event)
spans                                    JSON
parses                                   accepted 3, rejected, undecided
"""

import json
from typing import Any

from assent.design.description import Question, Task


def parse(question: Question, written: str) -> Any:
    """The answer that a cell of a data file stands for; raises ValueError when it is not written as the task wants."""
    match question.task:
        case Task.MULTILABEL:
            return [part.strip() for part in written.split("+")]
        case Task.RANKING:
            return [part.strip() for part in written.split(">")]
        case Task.SLIDER:
            return float(written)
        case Task.PATTERNS:
            return dict(_filled(part) for part in written.split(";"))
        case Task.SPANS:
            return json.loads(written)
        case Task.PARSES:
            chosen = written.strip().removeprefix("accepted").strip()
            return {"moves": ["reject" if chosen == "rejected" else f"select {chosen}"]}
    return written.strip()


def _filled(part: str) -> tuple[str, str]:
    pattern, equals, word = part.partition("=")
    if not equals:
        raise ValueError(f"{part.strip()!r} is not written as pattern=word")
    return pattern.strip(), word.strip()


def as_text(question: Question, value: Any) -> str:
    """A given answer as one cell; sets in the order of the options, patterns as the classes they stand for."""
    if value is None:
        return ""
    match question.task:
        case Task.MULTILABEL:
            return "+".join(option.value for option in question.options if option.value in value)
        case Task.RANKING:
            return ">".join(value)
        case Task.SLIDER:
            return f"{value:.12g}"
        case Task.PATTERNS:
            return "+".join(dict.fromkeys(pattern.category for pattern in question.patterns if pattern.id in value))
        case Task.SPANS:
            return json.dumps(value, ensure_ascii=False, sort_keys=True)
        case Task.PARSES:
            return f"{value['verdict']} {value['result']}" if value["result"] is not None else str(value["verdict"])
    return str(value)
