"""Alpha: distances, names, continuous data, refusals."""

from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.measures import krippendorff
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements

ALPHA = CATALOGUE["alpha"]
SETS = [["a", "a+b"], ["b", "b"], ["a+b", "c"], ["c", "c"]]
RANDOM = np.random.default_rng(8)
SCORES = RANDOM.normal(10, 1, size=(800, 1)) + RANDOM.normal(0, 0.5, size=(800, 3))


def on(matrix: Any, level: str) -> Tally:
    return tally(Judgements.from_matrix(matrix, level=level))


def brute_force(matrix: np.ndarray, distance: Any) -> float:
    """Krippendorff's definition, every pair of values one by one; complete data."""
    n_raters = matrix.shape[1]
    within = np.mean([distance(a, b) for row in matrix for i, a in enumerate(row) for j, b in enumerate(row) if i != j])
    values = matrix.ravel()
    assert n_raters > 1
    among = sum(distance(a, b) for a in values for b in values) / (len(values) * (len(values) - 1))
    return float(1 - within / among)


@pytest.mark.parametrize(
    ("level", "distance"),
    [
        ("interval", lambda a, b: (a - b) ** 2),
        ("ratio", lambda a, b: ((a - b) / (a + b)) ** 2),
        ("circular", lambda a, b: np.sin(np.pi * (a - b) / 5) ** 2),
        ("bipolar", lambda a, b: 0 if a == b else (a - b) ** 2 / ((a + b - 2) * (10 - a - b))),
        ("nominal", lambda a, b: float(a != b)),
    ],
)
def test_equal_to_the_definition(level: str, distance: Any) -> None:
    matrix = np.vstack(
        [np.random.default_rng(9).integers(1, 6, size=(12, 3)), np.arange(1, 6).repeat(3).reshape(-1, 3)]
    )
    assert float(evaluate(ALPHA, on(matrix, level))) == pytest.approx(brute_force(matrix, distance))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (Options(), "MASI"),
        (Options(distance="jaccard"), "jaccard"),
        (Options(distance="nominal"), "nominal"),
        (Options(distance=1 - np.eye(4)), "given distance"),
    ],
)
def test_the_distance_is_in_the_name(options: Options, name: str) -> None:
    result = evaluate(ALPHA, on(SETS, "set"), options)
    assert result.value is not None
    assert result.name == f"Krippendorff's alpha ({name})"


def test_a_given_distance_of_ones_is_nominal() -> None:
    plain, given = (
        evaluate(ALPHA, on(SETS, "set"), Options(distance=d)) for d in ("nominal", np.asarray(1 - np.eye(4)))
    )
    assert float(plain) == pytest.approx(float(given))


@pytest.mark.parametrize(
    ("data", "distance", "message"),
    [
        (on(SETS, "set"), "jacard", "did you mean 'jaccard'"),
        (on([[1, 2], [2, 2]], "ordinal"), "masi", "compares sets"),
    ],
)
def test_distances_that_are_refused(data: Tally, distance: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(ALPHA, data, Options(distance=distance))


def test_continuous_interval_data_equal_categories() -> None:
    rounded = np.round(SCORES, 1)
    as_categories = evaluate(ALPHA, on(rounded, "interval"))
    assert not on(rounded, "interval").scale.is_continuous
    continuous = evaluate(ALPHA, on(np.vstack([rounded, np.linspace(9, 11, 3000).reshape(-1, 3)]), "interval"))
    assert float(as_categories) == pytest.approx(0.8, abs=0.05)
    assert continuous.value is not None


@pytest.mark.parametrize("distance", [None, "nominal"])
def test_continuous_ratio_data_compare_distinct_values(distance: str | None) -> None:
    level = "interval" if distance else "ratio"
    continuous = on(SCORES, level)
    listed = tally(Judgements.from_matrix(SCORES, level=level, categories=sorted(set(SCORES.ravel().tolist()))))
    assert continuous.scale.is_continuous
    one, two = (evaluate(ALPHA, data, Options(distance=distance)) for data in (continuous, listed))
    assert float(one) == pytest.approx(float(two))


def test_too_many_ratio_values_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(krippendorff, "MOST_VALUES", 10)
    with pytest.raises(InputError, match="too many for a ratio scale; round them"):
        evaluate(ALPHA, on(SCORES, "ratio"))


def scaled(factor: float, shift: float = 0.0) -> Agreement:
    return evaluate(ALPHA, on(np.array([[1.0, 2.0], [2.0, 2.0], [4.0, 3.0]]) * factor + shift, "interval"))


def test_the_unit_of_measurement_does_not_matter() -> None:
    assert float(scaled(1e-9)) == pytest.approx(float(scaled(1)))
    assert float(scaled(1e9)) == pytest.approx(float(scaled(1)))
    assert float(scaled(1, 1e6)) == pytest.approx(float(scaled(1)))


def test_one_value_written_with_a_rounding_error_is_undefined() -> None:
    data = Judgements.from_matrix([[0.3, 0.3], [0.3, 0.3]], level="interval", categories=[0.1, 0.2, 0.3])
    assert evaluate(ALPHA, tally(data)).value is None
