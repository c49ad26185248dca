"""WebAnno TSV 3, the export of WebAnno and INCEpTION: `text/rater.tsv`, positions in characters.

The features of every span layer are merged into the category, the layer's name is the feature `layer`. A value such as
`PER[2]` in several token lines is one span; without a number every token is its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, lines, number, parts, seen

NUMBERED = re.compile(r"^(.*?)(?:\[(\d+)\])?$")
EMPTY = {"_", "*", ""}


@dataclass
class Span:
    """A span while its tokens are read: one value per feature."""

    begin: float
    end: float
    values: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Layer:
    """A span layer: its name, its features, and the first of its columns."""

    name: str
    features: tuple[str, ...]
    column: int


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of texts' folders, or of one file."""
    found = parts(path, (".tsv",), "text/rater")
    return SpanTable.from_marks(str(path), [mark for part in found for mark in _marks(part)], seen=seen(found))


def _marks(part: Part) -> Iterator[Mark]:
    """The spans of one file, layer by layer."""
    rows = [(row, line) for row, line in enumerate(lines(part.file), start=1) if line]
    if not rows or not rows[0][1].startswith("#FORMAT=WebAnno TSV 3"):
        raise InputError("this is not WebAnno TSV 3", file=part.file, row=1)
    tokens = [(row, line.split("\t")) for row, line in rows if line[0].isdigit()]
    for layer in _layers([line for _, line in rows]):
        for span in _spans(layer, tokens, part.file):
            category = "+".join(
                value if len(layer.features) == 1 else f"{name}={value}" for name, value in span.values.items()
            )
            yield Mark(part.text, part.rater, span.begin, span.end, category, {"layer": layer.name})


def _layers(rows: list[str]) -> list[Layer]:
    """The span layers of the header; every layer takes one column per feature, at least one."""
    layers, column = [], 3
    for line in rows:
        kind, _, rest = line.partition("=")
        if kind in {"#T_SP", "#T_CH", "#T_RL"}:
            name, *features = rest.split("|")
            if kind == "#T_SP":
                layers.append(Layer(name, tuple(features), column))
            column += max(1, len(features))
    return layers


def _spans(layer: Layer, tokens: list[tuple[int, list[str]]], file: Path) -> list[Span]:
    """The spans of one layer: values with the same number belong together."""
    open_: dict[object, Span] = {}
    for row, cells in tokens:
        first, _, last = cells[1].partition("-")
        begin, end = number(first, file, row), number(last, file, row)
        for offset, name in enumerate(layer.features or ("",)):
            column = layer.column + offset
            for place, value in enumerate(cells[column].split("|") if column < len(cells) else ()):
                _take(open_, value, name, (row, place), begin, end)
    return [span for span in open_.values() if span.values or not layer.features]


def _take(open_: dict[object, Span], value: str, name: str, alone: tuple[int, int], begin: float, end: float) -> None:
    """Add one cell's value to its span."""
    found = NUMBERED.match(value)
    plain, numbered = (found.group(1), found.group(2)) if found else (value, None)
    if value in {"_", ""}:
        return
    span = open_.setdefault(numbered or alone, Span(begin, end))
    span.begin, span.end = min(span.begin, begin), max(span.end, end)
    if plain not in EMPTY:
        span.values[name] = plain
