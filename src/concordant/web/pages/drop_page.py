"""Pages for files that somebody brings: dropped, understood, corrected, reported."""

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from concordant.errors import InputError
from concordant.studio import projects, uploads
from concordant.studio.uploads import Understood
from concordant.web.pages.shell import page, signed_in, when_made
from concordant.web.requests import NOT_FOUND, aside, checked_form
from concordant.web.server import server_of


async def _researcher(request: Request) -> str:
    """Whoever may bring files: those who may make studies."""
    who = await signed_in(request)
    if not await aside(projects.is_researcher, server_of(request), who):
        raise HTTPException(NOT_FOUND)
    return who


async def desk(request: Request, *, problem: str = "") -> Response:
    """GET /researcher/files: where files are dropped."""
    who = await _researcher(request)
    brought = server_of(request).uploads.of(who)
    status = 422 if problem else 200
    return page(
        request, "files.html", who, status=status, title="Judgements in files", brought=brought, problem=problem
    )


async def bring(request: Request) -> Response:
    """POST /researcher/files: one file or several; an example is a file that is here already."""
    who, server = await _researcher(request), server_of(request)
    form = await checked_form(request, most_files=uploads.MOST_FILES)
    upload = await aside(server.uploads.begin, who)
    try:
        if example := server.datasets.get(str(form.get("example", ""))):
            with example.open("rb") as content:
                await aside(upload.add, example.name, content)
        for sent in form.getlist("files"):
            if isinstance(sent, UploadFile) and sent.filename:
                await aside(upload.add, sent.filename, sent.file)
        if not upload.files:
            raise InputError("No file was chosen.")
    except InputError as error:
        await aside(server.uploads.forget, who, upload.key)
        return await desk(request, problem=str(error))
    finally:
        await form.close()
    return RedirectResponse(request.url_for("file", key=upload.key).path, status_code=303)


async def _understood(request: Request) -> Understood:
    """The files of the address, read as its choices say."""
    upload = server_of(request).uploads.find(await _researcher(request), request.path_params["key"])
    return await aside(uploads.understand, upload, request.query_params)


async def show(request: Request, *, problem: str = "") -> Response:
    """GET /researcher/files/KEY: what was understood, and a first look at it."""
    found = await _understood(request)
    look = await aside(uploads.first_look, found) if found.data is not None else None
    header, rows = uploads.preview(found)
    return page(
        request,
        "file.html",
        found.upload.owner,
        status=422 if found.problem or problem else 200,
        title=found.upload.name,
        refused=found.upload.plainly(problem),
        found=found,
        look=look,
        header=[(name, "") for name in header],
        rows=rows,
        formats=uploads.format_names(),
        labels=uploads.LABELS,
        columns_of=uploads.COLUMNS,
        levels=uploads.LEVELS,
    )


async def attributes(request: Request) -> Response:
    """POST /researcher/files/KEY/attributes: a table that says more about units or raters comes, or one goes."""
    upload = server_of(request).uploads.find(await _researcher(request), request.path_params["key"])
    form = await checked_form(request, most_files=1)
    try:
        sent, on = form.get("table"), str(form.get("on", ""))
        if gone := str(form.get("remove", "")):
            await aside(upload.part, gone)
        elif isinstance(sent, UploadFile) and sent.filename and on in uploads.OWNERS:
            await aside(upload.join, sent.filename, sent.file, on, request.query_params)
        else:
            raise InputError("No table was chosen.")
    except InputError as error:
        return await show(request, problem=str(error))
    finally:
        await form.close()
    back = request.url_for("file", key=upload.key).path
    return RedirectResponse(f"{back}?{request.url.query}".rstrip("?"), status_code=303)


async def report(request: Request) -> Response:
    """GET /researcher/files/KEY/report.FORMAT."""
    found = await _understood(request)
    made = await aside(uploads.report, server_of(request), found, request.path_params["ending"])
    back = str(request.url.replace(path=request.url.path.rpartition("/")[0], scheme="", netloc=""))
    return await when_made(request, found.upload.owner, made, is_shown="show" in request.query_params, back=back)


async def gold(request: Request) -> Response:
    """GET /researcher/files/KEY/gold.csv."""
    text = await aside(uploads.gold_table, await _understood(request))
    headers = {"content-disposition": 'attachment; filename="gold.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


async def forget(request: Request) -> Response:
    """POST /researcher/files/KEY/forget: start over."""
    who = await _researcher(request)
    await checked_form(request)
    await aside(server_of(request).uploads.forget, who, request.path_params["key"])
    return RedirectResponse(request.url_for("files").path, status_code=303)
