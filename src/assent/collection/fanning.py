"""From what was answered to what is measured: one answer may be several judgements.

A choice among the parses of a sentence is fanned out to what it decides. Each discriminant is a unit of its own with
the answer yes or no, and whether the sentence was accepted or rejected is a question of its own: who rejects a
sentence at once has decided no discriminant, and that must not look like agreement.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from assent.design.description import Description, Option, Question, Task, Unit
from assent.treebank.choosing import State
from assent.treebank.discriminants import TYPE_NAMES, Discriminant

VERDICTS = (Option(value="accepted", label="Accepted"), Option(value="rejected", label="Rejected"))


def fanned(unit: Unit, question: Question, value: Any) -> Iterator[tuple[Unit, Question, Any]]:
    """What an answer says of which units: most say one thing of one."""
    if question.task is not Task.PARSES:
        yield unit, question, value
        return
    decision, verdict = measured(question)
    for name, state in value["states"].items():
        if answer := State(state).answer:
            yield discriminant_unit(unit, name), decision, answer
    if value["verdict"] != "undecided":
        yield unit, verdict, value["verdict"]


def measured(question: Question) -> tuple[Question, ...]:
    """The question as it is measured; one about parses is two."""
    if question.task is not Task.PARSES:
        return (question,)
    verdict = replace(
        question,
        id=f"{question.id}-verdict",
        task=Task.CATEGORICAL,
        title=f"{question.title or question.id}: accepted or rejected",
        ask="Was a parse accepted, or were all rejected?",
        options=VERDICTS,
    )
    return replace(question, task=Task.BINARY), verdict


def measured_questions(description: Description) -> tuple[Question, ...]:
    """All questions of a study as they are measured."""
    return tuple(one for question in description.questions for one in measured(question))


def discriminant_unit(sentence: Unit, name: str) -> Unit:
    """A discriminant of a sentence as a unit."""
    about = {**sentence.attributes, "sentence": sentence.id, "type": TYPE_NAMES[Discriminant.named(name).type]}
    return replace(sentence, id=f"{sentence.id} {name}", attributes=about, copies=(), parses=None)


def what_is_fanned(description: Description) -> str:
    """Why there may be more judgements than were given, in words."""
    is_parsed = any(question.task is Task.PARSES for question in description.questions)
    return "choices among parses" if is_parsed else "identical texts"
