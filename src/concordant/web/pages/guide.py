"""The documentation inside the studio: every page of it, the pictures on them, and a search."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from concordant.web.handbook import START, beside, leaf, names, search
from concordant.web.markup import render, texts_for
from concordant.web.requests import aside
from concordant.web.security import MEDIA_POLICY


async def show(request: Request) -> Response:
    """GET /guide, GET /guide/PAGE, GET /guide?q=…: a page, a picture of one, or where some words stand."""
    name, root = request.path_params.get("page", START), request.scope.get("root_path", "")
    t = texts_for(request)
    if name in beside():
        return FileResponse(beside()[name], headers={"content-security-policy": MEDIA_POLICY})
    if asked := request.query_params.get("q", "").strip()[:200]:
        found = await aside(search, asked, root)
        return render(request, "guide.html", t=t, title=t("guide_search"), asked=asked, found=found, leaf=None)
    if name not in names():
        raise HTTPException(404)
    one = await aside(leaf, name, root)
    return render(request, "guide.html", t=t, title=one.title, asked="", found=[], leaf=one)
