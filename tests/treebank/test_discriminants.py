"""The comparison of decision logs on Figures 5.14-5.18 of Castro (2011)."""

from hypothesis import given
from hypothesis import strategies as st

from concordant.treebank.discriminants import Decision, Discriminant, Options, compare_options
from tests.treebank.made import decisions

CLARO_A = """
4 _claro_a_1 ARG1 _relação_n_1-com-de-
2 _claro_a_1 ARG1 _relação_n_2-de-por-
4 _claro_a_1 E.ASPECT.PERF -
4 _claro_a_1 E.MOOD indicativo
"""
CLARO_B = """
4 _claro_a_1 ARG1 _relação_n_1-com-de-
4 _claro_a_1 ARG1 _relação_n_2-de-por-
2 _claro_a_1 E.ASPECT.PERF -
4 _claro_a_1 E.MOOD indicativo
"""
DE = """
1 _de_p ARG1 _claro_a_1
4 _de_p ARG1 _claro_a_2
"""
REST_A = """
2 _em_p ARG1 _relação_n_1-com-de-
4 _em_p ARG1 _relação_n_2-de-por-
4 _muito_a ARG1 _claro_a_1
2 _muito_a ARG1 _claro_a_2
4 _muito_x ARG1 _claro_a_1
1 _muito_x ARG1 _claro_a_2
"""
REST_B = """
1 _em_p ARG1 _relação_n_1-com-de-
4 _em_p ARG1 _relação_n_2-de-por-
4 _muito_a ARG1 _claro_a_1
4 _muito_a ARG1 _claro_a_2
4 _muito_x ARG1 _claro_a_1
2 _muito_x ARG2 _claro_a_2
"""


def compared(a: str, b: str) -> Options:
    return compare_options(decisions(a), decisions(b))


class TestFigures:
    def test_figure_5_14_is_4_of_5_literally(self) -> None:
        found = compared(CLARO_A + DE.strip() + REST_A, CLARO_B + DE.strip() + REST_B)
        assert (found.identical, found.total) == (4, 5)
        assert [key.key for key in found.differing] == ["_em_p ARG1 _relação_n_1-com-de-"]

    def test_figure_5_15_different_rejections_of_one_label_are_one_identical_option(self) -> None:
        found = compared(CLARO_A, CLARO_B)
        assert (found.identical, found.total) == (1, 1)

    def test_figure_5_16_the_same_acceptance(self) -> None:
        found = compared(DE, DE)
        assert (found.identical, found.total) == (1, 1)

    def test_figure_5_17_acceptance_against_an_equivalent_rejection(self) -> None:
        a = "1 _de_p ARG1 _claro_a_1\n4 _de_p ARG2 _claro_a_1\n2 _em_p ARG1 _relação_n_1-com-de-"
        b = "2 _de_p ARG2 _claro_a_1\n1 _em_p ARG1 _relação_n_1-com-de-"
        found = compared(a, b)
        assert (found.identical, found.total, found.unique) == (1, 2, 0)

    def test_figure_5_18_a_stranded_option_counts_and_is_never_identical(self) -> None:
        a = "1 _de_p ARG1 _claro_a_1\n1 _em_p ARG1 _relação_n_1-com-de-"
        b = "1 _em_p ARG1 _relação_n_1-com-de-"
        found = compared(a, b)
        assert (found.identical, found.total, found.unique, found.common) == (1, 2, 1, 1)


class TestNeighbourhoods:
    def test_what_stands_above_a_yes_does_not_count(self) -> None:
        found = compared("4 _de_p ARG1 x\n1 _de_p ARG1 y", "3 _de_p ARG1 x\n3 _de_p ARG1 y")
        assert found.identical == 1

    def test_what_stands_above_a_no_counts(self) -> None:
        found = compared("4 _de_p ARG1 x\n2 _de_p ARG1 y", "3 _de_p ARG1 x\n4 _de_p ARG1 y")
        assert found.identical == 0

    def test_no_common_discriminant_is_alike_but_flagged(self) -> None:
        found = compared("1 _de_p ARG1 x", "2 _de_p ARG1 y")
        assert (found.identical, found.vacuous) == (1, 1)

    def test_labels_without_a_decision_by_hand_are_no_options(self) -> None:
        assert compared("3 _de_p ARG1 x", "4 _de_p ARG1 x").total == 0

    def test_the_same_key_in_another_place_is_another_discriminant(self) -> None:
        here, there = Discriminant(3, "np_rule", 0, 2), Discriminant(3, "np_rule", 4, 6)
        found = compare_options([Decision(1, here)], [Decision(2, there)])
        assert (found.identical, found.vacuous) == (1, 1)


logs = st.lists(
    st.builds(
        lambda state, word, role: Decision(state, Discriminant(6, f"{word} {role}", 0, 0)),
        st.sampled_from([1, 2, 3, 4]),
        st.sampled_from(["_a_n", "_b_v", "_c_p"]),
        st.sampled_from(["ARG1 x", "ARG2 y", "SF prop"]),
    ),
    max_size=12,
)


class TestLaws:
    @given(logs, logs)
    def test_the_order_of_the_two_logs_does_not_matter(self, a: list[Decision], b: list[Decision]) -> None:
        assert compare_options(a, b) == compare_options(b, a)

    @given(logs)
    def test_a_log_is_identical_to_itself(self, a: list[Decision]) -> None:
        found = compare_options(a, a)
        assert (found.identical, found.unique, found.differing) == (found.total, 0, ())

    @given(logs, logs)
    def test_counts_fit_together(self, a: list[Decision], b: list[Decision]) -> None:
        found = compare_options(a, b)
        assert 0 <= found.vacuous <= found.identical <= found.common <= found.total
