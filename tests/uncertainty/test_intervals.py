"""Textbook intervals.

Bootstrap intervals.

The jackknife.

Published errors, against the tools that implement them.

Random pairs (Boleda, Schulte im Walde & Badia 2009).
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from concordant.engines.tally import Tally, tally, with_raters
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Interval
from concordant.measures.spec import DEFAULTS, Options
from concordant.model.judgements import Judgements
from concordant.uncertainty import intervals, resampling
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.intervals import (
    Uncertainty,
    acceleration,
    analytic,
    bca_shares,
    bootstrap,
    bounded,
    jackknife,
    no_interval,
    quantiles,
    standard_error,
    t_interval,
    tail_shares,
)
from concordant.uncertainty.request import Ci
from concordant.uncertainty.resampling import LeftOut, Over, Sampling, leave_out, resampled
from tests.uncertainty.conftest import panel


def test_t_and_normal_quantiles() -> None:
    t = t_interval(0.5, 0.1, 9, confidence=0.95, method="t")
    z = t_interval(0.5, 0.1, float("inf"), confidence=0.95, method="z")
    assert t.high - 0.5 == pytest.approx(0.2262157, abs=1e-7)
    assert z.high - 0.5 == pytest.approx(0.1959964, abs=1e-7)
    assert t.low + t.high == pytest.approx(1)


def test_ends_beyond_the_coefficient_are_cut_and_said() -> None:
    inside = Interval(low=0.1, high=0.9, level=0.95, method="t")
    beyond = Interval(low=-1.2, high=1.1, level=0.95, method="t")
    assert bounded(inside).interval == inside
    assert bounded(inside).notes == ()
    assert bounded(beyond).interval == Interval(low=-1.0, high=1.0, level=0.95, method="t")
    assert "cut" in bounded(beyond).notes[0]


def test_no_interval_says_why() -> None:
    assert no_interval("because").notes == ("because",)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_quantiles_have_the_digits_of_numpy(values: list[float], shares: list[float]) -> None:
    expected = np.quantile(values, shares)
    assert quantiles(np.array(values), np.array(shares)).tolist() == expected.tolist()


def sampling_of(data: Tally, key: str) -> Sampling:
    return Sampling(measure=find_measure(key), data=data, options=DEFAULTS)


def run(
    data: Tally, key: str, *, over: Over = "units", corrected: bool = False, resamples: int = 400, seed: int = 1
) -> tuple[float, Uncertainty]:
    sampling = sampling_of(data, key)
    value = float(sampling.values(sampling.weights[None])[0])
    made = bootstrap(sampling, value, over=over, confidence=0.95, resamples=resamples, seed=seed, corrected=corrected)
    return value, made


@pytest.mark.parametrize("over", ["units", "raters", "both"])
@pytest.mark.parametrize("corrected", [False, True])
def test_the_interval_holds_the_value_and_names_its_method(five_raters: Tally, over: Over, corrected: bool) -> None:
    value, found = run(five_raters, "alpha", over=over, corrected=corrected)
    assert found.interval is not None
    assert found.interval.low < value < found.interval.high
    assert found.interval.level == 0.95
    what = {"units": "units", "raters": "raters", "both": "units and raters"}[over]
    kind = "BCa bootstrap" if corrected else "percentile bootstrap"
    assert found.interval.method == f"{kind} over {what}, 400 resamples"


def test_the_same_seed_gives_the_same_digits(five_raters: Tally) -> None:
    assert run(five_raters, "alpha", seed=7)[1] == run(five_raters, "alpha", seed=7)[1]
    assert run(five_raters, "alpha", seed=7)[1] != run(five_raters, "alpha", seed=8)[1]


@pytest.mark.parametrize("corrected", [False, True])
def test_percentile_and_bca_agree_with_scipy(two_raters: Tally, corrected: bool) -> None:
    """scipy.stats.bootstrap of percentage agreement, whose unit values are 0 or 1 (scipy draws other resamples)."""
    value, made = run(two_raters, "percent", corrected=corrected, resamples=9000)
    agree = np.repeat([1.0, 0.0], [round(100 * value), 100 - round(100 * value)])
    result = stats.bootstrap([agree], np.mean, n_resamples=9000, method="BCa" if corrected else "percentile", rng=1)
    theirs = result.confidence_interval
    assert made.interval is not None
    assert (made.interval.low, made.interval.high) == pytest.approx((theirs.low, theirs.high), abs=0.011)


def test_bca_shares_without_bias_and_acceleration_are_the_percentile_shares() -> None:
    values = np.linspace(-1, 1, 1001)
    assert bca_shares(tail_shares(0.9), values, 0.0, 0.0) == pytest.approx([0.05, 0.95])


def test_bca_shares_by_hand() -> None:
    """Efron & Tibshirani (1993), equation 14.10, with z0 = .1 and a = .05."""
    values = np.sort(stats.norm.ppf((np.arange(100_000) + 0.5) / 100_000))
    value = float(stats.norm.ppf(stats.norm.cdf(0.1)))
    z = stats.norm.ppf([0.025, 0.975])
    expected = stats.norm.cdf(0.1 + (0.1 + z) / (1 - 0.05 * (0.1 + z)))
    assert bca_shares(tail_shares(0.95), values, value, 0.05) == pytest.approx(expected, abs=1e-4)


def test_one_unit_has_no_interval() -> None:
    data = tally(Judgements.from_matrix([[1, 2]], level="nominal"))
    assert run(data, "percent")[1] == Uncertainty(
        interval=None, notes=("one unit cannot be resampled, so there is no interval",)
    )


def test_perfect_agreement_has_an_interval_without_width_and_says_what_that_means() -> None:
    found = run(tally(Judgements.from_matrix([[1, 1], [2, 2], [1, 1], [2, 2]] * 10, level="nominal")), "kappa")[1]
    assert found.interval is not None
    assert found.interval.width == 0
    assert any("not certainty" in note for note in found.notes)


def test_few_undefined_resamples_are_left_out_and_said() -> None:
    cells = [[1, 1]] * 17 + [[2, 2], [1, 2], [2, 1]]
    found = run(tally(Judgements.from_matrix(cells, level="nominal")), "alpha")[1]
    assert found.interval is not None
    assert any("resamples are undefined: left out of the interval" in note for note in found.notes)


def test_too_many_undefined_resamples_leave_no_interval() -> None:
    cells = [[1, 1]] * 20 + [[2, 2]]
    found = run(tally(Judgements.from_matrix(cells, level="nominal")), "alpha")[1]
    assert found.interval is None
    assert any("too many for an interval" in note for note in found.notes)


def test_bca_without_resamples_on_both_sides_says_so() -> None:
    """Resampled raters lose a pair to copies, so with raters at odds all resamples lie below the value."""
    sampling = sampling_of(tally(Judgements.from_matrix(panel(60, 5), level="nominal")), "alpha")
    found = bootstrap(sampling, 2.0, over="units", confidence=0.95, resamples=50, seed=1, corrected=True)
    assert found.interval is None
    assert "on one side" in found.notes[-1]


def test_progress_is_reported(five_raters: Tally) -> None:
    told: list[tuple[int, int]] = []
    sampling = sampling_of(five_raters, "alpha")
    for over in ("units", "raters"):
        bootstrap(
            sampling, 0.5, over=over, confidence=0.95, resamples=30, seed=1, progress=lambda d, t: told.append((d, t))
        )
        assert told[-1] == (30, 30)


def test_all_resamples_undefined_leave_no_interval() -> None:
    sampling = sampling_of(tally(Judgements.from_matrix([[1, 1], [1, 1]], level="nominal")), "alpha")
    assert bootstrap(sampling, 0.0, over="units", confidence=0.95, resamples=9, seed=1).interval is None


def test_raters_alone_or_units_too() -> None:
    """Three raters can be drawn in ten ways; with units there are many more."""
    sampling = sampling_of(tally(Judgements.from_matrix(panel(60, 3), level="nominal")), "alpha")
    ways: tuple[Over, Over] = ("raters", "both")
    raters, both = (set(resampled(sampling, over=over, resamples=200, seed=1).tolist()) for over in ways)
    assert 3 < len({value for value in raters if value == value}) <= 10
    assert len(both) > 100


@pytest.mark.parametrize(("n_raters", "is_said"), [(9, True), (10, False)])
def test_fewer_than_ten_raters_are_rough(n_raters: int, is_said: bool) -> None:
    data = tally(Judgements.from_matrix(panel(20, n_raters), level="nominal"))
    _, found = run(data, "alpha", over="raters", resamples=20)
    assert found.notes == ((f"only {n_raters} raters to resample: the interval is rough",) if is_said else ())
    assert run(data, "alpha", over="units", resamples=20)[1].notes == ()


def undefined_of_a_hundred(monkeypatch: pytest.MonkeyPatch, n: int) -> Uncertainty:
    """A bootstrap of which so many resamples have no value."""
    values = np.where(np.arange(100) < n, np.nan, np.linspace(0, 1, 100))
    monkeypatch.setattr(intervals, "resampled", lambda *_, **__: values)
    data = tally(Judgements.from_matrix(panel(20, 3), level="nominal"))
    return bootstrap(sampling_of(data, "alpha"), 0.5, over="units", confidence=0.9, resamples=100, seed=1)


def test_a_tenth_may_be_undefined_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    ten, eleven = (undefined_of_a_hundred(monkeypatch, n) for n in (10, 11))
    assert ten.notes == ("10 of 100 resamples are undefined: left out of the interval",)
    assert ten.interval is not None
    expected = np.quantile(np.linspace(0, 1, 100)[10:], [0.05, 0.95])
    assert [ten.interval.low, ten.interval.high] == pytest.approx(list(expected))
    assert ten.interval.level == 0.9
    assert eleven == Uncertainty(interval=None, notes=("11 of 100 resamples are undefined: too many for an interval",))


def test_resamples_equal_to_the_value_count_half() -> None:
    """Efron & Tibshirani's z0 with ties: 2 below, 4 equal, 4 above are 40 % below."""
    values = np.array([0.1, 0.2, 0.5, 0.5 + 1e-14, 0.5 - 1e-14, 0.5, 0.7, 0.8, 0.9, 0.95])
    z0, z = stats.norm.ppf(0.4), stats.norm.ppf([0.1, 0.9])
    expected = stats.norm.cdf(z0 + (z0 + z) / (1 - 0.2 * (z0 + z)))
    assert bca_shares(tail_shares(0.8), values, 0.5, 0.2) == pytest.approx(expected)


