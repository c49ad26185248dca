"""Clusters of units, reduced to bundles of patterns."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concordant.engines.bundles import bundled
from concordant.engines.tally import tally, with_raters
from concordant.model.judgements import Judgements
from concordant.randomness import generator


def test_equal_clusters_become_one_bundle() -> None:
    cluster, pattern = np.array([0, 0, 1, 1, 2]), np.array([3, 1, 1, 3, 1])
    found = bundled("texts", cluster, pattern, np.ones(5))
    assert found.n_clusters == 3
    assert found.times.tolist() == [1, 2]
    assert found.weights(found.times, 4).tolist() == [0, 3, 0, 2]
    assert found.weights(np.array([[1.0, 0.0], [0.0, 1.0]]), 4).tolist() == [[0, 1, 0, 0], [0, 1, 0, 1]]


def test_groups_gather_what_their_clusters_hold() -> None:
    found = bundled("texts", np.array([0, 0, 1]), np.array([3, 1, 1]), np.ones(3))
    group, bundle = np.array([0, 0, 1]), np.array([0, 1, 1])
    assert found.gathered(group, bundle, (2, 5)).tolist() == [[0, 2, 0, 1, 0], [0, 1, 0, 1, 0]]


def test_clusters_of_one_are_units_in_their_order() -> None:
    pattern = np.array([2, 0, 2, 1])
    found = bundled("texts", np.arange(4), pattern, np.ones(4))
    assert found.times.tolist() == [1, 1, 2]
    assert found.pattern.tolist() == found.bundle.tolist() == [0, 1, 2]


def test_patterns_that_merge_or_vanish_change_the_bundles() -> None:
    found = bundled("texts", np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2]), np.ones(4))
    moved = found.moved(np.array([0, 0, -1]))
    assert moved.n_clusters == 2
    assert moved.weights(np.ones(len(moved.times)), 1).tolist() == [3]


def test_no_units_have_no_bundles() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert bundled("texts", nothing, nothing, np.zeros(0)).n_clusters == 0


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=2), st.integers(0, 99))
def test_order_of_units_and_names_of_clusters_do_not_matter(rows: list[tuple[int, int, int]], seed: int) -> None:
    labels, cells = [f"c{row[0]}" for row in rows], [row[1:] for row in rows]
    order = generator(seed).permutation(len(rows)).tolist()
    one = tally(Judgements.from_matrix(cells, level="nominal").with_clusters(labels)).bundles
    shuffled = Judgements.from_matrix([cells[i] for i in order], level="nominal")
    two = tally(shuffled.with_clusters([f"other {labels[i]}" for i in order])).bundles
    assert one is not None
    assert two is not None
    for name in ("bundle", "pattern", "n", "times"):
        assert getattr(one, name).tolist() == getattr(two, name).tolist()


def test_fewer_raters_keep_the_clusters_of_what_they_judged() -> None:
    cells = [["a", "b", ""], ["", "b", "b"], ["", "", "a"], ["a", "a", "a"]]
    judged = Judgements.from_matrix(cells, level="nominal", missing=[""])
    data = tally(judged.with_clusters(["x", "x", "y", "z"], "texts"))
    assert data.bundles is not None
    assert data.bundles.n_clusters == 3
    part = with_raters(data, ["rater 1", "rater 2"])
    assert part.bundles is not None
    assert part.bundles.n_clusters == 2
    assert part.bundles.weights(part.bundles.times, len(part.patterns.weights)).tolist() == (
        part.patterns.weights.tolist()
    )
