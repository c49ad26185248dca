"""What answers amount to: agreement, disagreements, decisions, the gold standard, weights, reports and data."""

from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from concordant.model.tabular import plain
from concordant.studio import dashboard, exports, measurements, model_judges, standards
from concordant.studio import disagreements as differences
from concordant.studio.twos import drawn_pairs, treebankers
from concordant.web.api.access import REFUSALS, AsDecider, AsResearcher, Researcher, Shared, refusals
from concordant.web.requests import aside, download

router = APIRouter()
STUDY = "/studies/{study}"
Name = Annotated[str, Query(max_length=200)]
Value = Annotated[str, Query(min_length=1, max_length=200)]


class Aim(BaseModel):
    """How narrow intervals shall be."""

    width: float = Field(gt=0, lt=2)


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
    cause: str = Field(default="", max_length=200)
    seen: int | None = Field(default=None, ge=0, lt=2**53)


class Case(BaseModel):
    """A unit to decide: what was answered and how often, without names."""

    unit: str
    question: str
    answers: list[differences.GivenAnswer]
    seq: int


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


@router.get(f"{STUDY}/results", responses=REFUSALS, tags=["results"])
async def opening(place: AsResearcher, question: Name = "", by: Name = "", language: Name = "en") -> dict[str, Any]:
    """The verdict in sentences, what to do next, the raters of a question, where its disagreement lives, its slices.

    `rounds` compares agreement before and after each change of the guidelines.
    """
    found = asdict(await aside(dashboard.results, place, question=question, by=by, language=language))
    changed = await aside(lambda: dashboard.rounds_told(place.measured()))
    steps = [asdict(one) for one in (await aside(dashboard.steps_of, place, language))[1]]
    return {**found, "steps": steps, "rounds": changed}


@router.get(f"{STUDY}/agreement", responses=REFUSALS, tags=["results"])
async def agreement(place: AsResearcher, by: Name = "", pairs: bool = False) -> dict[str, Any]:
    """The coefficients as they are now, as the command `measure STUDY --seed 1 --json` prints them."""
    snapshot, results = await aside(measurements.measured, place, by=by, pairs=pairs)
    told = [plain(result.to_dict()) for result in results]
    return {"seq": snapshot.seq, "results": told, "notes": list(snapshot.notes)}


@router.get(f"{STUDY}/agreement/spans", responses=REFUSALS, tags=["results"])
async def spans(place: AsResearcher) -> list[dict[str, Any]]:
    """Gamma, Gamma-cat and alpha_U of every text of every question about spans, with their means."""
    return [
        {
            "question": one.question.id,
            "summary": {name: plain(column.summary) for name, column in one.columns},
            "intervals": {name: plain(c.interval.to_dict()) for name, c in one.columns if c.interval},
            "results": [plain(result.to_dict()) for result in one.results],
        }
        for one in await aside(measurements.marked, await aside(place.latest))
    ]


@router.get(f"{STUDY}/pairs", responses=REFUSALS, tags=["differences"])
async def pairs(place: AsResearcher) -> list[QuestionPairs]:
    """Agreement and correlation of every two raters together, with a verdict; of a crowd those with most units."""
    found = await aside(measurements.pairs, await aside(place.latest))
    return [QuestionPairs.model_validate(plain(one)) for one in found]


@router.get(f"{STUDY}/agreement/twos", responses=REFUSALS, tags=["results"])
async def twos(place: AsResearcher) -> list[dict[str, Any]]:
    """Y-Option Kappa of every two treebankers in its three readings, and of raters drawn at random with intervals."""
    snapshot = await aside(place.latest)
    found = [*await aside(treebankers, place, snapshot), *await aside(drawn_pairs, snapshot)]
    return [plain(result.to_dict()) for result in found]


@router.put(f"{STUDY}/target", responses=REFUSALS, tags=["running"])
async def aim(place: AsResearcher, target: Aim) -> Aim:
    """Set how narrow intervals shall be before collecting stops."""
    await aside(measurements.aim, place, target.width)
    return target


