"""What a model is asked, and what its reply says: the pages' instructions and guidelines as a prompt, answers as JSON.

A model reads what a rater reads: title, instructions with their examples, guidelines, the unit, the questions. Of two
texts it sees the first and the second, as they were drawn for it, and never A and B. Nothing is guessed from a reply:
an answer is an option by its value or label, a number, a list; all else is kept as malformed.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from concordant.collection.events import ANSWERED, MALFORMED, REFUSED
from concordant.collection.opened_study import read_study
from concordant.collection.session import Running
from concordant.design.description import Description
from concordant.design.steps import Step
from concordant.errors import InputError
from concordant.model.refusals import REFUSES
from concordant.tasks.kind import Choice, is_complete, kind_of, problem
from concordant.tasks.question import Question, Unit

FORM = 'Reply with one JSON object and nothing else, an entry for each question: {"question": answer}.'
THOUGHT_BEGINS, THOUGHT_ENDS = "<think>", "</think>"  # as servers of local models write it
MOST_USED = 1e15  # tokens or money: what is said to be more is a mistake


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A step as a model is asked about it."""

    system: str
    user: str
    step: Step
    questions: tuple[Question, ...]
    unit: Unit
    folder: Path

    @property
    def messages(self) -> list[dict[str, str]]:
        """As chat interfaces take it."""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]

    def to_dict(self) -> dict[str, Any]:
        """As a program reads it: the words, and the same in parts."""
        asked = [
            {
                "id": one.id,
                "task": one.task,
                "ask": one.ask,
                "options": [{"value": _name(choice), "label": choice.label} for choice in choices_of(one, self)],
                "low": one.low,
                "high": one.high,
            }
            for one in self.questions
        ]
        texts = [self.unit.alternatives[slot] for slot in self.step.slots or ()]
        shown = {
            "text": self.unit.text,
            "prompt": self.unit.prompt,
            "texts": texts or list(self.unit.alternatives.values()),
        }
        media = [str(self.folder / medium.path) for medium in self.unit.media]
        return {"system": self.system, "user": self.user, "unit": {**shown, "media": media}, "questions": asked}


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a reply says: answers by question, or why it says nothing."""

    outcome: str
    answers: Mapping[str, Any]
    why: str = ""


def first_prompt(path: str | Path) -> Prompt:
    """The prompt about the first unit of a study, as a model would read it."""
    study = read_study(Path(path))
    units = study.plan.sets[0]
    slots = ("A", "B") if any(kind_of(one).compares for one in study.description.questions) else None
    questions = tuple(one.id for one in study.description.questions)
    asked = questions[:1] if study.description.presentation.passes else questions
    return prompt_for(study, Step(number=0, unit=units[0], questions=asked, slots=slots))


def prompt_for(study: Running, step: Step) -> Prompt:
    """The prompt about one step."""
    description, unit = study.description, study.unit(step.unit)
    questions = tuple(description.question(id) for id in step.questions)
    for one in questions:
        if kind_of(one).chooses_parses:
            raise InputError(f"{one.id!r} asks to choose among parses, which no model does here", hint="leave it out")
    whole: dict[str, Any] = {"step": step, "questions": questions, "unit": unit, "folder": description.folder.resolve()}
    bare = Prompt(system=_system(description), user="", **whole)
    return replace(bare, user="\n\n".join(_user(bare)))


def _system(description: Description) -> str:
    """What stands before every unit."""
    parts = [description.title]
    if description.instructions is not None:
        parts.append(description.instructions.text)
        parts += [
            f"Example: {one.text}\nAnswer: {one.answer}" + (f"\nWhy: {one.explanation}" if one.explanation else "")
            for one in description.instructions.examples
        ]
    if description.guidelines is not None:
        parts.append(f"Guidelines, version {description.guidelines.version}:\n{description.guidelines.text}")
    return "\n\n".join([*parts, FORM])


def _user(prompt: Prompt) -> Iterator[str]:
    """The unit and the questions about it."""
    unit, slots = prompt.unit, prompt.step.slots
    if unit.prompt:
        yield f"Context:\n{unit.prompt}"
    if slots:
        for number, slot in enumerate(slots, start=1):
            yield f"Text {number}:\n{unit.alternatives[slot]}"
    elif unit.text:
        yield f"Text:\n{unit.text}"
    for one in prompt.questions:
        lines = [f'Question "{one.id}": {one.ask}', *([one.help] if one.help else [])]
        lines += [f"- {_name(choice)}{_label(choice)}" for choice in choices_of(one, prompt)]
        lines += [f"- {pattern.id}: {pattern.text}" for pattern in one.patterns]
        yield "\n".join([*lines, _wanted(one)])


def choices_of(question: Question, prompt: Prompt) -> list[Choice]:
    """What can be chosen, in the order drawn."""
    step = prompt.step
    return kind_of(question).choices(question, prompt.unit, step.options.get(question.id), step.slots)


def _name(choice: Choice) -> str:
    return choice.key_shown if choice.is_text else choice.value


def _label(choice: Choice) -> str:
    if choice.is_text:
        return f" (text {choice.key_shown})"
    told = choice.label if choice.label != choice.value else ""
    return "".join(f": {text}" for text in (told, choice.help) if text)


def _wanted(question: Question) -> str:
    """The shape of an answer."""
    kind = kind_of(question)
    if kind.joint:
        return "Answer: a list of these." if question.options else "Answer: a list."
    if question.options or kind.options:
        return "Answer: one of these."
    if question.low is not None or question.high is not None:
        ends = [f"{end:g}" for end in (question.low, question.high) if end is not None]
        return f"Answer: a number, {'from ' + ' to '.join(ends) if len(ends) > 1 else 'limit ' + ends[0]}."
    return "Answer: one entry for each blank." if question.patterns else "Answer: a text or a number, as asked."


def read_reply(prompt: Prompt, reply: str) -> Reading:
    """The answers in a reply; all of them, or none with the reason. What a model thinks aloud is no answer."""
    reply = reply.rpartition(THOUGHT_ENDS)[2]
    if reply.lstrip().startswith(THOUGHT_BEGINS):
        return Reading(outcome=MALFORMED, answers={}, why="thoughts without an end")
    found = _object_in(reply)
    if found is None and (len(prompt.questions) > 1 or not reply.strip()):
        return _nothing(reply, "no JSON object")
    said = {prompt.questions[0].id: reply.strip()} if found is None else found
    answers = {}
    for one in prompt.questions:
        if one.id not in said and not one.is_optional:
            return _nothing(reply, f"nothing about {one.id}")
        raw, choices = said.get(one.id), choices_of(one, prompt)
        told = "" if raw is None else raw if isinstance(raw, str) else repr(raw)
        try:
            value = kind_of(one).from_program(raw, choices)
        except ValueError as error:
            return _nothing(told, f"{one.id}: {error}")
        if found is None and kind_of(one).is_free_text and REFUSES.match(reply):
            return _nothing(reply, one.id)
        if fault := problem(one, prompt.unit, value):
            return _nothing(told, f"{one.id}: {fault}")
        if not is_complete(one, value):
            return _nothing(told, f"{one.id}: not answered")
        answers[one.id] = value
    return Reading(outcome=ANSWERED, answers=answers)


def _nothing(said: str, why: str) -> Reading:
    """No answer: a refusal if nothing was said, or that it would not; else something that is no answer here."""
    is_refusal = not said.strip() or REFUSES.match(said) is not None
    return Reading(outcome=REFUSED if is_refusal else MALFORMED, answers={}, why="" if is_refusal else why)


def _object_in(reply: str) -> dict[str, Any] | None:
    """The JSON object that a reply is, or the only one in it (models like to put it between fences)."""
    decoder, found, at = json.JSONDecoder(), list[dict[str, Any]](), reply.find("{")
    while at >= 0 and len(found) < 2:
        try:
            one, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            one, end = None, at + 1
        found += [one] if isinstance(one, dict) else []
        at = reply.find("{", end)
    return found[0] if len(found) == 1 else None


def text_of(content: Any) -> str:
    """The words of a message, which may come in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return str(content or "")


def code_in(told: str) -> str:
    """What an error calls itself."""
    try:
        found = json.loads(told)
    except (ValueError, RecursionError):
        return ""
    error = found.get("error") if isinstance(found, dict) else None
    return str(error.get("code")) if isinstance(error, dict) else ""


def usage_in(usage: Any) -> dict[str, float]:
    """Tokens and cost, under one name each."""
    names = {"prompt_tokens": "tokens_in", "completion_tokens": "tokens_out"}
    pairs = usage.items() if isinstance(usage, Mapping) else ()
    found = {names.get(str(name), str(name)): value for name, value in pairs}
    kept = ("tokens_in", "tokens_out", "cost")
    numbers = {name: found[name] for name in kept if type(found.get(name)) in (int, float)}
    return {name: float(value) for name, value in numbers.items() if 0 <= value <= MOST_USED}
