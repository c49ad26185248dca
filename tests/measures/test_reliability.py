"""Reliability of a panel: identities and reasons."""

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate
from concordant.measures.result import Agreement
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements
from concordant.uncertainty.estimate import measure


def on(matrix: object, level: str = "interval") -> Tally:
    return tally(Judgements.from_matrix(np.asarray(matrix, dtype=float), level=level))


def compute(key: str, data: Tally) -> Agreement:
    return evaluate(CATALOGUE[key], data)


SCORES = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])


def test_cronbachs_alpha_is_the_consistency_of_the_mean() -> None:
    direct = 4 / 3 * (1 - SCORES.var(axis=0, ddof=1).sum() / SCORES.sum(axis=1).var(ddof=1))
    assert float(compute("cronbach_alpha", on(SCORES))) == pytest.approx(direct)
    assert float(compute("icc_ck", on(SCORES))) == pytest.approx(direct)


def test_the_means_form_is_spearman_browns() -> None:
    for single, mean in (("icc1", "icc1k"), ("icc_a1", "icc_ak"), ("icc_c1", "icc_ck")):
        one = float(compute(single, on(SCORES)))
        assert float(compute(mean, on(SCORES))) == pytest.approx(4 * one / (1 + 3 * one))


def test_a_stricter_rater_lowers_agreement_not_consistency() -> None:
    strict = SCORES - np.array([0, 3, 0, 0])
    assert float(compute("icc_c1", on(strict))) == pytest.approx(float(compute("icc_c1", on(SCORES))))
    assert float(compute("icc_a1", on(strict))) < float(compute("icc_a1", on(SCORES)))


def test_incomplete_units_are_dropped_and_counted() -> None:
    holes = np.vstack([SCORES, [1, 2, np.nan, 3]])
    result = evaluate(CATALOGUE["icc_a1"], on(holes), Options(incomplete="drop"))
    assert float(result) == pytest.approx(float(compute("icc_a1", on(SCORES))))
    assert (result.n_units, result.n_dropped, result.n_judgements) == (6, 1, 24)
    assert "1 unit with missing judgements left out" in result.notes


def test_mean_squares_are_in_the_details() -> None:
    details = compute("icc_a1", on(SCORES)).details
    assert details["msr"] == pytest.approx(SCORES.mean(axis=1).var(ddof=1) * 4)
    assert details["msc"] == pytest.approx(SCORES.mean(axis=0).var(ddof=1) * 6)


@pytest.mark.parametrize(
    ("matrix", "key", "reason"),
    [
        ([[0.1, 0.1, 0.1]] * 3, "icc1", "all scores are the same"),
        ([[1, 2], [1, 2], [1, 2]], "icc_c1", "differ only between raters"),
        ([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1]], "icc1k", "the same mean score"),
        ([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1]], "icc_ak", "below zero"),
        ([[2, 2], [2, 2]], "kendall_w", "every rater gave the same value"),
    ],
)
def test_reasons(matrix: object, key: str, reason: str) -> None:
    result = compute(key, on(matrix))
    assert result.value is None
    assert reason in str(result.reason)


def test_kendalls_w_is_the_mean_rank_correlation() -> None:
    """Without ties: mean Spearman = (k W - 1) / (k - 1)."""
    ranks = np.array([[1, 2, 1], [2, 1, 3], [3, 4, 2], [4, 3, 4]])
    w = float(compute("kendall_w", on(ranks, "ordinal")))
    assert float(compute("spearman", on(ranks, "ordinal"))) == pytest.approx((3 * w - 1) / 2)


def test_kendalls_w_is_corrected_for_ties() -> None:
    tied = np.array([[1, 1], [1, 1], [2, 2]])
    result = compute("kendall_w", on(tied, "ordinal"))
    assert float(result) == pytest.approx(1)
    assert result.details == {"chi_square": pytest.approx(4), "degrees_of_freedom": 2}


def test_kendalls_chi_square_is_friedmans() -> None:
    """Scipy's test has the same correction for ties."""
    from scipy.stats import friedmanchisquare

    tied = np.array([[1, 2, 2], [2, 2, 5], [2, 4, 1], [5, 4, 4], [3, 5, 5]])
    result = compute("kendall_w", on(tied, "ordinal"))
    theirs = float(friedmanchisquare(*tied).statistic)
    assert result.details == {"chi_square": pytest.approx(theirs), "degrees_of_freedom": 4}
    assert float(result) == pytest.approx(theirs / (3 * 4))
    assert compute("kendall_w", on([[2, 2], [2, 2]])).details == {}


@pytest.mark.parametrize("key", ["icc1", "icc1k", "icc_a1", "icc_ak", "icc_c1", "icc_ck", "cronbach_alpha"])
def test_two_units_are_enough_and_one_is_not(key: str) -> None:
    two = compute(key, on([[1, 2], [3, 5]]))
    assert two.value is not None
    assert two.details["mse"] == pytest.approx(0.25)
    assert two.details["msw"] == pytest.approx(1.25)
    one = compute(key, on([[1, 2], [3, np.nan]]))
    assert one.reason == "only one unit was judged by all 2 raters, and reliability needs two units"
    none = compute(key, on([[1, np.nan], [np.nan, 3]]))
    assert none.reason == "no unit was judged by all 2 raters, and reliability needs two units"
    alone = compute(key, on([[1], [3]]))
    assert alone.reason == "there is only one rater, and reliability needs two"


@pytest.mark.parametrize("key", ["icc1", "icc_a1", "icc_c1", "icc_ak"])
def test_tiny_differences_on_large_scores_are_not_rounded_away(key: str) -> None:
    """A spread of a millionth of the scores, and raters who differ by a thousandth of that."""
    units = np.array([0.0, 1.0, 2.0, 4.0])
    small = units[:, None] + 1e-3 * np.array([[0, 1], [1, 0], [1, 3], [0, 0]])
    plain = compute(key, on(small))
    far = compute(key, on(1e6 + small))
    assert float(far) == pytest.approx(float(plain), abs=1e-9)
    assert 0.999 < float(plain) < 1


@pytest.mark.parametrize("key", ["icc1", "icc1k", "icc_a1", "icc_ak", "icc_c1", "icc_ck"])
def test_scores_far_from_zero_lose_no_digits(key: str) -> None:
    """All scores are exact in binary, at 2^40 as near zero, so that only the computation could lose digits."""
    near = np.array([[0, 3, 7], [16, 5, 21], [64, 70, 81], [33, 12, 40], [9, 1, 30]]) / 256
    assert float(compute(key, on(near + 2.0**40))) == pytest.approx(float(compute(key, on(near))), abs=1e-12)


def test_omega_of_axes_that_have_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Judgements.from_matrix([[1, 2, 2], [3, 3, 4], [5, 4, 4], [2, 2, 3], [4, 5, 5], [1, 1, 2]], level="interval")
    settled = float(measure(data, "omega", ci="none"))
    monkeypatch.setattr("concordant.measures.reliability.MOST_TURNS", 1)
    assert float(measure(data, "omega", ci="none")) == pytest.approx(settled, abs=0.05)
