"""Constituent trees, and ways to compare two analyses: Parseval, Brants' F, Leaf-Ancestor, Elementary Dependency Match.

A tree is read from Penn brackets here, or made from a derivation by `concordant.treebank.analyses`. All measures give
counts per sentence; `concordant.measures` adds them up, so that an interval over sentences costs nothing.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

from concordant.errors import InputError
from concordant.files import telling_names
from concordant.model.measurable import Summary, named
from concordant.treebank.relations import delphin, read_text

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
                if stack:
                    stack[-1][2].append(node)
                else:  # brackets without a label around a whole tree are none
                    inner = children[0] if label == "" and len(children) == 1 else None
                    trees.append(inner if isinstance(inner, Tree) else node)
                    position = 0
            elif fresh:
                stack[-1] = (token, start, children)
            else:
                children.append(token)
                position += 1
            fresh = False
    if stack:
        raise InputError(f"{len(stack)} bracket(s) are never closed", file=file, hint="the last tree is incomplete")
    return trees


def spans(
    tree: Tree, *, preterminals: bool = True, ignore: Collection[str] = (), punctuation: Collection[str] = ()
) -> list[tuple[int, int, str]]:
    """The labelled spans that Parseval compares; a span that occurs twice counts twice.

    `preterminals`: count the nodes right above words, as Castro (2011) does and EVALB does not.
    `ignore`: labels of nodes to leave out (their children stay); `punctuation`: preterminal labels whose words
    are taken out of the sentence before spans are counted.
    """
    counted = [node for node in tree.nodes() if node.label not in ignore]
    if not preterminals:
        counted = [node for node in counted if not node.is_preterminal]
    if not punctuation:
        return [(node.start, node.end, node.label) for node in counted]
    shift = _shift(tree, punctuation)
    placed = ((node.start - shift[node.start], node.end - shift[node.end], node.label) for node in counted)
    return [(start, end, label) for start, end, label in placed if start < end]


def _shift(tree: Tree, punctuation: Collection[str]) -> dict[int, int]:
    """For each boundary between words, how many punctuation marks stand before it."""
    marks = [node.start for node in tree.nodes() if node.is_preterminal and node.label in punctuation]
    return {place: sum(mark < place for mark in marks) for place in range(tree.start, tree.end + 1)}


def shared_spans(a: Tree, b: Tree, **which: Any) -> Counts:
    """Labelled spans in both trees, in `a` and in `b`; `which` are counted, as in `spans`.

    With no gold tree, F is Brants' (2000) score between raters.
    """
    spans_a = spans(a, **which)
    if a is b:
        return Counts(len(spans_a), len(spans_a), len(spans_a))
    spans_b = spans(b, **which)
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


def lineage_similarities(a: Tree, b: Tree) -> list[float] | None:
    """The similarity of the two lineages of each word; None when the trees have different words."""
    words = a.words()
    if a is b:
        return [1.0] * len(words)
    if words != b.words():
        return None
    return [_similarity(x, y) for x, y in zip(lineages(a), lineages(b), strict=True)]


def lineage_counts(a: Tree, b: Tree) -> Counts | None:
    """The sum of the similarities as counts: of so many words on either side so much is shared."""
    words = lineage_similarities(a, b)
    return None if words is None else Counts(sum(words), len(words), len(words))


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
    """Sampson & Babarczy's weighted edit distance: 1 to insert or delete a symbol.

    To replace one costs 0.5 for labels with the same first letter (both nominal, say), nothing for itself, else 2.
    """
    row = [float(j) for j in range(len(b) + 1)]
    for i, x in enumerate(a, start=1):
        before, row = row, [float(i)]
        for j, y in enumerate(b, start=1):
            is_alike = x not in "[]" and y not in "[]" and x[:1] == y[:1]
            cost = 0.0 if x == y else 0.5 if is_alike else 2.0
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + cost))
    return row[-1]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BracketedCorpus(Summary):
    """One tree per sentence and rater; the order of the trees in the files matches them."""

    kind: ClassVar[str] = "brackets"

    raters: tuple[str, ...]
    sentences: tuple[tuple[Tree, ...], ...]
    unused: Mapping[str, str] = field(default_factory=dict)  # files that are no rater's -> why

    def facts(self) -> dict[str, object]:
        """Whose trees, and of how many sentences."""
        return {"sentences": len(self.sentences), "raters": named(self.raters)}

    def compare(self, two: Callable[[Tree, Tree], Counts | None]) -> list[Counts | None]:
        """What `two` trees share, per sentence, summed over the pairs of raters; None where a pair has no answer."""
        if len(self.raters) < 2:
            raise InputError("trees of one rater only", hint="name one file per rater: gold.mrg test.mrg")
        return [_sum([two(a, b) for a, b in combinations(trees, 2)]) for trees in self.sentences]


def _sum(parts: Sequence[Counts | None]) -> Counts | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return Counts(*(sum(getattr(part, name) for part in known) for name in ("both", "a", "b")))


def read_bracketed(
    paths: Sequence[str | Path], raters: Sequence[str] = (), *, as_brackets: Callable[[str], str] = str
) -> BracketedCorpus:
    """Read one file per rater; the raters are called as their files. `as_brackets` makes brackets of another form."""
    files = [Path(path) for path in paths]
    treebanks = [_read(file, as_brackets) for file in files]
    for file, trees in zip(files[1:], treebanks[1:], strict=True):
        if len(trees) != len(treebanks[0]):
            counts = f"{len(trees)} trees, and {files[0]} has {len(treebanks[0])}"
            raise InputError(counts, file=file, hint="the n-th trees of all files must be of one sentence")
    sentences = tuple(zip(*treebanks, strict=True))
    return BracketedCorpus(raters=tuple(raters) or telling_names(files), sentences=sentences)


def _read(file: Path, as_brackets: Callable[[str], str]) -> list[Tree]:
    trees = parse_brackets(as_brackets(read_text(file, "file")), file=str(file))
    if not trees:
        raise InputError("no tree in it", file=file, hint="write trees as (S (NP …) (VP …))")
    return trees


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
