"""The HTTP API for programs, described by OpenAPI at /api/openapi.json.

A program signs in with a personal link's token (or opens a session in an open study) and shows the key it gets as
`Authorization: Bearer KEY`; a browser's cookie works too, with the form token in a header. A rater's key opens that
rater's own work and nothing else. Researchers and adjudicators get their key from `POST /keys`.
"""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from concordant.about import NAME
from concordant.errors import ConcordantError
from concordant.web.api import analysis, brought, building, chains, management, ratings
from concordant.web.requests import UNPROCESSABLE, refused


def api() -> FastAPI:
    """The application to mount at /api; it has no pages of its own, so nothing is fetched from elsewhere."""
    app = FastAPI(title=NAME, docs_url=None, redoc_url=None, description=__doc__, version="1")
    for part in (ratings, management, building, analysis, chains, brought):
        app.include_router(part.router)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(ConcordantError, _problem)
    app.add_exception_handler(HTTPException, _problem)
    return app


async def _problem(request: Request, error: Exception) -> JSONResponse:
    """What is wrong, with the status that says whose fault it is."""
    told = error if isinstance(error, HTTPException) else refused(error)
    return JSONResponse({"problem": told.detail}, status_code=told.status_code, headers=told.headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    places = [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in error.errors()]
    return JSONResponse({"problem": "; ".join(places[:5])}, status_code=UNPROCESSABLE)
