"""How many units or raters.

When to stop: reached, not reached with a plan, undefined.
"""

from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.measures.result import Agreement, Interval
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.uncertainty import planning
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.planning import STEPS, Stopping, plan, plan_raters, stopping
from tests.uncertainty.conftest import panel


def test_the_answer_is_narrow_enough_and_one_per_cent_less_is_not(five_raters: Tally) -> None:
    found = plan(five_raters, "alpha", width=0.1, resamples=500, seed=1)
    assert found.width is not None
    assert found.now_width is not None
    assert found.width <= 0.1 < found.now_width
    assert found.size > found.now == 60
    wider = [step for step in found.steps if step.size < found.size]
    assert not any(step.is_within(0.1) for step in wider)
    assert wider[-1].size >= 0.98 * found.size


def test_the_square_root_law_holds(five_raters: Tally) -> None:
    wide, narrow = (plan(five_raters, "fleiss", width=w, resamples=2000, seed=1).size for w in (0.2, 0.05))
    assert narrow / wide == pytest.approx(16, rel=0.15)


def test_percent_has_a_closed_form() -> None:
    """Half the units agree: the width of a proportion is 2 · 1.96 · √(.25 / n), so .1 takes 384 units."""
    data = tally(Judgements.from_matrix([[1, 1], [1, 2]] * 50, level="nominal"))
    assert plan(data, "percent", width=0.1, resamples=4000, seed=1).size == pytest.approx(384, rel=0.1)


def test_the_search_ends(five_raters: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "STEPS", 1)
    assert len(plan(five_raters, "alpha", width=0.6, resamples=50, seed=1).steps) == 2


def test_fewer_units_may_do(five_raters: Tally) -> None:
    found = plan(five_raters, "alpha", width=0.6, resamples=300, seed=1)
    assert found.size < 60


def test_raters(five_raters: Tally) -> None:
    told: list[tuple[int, int]] = []
    found = plan(
        five_raters, "alpha", width=0.08, of="raters", resamples=200, seed=1, progress=lambda d, t: told.append((d, t))
    )
    assert found.now == 5
    assert found.size > 5
    assert found.width is not None
    assert found.width <= 0.08
    assert told[0] == (1, STEPS)


def test_units_limit_what_more_raters_do() -> None:
    """Some units are hard and all others easy: with very many raters the width is still that of the units."""
    random = np.random.default_rng(1)
    truth, is_hard = random.integers(0, 2, 200), random.random(200) < 0.3
    judged = np.where(is_hard[:, np.newaxis], random.integers(0, 2, (200, 6)), truth[:, np.newaxis])
    how: dict[str, Any] = {"ci": "jackknife", "resamples": 1, "seed": 1}
    data = tally(Judgements.from_matrix(judged))
    assert plan_raters(data, "alpha", width=0.2, **how).size > 1
    with pytest.raises(InputError, match="more raters alone hardly narrow the interval"):
        plan_raters(data, "alpha", width=0.05, **how)


def test_impossible_wishes_are_refused(five_raters: Tally) -> None:
    with pytest.raises(InputError, match="cannot be 0 wide"):
        plan(five_raters, "alpha", width=0, seed=1)
    with pytest.raises(InputError, match="ask for a wider interval"):
        plan(five_raters, "alpha", width=1e-6, resamples=20, seed=1)
    same = tally(Judgements.from_matrix([[1, 1], [2, 2]] * 9, level="nominal"))
    with pytest.raises(InputError, match="data with disagreements"):
        plan(same, "percent", width=0.1, seed=1)


def test_mostly_undefined_samples_count_as_too_wide() -> None:
    cells = np.array([[1, 1]] * 30 + [[2, 2], [1, 2]])
    found = plan(
        tally(Judgements.from_matrix(cells, level="nominal")), "alpha", width=1.0, ci="bootstrap", resamples=200, seed=1
    )
    assert found.now_width is None
    assert found.size > 32


def test_a_crowd_needs_no_panel() -> None:
    data = tally(Judgements.from_matrix(panel(40, 12, missing=0.7), level="nominal"))
    assert plan(data, "alpha", width=0.3, resamples=200, seed=1).size > 0


