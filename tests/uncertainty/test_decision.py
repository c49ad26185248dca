"""Decision studies: how many raters and units, at what cost."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concordant import decide, plot, report
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.judgements import Judgements
from concordant.uncertainty import decision
from concordant.uncertainty.estimate import measure
from tests.cli.running import run
from tests.measures.test_components import HOLES


def test_the_fewest_raters_reach_the_goal_and_one_fewer_do_not() -> None:
    found = decide(HOLES, "dependability", goal=0.8, seed=1, level="interval")
    assert found.needed is not None
    means = {row.raters: row.reliability for row in found.rows}
    assert means[found.needed] >= 0.8
    one, k = float(found.one), found.needed - 1
    assert k * one / (1 + (k - 1) * one) < 0.8
    assert found.cheapest is not None
    assert found.cheapest.raters == found.needed


def test_now_the_interval_is_the_one_that_is_displayed() -> None:
    found = decide(HOLES, "dependability", raters=[1, 3], units=[24], seed=7, level="interval")
    for row in found.rows:
        shown = measure(Judgements.from_matrix(HOLES, level="interval"), "dependability", k=row.raters, seed=7).interval
        assert shown is not None
        assert (row.low, row.high) == pytest.approx((shown.low, shown.high), abs=1e-9)


def test_two_units_are_the_least_that_are_planned() -> None:
    four = [[1.0, 1.5, 1], [3, 3, 2.5], [5, 4, 5], [2, 2, 2.5]]
    found = decide(four, "dependability", raters=[3], level="interval", seed=1)
    assert min(row.units for row in found.rows) == 2


def test_cost_counts_units_and_judgements() -> None:
    found = decide(HOLES, raters=[2, 5], units=[10, 20], cost_unit=3, cost_rater=2, seed=1, level="interval")
    assert [row.cost for row in found.rows] == [70, 130, 140, 260]
    assert found.measure == "dependability"
    few, many = (row.width for row in found.rows if row.raters == 2)
    assert few is not None
    assert many is not None
    assert few > many


def test_categories_have_the_reliability_of_a_distribution() -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, (60, 1))
    said = np.where(random.random((60, 3)) < 0.6, truth, random.integers(0, 3, (60, 3)))
    found = decide(said, raters=[1, 5], units=[60], seed=1, level="nominal")
    alpha = float(measure(Judgements.from_matrix(said, level="nominal"), "alpha", ci="none"))
    assert found.measure == "alpha"
    assert found.rows[1].reliability == pytest.approx(5 * alpha / (1 + 4 * alpha))
    assert found.rows[1].low is not None
    assert found.rows[1].low < found.rows[1].reliability


def test_raters_who_tell_nothing_apart_reach_no_goal() -> None:
    nothing = decide(np.array([[1, 2], [2, 1], [1, 2], [2, 1]]), "dependability", seed=1, level="interval")
    assert nothing.needed is None
    assert "no number of raters" in nothing.verdict
    assert nothing.cheapest is None


@pytest.mark.parametrize("rows", [[["a", "b"], ["b", "a"]], [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]])
def test_raters_who_agree_less_than_by_chance_reach_no_goal_either(rows: list[list[str]]) -> None:
    found = decide(rows, "alpha", raters=[1, 2, 3, 5, 9], seed=1)
    assert float(found.one) < 0
    assert (found.needed, found.cheapest, found.safest) == (None, None, None)
    assert {row.reliability for row in found.rows if row.raters > 1} == {0.0}
    assert all(row.low is None or row.low >= 0 for row in found.rows if row.raters > 1)
    assert "decision" in [section.key for section in report(rows, seed=1).sections]


def test_clusters_are_drawn_together() -> None:
    data = Judgements.from_matrix(HOLES, level="interval").with_clusters([str(i // 3) for i in range(24)])
    found = decision.decide(tally(data), "dependability", raters=[2], units=[24], resamples=100, seed=1)
    assert found.rows[0].low is not None


def test_draws_without_a_value_leave_no_interval() -> None:
    assert decision._ends(np.array([np.nan]), 2, 0.95) == (None, None)
    row = decision.DecisionRow(raters=1, units=2, reliability=0.5, low=None, high=None, cost=1.0)
    assert row.width is None


@pytest.mark.parametrize(
    "wrong",
    [{"goal": 1.0}, {"cost_rater": -1.0}, {"raters": [0]}, {"units": [1]}, {"measure": "kappa"}],
)
def test_what_cannot_be_planned_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        decide(HOLES, level="interval", **wrong)


@pytest.fixture
def pilot(tmp_path: Path) -> Path:
    rows = [f"{u},r{r},{HOLES[u, r]:g}" for u in range(24) for r in range(6) if not np.isnan(HOLES[u, r])]
    file = tmp_path / "pilot.csv"
    file.write_text("unit,rater,value\n" + "\n".join(rows), encoding="utf-8")
    return file


def test_the_command_prints_answers_and_a_table(pilot: Path) -> None:
    words = ("planning", pilot, "--level", "interval", "--goal", "dependability=.8", "--seed", "1")
    shown = run(*words, "--cost-unit", "2", "--cost-rater", "1.5").stdout
    assert shown.startswith("Dependability: one rater 0.13;")
    assert "cost = units × (2 + raters × 1.5)" in shown
    found = json.loads(run(*words, "--json", "--per-unit", "1,2", "--sizes", "24").stdout)
    assert [row["raters"] for row in found["rows"]] == [1, 2]
    for wrong in (("--width", ".1"), ("--sizes", "x"), ("--measure", "alpha")):
        assert run(*words, *wrong, code=2).stderr
    assert "--goal" in run("planning", pilot, "--level", "interval", code=2).stderr
    assert run("planning", pilot, "--measure", "alpha", "--width", ".2", "--cost-unit", "1", code=2).stderr


def test_curves_and_report(pilot: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    axes = plot(decide(str(pilot), seed=1, level="interval"))
    assert axes.get_xlabel() == "raters per unit"
    with pytest.raises(InputError, match="curves"):
        plot(decide(str(pilot), seed=1, level="interval"), "scores")
    told = tmp_path / "report.md"
    report(str(pilot), told, level="interval")
    assert "More raters or more units" in told.read_text("utf-8")