@router.get(f"{STUDY}/stopping", responses=REFUSALS, tags=["running"])
async def stopping(place: AsResearcher) -> list[dict[str, Any]]:
    """For every question how wide the interval is, and how many more units or raters the target takes."""
    of_result, own = (
        ("question", "measure", "value"),
        ("width", "target", "is_reached", "is_unusable", "more_units", "more_raters"),
    )
    return [
        {name: getattr(one.result, name) for name in of_result} | {name: getattr(one, name) for name in own}
        for one in await aside(measurements.stoppings, place, await aside(place.latest))
    ]


@router.get(f"{STUDY}/disagreements", responses=REFUSALS, tags=["differences"])
async def disagreements(
    place: AsResearcher,
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
    names = {"question": question, "rater": rater, "attribute": attribute, "value": value}
    asked = differences.asked_for(one=one, other=other, **names)
    await aside(differences.check_filter, place, asked)
    found, _ = await aside(differences.explore, place, asked)
    return [
        {
            **{name: getattr(entry.case, name) for name in ("unit", "question", "entropy")},
            "answers": [asdict(given) for given in entry.case.given],
            "decision": None if entry.decision is None else entry.decision.value,
        }
        for entry in found[:limit]
    ]


@router.get(f"{STUDY}/disagreements/unit", responses=REFUSALS, tags=["differences"])
async def one_unit(
    place: AsResearcher, unit: Annotated[str, Query(min_length=1, max_length=500)], question: Value, names: bool = False
) -> UnitSeen:
    """One unit: what was shown, all answers side by side with time, comments and changes of mind, and the decisions."""
    looked = await aside(differences.look, place, unit, question, with_names=names)
    shown = looked.one.unit
    return UnitSeen(
        unit={
            **{name: getattr(shown, name) for name in ("id", "item", "prompt", "text")},
            "alternatives": dict(shown.alternatives),
            "media": [medium.path for medium in shown.media],
            "attributes": dict(shown.attributes),
        },
        question=question,
        entropy=looked.one.case.entropy,
        answers=[
            Said(
                rater=voice.name,
                label=voice.label,
                value=voice.given.value,
                seconds=voice.given.seconds,
                changes=list(voice.changes),
                comment=voice.comment,
            )
            for voice in looked.voices
        ],
        decisions=[asdict(one) for one in looked.decisions],
    )


@router.get(f"{STUDY}/cases", responses=REFUSALS, tags=["results"])
async def cases(place: AsDecider, everything: bool = False, second: bool = False) -> list[Case]:
    """What is still to be decided: disagreements (or all units), blind to names."""
    todo = await aside(differences.queue, place, everything=everything, second=second)
    now, given = todo.snapshot, differences.given_answers
    return [Case(unit=c.unit, question=c.question, answers=given(place, now, c), seq=now.seq) for c in todo.cases]


@router.post(f"{STUDY}/decisions", status_code=201, responses=REFUSALS, tags=["results"])
async def decide(place: AsDecider, deciding: Deciding) -> dict[str, str]:
    """Decide a unit; the raters' answers stay as they are. The reply is sent after COMMIT."""
    given = deciding.model_dump() | {"id": str(deciding.id or "")}
    return {"id": (await aside(differences.decide, place, **given)).id}


@router.get(f"{STUDY}/causes", responses=REFUSALS, tags=["results"])
async def causes(place: AsResearcher, by: Name = "") -> dict[str, Any]:
    """Why raters differed as adjudicators coded it, by question and part; their notes; second opinions."""
    return asdict(await aside(differences.causes, place, by=by))


@router.get(f"{STUDY}/decisions", responses=REFUSALS, tags=["results"])
async def decisions(place: AsResearcher) -> list[dict[str, Any]]:
    """Every decision in order; later ones revise earlier ones."""
    return [asdict(one) for one in await aside(place.decisions)]


@router.get(f"{STUDY}/gold", responses=REFUSALS, tags=["results"])
async def gold(
    place: AsResearcher, question: Name = "", method: standards.Method = standards.Method.VOTES
) -> dict[str, Any]:
    """The gold standard of a question, and how each rater does against the adjudicated values."""
    asked, found, accuracies = await aside(standards.found_gold, place, question, method)
    raters = [{"rater": one.rater, "n_units": one.n_units, "share_right": one.share_right} for one in accuracies]
    return {**plain(asdict(found)), "question": asked, "accuracy": raters}


@router.get(f"{STUDY}/groups", responses=REFUSALS, tags=["comparisons"])
async def groups(place: AsResearcher) -> dict[str, list[str]]:
    """The attributes of raters with their values: what /comparison can compare."""
    return await aside(standards.groups, place)


@router.get(f"{STUDY}/comparison", responses=REFUSALS, tags=["comparisons"])
async def compare_groups(
    place: AsResearcher, attribute: Value, one: Value, other: Value, question: Name = ""
) -> GroupComparison:
    """The consensus of the raters with one value of an attribute (experts) against that of the others'."""
    chosen = standards.Groups(attribute=attribute, one=one, other=other)
    asked, found = await aside(standards.compared, place, question, chosen)
    return GroupComparison.model_validate({**plain(found), "question": asked, "n_units": found.n_units})


@router.get(f"{STUDY}/models", responses=REFUSALS, tags=["results"])
async def models(place: AsResearcher, by: Name = "", epsilon: Name = "") -> dict[str, Any]:
    """What models that answered may stand for, as `judges --json` prints it; `by` is an attribute of units."""
    chosen = (place, by, model_judges.as_epsilon(epsilon))
    found: dict[str, Any] = (await aside(model_judges.judging_of, *chosen)).to_dict()
    return found


@router.get(f"{STUDY}/weights", responses=REFUSALS, tags=["results"])
async def weights(place: AsResearcher) -> dict[str, Any]:
    """The weights of the features of a preference test, and the ranking of all units by them."""
    found = await aside(standards.weights_of, place)
    ranking = standards.ranked_rows(await aside(standards.ranking_of, place, found))
    names = ("item", "unit", "score", "rank")
    return {"weights": plain(found), "ranking": [dict(zip(names, row, strict=True)) for row in ranking]}


@router.post(f"{STUDY}/weights/comparison", responses=REFUSALS, tags=["comparisons"])
async def compare_scores(place: AsResearcher, system: SystemScores) -> SystemResult:
    """A system's scores against the ranking by the weights: Spearman and tau-b, in each item and over all."""
    if isinstance(system.scores, str):
        given = standards.scores_in(system.scores)
    else:
        given = standards.each_once((one.unit, repr(one.score)) for one in system.scores)
    ranking = await aside(standards.ranking_of, place, await aside(standards.weights_of, place))
    found = await aside(standards.system_of, ranking, given)
    means = {name: getattr(found, name) for name in ("mean_spearman", "mean_tau_b", "n_undefined")}
    return SystemResult.model_validate({**plain(found), **means})


@router.get(f"{STUDY}/report.{{ending}}", responses=REFUSALS, tags=["results"])
async def report(place: AsResearcher, ending: str, spans: Name = "") -> Response:
    """The reliability report: html, xlsx, tex or md; with `spans` that of the spans marked for this question."""
    return await download(await aside(exports.report, place, ending, spans=spans))


@router.get(f"{STUDY}/export.{{ending}}", responses=REFUSALS, tags=["results"])
async def export(place: AsResearcher, ending: str, raw: bool = False) -> Response:
    """All tables with the codebook: xlsx, or csv files in one archive. Of parses: profile, an archive of profiles."""
    return await download(await aside(exports.export, place, ending, is_raw=raw))


@router.get("/data", responses=refusals(401), tags=["data sets"])
async def datasets(server: Shared, who: Researcher) -> list[str]:
    """The names of the data sets."""
    return list(server.datasets)


@router.get("/data/{name}.{ending}", name="report", responses=refusals(401, 404, 422), tags=["data sets"])
async def dataset(server: Shared, who: Researcher, name: str, ending: str) -> Response:
    """The reliability report of a data set: html, xlsx, tex or md."""
    return await download(exports.dataset(server, name, ending), is_shown=True)
