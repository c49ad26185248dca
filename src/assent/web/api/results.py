"""What came out: agreement, decisions, gold standard, weights, report and data."""

from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from assent.collection.adjudication import Decision
from assent.collection.disputes import Case as Disputed
from assent.collection.events import new_id
from assent.diagnosis.findings import plain
from assent.gold.standard import Method
from assent.measures.result import Agreement
from assent.uncertainty.studies import measure_study
from assent.web.api.access import refusals
from assent.web.api.desks import DecidersDesk, ResearchersDesk
from assent.web.researcher.access import Desk, aside
from assent.web.researcher.adjudicating import checked, given_answers, waiting
from assent.web.researcher.agreement import attributes, measured_slices
from assent.web.researcher.disagreements import find_case
from assent.web.researcher.downloads import export_file, report_file
from assent.web.researcher.gold import accuracies, asked_in, standard
from assent.web.researcher.live import SEED, Snapshot
from assent.web.researcher.marks import marked
from assent.web.researcher.weighing import ranked_rows, ranking_of, weights_of

router = APIRouter(prefix="/studies/{study}", tags=["results"])
REFUSALS = refusals(401, 403, 404, 422)
NOT_FOUND = 404


class Deciding(BaseModel):
    """A decision; `id` is made by the sender, so that sending it again does no harm.

    `seen` is the `seq` of the case it was made on.
    """

    model_config = ConfigDict(extra="forbid")
    id: UUID | None = None
    unit: str = Field(max_length=500)
    question: str = Field(max_length=500)
    value: JsonValue
    comment: str = Field(default="", max_length=5000)
    is_unclear: bool = False
    seen: int | None = Field(default=None, ge=0, lt=2**53)


class CaseAnswer(BaseModel):
    """One of the answers: in words, as the value that a decision may take, and how often it was given."""

    label: str
    value: Any
    n: int


class Case(BaseModel):
    """A unit to decide: what was answered and how often, without names."""

    unit: str
    question: str
    answers: list[CaseAnswer]
    seq: int


@router.get("/agreement", responses=REFUSALS)
async def agreement(
    desk: ResearchersDesk, by: Annotated[str, Query(max_length=200)] = "", pairs: bool = False
) -> dict[str, Any]:
    """The coefficients as they are now, as `assent measure STUDY --seed 1 --json` prints them."""
    snapshot = await desk.latest()
    if by and by not in attributes(snapshot):
        raise HTTPException(NOT_FOUND, "there is no such attribute")
    results = await aside(lambda: _results(snapshot, by, pairs))
    notes = list(snapshot.judgements.notes) if snapshot.judgements else []
    return {"seq": snapshot.seq, "results": [plain(result.as_dict()) for result in results], "notes": notes}


def _results(snapshot: Snapshot, by: str, pairs: bool) -> list[Agreement]:
    if snapshot.judgements is None or not (by or pairs):
        return list(snapshot.results)
    if by and not pairs:
        return measured_slices(snapshot, by)
    return measure_study(snapshot.judgements, by=[by] if by else [], pairs=pairs, seed=SEED)


@router.get("/agreement/spans", responses=REFUSALS)
async def spans(desk: ResearchersDesk) -> list[dict[str, Any]]:
    """Gamma, Gamma-cat and alpha_U of every text of every question about spans, with their means."""
    snapshot = await desk.latest()
    found = await aside(lambda: marked(snapshot))
    return [
        {
            "question": one.question.id,
            "summary": {name: plain(column.summary) for name, column in one.columns},
            "results": [plain(result.as_dict()) for result in one.results],
        }
        for one in found
    ]


@router.get("/cases", responses=REFUSALS)
async def cases(desk: DecidersDesk, everything: bool = False) -> list[Case]:
    """What is still to be decided: disagreements (or all units), blind to names."""
    snapshot = await desk.latest()
    found = await aside(lambda: waiting(desk, snapshot, everything=everything))
    return [Case(unit=one.unit, question=one.question, answers=_answers(desk, one), seq=snapshot.seq) for one in found]


def _answers(desk: Desk, case: Disputed) -> list[CaseAnswer]:
    return [CaseAnswer(**vars(one)) for one in given_answers(desk, case)]


@router.post("/decisions", status_code=201, responses=REFUSALS)
async def decide(desk: DecidersDesk, deciding: Deciding) -> dict[str, str]:
    """Decide a unit; the raters' answers stay as they are. The reply is sent after COMMIT."""
    snapshot = await desk.latest()
    if await aside(lambda: find_case(snapshot, deciding.unit, deciding.question)) is None:
        raise HTTPException(NOT_FOUND, "nobody has answered this question about this unit")
    seen = snapshot.seq if deciding.seen is None else min(deciding.seen, snapshot.seq)
    given = deciding.model_dump(exclude={"id", "seen"})
    decision = Decision(id=str(deciding.id or new_id()), adjudicator=desk.who, seen=seen, **given)
    await aside(lambda: desk.server.adjudication.decide(desk.name, checked(desk, decision)))
    return {"id": decision.id}


@router.get("/decisions", responses=REFUSALS)
async def decisions(desk: ResearchersDesk) -> list[dict[str, Any]]:
    """Every decision in order; later ones revise earlier ones."""
    found = await aside(lambda: desk.server.adjudication.history(desk.name))
    return [asdict(one) for one in found]


@router.get("/gold", responses=REFUSALS)
async def gold(
    desk: ResearchersDesk, question: Annotated[str, Query(max_length=200)] = "", method: Method = Method.VOTES
) -> dict[str, Any]:
    """The gold standard of a question, and how each rater does against the adjudicated values."""
    snapshot = await desk.latest()
    asked = asked_in(desk.study, {"question": question, "method": method.value})
    found = await aside(lambda: standard(desk, snapshot, asked))
    against = await aside(lambda: accuracies(desk, snapshot, asked.question))
    raters = [{"rater": one.rater, "n_units": one.n_units, "share_right": one.share_right} for one in against]
    return {**plain(asdict(found)), "question": asked.question, "accuracy": raters}


@router.get("/weights", responses=REFUSALS)
async def weights(desk: ResearchersDesk) -> dict[str, Any]:
    """The weights of the features of a preference test, and the ranking of all units by them."""
    snapshot = await desk.latest()
    found = await aside(lambda: weights_of(desk, snapshot))
    ranking = await aside(lambda: ranked_rows(ranking_of(desk, found)))
    rows = [{"item": item, "unit": unit, "score": score, "rank": place} for item, unit, score, place in ranking]
    return {"weights": plain(found), "ranking": rows}


@router.get("/report.{ending}", responses=REFUSALS)
async def report(desk: ResearchersDesk, ending: str, spans: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The reliability report: html, xlsx, tex or md; with `spans` that of the spans marked for this question."""
    return await report_file(desk, await desk.latest(), ending, spans=spans, is_shown=False)


@router.get("/export.{ending}", responses=REFUSALS)
async def export(desk: ResearchersDesk, ending: str, raw: bool = False) -> Response:
    """All tables with the codebook: xlsx, or csv files in one archive. Of parses: profile, an archive of profiles."""
    return await export_file(desk, await desk.latest(), ending, is_raw=raw)
