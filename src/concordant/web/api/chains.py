"""From judged features to compared systems, over two studies: what the page of the chain shows."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from concordant.studio import chained
from concordant.web.api.access import REFUSALS, AsResearcher
from concordant.web.requests import aside

router = APIRouter()
STUDY = "/studies/{study}"
Name = Annotated[str, Query(max_length=200)]


class ChainScores(BaseModel):
    """A table of systems' scores: first a line with the names of columns, `unit` and one for each system."""

    scores: str = Field(max_length=2_000_000)


class PairsTitle(BaseModel):
    """What the new study is called."""

    title: str = Field(min_length=1, max_length=200)


@router.get(f"{STUDY}/chain", responses=REFUSALS, tags=["results"])
async def chain_of(place: AsResearcher, other: Name = "", only: Name = "", values: Name = "") -> dict[str, Any]:
    """From judged features to ranks, as `chain --json` prints it; `other` names the study with the other half."""
    found = await aside(chained.chained, place, other=other, only=only, values=values)
    return found.to_dict()


@router.post(f"{STUDY}/chain", responses=REFUSALS, tags=["comparisons"])
async def chain_with(
    place: AsResearcher, system: ChainScores, other: Name = "", only: Name = "", values: Name = ""
) -> dict[str, Any]:
    """The same with the scores of systems, a table with a row for each response."""
    found = await aside(chained.chained, place, other=other, only=only, values=values, scores=system.scores)
    return found.to_dict()


@router.post(f"{STUDY}/chain/pairs", status_code=201, responses=REFUSALS, tags=["building"])
async def begin_pairs(place: AsResearcher, about: PairsTitle) -> dict[str, str]:
    """A draft of a preference test whose items are the responses of this study with their vectors."""
    draft = await aside(chained.begin_pairs, place, about.title)
    return {"study": draft.name}
