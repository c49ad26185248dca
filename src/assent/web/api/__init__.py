"""The HTTP API for programs, described by OpenAPI at /api/openapi.json.

A program signs in with a personal link's token (or opens a session in an open study) and shows the key it gets as
`Authorization: Bearer KEY`; a browser's cookie works too, with the form token in a header. A rater's key opens that
rater's own work and nothing else. Researchers and adjudicators get their key from `POST /keys`.
"""

from collections.abc import Awaitable, Callable
from logging import getLogger

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

from assent.collection.database import LogError
from assent.collection.storing import EventConflictError, VisitEndedError
from assent.errors import AssentError
from assent.web.api import comparisons, datasets, differences, keys, rating, results, running, studies

UNAUTHORIZED, CONFLICT, UNPROCESSABLE, UNAVAILABLE = 401, 409, 422, 503


def api() -> FastAPI:
    """The application to mount at /api; it has no pages of its own, so nothing is fetched from elsewhere."""
    app = FastAPI(title="assent", docs_url=None, redoc_url=None, description=__doc__, version="1")
    app.include_router(rating.router)
    for part in (keys, studies, running, results, differences, comparisons, datasets):
        app.include_router(part.router)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(AssentError, _refuses(UNPROCESSABLE))
    app.add_exception_handler(EventConflictError, _refuses(CONFLICT))
    app.add_exception_handler(VisitEndedError, _refuses(UNAUTHORIZED))
    app.add_exception_handler(LogError, _unavailable)
    app.add_exception_handler(StarletteHTTPException, _problem)
    return app


def _refuses(status: int) -> Callable[[Request, Exception], Awaitable[JSONResponse]]:
    """A handler that says what is wrong, with this status."""

    async def handler(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"problem": str(error)}, status_code=status)

    return handler


async def _unavailable(request: Request, error: Exception) -> JSONResponse:
    """The database did not answer. What it said may name its address: that is for the server's messages only."""
    getLogger("assent.web").error("%s", error)
    return JSONResponse({"problem": "the database does not answer"}, UNAVAILABLE, {"retry-after": "2"})


async def _problem(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, StarletteHTTPException)
    return JSONResponse({"problem": error.detail}, status_code=error.status_code, headers=error.headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    places = [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in error.errors()]
    return JSONResponse({"problem": "; ".join(places[:5])}, status_code=UNPROCESSABLE)
