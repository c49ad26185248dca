"""The catalogue entries of the unitizing measures: their explanations, and the answer when data are not spans.

What computes them is loaded when spans are measured, so that the catalogue costs nothing.
"""

from dataclasses import dataclass

import numpy as np

from assent.engines.tally import Tally
from assent.measures.spec import Measure, Needs, Parts, Setting, measure

NEEDS_SPANS = "needs spans (columns text, rater, begin, end, category), and these are judgements of given units"


@dataclass(frozen=True, kw_only=True)
class SpanNeeds(Needs):
    """Spans: judgements of given units never do."""

    def problems(self, data: Tally) -> list[str]:
        """Judgements have no positions."""
        return [NEEDS_SPANS]

    def cautions(self, data: Tally) -> list[str]:
        """What cannot be computed needs no caution."""
        return []


SPANS = SpanNeeds(
    suits=frozenset(),
    missing="uses every pair",
    made_for="spans (text, rater, begin, end, category)",
)
NOTHING = Parts(value=np.array(np.nan), why=NEEDS_SPANS)


@measure(key="gamma", name="Mathet's gamma", cite=("mathet-2015",), needs=SPANS, view="tally")
def gamma(data: Tally, setting: Setting) -> Parts:
    """How far raters agree on where units are and what they are called, both at once.

    gamma = 1 - observed disorder / expected disorder

    Units of different raters are aligned so that the disorder is least. Two units differ by d = alpha d_pos + beta
    d_cat, where d_pos = ((|begin - begin| + |end - end|) / (length + length))^2 De (without the square if positions are
    linear), and d_cat is De for different categories (or an entry of a matrix); a pair with an empty place costs De. A
    unitary alignment's disorder is the mean over all pairs of raters, an alignment's the sum over its unitary
    alignments divided by the mean number of units per rater.

    Chance takes real raters' units and cuts the text at a random pivot, exchanging the two parts (sampler `shuffle`),
    or draws numbers, gaps and lengths of units from normal distributions (`statistical`); the mean disorder of
    hundreds of such samples is expected. The best alignment is the true optimum.
    """
    return NOTHING


@measure(key="gamma_cat", name="Mathet's gamma-cat", cite=("mathet-2017",), needs=SPANS, view="tally")
def gamma_cat(data: Tally, setting: Setting) -> Parts:
    """How far raters agree on the categories of the units that the best alignment puts together.

    disorder = sum of w d_cat / sum of w over aligned pairs, w = max(0, 1 - alpha d_pos) / (units in the alignment - 1)

    and the coefficient is 1 - observed / expected with the same chance samples as gamma. Units left alone do not count
    (the variant `pygamma` charges them De).
    """
    return NOTHING


@measure(key="gamma_k", name="Mathet's gamma-k", cite=("mathet-2017",), needs=SPANS, view="tally")
def gamma_k(data: Tally, setting: Setting) -> Parts:
    """Gamma-cat for one category k: only aligned pairs with a unit of category k count. One value for each category."""
    return NOTHING


@measure(
    key="alpha_u",
    name="Krippendorff's alpha_U",
    cite=("krippendorff-1995", "krippendorff-2004"),
    needs=SPANS,
    view="tally",
)
def alpha_u(data: Tally, setting: Setting) -> Parts:
    """How far raters cut a text into the same units, category by category.

    alpha_U = 1 - sum over categories of D_o / sum over categories of D_e

    Overlapping units of two raters differ by the squares of their begins' and ends' distances, a unit in the other's
    gap by its squared length. Chance puts units and gaps anywhere in the text. Units of one rater and category must
    not overlap.
    """
    return NOTHING


MEASURES: tuple[Measure[Tally], ...] = (gamma, gamma_cat, gamma_k, alpha_u)
NAMES = {entry.key: entry.name for entry in MEASURES}
KEYS = tuple(NAMES)
