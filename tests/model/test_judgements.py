"""Judgements from matrices, rows, frames, columns and contingency tables."""

from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.columns import encode
from concordant.model.judgements import Judgements
from concordant.model.scale import Level

nan = np.nan


def test_a_matrix_knows_its_blanks() -> None:
    data = Judgements.from_matrix([[1.0, nan], [2.0, 2.0]])
    assert (data.n_units, data.n_raters, data.n_judgements, data.n_blank) == (2, 2, 3, 1)
    assert data.raters == ("rater 1", "rater 2")


def test_all_missing_data_are_not_continuous() -> None:
    data = Judgements.from_matrix(np.full((3, 2), nan))
    assert not data.scale.is_continuous
    assert (data.n_judgements, len(data.rows().unit)) == (0, 0)


def test_masked_cells_and_declared_values_are_missing() -> None:
    masked = np.ma.masked_equal(np.array([[1, 9], [2, 2]]), 9)
    assert Judgements.from_matrix(masked).n_judgements == 3
    assert Judgements.from_matrix([[1, 9], [2, 2]], missing=[9]).n_judgements == 3


def test_declared_categories_may_be_numbers() -> None:
    data = Judgements.from_matrix([[1, 2], [2, 2]], categories=[1.0, 2.0, 3.0], level="ordinal")
    assert data.scale.categories == ("1", "2", "3")


def test_many_numbers_stay_numbers() -> None:
    scores = np.linspace(0, 1, 4000).reshape(-1, 2)
    scores[0, 0] = nan
    data = Judgements.from_matrix(scores)
    assert data.scale.is_continuous
    assert data.scale.level is Level.INTERVAL
    assert data.scale.is_guessed
    assert (data.n_judgements, data.n_blank) == (3999, 1)
    assert len(data.rows().value) == 3999
    assert data.with_raters(["rater 1"]).n_blank == 1
    assert not Judgements.from_matrix(scores, level="ordinal").scale.is_continuous
    assert not Judgements.from_matrix(scores, level="ratio").scale.is_guessed


def test_many_numbers_in_rows_stay_numbers() -> None:
    scores = np.linspace(0, 1, 4000)
    scores[5] = nan
    data = Judgements.from_rows(np.arange(4000) // 2, np.arange(4000) % 2, scores)
    assert (data.n_judgements, data.n_blank) == (3999, 1)


@pytest.mark.parametrize(
    ("matrix", "more", "message"),
    [
        ([1, 2], {}, "not 1 dimensions"),
        ([[1, 2]], {"raters": ["a"]}, "1 rater names for 2 columns"),
        ([[1, 2]], {"raters": ["a", "a"]}, "two columns have one rater name"),
        (np.append(np.arange(3999.0), np.inf).reshape(-1, 2), {}, "infinite"),
        (np.arange(-10.0, 3990.0).reshape(-1, 2), {"level": "ratio"}, "below zero"),
        (np.arange(4000.0).reshape(-1, 2), {"level": "intervall"}, "did you mean 'interval'"),
    ],
)
def test_matrices_that_are_refused(matrix: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Judgements.from_matrix(matrix, **more)


def test_rows_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="differ in number: 2, 2, 1"):
        Judgements.from_rows([1, 2], ["a", "b"], ["x"])


def test_blank_units_and_raters_are_refused() -> None:
    with pytest.raises(InputError, match="row 2: there is no unit"):
        Judgements.from_rows(["u", ""], ["a", "b"], ["x", "y"])
    with pytest.raises(InputError, match="row 1: there is no rater"):
        Judgements.from_rows([1.0, 2.0], ["", "b"], ["x", "y"])


def test_blank_values_are_counted() -> None:
    data = Judgements.from_rows(["u", "u", "v"], ["a", "b", "a"], ["x", "", "y"])
    assert (data.n_judgements, data.n_blank, data.raters) == (2, 1, ("a", "b"))


def test_duplicates_are_refused_naming_both_rows_or_the_last_is_kept() -> None:
    rows: tuple[list[str], ...] = (["u", "v", "u", "v"], ["a", "a", "a", "a"], ["x", "x", "y", "y"])
    with pytest.raises(InputError, match=r"rows 1 and 3 both judge unit 'u' by rater 'a' \(2 such repeats\)"):
        Judgements.from_rows(*rows)
    kept = Judgements.from_rows(*rows, duplicates="last")
    assert kept.rows().value.tolist() == [1, 1]
    assert Judgements.from_rows(*rows, duplicates="first").rows().value.tolist() == [0, 0]
    every = Judgements.from_rows(*rows, duplicates="all")
    assert (every.n_judgements, every.n_repeats) == (4, 2)
    with pytest.raises(InputError, match="2 judgements are repeats"):
        tally(every)
    with pytest.raises(InputError, match="use refuse, first, last, all"):
        Judgements.from_rows(*rows, duplicates="some")


def test_duplicates_are_found_among_very_many_units() -> None:
    """A table of units × raters that would be too large is not made."""
    n = 20_000
    unit, rater = np.arange(n), np.arange(n) % 5000
    assert Judgements.from_rows(unit, rater, np.zeros(n, dtype=int)).n_judgements == n
    with pytest.raises(InputError, match="rows 1 and 20001"):
        Judgements.from_rows(np.append(unit, 0), np.append(rater, 0), np.zeros(n + 1, dtype=int))


def test_columns_say_where_rows_came_from() -> None:
    columns = encode(["u", "u"]), encode(["a", "a"]), encode(["x", "y"])
    with pytest.raises(InputError, match=r"study\.csv: rows 7 and 9"):
        Judgements.from_columns(*columns, row_numbers=np.array([7, 9]), file="study.csv")


def test_a_contingency_table_is_two_raters() -> None:
    data = Judgements.from_contingency([[2.0, 1.0], [0.0, 3.0]], ["yes", "no"], raters=("ann", "bob"))
    assert (data.n_units, data.raters, data.n_judgements) == (6, ("ann", "bob"), 12)
    assert tally(data).pairs.tables()[0].tolist() == [[2, 1], [0, 3]]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2]], "1×2 for 2 categories"),
        ([[1, -2], [0, 1]], "negative count"),
        ([[1.5, 2], [0, 1]], "whole numbers"),
        ([[nan, 2], [0, 1]], "whole numbers"),
        ([["a", 2], [0, 1]], "whole numbers"),
    ],
)
def test_contingency_tables_that_are_refused(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Judgements.from_contingency(table, ["yes", "no"])


@pytest.mark.parametrize("as_rows", [False, True])
def test_some_raters_in_another_order(as_rows: bool) -> None:
    data = Judgements.from_matrix([[1, 2, 3], [2, 2, 1]], raters=["a", "b", "c"], level="nominal")
    if as_rows:
        data = Judgements.from_rows(
            [1, 1, 1, 2, 2, 2], list("abcabc"), [1, 2, 3, 2, 2, 1], level="nominal", categories=[1, 2, 3]
        )
    part = data.with_raters(["c", "a"])
    assert (part.raters, part.n_judgements) == (("c", "a"), 4)
    expected = Judgements.from_matrix([[3, 1], [1, 2]], raters=["c", "a"], level="nominal", categories=[1, 2, 3])
    assert tally(part).fingerprint == tally(expected).fingerprint
    with pytest.raises(InputError, match="no rater 'd'"):
        data.with_raters(["d"])


def test_a_matrix_with_rows_of_different_length_is_refused() -> None:
    with pytest.raises(InputError, match="the rows differ in length; write None where a judgement is missing"):
        Judgements.from_matrix([[1, 2], [1]])
