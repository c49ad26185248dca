"""Degenerate data: a value or a reason for every measure, never NaN, never a traceback, never a warning."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import tally
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements

LEVELS = ("nominal", "ordinal", "interval", "ratio", "circular", "bipolar", "set")
nan = np.nan


def crowd(level: str) -> Judgements:
    """300 raters with four judgements each on 400 units, three per unit."""
    random = np.random.default_rng(4)
    unit = np.repeat(np.arange(400), 3)
    rater = (np.arange(1200) * 7 + unit) % 300
    values = random.integers(1, 4, size=1200)
    return Judgements.from_rows(unit, rater, values, level=level, categories=["1", "2", "3"])


def thousand_categories(level: str) -> Judgements:
    codes = np.arange(1000)
    return Judgements.from_matrix(np.stack([codes, np.roll(codes, 1), codes], axis=1), level=level)


DATA: dict[str, Callable[[str], Judgements]] = {
    "one category": lambda level: Judgements.from_matrix([[1, 1], [1, 1], [1, 1]], level=level),
    "one category of three": lambda level: Judgements.from_matrix([[1, 1], [1, 1]], level=level, categories=[1, 2, 3]),
    "one unit": lambda level: Judgements.from_matrix([[1, 2, 1]], level=level),
    "one rater": lambda level: Judgements.from_matrix([[1], [2], [1]], level=level),
    "a constant rater": lambda level: Judgements.from_matrix([[1, 1], [1, 2], [1, 3], [1, 1]], level=level),
    "all missing": lambda level: Judgements.from_matrix(np.full((3, 2), nan), level=level),
    "no units": lambda level: Judgements.from_matrix(np.zeros((0, 2)), level=level),
    "no raters": lambda level: Judgements.from_matrix(np.zeros((2, 0)), level=level),
    "no common unit": lambda level: Judgements.from_matrix(
        np.array([[1, nan], [2, nan], [nan, 1], [nan, 2]]), level=level
    ),
    "one common unit": lambda level: Judgements.from_matrix(np.array([[1, 2], [2, nan], [nan, 1]]), level=level),
    "a silent rater": lambda level: Judgements.from_matrix(
        np.array([[1, 2, nan], [2, 2, nan], [3, 1, nan]]), level=level
    ),
    "equal unit means": lambda level: Judgements.from_matrix([[1, 2], [2, 1], [1, 2]], level=level),
    "opposite raters": lambda level: Judgements.from_matrix([[1, 3], [2, 2], [3, 1]], level=level),
    "a thousand categories": thousand_categories,
    "a crowd": crowd,
}


def results(name: str, level: str) -> dict[str, Agreement]:
    data = tally(DATA[name](level))
    options = Options(weights="identity")
    return {
        key: evaluate(measure, data, options if key == "weighted_kappa" else Options())
        for key, measure in CATALOGUE.items()
    }


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", DATA)
def test_a_value_or_a_reason(name: str, level: str) -> None:
    for result in results(name, level).values():
        parts: list[Any] = [result.value, result.observed, result.expected]
        assert all(part is None or np.isfinite(part) for part in parts), result
        assert (result.value is None) != (result.reason is None)
        assert result.value is None or result.value <= 1 + 1e-9
        assert result.n_dropped >= 0


@pytest.mark.parametrize(
    ("name", "measure", "reason"),
    [
        ("one category", "kappa", "one and the same category"),
        ("one category", "fleiss", "all judgements are in one category"),
        ("one category", "alpha", "all pairable values are the same"),
        ("one category", "s", "the scale has one category"),
        ("one category", "conger", "one and the same category"),
        ("one unit", "tau_b", "judged one unit in common"),
        ("one unit", "icc1", "only one unit was judged by all 3 raters"),
        ("one rater", "kappa", "no unit was judged by two raters"),
        ("one rater", "pearson", "no unit was judged by two raters"),
        ("one rater", "kendall_w", "only one rater"),
        ("a constant rater", "tau_b", "rater rater 1 gave the same value to all units judged in common with rater 2"),
        ("a constant rater", "spearman", "rater rater 1 gave the same value"),
        ("all missing", "percent", "no unit was judged by two raters"),
        ("all missing", "icc_a1", "there are no judgements"),
        ("no common unit", "light", "no unit was judged by two raters"),
        ("no common unit", "icc_a1", "no unit was judged by all 2 raters"),
        ("one common unit", "gk_gamma", "judged one unit in common"),
        ("equal unit means", "icc1k", "the same mean score"),
        ("a crowd", "kendall_w", "no unit was judged by all 300 raters"),
        ("a crowd", "tau_b", "more of"),
    ],
)
def test_the_reason_says_what_is_wrong(name: str, measure: str, reason: str) -> None:
    result = results(name, "ordinal")[measure]
    assert result.value is None
    assert reason in str(result.reason)


def test_s_and_ac1_are_one_on_constant_data_with_declared_categories() -> None:
    found = results("one category of three", "nominal")
    assert float(found["s"]) == float(found["ac1"]) == 1


def test_a_rater_without_judgements_does_not_make_every_unit_incomplete() -> None:
    found = results("a silent rater", "interval")["icc_a1"]
    assert found.value is not None
    assert (found.n_units, found.n_raters, found.n_dropped) == (3, 2, 0)


def test_a_crowd_has_values_without_a_dense_table() -> None:
    found = results("a crowd", "ordinal")
    assert found["alpha"].value is not None
    assert found["conger"].value is not None
    assert found["alpha"].n_raters == 300


def test_a_mean_never_skips_large_pairs_without_a_value() -> None:
    matrix = [[1, 1, 1], [2, 2, 1], [3, 3, 1], [2, 3, 1]]
    found = evaluate(
        CATALOGUE["spearman"], tally(Judgements.from_matrix(matrix, raters=["a", "b", "c"], level="ordinal"))
    )
    assert found.value is None
    assert found.reason == (
        "rater c gave the same value to all units judged in common with a (and 1 more of 3 rater pairs have no value)"
        "; such pairs hold 67% of the common units, and up to 10% are left out"
    )
    assert [row["value"] is None for row in found.details["pairs"]] == [False, True, True]
