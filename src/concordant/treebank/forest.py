"""How often chance alone makes two annotators agree: over the forest of analyses a discriminant holds in a share p.

Two annotators who each pick an analysis at random, all being equally likely, agree on the discriminant with
probability p² + (1 − p)². The shares come from the analyses in the `result` table, or are counted exactly in the
packed forest of the `edge` table without unpacking it.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple, Protocol

from concordant.errors import InputError
from concordant.treebank.analyses import ChosenAnalysis
from concordant.treebank.discriminants import CONSTITUENT, LEXICAL_TYPE, TWIG, Discriminant
from concordant.treebank.profile import Annotation
from concordant.treebank.relations import Tables, unescape

_ROOT, _LEXICAL, _TOKEN = 4, 1, 0
_NOTHING = Discriminant(0, "", -1, -1)


class Forest(Protocol):
    """All analyses that the grammar gives a sentence."""

    def share(self, discriminant: Discriminant) -> float | None:
        """In which share of the analyses the discriminant holds; None when that cannot be told."""


def chance_agreement(shares: Iterable[float]) -> float:
    """A_e = mean of p² + (1 − p)² over the discriminants; certain agreement where there are none."""
    chances = [p * p + (1 - p) * (1 - p) for p in shares]
    return sum(chances) / len(chances) if chances else 1.0


@dataclass(frozen=True, slots=True)
class ListedForest:
    """A forest given as a list of analyses."""

    analyses: Sequence[ChosenAnalysis]

    def share(self, discriminant: Discriminant) -> float | None:
        """The share of the listed analyses in which the discriminant holds."""
        held = [analysis.holds(discriminant) for analysis in self.analyses]
        known = [answer for answer in held if answer is not None]
        return sum(known) / len(known) if len(known) == len(held) else None


class Edge(NamedTuple):
    """An edge of a packed forest; any of its `alternates` can stand in its place."""

    label: str
    type: int
    start: int
    end: int
    daughters: tuple[int, ...]
    alternates: tuple[int, ...]


class PackedForest:
    """A forest in which analyses share their parts."""

    def __init__(self, edges: Mapping[int, Edge], lexicon: Mapping[str, str]) -> None:
        """`edges` by number; `lexicon` gives lexical entries their types."""
        self.edges, self.lexicon = edges, lexicon
        self._roots = [number for number, edge in edges.items() if edge.type == _ROOT]
        self.everything = _Count(self, _NOTHING)
        self.n_analyses = sum(map(self.everything.under, self._roots))

    def share(self, discriminant: Discriminant) -> float | None:
        """1 − the share of analyses that avoid the discriminant, counted edge by edge."""
        if discriminant.type not in (LEXICAL_TYPE, CONSTITUENT, TWIG) or not self.n_analyses:
            return None
        count = _Count(self, discriminant)
        avoiding = sum(count.under(root) for root in self._roots)
        return None if count.is_open else 1 - avoiding / self.n_analyses

    def derivations(self) -> list[str]:
        """Every analysis in the form in which `result` lists them. Ask `n_analyses` first how many there are."""
        known: dict[int, list[str]] = {}

        def under(number: int) -> list[str]:
            if number not in known:
                known[number] = self._written(number, under)
            return known[number]

        return [text for root in self._roots for text in under(root)]

    def _written(self, number: int, under: Callable[[int], list[str]]) -> list[str]:
        edge = self.edges[number]
        if edge.type <= _LEXICAL:
            form = " ".join(self.edges[token].label for token in edge.daughters) or edge.label
            quoted = form.replace("\\", "\\\\").replace('"', '\\"')
            return [f'({number} {edge.label} 0 {edge.start} {edge.end} ("{quoted}"))']
        choices = [
            [text for one in (daughter, *self.edges[daughter].alternates) for text in under(one)]
            for daughter in edge.daughters
        ]
        head = edge.label if edge.type == _ROOT else f"{number} {edge.label} 0 {edge.start} {edge.end}"
        return [f"({head} {' '.join(parts)})" for parts in product(*choices)]

    def is_unary(self, edge: Edge) -> bool:
        """Whether a chain over the same words goes on below the edge."""
        if edge.type <= _LEXICAL or len(edge.daughters) != 1:
            return False
        below = self.edges[edge.daughters[0]]
        return (below.start, below.end) == (edge.start, edge.end)


class _Count:
    """Counts the analyses under an edge in which a discriminant does not hold."""

    def __init__(self, forest: PackedForest, avoid: Discriminant) -> None:
        self.forest, self.avoid, self.is_open = forest, avoid, False
        self._twig = avoid.key.split("@") if avoid.type == TWIG else []
        self._known: dict[tuple[int, int], int] = {}

    def under(self, number: int, matched: int = 0) -> int:
        """Analyses under an edge, when `matched` parts of the twig to avoid stand right above it (-1: none can)."""
        if (number, matched) not in self._known:
            edge = self.forest.edges[number]
            is_aside = self.avoid is not _NOTHING and not edge.start <= self.avoid.start < self.avoid.end <= edge.end
            everything = self.forest.everything
            self._known[number, matched] = everything.under(number) if is_aside else self.around(edge, matched)
        return self._known[number, matched]

    def around(self, edge: Edge, matched: int) -> int:
        """The same for an edge that covers the place of the discriminant: the choices for each daughter, multiplied."""
        is_place, above = (edge.start, edge.end) == (self.avoid.start, self.avoid.end) and edge.type != _ROOT, 0
        if is_place and (part := self.part(edge)):
            is_kind = self.avoid.type == CONSTITUENT or (self.avoid.type == LEXICAL_TYPE and edge.type <= _LEXICAL)
            if is_kind and part == self.avoid.key:
                return 0
            fits = 0 <= matched < len(self._twig) and self._twig[matched] == part
            step, is_unary = matched + 1 if fits else -1, self.forest.is_unary(edge)
            if self._twig and not is_unary and step == len(self._twig):  # the chain that ends here is the twig
                return 0
            above = step if is_unary else 0
        total = 1
        for daughter in edge.daughters if edge.type > _LEXICAL else ():
            choices = (daughter, *self.forest.edges[daughter].alternates)
            total *= sum(self.under(choice, above) for choice in choices)
        return total

    def part(self, edge: Edge) -> str:
        """What a discriminant calls the edge: the rule, or for a word its lexical type."""
        if edge.type > _LEXICAL or self.avoid.type == CONSTITUENT:
            return edge.label
        known = self.forest.lexicon.get(edge.label)
        self.is_open |= known is None
        return known or edge.label


def read_packed(path: Path, lexicon: Mapping[str, str]) -> dict[int, PackedForest]:
    """The packed forests in the `edge` table of a profile, by parse; empty when it has none."""
    edges: dict[int, dict[int, Edge]] = defaultdict(dict)
    tables = Tables(path)
    for line, cells in tables.rows("edge", _EDGE_COLUMNS):
        try:
            number, parse, kind, start, end = (int(cells[i]) for i in (0, 1, 3, 4, 5))
            label = _form(unescape(cells[2])) if kind == _TOKEN else cells[2].lower()
            edges[parse][number] = Edge(label, kind, start, end, _numbers(cells[6]), _numbers(cells[7]))
        except ValueError as error:
            said = f"{tables.place('edge', line)}: broken edge ({error})"
            raise InputError(said, hint="a forest with a hole cannot be counted") from error
    return {parse: PackedForest(known, lexicon) for parse, known in edges.items()}


_EDGE_COLUMNS = ("e-id", "parse-id", "e-label", "e-type", "e-start", "e-end", "e-daughters", "e-alternates")


_FORM = re.compile(r'\+FORM "((?:[^"\\]|\\.)*)"')


def _form(token: str) -> str:
    """The word that the feature structure of a token stands for."""
    found = _FORM.search(token)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else token


def _numbers(cell: str) -> tuple[int, ...]:
    return tuple(int(number) for number in cell.strip("()").split())


def listed(annotation: Annotation, lexicon: Mapping[str, str]) -> ListedForest | None:
    """The forest of an annotation whose profile was not thinned to one analysis."""
    if len(annotation.analyses) < 2:
        return None
    return ListedForest([ChosenAnalysis(analysis, lexicon) for analysis in annotation.analyses])
