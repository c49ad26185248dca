"""Bootstrap intervals."""

import numpy as np
import pytest
from scipy import stats

from assent.engines.tally import Tally, tally
from assent.measures.catalogue import find_measure
from assent.measures.spec import DEFAULTS
from assent.model.judgements import Judgements
from assent.uncertainty.bootstrap import bca_shares, bootstrap, tail_shares
from assent.uncertainty.intervals import Uncertainty
from assent.uncertainty.resampling import Over, Sampling
from tests.uncertainty.conftest import panel


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
