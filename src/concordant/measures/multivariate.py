"""Agreement on several questions at once: what a rater answered about a unit is one profile."""

import numpy as np

from concordant.arrays import Floats
from concordant.engines.views import Pairs
from concordant.errors import InputError
from concordant.measures.benchmarks import KAPPA_SCALES
from concordant.measures.kappas import generalised_kappa
from concordant.measures.spec import ORDERED, RESAMPLED, Needs, Parts, RaterShares, Setting, WithQuestions, measure
from concordant.measures.usual import not_studied
from concordant.model.scale import Facet, Level, Scale

MOST_PROFILES = 4000


class IotaOptions(RaterShares, WithQuestions):
    """How answers to different questions add up, and what chance is made of."""


def squared_distances(scale: Scale, spread: str) -> Floats:
    """The squared distances of every two profiles, added up over questions; 1 for two answers without an order."""
    ends = scale.positions()
    width = float(ends.max(initial=0.0) - ends.min(initial=0.0))
    facets = scale.facets or (Facet("", scale.level.is_ordered, width),)
    places = np.array(scale.profiles or ends[:, None], dtype=np.float64)
    total = np.zeros((len(places), len(places)))
    for facet, place in zip(facets, places.T, strict=True):
        apart = place[:, None] - place[None, :]
        unit = facet.width if spread == "alike" and facet.width > 0 else 1.0
        total += (apart / unit) ** 2 if facet.is_ordered else apart != 0
    return total


@measure(
    key="iota",
    name="Janson and Olsson's iota",
    cite=("janson-olsson-2001", "conger-1980"),
    needs=Needs(suits=ORDERED | {Level.NOMINAL}, missing="uses every pair"),
    view="pairs",
    reads_on=KAPPA_SCALES,
    options=IotaOptions,
    ci=(*RESAMPLED, "none"),
    usual=not_studied,
)
def iota(data: Pairs, setting: Setting) -> Parts:
    """How far raters agree on all questions about a unit together; chance judges as each rater did.

    iota = 1 - D_o / D_e, D_o the mean squared distance of two raters' answers to a unit, D_e that of their answers to
    any two units; distances of questions add up: 0 or 1 for answers without an order, (x - y)² for others, each scale
    from 0 to 1 (`--spread raw`: as the numbers are)

    With `--as-one` a rater's answers to all questions of a unit are one judgement; a rater who left one out is left out
    of that unit. Of one question without an order it is Cohen's or Conger's kappa, of numbers quadratically weighted
    kappa.

    When not to use it: If questions differ in what they need: one value hides which of them raters disagree on. Measure
    each question too. Questions with more answers or more spread weigh more.

    In other tools: R `irr::iota`, of complete data (its numbers are raw unless standardized).

    Example: Iota over the five questions was .61 (three raters, 80 units).
    """
    if setting.scale.facets and len(setting.scale.profiles) > MOST_PROFILES:
        raise InputError(f"more than {MOST_PROFILES:,} different profiles of answers", hint="take fewer questions")
    apart = squared_distances(setting.scale, setting.options.spread)
    most = float(apart.max(initial=0.0))
    return generalised_kappa(data, 1 - apart / most if most else np.ones_like(apart), setting)


MEASURES = (iota,)
