"""Agreement by category and by unit."""

import numpy as np
import pytest

from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import by_category, by_unit, can_split, evaluate
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements

MATRIX = [["a", "a", "b"], ["b", "b", "b"], ["c", "a", "c"], ["a", "a", "a"], ["c", "c", ""]]


@pytest.mark.parametrize("key", ["fleiss", "alpha", "conger", "ac1"])
def test_a_category_against_the_rest_is_the_measure_on_two_categories(key: str) -> None:
    data = Judgements.from_matrix(MATRIX, level="nominal", categories=["a", "b", "c", "d"])
    found = by_category(CATALOGUE[key], tally(data), Options(weights="identity"))
    merged = [["" if v == "" else "a" if v == "a" else "z" for v in row] for row in MATRIX]
    expected = evaluate(CATALOGUE[key], tally(Judgements.from_matrix(merged, level="nominal")))
    assert float(found["a"]) == pytest.approx(float(expected))
    assert list(found) == ["a", "b", "c", "d"]


def test_an_unused_category_has_a_reason() -> None:
    data = tally(Judgements.from_matrix(MATRIX, level="nominal", categories=["a", "b", "c", "d"]))
    assert "one category" in str(by_category(CATALOGUE["fleiss"], data)["d"].reason)


def test_correlations_have_no_categories() -> None:
    data = tally(Judgements.from_matrix([[1, 2], [2, 2]], level="ordinal"))
    assert not can_split(CATALOGUE["spearman"], data)
    with pytest.raises(InputError, match="spearman has no value for each category"):
        by_category(CATALOGUE["spearman"], data)


def test_agreement_on_each_unit() -> None:
    rows = by_unit(Judgements.from_matrix([*MATRIX, ["b", "", ""], ["", "", ""]], level="nominal")).rows()
    assert [row["agreement"] for row in rows] == [pytest.approx(1 / 3), 1, pytest.approx(1 / 3), 1, 1, None]
    assert [row["n_judgements"] for row in rows] == [3, 3, 3, 3, 2, 1]
    assert [row["unit"] for row in rows] == ["1", "2", "3", "4", "5", "6"]


def test_units_keep_their_names_and_may_get_partial_credit() -> None:
    data = Judgements.from_rows(["u", "u", "v"], ["x", "y", "x"], [1, 2, 3], level="ordinal")
    found = by_unit(data, "linear")
    assert list(found.units) == ["u", "v"]
    assert found.agreement[0] == pytest.approx(0.5)


def test_units_of_continuous_scores_are_refused() -> None:
    with pytest.raises(InputError, match="needs categories"):
        by_unit(Judgements.from_matrix(np.linspace(0, 1, 3000).reshape(-1, 2)))
