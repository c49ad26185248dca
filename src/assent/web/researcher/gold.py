"""The gold standard of a study, raters against adjudicated values, and one group of raters against another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from assent.collection.fanning import fanned
from assent.collection.session import Study
from assent.design.description import Task
from assent.design.showing import unit_shown
from assent.design.values import as_text
from assent.diagnosis.accuracy import Accuracy, accuracy
from assent.diagnosis.material import Material, materials
from assent.errors import AssentError, InputError
from assent.gold.comparison import Comparison, compare
from assent.gold.standard import GoldValue, Method, Standard, as_csv, gold_standard
from assent.model.columns import Column, encode
from assent.model.scale import Level
from assent.model.study import Study as Judged
from assent.report.tables import BLANK
from assent.web.requests import NOT_FOUND
from assent.web.researcher.access import Desk, aside, desk_of
from assent.web.researcher.disagreements import label_of
from assent.web.researcher.live import SEED, Snapshot
from assent.web.researcher.studio import study_page

ADJUDICATED = "adjudicated value"
METHODS = {
    Method.VOTES: "Votes",
    Method.ADJUDICATED: "Adjudicated",
    Method.DAWID_SKENE: "Dawid & Skene",
    Method.MACE: "MACE",
}
WHOLE = frozenset({Task.SPANS, Task.TEXT, Task.RANKING})
"""Tasks whose answers have no categories: two answers are the same or they are not."""

MODELS = (Method.DAWID_SKENE, Method.MACE)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Which question by which method."""

    question: str
    method: Method


@dataclass(frozen=True, kw_only=True)
class Groups:
    """The raters with one value of an attribute and those with another."""

    attribute: str
    one: str
    other: str

    @classmethod
    def named(cls, chosen: str) -> "Groups":
        """What the page's list calls `name=one=other`."""
        attribute, _, both = chosen.partition("=")
        one, _, other = both.partition("=")
        return cls(attribute=attribute, one=one, other=other)


async def show(request: Request) -> Response:
    """GET …/gold."""
    desk = await desk_of(request)
    snapshot = await desk.latest()
    asked = asked_in(desk.study, request.query_params)
    values: dict[str, Any] = {"asked": asked, "methods": METHODS, "standard": None, "accuracies": (), "reason": ""}
    groups = await aside(lambda: group_choices(snapshot))
    chosen = request.query_params.get("groups", "")
    try:
        values["standard"] = await aside(lambda: standard(desk, snapshot, asked))
        values["accuracies"] = await aside(lambda: accuracies(desk, snapshot, asked.question))
        if chosen:
            values["comparison"] = await aside(lambda: comparison(snapshot, asked.question, Groups.named(chosen)))
    except AssentError as error:
        values["reason"] = str(error)
    values["label"] = _labels(desk, asked.question)
    return study_page(request, desk, "gold", **{"comparison": None, "groups": groups, "chosen": chosen, **values})


def _labels(desk: Desk, question: str) -> Callable[[GoldValue], str]:
    """A unit's value in the words of the page."""
    asked, units = desk.study.description.question(question), desk.study.description.unit_by_id

    def label(one: GoldValue) -> str:
        if one.value is None:
            return BLANK
        return label_of(asked, units[one.unit], one.value) if one.unit in units else one.value

    return label


async def download(request: Request) -> Response:
    """GET …/gold.csv."""
    desk = await desk_of(request)
    snapshot = await desk.latest()
    asked = asked_in(desk.study, request.query_params)
    found = await aside(lambda: standard(desk, snapshot, asked))
    name = f"{desk.name}-{asked.question}-{asked.method}.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(as_csv({asked.question: found}), media_type="text/csv; charset=utf-8", headers=headers)


def asked_in(study: Study, params: Mapping[str, str]) -> Asked:
    """The question and method of an address; the first ones when it names none."""
    question = params.get("question") or study.description.questions[0].id
    known = [one.id for one in study.description.questions]
    try:
        method = Method(params.get("method") or Method.VOTES)
    except ValueError as error:
        raise HTTPException(NOT_FOUND, "there is no such method") from error
    if question not in known:
        raise HTTPException(NOT_FOUND, "there is no such question")
    return Asked(question=question, method=method)


