"""Derivation trees as outlines, for text."""

from concordant.treebank.outline import outline_pair
from concordant.treebank.trees import parse_brackets


def test_differing_nodes_are_marked_in_both_trees() -> None:
    [a] = parse_brackets("(S (NP (N a)) (VP (V b)))")
    [b] = parse_brackets("(S (NP (N a)) (XP (V b)))")
    left, right = outline_pair(a, b)
    assert [line.label for line in left if line.is_marked] == ["VP"]
    assert [line.label for line in right if line.is_marked] == ["XP"]
    assert [(line.depth, line.mother, line.words) for line in left] == [
        (0, -1, ""),
        (1, 0, ""),
        (2, 1, "a"),
        (1, 0, ""),
        (2, 3, "b"),
    ]


def test_a_node_that_occurs_once_more_is_marked_once() -> None:
    [a] = parse_brackets("(S (S (N a)))")
    [b] = parse_brackets("(S (N a))")
    assert [line.is_marked for line in outline_pair(a, b)[0]] == [True, False, False]
