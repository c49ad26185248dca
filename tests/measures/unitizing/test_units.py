"""Weights that cannot be, and matrices from tables."""

from typing import Any

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.measures.gamma import options
from concordant.measures.unitizing.evidence import dissimilarity_of
from concordant.measures.unitizing.units import Dissimilarity, Units, matrix_between, ordinal_matrix
from tests.measures.test_gamma import make

TABLE = [["", "a", "b"], ["a", "0", "0.5"], ["b", "0.5", "0"]]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"beta": -1.0}, "beta"),
        ({"delta_empty": 0.0}, "delta_empty"),
        ({"alpha": np.inf}, "alpha"),
    ],
)
def test_weights_that_cannot_be_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Dissimilarity(**given)


def test_the_slides_examples() -> None:
    units = Units.of(make([(0.0, 10.0, "a")], [(5.0, 15.0, "b")]))
    chosen = Dissimilarity(alpha=2.0, beta=3.0, delta_empty=0.5)
    one, two = np.array([0]), np.array([1])
    assert chosen.positional(units, one, two)[0] == pytest.approx((10 / 20) ** 2 * 0.5)
    assert chosen.categorical(units, one, two)[0] == 0.5
    assert chosen.combined(units, one, two)[0] == pytest.approx(2 * 0.125 + 3 * 0.5)


def test_a_matrix_is_put_in_the_order_of_the_categories() -> None:
    assert matrix_between(TABLE, ("b", "a")).tolist() == [[0, 0.5], [0.5, 0]]
    chosen = options(matrix="file.csv", table=tuple(map(tuple, TABLE)))
    found = dissimilarity_of(make([(0.0, 1.0, "a")], [(0.0, 1.0, "b")]), chosen).matrix
    assert found is not None
    assert found[0, 1] == 0.5


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([["", "a", "b"], ["b", "0", "1"], ["a", "1", "0"]], "different categories"),
        ([["", "a"], ["a", "0"]], "'b' is not in the matrix"),
        ([["", "a", "b"], ["a", "0", "x"], ["b", "1", "0"]], "'x' is not a dissimilarity"),
        ([["", "a", "b"], ["a", "0", "0.5", "1"], ["b", "0.5", "0", "1"]], "not square"),
        ([["", "a", "b"], ["a", "0", "0.5"], ["b", "0.4", "0"]], "symmetric"),
        ([["", "a", "b"], ["a", "1", "0.5"], ["b", "0.5", "0"]], "symmetric"),
    ],
)
def test_matrices_that_cannot_be_are_refused(table: list[list[str]], words: str) -> None:
    with pytest.raises(InputError, match=words):
        matrix_between(table, ("a", "b"), file="matrix.csv")


def test_a_single_rank_has_no_distance() -> None:
    assert ordinal_matrix(["a"], ["a"]).tolist() == [[0.0]]
