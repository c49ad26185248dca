"""Measuring and verifying spans: what a continuum answers to a request."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assent.errors import InputError
from assent.measures.result import Agreement
from assent.measures.unitizing.chance import batch_size
from assent.measures.unitizing.corpus import measure_all
from assent.measures.unitizing.entries import KEYS
from assent.measures.unitizing.variants import Options, options
from assent.model.continuum import Continuum
from assent.progress import Progress, part, silent
from assent.uncertainty import signature
from assent.uncertainty.request import Request
from assent.uncertainty.span_signature import options_of, sign


def measure_continuum(
    continuum: Continuum,
    keys: Sequence[str],
    options: Options,
    progress: Progress = silent,
    selection: Mapping[str, str] | None = None,
) -> list[Agreement]:
    """The measures of these keys on one text, signed.

    `selection` says how the spans were chosen from their source; it goes into the signatures.
    """
    results = measure_all(continuum, keys, options, progress)
    return [_signed(result, continuum, options, selection or {}) for result in results]


def _signed(result: Agreement, continuum: Continuum, options: Options, selection: Mapping[str, str]) -> Agreement:
    """The result with its signature; an interrupted one has none where its samples cannot be drawn again by number."""
    if is_interrupted([result]):
        drawn = int(result.details.get("n_drawn", 0))
        batch = batch_size(continuum)
        if result.value is None or min(batch, drawn) != min(batch, options.samples):
            return result
        options = replace(options, samples=drawn, precision=None)
    return sign(result, continuum, options, selection)


def is_interrupted(results: Sequence[Agreement]) -> bool:
    """Whether the user ended the work on these results."""
    return any(result.details.get("interrupted") for result in results)


def measure_corpus(
    texts: Sequence[Continuum],
    keys: Sequence[str],
    options: Options,
    progress: Progress = silent,
    selection: Mapping[str, str] | None = None,
) -> list[Agreement]:
    """The measures on every text. An interrupt ends the work: what is done so far is returned and marked."""
    results: list[Agreement] = []
    for number, text in enumerate(texts):
        try:
            results += measure_continuum(text, keys, options, part(progress, number, len(texts)), selection)
        except KeyboardInterrupt:
            if not results:
                raise
            return [*results[:-1], _stopped(results[-1], len(texts) - number, len(texts))]
        if is_interrupted(results):
            return [*results[:-1], _stopped(results[-1], len(texts) - number - 1, len(texts))]
        progress(1000 * (number + 1), 1000 * len(texts))
    return results


def _stopped(result: Agreement, left: int, n_texts: int) -> Agreement:
    """The last result, saying how many texts were left."""
    notes = (f"interrupted: {left} of {n_texts} texts were not measured",) if left else ()
    return result.with_(notes=(*result.notes, *notes), details={**result.details, "interrupted": True})


def measure_spans(data: Continuum, request: Request, progress: Progress = silent) -> Agreement:
    """One unitizing measure of a continuum; Gamma-k needs the category in `gamma={"category": …}`."""
    if request.key not in KEYS:
        raise InputError(f"{request.key} measures judgements of given units, not spans", hint=f"use {', '.join(KEYS)}")
    chosen = dict(request.gamma)
    category = chosen.pop("category", None)
    made = options(chosen.pop("variant", "mathet"), seed=request.seed, confidence=request.confidence, **chosen)
    kept = data if request.raters is None else data.only(request.raters)
    placed = kept if request.slice is None else replace(kept, slice=request.slice)
    found = measure_continuum(placed, [request.key], made, progress, request.selection)
    return _only(found, category)


def _only(found: list[Agreement], category: Any) -> Agreement:
    """The one result, or that of the category."""
    if category is not None:
        found = [result for result in found if (result.slice or {}).get("category") == category]
    if len(found) != 1:
        raise InputError("gamma_k is computed for one category", hint='name one: gamma={"category": "…"}')
    return found[0]


def verify_spans(text: str, data: Continuum, *, table: tuple[tuple[str, ...], ...] = ()) -> signature.Verification:
    """Compute again what a signature of spans says and compare."""
    claimed = signature.parse(text)
    made = options_of(claimed.fields, table)
    found = measure_continuum(data, [claimed.key], made, silent, claimed.selection)
    category = (claimed.slice or {}).get("category") if claimed.key == "gamma_k" else None
    return signature.compare(claimed, _only(found, category))
