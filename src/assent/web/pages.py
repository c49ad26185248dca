"""Drawing pages: one template environment, with the reader's language and the form token in every page."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from assent.web.prose import inline, prose
from assent.web.security import CSRF_COOKIE, browser_of, form_token, set_cookie
from assent.web.server import server_of
from assent.web.texts import Texts, accepted, languages, preferred, texts

LANGUAGE_COOKIE = "assent-language"


@cache
def templates() -> Environment:
    """The templates; every value is escaped, an unknown name is an error."""
    environment = Environment(
        loader=PackageLoader("assent.web"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=prose, inline=inline, number=_number)
    environment.globals.update(languages=languages())
    return environment


def texts_for(request: Request, study_language: str | None = None) -> Texts:
    """The interface in the language the reader chose, else the study's, else the browser's."""
    chosen = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
    from_browser = accepted(request.headers.get("accept-language", ""))
    return texts(preferred([chosen, study_language, *from_browser]))


def render(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A whole page."""
    response = HTMLResponse(draw(request, template, **values), status_code=status)
    if CSRF_COOKIE not in request.cookies:
        set_cookie(request, response, CSRF_COOKIE, browser_of(request), days=180)
    if (chosen := request.query_params.get("lang")) in languages():
        set_cookie(request, response, LANGUAGE_COOKIE, str(chosen), days=180)
    return response


def draw(request: Request, template: str, **values: Any) -> str:
    """A page or a part of one, as text."""
    root = request.scope.get("root_path", "")
    shared = {
        "t": values.pop("t", None) or texts_for(request),
        "form_token": form_token(server_of(request).secret.encode(), browser_of(request)),
        "static": lambda name: f"{root}/static/{name}",
        "path": lambda path: f"{root}{path}",
    }
    return templates().get_template(template).render(shared | values)


def message(request: Request, key: str, *, status: int, **values: object) -> HTMLResponse:
    """A page that says one thing: the texts `KEY_title` and `KEY_text`."""
    t = texts_for(request)
    root = request.scope.get("root_path", "")
    return render(
        request,
        "message.html",
        status=status,
        t=t,
        title=t(f"{key}_title"),
        message=t(f"{key}_text", **values),
        link=f"{root}/",
        link_text=t("front_page"),
    )


def _number(value: float) -> str:
    """A number without a needless decimal point, and never rounded."""
    return str(int(value)) if float(value).is_integer() else repr(value)
