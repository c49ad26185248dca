"""Trees as pictures: leaves on one line, no label over another, and marks where two analyses differ."""

import re
from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from concordant.treebank.drawing import LABEL, counts, draw_pair, draw_tree, placed
from concordant.treebank.outline import spans_of
from concordant.treebank.trees import Tree, parse_brackets, spans

ON_THE_VERB = "(S (NP (N Ana)) (VP (VP (V saw) (NP (D the) (N students))) (PP (P with) (NP (D a) (N telescope)))))"
ON_THE_NOUN = "(S (NP (N Ana)) (VP (V saw) (NP (NP (D the) (N students)) (PP (P with) (NP (D a) (N telescope))))))"

BRACKETS = st.recursive(
    st.builds(
        "({} {})".format, st.sampled_from(["N", "hd-cmp_u_c", "日本"]), st.sampled_from(["a", "telescopes", "本"])
    ),
    lambda below: st.builds(
        lambda label, parts: f"({label} {' '.join(parts)})",
        st.sampled_from(["S", "VP", "hdn_bnp-qnt_c"]),
        st.lists(st.one_of(below, st.just("and")), min_size=1, max_size=3),
    ),
    max_leaves=8,
)


def read(text: str) -> Tree:
    [tree] = parse_brackets(text)
    return tree


def marked(svg: str) -> list[str]:
    return re.findall(r'<text [^>]*class="only">([^<]+)', svg)


def test_what_only_one_tree_has_is_framed_and_named() -> None:
    left, right = draw_pair(read(ON_THE_VERB), read(ON_THE_NOUN), ("x", "y"))
    assert (marked(left), marked(right)) == (["VP"], ["NP"])
    assert left.count("<rect") == right.count("<rect") == 1
    assert "14 nodes, 1 of them not in the other analysis. ≠ VP (saw the students)" in left
    assert "≠ NP (the students with a telescope)" in right
    assert left.count('path d="') == 13  # every node but the root hangs from one; words stand below theirs


def test_a_node_that_occurs_once_more_is_marked_once() -> None:
    left, _ = draw_pair(read("(S (S (N a)))"), read("(S (N a))"), ("x", "y"))
    assert marked(left) == ["S"]


def test_labels_and_words_are_escaped() -> None:
    drawn, _ = draw_pair(read("(S<b> &amp; <script>)"), read("(S a)"), ("<x>", "y"))
    assert "<b>" not in drawn
    assert "<script>" not in drawn
    assert "<x>" not in drawn
    assert "&amp;amp;" in drawn


def test_words_that_hang_from_inner_nodes_have_a_place_of_their_own() -> None:
    nodes = placed(read("(S (N a) and (N b))"), Counter())
    assert [(node.label, node.words, node.is_leaf) for node in nodes] == [
        ("S", "", False),
        ("N", "a", True),
        ("", "and", True),
        ("N", "b", True),
    ]
    assert nodes[0].covered == "a and b"


def test_a_deep_derivation_needs_no_deep_recursion() -> None:
    tree = Tree("t", 0, 1, ("a",))
    for _ in range(3000):
        tree = Tree("t", 0, 1, (tree,))
    assert draw_tree(tree, spans_of(tree), "deep").count("<path") == 3000


@given(BRACKETS, BRACKETS)
def test_marks_are_the_symmetric_difference_of_labelled_spans(one: str, other: str) -> None:
    a, b = read(one), read(other)
    both = [Counter(spans(tree)) for tree in (a, b)]
    pictures = draw_pair(a, b, ("x", "y"))
    assert [Counter(marked(picture)).total() for picture in pictures] == [
        (both[0] - both[1]).total(),
        (both[1] - both[0]).total(),
    ]
    assert counts(a, spans_of(b)) == (both[0].total(), (both[0] - both[1]).total())


@given(BRACKETS)
def test_leaves_share_one_line_in_the_order_of_words_and_no_labels_overlap(text: str) -> None:
    tree = read(text)
    picture, nodes = draw_tree(tree, spans_of(tree), "t"), placed(tree, spans_of(tree))
    words = re.findall(r'<text class="word" x="(-?\d+)" y="(\d+)">([^<]+)', picture)
    assert " ".join(word for _, _, word in words) == " ".join(tree.words())
    assert len({y for _, y, _ in words}) == 1
    assert [int(x) for x, _, _ in words] == sorted(int(x) for x, _, _ in words)
    levels: dict[int, list[tuple[float, float]]] = {}
    for node in nodes:
        half = LABEL * len(node.label) / 2
        levels.setdefault(-1 if node.is_leaf else node.depth, []).append((node.x - half, node.x + half))
    for level in levels.values():
        assert all(first[1] <= second[0] for first, second in pairwise(level))
    assert all(node.left <= node.x <= node.left + node.wide for node in nodes)
