"""Parseval, Brants' F and Leaf-Ancestor on the worked example of Castro (2011, section 3.2.2).

Treebanks in brackets, one file per rater.

Elementary Dependency Match on "O Manuel foi apenas à loja." (Castro 2011, Figures 3.5-3.7).
"""

from pathlib import Path
from typing import Any

import pytest
from delphin.eds import EDS, Node
from delphin.lnk import Lnk
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import InputError
from concordant.treebank.trees import (
    Counts,
    Tree,
    _distance,
    _without_ends,
    edm,
    lineage_counts,
    lineage_similarities,
    lineages,
    parse_brackets,
    read_bracketed,
    shared_spans,
    spans,
)
from concordant.uncertainty.estimate import measure
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
        counts = shared_spans(one(HIGH), one(LOW))
        assert (counts.both, counts.a, counts.b) == (15, 17, 17)
        assert counts.f == printed("0.88")

    def test_figure_3_4_leaf_by_leaf(self) -> None:
        found = lineage_similarities(one(LOW), one(HIGH))
        as_printed = ["1.000", "1.000", "0.923", "0.933", "0.719", "0.875", "0.889", "0.889", "1.000"]
        assert found is not None
        assert found == [printed(number) for number in as_printed]

    def test_leaf_ancestor_is_914_not_the_941_of_the_caption(self) -> None:
        found = lineage_similarities(one(HIGH), one(LOW))
        assert found is not None
        assert sum(found) / len(found) == printed("0.914")

    def test_figure_3_4_lineages(self) -> None:
        assert " ".join(lineages(one(HIGH))[2]) == "V ] VP [ VP S S"
        assert " ".join(lineages(one(LOW))[4]) == "N ] [ N' NP VP S S"
        assert " ".join(lineages(one(LOW))[8]) == "[ PNT S ]"


class TestBracketing:
    def test_without_preterminals(self) -> None:
        counts = shared_spans(one(HIGH), one(LOW), preterminals=False)
        assert (counts.both, counts.a, counts.b) == (6, 8, 8)

    def test_ignored_labels_leave_their_children(self) -> None:
        found = spans(one("(TOP (S (N a) (V b)))"), ignore={"TOP"})
        assert sorted(label for _, _, label in found) == ["N", "S", "V"]

    def test_punctuation_is_taken_out_of_the_spans(self) -> None:
        inside, outside = one("(S (N a) (V b) (PNT .))"), one("(S (X (N a) (V b)) (PNT .))")
        assert spans(inside, punctuation={"PNT"}).count((0, 2, "S")) == 1
        assert shared_spans(inside, outside, punctuation={"PNT"}).both == 3

    def test_the_same_span_and_label_twice_counts_twice(self) -> None:
        assert shared_spans(one("(S (S (N a)))"), one("(S (N a))")) == Counts(2, 3, 2)


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

    def test_other_words_have_no_lineage_similarities(self) -> None:
        assert lineage_similarities(one("(S a b)"), one("(S a c)")) is None


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
        assert shared_spans(one(text), one(text)).f == 1
        assert set(lineage_similarities(one(text), one(text)) or ()) == {1.0}

    @given(trees, trees)
    def test_the_order_of_the_two_does_not_matter(self, a: str, b: str) -> None:
        assert shared_spans(one(a), one(b)).f == shared_spans(one(b), one(a)).f
        forth, back = lineage_similarities(one(a), one(b)), lineage_similarities(one(b), one(a))
        assert forth == pytest.approx(back) if forth is not None else back is None

    @given(lineage, lineage)
    def test_what_two_lineages_begin_and_end_with_costs_nothing(self, a: tuple[str, ...], b: tuple[str, ...]) -> None:
        assert _distance(*_without_ends(a, b)) == _distance(a, b)

    @given(trees, trees)
    def test_scores_lie_between_0_and_1(self, a: str, b: str) -> None:
        assert 0 <= shared_spans(one(a), one(b)).f <= 1
        assert all(0 <= score <= 1 for score in lineage_similarities(one(a), one(b)) or ())


