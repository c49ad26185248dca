"""The scatter: concordance counted in tables and in n log n equals counting every pair of units."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.engines import scatter as module
from concordant.engines.scatter import per_pair, scatter
from concordant.engines.tally import tally
from concordant.model.judgements import Judgements

values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30)


def discordant(first: np.ndarray, second: np.ndarray) -> int:
    """Every pair of units, one by one."""
    opposite = np.sign(np.subtract.outer(first, first)) * np.sign(np.subtract.outer(second, second)) < 0
    return int(opposite.sum()) // 2


@pytest.mark.parametrize("most_empty", [0, 4, 1000], ids=["points", "either", "tables"])
@given(rows=values)
@settings(max_examples=100)
def test_discordant_pairs_equal_brute_force(most_empty: int, rows: list[tuple[int, int, int]]) -> None:
    matrix = np.array(rows)
    pairs = tally(Judgements.from_matrix(matrix, level="ordinal")).pairs
    expected = [discordant(matrix[:, i], matrix[:, j]) for i, j in pairs.pairs.tolist()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_EMPTY", most_empty)
        assert scatter(pairs).discordant.tolist() == expected


def test_many_different_scores_are_never_put_into_a_table() -> None:
    random = np.random.default_rng(3)
    scores = random.normal(size=(1200, 2))
    found = scatter(tally(Judgements.from_matrix(scores, level="interval")).pairs)
    assert found.table is None
    assert found.discordant.tolist() == [discordant(*scores.T)]
    ranks = found.midranks(found.ties[0])
    np.testing.assert_array_equal(ranks, np.arange(1, 1201))


@pytest.mark.parametrize("most_empty", [0, 4], ids=["points", "tables"])
def test_ties_share_their_mean_rank(most_empty: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EMPTY", most_empty)
    found = scatter(tally(Judgements.from_matrix([[1, 1], [1, 2], [2, 3], [3, 3]], level="ordinal")).pairs)
    assert found.midranks(found.ties[0]).tolist() == [1.5, 1.5, 3, 4]
    assert found.midranks(found.ties[1]).tolist() == [1, 2, 3.5, 3.5]
    assert [found.tied(rater, power=0).tolist() for rater in (0, 1)] == [[3], [3]]
    assert [found.tied(rater, power=2).tolist() for rater in (0, 1)] == [[6], [6]]
    assert found.varies(found.first).tolist() == [True]


@pytest.mark.parametrize("cells", [1, 1 << 20])
def test_blocks_do_not_change_the_numbers(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_CELLS", cells)
    pairs = tally(Judgements.from_matrix([[1, 2, 1], [2, 1, 3], [3, 3, 2], [1, 1, 1]], level="ordinal")).pairs
    batch = pairs.reweighted(np.stack([pairs.weights, pairs.weights * 3]))
    found = per_pair(batch, lambda points: points.discordant)
    np.testing.assert_array_equal(found[1], found[0] * 9)
