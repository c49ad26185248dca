"""One thing against another: two groups of raters, and a system's scores against the ranking of a preference test."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, ConfigDict, Field

from assent.diagnosis.findings import plain
from assent.errors import InputError
from assent.gold.comparison import Comparison
from assent.gold.ranks import ItemComparison
from assent.web.api.access import refusals
from assent.web.api.desks import ResearchersDesk
from assent.web.researcher.access import aside
from assent.web.researcher.gold import Groups, asked_in, comparison
from assent.web.researcher.live import Snapshot
from assent.web.researcher.weighing import each_once, ranking_of, scores_in, system_of, weights_of

router = APIRouter(prefix="/studies/{study}", tags=["comparisons"])
REFUSALS = refusals(401, 403, 404, 422)
NOT_FOUND = 404
Value = Annotated[str, Query(min_length=1, max_length=200)]


class Cell(BaseModel):
    """Units that the first group put here and the second there; `share` is of all units on which they differ."""

    first: str
    second: str
    n_units: int
    share: float


class Tie(BaseModel):
    """A unit without consensus within a group."""

    unit: str
    categories: list[str]
    n_votes: int


class GroupComparison(BaseModel):
    """Two groups' consensus: `table[i][j]` counts units the first calls `categories[i]`, the second `categories[j]`."""

    question: str
    names: tuple[str, str]
    categories: list[str]
    table: list[list[int]]
    n_units: int
    results: list[dict[str, Any]]
    largest: list[Cell]
    ties: tuple[list[Tie], list[Tie]]
    n_only: tuple[int, int]


class Score(BaseModel):
    """What a system gives a unit."""

    model_config = ConfigDict(extra="forbid")
    unit: str = Field(max_length=500)
    score: float = Field(allow_inf_nan=False)


class SystemScores(BaseModel):
    """A score for every unit of the study, as rows or as the text of a CSV file with the columns unit and score."""

    model_config = ConfigDict(extra="forbid")
    scores: Annotated[str, Field(max_length=1_000_000)] | Annotated[list[Score], Field(max_length=50_000)]


class OfItem(BaseModel):
    """The rank correlations in one item; `item` is null for all units together."""

    item: str | None
    n_units: int
    spearman: dict[str, Any]
    tau_b: dict[str, Any]


class SystemResult(BaseModel):
    """A system against the ranking; the means are over the items whose correlation is defined."""

    whole: OfItem
    items: list[OfItem]
    mean_spearman: float | None
    mean_tau_b: float | None
    n_undefined: int


@router.get("/groups", responses=REFUSALS)
async def groups(desk: ResearchersDesk) -> dict[str, list[str]]:
    """The attributes of raters with their values: what /comparison can compare."""
    snapshot = await desk.latest()
    return await aside(lambda: _groups(snapshot))


@router.get("/comparison", responses=REFUSALS)
async def compare_groups(
    desk: ResearchersDesk,
    attribute: Value,
    one: Value,
    other: Value,
    question: Annotated[str, Query(max_length=200)] = "",
) -> GroupComparison:
    """The consensus of the raters with one value of an attribute (experts) against that of the others'."""
    snapshot = await desk.latest()
    asked = asked_in(desk.study, {"question": question}).question
    known = await aside(lambda: _groups(snapshot))
    if not {one, other} <= set(known.get(attribute, ())):
        raise HTTPException(NOT_FOUND, "there are no such groups of raters")
    if one == other:
        raise InputError("a group is compared with itself", hint="name two values")
    chosen = Groups(attribute=attribute, one=one, other=other)
    return _told(asked, await aside(lambda: comparison(snapshot, asked, chosen)))


def _groups(snapshot: Snapshot) -> dict[str, list[str]]:
    study = snapshot.judgements
    return {name: list(study.column(name).as_labels().labels) for name in study.attribute_of("rater")} if study else {}


def _told(question: str, found: Comparison) -> GroupComparison:
    return GroupComparison.model_validate({**plain(found), "question": question, "n_units": found.n_units})


@router.post("/weights/comparison", responses=REFUSALS)
async def compare_scores(desk: ResearchersDesk, system: SystemScores) -> SystemResult:
    """A system's scores against the ranking by the weights: Spearman and tau-b, in each item and over all."""
    given = _given(system)
    snapshot = await desk.latest()
    weights = await aside(lambda: weights_of(desk, snapshot))
    found = await aside(lambda: system_of(ranking_of(desk, weights), given))
    return SystemResult(
        whole=_of_item(found.whole),
        items=[_of_item(one) for one in found.items],
        mean_spearman=found.mean_spearman,
        mean_tau_b=found.mean_tau_b,
        n_undefined=found.n_undefined,
    )


def _given(system: SystemScores) -> dict[str, str]:
    """The score of each unit as text."""
    if isinstance(system.scores, str):
        return scores_in(system.scores)
    return each_once((one.unit, repr(one.score)) for one in system.scores)


def _of_item(found: ItemComparison) -> OfItem:
    return OfItem.model_validate(plain(found))
