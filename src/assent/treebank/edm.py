"""Elementary Dependency Match (Dridan & Oepen 2011): PyDelphin finds the matching triples, we keep their counts."""

from typing import Any

from assent.treebank.tables import delphin
from assent.treebank.trees import Counts


def edm(a: Any, b: Any, *, top_weight: float = 1.0) -> Counts | None:
    """Triples in both structures, in `a` and in `b`; None when neither has character spans, which EDM compares.

    Names, arguments, properties and constants count one each; PyDelphin also counts the top, `top_weight` 0 does not.
    """
    if not _has_spans(a) or not _has_spans(b):
        return None
    n_a, n_b = _n_triples(a, top_weight), _n_triples(b, top_weight)
    if a is b:
        return Counts(n_a, n_a, n_a)
    precision = delphin("edm").compute([a], [b], top_weight=top_weight).precision
    return Counts(precision * n_b, n_a, n_b)


def _has_spans(structure: Any) -> bool:
    return any(node.cfrom >= 0 for node in structure.nodes)


def _n_triples(structure: Any, top_weight: float) -> float:
    """How many triples PyDelphin compares: it reports shares, and sums over sentences need counts."""
    nodes = {node.id for node in structure.nodes}
    arguments = sum(target in nodes for node in structure.nodes for target in node.edges.values())
    properties = sum(len(node.properties) + bool(node.carg) for node in structure.nodes)
    return len(structure.nodes) + arguments + properties + top_weight * (structure.top in nodes)
