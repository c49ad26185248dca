"""What the page of a sentence and its parses shows: the next decisions, the first trees, what was decided so far.

Forests are large, so the page shows windows of two lists: discriminants, the most telling first, and the trees that
are left. The windows are asked for by `look`, never stored.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Generic, TypeVar

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from concordant.digits import whole_number
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Question, Unit
from concordant.treebank.carried import applied
from concordant.treebank.disambiguation import Choosing
from concordant.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, TWIG, Discriminant
from concordant.treebank.drawing import counts, draw_tree
from concordant.treebank.outline import NodeSpans, spans_of
from concordant.treebank.trees import Tree

T = TypeVar("T")
U = TypeVar("U")
ROWS, TREES = 10, 2
MOST_COMPARED = 12  # trees among which the two that differ most are looked for
KINDS = {
    CONSTITUENT: "parses_constituent",
    LEXICAL_TYPE: "parses_lexical_type",
    TWIG: "parses_twig",
    DEPENDENCY: "parses_dependency",
}


@dataclass(frozen=True)
class Look:
    """Where the two windows begin: `rows` among the discriminants, `trees` among the trees."""

    rows: int = 0
    trees: int = 0

    @classmethod
    def asked(cls, text: object) -> "Look":
        """The look that a form or an address asks for as `10-3`; the first one for anything else."""
        before, _, after = text.partition("-") if isinstance(text, str) else ("", "", "")
        rows, trees = whole_number(before), whole_number(after)
        return FIRST if rows is None or trees is None else cls(rows, trees)

    def __str__(self) -> str:
        """As forms and addresses write it."""
        return f"{self.rows}-{self.trees}"

    @property
    def query(self) -> str:
        """The part of an address that asks for it."""
        return "" if self == FIRST else f"?look={self}"


FIRST = Look()


@dataclass(frozen=True)
class Row:
    """A discriminant on display; `kind` names its text, `n` is in how many of the parses that are left it holds."""

    name: str
    kind: str
    key: str
    words: str
    n: int
    is_yes: bool = False


@dataclass(frozen=True)
class Drawn:
    """A parse on display; `tree` is None when its derivation cannot be read, `common` are the nodes it shares."""

    result: int
    tree: Tree | None
    common: NodeSpans

    @property
    def n_nodes(self) -> tuple[int, int]:
        """How many nodes it has, and how many of them the others do not all have."""
        return counts(self.tree, self.common) if self.tree is not None else (0, 0)

    def picture(self, said: str) -> Markup:
        """The tree with its differences marked; `said` is read out."""
        return Markup(draw_tree(self.tree, self.common, said)) if self.tree is not None else Markup()


@dataclass(frozen=True)
class Window(Generic[T]):
    """A part of a list; `before` and `after` are where its neighbours begin, None where there are none."""

    shown: tuple[T, ...]
    begin: int
    total: int
    size: int

    @property
    def before(self) -> int | None:
        """Where the part before this one begins."""
        return max(0, self.begin - self.size) if self.begin else None

    @property
    def after(self) -> int | None:
        """Where the part after this one begins."""
        return self.begin + self.size if self.begin + self.size < self.total else None


@dataclass(frozen=True)
class Forest:
    """A sentence's parses as one page shows them."""

    choosing: Choosing
    look: Look
    n_carried: int = 0  # decisions that stand here before the rater has made any

    @classmethod
    def of(cls, unit: Unit, value: Any, look: Look) -> "Forest":
        """The page of a unit with the answer so far; anything but the moves is worked out again.

        Without an answer it begins with what was carried over from an earlier treebank, if anything was.
        """
        assert unit.parses is not None  # `concordant check` sees to it
        if value:
            return cls(Choosing(unit.parses).after(value["moves"]), look)
        begun, _ = applied(Choosing(unit.parses), unit.parses.earlier)
        return cls(begun, look, n_carried=len(begun.moves))

    @property
    def is_touched(self) -> bool:
        """Whether the page was shown before, so that its news is what has become of the parses."""
        return len(self.choosing.moves) > self.n_carried or self.look != FIRST

    @cached_property
    def results(self) -> tuple[int, ...]:
        """The parses that are left."""
        return self.choosing.results

    @cached_property
    def open(self) -> list[Discriminant]:
        """The discriminants that still tell them apart."""
        return self.choosing.open

    @cached_property
    def rows(self) -> Window[Row]:
        """The open discriminants on display."""
        return _window(self.open, self._row, self.look.rows, ROWS)

    @cached_property
    def trees(self) -> Window[Drawn]:
        """The trees on display, the two that differ most first; nodes that not all parses left have are marked."""
        known = [(result, tree) for result, tree in self._trees.items() if tree is not None][:MOST_COMPARED]
        first = [known[number][0] for number in furthest_apart([spans_of(tree) for _, tree in known])]
        return _window(
            [*first, *(one for one in self.results if one not in first)], self._drawn, self.look.trees, TREES
        )

    @property
    def marked(self) -> list[Row]:
        """What was marked by hand."""
        discriminants = self.choosing.parses.table.discriminants
        return [self._row(discriminants[row], is_yes=is_yes) for row, is_yes in self.choosing.marks.items()]

    def looking(self, *, rows: int | None = None, trees: int | None = None) -> Look:
        """The look with one of its windows elsewhere."""
        return Look(self.look.rows if rows is None else rows, self.look.trees if trees is None else trees)

    def _row(self, one: Discriminant, *, is_yes: bool = False) -> Row:
        parses = self.choosing.parses
        n = int(self.choosing.counts[parses.rows[one.name]])
        return Row(one.name, KINDS[one.type], one.key.replace("@", " › "), parses.words(one.start, one.end), n, is_yes)

    def _drawn(self, result: int) -> Drawn:
        return Drawn(result, self._trees[result], self._common)

    @cached_property
    def _trees(self) -> dict[int, Tree | None]:
        """The trees of the parses that are left."""
        return {result: self.choosing.parses.tree(result) for result in self.results}

    @cached_property
    def _common(self) -> NodeSpans:
        """The nodes of all parses that are left."""
        return _common([tree for tree in self._trees.values() if tree is not None])


