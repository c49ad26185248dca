"""The pictures of a report of spans: the best alignments of the first texts, or why there is none."""

import shlex
from collections.abc import Mapping
from functools import partial

from concordant.about import NAME
from concordant.digits import brief
from concordant.errors import InputError
from concordant.measures.gamma import GammaOptions
from concordant.measures.unitizing.alignment import best_alignment
from concordant.measures.unitizing.evidence import dissimilarity_of
from concordant.measures.unitizing.units import Units, too_few_raters, zero_length
from concordant.model.continuum import Continuum
from concordant.plots.lines import alignment
from concordant.plots.picture import Picture
from concordant.report.document import Block, Paragraph, drawn, typed
from concordant.report.facts import SpanFacts
from concordant.report.sections import SectionMaker

MOST_TEXTS = 4  # with more, only the first ones are drawn
MOST_SPANS = 1_000  # bars that can still be seen


def blocks(facts: SpanFacts) -> list[Block]:
    """The best alignment of each of the first texts."""
    shown = facts.texts[:MOST_TEXTS]
    lead = (
        "Each rater has a row; bars are spans, coloured by category; lines join the spans that the best "
        "alignment puts together. Spans that overlap in one row lie side by side."
    )
    told: list[Block] = [Paragraph(text=lead)]
    for text in shown:
        words = [facts.options.name or "DATA", *options_typed(facts.options.selection, facts.gamma, text)]
        told.append(drawn("alignment", shlex.join(words), partial(aligned_picture, text, facts.gamma), "align"))
    if len(facts.texts) > len(shown):
        more = f"The pictures show the first {len(shown)} of {len(facts.texts)} texts; {NAME} align draws any."
        told.append(Paragraph(text=more))
    return told


def aligned_picture(text: Continuum, options: GammaOptions) -> Picture:
    """Align and draw."""
    kept = text.keep(text.end > text.begin) if options.zero_length == "drop" else text
    title = " · ".join(text.slice.values()) or text.name
    reason = too_few_raters(kept) or zero_length(kept)
    if reason is None and kept.n_units > MOST_SPANS:
        reason = f"{kept.n_units:,} spans are too many to be seen"
    if reason is not None:
        raise InputError(f"{title}: {reason}" if title else reason)
    found = best_alignment(Units.of(kept), dissimilarity_of(kept, options))
    return alignment(kept, found.rows(), title=title)


def options_typed(selection: Mapping[str, str], options: GammaOptions, text: Continuum) -> list[str]:
    """The options that choose this text and its raters, and those of the alignment that are not the usual ones."""
    ours = {"groups", "only"} & selection.keys()
    words = typed({name: value for name, value in selection.items() if name not in ours})
    words += ["--raters", ",".join(text.raters)] if ours else []
    for name, value in text.slice.items():
        words += ["--where", f"{name}={value}"] if name != "raters" else []
    usual = GammaOptions()
    for name in ("alpha", "beta", "delta_empty"):
        if getattr(options, name) != getattr(usual, name):
            words += [f"--{name.replace('_', '-')}", brief(getattr(options, name))]
    if options.matrix != usual.matrix:
        words += ["--categorical", options.matrix]
        words += ["--categories", ",".join(options.order)] if options.order else []
    return words + (["--zero-length", "drop"] if options.zero_length == "drop" else [])


SECTION = SectionMaker(key="alignments", title="Best alignments", order=50, of=("spans",), blocks=blocks)
