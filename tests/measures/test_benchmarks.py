"""Readings: exact borders, low ends, sources, and no scale for a measure it was not made for."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.measures.benchmarks import BENCHMARKS, Reading, read_value
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.result import Agreement, Interval, as_row
from concordant.uncertainty.front import measure
from tests.cli.running import run


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
    scales = {key: next(iter(measure.reads_on), None) for key, measure in CATALOGUE.items()}
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
        "omega",
        "lambda2",
        "lambda4",
        "lambda6",
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


def test_the_user_chooses_the_scales() -> None:
    rows = [[1, 1], [2, 1], [2, 2], [1, 1], [2, 2]]
    both = measure(rows, ["kappa", "alpha"], read_on=["fleiss", "landis-koch"], level="nominal", ci="none")
    kappa, alpha = both
    assert [one.benchmark for one in kappa.readings()] == ["Fleiss 1981", "Landis & Koch 1977"]
    assert kappa.interpret() == kappa.readings()[0]
    assert [one["label"] for one in kappa.to_dict()["readings"]] == ["fair to good", "substantial"]
    assert alpha.readings() == []
    assert "not read on Fleiss 1981 or Landis & Koch 1977" in alpha.notes[-1]
    assert "(Fleiss 1981); substantial" in both._repr_html_()
    assert as_row(kappa)["readings"].startswith("fair to good (Fleiss 1981)")
    assert "readings" not in measure(rows, "kappa", ci="none").to_dict()
    assert [one.benchmark for one in measure(rows, "kappa", ci="none").readings()] == ["Landis & Koch 1977"]


def test_a_scale_that_was_chosen_and_does_not_fit_is_named_beside_one_that_does() -> None:
    rows = [[1, 2], [2, 2], [3, 4], [5, 5], [4, 3], [1, 1]]
    found = measure(rows, "icc_a1", read_on=["koo-li", "landis-koch"], level="interval", ci="none")
    assert [one.benchmark for one in found.readings()] == ["Koo & Li 2016"]
    assert "not read on Landis & Koch 1977: made for other measures" in found.notes


def test_a_scale_that_reads_none_of_the_measures_is_refused() -> None:
    rows = [[1, 1], [2, 1], [2, 2], [1, 1]]
    with pytest.raises(InputError, match="these are read on krippendorff"):
        measure(rows, "alpha", read_on="koo-li", ci="none")
    with pytest.raises(InputError, match="no published scale reads them"):
        measure(rows, "percent", read_on="koo-li", ci="none")
    with pytest.raises(InputError, match="did you mean 'landis-koch'"):
        measure(rows, "kappa", read_on="landis-koc", ci="none")


def test_commands_and_reports_read_on_the_scales_that_were_chosen(tmp_path: Path) -> None:
    file, told = tmp_path / "r.csv", tmp_path / "r.md"
    rows = [(1, 1), (2, 1), (2, 2), (1, 1), (2, 2), (1, 1), (2, 2), (1, 2)]
    file.write_text("unit,A,B\n" + "\n".join(f"{i},{a},{b}" for i, (a, b) in enumerate(rows)), encoding="utf-8")
    words = (
        "--level",
        "nominal",
        "--measure",
        "kappa",
        "--read-on",
        "fleiss",
        "--read-on",
        "landis-koch",
        "--ci",
        "none",
    )
    assert "reading after Fleiss 1981" in run("measure", file, *words).stdout
    run("report", file, "-o", told, *words)
    text = told.read_text("utf-8")
    assert "Fleiss 1981" in text
    assert "Koch 1977" in text
