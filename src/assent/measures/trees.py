"""How alike two analyses of a sentence are as trees or as dependencies: Parseval, Leaf-Ancestor and EDM.

The catalogue entries explain them. None is corrected for chance, and none can be read on the scales made for kappa.
Each is a ratio of sums over sentences: `value` pools all sentences (micro), `details` has the mean over sentences
beside it (macro).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from assent.measures.over_sentences import Statistic, ratio
from assent.measures.result import Agreement
from assent.measures.treebanks import NAMES
from assent.treebank.trees import Counts


def parseval(rows: Sequence[Counts | None], raters: Sequence[str]) -> Agreement:
    """Labelled spans that both analyses have; precision and recall are in the details."""
    details = {"precision": _share(rows, "b"), "recall": _share(rows, "a")}
    return _agreement("parseval", rows, raters, details)


def leaf_ancestor(rows: Sequence[Counts | None], raters: Sequence[str]) -> Agreement:
    """How alike the lineages of each word are, averaged over words."""
    return _agreement("leaf_ancestor", rows, raters, {})


def edm(rows: Sequence[Counts | None], raters: Sequence[str]) -> Agreement:
    """Triples that both MRSs have; precision and recall are in the details."""
    details = {"precision": _share(rows, "b"), "recall": _share(rows, "a")}
    return _agreement("edm", rows, raters, details)


def _share(rows: Sequence[Counts | None], of: str) -> float | None:
    """What part of one side's pieces the other has as well."""
    known = [row for row in rows if row is not None]
    total = sum(getattr(row, of) for row in known)
    return sum(row.both for row in known) / total if total else None


def _agreement(
    key: str,
    rows: Sequence[Counts | None],
    raters: Sequence[str],
    details: dict[str, Any],
) -> Agreement:
    known = [row for row in rows if row is not None]
    shared = np.array([2 * row.both for row in known], dtype=np.float64)
    total = np.array([row.a + row.b for row in known], dtype=np.float64)
    is_defined = bool(total.sum())
    n_dropped = len(rows) - len(known)
    return Agreement(
        measure=key,
        name=NAMES[key],
        value=float(shared.sum() / total.sum()) if is_defined else None,
        reason=None if is_defined else "no sentence has two analyses that can be compared",
        observed=float(shared.sum() / total.sum()) if is_defined else None,
        n_units=len(known),
        n_raters=len(raters),
        n_judgements=len(known) * len(raters),
        n_dropped=n_dropped,
        raters=tuple(raters),
        notes=(f"sentences left out because they lack two comparable analyses: {n_dropped:,}",) if n_dropped else (),
        details={
            "micro": float(shared.sum() / total.sum()) if is_defined else None,
            "macro": float(np.mean([row.f for row in known])) if known else None,
            "coverage": len(known) / len(rows) if rows else None,
            **details,
        },
    )


def f_statistic(rows: Sequence[Counts]) -> Statistic:
    """F over the sentences as drawn: twice what is shared / all there is."""
    return ratio(np.array([2 * row.both for row in rows]), np.array([row.a + row.b for row in rows]))


TREE_MEASURES: Mapping[str, Callable[[Sequence[Counts | None], Sequence[str]], Agreement]] = {
    "parseval": parseval,
    "leaf_ancestor": leaf_ancestor,
    "edm": edm,
}
