"""Sections of a report in the terminal: sentences folded, tables no wider than the screen."""

import json
from collections.abc import Mapping
from typing import Any

import click

from assent.diagnosis.findings import plain
from assent.report.document import Block, Grid, Notice, Paragraph, Points
from assent.report.tables import table
from assent.report.text import bullet, paragraph, render

MARKS = {"serious": "!!", "warning": "!", "note": "-"}


def print_blocks(*blocks: Block) -> None:
    """Each block with an empty line after it; drawings have no place here."""
    for block in blocks:
        text = block_text(block)
        if text:
            click.echo(text + "\n")


def block_text(block: Block) -> str:
    """One block as text."""
    if isinstance(block, Paragraph):
        return paragraph(block.text)
    if isinstance(block, Notice):
        return notice_text(block)
    if isinstance(block, Points):
        return "\n".join(bullet(item) for item in block.items)
    return grid_text(block) if isinstance(block, Grid) else ""


def notice_text(notice: Notice) -> str:
    """A finding: what was seen, then how sure and what to do, indented."""
    lines = [paragraph(f"{MARKS[notice.tone]} {notice.text}")]
    lines += [indented(f"{heading}: {text}") for heading, text in notice.more]
    return "\n".join(lines)


def indented(text: str) -> str:
    """A paragraph set in from the left."""
    import textwrap

    from assent.report.text import terminal_width

    return textwrap.fill(text, terminal_width(), initial_indent="    ", subsequent_indent="    ")


def grid_text(grid: Grid) -> str:
    """A table; one without rows is not shown."""
    if not grid.rows:
        return ""
    return render(table(grid.title, grid.headers, grid.rows, notes=grid.notes))


def echo_json(whole: Mapping[str, Any]) -> None:
    """Results as JSON: numbers unrounded, undefined as null."""
    click.echo(json.dumps(plain(dict(whole)), indent=2, ensure_ascii=False, allow_nan=False))
