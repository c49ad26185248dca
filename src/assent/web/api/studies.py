"""The studies of the server, for researchers."""

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from assent.web.api.access import Researcher, Served, Shared, refusals

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


@router.get("", responses=refusals(401))
async def studies(server: Shared, researcher: Researcher) -> list[Summary]:
    """The studies that are served."""
    return [
        Summary(name=name, title=s.description.title, is_open=s.description.is_open, plan=s.plan.hash)
        for name, s in server.studies.items()
    ]


@router.get("/{study}/raters", responses=refusals(401, 404))
async def raters(study: Served, server: Shared, researcher: Researcher) -> list[RaterStanding]:
    """Who takes part and how far they are."""
    standings = await run_in_threadpool(server.log.standings, study.description.name)
    return [RaterStanding(**standing.__dict__) for standing in standings]
