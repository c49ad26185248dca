"""How an archive is cited: `CITATION.cff`, version 1.2.0 of the Citation File Format."""

import json
from collections.abc import Mapping
from typing import Any

FILL = "[TO FILL IN: {}]"


def to_fill(what: str) -> str:
    """A place where a person must write something.

    >>> to_fill("who paid")
    '[TO FILL IN: who paid]'
    """
    return FILL.format(what)


def citation(settings: Mapping[str, Any]) -> str:
    """The file; texts are written as JSON, which YAML reads."""
    authors = settings["authors"] or [to_fill("authors")]
    lines = [
        "cff-version: 1.2.0",
        "message: If you use these data, cite them as below.",
        "type: dataset",
        f"title: {_text(settings['title'])}",
        "authors:",
        *(f"  - name: {_text(name)}" for name in authors),
        f"version: {_text(settings['data_version'])}",
        f"date-released: {settings['made']}",
    ]
    if settings["licence"]:
        lines.append(f"license: {_text(settings['licence'])}")
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
