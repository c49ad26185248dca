"""Pages as HTML: templates and scripts, the words of the interface, and the form token in every page.

Texts that a study's author writes become paragraphs, list entries and emphasis, nothing else: everything is escaped
first, so whatever stands in a study file or its data is shown and never run. Kinds of questions have templates and
scripts of their own, also those of other packages.

The words are in flat TOML catalogues, a folder for each part of the program with a file for each language: a key, then
the text, with `{names}` to fill in. English is complete; a key missing from another language falls back to English. To
add a language, copy every `en.toml` in `texts/`, translate it and name the file by its code.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from concordant.about import NAME
from concordant.tasks.kind import Kind, kinds
from concordant.web.security import CSRF_COOKIE, browser_of, form_token, set_cookie
from concordant.web.server import server_of

DEFAULT = "en"
FOLDER = files(__package__)
LANGUAGE_COOKIE = f"{NAME}-language"
_EMPHASIS = re.compile(r"(?<!\w)\*(?!\s)(.+?)(?<!\s)\*(?!\w)")


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language; called with a key it gives the text with its names filled in."""

    language: str
    entries: dict[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text for `key`."""
        return self.entries[key].format(**values)


@cache
def languages() -> dict[str, str]:
    """The languages there are: code -> the language's own name, English first."""
    found = (entry.name.removesuffix(".toml") for entry in (FOLDER / "texts").iterdir() if entry.is_file())
    codes = sorted(found, key=lambda code: (code != DEFAULT, code))
    return {code: _read(code)["language_name"] for code in codes}


@cache
def texts(language: str) -> Texts:
    """The catalogue of `language` over the English one; English alone when there is none."""
    code = language if language in languages() else DEFAULT
    return Texts(code, _read(DEFAULT) | _read(code))


def preferred(wanted: Iterable[str | None]) -> str:
    """The first wanted language that there is: `de-AT` finds `de`."""
    for code in wanted:
        short = (code or "").split("-")[0].lower()
        if short in languages():
            return short
    return DEFAULT


def accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, best first.

    >>> accepted("fr;q=0.4, de-AT, en;q=0.8")
    ['de-AT', 'en', 'fr']
    """
    weighted = [part.strip().partition(";q=") for part in header.split(",") if part.strip()]
    return [code for code, _, weight in sorted(weighted, key=lambda part: -_weight(part[2]))]


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


def _read(code: str) -> dict[str, str]:
    entries: dict[str, str] = {}
    for catalogue in (FOLDER / "texts", *(one for one in (FOLDER / "texts").iterdir() if one.is_dir())):
        if (file := catalogue / f"{code}.toml").is_file():
            entries |= tomllib.loads(file.read_text(encoding="utf-8"))
    return entries


@cache
def templates() -> Environment:
    """Our own templates, then those beside other packages' kinds of questions; an unknown name is an error."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(__package__), FunctionLoader(_foreign_template)]),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=prose, inline=inline, number=_number)
    environment.globals.update(languages=languages(), product=NAME)
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


def prose(text: str) -> Markup:
    """Paragraphs at blank lines, list entries at `- `, emphasis by `*stars*`.

    >>> str(prose("Look *twice*.\\n\\n- at <b>\\n- at c"))
    '<p>Look <em>twice</em>.</p>\\n<ul><li>at &lt;b&gt;</li><li>at c</li></ul>'
    """
    blocks = []
    for part in re.split(r"\n\s*\n", text.strip()):
        for is_list, run in groupby(part.splitlines(), key=lambda line: line.lstrip().startswith("- ")):
            if is_list:
                entries = Markup("").join(Markup("<li>{}</li>").format(inline(line.lstrip()[2:])) for line in run)
                blocks.append(Markup("<ul>{}</ul>").format(entries))
            else:
                blocks.append(Markup("<p>{}</p>").format(inline(" ".join(line.strip() for line in run))))
    return Markup("\n").join(blocks)


def inline(text: str) -> Markup:
    """One run of text with `*emphasis*`."""
    return Markup(_EMPHASIS.sub(r"<em>\1</em>", str(escape(text))))


def _foreign_template(name: str) -> str | None:
    for kind in kinds().values():
        if kind.template == name and kind.folder and (file := kind.folder / f"{kind.key}.html").is_file():
            return file.read_text(encoding="utf-8")
    return None


@cache
def _script(kind: Kind) -> Path | None:
    folder = kind.folder or Path(str(FOLDER)) / "static" / "tasks"
    file = folder / f"{kind.key}.js"
    return file if file.is_file() else None


def script_of(kind: Kind) -> str | None:
    """The script of a kind as a part of our addresses; None where plain fields are enough."""
    return f"tasks/{kind.key}.js" if _script(kind) else None


async def task_script(request: Request) -> Response:
    """GET /static/tasks/KEY.js."""
    kind = kinds().get(request.path_params["key"])
    if kind is None or (file := _script(kind)) is None:
        raise HTTPException(404)
    return FileResponse(file, media_type="text/javascript")
