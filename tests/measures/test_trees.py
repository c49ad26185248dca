"""Parseval, Leaf-Ancestor and EDM as results."""

import numpy as np
import pytest

from assent.measures.trees import TREE_MEASURES, f_statistic, leaf_ancestor, parseval
from assent.treebank.trees import Counts

ROWS = [Counts(15, 17, 17), Counts(2, 2, 4), None]


def test_micro_macro_precision_recall_and_coverage() -> None:
    found = parseval(ROWS, ("a", "b"))
    assert found.value == pytest.approx(2 * 17 / 40)
    assert found.details["macro"] == pytest.approx((15 / 17 + 4 / 6) / 2)
    assert (found.details["precision"], found.details["recall"]) == (pytest.approx(17 / 21), pytest.approx(17 / 19))
    assert found.details["coverage"] == pytest.approx(2 / 3)
    assert (found.n_units, found.n_dropped) == (2, 1)


def test_leaf_ancestor_pools_words() -> None:
    found = leaf_ancestor([Counts(1.5, 2, 2), Counts(8, 8, 8)], ("a", "b"))
    assert found.value == pytest.approx(9.5 / 10)
    assert found.details["macro"] == pytest.approx((0.75 + 1) / 2)


@pytest.mark.parametrize("key", list(TREE_MEASURES))
def test_nothing_to_compare_is_undefined_with_the_reason(key: str) -> None:
    found = TREE_MEASURES[key]([None, None], ("a", "b"))
    assert (found.value, found.reason) == (None, "no sentence has two analyses that can be compared")


def test_the_statistic_of_every_sentence_once_is_the_value() -> None:
    known = [row for row in ROWS if row is not None]
    assert f_statistic(known)(np.ones((1, 2)))[0] == pytest.approx(parseval(ROWS, ("a", "b")).value)