def material(snapshot: Snapshot, question: str) -> Material:
    """The judgements of one question; of spans, texts and rankings whole answers that are the same or not."""
    if snapshot.study.description.question(question).task in WHOLE:
        return whole_answers(snapshot, question)
    parts = [] if snapshot.judgements is None else list(materials(snapshot.judgements))
    found = next((part for part in parts if part.question in (question, None)), None)
    if found is None:
        raise InputError(f"there are no judgements of {question!r} to count", hint="wait for answers")
    return found


def whole_answers(snapshot: Snapshot, question: str) -> Material:
    """Every answer as a category of its own, for questions without categories."""
    description, plan = snapshot.study.description, snapshot.study.plan
    rows = [
        (copy, given.rater, given.text)
        for case in snapshot.cases
        if case.question == question
        for copy in unit_shown(description, plan, case.unit).copies or (case.unit,)
        for given in case.given
    ]
    if not rows:
        raise InputError(f"there are no answers to {question!r} yet", hint="wait for answers")
    unit, rater, value = (encode(np.array(column, dtype=object)) for column in zip(*rows, strict=True))
    found = Judged(name=question, unit=unit, rater=rater, value=value, level=Level.NOMINAL)
    return Material(question=None, study=found)


def standard(desk: Desk, snapshot: Snapshot, asked: Asked) -> Standard:
    """The gold standard that was asked for."""
    part = material(snapshot, asked.question)
    if asked.method in MODELS and desk.study.description.question(asked.question).task in WHOLE:
        raise InputError("a model of raters needs categories", hint="take votes or adjudicate")
    decided = decided_values(desk, asked.question)
    if asked.method is Method.ADJUDICATED:
        return gold_standard(part.judgements, asked.method, decided)
    made: Standard = snapshot.remember(
        f"gold {asked.question} {asked.method}", lambda: gold_standard(part.judgements, asked.method, seed=SEED)
    )
    return made


def decided_values(desk: Desk, question: str) -> dict[str, str]:
    """The adjudicated values as text, for every unit with the text that was shown."""
    study = desk.study
    asked = study.description.question(question)
    found: dict[str, str] = {}
    for (unit, about), decision in desk.server.adjudication.current(desk.name).items():
        if about == question:
            shown = unit_shown(study.description, study.plan, unit)
            rows = [replace(shown, id=id) for id in shown.copies or (unit,)]
            parts = [part for row in rows for part in fanned(row, asked, decision.value)]
            found |= {part.id: as_text(by, value) for part, by, value in parts if by.id == question}
    return found


def accuracies(desk: Desk, snapshot: Snapshot, question: str) -> tuple[Accuracy, ...]:
    """Each rater, and the consensus of all, against what is unanimous or decided."""
    if not decided_values(desk, question):
        return ()
    part = material(snapshot, question)
    found = standard(desk, snapshot, Asked(question=question, method=Method.ADJUDICATED))
    right = {one.unit: one.value for one in found.values if one.value is not None}
    labels = list(dict.fromkeys(right.values()))
    of_unit = np.array([labels.index(right[unit]) if unit in right else -1 for unit in part.study.unit.labels])
    column = Column(codes=of_unit[part.study.unit.codes], labels=labels)
    told = replace(part.study, attributes={**part.study.attributes, ADJUDICATED: column})
    return accuracy(Material(question=part.question, study=told), ADJUDICATED, seed=SEED)


def group_choices(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Every two values of an attribute of raters, as `name=one=other` and as words."""
    if snapshot.judgements is None:
        return []
    found = []
    for name in snapshot.judgements.attribute_of("rater"):
        labels = list(snapshot.judgements.attributes[name].labels)
        pairs = [(one, other) for i, one in enumerate(labels[:8]) for other in labels[i + 1 : 8]]
        found += [
            (f"{name}={one}={other}", f"{name.removeprefix('rater_')}: {one} and {other}") for one, other in pairs
        ]
    return found


def comparison(snapshot: Snapshot, question: str, groups: Groups) -> Comparison:
    """The consensus of one group against that of the other."""
    study, names = material(snapshot, question).study, (groups.one, groups.other)
    sides = [study.where(groups.attribute, [value]).judgements() for value in names]
    return compare(sides[0], sides[1], names=names, seed=SEED)
