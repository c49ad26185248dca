"""WebAnno TSV 3 and 1, exports of WebAnno and INCEpTION: `text/rater.tsv`, positions in characters.

TSV 3: every layer has a column for each feature. A value such as `PER[2]` in several token lines is one span; without a
number every token is its own; `|` stands between stacked ones, `*` for a span without that feature. Positions are those
of Java, in UTF-16. TSV 1 has tags (`B-PER`), and its positions are found in the sentences (`#text=`).
"""

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from concordant.errors import InputError
from concordant.readers.cas import MAIN, RELATES, characters
from concordant.readers.format import SURE
from concordant.readers.layers import Annotation, Document, layered_format, short
from concordant.readers.rater_files import number, text_of

VERSION = "#FORMAT=WebAnno TSV "
STACKED = re.compile(r"(?<!\\)\|")
NUMBERED = re.compile(r"(.*?)(?<!\\)\[(\d+)\]", re.DOTALL)
ESCAPED = re.compile(r"\\([\\\[\]|_;*\t]|->)")
OLD = re.compile(r"\s?# \S+ \| ")


class Layer(NamedTuple):
    """A layer of the header: its features, the first column, and whether it joins annotations."""

    name: str
    features: list[str]
    first: int
    is_relation: bool


@dataclass
class Span:
    """A span while its tokens are read: one value per feature."""

    begin: float
    end: float
    values: dict[str, str] = field(default_factory=dict)


def of_file(file: Path) -> Document:
    """The layers of one file."""
    return of_text(text_of(file), file)


def of_text(content: str, file: Path | str) -> Document:
    """The layers of a file as it is written."""
    rows = [(row, line) for row, line in enumerate(content.splitlines(), start=1) if line]
    first = rows[0][1] if rows else ""
    if OLD.match(first):
        return old_document(rows, file)
    if not first.startswith(f"{VERSION}3"):
        version = first.removeprefix(VERSION) if first.startswith(VERSION) else ""
        what = f"this is WebAnno TSV {version}" if version else "this is not WebAnno TSV 3 or 1"
        raise InputError(what, file=file, row=1, hint="export it as WebAnno TSV 3.3")
    tokens = [(row, line.split("\t")) for row, line in rows if line[0].isdigit()]
    if wrong := next((row for row, cells in tokens if len(cells) < 3 or "-" not in cells[1]), None):
        raise InputError("this line is not a token with its place", file=file, row=wrong, hint="export it again")
    spans, unused = [], dict[str, str]()
    double = surrogates(tokens, file)
    for layer in layers(rows):
        if layer.is_relation:
            unused[f"layer {short(layer.name)}"] = RELATES
            continue
        roles = [name for name in layer.features if name.startswith("ROLE_")]
        unused |= {f"feature {name.partition(':')[2] or name} of {short(layer.name)}": RELATES for name in roles}
        spans += [
            Annotation(
                layer.name, span.begin - bisect(double, span.begin), span.end - bisect(double, span.end), span.values
            )
            for span in spans_of(layer, tokens, file)
        ]
    return Document(spans, None, unused, main=main_features(spans))


def main_features(spans: list[Annotation]) -> dict[str, str]:
    """The feature that is the label, of layers where it is known."""
    return {layer: MAIN[short(layer)] for layer in {span.layer for span in spans} if short(layer) in MAIN}


def layers(rows: list[tuple[int, str]]) -> Iterator[Layer]:
    """The layers of the header; every one takes one column per feature, at least one."""
    column = 3
    for _, line in rows:
        kind, _, rest = line.partition("=")
        if kind in {"#T_SP", "#T_CH", "#T_RL"}:
            name, *features = rest.split("|")
            yield Layer(name, [one for one in features if one], column, kind != "#T_SP")
            column += max(1, len(features))


def spans_of(layer: Layer, tokens: list[tuple[int, list[str]]], file: Path | str) -> list[Span]:
    """The spans of one layer: values with the same number belong together."""
    open_: dict[object, Span] = {}
    skipped = link_columns(layer.features)
    for row, cells in tokens:
        first, _, last = cells[1].partition("-")
        begin, end = number(first, Path(file), row), number(last, Path(file), row)
        for at, name in enumerate(layer.features or ("",)):
            column = layer.first + at
            if at in skipped or column >= len(cells):
                continue
            for place, value in enumerate(STACKED.split(cells[column])):
                if value in {"_", ""}:
                    continue
                found = NUMBERED.fullmatch(value)
                plain, numbered = found.groups() if found else (value, None)
                span = open_.setdefault(numbered or (row, place), Span(begin, end))
                span.begin, span.end = min(span.begin, begin), max(span.end, end)
                if plain != "*":
                    span.values[name] = ESCAPED.sub(r"\1", plain)
    return list(open_.values())


