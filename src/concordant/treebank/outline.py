"""A derivation tree as an outline, for text: a node a line, daughters below their mother, words beside the last node.

Pages draw trees (`drawing.py`); Markdown and LaTeX have lines.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from concordant.treebank.trees import Tree

NodeSpans = Counter[tuple[str, int, int]]


class OutlineLine(NamedTuple):
    """A node at its depth; `mother` is the line of the node above (-1 for the root)."""

    depth: int
    mother: int
    label: str
    words: str
    is_marked: bool


def outline(tree: Tree, elsewhere: NodeSpans) -> Iterator[OutlineLine]:
    """The nodes, mothers before daughters, those that are not `elsewhere` marked.

    Of a span that occurs twice here and once there one is marked.
    """
    only_here = spans_of(tree) - elsewhere
    stack, number = [(tree, 0, -1)], 0
    while stack:
        node, depth, mother = stack.pop()
        key = (node.label, node.start, node.end)
        is_marked = only_here[key] > 0
        only_here[key] -= 1
        words = " ".join(child for child in node.children if isinstance(child, str))
        yield OutlineLine(depth, mother, node.label, words, is_marked)
        daughters = [child for child in node.children if isinstance(child, Tree)]
        stack += [(daughter, depth + 1, number) for daughter in reversed(daughters)]
        number += 1


def outline_pair(a: Tree, b: Tree) -> tuple[list[OutlineLine], list[OutlineLine]]:
    """Both trees, the nodes that the other does not have marked in each."""
    return list(outline(a, spans_of(b))), list(outline(b, spans_of(a)))


def spans_of(tree: Tree) -> NodeSpans:
    """The nodes of a tree with the words they cover; one that occurs twice counts twice."""
    return Counter((node.label, node.start, node.end) for node in tree.nodes())
