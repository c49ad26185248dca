"""The kinds of pictures by name: what `assent plot KIND DATA` can draw."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assent.diagnosis.entropy import unit_entropies
from assent.diagnosis.material import Material, materials, pooled_material
from assent.diagnosis.pairs import consistency_of
from assent.errors import InputError, nearest
from assent.model.study import Study
from assent.plots import coefficients, contingency, distribution, entropy, pairs, scores
from assent.plots.picture import Picture
from assent.uncertainty.studies import measure_study


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What to draw of a study; each kind uses the choices that mean something to it."""

    by: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    pool: bool = False
    seed: int = 1
    resamples: int = 2000


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of picture: what it shows, and how it is drawn."""

    key: str
    summary: str
    draw: Callable[[Study, Choices], Picture]


def only_question(study: Study, choices: Choices) -> Material:
    """The question to draw: the only one, the one chosen, or all pooled."""
    if choices.pool:
        return pooled_material(study)
    found = list(materials(study))
    if len(found) > 1:
        raise InputError(
            f"this picture shows one question, and there are {len(found)}",
            hint=f"choose one with --where question={found[0].question}, or --pool them",
        )
    return found[0]


def _draw_scores(study: Study, choices: Choices) -> Picture:
    return scores.scores(only_question(study, choices).judgements)


def _draw_distribution(study: Study, choices: Choices) -> Picture:
    return distribution.distribution(only_question(study, choices).tally)


def _draw_contingency(study: Study, choices: Choices) -> Picture:
    return contingency.contingency(only_question(study, choices).tally)


def _draw_coincidence(study: Study, choices: Choices) -> Picture:
    return contingency.coincidence(only_question(study, choices).judgements)


def _draw_entropy(study: Study, choices: Choices) -> Picture:
    found = unit_entropies(only_question(study, choices), attributes=choices.by)
    return entropy.entropy(found, choices.by[0] if choices.by else None)


def _draw_coefficients(study: Study, choices: Choices) -> Picture:
    results = measure_study(
        study, choices.measures, by=choices.by, pool=choices.pool, seed=choices.seed, resamples=choices.resamples
    )
    return coefficients.coefficients(results)


def _draw_pairs(study: Study, choices: Choices) -> Picture:
    return pairs.pairs(consistency_of(only_question(study, choices), seed=choices.seed))


_ALL: Sequence[Kind] = (
    Kind(key="scores", summary="what each rater gave each unit, as lines shifted apart", draw=_draw_scores),
    Kind(key="distribution", summary="how often each rater gave each category", draw=_draw_distribution),
    Kind(key="contingency", summary="two raters: one's categories against the other's", draw=_draw_contingency),
    Kind(key="coincidence", summary="all raters: which categories meet on one unit", draw=_draw_coincidence),
    Kind(key="entropy", summary="how uncertain units are, by an attribute (--by)", draw=_draw_entropy),
    Kind(key="coefficients", summary="coefficients with their intervals", draw=_draw_coefficients),
    Kind(key="pairs", summary="agreement and correlation of every two raters", draw=_draw_pairs),
)
KINDS = {kind.key: kind for kind in _ALL}


def find_kind(key: str) -> Kind:
    """The kind of that name; an unknown one is an error that suggests the nearest."""
    if key not in KINDS:
        raise InputError(f"unknown kind of picture {key!r}", hint=nearest(key, list(KINDS)))
    return KINDS[key]