def link_columns(features: list[str]) -> set[int]:
    """The columns of roles that point to other spans: the role, and its target after it."""
    roles = [at for at, name in enumerate(features) if name.startswith("ROLE_")]
    return {*roles, *(at + 1 for at in roles)}


def surrogates(tokens: list[tuple[int, list[str]]], file: Path | str) -> list[float]:
    """Where, in UTF-16, the characters end that take two places; parts of tokens (`1-2.1`) only repeat some."""
    found = []
    for row, cells in tokens:
        form = cells[2]
        if "." not in cells[0] and not form.isascii():
            begin = number(cells[1].partition("-")[0], Path(file), row)
            units = characters(form)
            found += [begin + at for at in range(1, len(units)) if units[at] == units[at - 1]]
    return found


def old_document(rows: list[tuple[int, str]], file: Path | str) -> Document:
    """The layers of a file of TSV 1: ` # layer | feature # relation | feature | AttachTo=layer`, then tagged tokens."""
    sections = [[cell.strip() for cell in part.split("|")] for part in rows[0][1].split("# ")[1:]]
    tokens = list(placed_tokens(rows, file))
    spans: list[Annotation] = []
    unused: dict[str, str] = {}
    column = 2
    for name, *features in sections:
        if features and features[-1].startswith("AttachTo="):
            unused[f"layer {short(name)}"] = RELATES
        else:
            for at, feature in enumerate(features, start=column):
                spans += tagged(name, feature, [(b, e, cells[at] if at < len(cells) else "") for b, e, cells in tokens])
        column += len(features)
    return Document(spans, None, unused, main=main_features(spans))


def placed_tokens(rows: list[tuple[int, str]], file: Path | str) -> Iterator[tuple[float, float, list[str]]]:
    """Begin, end and cells of every token of TSV 1; sentences follow each other with one character between them."""
    sentence, start, at = "", 0, 0
    for row, line in rows:
        if line.startswith("#text="):
            start += len(sentence) + bool(sentence)
            sentence, at = line.removeprefix("#text="), 0
        elif line[0].isdigit():
            cells = line.split("\t")
            found = sentence.find(cells[1], at) if len(cells) > 2 else -1
            if found < 0:
                raise InputError("this token is not in its sentence", file=file, row=row, hint="export it again")
            at = found + len(cells[1])
            yield float(start + found), float(start + at), cells


def tagged(layer: str, feature: str, tokens: list[tuple[float, float, str]]) -> Iterator[Annotation]:
    """The spans of a column of tags: B begins one, I goes on."""
    open_: list[Annotation] = []
    for begin, end, cell in tokens:
        tags = [] if cell in {"O", "_", ""} else STACKED.split(cell)
        for place, tag in enumerate(tags):
            value = tag[2:] if tag[:2] in {"B-", "I-"} else tag
            if tag.startswith("I-") and place < len(open_) and open_[place].values[feature] == value:
                open_[place] = open_[place]._replace(end=end)
            else:
                yield from open_[place : place + 1]
                open_[place : place + 1] = [Annotation(layer, begin, end, {feature: value})]
        yield from open_[len(tags) :]
        del open_[len(tags) :]
    yield from open_


def text_in(file: Path) -> str:
    """The sentences of a file."""
    return "\n".join(line[6:] for line in text_of(file).splitlines() if line[:6].casefold() == "#text=")


def sniff(path: Path, head: str) -> float:
    """The first line names the format, or the layers of TSV 1."""
    is_old = OLD.match(head) is not None and "\n#id=" in head
    return SURE * (path.suffix.casefold() in {".tsv", ".txt", ""} and (head.startswith(VERSION) or is_old))


FORMAT = layered_format(
    of_file,
    name="webanno",
    help="WebAnno TSV 3 or 1 as INCEpTION and WebAnno export it: a file for each text and rater.",
    endings=(".tsv",),
    order="text/rater",
    sniff=sniff,
    text_in=text_in,
)
