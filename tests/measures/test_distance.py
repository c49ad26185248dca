"""Distances and weights between categories."""

from typing import Any

import numpy as np
import pytest

from assent.errors import InputError
from assent.measures.distance import (
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
)
from assent.model.scale import Level, Scale

SETS = Scale(level=Level.SET, categories=("B", "E", "O", "B+E", "B+O", "E+O"))
ORDINAL = Scale(level=Level.ORDINAL, categories=("1", "2", "5"))


def test_weights_use_the_values() -> None:
    assert linear(ORDINAL.positions())[0].tolist() == [1, 0.75, 0]
    assert quadratic(ORDINAL.positions())[0].tolist() == [1, 1 - 1 / 16, 0]
    assert gwet_ordinal(ORDINAL.positions())[0].tolist() == [1, pytest.approx(2 / 3), 0]
    assert linear(np.array([3.0])).tolist() == [[1]]
    assert quadratic(np.zeros(0)).shape == (0, 0)


def test_sets_as_in_the_paper() -> None:
    """Boleda, Schulte im Walde & Badia (2009), Table III."""
    weights = set_weighted(SETS.members())
    assert weights[0, 3] == pytest.approx(2 / 3)
    assert weights[3, 4] == pytest.approx(1 / 3)
    assert weights[0, 1] == 0
    assert set_overlapping(SETS.members())[3].tolist() == [1, 1, 0, 1, 1, 1]


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
