"""Published errors, against the tools that implement them."""

from typing import Any

import numpy as np
import pytest

from assent.engines.tally import Tally, tally
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.spec import DEFAULTS, Options
from assent.model.judgements import Judgements
from assent.uncertainty.analytic import analytic
from assent.uncertainty.estimate import measure
from assent.uncertainty.intervals import Uncertainty
from assent.uncertainty.resampling import Sampling
from tests.uncertainty.conftest import panel


def interval_of(data: Tally, key: str, options: Options = DEFAULTS) -> Uncertainty:
    chosen = find_measure(key)
    sampling = Sampling(measure=chosen, data=data, options=options)
    return analytic(sampling, evaluate(chosen, data, options), confidence=0.95)


def half_width(found: Uncertainty, quantile: float) -> float:
    assert found.interval is not None
    return found.interval.width / 2 / quantile


def rated(peers: dict[str, Any], level: str) -> Tally:
    cells = np.array([[np.nan if cell is None else cell for cell in row] for row in peers["ratings"]])
    return tally(Judgements.from_matrix(cells, level=level))


T39 = 2.0226909200367595  # Student's t, 39 degrees of freedom, 97.5 %
T38 = 2.0243941645751362
Z = 1.959963984540054


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
@pytest.mark.parametrize(
    ("key", "theirs"), [("fleiss", "fleiss"), ("ac2", "gwet"), ("brennan_prediger", "bp"), ("conger", "conger")]
)
def test_gwets_variances_as_irrcac(peers: dict[str, Any], key: str, theirs: str, weights: str) -> None:
    data, options = rated(peers, "ordinal"), Options(weights=weights)
    expected = peers["irrCAC"][f"{theirs} {weights}"]
    assert evaluate(find_measure(key), data, options).value == pytest.approx(expected["value"], abs=1e-9)
    found = interval_of(data, key, options)
    assert half_width(found, T39) == pytest.approx(expected["error"], abs=1e-9)
    assert found.interval is not None
    assert "Gwet 2014" in found.interval.method


@pytest.mark.parametrize(("key", "theirs"), [("ac1", "gwet"), ("s", "bp"), ("pi", "fleiss"), ("conger", "conger")])
def test_unweighted_forms_as_irrcac(peers: dict[str, Any], key: str, theirs: str) -> None:
    expected = peers["irrCAC"][f"{theirs} identity"]
    assert half_width(interval_of(rated(peers, "nominal"), key), T39) == pytest.approx(expected["error"], abs=1e-9)


@pytest.mark.parametrize(("level", "weights"), [("nominal", "identity"), ("interval", "quadratic")])
def test_alpha_as_irrcac(peers: dict[str, Any], level: str, weights: str) -> None:
    expected = peers["irrCAC"][f"krippendorff {weights}"]
    data = rated(peers, level)
    assert evaluate(find_measure("alpha"), data).value == pytest.approx(expected["value"], abs=1e-9)
    n_paired = data.n_paired
    from scipy.special import stdtrit

    quantile = float(stdtrit(n_paired - 1, 0.975))
    assert half_width(interval_of(data, "alpha"), quantile) == pytest.approx(expected["error"], abs=1e-9)


@pytest.mark.parametrize(
    ("key", "weights"),
    [("kappa", "identity"), ("weighted_kappa_linear", "linear"), ("weighted_kappa_quadratic", "quadratic")],
)
def test_kappa_of_two_raters_as_statsmodels(peers: dict[str, Any], key: str, weights: str) -> None:
    data = tally(Judgements.from_contingency(peers["table"], ["1", "2", "3", "4"], level="ordinal"))
    expected = peers["cohens_kappa"][weights]
    assert evaluate(find_measure(key), data).value == pytest.approx(expected["value"], abs=1e-9)
    found = interval_of(data, key)
    assert half_width(found, Z) == pytest.approx(expected["error"], abs=1e-9)
    assert found.interval is not None
    assert "Fleiss, Cohen & Everitt 1969" in found.interval.method


@pytest.mark.parametrize(
    ("key", "theirs"),
    [
        ("icc1", "ICC(1,1)"),
        ("icc_a1", "ICC(A,1)"),
        ("icc_c1", "ICC(C,1)"),
        ("icc1k", "ICC(1,k)"),
        ("icc_ak", "ICC(A,k)"),
        ("icc_ck", "ICC(C,k)"),
    ],
)
def test_intraclass_correlations_as_pingouin(peers: dict[str, Any], key: str, theirs: str) -> None:
    data = tally(Judgements.from_matrix(np.array(peers["scores"]), level="interval"))
    expected = peers["intraclass_corr"][theirs]
    assert evaluate(find_measure(key), data).value == pytest.approx(expected["value"], abs=1e-9)
    found = interval_of(data, key).interval
    assert found is not None
    assert [found.low, found.high] == pytest.approx(expected["interval"], abs=1e-9)


@pytest.mark.parametrize("key", ["icc_a1", "icc_ak"])
def test_raters_who_never_vary_have_no_published_interval(key: str) -> None:
    data = tally(Judgements.from_matrix([[1, 3], [1, 3], [1, 3]], level="interval"))
    assert evaluate(find_measure(key), data).value == 0
    assert interval_of(data, key).notes == (
        f"the published interval of {key} is undefined on these data; use ci=bootstrap",
    )


def test_cronbachs_alpha_as_pingouin_prints_it(peers: dict[str, Any]) -> None:
    data = tally(Judgements.from_matrix(np.array(peers["scores"]), level="interval"))
    found = interval_of(data, "cronbach_alpha").interval
    assert found is not None
    assert [found.low, found.high] == pytest.approx(peers["cronbach_alpha"], abs=5e-4)
    assert "Feldt" in found.method


