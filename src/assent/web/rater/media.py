"""Pictures and sounds of a study, for its raters and researchers only.

Only files that the study shows are served, never others of its folder (the units file holds the expected answers).
Whatever they contain is treated as something to look at or listen to: a picture that holds a script stays a picture.
"""

import mimetypes
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from assent.web import visitors
from assent.web.requests import NOT_FOUND, study_of
from assent.web.security import MEDIA_POLICY
from assent.web.server import server_of


async def media(request: Request) -> Response:
    """GET /s/STUDY/media/PATH."""
    description = study_of(request).description
    rater = await visitors.rater_of(request, description.name)
    if rater is None and not await _is_member(request, description.name):
        raise HTTPException(401)
    path = request.path_params["path"]
    if path not in server_of(request).media[description.name] or not (file := description.folder / path).is_file():
        raise HTTPException(NOT_FOUND)
    headers = {"content-security-policy": MEDIA_POLICY, "cache-control": "private, max-age=3600"}
    return FileResponse(file, media_type=_media_type(file), headers=headers)


async def _is_member(request: Request, study: str) -> bool:
    """Whether a researcher or an adjudicator of this study is asking."""
    who = await visitors.researcher_of(request)
    membership = server_of(request).membership
    return who is not None and await run_in_threadpool(membership.role, study, who) is not None


def _media_type(file: Path) -> str:
    """The type by the file's ending; what is neither picture nor sound is only ever downloaded as bytes."""
    guessed = mimetypes.guess_type(file.name)[0] or ""
    return guessed if guessed.startswith(("image/", "audio/")) else "application/octet-stream"
