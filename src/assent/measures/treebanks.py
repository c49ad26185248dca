"""The catalogue entries of the treebank measures: their explanations, and the answer when data are not trees.

`assent treebank` and `assent measure --format trees` compute them; what does so is loaded when trees are measured.
"""

from dataclasses import dataclass

import numpy as np

from assent.engines.tally import Tally
from assent.measures.spec import Measure, Needs, Parts, Setting, measure

NEEDS_TREES = "needs the trees of two annotators, and these are judgements of given units"


@dataclass(frozen=True, kw_only=True)
class TreeNeeds(Needs):
    """Trees: judgements of given units never do."""

    def problems(self, data: Tally) -> list[str]:
        """Judgements have no constituents."""
        return [NEEDS_TREES]

    def cautions(self, data: Tally) -> list[str]:
        """What cannot be computed needs no caution."""
        return []


PROFILES = TreeNeeds(suits=frozenset(), missing="uses every pair", made_for="two annotators' [incr tsdb()] profiles")
TREES = TreeNeeds(
    suits=frozenset(), missing="uses every pair", made_for="trees of two annotators or more (profiles: of two)"
)
NOTHING = Parts(value=np.array(np.nan), why=NEEDS_TREES)


@measure(key="y_option", name="Y-Option Kappa", cite=("castro-2011",), needs=PROFILES, view="tally")
def y_option(data: Tally, setting: Setting) -> Parts:
    """Chance decides each discriminant by a coin (A_e = 1/2), or picks an analysis of the forest at random.

    K_s = (A_o − A_e) / (1 − A_e) for each sentence s, with A_o the share of its discriminants decided alike; the
    coefficient is the mean over sentences (Castro 2011, eq. 4.1-4.3).

    With A_e = 1/2 two annotators who pick analyses blindly still score about .36, since most discriminants are false of
    most analyses; `forest` puts them at 0. Not for comparing grammars: other discriminants are other questions.
    """
    return NOTHING


@measure(key="parseval", name="Parseval F", cite=("black-1991", "brants-2000"), needs=TREES, view="tally")
def parseval(data: Tally, setting: Setting) -> Parts:
    """Labelled spans that both analyses have: F = 2 · shared / (spans of one + spans of the other).

    Precision and recall are in the details; between two annotators neither of whom is the gold standard F is the score
    of Brants (2000). Preterminals count unless told otherwise (Black et al. 1991 and EVALB leave them out).
    """
    return NOTHING


@measure(key="leaf_ancestor", name="Leaf-Ancestor", cite=("sampson-babarczy-2003",), needs=TREES, view="tally")
def leaf_ancestor(data: Tally, setting: Setting) -> Parts:
    """For each word the likeness of its two lineages (labels from the word up to the root, with brackets).

    1 − d / (length of one + length of the other), d a weighted edit distance: 1 to insert or delete, 0.5 to substitute
    a label with the same first letter, else 2; averaged over words (Sampson & Babarczy 2003). The words must be the
    same.
    """
    return NOTHING


@measure(key="edm", name="Elementary Dependency Match", cite=("dridan-oepen-2011",), needs=PROFILES, view="tally")
def edm(data: Tally, setting: Setting) -> Parts:
    """Elementary Dependency Match: triples of names, arguments, properties and constants that both MRSs have, as F.

    Computed by PyDelphin (Dridan & Oepen 2011), the top included. Predicates are matched by their character spans, so
    an MRS without them cannot be scored.
    """
    return NOTHING


MEASURES: tuple[Measure[Tally], ...] = (y_option, parseval, leaf_ancestor, edm)
NAMES = {entry.key: entry.name for entry in MEASURES}
OF_PROFILES = tuple(NAMES)
OF_BRACKETS = ("parseval", "leaf_ancestor")
