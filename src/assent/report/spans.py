"""Build the report of spans: Gamma and its kin per text, the best alignments as pictures, methods and references."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from assent import __version__
from assent.errors import InputError, nearest
from assent.measures.catalogue import find_measure
from assent.measures.explanation import citation
from assent.measures.result import Agreement
from assent.measures.unitizing.entries import KEYS
from assent.measures.unitizing.variants import Options, options
from assent.model.continuum import Continuum, continua
from assent.model.spans import SpanTable
from assent.plots.labels import counted
from assent.progress import Progress, silent
from assent.report.coefficients import Independence
from assent.report.document import Document, Paragraph, Points, Section
from assent.report.methods import AMIDEI, WORKED
from assent.report.span_pictures import alignments_section
from assent.report.span_tables import agreement_section, glance_section
from assent.uncertainty.unitizing import is_interrupted, measure_corpus


@dataclass(frozen=True, kw_only=True)
class SpanReport:
    """What the user chose. `gamma` holds options of Gamma by name (variant, sampler, alpha …).

    `by` and `features` make texts from a table of spans; texts that are made already have theirs. `name`, `notes` and
    `selection` say where the spans are from.
    """

    measures: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    gamma: Mapping[str, Any] = field(default_factory=dict)
    independent: bool | None = None
    confidence: float = 0.95
    seed: int = 1
    title: str | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    selection: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> Options:
        """The conventions of Gamma."""
        return options(**{"seed": self.seed, "confidence": self.confidence, **self.gamma})

    @property
    def independence(self) -> Independence:
        """What the report says about it."""
        if self.independent is None:
            return "not declared"
        return "independently" if self.independent else "not independently"


def build_spans(
    data: SpanTable | Continuum | Sequence[Continuum], chosen: SpanReport, progress: Progress = silent
) -> Document:
    """The whole report of spans."""
    for key in chosen.measures:
        if key not in KEYS:
            raise InputError(f"{key} does not measure spans", hint=nearest(key, KEYS) or f"use {', '.join(KEYS)}")
    texts, name, notes = _texts(data, chosen)
    if not texts:
        raise InputError("there are no spans to report", file=name or None)
    results = measure_corpus(texts, chosen.measures or KEYS, chosen.options, progress, chosen.selection)
    if is_interrupted(results):
        raise KeyboardInterrupt
    return Document(
        title=chosen.title or f"Reliability report: {PurePath(name).name or 'spans'}",
        subtitle=_subtitle(texts),
        sections=(
            glance_section(texts, chosen.independence, notes),
            agreement_section(results),
            alignments_section(texts, chosen.options, name or "DATA", chosen.selection),
            _methods(texts, results, chosen),
            _references(results),
        ),
    )


def _texts(
    data: SpanTable | Continuum | Sequence[Continuum], chosen: SpanReport
) -> tuple[list[Continuum], str, tuple[str, ...]]:
    """The texts, where they are from, and what was remarked when they were read."""
    if isinstance(data, SpanTable):
        texts = continua(data, by=chosen.by, features=chosen.features)
        return texts, chosen.name or data.name, (*data.notes, *chosen.notes)
    return [data] if isinstance(data, Continuum) else list(data), chosen.name, chosen.notes


def _subtitle(texts: Sequence[Continuum]) -> str:
    """The size of the study and the program in a line."""
    raters = {name for text in texts for name in text.raters}
    return (
        f"{counted(sum(text.n_units for text in texts), 'span')} in {counted(len(texts), 'annotated text')} by "
        f"{counted(len(raters), 'rater')}; assent {__version__}"
    )


def _methods(texts: Sequence[Continuum], results: Sequence[Agreement], chosen: SpanReport) -> Section:
    """What a paper must say: the data, the measures, the conventions and the computation."""
    raters = {name for text in texts for name in text.raters}
    names = ", ".join(dict.fromkeys(result.name for result in results))
    data = (
        f"{counted(len(raters), 'rater')} marked {counted(sum(text.n_units for text in texts), 'span')} in "
        f"{counted(len(texts), 'annotated text')} with {counted(len(texts[0].categories), 'category')}. "
        f"{WORKED[chosen.independence]}"
    )
    blocks = [
        Paragraph(text=data),
        Paragraph(text=f"Agreement was measured by {names}. {_conventions(chosen.options)}"),
    ]
    computed = (
        f"All values were computed with assent {__version__}; the signatures in the section on agreement name the "
        "data, the conventions and the seed of each, so that it can be computed again with assent verify."
    )
    return Section(key="methods", title="Methods paragraph", blocks=(*blocks, Paragraph(text=computed)))


def _conventions(used: Options) -> str:
    """Variant, weights, sampler and how exact chance is, as a paper states them."""
    until = (
        f"at least {used.samples} samples"
        if used.precision is None
        else f"at least {used.samples} samples and as many as bring the expected disorder within {used.precision:.2g} "
        "of its value"
    )
    alone = " Units left alone count against gamma-cat." if used.charge_unaligned else ""
    return (
        f"Gamma follows the variant {used.variant}: alpha = {used.alpha:g}, beta = {used.beta:g}, delta_empty = "
        f"{used.delta_empty:g}, positions {used.positional}, dissimilarity of categories: {used.matrix}. The best "
        "alignment is the true optimum. "
        f"Chance was sampled by the sampler {used.sampler}, {until}, seed {used.seed}; intervals "
        f"({100 * used.confidence:g} %) say how exactly these samples fix gamma.{alone}"
    )


def _references(results: Sequence[Agreement]) -> Section:
    """The sources of the measures and of the reporting standard."""
    keys = {key for result in results for key in find_measure(result.measure).cite}
    sources = sorted({citation(key) for key in keys} | {AMIDEI})
    return Section(key="references", title="References", blocks=(Points(items=tuple(sources)),))
