"""A rater's own work: the page they are on, what they do there, their answers so far."""

import json
from dataclasses import replace
from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, HTTPException, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool

from concordant.collection.events import BY_RATERS, Answered, Event, clocked, from_parts
from concordant.collection.session import State
from concordant.errors import InputError
from concordant.studio.people import rater_in
from concordant.tasks.kind import kind_of, problem
from concordant.web.api.access import AtRatersPlace, Key, Served, Shared, refusals
from concordant.web.rater.blinding import medium_path, unit_mark
from concordant.web.rater.pages import MOST_ORIGINS, join, join_openly
from concordant.web.rater.parse_page import decoded
from concordant.web.rater.stages import Stage, stage
from concordant.web.requests import address, limited
from concordant.web.visitors import RaterPlace

router = APIRouter(prefix="/studies/{study}", tags=["rating"])

ADAPTERS: dict[str, TypeAdapter[Event]] = {event.kind: TypeAdapter(event) for event in BY_RATERS}


class Entering(BaseModel):
    """How a rater comes in: with the token of a personal link, or without one where the study is open.

    `origin` are the parameters of a platform's link; one of them may name the participant.
    """

    link: str | None = Field(default=None, max_length=2000)
    origin: dict[str, str] = Field(default_factory=dict, max_length=MOST_ORIGINS, examples=[{"PROLIFIC_PID": "5f2a"}])


class Happened(BaseModel):
    """One event; `id` is made by the sender, so that sending it again does no harm; `body` has the kind's fields.

    An answer that was given on another device or earlier says in `revises` which versions its rater had seen (the
    `version` of the page, and the ids of own answers since); then it never undoes a newer one that they had not seen.
    An answer may name its `unit` by the id that the page gave; the step says enough.
    """

    model_config = ConfigDict(extra="forbid")
    id: UUID
    kind: Literal[
        "answered",
        "checked",
        "commented",
        "consented",
        "continued",
        "deferred",
        "described",
        "quit",
        "resumed",
        "went_back",
    ]
    at: AwareDatetime
    body: dict[str, JsonValue] = Field(default_factory=dict, examples=[{"step": 0, "question": "core", "value": "yes"}])


class Delivery(BaseModel):
    """Events in the order they happened."""

    events: list[Happened] = Field(min_length=1, max_length=100)


class Stored(BaseModel):
    """The ids that are safe now; sending them again would change nothing."""

    stored: list[UUID]


class Shown(BaseModel):
    """What the rater sees. Nothing here tells whether an item is a check or a repetition."""

    kind: str
    step: int | None
    n: int
    total: int
    unit: dict[str, Any]
    questions: list[dict[str, Any]]


class Given(BaseModel):
    """One answer as it stands."""

    step: int
    unit: str
    question: str
    value: Any


@router.post("/visits", status_code=201, responses=refusals(403, 404, 422, 429))
async def enter(request: Request, study: Served, server: Shared, entering: Entering) -> Key:
    """Sign in as a rater."""
    limited(request, server.limits.entrances, address(request))
    name = study.description.name
    if entering.link is not None:
        rater = await run_in_threadpool(rater_in, server, name, entering.link)
        if rater is None:
            raise HTTPException(403, "this link does not work")
        token, _ = await join(server, study, rater)
        return Key(key=token)
    if study.description.is_open:
        token, _ = await join_openly(server, study, entering.origin)
        return Key(key=token)
    raise HTTPException(403, "this study is for invited raters: send the token of a personal link")


@router.get("/page", responses=refusals(401, 404, 422))
async def page(place: AtRatersPlace) -> Shown:
    """The page the rater is on."""
    sessions = place.server.sessions
    async with sessions.of(place.study, place.rater) as session:
        await sessions.enrol(session)
        now = stage(session.state)
        await decoded(now.unit)
        return _shown(place, session.state, now)


@router.post("/events", status_code=201, responses=refusals(401, 403, 404, 409, 422, 429))
async def deliver(place: AtRatersPlace, delivery: Delivery) -> Stored:
    """Store what the rater did. The reply is sent after COMMIT."""
    sessions = place.server.sessions
    async with sessions.of(place.study, place.rater, writing_as=place.visit) as session:
        await sessions.enrol(session)
        await decoded(stage(session.state).unit)
        await sessions.record(session, [_event(place, happened, session.state) for happened in delivery.events])
    return Stored(stored=[happened.id for happened in delivery.events])


@router.get("/answers", responses=refusals(401, 404))
async def answers(place: AtRatersPlace) -> list[Given]:
    """The rater's own answers as they stand."""
    async with place.server.sessions.of(place.study, place.rater) as session:
        state = session.state
    return [
        Given(step=number, unit=unit_mark(place.server, state, step), question=question, value=value)
        for (number, question), value in sorted(state.answers.items())
        if value is not None and (step := state.step(number)) is not None
    ]


def _event(place: RaterPlace, happened: Happened, state: State) -> Event:
    """A checked event of this rater, whatever the sender says about who they are.

    The unit that an answer names, or leaves out, is what the page calls the item; the log keeps its true id.
    """
    number, body = happened.body.get("step"), dict(happened.body)
    step = state.step(number) if isinstance(number, int) else None
    if happened.kind == Answered.kind and step is not None:
        if body.get("unit", mark := unit_mark(place.server, state, step)) != mark:
            raise InputError("this rater has no such step with this unit and question")
        body["unit"] = step.unit
    event = _typed(from_parts(happened.kind, str(happened.id), state.rater, clocked(happened.at), body))
    if number is not None and step is None:
        raise InputError(f"this rater has no step {number}")
    return _settled(event, state) if isinstance(event, Answered) else event


def _typed(event: Event) -> Event:
    """The event with every field of its declared type and nothing that cannot be written as JSON."""
    try:
        checked: Event = ADAPTERS[event.kind].validate_python(event.__dict__)
        json.dumps(checked.body(), allow_nan=False, ensure_ascii=False).encode()
    except ValidationError as error:
        fault = error.errors()[0]
        raise InputError(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    except ValueError as error:
        raise InputError(f"a value cannot be stored ({error})") from error
    return checked


def _settled(event: Answered, state: State) -> Answered:
    """The answer as it is stored, or a refusal. Of parses the moves are sent; what follows from them is added here."""
    step = state.step(event.step)
    if step is None or event.unit != step.unit or event.question not in step.questions:
        raise InputError("this rater has no such step with this unit and question")
    question, unit = state.study.description.question(event.question), state.study.unit(step.unit)
    value = kind_of(question).settled(question, unit, event.value)
    if fault := problem(question, unit, value):
        raise InputError(fault)
    return replace(event, value=value)


def _shown(place: RaterPlace, state: State, now: Stage) -> Shown:
    step = now.page.step
    unit = {
        "id": unit_mark(place.server, state, step) if step else "",
        "text": now.unit.text,
        "prompt": now.unit.prompt,
        "alternatives": dict(now.unit.alternatives),
        "media": [medium_path(place.server, place.study, place.rater, step, one) for one in now.unit.media],
    }
    questions = [
        {
            "id": asked.question.id,
            "task": asked.question.task,
            "ask": asked.question.ask,
            "options": [choice.value for choice in asked.choices],
            "patterns": [pattern.id for pattern in asked.patterns],
            "value": asked.value,
            "version": asked.version,
            **asked.kind.shown_to_programs(asked.question, asked.unit, asked.value),
        }
        for asked in now.questions
    ]
    number = step.number if step else None
    return Shown(kind=now.kind, step=number, n=now.page.n, total=now.page.total, unit=unit, questions=questions)