def by_formula(monkeypatch: pytest.MonkeyPatch, constant: float, unknown_below: int = 0) -> list[int]:
    """Simulated widths follow constant / √size, undefined below a size; what sizes were tried."""
    tried: list[int] = []

    def values(sampling: object, *, size: int, resamples: int, **_: object) -> np.ndarray:
        tried.append(size)
        spread = np.linspace(0, constant / np.sqrt(size), resamples)
        return np.where(np.arange(resamples) % 5 == 0, np.nan, spread) if size < unknown_below else spread

    monkeypatch.setattr(planning, "resampled", values)
    monkeypatch.setattr(planning, "PILOTS", 0)
    return tried


@pytest.mark.parametrize("width", [0.5, 0.1, 0.03])
def test_the_square_root_law_needs_hardly_a_guess(
    five_raters: Tally, monkeypatch: pytest.MonkeyPatch, width: float
) -> None:
    tried = by_formula(monkeypatch, 2.0)
    found = plan(five_raters, "alpha", width=width, ci="bootstrap", resamples=1001, seed=1)
    exact = (0.95 * 2.0 / width) ** 2
    assert exact <= found.size <= 1.01 * exact + 1
    assert len(tried) == len(found.steps) <= 9
    assert [step.size for step in found.steps] == sorted(tried)
    assert found.now_width == pytest.approx(0.95 * 2 / np.sqrt(60))
    assert (found.asked_width, found.confidence, found.resamples, found.seed) == (width, 0.95, 1001, 1)
    assert min(tried) >= 2


