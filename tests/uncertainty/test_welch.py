"""Welch's tests, against scipy and statsmodels."""

from typing import Any

import pytest

from assent.errors import InputError
from assent.uncertainty.welch import WelchTest, welch_anova, welch_t


def test_t_as_scipy(peers: dict[str, Any]) -> None:
    found, expected = welch_t(*peers["groups"][:2]), peers["ttest_ind"]
    assert found.statistic == pytest.approx(expected["statistic"], abs=1e-9)
    assert found.freedom[0] == pytest.approx(expected["freedom"], abs=1e-9)
    assert found.p == pytest.approx(expected["p"], abs=1e-9)
    assert found.method == "Welch's t-test, two-sided"
    assert found.sizes == (20, 35)


def test_anova_as_statsmodels(peers: dict[str, Any]) -> None:
    found, expected = welch_anova(peers["groups"]), peers["anova_oneway"]
    assert found.statistic == pytest.approx(expected["statistic"], abs=1e-9)
    assert found.freedom == pytest.approx(expected["freedom"], abs=1e-9)
    assert found.p == pytest.approx(expected["p"], abs=1e-9)
    assert found.method == "Welch's analysis of variance"


def test_two_groups_give_the_square_of_t(peers: dict[str, Any]) -> None:
    t, f = welch_t(*peers["groups"][:2]), welch_anova(peers["groups"][:2])
    assert f.statistic == pytest.approx(t.statistic**2)
    assert f.freedom == pytest.approx((1, t.freedom[0]))
    assert f.p == pytest.approx(t.p)


@pytest.mark.parametrize(
    ("kind", "statistic", "freedom", "p", "text"),
    [
        ("t", 4.213, (62.3,), 0.0001, "t(62.3) = 4.21, p < .001"),
        ("F", 8.9, (5.0, 29.3), 0.02, "F(5, 29.3) = 8.90, p = .020"),
        ("t", -0.5, (10.0,), 1.0, "t(10) = -0.50, p = 1.000"),
    ],
)
def test_wording_of_papers(kind: Any, statistic: float, freedom: tuple[float, ...], p: float, text: str) -> None:
    """The style of Boleda, Schulte im Walde & Badia (2009), 5.2; the numbers here are invented."""
    assert WelchTest(kind=kind, statistic=statistic, freedom=freedom, p=p, means=(), sizes=()).text == text


def test_unusable_groups_are_refused() -> None:
    with pytest.raises(InputError, match="group 2 has fewer than two"):
        welch_t([1, 2], [3])
    with pytest.raises(InputError, match="group 1 has fewer than two finite"):
        welch_t([1, float("nan")], [3, 4])
    with pytest.raises(InputError, match="neither group varies"):
        welch_t([1, 1], [3, 3])
    with pytest.raises(InputError, match="two groups or more"):
        welch_anova([[1, 2]])
    with pytest.raises(InputError, match="differing values"):
        welch_anova([[1, 2], [3, 3]])
