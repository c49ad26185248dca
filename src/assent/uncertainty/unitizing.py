"""Measuring and verifying spans: what a continuum answers to a request."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assent.errors import InputError
from assent.measures.result import Agreement
from assent.measures.unitizing.corpus import KEYS, measure_continuum
from assent.measures.unitizing.signing import options_of
from assent.measures.unitizing.variants import options
from assent.model.continuum import Continuum
from assent.progress import Progress, silent
from assent.uncertainty import signature
from assent.uncertainty.request import Request


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
    found = measure_continuum(data, [claimed.key], made, silent, claimed_selection(claimed))
    category = (claimed.slice or {}).get("category") if claimed.key == "gamma_k" else None
    return signature.compare(claimed, _only(found, category))


OWN = frozenset(
    {
        "variant",
        "alpha",
        "beta",
        "delta_empty",
        "confidence",
        "matrix",
        "order",
        "sampler",
        "samples",
        "precision",
        "zero_length",
    }
)


def claimed_selection(claimed: signature.Signature) -> Mapping[str, str]:
    """How the spans were chosen from their source, as the signature says."""
    return {name: value for name, value in claimed.selection.items() if name not in OWN}
