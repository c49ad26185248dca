"""Reports and data to take away: the same files as `assent report` and `assent export` write."""

import csv
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from assent.collection.cleaning import clean
from assent.collection.collected import Collected
from assent.collection.decided import decision_tables
from assent.collection.export import tables
from assent.collection.treebanks import treebanks, write_treebanks
from assent.collection.writing import write_tables
from assent.errors import AssentError
from assent.model.spans import SpanTable
from assent.model.study import Study as Judged
from assent.report.writing import write_report
from assent.web.requests import NOT_FOUND
from assent.web.researcher.access import Desk, aside, desk_of, signed_in
from assent.web.researcher.live import SEED, Snapshot
from assent.web.researcher.marks import marked_questions, spans_of
from assent.web.researcher.studio import study_page
from assent.web.security import MEDIA_POLICY
from assent.web.server import Server, server_of

FORMATS = {"html": "text/html; charset=utf-8", "tex": "application/x-tex", "md": "text/markdown; charset=utf-8"}
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
REPORTS = {**FORMATS, "xlsx": WORKBOOK}
EXPORTS = {"xlsx": WORKBOOK, "csv": "application/zip", "profile": "application/zip"}


async def show(request: Request) -> Response:
    """GET …/report: what there is to take away."""
    desk = await desk_of(request)
    snapshot = await desk.latest()
    marked = await aside(lambda: marked_questions(snapshot))
    return study_page(request, desk, "report", has_judgements=snapshot.judgements is not None, marked=marked)


async def report(request: Request) -> Response:
    """GET …/report.FORMAT."""
    desk, ending = await desk_of(request), request.path_params["ending"]
    snapshot, spans = await desk.latest(), request.query_params.get("spans", "")
    return await report_file(desk, snapshot, ending, spans=spans, is_shown="show" in request.query_params)


async def export(request: Request) -> Response:
    """GET …/export.FORMAT: everything, with the codebook; `?raw` without the cleaning."""
    desk, ending = await desk_of(request), request.path_params["ending"]
    snapshot = await desk.latest()
    return await export_file(desk, snapshot, ending, is_raw="raw" in request.query_params)


async def dataset(request: Request) -> Response:
    """GET /researcher/data/NAME.FORMAT: the report of a finished data set."""
    await signed_in(request)
    return await dataset_file(server_of(request), request.path_params["name"], request.path_params["ending"])


async def dataset_file(server: Server, name: str, ending: str) -> Response:
    """The report of a finished data set; a page is shown, the rest is for keeping."""
    path = server.datasets.get(name)
    if path is None or ending not in REPORTS:
        raise HTTPException(NOT_FOUND, "there is no such report")
    return await _file(
        name, ending, REPORTS[ending], lambda goal: write_report(_data_set(path), goal, seed=SEED), ending == "html"
    )


def _data_set(path: Path) -> Judged | SpanTable:
    """The judgements of a file, or its spans."""
    from assent.readers import read
    from assent.readers.spans import read_spans

    with path.open(encoding="utf-8", newline="") as file:
        columns = next(csv.reader(file))
    return read_spans(path) if {"begin", "end"} <= set(columns) else read(path)


async def report_file(desk: Desk, snapshot: Snapshot, ending: str, *, spans: str = "", is_shown: bool) -> Response:
    """The report of a study as a file: of its judgements, or of the spans of one question."""
    if ending not in REPORTS:
        raise HTTPException(NOT_FOUND, f"a report is one of {', '.join(REPORTS)}")
    data = await aside(lambda: _reported(snapshot, spans))
    title = f"Reliability report: {desk.study.description.title}"
    return await _file(
        f"{desk.name}-{spans or 'report'}",
        ending,
        REPORTS[ending],
        lambda goal: write_report(data, goal, seed=SEED, title=title),
        is_shown and ending == "html",
    )


def _reported(snapshot: Snapshot, spans: str) -> Judged | SpanTable:
    if spans and spans not in [question.id for question in marked_questions(snapshot)]:
        raise HTTPException(NOT_FOUND, "no spans were marked for such a question")
    data = spans_of(snapshot, spans) if spans else snapshot.judgements
    if data is None:
        raise HTTPException(NOT_FOUND, "there are no judgements to report yet")
    return data


async def export_file(desk: Desk, snapshot: Snapshot, ending: str, *, is_raw: bool) -> Response:
    """All tables of a study as a workbook, or as CSV files in one archive; or an archive with everybody's profile."""
    if ending not in EXPORTS:
        raise HTTPException(NOT_FOUND, f"an export is one of {', '.join(EXPORTS)}")
    name = f"{desk.name}-{'raw' if is_raw else 'cleaned'}"
    return await _file(name, ending, EXPORTS[ending], lambda goal: _export(desk, snapshot, goal, is_raw), False)


def _export(desk: Desk, snapshot: Snapshot, goal: Path, is_raw: bool) -> None:
    people = tuple(one.person for one in snapshot.followed)
    judgements = tuple(judgement for one in snapshot.followed for judgement in one.judgements)
    collected = Collected(study=snapshot.study, people=people, judgements=judgements)
    cleaned = None if is_raw else clean(collected)
    history = desk.server.adjudication.history(desk.name)
    if goal.suffix == ".profile":
        kept = collected if cleaned is None else cleaned.collected
        found = treebanks(kept, desk.server.log.events(desk.name), history)
        folders = write_treebanks(snapshot.study.description, found, goal.with_name("profiles"))
        _zip(goal, [file for folder in folders for file in sorted(folder.iterdir())], goal.with_name("profiles"))
        return
    made = tables(collected, cleaned, decision_tables(snapshot.study, history))
    if goal.suffix == ".xlsx":
        write_tables(made, goal)
        return
    _zip(goal, write_tables(made, goal.with_name("judgements.csv")), goal.parent)


def _zip(goal: Path, files: list[Path], folder: Path) -> None:
    """Put files into an archive under their paths below `folder`."""
    with zipfile.ZipFile(goal, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.relative_to(folder))


async def _file(name: str, ending: str, kind: str, write: Callable[[Path], None], is_shown: bool) -> Response:
    """Write to a temporary folder, send, and remove it."""
    folder = tempfile.TemporaryDirectory()
    goal = Path(folder.name) / f"{name}.{ending}"
    try:
        await aside(lambda: write(goal))
    except AssentError as error:
        folder.cleanup()
        raise HTTPException(422, str(error)) from error
    shown = "inline" if is_shown else "attachment"
    suffix = "zip" if kind == "application/zip" else ending
    headers = {"content-disposition": f'{shown}; filename="{name}.{suffix}"'}
    if ending == "html":  # the report brings its own style, pictures and script; it may reach nothing else
        headers["content-security-policy"] = REPORT_POLICY
    return FileResponse(goal, media_type=kind, headers=headers, background=BackgroundTask(folder.cleanup))


REPORT_POLICY = MEDIA_POLICY.replace("sandbox;", "script-src 'unsafe-inline'; img-src data:; font-src data:;")
