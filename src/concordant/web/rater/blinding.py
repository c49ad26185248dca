"""What raters may know an item by: names of its own for every rater and step, from which nothing can be told.

An id or a file's name may say that an item is a check, or which system wrote a text (`gold-1`, `gpt/17.png`). So a
rater's pages and programs never hold one: an item is called by a mark of rater and step, a picture by its step. A
repeated item looks like a new one. The log keeps the true ids.

Of a study's folder only the files that it shows are served, to its raters and members, never others (the units file
holds the expected answers). Whatever they contain is something to look at or listen to: a picture that holds a script
stays a picture.
"""

import hmac
import mimetypes
from hashlib import sha256
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from concordant.collection.session import Running, State
from concordant.design.steps import Step
from concordant.digits import whole_number
from concordant.studio.people import owner_mark
from concordant.studio.projects import Studio
from concordant.tasks.question import Media
from concordant.web import visitors
from concordant.web.requests import NOT_FOUND, UNAUTHORIZED, study_of
from concordant.web.security import MEDIA_POLICY
from concordant.web.server import server_of
from concordant.web.visitors import RATER, RESEARCHER

EXAMPLE = "example"


def unit_mark(studio: Studio, state: State, step: Step) -> str:
    """What the rater's programs call the item of a step."""
    said = f"{state.study.description.name}\n{state.rater}\n{step.number}"
    return hmac.new(studio.secret.encode(), said.encode(), sha256).hexdigest()[:16]


def medium_path(studio: Studio, study: Running, rater: str, step: Step | None, medium: Media) -> str:
    """Where a rater's page finds a picture or sound of a step or, without a step, of the instructions' examples.

    The owner's mark is part of it: a browser keeps pictures by their address, and it may have several raters.
    """
    mark, description = owner_mark(studio, study.description.name, rater), study.description
    if step is not None:
        return f"{mark}/{step.number}-{'image' if medium == study.unit(step.unit).image else 'audio'}"
    examples = description.instructions.examples if description.instructions else ()
    return f"{mark}/{EXAMPLE}-{next(place for place, one in enumerate(examples) if one.image == medium)}"


async def media(request: Request) -> Response:
    """GET /s/STUDY/media/PATH: a rater's own name of a file; for members of the study its path."""
    study, server, path = study_of(request), server_of(request), request.path_params["path"]
    name = study.description.name
    rater = await visitors.who_asks(request, RATER, name)
    medium = None
    if rater is not None and path.startswith(f"{owner_mark(server, name, rater)}/"):
        async with server.sessions.of(study, rater) as session:
            medium = _medium(session.state, path.partition("/")[2])
    elif rater is None or await visitors.who_asks(request, RESEARCHER) is not None:
        who = await visitors.who_asks(request, RESEARCHER)
        if who is None or await run_in_threadpool(server.membership.role, name, who) is None:
            raise HTTPException(UNAUTHORIZED)
        medium = Media(path=path)
    if medium is None or medium.path not in server.media[name]:
        raise HTTPException(NOT_FOUND)
    return looked_at(study.description.folder / medium.path)


def _medium(state: State, name: str) -> Media | None:
    """The file that a rater's page calls by this name."""
    before, _, after = name.partition("-")
    if before == EXAMPLE:
        instructions, place = state.study.description.instructions, whole_number(after)
        examples = instructions.examples if instructions else ()
        return examples[place].image if place is not None and place < len(examples) else None
    step = state.step(whole_number(before))
    unit = state.study.unit(step.unit) if step else None
    return {"image": unit.image, "audio": unit.audio}.get(after) if unit else None


def looked_at(file: Path) -> Response:
    """A picture or sound that can do nothing; anything else is only ever downloaded."""
    if not file.is_file():
        raise HTTPException(NOT_FOUND)
    guessed = mimetypes.guess_type(file.name)[0] or ""  # what is neither picture nor sound is only ever downloaded
    kind = guessed if guessed.startswith(("image/", "audio/")) else "application/octet-stream"
    headers = {"content-security-policy": MEDIA_POLICY, "cache-control": "private, max-age=3600"}
    return FileResponse(file, media_type=kind, headers=headers)
