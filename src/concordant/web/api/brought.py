"""Files that researchers bring: what the page of files does, for programs."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from concordant.model.tabular import plain
from concordant.studio import kept_files, projects, uploads
from concordant.studio.uploads import Understood, Upload
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
    """Files that were brought at once, or are kept."""

    key: str
    name: str


class KeptFiles(Brought):
    """Files that are kept, with the fingerprints of their versions, the latest last, and what was said of that."""

    fingerprints: list[str]
    at: str
    verdict: str


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
    return await aside(server.uploads.understand, await _upload(server, who, key), request.query_params)


async def _upload(server: Shared, who: str, key: str) -> Upload:
    """Files that were brought, or are kept."""
    if kept_files.is_kept(key):
        return (await aside(kept_files.upload_of, server, server.uploads, who, key))[1]
    return server.uploads.find(who, key)


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
    look, account = found.seen.look, found.seen.account
    return Look(
        key=found.upload.key,
        name=found.upload.name,
        problem=found.problem,
        account=None if account is None else account.to_dict(),
        verdict=None if look.verdict is None else plain(look.verdict),
        results=[row.result.to_dict() for block in look.blocks for row in block.rows],
        findings=[one.to_dict() for one in look.findings],
        note=found.upload.plainly(look.note),
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
        await aside(server.uploads.join, upload, name, content, on, request.query_params)
    return Brought(key=upload.key, name=upload.name)


@router.delete(f"{FILE}/attributes/{{name}}", status_code=204, responses=REFUSALS)
async def part(server: Shared, who: Bringer, key: str, name: str) -> None:
    """Take such a table away again."""
    await aside(server.uploads.find(who, key).part, name)


@router.get(f"{FILE}/report.{{ending}}", name="report_of_files", responses=REFUSALS)
async def report(server: Shared, found: AsUnderstood, ending: str) -> Response:
    """The reliability report: html, xlsx, tex or md."""
    return await download(await aside(uploads.report, server, server.uploads, found, ending))


@router.get(f"{FILE}/gold.csv", responses=REFUSALS)
async def gold(server: Shared, found: AsUnderstood) -> Response:
    """The value that most raters gave to each unit, or the spans that most raters marked."""
    return Response(await aside(uploads.gold_table, server.uploads, found), media_type="text/csv; charset=utf-8")


@router.post(f"{FILE}/files", status_code=201, responses=REFUSALS | refusals(413), openapi_extra=BINARY)
async def add(
    request: Request, server: Shared, who: Bringer, key: str, name: Annotated[str, Query(min_length=1, max_length=300)]
) -> Brought:
    """Bring one more file of the same data as the body of the request."""
    upload = server.uploads.find(who, key)
    with await spooled(request) as content:
        await aside(upload.add, name, content)
    return Brought(key=upload.key, name=upload.name)


@router.delete(f"{FILE}/files/{{name}}", status_code=204, responses=REFUSALS)
async def drop(server: Shared, who: Bringer, key: str, name: str) -> None:
    """Take one of several files away again."""
    await aside(server.uploads.find(who, key).drop, name)


@router.get("/kept", responses=refusals(401, 404))
async def kept(server: Shared, who: Bringer) -> list[KeptFiles]:
    """The files that you keep, the latest first; each is found below `/files` by its key."""
    return [_told(one) for one in await aside(kept_files.kept_by, server, who)]


@router.post(f"{FILE}/keep", status_code=201, responses=REFUSALS)
async def keep(
    server: Shared,
    found: AsUnderstood,
    title: Annotated[str, Query(max_length=200)] = "",
    into: Annotated[str, Query(max_length=60)] = "",
) -> KeptFiles:
    """Keep the files, as the query reads them, under a title; `into` names kept files whose next version they are."""
    return _told(await aside(kept_files.keep, server, found, title, into=into))


def _told(one: kept_files.Kept) -> KeptFiles:
    prints = [version.fingerprint for version in one.versions]
    return KeptFiles(key=one.key, name=one.title, fingerprints=prints, at=one.latest.at, verdict=one.latest.verdict)


@router.delete(FILE, status_code=204, responses=REFUSALS)
async def forget(server: Shared, who: Bringer, key: str) -> None:
    """Remove the files; of kept ones all versions."""
    if kept_files.is_kept(key):
        upload = await _upload(server, who, key)
        await aside(kept_files.forget, server, who, upload.folder.parent.name)
    else:
        await aside(server.uploads.forget, who, key)
