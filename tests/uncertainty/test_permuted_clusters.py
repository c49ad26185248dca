"""Permutation tests of units that belong together."""

from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from concordant.engines.bundles import bundled, units_in_clusters
from concordant.engines.tally import Tally, tally
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.resampling import shuffled_clusters
from concordant.uncertainty.significance import above_chance, unit_groups_differ


def judged(cells: NDArray[np.int64], cluster: NDArray[np.int64] | None = None) -> Tally:
    data = Judgements.from_matrix(cells, level="nominal", categories=[0, 1])
    return tally(data if cluster is None else data.with_clusters(cluster, "texts"))


def draw(random: np.random.Generator, n: int, agree: float) -> NDArray[np.int64]:
    first = random.integers(0, 2, n)
    return np.stack([first, np.where(random.random(n) < agree, first, 1 - first)], axis=1)


def test_units_come_back_from_their_clusters() -> None:
    random = np.random.default_rng(1)
    data = judged(draw(random, 30, 0.7), random.integers(0, 9, 30))
    assert data.bundles is not None
    apart, cluster = units_in_clusters(data.patterns, data.bundles)
    assert len(apart.weights) == 30
    assert len(np.unique(cluster)) == data.bundles.n_clusters
    said = sorted(map(tuple, apart.code.reshape(-1, 2).tolist()))
    assert len(said) == 30
    assert float(measure(judged(np.array(said)), "kappa").value or 0) == pytest.approx(float(measure(data, "kappa")))


def test_what_a_rater_said_of_a_cluster_stays_together() -> None:
    bundles = bundled("texts", np.array([0, 0, 1, 1, 2]), np.array([0, 0, 1, 1, 1]), np.ones(5))
    data = judged(np.array([[0, 0]] * 2 + [[1, 1]] * 3))
    apart, cluster = units_in_clusters(data.patterns, bundles)
    for moved in islice(shuffled_clusters(apart, cluster, [0, 1], generator(1)), 20):
        for rater in (0, 1):
            of = [moved.code[(moved.rater == rater) & (cluster == c)].tolist() for c in np.unique(cluster)]
            assert all(len(set(one)) == 1 for one in of)
            assert sorted(map(len, of)) == [1, 2, 2]
            assert len({one[0] for one in of if len(one) == 2}) == 2


def test_copies_inside_a_cluster_are_no_evidence() -> None:
    random = np.random.default_rng(2)
    one, two = draw(random, 15, 0.9), draw(random, 15, 0.55)
    copies = np.repeat(np.arange(15), 8)
    plain = unit_groups_differ(judged(one, np.arange(15)), judged(two, np.arange(15)), "kappa", seed=1)
    copied = unit_groups_differ(judged(one[copies], copies), judged(two[copies], copies), "kappa", seed=1)
    assert copied.statistic == pytest.approx(plain.statistic)
    assert copied.p == pytest.approx(plain.p, abs=0.03)
    assert "two groups of texts" in copied.method
    alone = unit_groups_differ(judged(one[copies]), judged(two[copies]), "kappa", seed=1)
    assert alone.p < copied.p


def test_chance_moves_clusters_as_a_whole() -> None:
    """Copies of ten units whose raters agree on six: judged one by one that looks like much."""
    cells = np.array([[0, 0]] * 4 + [[1, 1]] * 4 + [[0, 1], [1, 0]])
    copies = np.repeat(np.arange(10), 12)
    apart = above_chance(judged(cells[copies]), "kappa", permutations=199, seed=1)
    together = above_chance(judged(cells[copies], copies), "kappa", permutations=199, seed=1)
    assert apart.p == pytest.approx(0.01)
    assert together.p > 0.05
    assert "shuffled over texts" in together.method
    assert not together.is_exact
    found = measure(judged(cells[copies], copies), "kappa", permutations=199, seed=1)
    assert found.details["chance_test"]["p"] == together.p
