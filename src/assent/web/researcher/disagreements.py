"""The disagreement explorer: units by how far their raters are apart, and each unit with all its answers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from assent.collection.adjudication import Decision
from assent.collection.disputes import Case, Filter, Given
from assent.collection.events import Answered
from assent.design.description import CHOOSING, Description, Question, Task, Unit
from assent.design.showing import unit_shown
from assent.design.values import as_text
from assent.web.rater.treebanking import chosen_trees
from assent.web.requests import NOT_FOUND
from assent.web.researcher.access import Desk, aside, desk_of
from assent.web.researcher.live import Snapshot
from assent.web.researcher.studio import study_page

PAGE = 25
NAMED_ANSWERS = CHOOSING - {Task.SPANS} | {Task.PATTERNS}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A case with its unit and question, as the list shows it."""

    case: Case
    unit: Unit
    question: Question
    decision: Decision | None

    @property
    def shares(self) -> list[tuple[str, int, float]]:
        """Each answer with its label, count and share of the answers in per cent."""
        n = len(self.case.given)
        return [
            (label_of(self.question, self.unit, text), count, 100 * count / n)
            for text, count in self.case.counts.items()
        ]


@dataclass(frozen=True, kw_only=True)
class Voice:
    """One rater's answer as the explorer shows it; `name` is a number until names are asked for.

    `changes` is all they answered, in order, if they changed their mind; `comment` is what they wrote at the end.
    """

    name: str
    label: str
    given: Given
    changes: tuple[str, ...]
    comment: str


