"""Files that researchers bring: what the page of files does, for programs."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from concordant.model.tabular import plain
from concordant.studio import projects, uploads
from concordant.studio.uploads import Understood
from concordant.web.api.access import REFUSALS, Researcher, Shared, refusals
from concordant.web.requests import aside, download, spooled

router = APIRouter(tags=["files"])
FILE = "/files/{key}"


async def _bringer(server: Shared, who: Researcher) -> str:
    """A researcher who may bring files."""
    if not await aside(projects.is_researcher, server, who):
        raise HTTPException(404, "there are no files for you here")
    return who


Bringer = Annotated[str, Depends(_bringer)]


class Brought(BaseModel):
    """Files that were brought at once."""

    key: str
    name: str


class Look(Brought):
    """What was understood (or the `problem`), a first look, and the command that does the same."""

    problem: str
    account: dict[str, Any] | None
    verdict: dict[str, Any] | None
    results: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    note: str
    command: str


async def _understood(request: Request, server: Shared, who: Bringer, key: str) -> Understood:
    """The files, read as the query says: unit, rater, value, level … as the command `read` takes them."""
    return await aside(uploads.understand, server.uploads.find(who, key), request.query_params)


AsUnderstood = Annotated[Understood, Depends(_understood)]


@router.get("/files", responses=refusals(401, 404))
async def listed(server: Shared, who: Bringer) -> list[Brought]:
    """What you brought, the latest first; it is kept for a day."""
    return [Brought(key=one.key, name=one.name) for one in server.uploads.of(who)]


BINARY = {"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}


@router.post("/files", status_code=201, responses=REFUSALS | refusals(413), openapi_extra=BINARY)
async def bring(
    request: Request, server: Shared, who: Bringer, name: Annotated[str, Query(min_length=1, max_length=300)]
) -> Brought:
    """Bring one file as the body of the request; a folder as a .zip. `name` is what it is called, ending included."""
    with await spooled(request) as content:
        upload = await aside(server.uploads.begin, who)
        await aside(upload.add, name, content)
    return Brought(key=upload.key, name=upload.name)


@router.get(FILE, responses=REFUSALS)
async def looked_at(found: AsUnderstood) -> Look:
    """What was understood of the files, and a first look at them. The query says how to read them."""
    look = await aside(uploads.first_look, found) if found.data is not None else uploads.FirstLook()
    return Look(
        key=found.upload.key,
        name=found.upload.name,
        problem=found.problem,
        account=None if found.account is None else found.account.to_dict(),
        verdict=None if look.verdict is None else plain(look.verdict),
        results=[row.result.to_dict() for block in look.blocks for row in block.rows],
        findings=[one.to_dict() for one in look.findings],
        note=look.note,
        command=found.command("report", "-o", "report.html", "--seed", "1"),
    )


@router.post(f"{FILE}/attributes", status_code=201, responses=REFUSALS, openapi_extra=BINARY)
async def join(
    request: Request,
    server: Shared,
    who: Bringer,
    key: str,
    name: Annotated[str, Query(min_length=1, max_length=300)],
    on: Annotated[str, Query(pattern="^(unit|rater)$")],
) -> Brought:
    """Bring a table that says more about units or raters, a row for each, as the body of the request."""
    upload = server.uploads.find(who, key)
    with await spooled(request) as content:
        await aside(upload.join, name, content, on, request.query_params)
    return Brought(key=upload.key, name=upload.name)


@router.delete(f"{FILE}/attributes/{{name}}", status_code=204, responses=REFUSALS)
async def part(server: Shared, who: Bringer, key: str, name: str) -> None:
    """Take such a table away again."""
    await aside(server.uploads.find(who, key).part, name)


@router.get(f"{FILE}/report.{{ending}}", name="report_of_files", responses=REFUSALS)
async def report(server: Shared, found: AsUnderstood, ending: str) -> Response:
    """The reliability report: html, xlsx, tex or md."""
    return await download(await aside(uploads.report, server, found, ending))


@router.get(f"{FILE}/gold.csv", responses=REFUSALS)
async def gold(found: AsUnderstood) -> Response:
    """The value that most raters gave to each unit, or the spans that most raters marked."""
    return Response(await aside(uploads.gold_table, found), media_type="text/csv; charset=utf-8")


@router.delete(FILE, status_code=204, responses=REFUSALS)
async def forget(server: Shared, who: Bringer, key: str) -> None:
    """Remove the files."""
    await aside(server.uploads.forget, who, key)
