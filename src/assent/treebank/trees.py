"""Constituent trees and three ways to compare two of them: Parseval, Brants' F and Leaf-Ancestor.

A tree is read from Penn brackets here, or made from a derivation by `assent.treebank.derivations`. All three
measures give counts per sentence; `assent.measures` adds them up, so that an interval over sentences costs nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from assent.errors import InputError

_TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Tree:
    """A node over the words `start` up to (not including) `end`; its children are nodes or words."""

    label: str
    start: int
    end: int
    children: "tuple[Tree | str, ...]"

    @property
    def is_preterminal(self) -> bool:
        """Whether only words hang from this node."""
        return not any(isinstance(child, Tree) for child in self.children)

    def nodes(self) -> "Iterator[Tree]":
        """This node and all nodes below it, parents before children, left before right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += [child for child in reversed(node.children) if isinstance(child, Tree)]

    def words(self) -> tuple[str, ...]:
        """The words from left to right."""
        found: list[str] = []
        stack: list[Tree | str] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, Tree):
                stack += reversed(part.children)
            else:
                found.append(part)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Counts:
    """What two analyses share: `both` of the `a` parts of one and the `b` parts of the other."""

    both: float
    a: float
    b: float

    @property
    def f(self) -> float:
        """F, the harmonic mean of precision and recall: 2·both / (a + b). Two empty analyses agree."""
        return 2 * self.both / (self.a + self.b) if self.a + self.b else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracketing:
    """Which nodes Parseval compares.

    `preterminals`: count the nodes right above words, as Castro (2011) does and EVALB does not.
    `ignore`: labels of nodes to leave out (their children stay); `punctuation`: preterminal labels whose words
    are taken out of the sentence before spans are counted.
    """

    preterminals: bool = True
    ignore: frozenset[str] = frozenset()
    punctuation: frozenset[str] = frozenset()


def parse_brackets(text: str, file: str | None = None) -> list[Tree]:
    """All trees in `text`, in Penn brackets: one or more per line, or one over several lines.

    >>> [tree] = parse_brackets("(S (NP (N Ana)) (VP (V ri)))")
    >>> tree.words()
    ('Ana', 'ri')
    """
    trees: list[Tree] = []
    stack: list[tuple[str, int, list[Tree | str]]] = []
    position, fresh = 0, False
    for row, line in enumerate(text.splitlines(), start=1):
        for token in _TOKEN.findall(line):
            if token == "(":
                stack.append(("", position, []))
                fresh = True
                continue
            if not stack:
                raise InputError(f"{token!r} stands outside of all brackets", file=file, row=row)
            label, start, children = stack[-1]
            if token == ")":
                stack.pop()
                node = Tree(label, start, position, tuple(children))
                position = _hang(node, stack, trees, position)
            elif fresh:
                stack[-1] = (token, start, children)
            else:
                children.append(token)
                position += 1
            fresh = False
    if stack:
        raise InputError(f"{len(stack)} bracket(s) are never closed", file=file, hint="the last tree is incomplete")
    return trees


def _hang(node: Tree, stack: list[tuple[str, int, list[Tree | str]]], trees: list[Tree], position: int) -> int:
    """Put a finished node under its parent, or among the finished trees; give the position of the next word."""
    if stack:
        stack[-1][2].append(node)
        return position
    unlabelled = node.label == "" and len(node.children) == 1
    trees.append(node.children[0] if unlabelled and isinstance(node.children[0], Tree) else node)
    return 0


def spans(tree: Tree, which: Bracketing | None = None) -> list[tuple[int, int, str]]:
    """The labelled spans that Parseval compares; a span that occurs twice counts twice."""
    which = which or Bracketing()
    counted = [node for node in tree.nodes() if node.label not in which.ignore]
    if not which.preterminals:
        counted = [node for node in counted if not node.is_preterminal]
    if not which.punctuation:
        return [(node.start, node.end, node.label) for node in counted]
    shift = _shift(tree, which.punctuation)
    placed = ((node.start - shift[node.start], node.end - shift[node.end], node.label) for node in counted)
    return [(start, end, label) for start, end, label in placed if start < end]


