"""Texts that a study's author writes, as safe HTML: paragraphs, list entries and emphasis, nothing else.

Everything is escaped first, so whatever stands in a study file or its data is shown and never run.
"""

import re
from itertools import groupby

from markupsafe import Markup, escape

_EMPHASIS = re.compile(r"(?<!\w)\*(?!\s)(.+?)(?<!\s)\*(?!\w)")


def prose(text: str) -> Markup:
    """Paragraphs at blank lines, list entries at `- `, emphasis by `*stars*`.

    >>> str(prose("Look *twice*.\\n\\n- at <b>\\n- at c"))
    '<p>Look <em>twice</em>.</p>\\n<ul><li>at &lt;b&gt;</li><li>at c</li></ul>'
    """
    blocks = [block for part in re.split(r"\n\s*\n", text.strip()) for block in _blocks(part.splitlines()) if block]
    return Markup("\n").join(blocks)


def _blocks(lines: list[str]) -> list[Markup]:
    """One paragraph or list for each run of lines of the same sort."""
    runs = groupby(lines, key=lambda line: line.lstrip().startswith("- "))
    return [_list(list(run)) if is_list else _paragraph(list(run)) for is_list, run in runs]


def _list(lines: list[str]) -> Markup:
    entries = Markup("").join(Markup("<li>{}</li>").format(inline(line.lstrip()[2:])) for line in lines)
    return Markup("<ul>{}</ul>").format(entries)


def _paragraph(lines: list[str]) -> Markup:
    return Markup("<p>{}</p>").format(inline(" ".join(line.strip() for line in lines)))


def inline(text: str) -> Markup:
    """One run of text with `*emphasis*`."""
    return Markup(_EMPHASIS.sub(r"<em>\1</em>", str(escape(text))))
