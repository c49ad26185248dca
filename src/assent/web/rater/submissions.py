"""What a rater did on a page: a posted form, turned into events.

Every form carries an id made by the browser (or, without the script, with the page). The ids of its events are derived
from it, so a form that is sent twice is stored once. Answers are checked here; the session would pass over a wrong one
in silence.
"""

import math
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from starlette.datastructures import FormData

from assent.collection.events import (
    Answered,
    Commented,
    Consented,
    Continued,
    Deferred,
    Described,
    Event,
    Quit,
    Resumed,
    WentBack,
)
from assent.collection.session import State
from assent.design.answers import is_complete, problem
from assent.design.description import ParticipantQuestion, Question, Unit
from assent.design.ordering import Step
from assent.design.showing import unit_shown
from assent.errors import InputError
from assent.web.rater.fields import value_in, was_asked

LONGEST_TEXT = 5000
LONGEST_STAY = 86_400.0


class RefusedError(Exception):
    """The form cannot be taken as it is; `key` names the text that says why, or `said` is that text."""

    def __init__(self, key: str = "", said: str = "", **values: object) -> None:
        """Name the text, with what is to be filled in."""
        super().__init__(key or said)
        self.key, self.said, self.values = key, said, values


@dataclass(frozen=True, kw_only=True)
class Submission:
    """The events of a form; `lacks` names a text when the answers were stored but the page cannot be left yet.

    `leaves` is False when only choices so far were saved and the page stays.
    """

    events: Sequence[Event]
    lacks: str = ""
    leaves: bool = True


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A form as it was posted, and where its rater stands."""

    form: FormData
    state: State
    id: uuid.UUID = field(default_factory=uuid.uuid4)
    at: str = ""
    seconds: float | None = None

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """One field as text, spaces around it removed."""
        value = self.form.get(name)
        return value.strip()[:longest] if isinstance(value, str) else ""

    def common(self, part: str) -> dict[str, Any]:
        """The fields every event has; `part` tells the events of one form apart."""
        return {"id": str(uuid.uuid5(self.id, part)), "rater": self.state.rater, "at": self.at}

    @property
    def step(self) -> Step:
        """The step that the form is about."""
        number = self.text("step")
        step = self.state.step(int(number)) if number.isascii() and number.isdigit() and len(number) < 10 else None
        if step is None:
            raise RefusedError("refused")
        return step


def submission(form: FormData, state: State) -> Submission:
    """The events of a posted form, or `RefusedError`."""
    raw = Posted(form=form, state=state)
    action = ACTIONS.get(raw.text("action") or "answer")
    if action is None:
        raise RefusedError("refused")
    given = Posted(
        form=form, state=state, id=_id(raw.text("event")), at=_time(raw.text("at")), seconds=_stay(raw.text("seconds"))
    )
    return action(given)


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise RefusedError("refused") from None


def _time(text: str) -> str:
    """The browser's clock where it makes sense, else ours."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.now(UTC)
    moment = moment if moment.tzinfo else datetime.now(UTC)
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def _stay(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return min(max(seconds, 0.0), LONGEST_STAY) if math.isfinite(seconds) else None


def _consent(given: Posted) -> Submission:
    introduction = given.state.study.description.introduction
    if introduction is None or not introduction.consent:
        return Submission(events=[Continued(page="introduction", **given.common("continued"))])
    if given.text("consent") != "yes":
        raise RefusedError("consent_missing")
    return Submission(events=[Consented(text=introduction.consent, **given.common("consented"))])


def _describe(given: Posted) -> Submission:
    asked = given.state.study.description.participant
    answers = {ask.id: _about(ask, given.text(f"p:{ask.id}", 500)) for ask in asked}
    return Submission(events=[Described(answers={k: v for k, v in answers.items() if v}, **given.common("described"))])


def _about(ask: ParticipantQuestion, answer: str) -> str:
    """A checked answer to a question about the participant; empty when it was left out."""
    if not answer and ask.is_required:
        raise RefusedError("required_missing", ask=ask.ask)
    if answer and ask.kind == "choice" and answer not in {option.value for option in ask.options}:
        raise RefusedError("required_missing", ask=ask.ask)
    if answer and ask.kind == "number" and not _is_within(ask, answer.replace(",", ".")):
        raise RefusedError("out_of_range", ask=ask.ask)
    return answer


def _is_within(ask: ParticipantQuestion, answer: str) -> bool:
    try:
        number = float(answer)
    except ValueError:
        return False
    low, high = (-math.inf if ask.low is None else ask.low), (math.inf if ask.high is None else ask.high)
    return math.isfinite(number) and low <= number <= high


def _answer(given: Posted) -> Submission:
    """One choice that is the whole answer."""
    events = _answers(given, given.step)
    return Submission(events=events, lacks="" if events else "unfinished")


def _save(given: Posted) -> Submission:
    """Choices so far, without leaving the page."""
    return Submission(events=_changed(given), leaves=False)


def _mark(given: Posted) -> Submission:
    """Choices so far; the page stays, drawn anew with what follows from them."""
    return Submission(events=_changed(given))


def _next(given: Posted) -> Submission:
    """Choices so far; the page is left when they are enough."""
    step, events = given.step, _changed(given)
    now = {**given.state.answers_of(step), **{event.question: event.value for event in events}}
    if not all(is_complete(question, now.get(question.id)) for question in _questions(given.state, step)):
        return Submission(events=events, lacks="unfinished")
    leave = Continued(page=given.text("page", 20), step=step.number, **given.common("continued"))
    return Submission(events=[*events, leave])


def _changed(given: Posted) -> list[Answered]:
    """Answers that differ from the stored ones."""
    stored = given.state.answers_of(given.step)
    return [event for event in _answers(given, given.step) if event.value != stored.get(event.question)]


def _answers(given: Posted, step: Step) -> list[Answered]:
    """The answers in the form: to one question where it names one (`only`), else to all that it asks.

    Boxes that are not ticked are not posted, so on saving and leaving a page no field means an empty answer.
    """
    unit = unit_shown(given.state.study.description, given.state.study.plan, step.unit)
    is_whole = given.text("action") in {"next", "save", "mark"}
    only = given.text("only")
    return [
        _answered(given, step, question, unit)
        for question in _questions(given.state, step)
        if (question.id == only if only else is_whole or was_asked(given.form, question))
    ]


def _answered(given: Posted, step: Step, question: Question, unit: Unit) -> Answered:
    try:
        value = value_in(given.form, question, unit)
    except InputError as error:
        raise RefusedError(said=str(error)) from error
    if fault := problem(question, unit, value):
        raise RefusedError(said=fault)
    return Answered(
        step=step.number,
        unit=step.unit,
        question=question.id,
        value=value,
        seconds=given.seconds,
        **given.common(f"answered {question.id}"),
    )


def _questions(state: State, step: Step) -> list[Question]:
    return [state.study.description.question(id) for id in step.questions]


def _continue(given: Posted) -> Submission:
    step = given.step.number if given.text("step") else None
    return Submission(events=[Continued(page=given.text("page", 20), step=step, **given.common("continued"))])


def _defer(given: Posted) -> Submission:
    return Submission(events=[Deferred(step=given.step.number, seconds=given.seconds, **given.common("deferred"))])


def _back(given: Posted) -> Submission:
    step = given.step.number if given.text("step") else None
    return Submission(events=[WentBack(step=step, **given.common("back"))])


def _quit(given: Posted) -> Submission:
    step = given.step.number if given.text("step") else None
    return Submission(events=[Quit(step=step, **given.common("quit"))])


def _resume(given: Posted) -> Submission:
    return Submission(events=[Resumed(**given.common("resumed"))])


def _comment(given: Posted) -> Submission:
    if not (text := given.text("comment")):
        raise RefusedError("unfinished")
    return Submission(events=[Commented(text=text, **given.common("commented"))])


ACTIONS: Mapping[str, Callable[[Posted], Submission]] = {
    "consent": _consent,
    "describe": _describe,
    "answer": _answer,
    "save": _save,
    "mark": _mark,
    "next": _next,
    "continue": _continue,
    "defer": _defer,
    "back": _back,
    "quit": _quit,
    "resume": _resume,
    "comment": _comment,
}