def test_two_units_can_be_resampled() -> None:
    data = tally(Judgements.from_matrix([[1, 2], [1, 1]], level="nominal"))
    found = run(data, "percent")[1].interval
    assert found is not None
    assert (found.low, found.high) == (0, 1)


def by_hand(
    cells: np.ndarray[tuple[int, int], np.dtype[np.float64]], key: str
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The value without each unit, one at a time."""
    kept = [np.delete(cells, unit, axis=0) for unit in range(len(cells))]
    made = [tally(Judgements.from_matrix(k, level="nominal", categories=[1, 2, 3, 4])) for k in kept]
    return np.array([float(evaluate(find_measure(key), data)) for data in made])


@pytest.mark.parametrize("key", ["alpha", "fleiss", "conger"])
def test_the_standard_error_is_the_textbook_one(key: str) -> None:
    cells = panel(40, 3)
    data = tally(Judgements.from_matrix(cells, level="nominal", categories=[1, 2, 3, 4]))
    left = leave_out(sampling_of(data, key), over="units")
    values = by_hand(cells, key)
    textbook = np.sqrt(39 / 40 * ((values - values.mean()) ** 2).sum())
    assert standard_error(left, float(evaluate(find_measure(key), data))) == pytest.approx(textbook)


def test_the_acceleration_is_the_textbook_one() -> None:
    cells = panel(40, 3)
    data = tally(Judgements.from_matrix(cells, level="nominal", categories=[1, 2, 3, 4]))
    values = by_hand(cells, "fleiss")
    away = values.mean() - values
    textbook = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    assert acceleration(sampling_of(data, "fleiss"), over="units") == pytest.approx(textbook)


def test_groups_of_units_give_nearly_the_same_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tally(Judgements.from_matrix(panel(3000, 4), level="nominal"))
    sampling = sampling_of(data, "conger")
    value = float(evaluate(sampling.measure, data))
    exact = standard_error(leave_out(sampling, over="units"), value)
    monkeypatch.setattr(resampling, "MOST_GROUPS", 200)
    grouped = leave_out(sampling, over="units")
    assert grouped.n_groups == 200
    assert grouped.total == 3000
    assert standard_error(grouped, value) == pytest.approx(exact, rel=0.15)


def test_over_raters_each_rater_is_left_out(five_raters: Tally) -> None:
    left = leave_out(sampling_of(five_raters, "alpha"), over="raters")
    assert len(left.values) == 5
    found = jackknife(sampling_of(five_raters, "alpha"), 0.5, over="raters", confidence=0.9)
    assert found.interval is not None
    assert found.interval.method == "jackknife over raters"


def test_both_at_once_is_refused(five_raters: Tally) -> None:
    with pytest.raises(InputError, match="not both"):
        jackknife(sampling_of(five_raters, "alpha"), 0.5, over="both", confidence=0.95)


def test_one_unit_cannot_be_left_out() -> None:
    data = tally(Judgements.from_matrix([[1, 2]], level="nominal"))
    found = jackknife(sampling_of(data, "percent"), 0.0, over="units", confidence=0.95)
    assert found.notes == ("one unit cannot be left out, so there is no interval",)


def test_a_unit_without_which_there_is_no_value_is_said() -> None:
    data = tally(Judgements.from_matrix([[1, 1], [1, 1], [2, 2]], level="nominal"))
    found = jackknife(sampling_of(data, "alpha"), 1.0, over="units", confidence=0.95)
    assert found.interval is None
    assert "when any of 1 units is left out" in found.notes[0]


def test_acceleration_is_zero_where_nothing_moves_or_nothing_is_defined() -> None:
    same = tally(Judgements.from_matrix([[1, 1], [2, 2]] * 5, level="nominal"))
    constant = tally(Judgements.from_matrix([[1, 1], [1, 1]], level="nominal"))
    assert acceleration(sampling_of(same, "percent"), over="units") == 0
    assert acceleration(sampling_of(constant, "alpha"), over="units") == 0


def test_the_interval_of_a_mean_is_students_with_one_degree_of_freedom_less_than_units() -> None:
    """Of ten units with agreement 0 or 1 the jackknife is s / √10, and the quantile that of t with 9 degrees."""
    cells = [[1, 1]] * 6 + [[1, 2]] * 4
    found = measure(Judgements.from_matrix(cells, level="nominal"), "percent", ci="jackknife").interval
    error = np.array([1.0] * 6 + [0.0] * 4).std(ddof=1) / np.sqrt(10)
    assert found is not None
    assert found.low == pytest.approx(0.6 - 2.2621571628 * error, abs=1e-9)
    assert found.high == pytest.approx(0.6 + 2.2621571628 * error, abs=1e-9)


def test_groups_of_unequal_size_by_hand() -> None:
    """Busing, Meijer & van der Leeden (1999), equations 6 to 9, one group after the other."""
    left = LeftOut(values=np.array([0.5, 0.62, 0.41]), size=np.array([2.0, 3.0, 1.0]), times=np.array([2.0, 1.0, 3.0]))
    value, n, groups = 0.55, 10.0, [(2, 0.5), (2, 0.5), (3, 0.62), (1, 0.41), (1, 0.41), (1, 0.41)]
    assert (left.total, left.n_groups) == (n, len(groups))
    mean = len(groups) * value - sum((1 - m / n) * without for m, without in groups)
    variance = sum((n / m * value - (n / m - 1) * without - mean) ** 2 / (n / m - 1) for m, without in groups) / len(
        groups
    )
    assert standard_error(left, value) == pytest.approx(np.sqrt(variance))


@pytest.mark.parametrize(("most", "n_groups", "size"), [(4, 12, 1), (3, 3, 4)])
def test_units_are_grouped_only_beyond_so_many_patterns(
    monkeypatch: pytest.MonkeyPatch, most: int, n_groups: int, size: int
) -> None:
    monkeypatch.setattr(resampling, "MOST_GROUPS", most)
    data = tally(Judgements.from_matrix([[1, 1], [1, 2], [2, 1], [2, 2]] * 3, level="nominal"))
    left = leave_out(sampling_of(data, "kappa"), over="units")
    assert left.n_groups == n_groups
    assert (left.size == size).all()
    assert left.total == 12


def test_blocks_do_not_change_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tally(Judgements.from_matrix(panel(40, 3), level="nominal"))
    for most in (2000, 7):
        monkeypatch.setattr(resampling, "MOST_GROUPS", most)
        whole = leave_out(sampling_of(data, "alpha"), over="units")
        with monkeypatch.context() as inside:
            inside.setattr(resampling, "BLOCK_CELLS", 3 * len(data.counts.weights))
            parts = leave_out(sampling_of(data, "alpha"), over="units")
        assert parts.values == pytest.approx(whole.values)
        assert len(parts.values) == len(parts.times)


def test_without_a_rater_is_the_value_of_the_others(five_raters: Tally) -> None:
    left = leave_out(sampling_of(five_raters, "alpha"), over="raters")
    names = five_raters.raters
    others = [with_raters(five_raters, [name for name in names if name != out]) for out in names]
    assert left.values == pytest.approx([float(evaluate(find_measure("alpha"), one)) for one in others])
    found = jackknife(sampling_of(five_raters, "alpha"), 0.5, over="raters", confidence=0.9).interval
    assert found is not None
    assert found.width / 2 == pytest.approx(2.1318467863 * standard_error(left, 0.5))  # t, 4 degrees of freedom


def test_two_units_can_be_left_out_in_turn() -> None:
    data = tally(Judgements.from_matrix([[1, 2], [1, 1]], level="nominal"))
    found = jackknife(sampling_of(data, "percent"), 0.5, over="units", confidence=0.95)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (-1, 1)
    assert found.notes == ("the interval was cut where the coefficient ends, at -1 or 1",)


def test_the_units_that_leave_no_value_are_counted() -> None:
    cells = [[1, 1]] * 1200 + [[1, 2], [2, 1]]
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    left = leave_out(sampling_of(data, "alpha"), over="units")
    assert not np.isnan(left.values).any()
    constant = tally(Judgements.from_matrix([[1, 1]] * 1200, level="nominal"))
    found = jackknife(sampling_of(constant, "alpha"), 0.0, over="units", confidence=0.95)
    assert found.notes == ("undefined when any of 1,200 units is left out, so there is no jackknife interval",)


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
    data, options = rated(peers, "ordinal"), Options(weights=weights, shares="all")
    expected = peers["irrCAC"][f"{theirs} {weights}"]
    assert evaluate(find_measure(key), data, options).value == pytest.approx(expected["value"], abs=1e-9)
    found = interval_of(data, key, options)
    assert half_width(found, T39) == pytest.approx(expected["error"], abs=1e-9)
    assert found.interval is not None
    assert "Gwet 2014" in found.interval.method


@pytest.mark.parametrize(("key", "theirs"), [("ac1", "gwet"), ("s", "bp"), ("pi", "fleiss"), ("conger", "conger")])
def test_unweighted_forms_as_irrcac(peers: dict[str, Any], key: str, theirs: str) -> None:
    expected = peers["irrCAC"][f"{theirs} identity"]
    found = interval_of(rated(peers, "nominal"), key, Options(shares="all"))
    assert half_width(found, T39) == pytest.approx(expected["error"], abs=1e-9)


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
    for key in ("pi", "ac1", "conger", "brennan_prediger"):
        ours, theirs = (measure(data, key, ci=ci, shares="paired").interval for ci in ("analytic", "jackknife"))
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
        ("pearson", {"level": "interval"}, "mean of pearson over rater pairs"),
    ],
)
def test_where_nothing_is_published_the_notes_say_so(
    five_raters: Tally, key: str, choices: dict[str, Any], why: str
) -> None:
    result = measure(five_raters, key, ci="analytic", **choices)
    assert result.interval is None
    assert any(why in note and "use ci=bootstrap" in note for note in result.notes)


@pytest.mark.parametrize("key", ["percent", "kappa", "alpha"])
def test_one_unit_has_no_error(key: str) -> None:
    result = measure(Judgements.from_matrix(np.array([[1, 2], [np.nan, 1]]), level="nominal"), key, ci="analytic")
    assert any(f"no published interval for {key} of one unit" in note for note in result.notes)


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


@pytest.mark.parametrize("key", ["percent", "fleiss", "ac1", "ac2", "brennan_prediger", "conger", "s", "alpha"])
def test_a_rater_without_judgements_changes_no_error(key: str) -> None:
    cells = panel(30, 4, missing=0.2)
    with_nobody = np.column_stack([cells[:, :2], np.full(30, np.nan), cells[:, 2:]])
    one, two = (
        measure(Judgements.from_matrix(c, level="nominal"), key, ci="analytic").interval for c in (cells, with_nobody)
    )
    assert one is not None
    assert two is not None
    assert (one.low, one.high) == pytest.approx((two.low, two.high))


@pytest.mark.parametrize("ci", ["bootstrap", "bca", "jackknife", "analytic"])
@pytest.mark.parametrize("key", ["kappa", "alpha", "percent"])
def test_an_interval_without_width_says_that_it_is_not_certainty(key: str, ci: Ci) -> None:
    perfect = Judgements.from_matrix([[i % 2, i % 2] for i in range(30)], level="nominal")
    result = measure(perfect, key, ci=ci, seed=1)
    assert result.interval is not None
    assert result.interval.width == 0
    assert sum("that is not certainty" in note for note in result.notes) == 1
    usual = measure(perfect, key, seed=1)
    assert usual.interval is not None
    assert usual.interval.width > 0.05
    assert not any("not certainty" in note for note in usual.notes)
