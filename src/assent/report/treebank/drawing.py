"""A derivation tree as SVG: one node per line, daughters indented under their mother, words beside the last node.

Rule names are long and derivations deep, so a tree drawn top-down is several screens wide. Drawn as an outline two
trees stand side by side on a desk and one above the other on a phone, and the same words stand on nearby lines.
"""

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from assent.treebank.trees import Tree

Spans = Counter[tuple[str, int, int]]

_STEP, _LINE, _LETTER, _TOP = 14, 20, 7.0, 14


class _Line(NamedTuple):
    """A node at its depth; `mother` is the line of the node above (-1 for the root)."""

    depth: int
    mother: int
    label: str
    words: str
    is_marked: bool


def draw_pair(a: Tree, b: Tree, names: tuple[str, str]) -> tuple[str, str]:
    """Both trees, the nodes that the other does not have marked in each."""
    spans_a, spans_b = spans_of(a), spans_of(b)
    said = "{n} nodes, {n_marked} of them not in the other analysis"
    return (
        draw_tree(a, spans_b, f"Analysis of {names[0]}: {said}"),
        draw_tree(b, spans_a, f"Analysis of {names[1]}: {said}"),
    )


def spans_of(tree: Tree) -> Spans:
    """The nodes of a tree with the words they cover; one that occurs twice counts twice."""
    return Counter((node.label, node.start, node.end) for node in tree.nodes())


def draw_tree(tree: Tree, elsewhere: Spans, title: str) -> str:
    """A tree, its nodes that are not `elsewhere` marked; `title` may ask for their number and that of all nodes."""
    lines = list(_lines(tree, spans_of(tree) - elsewhere))
    width = max(line.depth * _STEP + _LETTER * (len(line.label) + len(line.words) + 6) for line in lines)
    height = _LINE * len(lines) + _TOP
    title = title.replace("{n}", str(len(lines))).replace("{n_marked}", str(sum(line.is_marked for line in lines)))
    body = "".join(_line(number, line) for number, line in enumerate(lines))
    return (
        f'<svg class="tree" role="img" aria-label="{escape(title)}" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}">{body}</svg>'
    )


def _lines(tree: Tree, only_here: Spans) -> Iterator[_Line]:
    """The nodes, mothers before daughters; of a span that occurs twice here and once there one is marked."""
    stack, number = [(tree, 0, -1)], 0
    while stack:
        node, depth, mother = stack.pop()
        key = (node.label, node.start, node.end)
        is_marked = only_here[key] > 0
        only_here[key] -= 1
        yield _Line(depth, mother, node.label, " ".join(c for c in node.children if isinstance(c, str)), is_marked)
        daughters = [child for child in node.children if isinstance(child, Tree)]
        stack += [(daughter, depth + 1, number) for daughter in reversed(daughters)]
        number += 1


def _line(number: int, line: _Line) -> str:
    """A node with the elbow that joins it to its mother; a mark is a sign as well, for those who see no colours."""
    x, y = line.depth * _STEP + 4, number * _LINE + _TOP
    elbow = ""
    if line.mother >= 0:
        top = line.mother * _LINE + _TOP + 5
        elbow = f'<path d="M{x - _STEP + 4} {top}V{y - 4}H{x - 2}"/>'
    kind = ' class="only"' if line.is_marked else ""
    sign = "≠ " if line.is_marked else ""
    words = f'<tspan class="word" dx="8">{escape(line.words)}</tspan>' if line.words else ""
    return f'{elbow}<text x="{x}" y="{y}"{kind}>{sign}{escape(line.label)}{words}</text>'
