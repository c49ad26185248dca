"""Sample sizes by power: formulas, exact tests, simulations."""

import json
from math import ceil, log
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from concordant import sample_size
from concordant.errors import InputError
from concordant.measures.kappas import kappa
from concordant.model.judgements import Judgements
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.sample_sizes import kappa_variance, power_of_scores
from tests.cli.running import run


@pytest.mark.parametrize(("null", "expected", "raters"), [(0.6, 0.8, 3), (0.2, 0.5, 2), (0.7, 0.8, 4), (0, 0.3, 5)])
def test_scores_take_as_many_as_the_formula_says(null: float, expected: float, raters: int) -> None:
    """Walter, Eliasziw & Donner (1998): n = 1 + 2 (z_α + z_β)² k / ((ln C)² (k - 1)), an approximation."""
    found = sample_size("icc1", null=null, expected=expected, raters=raters)
    theta = [1 + raters * rho / (1 - rho) for rho in (null, expected)]
    formula = 1 + 2 * (1.644854 + 0.841621) ** 2 * raters / (log(theta[0] / theta[1]) ** 2 * (raters - 1))
    assert found.units == pytest.approx(formula, abs=2)
    assert power_of_scores(found.units, null, expected, 0.05, raters) >= 0.8
    assert power_of_scores(found.units - 1, null, expected, 0.05, raters) < 0.8


def test_the_variance_of_kappa_is_the_published_one() -> None:
    """A table in the expected proportions has the analytic error of the measure."""
    shares, value, n = np.array([0.5, 0.3, 0.2]), 0.6, 1000
    table = n * ((1 - value) * np.outer(shares, shares) + value * np.diag(shares))
    data = Judgements.from_contingency(np.round(table).astype(int).tolist(), ["a", "b", "c"])
    found = measure(data, kappa.key, ci="analytic")
    assert found.interval is not None
    half = found.interval.width / 2 / 1.959964
    assert half == pytest.approx((kappa_variance(value, shares) / n) ** 0.5, rel=0.01)


@pytest.mark.parametrize("power", [0.6, 0.8, 0.95])
@pytest.mark.parametrize(("null", "expected"), [(0.0, 0.4), (0.2, 0.9), (0.6, 0.8)])
def test_two_even_categories_have_a_closed_form(null: float, expected: float, power: float) -> None:
    """Then n times the variance is 1 - kappa², so the whole formula can be written in one line."""
    at = NormalDist().inv_cdf
    root = (at(0.95) * (1 - null**2) ** 0.5 + at(power) * (1 - expected**2) ** 0.5) / (expected - null)
    assert sample_size("kappa", null=null, expected=expected, power=power).units == ceil(root**2)


@pytest.mark.slow
def test_the_test_has_that_power() -> None:
    found = sample_size("kappa", null=0.4, expected=0.7, shares=(0.7, 0.3))
    random, shares = np.random.default_rng(1), np.array([0.7, 0.3])
    table = (0.3 * np.outer(shares, shares) + 0.7 * np.diag(shares)).ravel()
    error = (kappa_variance(0.4, shares) / found.units) ** 0.5
    hits = 0
    for counts in random.multinomial(found.units, table, size=2000):
        square = counts.reshape(2, 2) / found.units
        chance = square.sum(axis=1) @ square.sum(axis=0)
        hits += (np.trace(square) - chance) / (1 - chance) > 0.4 + 1.644854 * error
    assert hits / 2000 == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(
    "wrong",
    [
        {"measure": "alpha"},
        {"power": 1.0},
        {"significance": 1.0},
        {"significance": 0.0},
        {"null": 0.7},
        {"expected": 1.0},
        {"expected": 1.5},
        {"raters": 3},
        {"shares": (0.5, 0.4)},
        {"measure": "icc1", "shares": (0.5, 0.5)},
        {"measure": "icc1", "raters": 1},
        {"measure": "icc1", "null": 0.5, "expected": 0.5001},
    ],
)
def test_what_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        sample_size(**{"measure": "kappa", "null": 0.4, "expected": 0.6, **wrong})


def test_the_command_says_it_in_a_sentence() -> None:
    words = ("power", "kappa", "--null", ".4", "--expected", ".6")
    assert "units: a one-sided test at 0.05 has power 0.8" in run(*words).stdout
    assert json.loads(run(*words, "--shares", ".7,.3", "--json").stdout)["shares"] == [0.7, 0.3]
    assert "no shares" in run(*words, "--shares", "x", code=2).stderr


@pytest.mark.parametrize("shares", [(1.0,), (1.0, 0.0), (1.5, -0.5), (0.5, 0.4)])
def test_shares_that_are_none_are_refused(shares: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="must be above 0 and add up to 1"):
        sample_size("kappa", null=0.4, expected=0.6, shares=shares)
