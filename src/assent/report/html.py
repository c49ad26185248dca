"""The report as one HTML file that needs nothing else: style, script and pictures are inside."""

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from assent import __version__
from assent.errors import MissingExtra
from assent.plots.palette import FAINT, GRID, INK, PAPER
from assent.plots.picture import Picture, svg_text
from assent.report.document import Cell, Document, Drawing, Notice, Paragraph, Points
from assent.report.tables import cell_text

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

# The page's own colours take the place of the picture's, so that pictures follow light and dark.
COLOURS = {INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--line)", PAPER: "var(--paper)"}


def render(document: Document) -> str:
    """The whole page."""
    return _template().render(
        document=document, style=_text("report.css"), script=_text("report.js"), version=__version__
    )


def _text(name: str) -> "Markup":
    """A file of ours that goes into the page as it is."""
    from markupsafe import Markup

    return Markup(files("assent.report").joinpath("templates", name).read_text(encoding="utf-8"))


@cache
def _template() -> "Template":
    """The page with our filters; every text is escaped."""
    try:
        from jinja2 import Environment, PackageLoader
    except ImportError:
        raise MissingExtra("the HTML report", "report") from None
    loader = PackageLoader("assent.report", "templates")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"shown": cell_text, "exact": exact, "svg": inline_svg}
    environment.tests |= {
        "paragraph": lambda block: isinstance(block, Paragraph),
        "points": lambda block: isinstance(block, Points),
        "notice": lambda block: isinstance(block, Notice),
        "drawing": lambda block: isinstance(block, Drawing),
    }
    return environment.get_template("report.html")


def exact(cell: Cell) -> str:
    """A number with all its digits.

    >>> exact(0.1 + 0.2), exact(3)
    ('0.30000000000000004', '3')
    """
    return repr(cell)


def inline_svg(picture: Picture, number: str) -> "Markup":
    """The picture as part of a page: no clashes between the identifiers of two pictures, colours of the page."""
    from markupsafe import Markup

    text = svg_text(picture)
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub(r"<(title|desc)>.*?</\1>", "", text, flags=re.DOTALL)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    text = re.sub(r' id="([^"]+)"', lambda m: f' id="{number}-{m[1]}"' if m[1] in used else "", text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{number}-", text)
    for own, of_page in COLOURS.items():
        text = text.replace(own, of_page)
    label = f'<svg role="img" aria-labelledby="picture-{number}" focusable="false"'
    return Markup(text.replace("<svg", label, 1))
