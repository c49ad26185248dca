"""Readings: exact borders, low ends, sources, and no scale for a measure it was not made for."""

import pytest

from assent.errors import InputError
from assent.measures.benchmarks import BENCHMARKS, Reading, benchmark_for, read_value
from assent.measures.catalogue import CATALOGUE
from assent.measures.result import Agreement, Interval


def result(measure: str, value: float | None, low: float | None = None, high: float = 1.0) -> Agreement:
    interval = None if low is None else Interval(low=low, high=high, level=0.95, method="bootstrap")
    reason = "no data" if value is None else None
    return Agreement(measure=measure, name=measure, value=value, reason=reason, interval=interval)


@pytest.mark.parametrize(
    ("benchmark", "value", "label"),
    [
        ("krippendorff", 0.6699, "discard"),
        ("krippendorff", 0.67, "tentative"),
        ("krippendorff", 0.7999, "tentative"),
        ("krippendorff", 0.8, "good"),
        ("landis-koch", -0.01, "poor"),
        ("landis-koch", 0.0, "slight"),
        ("landis-koch", 0.2, "slight"),
        ("landis-koch", 0.21, "fair"),
        ("landis-koch", 0.4, "fair"),
        ("landis-koch", 0.41, "moderate"),
        ("landis-koch", 0.61, "substantial"),
        ("landis-koch", 0.81, "almost perfect"),
        ("fleiss", 0.39, "poor"),
        ("fleiss", 0.40, "fair to good"),
        ("fleiss", 0.75, "fair to good"),
        ("fleiss", 0.76, "excellent"),
        ("rosenthal", 0.09, "negligible"),
        ("rosenthal", -0.1, "small"),
        ("rosenthal", 0.3, "medium"),
        ("rosenthal", -0.5, "large"),
        ("rosenthal", 0.7, "very large"),
        ("koo-li", 0.49, "poor"),
        ("koo-li", 0.5, "moderate"),
        ("koo-li", 0.75, "good"),
        ("koo-li", 0.9, "good"),
        ("koo-li", 0.91, "excellent"),
    ],
)
def test_borders_are_exact(benchmark: str, value: float, label: str) -> None:
    assert read_value(value, None, BENCHMARKS[benchmark]).label == label


def test_the_low_end_is_read_too() -> None:
    reading = result("kappa", 0.65, 0.52).interpret()
    assert reading is not None
    assert reading.label == "substantial, low end moderate"
    assert reading.benchmark == "Landis & Koch 1977"
    assert "Biometrics" in reading.citation
    assert reading.caution
    steady = result("kappa", 0.65, 0.61).interpret()
    assert steady is not None
    assert steady.label == "substantial"


@pytest.mark.parametrize(
    ("low", "high", "label"),
    [(-0.1, 0.9, "large, low end negligible"), (-0.9, -0.2, "large, low end small"), (0.55, 0.6, "large")],
)
def test_the_weakest_correlation_in_the_interval_is_read(low: float, high: float, label: str) -> None:
    reading = read_value(-0.6 if high < 0 else 0.6, (low, high), BENCHMARKS["rosenthal"])
    assert reading.label == label


def test_every_measure_has_the_scale_made_for_it() -> None:
    scales = {key: benchmark_for(key) for key in CATALOGUE}
    by_kind = {"agreement": {"krippendorff", "landis-koch"}, "correlation": {"rosenthal"}, "reliability": {"koo-li"}}
    for key, scale in scales.items():
        if scale is not None:
            assert scale.key in by_kind[CATALOGUE[key].kind]
    assert {key for key, scale in scales.items() if scale is None} == {
        "percent",
        "gamma",
        "gamma_cat",
        "gamma_k",
        "lin_ccc",
        "kendall_w",
        "cronbach_alpha",
        "parseval",
        "leaf_ancestor",
        "edm",
    }


def test_a_scale_for_other_measures_is_refused() -> None:
    with pytest.raises(InputError, match="Landis & Koch 1977 was not made for spearman; spearman is read on rosenthal"):
        result("spearman", 0.5).interpret("landis-koch")
    with pytest.raises(InputError, match="no published scale reads percent"):
        result("percent", 0.5).interpret("fleiss")
    with pytest.raises(InputError, match="did you mean 'fleiss'"):
        result("kappa", 0.5).interpret("fleis")
    other = result("kappa", 0.5).interpret("fleiss")
    assert other is not None
    assert other.label == "fair to good"


def test_what_cannot_be_read_is_not_read() -> None:
    assert result("percent", 0.9).interpret() is None
    assert result("kappa", None).interpret() is None


def test_a_reading_without_its_source_is_impossible() -> None:
    with pytest.raises(ValueError, match="citation"):
        Reading(label="good", benchmark="mine", citation="", caution="none")
