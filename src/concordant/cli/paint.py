"""Colour for the few words that decide: what holds, what does not, what to look at; not in pipes, not with NO_COLOR.

click takes colours out again where the output is no terminal.
"""

import os
from typing import Literal

import click

Tint = Literal["good", "bad", "warning"]
COLOURS: dict[Tint, str] = {"good": "green", "bad": "red", "warning": "yellow"}


def painted(text: str, tint: Tint) -> str:
    """The text in the colour of what it says; as it is where colours are not wanted (https://no-color.org)."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=COLOURS[tint], bold=True)
