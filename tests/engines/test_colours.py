"""An order of raters and patterns that depends on the judgements alone."""

import numpy as np
import pytest

from concordant.engines import colours
from concordant.engines.colours import canonical_order, rater_ranks
from concordant.engines.tally import tally
from concordant.model.judgements import Judgements


def ordered(cells: np.ndarray) -> list[list[object]]:
    """The judgements with raters and patterns in their canonical order, as nested lists."""
    data = tally(Judgements.from_matrix(cells, level="nominal", categories=["a", "b"]))
    patterns, rank = canonical_order(data.patterns, data.scale, len(data.raters))
    rows = [[rank[r], c, p] for r, c, p in zip(patterns.rater, patterns.code, patterns.pattern, strict=True)]
    return [sorted(rows), patterns.weights.tolist()]


@pytest.mark.parametrize(
    "cells",
    [
        [["a", "a", "b"], ["b", "a", "a"], ["a", "a", "a"]],
        [["a", "b", None, None], ["b", "a", None, None], [None, None, "a", "b"], [None, None, "b", "a"]],  # all alike
        [["a", "a", None], [None, "b", "b"], ["a", None, "a"]],
    ],
)
def test_columns_and_rows_may_stand_anywhere(cells: list[list[str | None]]) -> None:
    random, whole = np.random.default_rng(1), np.array(cells, dtype=object)
    expected = ordered(whole)
    for _ in range(20):
        rows, columns = random.permutation(len(whole)), random.permutation(whole.shape[1])
        assert ordered(whole[rows][:, columns]) == expected


def test_raters_get_places_without_gaps_also_without_judgements(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tally(Judgements.from_matrix([["a", "a"], ["b", "b"]], level="nominal"))
    assert sorted(rater_ranks(data.patterns, data.scale, 4).tolist()) == [0, 1, 2, 3]
    monkeypatch.setattr(colours, "MOST_WORK", 0)
    assert rater_ranks(data.patterns, data.scale, 2).tolist() == [0, 1]


def test_numbers_have_one_zero() -> None:
    one, two = (tally(Judgements.from_matrix([[zero, 1.5], [0.25, 2.5]], level="interval")) for zero in (0.0, -0.0))
    assert rater_ranks(one.patterns, one.scale, 2).tolist() == rater_ranks(two.patterns, two.scale, 2).tolist()
