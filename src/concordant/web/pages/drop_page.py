"""Pages for files that somebody brings: dropped, understood, corrected, reported, kept."""

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from concordant.errors import InputError
from concordant.studio import kept_files, projects, sight, things, uploads
from concordant.studio.brought_files import COLUMNS, MOST_FILES
from concordant.studio.kept_files import Kept
from concordant.studio.uploads import Understood, Upload
from concordant.web.markup import texts_for
from concordant.web.pages import shell
from concordant.web.pages.administration import HERE
from concordant.web.pages.shell import StillWorkingError, is_looking, page, signed_in, when_made
from concordant.web.players import example_study
from concordant.web.requests import NOT_FOUND, aside, checked_form, written
from concordant.web.server import Server, server_of

ROLE, EXAMPLE = "role", "study"
"""A field of the page's form: what each column is, one after the other. The value that asks for a finished study."""


async def _researcher(request: Request) -> str:
    """Whoever may bring files: those who may make studies."""
    who = await signed_in(request)
    if not await aside(projects.is_researcher, server_of(request), who):
        raise HTTPException(NOT_FOUND)
    return who


async def desk(request: Request, *, problem: str = "") -> Response:
    """GET /researcher/files: where files are dropped; `into` names kept files whose next version they are."""
    who, server = await _researcher(request), server_of(request)
    brought = server.uploads.of(who)
    server.uploads.expect()
    name = request.query_params.get("into", "")
    into = await aside(kept_files.find, server, who, name) if name else None
    shown = {"brought": brought, "problem": problem, "into": into, "kept": await aside(kept_files.kept_by, server, who)}
    return page(
        request, "files.html", who, status=422 if problem else 200, title=texts_for(request)("f_desk_title"), **shown
    )


async def bring(request: Request) -> Response:
    """POST /researcher/files: one file or several; an example is a study that is made, or a file that is here."""
    who, server = await _researcher(request), server_of(request)
    form = await checked_form(request, most_files=MOST_FILES)
    if form.get("example") == EXAMPLE and server.home is not None:
        name = await aside(example_study, server, who)
        return RedirectResponse(request.url_for("results", study=name).path, status_code=303)
    upload = await aside(server.uploads.begin, who)
    try:
        if example := server.datasets.get(str(form.get("example", ""))):
            with example.open("rb") as content:
                await aside(upload.add, example.name, content)
        await _add_sent(upload, form)
        if not upload.files:
            raise InputError("No file was chosen.")
    except InputError as error:
        await aside(server.uploads.forget, who, upload.key)
        return await desk(request, problem=str(error))
    finally:
        await form.close()
    name = str(form.get("into", ""))
    query = urlencode(_how_before(server, who, name)) if name else ""
    return _back(request, upload.key, query)


def _how_before(server: Server, who: str, name: str) -> Mapping[str, str]:
    """How the version before was read: the next is read so too, and it is offered to keep it there."""
    return {"into": name, **kept_files.find(server, who, name).latest.chosen}


async def _add_sent(upload: Upload, form: FormData) -> None:
    for sent in form.getlist("files"):
        if isinstance(sent, UploadFile) and sent.filename:
            await aside(upload.add, sent.filename, sent.file)


def _back(request: Request, key: str, query: str) -> Response:
    back = request.url_for("file", key=key).path
    return RedirectResponse(f"{back}?{query}".rstrip("?"), status_code=303)


async def _upload(request: Request) -> tuple[Kept | None, Upload]:
    """The files of the address: those that were just brought, or kept ones."""
    who, server, key = await _researcher(request), server_of(request), request.path_params["key"]
    if kept_files.is_kept(key):
        return await aside(kept_files.upload_of, server, server.uploads, who, key)
    return None, server.uploads.find(who, key)


async def _understood(request: Request, upload: Upload) -> Understood:
    """The files, read as the address says; whoever looks at a page sees that they are being read."""
    reading = server_of(request).uploads.reading(upload, request.query_params)
    if is_looking(request) and not await aside(reading.is_made, shell.MOMENT):
        raise StillWorkingError(upload.owner, texts_for(request)("f_reading_file", name=upload.name), (0, 0))
    return await aside(reading.result)


