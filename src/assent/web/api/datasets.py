"""Finished data sets that the server offers, with their reports."""

from fastapi import APIRouter
from fastapi.responses import Response

from assent.web.api.access import Researcher, Shared, refusals
from assent.web.researcher.downloads import dataset_file

router = APIRouter(prefix="/data", tags=["data sets"])


@router.get("", responses=refusals(401))
async def datasets(server: Shared, who: Researcher) -> list[str]:
    """The names of the data sets."""
    return list(server.datasets)


@router.get("/{name}.{ending}", responses=refusals(401, 404, 422))
async def report(server: Shared, who: Researcher, name: str, ending: str) -> Response:
    """The reliability report of a data set: html, xlsx, tex or md."""
    return await dataset_file(server, name, ending)
