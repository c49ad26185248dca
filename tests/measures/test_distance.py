"""Distances and weights between categories."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.errors import InputError
from concordant.measures import distance
from concordant.measures.distance import (
    bipolar_squared,
    circle_points,
    closeness_named,
    gwet_ordinal,
    jaccard,
    linear,
    masi,
    quadratic,
    ratio_squared,
    set_overlapping,
    set_weighted,
    tree_edit,
)
from concordant.model.scale import Level, Scale

SETS = Scale(level=Level.SET, categories=("B", "E", "O", "B+E", "B+O", "E+O"))
ORDINAL = Scale(level=Level.ORDINAL, categories=("1", "2", "5"))


def test_weights_use_the_values() -> None:
    assert linear(ORDINAL.positions())[0].tolist() == [1, 0.75, 0]
    assert quadratic(ORDINAL.positions())[0].tolist() == [1, 1 - 1 / 16, 0]
    assert gwet_ordinal(ORDINAL.positions())[0].tolist() == [1, pytest.approx(2 / 3), 0]
    assert gwet_ordinal(np.array([0.0])).tolist() == [[1]]
    assert linear(np.array([3.0])).tolist() == [[1]]
    assert quadratic(np.zeros(0)).shape == (0, 0)


def test_sets_as_in_the_paper() -> None:
    """Boleda, Schulte im Walde & Badia (2009), Table III."""
    weights = set_weighted(SETS.members())
    assert weights[0, 3] == pytest.approx(2 / 3)
    assert weights[3, 4] == pytest.approx(1 / 3)
    assert weights[0, 1] == 0
    assert set_overlapping(SETS.members())[3].tolist() == [1, 1, 0, 1, 1, 1]


def test_sets_of_one_class_agree_on_the_one_decision_there_is() -> None:
    assert set_weighted((frozenset("a"), frozenset())).tolist() == [[1, 0], [0, 1]]


def test_masi_and_jaccard() -> None:
    """Passonneau (2006): {a} against {a, b} has distance 2/3; two empty sets are the same."""
    members: tuple[frozenset[str], ...] = (frozenset("a"), frozenset("ab"), frozenset("bc"), frozenset(), frozenset())
    assert masi(members)[0, 1] == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert masi(members)[1, 2] == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert jaccard(members)[1, 2] == pytest.approx(2 / 3)
    assert masi(members)[3].tolist() == jaccard(members)[3].tolist() == [1, 1, 1, 0, 0]
    assert set_overlapping(members)[3, 4] == set_weighted(members)[3, 4] == 1


def test_squared_distances_of_numbers() -> None:
    positions = np.array([0.0, 1.0, 3.0])
    assert ratio_squared(positions)[1, 2] == pytest.approx(0.25)
    assert ratio_squared(positions)[0, 0] == 0
    assert bipolar_squared(positions)[0, 2] == pytest.approx(1)
    points = circle_points(np.array([0.0, 1.0, 2.0, 3.0]))
    assert ((points[:, 0] - points[:, 3]) ** 2).sum() == pytest.approx(np.sin(np.pi / 4) ** 2)
    assert circle_points(np.array([2.0])).shape == (2, 1)


@pytest.mark.parametrize(
    ("weights", "scale", "message"),
    [
        ("lineal", ORDINAL, "did you mean 'linear'"),
        ("linear", Scale(level=Level.NOMINAL, categories=("a", "b")), "need ordered categories"),
        (np.eye(2), ORDINAL, "2×2 for 3 categories"),
        (np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]]), ORDINAL, "not symmetric"),
        (np.full((3, 3), np.nan), ORDINAL, "not symmetric and finite"),
        (np.zeros((3, 3)), ORDINAL, "diagonal is not 1"),
    ],
)
def test_weights_that_are_refused(weights: Any, scale: Scale, message: str) -> None:
    with pytest.raises(InputError, match=message):
        closeness_named(weights, scale)


def test_weights_by_name_or_as_a_matrix() -> None:
    assert closeness_named("identity", ORDINAL).tolist() == np.eye(3).tolist()
    assert closeness_named("jaccard", SETS)[0, 3] == pytest.approx(0.5)
    assert closeness_named(np.eye(3), ORDINAL).tolist() == np.eye(3).tolist()
    assert closeness_named("linear", Scale(level=Level.CIRCULAR, categories=("1", "2", "3")))[0, 2] == 0


@pytest.mark.parametrize(
    ("kind", "rows"),
    [  # Gwet (2014) on 1, 2, 3, written out
        ("radical", [[1, 1 - 0.5**0.5, 0], [1 - 0.5**0.5, 1, 1 - 0.5**0.5], [0, 1 - 0.5**0.5, 1]]),
        ("ratio", [[1, 5 / 9, 0], [5 / 9, 1, 21 / 25], [0, 21 / 25, 1]]),
        ("circular", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("bipolar", [[1, 2 / 3, 0], [2 / 3, 1, 2 / 3], [0, 2 / 3, 1]]),
    ],
)
def test_gwets_other_weights(kind: str, rows: list[list[float]]) -> None:
    scale = Scale(level=Level.ORDINAL, categories=("1", "2", "3"))
    np.testing.assert_allclose(closeness_named(kind, scale), rows, atol=1e-12)
    alone = Scale(level=Level.ORDINAL, categories=("2",))
    assert closeness_named(kind, alone).tolist() == [[1]]


def test_ratio_weights_need_values_of_nothing_or_more() -> None:
    with pytest.raises(InputError, match="ratio weights need values of 0 or more"):
        closeness_named("ratio", Scale(level=Level.ORDINAL, categories=("-1", "0", "1")))


@cache
def forest_distance(first: tuple[Any, ...], second: tuple[Any, ...]) -> int:
    """The edit distance of two forests, straight from its definition (Zhang & Shasha 1989, lemma 3)."""
    if not first or not second:
        return sum(1 + forest_distance(below, ()) for _, below in (*first, *second))
    (label, below), (other, its) = first[-1], second[-1]
    least: int = min(
        forest_distance((*first[:-1], *below), second) + 1,
        forest_distance(first, (*second[:-1], *its)) + 1,
        forest_distance(first[:-1], second[:-1]) + forest_distance(below, its) + (label != other),
    )
    return least


def in_brackets(tree: tuple[str, tuple[Any, ...]]) -> str:
    return f"({tree[0]}{''.join(' ' + in_brackets(child) for child in tree[1])})"


TREES = st.recursive(
    st.tuples(st.sampled_from("abc"), st.just(())),
    lambda below: st.tuples(st.sampled_from("abc"), st.lists(below, max_size=3).map(tuple)),
    max_leaves=6,
)


@given(trees=st.lists(TREES, min_size=1, max_size=5, unique=True))
@settings(deadline=None)
def test_edits_of_trees_are_those_of_the_definition(trees: list[tuple[str, tuple[Any, ...]]]) -> None:
    found = tree_edit(tuple(map(in_brackets, trees)))
    assert found.tolist() == [[forest_distance((one,), (other,)) for other in trees] for one in trees]


def test_trees_in_several_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    some = tuple(f"(a{'(b)' * i}{'(c)' * (7 - i)})" for i in range(8))
    whole = tree_edit(some)
    tree_edit.cache_clear()
    monkeypatch.setattr(distance, "TOGETHER", 3)
    assert (tree_edit(some) == whole).all()
    monkeypatch.setattr(distance, "MOST_TREES", 7)
    tree_edit.cache_clear()
    with pytest.raises(InputError, match="8 different trees are too many"):
        tree_edit(some)


@pytest.mark.parametrize("written", ["yes", "(a", "a)", "(a) (b)", "", "(a (b)) c", ")"])
def test_what_is_no_tree(written: str) -> None:
    with pytest.raises(InputError, match="is no tree"):
        tree_edit((written,))
