"""Adjudication: one disputed unit after the other, blind to names, decided by key."""

from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.collection.adjudication import Decision
from assent.collection.disputes import Case, to_decide
from assent.collection.events import new_id
from assent.collection.pages import Page, PageKind
from assent.design.answers import is_complete, problem, settled
from assent.design.description import Task
from assent.design.ordering import Kind, Step
from assent.design.showing import unit_shown
from assent.errors import InputError
from assent.web.rater.fields import value_in
from assent.web.rater.stages import Asked, Stage
from assent.web.rater.treebanking import FIRST, Look, chosen_trees
from assent.web.requests import NOT_FOUND, checked_form
from assent.web.researcher.access import BOTH, Desk, aside, desk_of
from assent.web.researcher.disagreements import find_case, label_of
from assent.web.researcher.live import Snapshot
from assent.web.researcher.studio import study_page

LONGEST_COMMENT = 5000


async def show(request: Request) -> Response:
    """GET …/adjudication: the next case to decide, or the one in the address."""
    desk = await desk_of(request, *BOTH)
    return await _page(request, desk)


async def decide(request: Request) -> Response:
    """POST …/adjudication."""
    desk, form = await desk_of(request, *BOTH), await checked_form(request)
    place = str(form.get("unit", "")), str(form.get("question", ""))
    snapshot = await desk.latest()
    if (case := await aside(lambda: find_case(snapshot, *place))) is None:
        raise HTTPException(NOT_FOUND)
    try:
        value = await aside(lambda: value_of(desk, form, case))
        if "decide" not in form and desk.study.description.question(case.question).task is Task.PARSES:
            return await _page(request, desk, case=case, value=value, look=Look.asked(form.get("look")))
        decision = decision_in(desk, form, case, snapshot, value)
    except InputError as error:
        return await _page(request, desk, case=case, fault=str(error))
    await aside(lambda: desk.server.adjudication.decide(desk.name, decision))
    path = request.url_for("adjudication", study=desk.name).path
    return RedirectResponse(path + ("?all=yes" if form.get("all") else ""), status_code=303)


def value_of(desk: Desk, form: FormData, case: Case) -> Any:
    """The answer that a form holds."""
    question = desk.study.description.question(case.question)
    return value_in(form, question, unit_shown(desk.study.description, desk.study.plan, case.unit))


def decision_in(desk: Desk, form: FormData, case: Case, snapshot: Snapshot, value: Any) -> Decision:
    """The decision that a form holds."""
    return checked(
        desk,
        Decision(
            id=str(form.get("event", "")) or new_id(),
            unit=case.unit,
            question=case.question,
            value=value,
            adjudicator=desk.who,
            comment=str(form.get("comment", ""))[:LONGEST_COMMENT].replace("\r\n", "\n").strip(),
            is_unclear=bool(form.get("unclear")),
            seen=min(snapshot.seq, int(seen) if (seen := str(form.get("seen", ""))).isdigit() else snapshot.seq),
        ),
    )


def checked(desk: Desk, decision: Decision) -> Decision:
    """The decision, if its value is an answer to the question."""
    question = desk.study.description.question(decision.question)
    unit = unit_shown(desk.study.description, desk.study.plan, decision.unit)
    decision = replace(decision, value=settled(question, unit, decision.value))
    fault = problem(question, unit, decision.value)
    if fault is None and not is_complete(question, decision.value):
        fault = "the answer is not complete"
    if fault is not None:
        raise InputError(fault, hint="nothing was stored")
    return decision


def waiting(desk: Desk, snapshot: Snapshot, *, everything: bool) -> list[Case]:
    """The cases still to decide; an adjudicator gets them one question after the other."""
    decided = desk.server.adjudication.current(desk.name)
    order = {question.id: place for place, question in enumerate(desk.study.description.questions)}
    found = to_decide(snapshot.cases, decided, everything=everything)
    return sorted(found, key=lambda case: order[case.question])


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """One of the answers to a case and how often it was given; nobody can be told from it."""

    label: str
    value: Any
    n: int


def given_answers(desk: Desk, case: Case) -> list[GivenAnswer]:
    """The different answers, in an order that has nothing to do with who gave them."""
    question = desk.study.description.question(case.question)
    unit = unit_shown(desk.study.description, desk.study.plan, case.unit)
    values = {one.text: one.value for one in case.given}
    found = [
        GivenAnswer(label=label_of(question, unit, text), value=values[text], n=n) for text, n in case.counts.items()
    ]
    return sorted(found, key=lambda one: one.label)


async def _page(
    request: Request, desk: Desk, *, case: Case | None = None, fault: str = "", value: Any = None, look: Look = FIRST
) -> Response:
    everything = request.query_params.get("all") == "yes"
    snapshot = await desk.latest()
    queue = await aside(lambda: waiting(desk, snapshot, everything=everything))
    n_decided = len(await aside(lambda: desk.server.adjudication.current(desk.name)))
    asked = request.query_params.get("unit", ""), request.query_params.get("question", "")
    if case is None and any(asked):
        case = await aside(lambda: find_case(snapshot, *asked))
    if case is None:
        skipped = request.query_params.get("skip", "")
        place = int(skipped) if skipped.isdigit() else 0
        case = queue[place % len(queue)] if queue else None
    values: dict[str, Any] = {"case": case, "n_waiting": len(queue), "n_decided": n_decided, "everything": everything}
    if case is not None:
        at = queue.index(case) if case in queue else -1
        given, chosen = given_answers(desk, case), request.query_params.get("start", "")
        if value is None and chosen.isdigit() and int(chosen) < len(given):
            value = given[int(chosen)].value
        stage = stage_of(desk, case, value)
        values |= {"stage": stage, "given": given, "skip": at + 1, "fault": fault}
        values |= {"event": new_id(), "seq": snapshot.seq, "look": look}
        values["chosen"] = await aside(
            lambda: chosen_trees(stage.questions[0].question, stage.unit, [one.value for one in case.given])
        )
    return study_page(request, desk, "adjudication", status=422 if fault else 200, **values)


def stage_of(desk: Desk, case: Case, value: Any = None) -> Stage:
    """The question as raters see it, without an answer, with one of theirs to start from, or as far as it goes."""
    study = desk.study
    step = Step(number=0, unit=case.unit, kind=Kind.MAIN, questions=(case.question,), pass_number=0)
    unit = unit_shown(study.description, study.plan, case.unit)
    asked = Asked(question=study.description.question(case.question), unit=unit, step=step, position=0, value=value)
    page = Page(kind=PageKind.JUDGING, step=step)
    return Stage(page=page, unit=unit, questions=(asked,), advances=study.advances(step))
