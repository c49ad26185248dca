"""Spans of several layers, each with features: which layer is read, and which of its features is the category.

One layer is read at a time. Where a file has several and none is named, the user is asked and told how many
spans each has.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from concordant.choices import choice
from concordant.digits import counted
from concordant.errors import InputError, nearest
from concordant.model.spans import Mark, SpanTable
from concordant.readers.format import Format
from concordant.readers.rater_files import FileOptions, Marked, Order, Part, Parts, parts, table_of

NO_FEATURE = "none"
ANOTHER = "another layer is read"


class LayerOptions(FileOptions):
    """Which spans are read, and what they are called by."""

    layer: str | None = choice(None, "Layer to read, where there are several.")
    feature: tuple[str, ...] = choice((), "Feature of the layer that is the category (several: merged; or none).")


class Annotation(NamedTuple):
    """A span of a layer with the features that it has; `rater` where the file says who made it."""

    layer: str
    begin: float
    end: float
    values: Mapping[str, str] = {}
    rater: str | None = None


class Document(NamedTuple):
    """What one file holds: spans, the length of its text or the text, where known, and what is not used of it.

    `main` names the feature that is the category of a layer, where the format knows it.
    """

    spans: Sequence[Annotation]
    length: float | None = None
    unused: Mapping[str, str] = {}
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    main: Mapping[str, str] = {}
    raters: tuple[str, ...] | None = None
    text: str | None = None


def layered_format(
    of_file: Callable[[Path], Document],
    *,
    name: str,
    help: str,
    endings: tuple[str, ...],
    order: Order | None,
    sniff: Callable[[Path, str], float],
    text_in: Callable[[Path], str | None] | None = None,
) -> Format:
    """The format of spans in layers whose files `of_file` reads."""

    def read(path: str | Path, options: LayerOptions) -> SpanTable:
        found = parts(path, endings, order, options=options, text_in=text_in)
        return layered(str(path), found, [of_file(part.file) for part in found.files], options)

    return Format(
        name=name, holds="spans", help=help, read=read, endings=endings, options=LayerOptions, sniff=sniff,
        in_folders=True,
    )  # fmt: skip


def layered(name: str, found: Parts, documents: Sequence[Document], options: LayerOptions) -> SpanTable:
    """The table of one layer of all files."""
    counts = Counter(span.layer for document in documents for span in document.spans)
    layer = chosen_layer(counts, options.layer, name)
    own = [[span for span in document.spans if span.layer == layer] for document in documents]
    main = {one for document in documents if layer is not None and (one := document.main.get(layer))}
    values = [span.values for spans in own for span in spans]
    features = chosen_features(short(layer or ""), values, options.feature, main, name)
    others = {f"layer {short(each)}": ANOTHER for each in counts if each != layer}
    contents = (
        marked(part, document, spans, features)
        for part, document, spans in zip(found.files, documents, own, strict=True)
    )
    table = table_of(name, found, contents)
    notes = [f"the layer is {short(layer)}"] if layer is not None and len(counts) > 1 else []
    if features and len({key for each in values for key in each}) > len(features):
        notes.append(f"the category is the feature {' and '.join(features)}")
    return replace(table, unused={**table.unused, **others}, notes=(*table.notes, *notes))


def marked(part: Part, document: Document, spans: Iterable[Annotation], features: Sequence[str]) -> Marked:
    """The spans of one file as marks."""
    raters = (part.rater,) if document.raters is None else document.raters
    return Marked(
        [mark_of(part, span, features) for span in spans],
        {} if document.length is None else {part.text: document.length},
        [(part.text, rater) for rater in raters],
        document.unused,
        document.left_out,
        document.notes,
        {} if document.text is None else {part.text: document.text},
    )


def mark_of(part: Part, span: Annotation, features: Sequence[str]) -> Mark:
    """A span with its category, which is a value or `name=value+name=value`; the layer's name if it has no features."""
    given = {name: span.values[name] for name in features if span.values.get(name)}
    rest = {name: value for name, value in span.values.items() if value and name not in features}
    if not features:
        category = short(span.layer)
    elif len(features) == 1:
        category = given.get(features[0], "")
    else:
        category = "+".join(f"{name}={value}" for name, value in given.items())
    return Mark(part.text, span.rater or part.rater, span.begin, span.end, category, rest)


def chosen_layer(counts: Mapping[str, int], asked: str | None, file: str) -> str | None:
    """The layer asked for, by its whole name or the last part of it, or the only one; None if there is none."""
    if asked is not None:
        if asked in counts:
            return asked
        close = [layer for layer in counts if short(layer) == asked]
        if len(close) == 1:
            return close[0]
        if close:
            raise InputError(f"{len(close)} layers are called {asked!r}", file=file, hint=f"say {' or '.join(close)}")
        raise InputError(f"there is no layer {asked!r}", file=file, hint=nearest(asked, [short(one) for one in counts]))
    if len(counts) > 1:
        names = [one if [short(each) for each in counts].count(short(one)) > 1 else short(one) for one in counts]
        listed = ", ".join(f"{one} ({counted(n, 'span')})" for one, n in zip(names, counts.values(), strict=True))
        raise InputError(f"there are {len(counts)} layers: {listed}", file=file, hint=f"say --layer {names[0]}")
    return next(iter(counts), None)


def chosen_features(
    layer: str, spans: Sequence[Mapping[str, str]], asked: Sequence[str], main: set[str], file: str
) -> tuple[str, ...]:
    """The features that are asked for, the layer's main one, or the only one that has values."""
    values: dict[str, set[str]] = {}
    for span in spans:
        for name, value in span.items():
            if value:
                values.setdefault(name, set()).add(value)
    if asked:
        if tuple(asked) == (NO_FEATURE,) and NO_FEATURE not in values:
            return ()
        if lacking := next((name for name in asked if name not in values), None):
            hint = nearest(lacking, list(values)) if values else "leave out --feature"
            raise InputError(f"the layer {layer} has no feature {lacking!r}", file=file, hint=hint)
        return tuple(asked)
    known = [name for name in values if name in main] or list(values)
    if len(known) > 1:
        listed = ", ".join(f"{name} ({counted(len(values[name]), 'value')})" for name in known)
        hint = f"say --feature {known[0]}, several as {known[0]},{known[1]}, or {NO_FEATURE} for the spans alone"
        raise InputError(f"the layer {layer} has {len(known)} features: {listed}", file=file, hint=hint)
    return tuple(known)


def short(layer: str) -> str:
    """The last part of a layer's name.

    >>> short("webanno.custom.Level")
    'Level'
    """
    return layer.rpartition(".")[2]
