"""Errors of correlations against other ways to compute them: differences, the formulas as printed, exact cut-offs."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.tally import Tally, tally
from concordant.measures import standard_errors
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate, resample
from concordant.measures.spec import DEFAULTS, Computed, Setting, StandardError
from concordant.model.judgements import Judgements
from concordant.uncertainty.estimate import measure

TABLE = np.array([[10, 5, 2, 0], [8, 9, 5, 0], [3, 3, 12, 0], [1, 0, 4, 0]])
"""The second rater never gives the last value, so the raters use four and three values."""
Z = 1.959963984540054


def error_of(data: Tally, key: str) -> StandardError | str:
    found = Computed(
        key=key,
        data=data,
        setting=Setting(data=data, options=DEFAULTS),
        value=float(evaluate(CATALOGUE[key], data)),
        expected=0.0,
        confidence=0.95,
    )
    published: Any = CATALOGUE[key].standard_error
    answer: StandardError | str = published(found)
    return answer


def number(data: Tally, key: str) -> float:
    answer = error_of(data, key)
    assert isinstance(answer, StandardError)
    return answer.error


def by_differences(data: Tally, key: str) -> float:
    """The delta method with derivatives taken by moving every pattern's weight a little to both sides."""
    view, step = CATALOGUE[key].look(data), 1e-4
    weights: Floats = view.weights
    moved = np.concatenate([weights + step * np.eye(len(weights)), weights - step * np.eye(len(weights))])
    up, down = np.split(resample(CATALOGUE[key], view.reweighted(moved), data), 2)
    return float(np.sqrt(weights @ ((up - down) / (2 * step)) ** 2))


@pytest.mark.parametrize("table", [TABLE, TABLE.T], ids=["as given", "raters exchanged"])
@pytest.mark.parametrize("key", ["gk_gamma", "tau_b", "tau_c", "somers_d"])
def test_errors_of_orders_are_those_of_the_delta_method(key: str, table: NDArray[np.int64]) -> None:
    data = tally(Judgements.from_contingency(table, ["1", "2", "3", "4"], level="ordinal"))
    assert number(data, key) == pytest.approx(by_differences(data, key), rel=1e-5)


def scores(n: int, shift: float = 0.4) -> Floats:
    random = np.random.default_rng(n)
    truth = random.normal(size=n)
    return np.stack([truth + 0.6 * random.normal(size=n), shift + 1.2 * truth + 0.6 * random.normal(size=n)], axis=1)


@pytest.mark.parametrize("n", [4, 5, 30])
@pytest.mark.parametrize("key", ["pearson", "spearman"])
def test_fishers_z_from_four_units_on(key: str, n: int) -> None:
    cells = np.array([[1, 2], [2, 1], [3, 5], [4, 3]]) if n == 4 else scores(n)
    result = measure(Judgements.from_matrix(cells, level="interval"), key, ci="analytic")
    value = float(result)
    spread = (1 + value**2 / 2 if key == "spearman" else 1) / (n - 3)
    assert result.interval is not None
    ends = np.tanh(np.arctanh(value) + Z * np.sqrt(spread) * np.array([-1, 1]))
    assert [result.interval.low, result.interval.high] == pytest.approx(list(ends))


@pytest.mark.parametrize("n", [3, 4, 40])
@pytest.mark.parametrize("shift", [0.0, 0.4, 2.0])
def test_lins_error_as_it_is_printed(n: int, shift: float) -> None:
    """Of the coefficient itself, divided by 1 - ρ² to be that of Fisher's z."""
    x, y = scores(n, shift).T
    value = float(measure(Judgements.from_matrix(scores(n, shift), level="interval"), "lin_ccc", ci="none"))
    s_x, s_y = x.std(), y.std()
    r, u = np.corrcoef(x, y)[0, 1], (x.mean() - y.mean()) / np.sqrt(s_x * s_y)
    assert value == pytest.approx(2 * r * s_x * s_y / (s_x**2 + s_y**2 + (x.mean() - y.mean()) ** 2))
    whole = (1 - r**2) * value**2 * (1 - value**2) / r**2
    whole += 2 * value**3 * (1 - value) * u**2 / r - value**4 * u**4 / (2 * r**2)
    expected = np.sqrt(max(whole, 0) / (n - 2)) / (1 - value**2)
    assert number(tally(Judgements.from_matrix(scores(n, shift), level="interval")), "lin_ccc") == pytest.approx(
        expected
    )


def test_a_coefficient_of_zero_by_a_constant_rater_has_no_lin_interval() -> None:
    result = measure(
        Judgements.from_matrix([[1, 2], [1, 3], [1, 1], [1, 5]], level="interval"), "lin_ccc", ci="analytic"
    )
    assert result.value == 0
    assert result.interval is None


def test_a_table_may_have_so_many_cells_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tally(Judgements.from_contingency(TABLE, ["1", "2", "3", "4"], level="ordinal"))
    monkeypatch.setattr(standard_errors, "MOST_CELLS", 16)
    assert isinstance(error_of(data, "tau_b"), StandardError)
    monkeypatch.setattr(standard_errors, "MOST_CELLS", 15)
    assert error_of(data, "tau_b") == "no interval for tau_b of so many different values"
