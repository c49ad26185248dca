"""The pictures of a report of spans: the best alignments of the first texts, or why there is none."""

import shlex
from collections.abc import Mapping, Sequence

from assent.errors import InputError
from assent.measures.unitizing.alignment import best_alignment
from assent.measures.unitizing.evidence import dissimilarity_of
from assent.measures.unitizing.undefined import too_few_raters, zero_length
from assent.measures.unitizing.units import Units
from assent.measures.unitizing.variants import Options
from assent.model.continuum import Continuum
from assent.plots.picture import Picture
from assent.plots.spans import alignment
from assent.report.document import Block, Paragraph, Section
from assent.report.pictures import drawn

MOST_TEXTS = 4  # with more, only the first ones are drawn
MOST_SPANS = 1_000  # bars that can still be seen


def alignments_section(
    texts: Sequence[Continuum], options: Options, source: str, selection: Mapping[str, str]
) -> Section:
    """The best alignment of each of the first texts."""
    shown = texts[:MOST_TEXTS]
    blocks: list[Block] = [
        Paragraph(
            text="Each rater has a row; bars are spans, coloured by category; lines join the spans that the best "
            "alignment puts together. Spans that overlap in one row lie side by side."
        )
    ]
    blocks += [_drawn(text, options, source, selection) for text in shown]
    if len(texts) > len(shown):
        more = f"The pictures show the first {len(shown)} of {len(texts)} texts; assent align draws any."
        blocks.append(Paragraph(text=more))
    return Section(key="alignments", title="Best alignments", blocks=tuple(blocks))


def _drawn(text: Continuum, options: Options, source: str, selection: Mapping[str, str]) -> Block:
    """The picture of one text with the command that draws it, or why there is none."""
    words = [source, *_chosen(selection, text), *_conventions(options)]
    return drawn("alignment", f"assent align {shlex.join(words)}", lambda: _picture(text, options))


def _picture(text: Continuum, options: Options) -> Picture:
    """Align and draw."""
    kept = text.keep(text.end > text.begin) if options.drop_zero_length else text
    title = " · ".join(text.slice.values()) or text.name
    reason = too_few_raters(kept) or zero_length(kept)
    if reason is None and kept.n_units > MOST_SPANS:
        reason = f"{kept.n_units:,} spans are too many to be seen"
    if reason is not None:
        raise InputError(f"{title}: {reason}" if title else reason)
    found = best_alignment(Units.of(kept), dissimilarity_of(kept, options))
    return alignment(kept, found.rows(), title=title)


def _chosen(selection: Mapping[str, str], text: Continuum) -> list[str]:
    """The options that choose this text and its raters, as they are typed."""
    words = []
    for name, value in selection.items():
        if name not in ("groups", "only"):
            given = value.split(";") if name == "where" else [value]
            words += [word for one in given for word in (f"--{name.removeprefix('column_')}", one)]
    if "groups" in selection or "only" in selection:
        words += ["--raters", ",".join(text.raters)]
    place = [(name, value) for name, value in text.slice.items() if name != "raters"]
    return words + [word for name, value in place for word in ("--where", f"{name}={value}")]


def _conventions(options: Options) -> list[str]:
    """The options that the alignment depends on, where they are not the usual ones."""
    usual, words = Options(), []
    for name in ("alpha", "beta", "delta_empty"):
        if getattr(options, name) != getattr(usual, name):
            words += [f"--{name.replace('_', '-')}", f"{getattr(options, name):g}"]
    if options.matrix != usual.matrix:
        words += [
            "--categorical",
            options.matrix,
            *(["--categories", ",".join(options.order)] if options.order else []),
        ]
    return words + (["--zero-length", "drop"] if options.drop_zero_length else [])
