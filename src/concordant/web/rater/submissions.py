"""What a rater did on a page: a posted form, turned into events.

Every form carries an id made by the browser (or, without the script, with the page). The ids of its events are derived
from it, so a form that is sent twice is stored once. Answers are checked here; the session would pass over a wrong one
in silence.
"""

import math
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from starlette.datastructures import FormData

from concordant.collection import events
from concordant.collection.events import Answered, Event
from concordant.collection.session import State
from concordant.design.description import ParticipantQuestion
from concordant.design.steps import Step
from concordant.digits import whole_number
from concordant.errors import InputError
from concordant.tasks.kind import is_complete, problem
from concordant.tasks.question import Question
from concordant.web.rater.stages import field_name, value_in

LONGEST_TEXT = 5000
LONGEST_STAY = 86_400.0
MOST_VERSIONS = 20


class RefusedError(Exception):
    """The form cannot be taken as it is; `key` names the text that says why, or `said` is that text."""

    def __init__(self, key: str = "", said: str = "", **values: object) -> None:
        """Name the text, with what is to be filled in."""
        super().__init__(key or said)
        self.key, self.said, self.values = key, said, values


@dataclass(frozen=True, kw_only=True)
class Submission:
    """The events of a form; `lacks` is the question without an answer when the page cannot be left yet.

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

    def number(self, name: str) -> int | None:
        """One field as a number from 0; None when it is none."""
        return whole_number(self.text(name))

    def common(self, part: str) -> dict[str, Any]:
        """The fields every event has; `part` tells the events of one form apart."""
        return {"id": str(uuid.uuid5(self.id, part)), "rater": self.state.rater, "at": self.at}

    def revises(self, question: Question) -> list[str] | None:
        """The versions of an answer that the page knew: the one it came with, and those made on it since, which are
        named by their forms (`form:ID`). None where the page does not say.
        """
        if (name := f"saw:{question.id}") not in self.form:
            return None
        known = []
        for text in self.form.getlist(name)[-MOST_VERSIONS:]:
            made, _, id = str(text).rpartition(":")
            with suppress(ValueError):
                known.append(str(uuid.uuid5(uuid.UUID(id), _part(question)) if made else uuid.UUID(id)))
        return known

    def as_one(self, kind: type[Event], part: str, **fields: Any) -> Submission:
        """The form as one event."""
        return Submission(events=[kind(**fields, **self.common(part))])

    @property
    def step(self) -> Step:
        """The step that the form is about."""
        step = self.state.step(self.number("step"))
        if step is None:
            raise RefusedError("refused")
        return step

    @property
    def step_number(self) -> int | None:
        """The step's number; None where the form is about no step."""
        return self.step.number if self.text("step") else None

    @property
    def questions(self) -> list[Question]:
        """What the step asks."""
        return [self.state.study.description.question(id) for id in self.step.questions]


def submission(form: FormData, state: State, shown: events.Shown | None = None) -> Submission:
    """The events of a posted form, or `RefusedError`.

    A page without the script measures no time: then it counts from when the page was `shown`, by the server's clock.
    """
    raw = Posted(form=form, state=state)
    try:
        id = uuid.UUID(raw.text("event"))
    except ValueError:
        raise RefusedError("refused") from None
    given = replace(raw, id=id, at=_time(raw.text("at")), seconds=_stay(raw, shown))
    match given.text("action") or "answer":
        case "consent":
            return _consent(given)
        case "describe":
            return _describe(given)
        case "check":
            return _check(given)
        case "answer":  # one choice that is the whole answer
            found = _answers(given)
            return Submission(events=found, lacks="" if found else given.questions[0].ask)
        case "save":  # choices so far, without leaving the page
            return Submission(events=_changed(given), leaves=False)
        case "mark":  # choices so far; the page stays, drawn anew with what follows from them
            return Submission(events=_changed(given))
        case "next":
            return _next(given)
        case "continue":
            page = given.text("page", 20)
            return given.as_one(events.Continued, "continued", page=page, step=given.step_number)
        case "defer":
            seen = [given.revises(question) for question in given.questions]
            revises = None if None in seen else [id for ids in seen for id in ids or ()]
            more = {"step": given.step.number, "seconds": given.seconds, "revises": revises}
            return given.as_one(events.Deferred, "deferred", **more)
        case "back":
            return given.as_one(events.WentBack, "back", step=given.step_number, to=given.number("to"))
        case "quit":
            return given.as_one(events.Quit, "quit", step=given.step_number)
        case "resume":
            return given.as_one(events.Resumed, "resumed")
        case "comment" if text := given.text("comment"):
            return given.as_one(events.Commented, "commented", text=text)
        case action:
            raise RefusedError("unfinished" if action == "comment" else "refused")


