"""A rater's own work: the page they are on, what they do there, their answers so far."""

import json
from dataclasses import replace
from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, HTTPException, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool

from assent.collection.events import BY_RATERS, Answered, Event, from_parts
from assent.collection.session import State
from assent.design.answers import problem, settled
from assent.design.showing import unit_shown
from assent.errors import InputError
from assent.web import links, visitors
from assent.web.api.access import RatersSeat, Served, Shared, refusals
from assent.web.rater.entrance import join_by_link, join_openly
from assent.web.rater.stages import Asked, Stage, stage
from assent.web.rater.treebanking import FIRST, Bank, decoded
from assent.web.requests import address, limited

router = APIRouter(prefix="/studies/{study}", tags=["rating"])

ADAPTERS: dict[str, TypeAdapter[Event]] = {event.kind: TypeAdapter(event) for event in BY_RATERS}


class Entering(BaseModel):
    """How a rater comes in: with the token of a personal link, or without one where the study is open."""

    link: str | None = Field(default=None, max_length=2000)


class Key(BaseModel):
    """The key to show from now on."""

    key: str


class Happened(BaseModel):
    """One event; `id` is made by the sender, so that sending it again does no harm; `body` has the kind's fields."""

    model_config = ConfigDict(extra="forbid")
    id: UUID
    kind: Literal[
        "answered", "commented", "consented", "continued", "deferred", "described", "quit", "resumed", "went_back"
    ]
    at: AwareDatetime
    body: dict[str, JsonValue] = Field(
        default_factory=dict, examples=[{"step": 0, "unit": "u1", "question": "core", "value": "yes"}]
    )


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
        rater = await run_in_threadpool(links.rater_in, server, name, entering.link)
        if rater is None:
            raise HTTPException(403, "this link does not work")
        await join_by_link(server, study, rater)
    elif study.description.is_open:
        rater = await join_openly(server, study, {})
    else:
        raise HTTPException(403, "this study is for invited raters: send the token of a personal link")
    return Key(key=await visitors.begin(server, visitors.RATER, rater, name))


@router.get("/page", responses=refusals(401, 404, 422))
async def page(seat: RatersSeat) -> Shown:
    """The page the rater is on."""
    sessions = seat.server.sessions
    async with sessions.of(seat.study, seat.visit.who) as session:
        await sessions.enrol(session)
        now = stage(session.state)
        await decoded(now.unit)
        return _shown(now)


@router.post("/events", status_code=201, responses=refusals(401, 403, 404, 409, 422, 429))
async def deliver(seat: RatersSeat, delivery: Delivery) -> Stored:
    """Store what the rater did. The reply is sent after COMMIT."""
    sessions = seat.server.sessions
    async with sessions.of(seat.study, seat.visit.who, writing_as=seat.visit) as session:
        await sessions.enrol(session)
        await decoded(stage(session.state).unit)
        await sessions.record(session, [_event(happened, session.state) for happened in delivery.events])
    return Stored(stored=[happened.id for happened in delivery.events])


@router.get("/answers", responses=refusals(401, 404))
async def answers(seat: RatersSeat) -> list[Given]:
    """The rater's own answers as they stand."""
    async with seat.server.sessions.of(seat.study, seat.visit.who) as session:
        given = session.state.answers
        steps = session.state.steps
    return [
        Given(step=step, unit=steps[step].unit, question=question, value=value)
        for (step, question), value in sorted(given.items())
        if value is not None
    ]


def _event(happened: Happened, state: State) -> Event:
    """A checked event of this rater, whatever the sender says about who they are."""
    event = _typed(from_parts(happened.kind, str(happened.id), state.rater, happened.at.isoformat(), happened.body))
    number = getattr(event, "step", None)
    if number is not None and state.step(number) is None:
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
    description = state.study.description
    unit = unit_shown(description, state.study.plan, step.unit)
    question = description.question(event.question)
    value = settled(question, unit, event.value)
    if fault := problem(question, unit, value):
        raise InputError(fault)
    return replace(event, value=value)


def _shown(now: Stage) -> Shown:
    unit = {
        "id": now.unit.id,
        "text": now.unit.text,
        "prompt": now.unit.prompt,
        "alternatives": dict(now.unit.alternatives),
        "media": [medium.path for medium in now.unit.media],
    }
    step = now.page.step.number if now.page.step else None
    questions = [_asked(asked) for asked in now.questions]
    return Shown(kind=now.kind, step=step, n=now.page.n, total=now.page.total, unit=unit, questions=questions)


def _asked(asked: Asked) -> dict[str, Any]:
    return {
        "id": asked.question.id,
        "task": asked.task,
        "ask": asked.question.ask,
        "options": [choice.value for choice in asked.choices],
        "patterns": [pattern.id for pattern in asked.patterns],
        "value": asked.value,
        **({"parses": _parses(asked.bank(FIRST))} if asked.task == "parses" else {}),
    }


def _parses(bank: Bank) -> dict[str, Any]:
    """The parses that are left, and the discriminants that tell them apart, the most telling first."""
    return {"left": list(bank.results), "open": [one.name for one in bank.choosing.open], "verdict": bank.verdict}
