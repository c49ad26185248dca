"""Both ways to match candidates save as much as scipy's dense assignment, on sparse, dense and tied candidates."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from assent.measures.unitizing import matching
from assent.measures.unitizing.matching import heaviest_matching
from assent.measures.unitizing.neighbours import Pairs

LIMIT = 2.0


def candidates(seed: int) -> Pairs:
    """Random candidates; every third time the dissimilarities are few, so that many matchings save the same."""
    random = np.random.default_rng(seed)
    rows, columns = random.integers(1, 9, 2)
    chosen = np.flatnonzero(random.random(rows * columns) < random.uniform(0.1, 1))
    d = random.integers(0, 4, len(chosen)) / 2 if seed % 3 == 0 else random.uniform(0, LIMIT, len(chosen))
    return Pairs(chosen // columns * 5, 100 + chosen % columns * 3, np.minimum(d, 1.999))


def saved(found: Pairs) -> dict[tuple[int, int], float]:
    """What each candidate saves."""
    return dict(zip(zip(found.u.tolist(), found.v.tolist(), strict=True), (LIMIT - found.d).tolist(), strict=True))


@pytest.mark.parametrize("few", [0, 64], ids=["scipy", "augmenting paths"])
def test_nothing_saves_more(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "FEW", few)
    for seed in range(600):
        given = candidates(seed)
        if len(given.u) == 0:
            continue
        table = np.zeros((9, 9))
        table[given.u // 5, (given.v - 100) // 3] = LIMIT - given.d
        u, v = heaviest_matching(given, LIMIT)
        assert len(set(u)) == len(u) == len(set(v)) == len(v)
        total = sum(saved(given)[int(a), int(b)] for a, b in zip(u, v, strict=True))
        assert total == pytest.approx(table[linear_sum_assignment(table, maximize=True)].sum(), abs=1e-12), seed
