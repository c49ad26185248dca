"""Which measures suit these data, and why the others do not."""

from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.measures.catalogue import CATALOGUE
from assent.measures.spec import Measure
from assent.model.continuum import Continuum
from assent.model.judgements import Judgements
from assent.model.scale import Level

# The handful that answers most questions at a level: two raters, more raters. Agreement first, then covariation.
USUAL: dict[Level, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Level.NOMINAL: (("percent", "kappa", "alpha", "ac1"), ("percent", "fleiss", "alpha", "ac1")),
    Level.ORDINAL: (
        ("alpha", "weighted_kappa_quadratic", "ac2", "gk_gamma", "tau_b", "spearman"),
        ("alpha", "weighted_kappa_quadratic", "ac2", "gk_gamma", "tau_b", "kendall_w"),
    ),
    Level.INTERVAL: (("alpha", "lin_ccc", "icc_a1", "pearson"), ("alpha", "icc_a1", "icc_c1", "pearson")),
    Level.RATIO: (("alpha", "lin_ccc", "icc_a1", "pearson"), ("alpha", "icc_a1", "icc_c1", "pearson")),
    Level.BIPOLAR: (("alpha", "ac2"), ("alpha", "ac2")),
    Level.CIRCULAR: (("alpha", "ac2"), ("alpha", "ac2")),
    Level.SET: (("set_full", "set_weighted", "set_overlapping", "alpha"),) * 2,
}


@dataclass(frozen=True, kw_only=True)
class Suitability:
    """A measure on these data: why it cannot be computed (problems), why one may not want it (cautions)."""

    measure: Measure[Any]
    problems: tuple[str, ...]
    cautions: tuple[str, ...]
    is_recommended: bool


@singledispatch
def suitable(data: object) -> list[Suitability]:
    """All measures for these data: the recommended ones first, those that cannot be computed last."""
    raise InputError(f"{type(data).__name__} cannot be measured", hint="give Judgements, a Tally or a Continuum")


@suitable.register
def _of_continuum(data: Continuum) -> list[Suitability]:
    """Spans have measures of their own; all the others need judgements of given units."""
    asked = [
        Suitability(
            measure=one,
            problems=() if one.needs.made_for.startswith("spans") else ("needs judgements of given units, not spans",),
            cautions=(),
            is_recommended=one.key in ("gamma", "gamma_cat"),
        )
        for one in CATALOGUE.values()
    ]
    return sorted(asked, key=lambda one: bool(one.problems))


@suitable.register
def _of_judgements(data: Judgements) -> list[Suitability]:
    """Tally, then ask every measure."""
    return _of_tally(tally(data))


@suitable.register
def _of_tally(data: Tally) -> list[Suitability]:
    """Ask every measure of the catalogue what it thinks of the data."""
    usual = USUAL[data.scale.level][len(data.used_raters) > 2]
    asked = [_ask(measure, data, usual) for measure in CATALOGUE.values()]
    return sorted(asked, key=lambda one: _rank(one, usual))


def _ask(measure: Measure[Any], data: Tally, usual: tuple[str, ...]) -> Suitability:
    """What one measure needs, against what the data are."""
    problems, cautions = tuple(measure.needs.problems(data)), tuple(measure.needs.cautions(data))
    return Suitability(
        measure=measure, problems=problems, cautions=cautions, is_recommended=measure.key in usual and not problems
    )


def _rank(one: Suitability, usual: tuple[str, ...]) -> tuple[bool, int, bool, bool]:
    """Recommended ones in their usual order, then what suits, what can be computed, and the rest."""
    place = usual.index(one.measure.key) if one.is_recommended else 0
    return not one.is_recommended, place, bool(one.problems), bool(one.cautions)


def recommended(data: object) -> list[str]:
    """The keys of the measures to compute when none is asked for."""
    return [one.measure.key for one in suitable(data) if one.is_recommended]