async def show(request: Request) -> Response:
    """GET …/disagreements."""
    desk = await desk_of(request)
    snapshot = await desk.latest()
    asked = filter_in(request.query_params)
    found = await aside(lambda: entries(desk, snapshot, asked))
    number = max(1, int(page) if (page := request.query_params.get("page", "1")).isdigit() else 1)
    return study_page(
        request,
        desk,
        "disagreements",
        entries=found[(number - 1) * PAGE : number * PAGE],
        n_found=len(found),
        number=number,
        n_pages=max(1, -(-len(found) // PAGE)),
        asked=asked,
        choices=await aside(lambda: choices(desk, snapshot)),
        query="&".join(f"{k}={v}" for k, v in request.query_params.items() if k != "page" and v),
    )


async def unit(request: Request) -> Response:
    """GET …/disagreements/unit?unit=…&question=…: one unit as the raters saw it, with everything they answered."""
    desk = await desk_of(request)
    snapshot = await desk.latest()
    place = request.query_params.get("unit", ""), request.query_params.get("question", "")
    found = await aside(lambda: find_case(snapshot, *place))
    if found is None:
        raise HTTPException(NOT_FOUND)
    with_names = request.query_params.get("names") == "yes"
    entry = await aside(lambda: _entry(desk, desk.server.adjudication.current(desk.name), found))
    heard = await aside(lambda: voices(desk, snapshot, found, with_names=with_names))
    history = await aside(lambda: decisions_on(desk, *place))
    decided = [(one, label_of(entry.question, entry.unit, as_text(entry.question, one.value))) for one in history]
    return study_page(
        request,
        desk,
        "disagreements",
        one=entry,
        voices=heard,
        with_names=with_names,
        decisions=decided,
        chosen=await aside(lambda: chosen_trees(entry.question, entry.unit, [given.value for given in found.given])),
        entries=[],
    )


def filter_in(params: Mapping[str, str]) -> Filter:
    """The filter that an address holds."""
    attribute, _, value = params.get("attribute", "").partition("=")
    answers = tuple(answer for answer in (params.get("one", ""), params.get("other", "")) if answer)
    return Filter(
        question=params.get("question", ""),
        answers=answers,
        rater=params.get("rater", ""),
        attribute=attribute,
        value=value,
    )


def entries(desk: Desk, snapshot: Snapshot, asked: Filter) -> list[Entry]:
    """The disputed cases that the filter takes."""
    decided = desk.server.adjudication.current(desk.name)
    disputed = [case for case in snapshot.cases if case.is_disputed]
    found = [_entry(desk, decided, case) for case in disputed]
    return [entry for entry in found if asked.takes(entry.case, entry.unit.attributes)]


def _entry(desk: Desk, decided: Mapping[tuple[str, str], Decision], case: Case) -> Entry:
    description = desk.study.description
    return Entry(
        case=case,
        unit=unit_shown(description, desk.study.plan, case.unit),
        question=description.question(case.question),
        decision=decided.get(case.place),
    )


def find_case(snapshot: Snapshot, unit: str, question: str) -> Case | None:
    """The case of a unit and a question."""
    return next((case for case in snapshot.cases if case.place == (unit, question)), None)


def decisions_on(desk: Desk, unit: str, question: str) -> list[Decision]:
    """Everything that was decided on a unit and a question, in order."""
    return [one for one in desk.server.adjudication.history(desk.name) if (one.unit, one.question) == (unit, question)]


def choices(desk: Desk, snapshot: Snapshot) -> dict[str, Any]:
    """What one can filter by."""
    description = desk.study.description
    return {
        "questions": description.questions,
        "answers": answer_choices(desk, snapshot),
        "raters": [one.person.rater for one in snapshot.followed],
        "attributes": attribute_values(description),
    }


def answer_choices(desk: Desk, snapshot: Snapshot, most: int = 60) -> list[str]:
    """The answers that occur in disputes, of questions with options to choose from."""
    asked = {question.id for question in desk.study.description.questions if question.task in NAMED_ANSWERS}
    found = {text for case in snapshot.cases if case.is_disputed and case.question in asked for text in case.counts}
    return sorted(found)[:most]


def attribute_values(description: Description, most: int = 20) -> list[str]:
    """`name=value` for every attribute of units that has few values."""
    values: dict[str, dict[str, None]] = {}
    for unit in description.units:
        for name, value in unit.attributes.items():
            values.setdefault(name, {})[value] = None
    return [f"{name}={value}" for name, found in values.items() if len(found) <= most for value in found]


def voices(desk: Desk, snapshot: Snapshot, case: Case, *, with_names: bool) -> list[Voice]:
    """All answers in an order that tells nothing about who gave them."""
    question = desk.study.description.question(case.question)
    seen = unit_shown(desk.study.description, desk.study.plan, case.unit)
    comments = {one.person.rater: one.person.comment for one in snapshot.followed}
    shuffled = sorted(case.given, key=lambda given: sha256(f"{case.place} {given.rater}".encode()).hexdigest())
    return [
        Voice(
            name=given.rater if with_names else f"Rater {number}",
            label=label_of(question, seen, given.text),
            given=given,
            changes=_changes(desk, case, seen, given.rater) if given.n_given > 1 else (),
            comment=comments[given.rater],
        )
        for number, given in enumerate(shuffled, start=1)
    ]


def _changes(desk: Desk, case: Case, seen: Unit, rater: str) -> tuple[str, ...]:
    """What the rater said before, in order."""
    question = desk.study.description.question(case.question)
    events = (entry.event for entry in desk.server.log.events(desk.name, rater))
    said = [
        event.value
        for event in events
        if isinstance(event, Answered) and (event.unit, event.question) == case.place and event.value is not None
    ]
    return tuple(label_of(question, seen, as_text(question, value)) for value in said)


def label_of(question: Question, unit: Unit, text: str) -> str:
    """An answer in the words of the page; spans are quoted."""
    labels = {option.value: option.label for option in question.options}
    match question.task:
        case Task.SPANS:
            spans = json.loads(text)
            quoted = (f"{unit.text[one['begin'] : one['end']]} ({labels[one['category']]})" for one in spans)
            return ", ".join(quoted) or "–"
        case Task.RANKING:
            return " > ".join(labels[part] for part in text.split(">"))
        case Task.MULTILABEL:
            return " + ".join(labels[part] for part in text.split("+"))
    return labels.get(text, text)