def _shift(tree: Tree, punctuation: frozenset[str]) -> dict[int, int]:
    """For each boundary between words, how many punctuation marks stand before it."""
    marks = [node.start for node in tree.nodes() if node.is_preterminal and node.label in punctuation]
    return {place: sum(mark < place for mark in marks) for place in range(tree.start, tree.end + 1)}


def parseval(a: Tree, b: Tree, which: Bracketing | None = None) -> Counts:
    """Labelled spans in both trees, in `a` and in `b`. With no gold tree, F is Brants' (2000) score between raters."""
    spans_a = spans(a, which)
    if a is b:
        return Counts(len(spans_a), len(spans_a), len(spans_a))
    spans_b = spans(b, which)
    return Counts((Counter(spans_a) & Counter(spans_b)).total(), len(spans_a), len(spans_b))


def lineages(tree: Tree) -> list[tuple[str, ...]]:
    """For each word the labels from its own node up to the root, with the brackets of Sampson & Babarczy (2003).

    A `[` stands before the highest node that begins with the word, a `]` after the highest that ends with it.
    """
    paths: list[list[_Above]] = []
    _walk(tree, [], paths)
    return [_with_brackets(path[::-1], place) for place, path in enumerate(paths)]


@dataclass(slots=True)
class _Above:
    """A node above a word with the first and the last word under it, counted from left to right."""

    label: str
    first: int
    last: int = -1


def _walk(node: Tree, above: list[_Above], paths: list[list[_Above]]) -> None:
    """Collect the nodes above each word, from the root down."""
    here = _Above(node.label, len(paths))
    path = [*above, here]
    for child in node.children:
        if isinstance(child, Tree):
            _walk(child, path, paths)
        else:
            paths.append(path)
    here.last = len(paths) - 1


def _with_brackets(path: list[_Above], place: int) -> tuple[str, ...]:
    opens = max((i for i, node in enumerate(path) if node.first == place), default=-1)
    closes = max((i for i, node in enumerate(path) if node.last == place), default=-1)
    lineage: list[str] = []
    for i, node in enumerate(path):
        lineage += ["["] * (i == opens) + [node.label] + ["]"] * (i == closes)
    return tuple(lineage)


def leaf_ancestor(a: Tree, b: Tree) -> list[float] | None:
    """The similarity of the two lineages of each word; None when the trees have different words."""
    words = a.words()
    if a is b:
        return [1.0] * len(words)
    if words != b.words():
        return None
    return [_similarity(x, y) for x, y in zip(lineages(a), lineages(b), strict=True)]


def _similarity(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """1 − distance / (len a + len b)."""
    return 1.0 if a == b else 1 - _distance(*_without_ends(a, b)) / (len(a) + len(b))


def _without_ends(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both without what they begin and end with alike, which costs nothing in the best alignment of the two.

    Lineages in two analyses of one sentence share most of the way up to the root.
    """
    shorter = min(len(a), len(b))
    start = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    end = next((i for i in range(shorter - start) if a[-1 - i] != b[-1 - i]), shorter - start)
    return a[start : len(a) - end], b[start : len(b) - end]


def _distance(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """Sampson & Babarczy's weighted edit distance: 1 to insert or delete a symbol, see below to replace one."""
    row = [float(j) for j in range(len(b) + 1)]
    for i, x in enumerate(a, start=1):
        before, row = row, [float(i)]
        for j, y in enumerate(b, start=1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + _substitution(x, y)))
    return row[-1]


def _substitution(x: str, y: str) -> float:
    """Nothing for equal symbols, 0.5 for labels with the same first letter (both nominal, say), else 2."""
    if x == y:
        return 0.0
    alike = x not in "[]" and y not in "[]" and x[:1] == y[:1]
    return 0.5 if alike else 2.0
