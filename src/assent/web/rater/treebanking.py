"""What the page of a sentence and its parses shows: the next decisions, the first trees, what was decided so far.

Forests are large, so the page shows windows of two lists: discriminants, the most telling first, and the trees that
are left. The windows are asked for by `look`, never stored.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from assent.design.description import Question, Task, Unit
from assent.report.treebank.drawing import Spans, draw_tree, spans_of
from assent.treebank.choosing import Choosing
from assent.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, TWIG, Discriminant
from assent.treebank.trees import Tree

T = TypeVar("T")
ROWS, TREES = 10, 3
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
        rows, dash, trees = text.partition("-") if isinstance(text, str) else ("", "", "")
        is_good = dash and all(part.isascii() and part.isdigit() and len(part) < 7 for part in (rows, trees))
        return cls(int(rows), int(trees)) if is_good else FIRST

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
    """A parse on display; `picture` is None when its derivation cannot be read."""

    result: int
    picture: Markup | None


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
class Bank:
    """A sentence's parses as one page shows them."""

    choosing: Choosing
    look: Look

    @classmethod
    def of(cls, unit: Unit, value: Any, look: Look) -> "Bank":
        """The page of a unit with the answer so far; anything but the moves is worked out again."""
        assert unit.parses is not None  # `assent check` sees to it
        return cls(Choosing(unit.parses).after(value["moves"] if value else ()), look)

    @property
    def moves(self) -> tuple[str, ...]:
        """What was decided so far."""
        return self.choosing.moves

    @property
    def verdict(self) -> str:
        """Accepted, rejected or undecided."""
        return self.choosing.verdict

    @property
    def is_touched(self) -> bool:
        """Whether the page was shown before, so that its news is what has become of the parses."""
        return bool(self.moves) or self.look != FIRST

    @cached_property
    def results(self) -> tuple[int, ...]:
        """The parses that are left."""
        return self.choosing.results

    @cached_property
    def n_open(self) -> int:
        """How many discriminants still tell them apart."""
        return len(self._open)

    @cached_property
    def _open(self) -> list[Discriminant]:
        return self.choosing.open

    @cached_property
    def rows(self) -> Window[Row]:
        """The open discriminants on display."""
        found = _window(self._open, self.look.rows, ROWS)
        return Window(tuple(self._row(one) for one in found.shown), found.begin, found.total, found.size)

    @cached_property
    def trees(self) -> Window[Drawn]:
        """The trees on display; nodes that not all parses left have are marked in them."""
        found = _window(self.results, self.look.trees, TREES)
        return Window(tuple(self._drawn(one) for one in found.shown), found.begin, found.total, found.size)

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
        tree = self.choosing.parses.tree(result)
        return Drawn(result, _picture(tree, self._common, result) if tree is not None else None)

    @cached_property
    def _common(self) -> Spans:
        """The nodes of all parses that are left."""
        return _common([tree for result in self.results if (tree := self.choosing.parses.tree(result)) is not None])


def _window(found: Sequence[T], begin: int, size: int) -> Window[T]:
    """The part that begins at `begin`, or the last one when the list has become shorter."""
    last = max(0, (len(found) - 1) // size * size)
    start = min(begin, last)
    return Window(tuple(found[start : start + size]), start, len(found), size)


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
    if question.task is not Task.PARSES or unit.parses is None:
        return []
    results = sorted({value["result"] for value in values if value["result"] is not None})
    trees = {result: tree for result in results if (tree := unit.parses.tree(result)) is not None}
    common = _common(list(trees.values()))
    return [Drawn(result, _picture(tree, common, result)) for result, tree in trees.items()]


def _common(trees: Sequence[Tree]) -> Spans:
    """The nodes that all trees have."""
    common: Spans = spans_of(trees[0]) if trees else Counter()
    for tree in trees[1:]:
        common &= spans_of(tree)
    return common


def _picture(tree: Tree, common: Spans, result: int) -> Markup:
    return Markup(draw_tree(tree, common, f"Parse {result}: {{n}} nodes, {{n_marked}} of them not in all parses shown"))


def expected_tree(unit: Unit, value: Any) -> Markup | None:
    """The tree of an answer, for the page that shows what was expected; None for a rejection."""
    tree = unit.parses.tree(value["result"]) if unit.parses and value and value["result"] is not None else None
    return Markup(draw_tree(tree, spans_of(tree), f"Parse {value['result']}: {{n}} nodes")) if tree else None
