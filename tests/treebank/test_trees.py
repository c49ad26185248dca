"""Parseval, Brants' F and Leaf-Ancestor on the worked example of Castro (2011, section 3.2.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import InputError
from assent.treebank.trees import (
    Bracketing,
    Counts,
    Tree,
    _distance,
    _without_ends,
    leaf_ancestor,
    lineages,
    parse_brackets,
    parseval,
    spans,
)
from tests.treebank.made import printed

# "O João viu a Maria com os binóculos.": the two analyses of Figures 3.1 and 3.2 (labels of Figure 3.4)
HIGH = (
    "(S (S (NP (ART O) (N João)) (VP (VP (V viu) (NP (ART a) (N Maria))) "
    "(PP (P com) (NP (ART os) (N binóculos))))) (PNT .))"
)
LOW = (
    "(S (S (NP (ART O) (N João)) (VP (V viu) (NP (ART a) (N' (N Maria) "
    "(PP (P com) (NP (ART os) (N binóculos))))))) (PNT .))"
)


def one(text: str) -> Tree:
    [tree] = parse_brackets(text)
    return tree


class TestFigures:
    def test_figure_3_3_lists_17_spans_for_each_tree(self) -> None:
        assert len(spans(one(HIGH))) == len(spans(one(LOW))) == 17
        assert (2, 5, "VP") in spans(one(HIGH))  # (3, 5, 'VP') in the figure, which counts words from 1

    def test_parseval_is_15_of_17(self) -> None:
        counts = parseval(one(HIGH), one(LOW))
        assert (counts.both, counts.a, counts.b) == (15, 17, 17)
        assert counts.f == printed("0.88")

    def test_figure_3_4_leaf_by_leaf(self) -> None:
        found = leaf_ancestor(one(LOW), one(HIGH))
        as_printed = ["1.000", "1.000", "0.923", "0.933", "0.719", "0.875", "0.889", "0.889", "1.000"]
        assert found is not None
        assert found == [printed(number) for number in as_printed]

    def test_leaf_ancestor_is_914_not_the_941_of_the_caption(self) -> None:
        found = leaf_ancestor(one(HIGH), one(LOW))
        assert found is not None
        assert sum(found) / len(found) == printed("0.914")

    def test_figure_3_4_lineages(self) -> None:
        assert " ".join(lineages(one(HIGH))[2]) == "V ] VP [ VP S S"
        assert " ".join(lineages(one(LOW))[4]) == "N ] [ N' NP VP S S"
        assert " ".join(lineages(one(LOW))[8]) == "[ PNT S ]"


class TestBracketing:
    def test_without_preterminals(self) -> None:
        counts = parseval(one(HIGH), one(LOW), Bracketing(preterminals=False))
        assert (counts.both, counts.a, counts.b) == (6, 8, 8)

    def test_ignored_labels_leave_their_children(self) -> None:
        found = spans(one("(TOP (S (N a) (V b)))"), Bracketing(ignore=frozenset({"TOP"})))
        assert sorted(label for _, _, label in found) == ["N", "S", "V"]

    def test_punctuation_is_taken_out_of_the_spans(self) -> None:
        inside, outside = one("(S (N a) (V b) (PNT .))"), one("(S (X (N a) (V b)) (PNT .))")
        which = Bracketing(punctuation=frozenset({"PNT"}))
        assert spans(inside, which).count((0, 2, "S")) == 1
        assert parseval(inside, outside, which).both == 3

    def test_the_same_span_and_label_twice_counts_twice(self) -> None:
        assert parseval(one("(S (S (N a)))"), one("(S (N a))")) == Counts(2, 3, 2)


class TestReading:
    def test_several_trees_on_one_line_and_one_over_several(self) -> None:
        assert [tree.words() for tree in parse_brackets("(S a) (S b)\n(S\n (N c))")] == [("a",), ("b",), ("c",)]

    def test_words_and_nodes_side_by_side_keep_their_order(self) -> None:
        assert one("(S a (N b (X c)) d)").words() == ("a", "b", "c", "d")

    def test_the_empty_label_around_penn_trees_is_dropped(self) -> None:
        assert one("( (S (N a)) )").label == "S"

    def test_an_open_bracket_is_an_error(self) -> None:
        with pytest.raises(InputError, match="never closed"):
            parse_brackets("(S (N a)")

    def test_text_outside_brackets_is_an_error_with_its_row(self) -> None:
        with pytest.raises(InputError, match=r"t\.mrg, row 2: 'b' stands outside"):
            parse_brackets("(S a)\nb", file="t.mrg")

    def test_other_words_have_no_leaf_ancestor(self) -> None:
        assert leaf_ancestor(one("(S a b)"), one("(S a c)")) is None


labels = st.sampled_from(["S", "NP", "NX", "VP"])
trees = st.recursive(
    labels.map(lambda label: f"({label} w)"),
    lambda inner: st.tuples(labels, st.lists(inner, min_size=1, max_size=3)).map(
        lambda p: f"({p[0]} {' '.join(p[1])})"
    ),
    max_leaves=6,
)


lineage = st.lists(st.sampled_from(["S", "NP", "NX", "VP", "[", "]"]), max_size=7).map(tuple)


class TestLaws:
    @given(trees)
    def test_a_tree_agrees_with_itself(self, text: str) -> None:
        assert parseval(one(text), one(text)).f == 1
        assert set(leaf_ancestor(one(text), one(text)) or ()) == {1.0}

    @given(trees, trees)
    def test_the_order_of_the_two_does_not_matter(self, a: str, b: str) -> None:
        assert parseval(one(a), one(b)).f == parseval(one(b), one(a)).f
        forth, back = leaf_ancestor(one(a), one(b)), leaf_ancestor(one(b), one(a))
        assert forth == pytest.approx(back) if forth is not None else back is None

    @given(lineage, lineage)
    def test_what_two_lineages_begin_and_end_with_costs_nothing(self, a: tuple[str, ...], b: tuple[str, ...]) -> None:
        assert _distance(*_without_ends(a, b)) == _distance(a, b)

    @given(trees, trees)
    def test_scores_lie_between_0_and_1(self, a: str, b: str) -> None:
        assert 0 <= parseval(one(a), one(b)).f <= 1
        assert all(0 <= score <= 1 for score in leaf_ancestor(one(a), one(b)) or ())