def test_sizes_without_a_width_are_doubled_until_there_is_one(
    five_raters: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fifth of the samples below a thousand units is undefined, which is too many."""
    tried = by_formula(monkeypatch, 2.0, unknown_below=1000)
    found = plan(five_raters, "alpha", width=0.5, ci="bootstrap", resamples=1000, seed=1)
    assert found.now_width is None
    assert tried[:6] == [60, 120, 240, 480, 960, 1920]
    assert 1000 <= found.size <= 1010


def test_the_search_stays_below_the_largest_size(five_raters: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "LARGEST", 5000)
    by_formula(monkeypatch, 2.0)
    with pytest.raises(InputError, match=r"no number of units up to 5,000 gives an interval 0\.01 wide"):
        plan(five_raters, "alpha", width=0.01, ci="bootstrap", resamples=100, seed=1)


@pytest.mark.parametrize("width", [-0.1, 0, 2, 2.5])
def test_widths_between_nothing_and_two(five_raters: Tally, width: float) -> None:
    with pytest.raises(InputError, match=f"an interval cannot be {width:g} wide"):
        plan(five_raters, "alpha", width=width, seed=1)
    assert plan(five_raters, "alpha", width=1.99, resamples=50, seed=1).size >= 2


def test_the_next_guess_starts_from_the_width_nearest_to_the_one_asked_for(
    five_raters: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Widths that fall with the fourth root: 1 at 60 units, √½ at 240, from where the law says 480."""
    tried: list[int] = []

    def values(sampling: object, *, size: int, resamples: int, **_: object) -> np.ndarray:
        tried.append(size)
        return np.linspace(0, (60 / size) ** 0.25 / 0.95, resamples)

    monkeypatch.setattr(planning, "resampled", values)
    monkeypatch.setattr(planning, "PILOTS", 0)
    found = plan(five_raters, "alpha", width=0.5, ci="bootstrap", resamples=1001, seed=1)
    assert tried[:3] == pytest.approx([60, 240, 480], abs=1)
    assert 960 <= found.size <= 970


def test_a_width_of_nothing_on_the_way_does_not_end_the_search(
    five_raters: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    def values(sampling: object, *, size: int, resamples: int, **_: object) -> np.ndarray:
        return np.linspace(0, 2 / np.sqrt(size) if size < 1000 else 0.0, resamples)

    monkeypatch.setattr(planning, "resampled", values)
    monkeypatch.setattr(planning, "PILOTS", 0)
    found = plan(five_raters, "alpha", width=0.05, ci="bootstrap", resamples=1001, seed=1)
    assert 1000 <= found.size <= 1010
    assert found.width == 0


def test_more_units_are_asked_for_until_the_interval_is_narrow() -> None:
    random = generator(3)
    truth = random.integers(0, 2, 60)
    noisy = [[int(t) ^ int(random.random() < 0.15) for _ in range(3)] for t in truth.tolist()]
    data = tally(Judgements.from_matrix(noisy))
    result = measure(data, "alpha", seed=1)
    wide, narrow = stopping(data, result, 1.5), stopping(data, result, 0.1)
    assert wide.is_reached
    assert wide.more_units is None
    assert not narrow.is_reached
    assert narrow.more_units is not None
    assert narrow.more_units > 60
    assert narrow.units is not None
    assert narrow.units.now == 60


def test_an_undefined_coefficient_is_not_reached() -> None:
    data = tally(Judgements.from_matrix([[1, 1], [1, 1]]))
    assert not stopping(data, measure(data, "alpha", seed=1), 0.5).is_reached


def test_a_narrow_interval_of_a_few_units_is_not_enough() -> None:
    data = tally(Judgements.from_matrix([[1, 1], [1, 1], [2, 2], [2, 2], [1, 2]]))
    found = stopping(data, measure(data, "alpha", seed=1), 1.9)
    assert found.is_too_small
    assert not found.is_reached
    assert found.fewest > 3


def result_with(n_units: int, width: float) -> Agreement:
    """A coefficient of so many units whose interval is so wide."""
    cells = [[1, 1], [2, 2], [1, 2]] * 10
    plain = measure(tally(Judgements.from_matrix(cells[:n_units], level="nominal")), "percent", ci="none", seed=1)
    return plain.with_(interval=Interval(low=0.5, high=0.5 + width, level=0.95, method="given"))


def test_ten_units_and_the_width_asked_for_are_enough() -> None:
    assert Stopping(result=result_with(10, 0.25), target=0.25).is_reached
    nine = Stopping(result=result_with(9, 0.25), target=0.25)
    assert (nine.is_reached, nine.is_too_small, nine.fewest) == (False, True, 10)
    wide = Stopping(result=result_with(9, 0.25), target=0.2)
    assert (wide.is_reached, wide.is_too_small, wide.width) == (False, False, 0.25)
    none = Stopping(result=result_with(10, 0.25).with_(interval=None), target=0.25)
    assert (none.is_reached, none.is_too_small, none.width) == (False, False, None)


def test_a_plan_that_cannot_be_made_says_why() -> None:
    """Two raters say nothing about other raters; units can be planned all the same."""
    random = generator(3)
    cells = random.integers(0, 2, (40, 2))
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    found = stopping(data, measure(data, "percent", seed=1), 0.2, resamples=100)
    assert found.raters is None
    assert found.more_raters is None
    assert found.raters_reason == "2 raters do not say what more of them would do"
    assert found.units_reason is None
    assert found.units is not None
    assert found.more_units == found.units.size - 40 > 0
    assert (found.units.resamples, found.units.seed, found.units.asked_width) == (100, 1, 0.2)


def test_fewer_than_there_are_is_no_more() -> None:
    random = generator(3)
    data = tally(Judgements.from_matrix(random.integers(0, 2, (40, 3)), level="nominal"))
    wide = plan(data, "percent", width=0.5, resamples=100, seed=1)
    assert wide.size < wide.now == 40
    raters = plan(data, "percent", width=0.3, of="raters", resamples=50, seed=1)
    found = Stopping(result=measure(data, "percent", seed=1), target=0.5, units=wide, raters=raters)
    assert found.more_units == 0
    assert found.more_raters == max(0, raters.size - 3)


def known_raters(random: np.random.Generator, n: int) -> Tally:
    """Three raters who are right 17 times in 20, about alpha .72 in two even categories."""
    truth = random.integers(0, 2, n)[:, None]
    guess = random.integers(0, 2, (n, 3))
    return tally(Judgements.from_matrix(np.where(random.random((n, 3)) < 0.85, truth, guess), level="nominal"))


def test_pilots_predict_the_width_of_the_interval_that_will_be_shown() -> None:
    """Pilots of 50 units: on average what studies of 178 then show, and most of them within what was said."""
    random = generator(11)
    plans = [plan(known_raters(random, 50), "alpha", width=0.165, resamples=400, seed=1) for _ in range(20)]
    shown = [measure(known_raters(random, 178), "alpha", resamples=400, seed=1).interval for _ in range(40)]
    actual = np.mean([one.width for one in shown if one is not None])
    assert actual == pytest.approx(0.165, abs=0.01)
    assert np.median([one.size for one in plans]) == pytest.approx(178, rel=0.25)
    assert all(0.05 < one.width_range[0] < one.width_range[1] < 0.3 for one in plans if one.width_range is not None)
    within = [one.width_range[0] <= actual <= one.width_range[1] for one in plans if one.width_range is not None]
    assert np.mean(within) >= 0.6
    assert plans[0].method.startswith("pattern posterior over 50 units")


def test_the_width_now_is_the_one_that_is_shown(five_raters: Tally) -> None:
    shown = measure(five_raters, "alpha", resamples=300, seed=1).interval
    assert shown is not None
    assert plan(five_raters, "alpha", width=0.2, resamples=300, seed=1).now_width == pytest.approx(shown.width)
    numbers = tally(Judgements.from_matrix(generator(4).normal(size=(30, 1)) + generator(5).normal(size=(30, 3)) / 2))
    hull = measure(numbers, "alpha", seed=1).interval
    assert hull is not None
    found = plan(numbers, "alpha", width=0.1, seed=1)
    assert found.now_width == pytest.approx(hull.width)
    assert found.method.startswith("hull")


def test_a_pilot_of_very_many_patterns_has_no_range(five_raters: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_PATTERNS", 3)
    assert plan(five_raters, "alpha", width=0.2, resamples=100, seed=1).width_range is None


def test_clusters_have_pilots_too(five_raters: Tally) -> None:
    data = tally(Judgements.from_matrix(panel(80, 3), level="nominal").with_clusters(np.arange(80) // 2, "texts"))
    assert plan(data, "alpha", width=0.2, resamples=100, seed=1).width_range is not None


def test_more_raters_are_planned_for_the_interval_that_is_shown() -> None:
    random = generator(2)
    truth = random.integers(0, 2, 80)[:, None]
    cells = np.where(random.random((80, 6)) < 0.8, truth, random.integers(0, 2, (80, 6)))
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    result = measure(data, "alpha", resamples=400, seed=1)
    assert result.interval is not None
    found = stopping(data, result, result.interval.width * 0.9)
    assert found.raters is not None
    assert found.raters.now_width == pytest.approx(result.interval.width)
    assert 6 < found.raters.size < 40
    narrow = stopping(data, result, 0.02)
    assert narrow.raters_reason == "more raters alone hardly narrow the interval; judge more units"


def test_raters_of_some_units_only_are_not_planned() -> None:
    data = tally(Judgements.from_matrix(panel(40, 12, missing=0.7), level="nominal"))
    found = stopping(data, measure(data, "alpha", seed=1, resamples=100), 0.05, resamples=50)
    assert found.raters_reason == "units are judged by some of the raters only"


def test_a_value_that_cannot_be_used_is_not_done() -> None:
    random = generator(3)
    data = tally(Judgements.from_matrix(random.integers(0, 2, (400, 2)), level="nominal"))
    found = stopping(data, measure(data, "alpha", seed=1, resamples=100), 0.5)
    assert (found.is_reached, found.is_unusable, found.is_done) == (True, True, False)
    raw = Stopping(result=measure(data, "percent", seed=1, resamples=100), target=0.5)
    assert (raw.is_unusable, raw.is_done) == (False, True)


def test_pilots_without_disagreements_are_left_out() -> None:
    """A third of the pilots drawn from twelve units with one disagreement has none."""
    cells = [[1, 1]] * 6 + [[2, 2]] * 5 + [[1, 2]]
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    assert plan(data, "percent", width=0.2, resamples=50, seed=1).width_range is not None
    same = tally(Judgements.from_matrix([[1, 1], [2, 2]] * 9, level="nominal"))
    with pytest.raises(InputError, match="all samples of these data give the same value"):
        plan(same, "percent", width=0.1, ci="bootstrap", seed=1)


def test_three_raters_say_what_more_of_them_would_do() -> None:
    random = generator(2)
    truth = random.integers(0, 2, 80)[:, None]
    cells = np.where(random.random((80, 3)) < 0.8, truth, random.integers(0, 2, (80, 3)))
    for n_raters, said in ((3, "more raters alone hardly narrow the interval"), (2, "2 raters do not say")):
        data = tally(Judgements.from_matrix(cells[:, :n_raters], level="nominal"))
        found = stopping(data, measure(data, "alpha", resamples=200, seed=1), 0.02)
        assert (found.raters_reason or "").startswith(said)
