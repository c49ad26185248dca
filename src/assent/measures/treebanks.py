"""The catalogue entries of the treebank measures: their explanations, and the answer when data are not trees."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assent.engines.tally import Tally
from assent.measures.option_kappa import y_option
from assent.measures.result import Agreement
from assent.measures.spec import Measure, Needs, Parts, Setting
from assent.measures.trees import edm, leaf_ancestor, parseval

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


def _entry(
    key: str, name: str, cite: tuple[str, ...], made_for: str, explained: Callable[..., Agreement]
) -> Measure[Any]:
    """An entry that explains a measure; `assent treebank` and `assent measure --format trees` compute it."""

    def compute(data: Tally, setting: Setting) -> Parts:
        return Parts(value=np.array(np.nan), why=NEEDS_TREES)

    compute.__doc__ = explained.__doc__
    needs = TreeNeeds(suits=frozenset(), missing="uses every pair", made_for=made_for)
    return Measure(key=key, name=name, cite=cite, kind="agreement", needs=needs, view="tally", compute=compute)


_PROFILES, _TREES = "two annotators' [incr tsdb()] profiles", "trees of two annotators or more (profiles: of two)"
Y_OPTION = _entry("y_option", "Y-Option Kappa", ("castro-2011",), _PROFILES, y_option)
PARSEVAL = _entry("parseval", "Parseval F", ("black-1991", "brants-2000"), _TREES, parseval)
LEAF_ANCESTOR = _entry("leaf_ancestor", "Leaf-Ancestor", ("sampson-babarczy-2003",), _TREES, leaf_ancestor)
EDM = _entry("edm", "Elementary Dependency Match", ("dridan-oepen-2011",), _PROFILES, edm)
MEASURES = (Y_OPTION, PARSEVAL, LEAF_ANCESTOR, EDM)
