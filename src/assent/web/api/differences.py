"""Where raters differ and why: every two of them in words, the disputed units, one unit with all that was said."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel

from assent.collection.disputes import Filter
from assent.design.description import Unit
from assent.design.showing import unit_shown
from assent.diagnosis.findings import plain
from assent.errors import InputError
from assent.web.api.access import refusals
from assent.web.api.desks import ResearchersDesk
from assent.web.researcher.access import Desk, aside
from assent.web.researcher.agreement import consistencies
from assent.web.researcher.disagreements import Voice, decisions_on, entries, find_case, voices
from assent.web.researcher.live import Snapshot

router = APIRouter(prefix="/studies/{study}", tags=["differences"])
REFUSALS = refusals(401, 403, 404, 422)
NOT_FOUND = 404
Name = Annotated[str, Query(max_length=200)]


class PairVerdict(BaseModel):
    """Two raters: how often they say the same, both kinds of coefficient, and what they mean together in words."""

    raters: tuple[str, str]
    n_units: int
    observed: float | None
    agreement: dict[str, Any]
    correlation: dict[str, Any] | None
    tau_b: dict[str, Any] | None
    verdict: str
    stricter: str | None
    explanation: str


class QuestionPairs(BaseModel):
    """Every two raters on one question; `refused` says why raters cannot be told apart."""

    question: str | None
    verdicts: dict[str, int]
    pairs: list[PairVerdict]
    n_pairs_left_out: int
    refused: str | None


class Said(BaseModel):
    """One rater's answer: `rater` is a number unless names are asked for, `changes` is all they said, in order."""

    rater: str
    label: str
    value: Any
    seconds: float | None
    changes: list[str]
    comment: str


class UnitSeen(BaseModel):
    """A unit as the raters saw it, with every answer and every decision."""

    unit: dict[str, Any]
    question: str
    entropy: float
    answers: list[Said]
    decisions: list[dict[str, Any]]


@router.get("/pairs", responses=REFUSALS)
async def pairs(desk: ResearchersDesk) -> list[QuestionPairs]:
    """Agreement and correlation of every two raters together, with a verdict; of a crowd those with most units."""
    snapshot = await desk.latest()
    found = await aside(lambda: consistencies(snapshot))
    return [QuestionPairs.model_validate(plain(one)) for one in found]


@router.get("/disagreements", responses=REFUSALS)
async def disagreements(
    desk: ResearchersDesk,
    question: Name = "",
    one: Name = "",
    other: Name = "",
    rater: Name = "",
    attribute: Name = "",
    value: Annotated[str, Query(max_length=500)] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[dict[str, Any]]:
    """The units on which raters differ, the most uncertain first, with every answer.

    `one` and `other` are answers that must both occur, `rater` somebody who answered, and `attribute` of the unit must
    have the `value`.
    """
    snapshot = await desk.latest()
    answers = tuple(answer for answer in (one, other) if answer)
    asked = Filter(question=question, answers=answers, rater=rater, attribute=attribute, value=value)
    _check_filter(desk, snapshot, asked)
    found = await aside(lambda: entries(desk, snapshot, asked))
    return [
        {
            "unit": entry.case.unit,
            "question": entry.case.question,
            "entropy": entry.case.entropy,
            "answers": [asdict(given) for given in entry.case.given],
            "decision": None if entry.decision is None else entry.decision.value,
        }
        for entry in found[:limit]
    ]


def _check_filter(desk: Desk, snapshot: Snapshot, asked: Filter) -> None:
    """A name that does not occur is refused: an empty list would look like agreement."""
    known = {
        "question": (asked.question, [one.id for one in desk.study.description.questions]),
        "rater": (asked.rater, [one.person.rater for one in snapshot.followed]),
        "attribute": (asked.attribute, [name for one in desk.study.description.units for name in one.attributes]),
    }
    for what, (name, names) in known.items():
        if name and name not in names:
            raise HTTPException(NOT_FOUND, f"there is no such {what}")
    if asked.value and not asked.attribute:
        raise InputError("a value of no attribute is asked for", hint="name the attribute too")


@router.get("/disagreements/unit", responses=REFUSALS)
async def one_unit(
    desk: ResearchersDesk,
    unit: Annotated[str, Query(min_length=1, max_length=500)],
    question: Annotated[str, Query(min_length=1, max_length=200)],
    names: bool = False,
) -> UnitSeen:
    """One unit: what was shown, all answers side by side with time, comments and changes of mind, and the decisions."""
    snapshot = await desk.latest()
    case = await aside(lambda: find_case(snapshot, unit, question))
    if case is None:
        raise HTTPException(NOT_FOUND, "nobody has answered this question about this unit")
    heard = await aside(lambda: voices(desk, snapshot, case, with_names=names))
    decided = await aside(lambda: decisions_on(desk, unit, question))
    return UnitSeen(
        unit=_shown(unit_shown(desk.study.description, desk.study.plan, unit)),
        question=question,
        entropy=case.entropy,
        answers=[_said(voice) for voice in heard],
        decisions=[asdict(one) for one in decided],
    )


def _said(voice: Voice) -> Said:
    return Said(
        rater=voice.name,
        label=voice.label,
        value=voice.given.value,
        seconds=voice.given.seconds,
        changes=list(voice.changes),
        comment=voice.comment,
    )


def _shown(unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "item": unit.item,
        "prompt": unit.prompt,
        "text": unit.text,
        "alternatives": dict(unit.alternatives),
        "media": [medium.path for medium in unit.media],
        "attributes": dict(unit.attributes),
    }