async def show(request: Request, *, problem: str = "", kept_problem: str = "") -> Response:
    """GET /researcher/files/KEY: what was understood, and a first look at it; roles become choices."""
    kept, upload = await _upload(request)
    found = await _understood(request, upload)
    asked = request.query_params
    if ROLE in asked:
        chosen = sight.with_roles(found.asked, found.seen.columns.names, asked.getlist(ROLE))
        return _back(request, upload.key, urlencode(chosen))
    server = server_of(request)
    return page(
        request,
        "file.html",
        upload.owner,
        status=422 if found.problem or problem or kept_problem else 200,
        title=upload.name,
        refused=upload.plainly(problem),
        kept_problem=kept_problem,
        found=found,
        seen=found.seen,
        kept=kept,
        into=asked.get("into", ""),
        others=[] if kept else await aside(kept_files.kept_by, server, upload.owner),
        can_keep=server.home is not None,
        taking=lambda way: found.with_choices(things.with_way(found.chosen, way.chosen)),
        settling=lambda way: found.with_choices({**found.chosen, **way}),
        formats=uploads.format_names(),
        columns_of=COLUMNS,
        labels=uploads.LABELS,
        levels=uploads.LEVELS,
        role_names={*sight.ROLES, *sight.SPAN_ROLES},
        odd={(row, one.about["value"]) for one in found.seen.things if "value" in one.about for row in one.rows},
        is_alone=request.url.hostname in HERE,
        host=request.url.netloc,
    )


async def add(request: Request) -> Response:
    """POST /researcher/files/KEY/add: further files of the same data come, or one goes."""
    kept, upload = await _upload(request)
    form = await checked_form(request, most_files=MOST_FILES)
    try:
        if kept is not None:
            raise InputError("files that are kept do not change", hint="bring the next version")
        if gone := str(form.get("remove", "")):
            await aside(upload.drop, gone)
        await _add_sent(upload, form)
    except InputError as error:
        return await show(request, problem=str(error))
    finally:
        await form.close()
    return _back(request, upload.key, request.url.query)


async def keep(request: Request) -> Response:
    """POST /researcher/files/KEY/keep: keep the files, as they are read now."""
    _, upload = await _upload(request)
    form, server = await checked_form(request), server_of(request)
    found = await _understood(request, upload)
    try:
        title, into = written(form.get("title")), written(form.get("into"))
        kept = await aside(kept_files.keep, server, found, title, into=into)
    except InputError as error:
        return await show(request, kept_problem=upload.plainly(str(error)))
    return RedirectResponse(kept.address, status_code=303)


async def attributes(request: Request) -> Response:
    """POST /researcher/files/KEY/attributes: a table that says more about units or raters comes, or one goes."""
    kept, upload = await _upload(request)
    form = await checked_form(request, most_files=1)
    try:
        if kept is not None:
            raise InputError("files that are kept do not change", hint="bring the next version")
        sent, on = form.get("table"), str(form.get("on", ""))
        if gone := str(form.get("remove", "")):
            await aside(upload.part, gone)
        elif isinstance(sent, UploadFile) and sent.filename and on in uploads.OWNERS:
            join = server_of(request).uploads.join
            await aside(join, upload, sent.filename, sent.file, on, request.query_params)
        else:
            raise InputError("No table was chosen.")
    except InputError as error:
        return await show(request, problem=str(error))
    finally:
        await form.close()
    return _back(request, upload.key, request.url.query)


async def report(request: Request) -> Response:
    """GET /researcher/files/KEY/report.FORMAT."""
    _, upload = await _upload(request)
    found, server = await _understood(request, upload), server_of(request)
    made = await aside(uploads.report, server, server.uploads, found, request.path_params["ending"])
    back = str(request.url.replace(path=request.url.path.rpartition("/")[0], scheme="", netloc=""))
    return await when_made(request, upload.owner, made, is_shown="show" in request.query_params, back=back)


async def gold(request: Request) -> Response:
    """GET /researcher/files/KEY/gold.csv."""
    _, upload = await _upload(request)
    text = await aside(uploads.gold_table, server_of(request).uploads, await _understood(request, upload))
    headers = {"content-disposition": 'attachment; filename="gold.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


async def forget(request: Request) -> Response:
    """POST /researcher/files/KEY/forget: start over, or delete what was kept."""
    kept, upload = await _upload(request)
    await checked_form(request)
    if kept is not None:
        await aside(kept_files.forget, server_of(request), upload.owner, kept.name)
        return RedirectResponse(request.url_for("projects").path, status_code=303)
    await aside(server_of(request).uploads.forget, upload.owner, upload.key)
    return RedirectResponse(request.url_for("files").path, status_code=303)
