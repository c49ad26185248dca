"""Laws that hold for the whole catalogue, on random data."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from concordant.engines import patterns
from concordant.engines.tally import Tally, tally
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate, resample
from concordant.measures.result import Agreement
from concordant.measures.spec import Measure, Options, WithShares
from concordant.model.scale import Level
from tests.measures.strategies import LEVELS, as_rows, judged, matrices

MEASURES = [pytest.param(measure, id=key) for key, measure in CATALOGUE.items() if "judgements" in measure.of]
NOT_ONE_WHEN_PERFECT = {"tau_c", "lambda4"}  # 1 only if values are used equally often; if halves are equally large
LAWFUL = settings(max_examples=25)
levels = st.sampled_from(LEVELS)


def options_for(measure: Measure[Any]) -> Options:
    """Weights for the one measure that cannot do without."""
    return Options(weights="identity") if measure.key == "weighted_kappa" else Options()


def compute(measure: Measure[Any], data: Tally) -> Agreement:
    return evaluate(measure, data, options_for(measure))


def same(one: Agreement, two: Agreement) -> bool:
    """Both undefined, or both the same number."""
    if one.value is None or two.value is None:
        return one.value is None and two.value is None
    return one.value == pytest.approx(two.value, abs=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
@given(matrix=matrices(), level=levels)
@LAWFUL
def test_a_value_of_at_most_one_or_a_reason(measure: Measure[Any], matrix: NDArray[np.int64], level: Level) -> None:
    result = compute(measure, tally(judged(matrix, level)))
    if result.value is None:
        assert result.reason
    else:
        assert result.value <= 1 + 1e-9
        assert result.n_units >= 1


@pytest.mark.parametrize("measure", MEASURES)
@given(matrix=matrices(), level=levels, seed=st.integers(0, 99))
@LAWFUL
def test_order_and_names_do_not_matter(
    measure: Measure[Any], matrix: NDArray[np.int64], level: Level, seed: int
) -> None:
    random = np.random.default_rng(seed)
    columns = random.permutation(matrix.shape[1])
    shuffled = matrix[random.permutation(len(matrix))][:, columns]
    names = [f"somebody {i}" for i in range(matrix.shape[1])]
    assert same(compute(measure, tally(judged(matrix, level))), compute(measure, tally(judged(shuffled, level, names))))


@pytest.mark.parametrize("measure", MEASURES)
@given(matrix=matrices(), level=levels, seed=st.integers(0, 99))
@LAWFUL
def test_grid_rows_and_crowd_paths_agree(
    measure: Measure[Any], matrix: NDArray[np.int64], level: Level, seed: int
) -> None:
    grid = tally(judged(matrix, level))
    rows = tally(as_rows(matrix, level, np.random.default_rng(seed)))
    data = judged(matrix, level)
    crowd = Tally(
        scale=grid.scale,
        raters=grid.raters,
        patterns=patterns.units_as_patterns(data.rows(), data.n_units),
        n_units=data.n_units,
    )
    first = compute(measure, grid)
    assert same(first, compute(measure, rows))
    assert same(first, compute(measure, crowd))
    assert grid.fingerprint == rows.fingerprint == crowd.fingerprint


@pytest.mark.parametrize("measure", MEASURES)
@given(codes=st.lists(st.integers(0, 4), min_size=2, max_size=12), n_raters=st.integers(2, 4), level=levels)
@LAWFUL
def test_perfect_agreement_is_one(measure: Measure[Any], codes: list[int], n_raters: int, level: Level) -> None:
    result = compute(measure, tally(judged(np.repeat(np.array(codes)[:, None], n_raters, axis=1), level)))
    if measure.key not in NOT_ONE_WHEN_PERFECT and result.value is not None:
        assert result.value == pytest.approx(1)


@pytest.mark.parametrize("measure", MEASURES)
@given(matrix=matrices(), level=levels, seed=st.integers(0, 99))
@LAWFUL
def test_many_resamples_at_once_equal_one_by_one(
    measure: Measure[Any], matrix: NDArray[np.int64], level: Level, seed: int
) -> None:
    data = tally(judged(matrix, level))
    if measure.needs.problems(data):
        return
    view = measure.look(data)
    weights = np.random.default_rng(seed).integers(0, 3, size=(2, 3, view.weights.shape[-1])).astype(np.float64)
    options = options_for(measure)
    together = resample(measure, view.reweighted(weights), data, options)
    alone = [[resample(measure, view.reweighted(row), data, options) for row in block] for block in weights]
    np.testing.assert_allclose(together, np.array(alone), atol=1e-9)


@given(matrix=matrices(max_raters=2, may_miss=False))
@LAWFUL
def test_pi_is_at_most_kappa_for_two_raters(matrix: NDArray[np.int64]) -> None:
    data = tally(judged(matrix, Level.NOMINAL))
    pi, kappa = compute(CATALOGUE["pi"], data), compute(CATALOGUE["kappa"], data)
    if pi.value is not None and kappa.value is not None:
        assert pi.value <= kappa.value + 1e-9


@given(matrix=matrices(max_raters=3, may_miss=False))
@LAWFUL
def test_alpha_becomes_pi_as_units_grow(matrix: NDArray[np.int64]) -> None:
    data = tally(judged(matrix, Level.NOMINAL))
    many = replace(data, patterns=replace(data.patterns, weights=data.patterns.weights * 1_000_000))
    alpha, pi = compute(CATALOGUE["alpha"], many), compute(CATALOGUE["pi"], many)
    if alpha.value is not None and pi.value is not None:
        assert alpha.value == pytest.approx(pi.value, abs=1e-4)


@given(matrix=matrices(max_raters=2, may_miss=False))
@LAWFUL
def test_conger_and_light_are_cohen_for_two_raters(matrix: NDArray[np.int64]) -> None:
    data = tally(judged(matrix, Level.NOMINAL))
    kappa = compute(CATALOGUE["kappa"], data)
    assert same(kappa, compute(CATALOGUE["conger"], data))
    assert same(kappa, compute(CATALOGUE["light"], data))


@given(matrix=matrices(), level=levels)
@LAWFUL
def test_changing_one_judgement_changes_the_fingerprint(matrix: NDArray[np.int64], level: Level) -> None:
    changed = matrix.copy()
    changed[0, 0] = (matrix[0, 0] + 1) % 5
    assert tally(judged(matrix, level)).fingerprint != tally(judged(changed, level)).fingerprint


WITH_SHARES = [one for one in CATALOGUE.values() if issubclass(one.options, WithShares)]


@pytest.mark.parametrize("measure", WITH_SHARES, ids=lambda one: one.key)
@given(matrix=matrices(), level=levels, code=st.integers(0, 4))
@LAWFUL
def test_a_unit_with_one_judgement_changes_nothing(
    measure: Measure[Any], matrix: NDArray[np.int64], level: Level, code: int
) -> None:
    alone = np.full((1, matrix.shape[1]), -1)
    alone[0, 0] = code
    matrix[0, 0] = max(matrix[0, 0], 0)  # the first rater judged something before
    one, two = (compute(measure, tally(judged(rows, level))) for rows in (matrix, np.vstack([matrix, alone])))
    assert same(one, two)


@given(matrix=matrices(max_raters=2))
@LAWFUL
def test_two_raters_under_one_convention(matrix: NDArray[np.int64]) -> None:
    data = tally(judged(matrix, Level.NOMINAL))
    kappa, pi, conger = (compute(CATALOGUE[key], data) for key in ("kappa", "pi", "conger"))
    assert same(kappa, conger)
    if kappa.value is not None and pi.value is not None:
        assert pi.value <= kappa.value + 1e-9


@given(matrix=matrices(), level=levels)
@LAWFUL
def test_without_single_judgements_both_conventions_agree(matrix: NDArray[np.int64], level: Level) -> None:
    kept = matrix[(matrix >= 0).sum(axis=1) != 1]
    if len(kept):
        data = tally(judged(kept, level))
        for measure in WITH_SHARES:
            chosen = replace(options_for(measure), shares="all")
            assert same(compute(measure, data), evaluate(measure, data, chosen))
