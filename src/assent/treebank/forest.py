"""How often chance alone makes two annotators agree: over the forest of analyses a discriminant holds in a share p.

Two annotators who each pick an analysis at random, all being equally likely, agree on the discriminant with
probability p² + (1 − p)². The shares come from the analyses in the `result` table, or are counted exactly in the
packed forest of the `edge` table without unpacking it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from assent.errors import InputError
from assent.treebank.discriminants import CONSTITUENT, LEXICAL_TYPE, TWIG, Discriminant
from assent.treebank.profile import Annotation
from assent.treebank.resolved import ChosenAnalysis
from assent.treebank.tables import Tables

_ROOT, _LEXICAL = 4, 1
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
        self._edges = edges
        self._lexicon = lexicon
        self._roots = [number for number, edge in edges.items() if edge.type == _ROOT]
        self._everything = _Count(self, _NOTHING)
        self.n_analyses = sum(map(self.n_under, self._roots))

    def share(self, discriminant: Discriminant) -> float | None:
        """1 − the share of analyses that avoid the discriminant, counted edge by edge."""
        if discriminant.type not in (LEXICAL_TYPE, CONSTITUENT, TWIG) or not self.n_analyses:
            return None
        count = _Count(self, discriminant)
        avoiding = sum(count.under(root) for root in self._roots)
        return None if count.is_open else 1 - avoiding / self.n_analyses

    def n_under(self, number: int) -> int:
        """How many analyses there are under an edge."""
        return self._everything.under(number)

    def edge(self, number: int) -> Edge:
        """One edge by its number."""
        return self._edges[number]

    def edges(self) -> Iterable[Edge]:
        """All edges of the forest."""
        return self._edges.values()

    def is_unary(self, edge: Edge) -> bool:
        """Whether a chain over the same words goes on below the edge."""
        if edge.type <= _LEXICAL or len(edge.daughters) != 1:
            return False
        below = self._edges[edge.daughters[0]]
        return (below.start, below.end) == (edge.start, edge.end)

    def lexical_type(self, edge: Edge) -> str | None:
        """The type of the lexical entry on an edge."""
        return self._lexicon.get(edge.label)


class _Count:
    """Counts the analyses under an edge in which a discriminant does not hold."""

    def __init__(self, forest: PackedForest, avoid: Discriminant) -> None:
        self.forest = forest
        self.avoid = avoid
        self.is_open = False
        self._twig = avoid.key.split("@") if avoid.type == TWIG else []
        self._known: dict[tuple[int, int], int] = {}

    def under(self, number: int, matched: int = 0) -> int:
        """Analyses under an edge, when `matched` parts of the twig to avoid stand right above it (-1: none can)."""
        if (number, matched) not in self._known:
            edge = self.forest.edge(number)
            is_aside = self.avoid is not _NOTHING and not edge.start <= self.avoid.start < self.avoid.end <= edge.end
            self._known[number, matched] = self.forest.n_under(number) if is_aside else self._under(edge, matched)
        return self._known[number, matched]

    def _under(self, edge: Edge, matched: int) -> int:
        is_place = (edge.start, edge.end) == (self.avoid.start, self.avoid.end) and edge.type != _ROOT
        part = self._part(edge) if is_place else ""
        if part and (self._is_avoided(edge, part) or self._ends_twig(edge, part, matched)):
            return 0
        above = self._step(part, matched) if part and self.forest.is_unary(edge) else 0
        return 1 if edge.type <= _LEXICAL else self._product(edge, above)

    def _product(self, edge: Edge, above: int) -> int:
        """The choices for each daughter, multiplied."""
        total = 1
        for daughter in edge.daughters:
            choices = (daughter, *self.forest.edge(daughter).alternates)
            total *= sum(self.under(choice, above) for choice in choices)
        return total

    def _part(self, edge: Edge) -> str:
        """What a discriminant calls the edge: the rule, or for a word its lexical type."""
        if edge.type > _LEXICAL or self.avoid.type == CONSTITUENT:
            return edge.label
        known = self.forest.lexical_type(edge)
        self.is_open |= known is None
        return known or edge.label

    def _is_avoided(self, edge: Edge, part: str) -> bool:
        is_kind = self.avoid.type == CONSTITUENT or (self.avoid.type == LEXICAL_TYPE and edge.type <= _LEXICAL)
        return is_kind and part == self.avoid.key

    def _step(self, part: str, matched: int) -> int:
        fits = 0 <= matched < len(self._twig) and self._twig[matched] == part
        return matched + 1 if fits else -1

    def _ends_twig(self, edge: Edge, part: str, matched: int) -> bool:
        """Whether the unary chain that ends at this edge is the twig to avoid."""
        is_end = bool(self._twig) and not self.forest.is_unary(edge)
        return is_end and self._step(part, matched) == len(self._twig)


def read_packed(path: Path, lexicon: Mapping[str, str]) -> dict[int, PackedForest]:
    """The packed forests in the `edge` table of a profile, by parse; empty when it has none."""
    edges: dict[int, dict[int, Edge]] = defaultdict(dict)
    tables = Tables(path)
    for line, cells in tables.rows("edge", _EDGE_COLUMNS):
        try:
            number, parse, kind, start, end = (int(cells[i]) for i in (0, 1, 3, 4, 5))
            edges[parse][number] = Edge(cells[2].lower(), kind, start, end, _numbers(cells[6]), _numbers(cells[7]))
        except ValueError as error:
            said = f"{tables.place('edge', line)}: broken edge ({error})"
            raise InputError(said, hint="a forest with a hole cannot be counted") from error
    return {parse: PackedForest(known, lexicon) for parse, known in edges.items()}


_EDGE_COLUMNS = ("e-id", "parse-id", "e-label", "e-type", "e-start", "e-end", "e-daughters", "e-alternates")


def _numbers(cell: str) -> tuple[int, ...]:
    return tuple(int(number) for number in cell.strip("()").split())


def listed(annotation: Annotation, lexicon: Mapping[str, str]) -> ListedForest | None:
    """The forest of an annotation whose profile was not thinned to one analysis."""
    if len(annotation.analyses) < 2:
        return None
    return ListedForest([ChosenAnalysis(analysis, lexicon) for analysis in annotation.analyses])
