"""A tree as a picture: nodes joined to their mothers, all words on one line below, what another tree lacks framed.

Every subtree has a stretch of its own that is wide enough for its labels, so no label covers another, and a branch
goes down beside nothing but its own daughters. Derivations are deep and their rules have long names: pictures keep
their size and scroll, so that text never shrinks. Frame and colour say the same thing twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from unicodedata import east_asian_width

from concordant.treebank.outline import NodeSpans, outline, spans_of
from concordant.treebank.trees import Tree

STEP, TOP, LEFT, GAP = 42, 20, 6, 14  # pixels: between levels, above the root, at the sides, between words
LABEL, WORD = 7.4, 8.4  # of a letter
BELOW, BOTTOM = 25, 14  # from a word's node to the word, and what is left below
ONLY = ' class="only"'
MOST_TOLD = 6  # nodes that the other tree lacks are read out, unless there are more


@dataclass(slots=True)
class Node:
    """A node, or a word that hangs from an inner node: its label, the words written below it, and where it is."""

    label: str
    words: str
    mother: int
    is_marked: bool = False
    is_leaf: bool = False
    covered: str = ""
    daughters: list[int] = field(default_factory=list)
    depth: int = 0
    wide: float = 0.0
    left: float = 0.0
    x: float = 0.0


def draw_pair(a: Tree, b: Tree, names: tuple[str, str]) -> tuple[str, str]:
    """Both trees as SVG, the nodes that the other does not have marked in each."""
    return tuple(  # type: ignore[return-value]
        draw_tree(tree, spans_of(other), f"Analysis of {name}: {n} nodes, {n_only} of them not in the other analysis")
        for tree, other, name in ((a, b, names[0]), (b, a, names[1]))
        for n, n_only in [counts(tree, spans_of(other))]
    )


def counts(tree: Tree, elsewhere: NodeSpans) -> tuple[int, int]:
    """How many nodes a tree has, and how many of them are not `elsewhere`."""
    own = spans_of(tree)
    return own.total(), (own - elsewhere).total()


def draw_tree(tree: Tree, elsewhere: NodeSpans, title: str) -> str:
    """A tree as SVG; the nodes that are not `elsewhere` are marked, and named after `title` where they are few."""
    nodes = placed(tree, elsewhere)
    deepest = max(node.depth for node in nodes)
    floor = TOP + STEP * deepest
    width, height = round(nodes[0].wide + 2 * LEFT), floor + BELOW + BOTTOM
    lines = "".join(branch(nodes[node.mother], node, floor) for node in nodes if node.mother >= 0)
    texts = "".join(label_of(node, floor) for node in nodes)
    only = [f"{node.label} ({node.covered})" for node in nodes if node.is_marked]
    told = f"{title}. ≠ {', '.join(only)}" if 0 < len(only) <= MOST_TOLD else title
    return (
        f'<svg class="tree" role="img" aria-label="{escape(told)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{lines}{texts}</svg>'
    )


def placed(tree: Tree, elsewhere: NodeSpans) -> list[Node]:
    """The nodes with their places, mothers before daughters: x in pixels, `depth` in levels below the root.

    Leaves lie side by side, each as wide as its texts; a mother stands above the middle of her daughters, moved aside
    where her label would leave the stretch that is hers.
    """
    nodes = list(nodes_of(tree, elsewhere))
    for number, node in enumerate(nodes[1:], start=1):
        nodes[node.mother].daughters.append(number)
        node.depth = nodes[node.mother].depth + 1
    for node in reversed(nodes):
        widths = [nodes[number].wide for number in node.daughters]
        node.covered = node.words or " ".join(nodes[number].covered for number in node.daughters)
        node.wide = max(_own_width(node), sum(widths) + GAP * (len(widths) - 1))
    nodes[0].left = LEFT
    for node in nodes:
        below = [nodes[number] for number in node.daughters]
        left = node.left + (node.wide - sum(one.wide for one in below) - GAP * (len(below) - 1)) / 2
        for one in below:
            one.left, left = left, left + one.wide + GAP
    for node in reversed(nodes):
        half, ends = _own_width(node) / 2, [nodes[number].x for number in node.daughters]
        middle = (ends[0] + ends[-1]) / 2 if ends else node.left + node.wide / 2
        node.x = min(max(middle, node.left + half), node.left + node.wide - half)
    return nodes


def nodes_of(tree: Tree, elsewhere: NodeSpans) -> Iterator[Node]:
    """The nodes, mothers before daughters, left before right; without recursion: derivations may be deep."""
    marked = [line.is_marked for line in outline(tree, elsewhere)]
    stack: list[tuple[Tree | str, int]] = [(tree, -1)]
    number, n_trees = 0, 0
    while stack:
        part, mother = stack.pop()
        if isinstance(part, str):
            yield Node("", part, mother, is_leaf=True)
        else:
            own = " ".join(part.words()) if part.is_preterminal else ""
            yield Node(part.label, own, mother, marked[n_trees], is_leaf=part.is_preterminal)
            n_trees += 1
            if not part.is_preterminal:
                stack += [(child, number) for child in reversed(part.children)]
        number += 1


def _own_width(node: Node) -> float:
    """What the texts of a node take, a framed label a little more."""
    return max(LABEL * _letters(node.label) + 12, WORD * _letters(node.words))


def _letters(text: str) -> int:
    """How many letters wide a text is; those of East Asian scripts count twice."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _y(node: Node, floor: int) -> int:
    return floor if node.is_leaf else TOP + STEP * node.depth


def branch(mother: Node, node: Node, floor: int) -> str:
    """From a mother down to the next level, then straight down to her daughter: nothing else is on that way."""
    start, end = _y(mother, floor) + 8, _y(node, floor) - (13 if node.label else -8)
    turn = min(_y(mother, floor) + STEP - 13, end)
    way = f"M{mother.x:.0f} {start}L{node.x:.0f} {turn}" + (f"V{end}" if end > turn else "")
    return f'<path d="{way}"{ONLY if mother.is_marked else ""}/>'


def label_of(node: Node, floor: int) -> str:
    """A node's label, framed where it is marked, and its words below; what several words are one learns by pointing."""
    x, y = f"{node.x:.0f}", _y(node, floor)
    word = f'<text class="word" x="{x}" y="{floor + BELOW}">{escape(node.words)}</text>' if node.words else ""
    if not node.label:
        return word
    half = LABEL * _letters(node.label) / 2 + 5
    frame = f'<rect x="{node.x - half:.0f}" y="{y - 12}" width="{2 * half:.0f}" height="21" rx="5"/>'
    label = f'<text x="{x}" y="{y + 3}"{ONLY if node.is_marked else ""}>{escape(node.label)}</text>'
    told = f"<title>{escape(node.covered)}</title>" if not node.is_leaf and " " in node.covered else ""
    return f"<g>{told}{frame if node.is_marked else ''}{label}</g>{word}"
