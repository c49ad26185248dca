"""Derivation trees as outlines."""

import re

from concordant.treebank.outline import draw_pair
from concordant.treebank.trees import parse_brackets


def test_differing_nodes_are_marked_in_both_trees() -> None:
    [a] = parse_brackets("(S (NP (N a)) (VP (V b)))")
    [b] = parse_brackets("(S (NP (N a)) (XP (V b)))")
    left, right = draw_pair(a, b, ("x", "y"))
    assert re.findall(r'class="only">≠ (\w+)', left) == ["VP"]
    assert re.findall(r'class="only">≠ (\w+)', right) == ["XP"]
    assert "5 nodes, 1 of them not in the other analysis" in left


def test_a_node_that_occurs_once_more_is_marked_once() -> None:
    [a] = parse_brackets("(S (S (N a)))")
    [b] = parse_brackets("(S (N a))")
    assert draw_pair(a, b, ("x", "y"))[0].count('class="only"') == 1


def test_labels_and_words_are_escaped() -> None:
    [tree] = parse_brackets("(S<b> &amp;)")
    drawn, _ = draw_pair(tree, tree, ("<x>", "y"))
    assert "<b>" not in drawn
    assert "&amp;amp;" in drawn
