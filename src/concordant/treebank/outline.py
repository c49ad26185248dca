"""A derivation tree as an outline: a node a line, daughters indented under their mother, words beside the last node.

Rule names are long and derivations deep, so a tree drawn top-down is several screens wide. Drawn as an outline two
trees stand side by side on a desk and one above the other on a phone, and the same words stand on nearby lines.
"""

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from concordant.treebank.trees import Tree

NodeSpans = Counter[tuple[str, int, int]]

STEP, LINE, LETTER, TOP = 14, 20, 7.0, 14  # pixels


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


def draw_pair(a: Tree, b: Tree, names: tuple[str, str]) -> tuple[str, str]:
    """Both trees as SVG, the nodes that the other does not have marked in each."""
    said = "{n} nodes, {n_marked} of them not in the other analysis"
    return (
        draw_tree(a, spans_of(b), f"Analysis of {names[0]}: {said}"),
        draw_tree(b, spans_of(a), f"Analysis of {names[1]}: {said}"),
    )


def draw_tree(tree: Tree, elsewhere: NodeSpans, title: str) -> str:
    """A tree as SVG; `title` may ask for the number of nodes and of those that are not `elsewhere`.

    Elbows join nodes to their mothers; a mark is a sign as well, for those who see no colours.
    """
    lines = list(outline(tree, elsewhere))
    width = round(max(line.depth * STEP + LETTER * (len(line.label) + len(line.words) + 6) for line in lines))
    height = LINE * len(lines) + TOP
    title = title.replace("{n}", str(len(lines))).replace("{n_marked}", str(sum(line.is_marked for line in lines)))
    body = []
    for number, line in enumerate(lines):
        x, y = line.depth * STEP + 4, number * LINE + TOP
        if line.mother >= 0:
            body.append(f'<path d="M{x - STEP + 4} {line.mother * LINE + TOP + 5}V{y - 4}H{x - 2}"/>')
        kind, sign = (' class="only"', "≠ ") if line.is_marked else ("", "")
        words = f'<tspan class="word" dx="8">{escape(line.words)}</tspan>' if line.words else ""
        body.append(f'<text x="{x}" y="{y}"{kind}>{sign}{escape(line.label)}{words}</text>')
    return (
        f'<svg class="tree" role="img" aria-label="{escape(title)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{"".join(body)}</svg>'
    )
