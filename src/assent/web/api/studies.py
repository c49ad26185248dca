"""The studies of the server, for researchers."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from assent.collection.session import Study
from assent.web.api.access import Researcher, Shared, refusals
from assent.web.api.desks import ResearchersDesk
from assent.web.researcher.access import aside
from assent.web.researcher.drafts import Draft
from assent.web.researcher.projects import made

router = APIRouter(prefix="/studies", tags=["studies"])


class Summary(BaseModel):
    """A study in short."""

    name: str
    title: str
    is_open: bool
    plan: str


class RaterStanding(BaseModel):
    """How far a rater is; times are the server's."""

    rater: str
    set_number: int | None
    first_at: str
    last_at: str
    completed_at: str | None


class NewStudy(BaseModel):
    """A study to make. `units` has one unit on each line, or is a CSV table with a column `text`."""

    title: str = Field(max_length=500)
    name: str = Field(max_length=42)
    ask: str = Field(max_length=2000)
    task: str = "binary"
    options: str = ""
    units: str
    guidelines: str = ""


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
    return _summary(await aside(lambda: made(server, researcher, Draft(**new.model_dump()))))


@router.get("/{study}/raters", responses=refusals(401, 403, 404))
async def raters(desk: ResearchersDesk) -> list[RaterStanding]:
    """Who takes part and how far they are."""
    standings = await aside(lambda: desk.server.log.standings(desk.name))
    return [RaterStanding(**standing.__dict__) for standing in standings]


def _summary(study: Study) -> Summary:
    about = study.description
    return Summary(name=about.name, title=about.title, is_open=about.is_open, plan=study.plan.hash)
