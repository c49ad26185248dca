"""The studies of the server, for researchers."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from assent.collection.session import Study
from assent.design.description import Question
from assent.web.api.access import Researcher, Shared, refusals
from assent.web.api.desks import ResearchersDesk
from assent.web.researcher.access import aside
from assent.web.researcher.agreement import attributes
from assent.web.researcher.drafts import Draft, DraftQuestion
from assent.web.researcher.overview import guideline_versions
from assent.web.researcher.projects import made, state_of

router = APIRouter(prefix="/studies", tags=["studies"])


class Summary(BaseModel):
    """A study in short."""

    name: str
    title: str
    is_open: bool
    plan: str


class Asked(BaseModel):
    """A question; `options` are the values that can be chosen."""

    id: str
    title: str
    ask: str
    task: str
    options: list[str]


class Settings(BaseModel):
    """How a study is run. `guideline_versions` counts the pages beside which each version was shown.

    `state` is designed, collecting, finished or adjudicated; `attributes` are what results can be sliced by.
    """

    name: str
    title: str
    is_open: bool
    plan: str
    state: str
    questions: list[Asked]
    n_units: int
    passes: bool
    shuffle: bool
    repeats: int
    n_gold: int
    guidelines: str
    guidelines_version: str
    guideline_versions: dict[str, int]
    attributes: list[str]


class RaterStanding(BaseModel):
    """How far a rater is; times are the server's."""

    rater: str
    set_number: int | None
    first_at: str
    last_at: str
    completed_at: str | None


class NewQuestion(BaseModel):
    """A question; `name` is made up if it is empty, `options` are needed where one chooses."""

    ask: str = Field(max_length=2000)
    name: str = Field(default="", max_length=200)
    task: Literal["binary", "categorical", "ordinal", "multilabel", "slider", "spans", "text"] = "binary"
    options: list[Annotated[str, Field(max_length=500)]] = Field(default_factory=list, max_length=200)


class NewStudy(BaseModel):
    """A study to make. `units` has one unit on each line, or is a CSV table with a column `text`.

    With `passes` one question is asked about all units, then the next; otherwise all are on one page.
    """

    title: str = Field(max_length=500)
    name: str = Field(max_length=42)
    questions: list[NewQuestion] = Field(min_length=1, max_length=50)
    units: str
    guidelines: str = ""
    passes: bool = True
    is_open: bool = False


@router.get("", responses=refusals(401))
async def studies(server: Shared, researcher: Researcher) -> list[Summary]:
    """The studies that you are a member of."""
    mine = await aside(
        lambda: [s for s in server.look_around() if server.membership.role(s.description.name, researcher)]
    )
    return [_summary(study) for study in mine]


@router.post("", status_code=201, responses=refusals(401, 403, 422))
async def make_study(server: Shared, researcher: Researcher, new: NewStudy) -> Summary:
    """Make a study and become its researcher."""
    return _summary(await aside(lambda: made(server, researcher, _draft(new))))


def _draft(new: NewStudy) -> Draft:
    asked = [
        DraftQuestion(ask=one.ask, name=one.name, task=one.task, options="\n".join(one.options))
        for one in new.questions
    ]
    return Draft(**{**new.model_dump(), "questions": tuple(asked)})


@router.get("/{study}", responses=refusals(401, 403, 404))
async def settings(desk: ResearchersDesk) -> Settings:
    """How the study is set up and how far it is."""
    snapshot = await desk.latest()
    n_decided = len(await aside(lambda: desk.server.adjudication.current(desk.name)))
    versions = await aside(lambda: guideline_versions(desk))
    about = desk.study.description
    return Settings(
        **_summary(desk.study).model_dump(),
        state=await aside(lambda: state_of(snapshot, n_decided)),
        questions=[_asked(question) for question in about.questions],
        n_units=len(about.units),
        passes=about.presentation.passes,
        shuffle=about.presentation.shuffle,
        repeats=about.checks.repeats,
        n_gold=len(about.checks.gold),
        guidelines=about.guidelines.text if about.guidelines else "",
        guidelines_version=about.guidelines.version if about.guidelines else "",
        guideline_versions=dict(versions),
        attributes=attributes(snapshot),
    )


def _asked(question: Question) -> Asked:
    options = [option.value for option in question.options]
    return Asked(id=question.id, title=question.title, ask=question.ask, task=question.task.value, options=options)


@router.get("/{study}/raters", responses=refusals(401, 403, 404))
async def raters(desk: ResearchersDesk) -> list[RaterStanding]:
    """Who takes part and how far they are."""
    standings = await aside(lambda: desk.server.log.standings(desk.name))
    return [RaterStanding(**standing.__dict__) for standing in standings]


def _summary(study: Study) -> Summary:
    about = study.description
    return Summary(name=about.name, title=about.title, is_open=about.is_open, plan=study.plan.hash)