def files(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"rater{number}.mrg" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_three_raters_are_compared_in_pairs(tmp_path: Path) -> None:
    corpus = read_bracketed(files(tmp_path, "(S (A a) (B b))", "(S (A a) (B b))", "(S (A a) (C b))"))
    assert corpus.raters == ("rater0", "rater1", "rater2")
    [counts] = corpus.compare(shared_spans)
    assert counts is not None
    assert (counts.both, counts.a) == (3 + 2 + 2, 9)


def test_other_words_cannot_be_compared(tmp_path: Path) -> None:
    corpus = read_bracketed(files(tmp_path, "(S (A a)) (S (A a))", "(S (A a)) (S (A b))"))
    assert [counts is None for counts in corpus.compare(lineage_counts)] == [False, True]


def test_options_reach_parseval(tmp_path: Path) -> None:
    paths = files(tmp_path, "(S (A a) (B b))", "(S (A a) (C b))")
    assert measure(read_bracketed(paths), "parseval", ci="none", preterminals=False).value == 1


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("(S a)", "(S a) (S b)"), "2 trees, and .* has 1"),
        (("(S a)", ""), "no tree in it"),
    ],
)
def test_refusals(tmp_path: Path, texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_bracketed(files(tmp_path, *texts))


def test_trees_of_one_rater_can_be_read_and_not_measured(tmp_path: Path) -> None:
    alone = read_bracketed(files(tmp_path, "(S (A a) (B b))"))
    assert len(alone.raters) == 1
    with pytest.raises(InputError, match="one rater only"):
        measure(alone, "parseval", ci="none")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    [good] = files(tmp_path, "(S a)")
    (tmp_path / "bad.mrg").write_bytes(b"(S \xff)")
    with pytest.raises(InputError, match="not UTF-8"):
        read_bracketed([good, tmp_path / "bad.mrg"])
    with pytest.raises(InputError, match="no such file"):
        read_bracketed([good, tmp_path / "none.mrg"])


def analysis(adverb: str, *, spans: bool = True) -> EDS:
    """The structure of Figure 3.5; the two annotators differ in the adverb's predicate."""

    def node(name: str, predicate: str, start: int, end: int, edges: dict[str, str], **properties: str) -> Any:
        place = Lnk.charspan(start, end) if spans else Lnk.default()
        return Node(name, predicate, edges=edges, properties=properties, lnk=place)

    verb = {"ELLIPTICAL-PUNCT": "bool", "SF": "proposition-or-question", "E.TENSE": "pretérito-perfeito"}
    shop = {"PERSON": "3rd", "NUMBER": "singular", "GENDER": "feminine"}
    return EDS(
        top="e1",
        nodes=[
            node("e1", "_ir_v_dir", 9, 11, {"ARG1": "x2", "ARG2": "x3"}, **verb, **{"E.MOOD": "indicativo"}),
            node("x2", "named", 2, 7, {}),
            node("x3", "_loja_n", 24, 27, {}, **shop),
            node("e4", adverb, 13, 18, {"ARG1": "e1"}),
            node("q5", "_o_q", 0, 0, {"ARG0": "x3"}),
        ],
    )


def test_figure_3_7_is_15_of_16_without_the_top() -> None:
    counts = edm(analysis("_apenas_q"), analysis("_apenas_a"), top_weight=0)
    assert counts is not None
    assert counts.both == pytest.approx(15)
    assert (counts.a, counts.b) == (16, 16)
    assert counts.f == pytest.approx(15 / 16)


def test_with_the_top_it_is_16_of_17() -> None:
    counts = edm(analysis("_apenas_q"), analysis("_apenas_a"))
    assert counts is not None
    assert counts.f == pytest.approx(16 / 17)


def test_without_character_spans_there_is_nothing_to_match() -> None:
    assert edm(analysis("_apenas_q", spans=False), analysis("_apenas_a")) is None
