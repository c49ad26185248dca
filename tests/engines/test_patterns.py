"""Patterns: every path gives the same ones."""

import numpy as np
import pytest

from concordant.engines.patterns import Patterns, find_patterns, units_as_patterns
from concordant.model.judgements import Judgements


def as_set(found: Patterns) -> set[tuple[tuple[tuple[int, int], ...], float]]:
    """Each pattern as its (rater, code) pairs, with its weight."""
    members: list[list[tuple[int, int]]] = [[] for _ in found.weights]
    for p, rater, code in zip(found.pattern.tolist(), found.rater.tolist(), found.code.tolist(), strict=True):
        members[p].append((rater, code))
    return {(tuple(entries), weight) for entries, weight in zip(members, found.weights.tolist(), strict=True)}


def test_equal_units_are_one_pattern_and_silent_units_none() -> None:
    data = Judgements.from_matrix(np.array([[1, 2], [1, 2], [2, np.nan], [np.nan, np.nan]]), level="nominal")
    found = find_patterns(data)
    assert as_set(found) == {(((0, 0), (1, 1)), 2), (((0, 1),), 1)}
    assert sorted(found.sizes.tolist()) == [1, 2]


def test_rows_give_the_patterns_of_the_grid() -> None:
    random = np.random.default_rng(1)
    matrix = random.integers(1, 4, size=(200, 3))
    grid = find_patterns(Judgements.from_matrix(matrix, level="nominal"))
    unit, rater = np.indices(matrix.shape)
    rows = Judgements.from_rows(unit.ravel(), rater.ravel(), matrix.ravel(), level="nominal")
    assert as_set(find_patterns(rows)) == as_set(grid)


@pytest.mark.parametrize(("n_raters", "n_categories"), [(30, 5), (12, 9), (3, 300)])
def test_wide_patterns_do_not_overflow(n_raters: int, n_categories: int) -> None:
    """Patterns that fit no 63-bit number are sorted as whole rows; long numbers are counted by sorting."""
    random = np.random.default_rng(2)
    half = random.integers(0, n_categories, size=(50, n_raters))
    data = Judgements.from_matrix(np.concatenate([half, half]), level="nominal")
    found = find_patterns(data)
    assert len(found.weights) == 50
    assert set(found.weights.tolist()) == {2}
    alone = units_as_patterns(data.rows(), data.n_units)
    assert {entries for entries, _ in as_set(alone)} == {entries for entries, _ in as_set(found)}


def test_a_crowd_keeps_a_pattern_per_unit() -> None:
    unit, rater = np.repeat(np.arange(100), 2), np.arange(200) % 150
    data = Judgements.from_rows(unit, rater, np.zeros(200, dtype=int), level="nominal")
    assert len(find_patterns(data).weights) == 100


def test_continuous_scores_keep_their_numbers() -> None:
    scores = np.linspace(0, 1, 3000).reshape(-1, 2)
    found = find_patterns(Judgements.from_matrix(scores, level="interval"))
    assert found.code.dtype == np.float64
    assert len(found.weights) == 1500
