"""The disagreement explorer: units by how far their raters are apart, and each unit with all its answers."""

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
from assent.design.description import Description, Question, Unit
from assent.design.showing import unit_shown
from assent.design.values import as_text
from assent.web.rater.treebanking import chosen_trees
from assent.web.requests import NOT_FOUND
from assent.web.researcher.access import Desk, aside, desk_of
from assent.web.researcher.live import Snapshot
from assent.web.researcher.studio import study_page

PAGE = 25


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
        return [(label_of(self.question, text), count, 100 * count / n) for text, count in self.case.counts.items()]


@dataclass(frozen=True, kw_only=True)
class Voice:
    """One rater's answer as the explorer shows it; `name` is a number until names are asked for."""

    name: str
    label: str
    given: Given
    changes: tuple[str, ...]


async def show(request: Request) -> Response:
    """GET …/disagreements."""
    desk = await desk_of(request)
    snapshot = await desk.snapshot(at_once=True)
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
    snapshot = await desk.snapshot(at_once=True)
    place = request.query_params.get("unit", ""), request.query_params.get("question", "")
    found = await aside(lambda: find_case(snapshot, *place))
    if found is None:
        raise HTTPException(NOT_FOUND)
    with_names = request.query_params.get("names") == "yes"
    entry = await aside(lambda: _entry(desk, desk.server.adjudication.current(desk.name), found))
    heard = await aside(lambda: voices(desk, found, with_names=with_names))
    history = await aside(lambda: decisions_on(desk, *place))
    return study_page(
        request,
        desk,
        "disagreements",
        one=entry,
        voices=heard,
        with_names=with_names,
        decisions=history,
        label=lambda value: label_of(entry.question, as_text(entry.question, value)),
        chosen=await aside(lambda: chosen_trees(entry.unit, [given.value for given in found.given])),
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
        "answers": sorted({text for case in snapshot.cases if case.is_disputed for text in case.counts})[:60],
        "raters": [one.person.rater for one in snapshot.followed],
        "attributes": attribute_values(description),
    }


def attribute_values(description: Description, most: int = 20) -> list[str]:
    """`name=value` for every attribute of units that has few values."""
    values: dict[str, dict[str, None]] = {}
    for unit in description.units:
        for name, value in unit.attributes.items():
            values.setdefault(name, {})[value] = None
    return [f"{name}={value}" for name, found in values.items() if len(found) <= most for value in found]


def voices(desk: Desk, case: Case, *, with_names: bool) -> list[Voice]:
    """All answers in an order that tells nothing about who gave them."""
    question = desk.study.description.question(case.question)
    shuffled = sorted(case.given, key=lambda given: sha256(f"{case.place} {given.rater}".encode()).hexdigest())
    return [
        Voice(
            name=given.rater if with_names else f"Rater {number}",
            label=label_of(question, given.text),
            given=given,
            changes=_changes(desk, case, question, given) if given.n_given > 1 else (),
        )
        for number, given in enumerate(shuffled, start=1)
    ]


def _changes(desk: Desk, case: Case, question: Question, given: Given) -> tuple[str, ...]:
    """What the rater said before, in order."""
    events = (entry.event for entry in desk.server.log.events(desk.name, given.rater))
    said = [
        event.value
        for event in events
        if isinstance(event, Answered) and (event.unit, event.question) == case.place and event.value is not None
    ]
    return tuple(label_of(question, as_text(question, value)) for value in said)


def label_of(question: Question, text: str) -> str:
    """An answer in the words of the page."""
    labels = {option.value: option.label for option in question.options}
    if text in labels:
        return labels[text]
    return " + ".join(labels.get(part, part) for part in text.split("+")) if labels else text
