"""Names and values of form fields: a question's answer as a browser posts it, turned into the value that is stored.

A question's field is `q:` and its id; fields with parts (patterns, ranks, quoted spans) add `:` and the part. An empty
answer is None. What comes out has the right shape; whether it is allowed is decided by `assent.design.answers.problem`.
"""

from collections.abc import Callable
from typing import Any

from starlette.datastructures import FormData

from assent.design.description import Question, Task, Unit
from assent.treebank.choosing import Choosing

SPAN_ROWS = 8


def field_name(question: Question) -> str:
    """The name of a question's form field."""
    return f"q:{question.id}"


def was_asked(form: FormData, question: Question) -> bool:
    """Whether the form holds any field of the question (a page with several questions saves one at a time)."""
    name = field_name(question)
    return any(key == name or key.startswith(name + ":") for key in form)


def value_in(form: FormData, question: Question, unit: Unit) -> Any:
    """The answer to `question` in a posted form; None when it was left empty."""
    return READERS.get(question.task, _single)(form, question, unit)


def _texts(form: FormData, name: str) -> list[str]:
    return [value for value in form.getlist(name) if isinstance(value, str)]


def _single(form: FormData, question: Question, unit: Unit) -> str | None:
    """The last value posted under the field's name; a browser writes line ends as CR LF, we store LF."""
    values = _texts(form, field_name(question))
    return values[-1].replace("\r\n", "\n").strip() or None if values else None


def _labels(form: FormData, question: Question, unit: Unit) -> list[str] | None:
    return [value for value in _texts(form, field_name(question)) if value] or None


def _number(form: FormData, question: Question, unit: Unit) -> float | str | None:
    text = _single(form, question, unit)
    try:
        return None if text is None else float(text.replace(",", "."))
    except ValueError:
        return text


def _ranking(form: FormData, question: Question, unit: Unit) -> list[str] | None:
    """The options by the place given to them; a place given twice, or missing, leaves options out."""
    start = field_name(question) + ":"
    places = {place: key.removeprefix(start) for key, place in form.multi_items() if key.startswith(start) and place}
    return [places[place] for place in sorted(places, key=str)] or None


def _patterns(form: FormData, question: Question, unit: Unit) -> dict[str, str] | None:
    words = {
        p.id: " ".join(" ".join(_texts(form, f"{field_name(question)}:{p.id}")).split()) for p in question.patterns
    }
    return {pattern: word for pattern, word in words.items() if word} or None


def _spans(form: FormData, question: Question, unit: Unit) -> list[dict[str, Any]] | None:
    """Spans marked by the script (`begin:end:category`), or quoted by hand where there is no script."""
    marked = [_span(text) for text in _texts(form, field_name(question)) if text]
    return marked + _quoted(form, question, unit) or None


def _span(text: str) -> dict[str, Any]:
    begin, _, rest = text.partition(":")
    end, _, category = rest.partition(":")
    return {"begin": _integer(begin), "end": _integer(end), "category": category}


def _integer(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _quoted(form: FormData, question: Question, unit: Unit) -> list[dict[str, Any]]:
    """Spans given by words that occur in the text; a second quote of the same words is the next place."""
    name, spans, seen = field_name(question), [], dict[str, int]()
    for row in range(1, SPAN_ROWS + 1):
        quote = "".join(_texts(form, f"{name}:quote:{row}")[-1:]).strip()
        if not quote:
            continue
        begin = unit.text.find(quote, seen.get(quote, 0))
        seen[quote] = begin + len(quote)
        category = "".join(_texts(form, f"{name}:category:{row}")[-1:])
        spans.append({"begin": begin, "end": begin + len(quote), "category": category})
    return spans


def _moves(form: FormData, question: Question, unit: Unit) -> dict[str, Any] | None:
    """What was decided so far (hidden fields), then the button pressed; a lone parse is accepted by going on."""
    if unit.parses is None:
        return None
    choosing = Choosing(unit.parses).after(_texts(form, field_name(question)))
    return choosing.as_value() if choosing.moves or choosing.verdict == "accepted" else None


READERS: dict[Task, Callable[[FormData, Question, Unit], Any]] = {
    Task.MULTILABEL: _labels,
    Task.SLIDER: _number,
    Task.RANKING: _ranking,
    Task.PATTERNS: _patterns,
    Task.SPANS: _spans,
    Task.PARSES: _moves,
}