def _time(text: str) -> str:
    """The browser's clock where it makes sense, else ours."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return events.now()
    return events.clocked(moment) if moment.tzinfo else events.now()


def _stay(given: Posted, shown: events.Shown | None) -> float | None:
    """How long the page was looked at, as the script says; else how long ago it was shown."""
    if "seconds" not in given.form:
        if shown is None or shown.step is None or shown.step != given.number("step"):
            return None
        seconds = round((datetime.now(UTC) - datetime.fromisoformat(shown.at)).total_seconds(), 3)
    else:
        try:
            seconds = float(given.text("seconds"))
        except ValueError:
            return None
    return min(max(seconds, 0.0), LONGEST_STAY) if math.isfinite(seconds) else None


def _consent(given: Posted) -> Submission:
    introduction = given.state.study.description.introduction
    if introduction is None or not introduction.consent:
        return given.as_one(events.Continued, "continued", page="introduction")
    if given.text("consent") != "yes":
        raise RefusedError("consent_missing")
    return given.as_one(events.Consented, "consented", text=introduction.consent)


def _describe(given: Posted) -> Submission:
    asked = given.state.study.description.participant
    answers = {ask.id: _about(ask, given.text(f"p:{ask.id}", 500)) for ask in asked}
    return given.as_one(events.Described, "described", answers={k: v for k, v in answers.items() if v})


def _check(given: Posted) -> Submission:
    """One try at the questions about the instructions; a try with a question left out is none."""
    check = given.state.study.description.comprehension
    if check is None:
        raise RefusedError("refused")
    answers = {one.id: given.text(f"c:{one.id}", 500) for one in check.questions}
    if missing := next((one for one in check.questions if not answers[one.id]), None):
        raise RefusedError("required_missing", ask=missing.ask)
    return given.as_one(events.Checked, "checked", answers=answers)


def _about(ask: ParticipantQuestion, answer: str) -> str:
    """A checked answer to a question about the participant; empty when it was left out."""
    is_unknown = ask.kind == "choice" and answer not in {option.value for option in ask.options}
    if is_unknown if answer else ask.is_required:
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


def _next(given: Posted) -> Submission:
    """Choices so far; the page is left when they are enough."""
    step, changed = given.step, _changed(given)
    now = {**given.state.answers_of(step), **{event.question: event.value for event in changed}}
    if missing := next((one for one in given.questions if not is_complete(one, now.get(one.id))), None):
        return Submission(events=changed, lacks=missing.ask)
    leave = events.Continued(page=given.text("page", 20), step=step.number, **given.common("continued"))
    return Submission(events=[*changed, leave])


def _changed(given: Posted) -> list[Answered]:
    """Answers that differ from what the rater saw; what was left as it was must not undo what was done elsewhere."""
    stored, values = given.state.answers_of(given.step), given.state.given

    def seen(event: Answered) -> Any:
        known = [id for id in event.revises or () if id in values]
        return values[known[-1]] if known else None if event.revises is not None else stored.get(event.question)

    return [event for event in _answers(given) if event.value != seen(event)]


def _part(question: Question) -> str:
    """What tells the answer to a question from the other events of its form."""
    return f"answered {question.id}"


def _answers(given: Posted) -> list[Answered]:
    """The answers in the form: to one question where it names one (`only`), else to all that it asks.

    Boxes that are not ticked are not posted, so on saving and leaving a page no field means an empty answer.
    """
    step = given.step
    unit = given.state.study.unit(step.unit)
    is_whole = given.text("action") in {"next", "save", "mark"}
    only = given.text("only")
    found = []
    for question in given.questions:
        name = field_name(question)
        is_asked = is_whole or any(key == name or key.startswith(f"{name}:") for key in given.form)
        if not (question.id == only if only else is_asked):
            continue
        try:
            value = value_in(given.form, question, unit)
        except InputError as error:
            raise RefusedError(said=str(error)) from error
        if fault := problem(question, unit, value):
            raise RefusedError(said=fault)
        version = given.state.study.description.version or None
        more: dict[str, Any] = {
            "seconds": given.seconds,
            "revises": given.revises(question),
            **given.common(_part(question)),
        }
        about: dict[str, Any] = {"step": step.number, "unit": step.unit, "question": question.id, "version": version}
        found.append(Answered(value=value, **about, **more))
    return found
