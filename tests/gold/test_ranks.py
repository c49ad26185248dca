"""Scores and ranks within items, and a system beside them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata, spearmanr

from concordant.errors import InputError
from concordant.gold.ranks import rank, rank_responses
from concordant.gold.systems import compare_system, rank_within
from concordant.model.columns import encode
from concordant.randomness import generator

WEIGHTS = {"core": 0.6, "form": 0.4}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=40))
def test_ranks_are_those_of_scipy_within_each_item(rows: list[tuple[int, int]]) -> None:
    item = np.array([i for i, _ in rows], dtype=np.int64)
    scores = np.array([s for _, s in rows], dtype=np.float64)
    found = rank_within(item, scores)
    for one in set(item.tolist()):
        mine = item == one
        assert found[mine].tolist() == rankdata(-scores[mine], method="min").astype(int).tolist()


def test_a_responses_file(tmp_path: Path) -> None:
    path = tmp_path / "responses.csv"
    path.write_text("item,response,core,form\n1,a,1,1\n1,b,0,1\n1,c,0,1\n2,d,1,0\n", encoding="utf-8")
    found = rank_responses(path, weights=WEIGHTS).ranking
    assert found.scores.tolist() == [pytest.approx(1.0), pytest.approx(0.4), pytest.approx(0.4), pytest.approx(0.6)]
    assert found.ranks.tolist() == [1, 2, 2, 1]
    with pytest.raises(InputError, match="no column for the feature 'style'"):
        rank_responses(path, weights={"style": 1.0})


def test_a_system_is_compared_item_by_item() -> None:
    random = generator(1)
    features = random.integers(0, 2, (60, 2)).astype(np.float64)
    items = encode(np.repeat(["one", "two", "flat"], 20))
    features[40:] = 1.0
    ranking = rank(None, items, features, WEIGHTS)
    system = features @ np.array([0.5, 0.5]) + random.normal(0, 0.2, 60)
    found = compare_system(ranking, "mine", system)
    for part, start in zip(found.items[:2], (0, 20), strict=True):
        scores, theirs = ranking.scores[start : start + 20], system[start : start + 20]
        assert part.spearman.value == pytest.approx(spearmanr(scores, theirs).statistic)
        assert part.tau_b.value == pytest.approx(kendalltau(scores, theirs).statistic)
    assert found.n_undefined == 1
    assert found.items[2].spearman.reason is not None
    assert found.mean_spearman == pytest.approx(np.mean([part.spearman.value for part in found.items[:2]]))
