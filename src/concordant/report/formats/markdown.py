"""The report as Markdown: tables in the pipe form, pictures as their text alternatives."""

import re

from concordant.digits import cell_text
from concordant.report.document import Block, Case, Document, Drawing, Notice, Paragraph, Points, TreePair
from concordant.report.formats import ReportFormat, as_text
from concordant.report.grid import Grid
from concordant.treebank.outline import outline_pair

SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$])")


def render(document: Document) -> str:
    """The whole report."""
    parts = [f"# {escape(document.title)}", escape(document.subtitle)]
    for section in document.sections:
        parts += [f"## {escape(section.title)}", *map(_block, section.blocks)]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """A text in which nothing is markup, on one line.

    >>> escape("a|b <i>*")
    'a\\\\|b \\\\<i\\\\>\\\\*'
    """
    return SPECIAL.sub(r"\\\1", " ".join(text.replace("&", "&amp;").split()))


def _block(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph():
            return escape(block.text)
        case Points():
            return "\n".join(f"- {(code if block.is_code else escape)(str(item))}" for item in block.items)
        case Notice():
            more = [f"> {escape(name)}: {escape(text)}" for name, text in block.more]
            return "\n>\n".join([f"> **{block.tone.upper()}** {escape(block.text)}", *more])
        case Drawing():
            picture = block.picture
            return f"**{escape(picture.title)}.** {escape(picture.alternative)} Draw it: {code(block.command)}"
        case Case():
            head = f"### {escape(block.title)}\n\n({escape(block.remark)})"
            return "\n\n".join([head, *map(_block, block.blocks)])
        case TreePair():
            drawn = zip(block.captions, outline_pair(*block.trees), strict=True)
            parts = []
            for caption, tree in drawn:
                nodes = (f"    {'  ' * node.depth}{'≠ ' * node.is_marked}{node.label}  {node.words}" for node in tree)
                parts.append(f"**{escape(caption)}**\n\n" + "\n".join(node.rstrip() for node in nodes))
            return "\n\n".join([*parts, escape(block.LEGEND)])
        case Grid() if block.is_wide:  # only named
            return f"{escape(block.title)}: {escape(block.n_rows_text)}."
        case Grid():
            rule = "|".join("--:" if numeric else ":--" for numeric in block.numeric)
            rows = [" | ".join(escape(cell_text(cell)) for cell in row) for row in block.rows]
            head = " | ".join(escape(header) or " " for header in block.headers)
            lines = [f"**{escape(block.title)}**", "", f"| {head} |", f"|{rule}|", *(f"| {row} |" for row in rows)]
            return "\n".join([*lines, *(f"\n{escape(note)}" for note in block.notes)])


def code(text: str) -> str:
    """Text to be copied, in more backticks than it has.

    >>> code("a`b")
    '`` a`b ``'
    """
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}"


FORMAT = ReportFormat(endings=(".md",), order=40, write=as_text(render))
