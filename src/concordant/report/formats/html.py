"""The report as one HTML file that needs nothing else: style, script and pictures are inside."""

import re
import textwrap
from functools import cache
from typing import TYPE_CHECKING

from concordant.about import NAME, VERSION
from concordant.digits import cell_text, counted
from concordant.errors import MissingExtra
from concordant.plots.picture import FAINT, GRID, INK, PAPER, Picture, svg_text
from concordant.report.document import Block, Case, Document, Drawing, Notice, Paragraph, Points, Section, TreePair
from concordant.report.formats import ReportFormat, as_text
from concordant.report.grid import Grid, Link
from concordant.treebank.drawing import draw_pair

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

# The page's own colours take the place of the picture's, so that pictures follow light and dark.
COLOURS = {INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--line)", PAPER: "var(--paper)"}
KINDS = (Paragraph, Points, Grid, Notice, Drawing, TreePair, Case, Link)
FLAG = re.compile(r"(?<!\S)--[a-z]")
N_FACTS = 4  # named of a list of facts
LONGEST = 110  # signs of a finding beside a folded section
MOST_ROWS = 300  # of a wide table; the workbook has all


def render(document: Document) -> str:
    """The whole page."""
    first = [section for section in document.sections if section.is_first]
    details = [section for section in document.sections if not section.is_first]
    rest = [section for section in details if any(not _lacks(block) for block in section.blocks)]
    absent = [section for section in details if section not in rest]
    left_out = [(one.title, block.lack) for one in absent for block in one.blocks if isinstance(block, Notice)]
    commands = [
        block.command for section in document.sections for block in section.blocks if isinstance(block, Drawing)
    ]
    shown = {"first": first, "rest": rest, "left_out": left_out, "commands": commands, "most_rows": MOST_ROWS}
    return _template().render(document=document, name=NAME, version=VERSION, **shown)


def without_flags(text: str) -> str:
    """A text for readers: what is said to whoever types the command is left out.

    >>> without_flags("level guessed: ordinal (say --level to change it)"), without_flags("Say --independent.")
    ('level guessed: ordinal', '')
    """
    if not FLAG.search(text):
        return text
    text = re.sub(r"\s*\([^()]*(?<!\S)--[a-z][^()]*\)", "", text)
    kept = "; ".join(part for part in text.split("; ") if not FLAG.search(part))
    return " ".join(part for part in re.split(r"(?<=[.:]) ", kept) if not FLAG.search(part)).strip()


def finding(section: Section) -> str:
    """What a folded section found, in a few words: its first sentence, or what its first table holds.

    What could not be made is no finding.
    """
    there = [block for block in section.blocks if not _lacks(block)]
    if there and all(isinstance(block, Drawing) for block in there):
        return counted(len(there), "picture")
    there.sort(key=_rank)
    for block in there:
        if isinstance(block, Grid) and (block.said or block.is_facts):
            facts = (f"{cell_text(value)} {cell_text(name).casefold()}" for name, value, *_ in block.rows[:N_FACTS])
            return textwrap.shorten(block.said or ", ".join(facts), LONGEST, placeholder=" …")
        if isinstance(block, Paragraph | Notice) and (text := without_flags(block.text)):
            ends = r"(?<=[.]) " if isinstance(block, Notice) else r"(?<=[.:]) "
            return textwrap.shorten(re.split(ends, text)[0].rstrip(".:"), LONGEST, placeholder=" …")
        if isinstance(block, Grid):
            return f"{block.title}: {counted(len(block.rows), 'row')}"
    n = sum(len(block.items) for block in there if isinstance(block, Points))
    return counted(n, "entry") if n else counted(len(there), "part")


def _rank(block: Block) -> int:
    """What must not be missed comes first, then what a table says of itself, then other remarks."""
    if isinstance(block, Notice):
        return 2 if block.tone == "note" else 0
    return 1 if isinstance(block, Grid) and (block.said or block.is_facts) else 3


def _lacks(block: Block) -> bool:
    """Whether a block only says that something is not there."""
    return isinstance(block, Notice) and bool(block.lack)


@cache
def _template() -> "Template":
    """The page with our filters; every text is escaped. A block is asked for its kind by the name of its class."""
    try:
        from jinja2 import Environment, PackageLoader
    except ImportError:
        raise MissingExtra("the HTML report", "report") from None
    loader = PackageLoader(f"{NAME}.report", "templates")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "shown": cell_text,
        "exact": repr,
        "svg": inline_svg,
        "drawn": drawn_trees,
        "plain": without_flags,
    }
    environment.filters["finding"] = finding
    environment.tests |= {kind.__name__.lower(): lambda block, kind=kind: isinstance(block, kind) for kind in KINDS}
    return environment.get_template("report.html")


def drawn_trees(pair: TreePair) -> "list[tuple[str, Markup]]":
    """Both trees as drawings, each with its caption."""
    from markupsafe import Markup

    return list(zip(pair.captions, map(Markup, draw_pair(*pair.trees, pair.names)), strict=True))


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


FORMAT = ReportFormat(endings=(".html", ".htm"), order=10, write=as_text(render))
