"""The report as Markdown: tables in the pipe form, pictures as their text alternatives."""

import re

from assent.report.document import Block, Document, Drawing, Grid, Notice, Paragraph, Points, Section
from assent.report.tables import cell_text

SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$])")


def render(document: Document) -> str:
    """The whole report."""
    parts = [f"# {escape(document.title)}", escape(document.subtitle), *(_section(s) for s in document.sections)]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """A text in which nothing is markup, on one line.

    >>> escape("a|b <i>*")
    'a\\\\|b \\\\<i\\\\>\\\\*'
    """
    return SPECIAL.sub(r"\\\1", " ".join(text.replace("&", "&amp;").split()))


def _section(section: Section) -> str:
    return "\n\n".join([f"## {escape(section.title)}", *(_block(block) for block in section.blocks)])


def _block(block: Block) -> str:
    """One block."""
    if isinstance(block, Paragraph):
        return escape(block.text)
    if isinstance(block, Points):
        return "\n".join(f"- {code(item) if block.is_code else escape(item)}" for item in block.items)
    if isinstance(block, Notice):
        more = [f"> {escape(name)}: {escape(text)}" for name, text in block.more]
        return "\n>\n".join([f"> **{block.tone.upper()}** {escape(block.text)}", *more])
    if isinstance(block, Drawing):
        return f"**{escape(block.picture.title)}.** {escape(block.picture.alternative)} Draw it: {code(block.command)}"
    return _table(block)


def code(text: str) -> str:
    """Text to be copied, in more backticks than it has.

    >>> code("a`b")
    '`` a`b ``'
    """
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}"


def _table(block: Grid) -> str:
    """A pipe table; columns of numbers are set to the right."""
    rule = "|".join("--:" if numeric else ":--" for numeric in block.numeric)
    rows = [" | ".join(escape(cell_text(cell)) for cell in row) for row in block.rows]
    head = " | ".join(escape(header) or " " for header in block.headers)
    lines = [f"**{escape(block.title)}**", "", f"| {head} |", f"|{rule}|", *(f"| {row} |" for row in rows)]
    return "\n".join([*lines, *(f"\n{escape(note)}" for note in block.notes)])
