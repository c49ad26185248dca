"""Who needs the next vote: worked by hand, laws, and study files that are refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from concordant.design.allocation import gains, most_wanted, rightness, tie_order
from concordant.design.description import Allocation
from concordant.design.schema import StudyError
from concordant.design.study_file import read


def wanted(votes: list[list[int]], coming: list[int] | None = None, size: int = 99, **how: object) -> list[int]:
    made = np.array(votes)
    under_way = np.array(coming or [0] * len(votes))
    rule = Allocation(**how)  # type: ignore[arg-type]
    found: list[int] = most_wanted(made, under_way, rule, order=np.arange(len(votes)), size=size).tolist()
    return found


@pytest.mark.parametrize(("first", "second"), [(2, 0), (3, 1), (5, 5), (9, 6)])
def test_the_chance_is_that_of_a_beta_posterior(first: int, second: int) -> None:
    found = float(rightness(np.array([float(first)]), np.array([float(second)]))[0])
    assert found == pytest.approx(beta(first + 0.5, second + 0.5).sf(0.5), abs=1e-12)


def test_units_come_by_what_one_more_vote_may_change() -> None:
    assert wanted([[2, 0], [1, 1], [2, 1], [0, 0]]) == [3, 1, 2, 0]
    assert wanted([[2, 0], [1, 1], [2, 1]], size=1) == [1]


def test_clear_units_and_those_judged_often_need_no_more() -> None:
    assert wanted([[3, 0], [0, 3], [8, 7], [2, 0]]) == [3]  # .967 is sure, .924 is not; 15 are enough
    assert wanted([[3, 0]], sure=0.97) == [0]
    assert wanted([[8, 7]], most=16) == [0]


def test_only_the_two_answers_given_most_matter() -> None:
    assert wanted([[3, 0, 0], [3, 1, 1], [3, 2, 0]]) == [2, 1]


def test_a_budget_is_kept_and_judgements_under_way_count() -> None:
    assert wanted([[1, 1], [1, 1], [2, 0]], budget=8) == [0, 1]
    assert wanted([[1, 1], [1, 1], [2, 0]], coming=[1, 0, 0], budget=8) == [1]
    assert wanted([[1, 1], [1, 1]], budget=4) == []
    assert wanted([[2, 0], [2, 0]], coming=[1, 0]) == [1, 0]


def test_equal_gains_go_by_a_fixed_order() -> None:
    votes, none = np.array([[1, 1]] * 5), np.zeros(5, dtype=np.int64)
    order = tie_order(7, 5)
    assert most_wanted(votes, none, Allocation(), order=order, size=5).tolist() == np.argsort(order).tolist()
    assert tie_order(7, 5).tolist() == order.tolist()
    assert tie_order(8, 50).tolist() != tie_order(7, 50).tolist()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=12))
def test_names_of_categories_do_not_matter_and_nobody_is_asked_beyond_the_most(votes: list[tuple[int, ...]]) -> None:
    rows = [list(row) for row in votes]
    found = wanted(rows, most=9)
    assert found == wanted([row[::-1] for row in rows], most=9)
    assert all(sum(rows[unit]) < 9 for unit in found)
    assert len(set(found)) == len(found)


def test_a_vote_can_never_be_expected_to_harm() -> None:
    votes = np.array([(a, b) for a in range(12) for b in range(a + 1)], dtype=float)
    assert (gains(votes[:, 0], votes[:, 1]) > 0).all()


STUDY = """
name = "clear"
title = "Clear?"
open = true
[units]
file = "units.csv"
text = "text"
[[questions]]
id = "clear"
task = "binary"
ask = "Clear?"
[[questions]]
id = "why"
task = "text"
ask = "Why?"
"""
DEALT = "[sets]\ncount = 3\n[assignment]\njudgements = 2\n"


def study(folder: Path, more: str) -> Path:
    (folder / "units.csv").write_text("id,text\n" + "".join(f"u{i},text {i}\n" for i in range(30)), encoding="utf-8")
    (folder / "study.toml").write_text(STUDY + more, encoding="utf-8")
    return folder / "study.toml"


def test_a_study_file_says_it(tmp_path: Path) -> None:
    made = read(study(tmp_path, DEALT + "[allocation]\nmost = 9\nbudget = 120\n"))
    assert made.allocation == Allocation(most=9, budget=120)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("[allocation]\n", "every unit needs two planned judgements"),
        ("[sets]\ncount = 3\n[allocation]\n", "every unit needs two planned judgements"),
        (DEALT + '[allocation]\nquestion = "clera"\n', "there is no question 'clera'; did you mean 'clear'"),
        (DEALT + '[allocation]\nquestion = "why"\n', "'why' has no fixed categories"),
        (DEALT + "[allocation]\nsure = 1\n", "nothing is ever quite sure"),
        (DEALT.replace("2", "3") + "[allocation]\nmost = 3\n", "the planned judgements are as many already"),
        (DEALT + "rounds = 2\n[allocation]\n", "allocation and rounds do not go together"),
        (DEALT + "[repeats]\ncount = 2\ngap = 2\n[allocation]\n", "allocation and .repeats. do not go together"),
        (DEALT + '[allocation]\n[[raters]]\nid = "m"\nkind = "model"\n', "would take the place of a person"),
        (DEALT + "[allocation]\nleast = 3\n", "there is no setting 'least' here"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, more: str, what: str) -> None:
    with pytest.raises(StudyError, match=what):
        read(study(tmp_path, more))


def test_a_model_that_takes_nobodys_place_is_welcome(tmp_path: Path) -> None:
    more = DEALT + '[allocation]\n[[raters]]\nid = "m"\nkind = "model"\nsets = ["all"]\n'
    assert read(study(tmp_path, more)).allocation is not None