def test_pearson_as_scipy(peers: dict[str, Any]) -> None:
    data = tally(Judgements.from_matrix(np.array(peers["scores"])[:, :2], level="interval"))
    found = interval_of(data, "pearson").interval
    assert found is not None
    assert [found.low, found.high] == pytest.approx(peers["pearsonr"]["interval"], abs=1e-9)


@pytest.mark.parametrize("key", ["gk_gamma", "tau_b", "tau_c", "somers_d", "percent", "kappa", "pi", "ac1", "alpha"])
def test_large_samples_agree_with_the_jackknife(key: str) -> None:
    data = tally(Judgements.from_matrix(panel(4000, 2, right=0.5), level="interval"))
    ours, theirs = (measure(data, key, ci=ci).interval for ci in ("analytic", "jackknife"))
    assert ours is not None
    assert theirs is not None
    assert ours.width == pytest.approx(theirs.width, rel=0.01)


@pytest.mark.parametrize(("key", "tolerance"), [("spearman", 0.06), ("lin_ccc", 0.03), ("pearson", 0.03)])
def test_normal_scores_agree_with_the_bootstrap(key: str, tolerance: float) -> None:
    random = np.random.default_rng(3)
    truth = random.normal(size=3000)
    scores = np.stack([truth + random.normal(size=3000), 0.3 + truth + random.normal(size=3000)], axis=1)
    data = tally(Judgements.from_matrix(scores, level="interval"))
    ours, theirs = measure(data, key, ci="analytic").interval, measure(data, key, ci="jackknife").interval
    assert ours is not None
    assert theirs is not None
    assert ours.width == pytest.approx(theirs.width, rel=tolerance)


@pytest.mark.parametrize("key", ["set_full", "set_weighted", "set_overlapping"])
@pytest.mark.parametrize("n_raters", [2, 3])
def test_sets_agree_with_the_jackknife(key: str, n_raters: int) -> None:
    labels = np.array(["a", "b", "a+b", "c"])[panel(2000, n_raters).astype(int) - 1]
    data = tally(Judgements.from_matrix(labels, level="set"))
    ours, theirs = (measure(data, key, ci=ci).interval for ci in ("analytic", "jackknife"))
    assert ours is not None
    assert theirs is not None
    assert ours.width == pytest.approx(theirs.width, rel=0.02)


def test_dropping_single_judgements_agrees_with_the_jackknife() -> None:
    cells = panel(2000, 3, missing=0.4)
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    for key in ("pi", "ac1"):
        ours, theirs = (measure(data, key, ci=ci, singletons="drop").interval for ci in ("analytic", "jackknife"))
        assert ours is not None
        assert theirs is not None
        assert ours.width == pytest.approx(theirs.width, rel=0.03)


@pytest.mark.parametrize("distance", ["jaccard", None])
def test_alpha_of_sets_and_of_the_circle_has_an_error(distance: str | None) -> None:
    labels = np.array(["a", "b", "a+b", "c"])[panel(2000, 3).astype(int) - 1]
    made = [(Judgements.from_matrix(labels, level="set"), distance)]
    made += [(Judgements.from_matrix(panel(2000, 3), level=level), None) for level in ("circular", "ratio")]
    for data, asked in made:
        ours, theirs = (measure(data, "alpha", ci=ci, distance=asked).interval for ci in ("analytic", "jackknife"))
        assert ours is not None
        assert theirs is not None
        assert ours.width == pytest.approx(theirs.width, rel=0.02)


@pytest.mark.parametrize(
    ("key", "choices", "why"),
    [
        ("light", {}, "no published interval for light;"),
        ("alpha", {"level": "ordinal"}, "no published interval for alpha on ordinal data;"),
        ("fleiss", {"weight": "judgements"}, "weighted by judgements"),
        ("kendall_w", {"level": "ordinal"}, "no published interval for kendall_w;"),
        ("tau_b", {"level": "ordinal"}, "mean of tau_b over rater pairs"),
    ],
)
def test_where_nothing_is_published_the_notes_say_so(
    five_raters: Tally, key: str, choices: dict[str, Any], why: str
) -> None:
    result = measure(five_raters, key, ci="analytic", **choices)
    assert result.interval is None
    assert any(why in note and "use ci=bootstrap" in note for note in result.notes)


def test_one_unit_has_no_error() -> None:
    result = measure(Judgements.from_matrix([[1, 2]], level="nominal"), "percent", ci="analytic")
    assert any("of one unit" in note for note in result.notes)


def test_very_many_values_have_no_table_of_orders_and_no_ratio_distances() -> None:
    scores = np.arange(1.0, 2401.0).reshape(-1, 2) ** 1.1
    scores[:, 1] = scores[::-1, 1]
    for key, level in (("tau_b", "interval"), ("alpha", "ratio")):
        result = measure(Judgements.from_matrix(scores, level=level), key, ci="analytic")
        assert result.interval is None
        assert "so many different values" in result.notes[-1]


@pytest.mark.parametrize("key", ["pearson", "spearman", "lin_ccc"])
def test_perfect_correlation_and_tiny_data_have_no_fisher_interval(key: str) -> None:
    for scores in ([[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]], [[1, 2], [2, 1], [3, 5]][: 3 if key != "lin_ccc" else 2]):
        result = measure(Judgements.from_matrix(scores, level="interval"), key, ci="analytic")
        assert result.interval is None
        assert "undefined on these data" in result.notes[-1]


def test_perfect_reliability_has_no_f_interval() -> None:
    for key in ("icc1", "icc_a1", "icc_c1"):
        result = measure(Judgements.from_matrix([[1, 1], [2, 2], [4, 4]], level="interval"), key, ci="analytic")
        assert result.interval is None or result.interval.low == pytest.approx(1)