def furthest_apart(trees: Sequence[NodeSpans]) -> tuple[int, ...]:
    """The places of the two trees with the most nodes that only one of them has; the first two of equals.

    >>> furthest_apart([Counter("ab"), Counter("abc"), Counter("de")])
    (1, 2)
    """
    pairs = combinations(range(len(trees)), 2)
    return max(pairs, key=lambda two: n_apart(trees[two[0]], trees[two[1]]), default=())


def n_apart(a: NodeSpans, b: NodeSpans) -> int:
    """How many nodes only one of two trees has."""
    return (a - b).total() + (b - a).total()


def _window(found: Sequence[T], show: Callable[[T], U], begin: int, size: int) -> Window[U]:
    """The part that begins at `begin`, or the last one when the list has become shorter."""
    start = min(begin, max(0, (len(found) - 1) // size * size))
    return Window(tuple(map(show, found[start : start + size])), start, len(found), size)


async def decoded(unit: Unit) -> None:
    """Decode the parses of a sentence aside, once: hundreds take seconds, and other raters must not wait for them."""
    if unit.parses is not None and not unit.parses.is_decoded:
        await run_in_threadpool(getattr, unit.parses, "table")


def is_ready(unit: Unit) -> bool:
    """Whether a unit can be drawn at once; parses that are not decoded are from now on, behind."""
    if unit.parses is None or unit.parses.is_decoded:
        return True
    asyncio.get_running_loop().run_in_executor(None, getattr, unit.parses, "table")
    return False


def chosen_trees(question: Question, unit: Unit, values: Sequence[Any]) -> list[Drawn]:
    """The trees that raters chose, each once, the nodes that not all of them have marked."""
    if unit.parses is None:
        return []
    results = sorted({chosen for value in values if (chosen := kind_of(question).parse_chosen(value)) is not None})
    trees = {result: tree for result in results if (tree := unit.parses.tree(result)) is not None}
    common = _common(list(trees.values()))
    return [Drawn(result, tree, common) for result, tree in trees.items()]


def _common(trees: Sequence[Tree]) -> NodeSpans:
    """The nodes that all trees have."""
    common: NodeSpans = spans_of(trees[0]) if trees else Counter()
    for tree in trees[1:]:
        common &= spans_of(tree)
    return common


def expected_tree(unit: Unit, result: int | None) -> Drawn | None:
    """The tree of a parse, for the page that shows what was expected; None for a rejection."""
    tree = unit.parses.tree(result) if unit.parses and result is not None else None
    return Drawn(result, tree, spans_of(tree)) if tree is not None and result is not None else None
