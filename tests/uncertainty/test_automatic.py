"""The interval that nobody asked for: which it is, and that it holds where intervals fail."""

import importlib.util
import math
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from concordant.engines.tally import Tally, tally
from concordant.measures import usual
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import resample
from concordant.measures.result import Interval
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.uncertainty import posterior
from concordant.uncertainty.estimate import measure, verify
from concordant.uncertainty.intervals import t_quantile
from concordant.uncertainty.posterior import more_counts, more_pairs, unseen
from concordant.uncertainty.request import Ci
from tests.uncertainty.conftest import panel

OF_PATTERNS = ("percent", "s", "pi", "fleiss", "alpha", "ac1", "kappa", "conger")


def pairs(times: dict[tuple[int, int], int], level: str = "nominal") -> Judgements:
    """Two raters, two categories: how often each pair of judgements occurs."""
    cells = [pair for pair, n in times.items() for _ in range(n)]
    return Judgements.from_matrix(cells, level=level, categories=[0, 1])


def interval(data: Any, key: str, **how: Any) -> Interval:
    found = measure(data, key, **{"seed": 1, **how}).interval
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("yes", "no", "lows"),
    [
        (10, 10, {"kappa": 0.721, "pi": 0.717, "alpha": 0.717, "ac1": 0.740}),
        (19, 1, {"kappa": 0.173, "ac1": 0.818}),
        (20, 0, {"kappa": -0.001, "ac1": 0.840}),
    ],
)
def test_perfect_agreement_is_not_certainty(yes: int, no: int, lows: dict[str, float]) -> None:
    """Values of the prototype with 2,000 draws, within their error and ours of 100,000."""
    for key, low in lows.items():
        found = interval(pairs({(0, 0): yes, (1, 1): no}), key, resamples=100_000)
        assert found.low == pytest.approx(low, abs=0.008), key
        assert found.high == 1
        assert found.method == "pattern posterior over 20 units, 100,000 draws"
        assert found.why is not None


def test_percent_of_two_raters_is_a_beta_distribution() -> None:
    """x of n pairs agree: Beta(f x + 1, f (n - x) + 1/2)."""
    found = interval(pairs({(0, 0): 20, (1, 1): 15, (0, 1): 5}), "percent", resamples=200_000)
    f = (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 39)) ** 2 * 39 / 40
    ends = [float(stats.beta.ppf(share, 35 * f + 1, 5 * f + 0.5)) for share in (0.025, 0.975)]
    assert [found.low, found.high] == pytest.approx(ends, abs=0.002)


def test_what_is_undefined_has_an_interval_all_the_same() -> None:
    found = measure(pairs({(0, 0): 20}), "kappa", seed=1)
    assert found.value is None
    assert found.interval is not None
    assert verify(found.signature, pairs({(0, 0): 20})).matches


def test_without_a_pair_or_a_second_category_there_is_none() -> None:
    alone = Judgements.from_matrix([[0, np.nan], [np.nan, 1], [1, np.nan]], level="nominal")
    assert measure(alone, "pi", seed=1).interval is None
    one = Judgements.from_matrix([[1, 1]] * 5, level="nominal")
    found = measure(one, "kappa", seed=1)
    assert found.interval is None
    assert "the scale has one category" in found.notes
    single = measure(pairs({(0, 1): 1}), "percent", seed=1)
    assert "one unit cannot be resampled, so there is no interval" in single.notes


@pytest.mark.parametrize("key", OF_PATTERNS)
def test_a_unit_with_one_judgement_changes_nothing(key: str) -> None:
    rows = np.array([[0, 0], [0, 1], [1, 1], [1, 1], [0, 0], [0, 0], [0, np.nan]])
    one, two = (
        measure(Judgements.from_matrix(cells, level="nominal", categories=[0, 1]), key, seed=1)
        for cells in (rows[:-1], rows)
    )
    assert one.value == two.value
    assert one.interval is not None
    assert two.interval is not None
    assert [one.interval.low, one.interval.high] == pytest.approx([two.interval.low, two.interval.high], abs=1e-9)


@pytest.mark.parametrize("key", OF_PATTERNS)
def test_clusters_of_one_are_units_to_the_last_digit(key: str) -> None:
    raters = 2 if key == "kappa" else 3
    data = Judgements.from_matrix(panel(40, raters), level="nominal")
    alone, apart = interval(data, key), interval(data.with_clusters(range(40)), key)
    assert (alone.low, alone.high) == (apart.low, apart.high)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=6, max_size=30))
def test_the_value_lies_inside_and_more_units_narrow(rows: list[tuple[int, int, int]]) -> None:
    small, large = (Judgements.from_matrix(rows * n, level="nominal", categories=[0, 1, 2]) for n in (1, 4))
    for key in ("conger", "alpha", "ac1"):
        found, narrow = (measure(data, key, seed=1, resamples=400) for data in (small, large))
        assert found.interval is not None
        assert narrow.interval is not None
        assert narrow.interval.width < found.interval.width
        if found.value is not None:
            assert found.interval.low <= found.value <= found.interval.high


def test_names_matter_only_for_the_draws() -> None:
    cells = panel(60, 3)
    one = Judgements.from_matrix(cells, level="nominal")
    two = Judgements.from_matrix((cells + 1) % 4, raters=["z", "y", "x"], level="nominal")
    for key in ("conger", "alpha", "ac1"):
        first, second = (interval(data, key, resamples=20_000) for data in (one, two))
        assert [first.low, first.high] == pytest.approx([second.low, second.high], abs=0.01)


@pytest.mark.parametrize("key", OF_PATTERNS)
def test_the_order_of_rows_does_not_matter(key: str) -> None:
    cells = panel(20, 2 if key == "kappa" else 3)
    rows = [(f"u{u}", f"r{r}", str(value)) for u, row in enumerate(cells) for r, value in enumerate(row)]
    one, two = (
        interval(Judgements.from_rows(*map(list, zip(*order, strict=True)), level="nominal"), key)
        for order in (rows, rows[::-1])
    )
    assert [one.low, one.high] == pytest.approx([two.low, two.high], abs=1e-12)


def test_two_raters_and_conger_of_them_are_one() -> None:
    data = pairs({(0, 0): 12, (1, 1): 9, (0, 1): 3})
    assert interval(data, "kappa").low == interval(data, "conger").low


def test_units_alike_in_their_cluster_say_nothing_new() -> None:
    """Copies of every unit inside its cluster leave kappa and pi as they were."""
    cells = panel(30, 2)
    once = Judgements.from_matrix(cells, level="nominal").with_clusters(range(30))
    copied = Judgements.from_matrix(np.repeat(cells, 3, axis=0), level="nominal").with_clusters(np.repeat(range(30), 3))
    for key in ("kappa", "pi"):
        one, many = interval(once, key), interval(copied, key)
        assert [one.low, one.high] == pytest.approx([many.low, many.high], abs=1e-9)


def test_unseen_units_hold_one_and_a_half_units() -> None:
    for n in (2, 3, 64, 500):
        first, second, mass = unseen(n)
        assert mass[first == second].sum() == pytest.approx(1)
        assert mass[first != second].sum() == pytest.approx(0.5)
        assert len(mass) <= 4096 + n + 500
    assert len(unseen(4)[0]) == 16


def test_incomplete_designs_have_unseen_units_as_large_as_theirs() -> None:
    """Each rater judged a third: what nobody saw must not drown what each of them did."""
    random = generator(3)
    cells = np.full((300, 9), np.nan)
    for unit in range(300):
        truth = random.integers(0, 2)
        for rater in random.choice(9, 3, replace=False):
            cells[unit, rater] = truth if random.random() < 0.9 else 1 - truth
    data = Judgements.from_matrix(cells, level="nominal", categories=[0, 1])
    ours, drawn = interval(data, "conger"), interval(data, "conger", ci="bootstrap")
    assert [ours.low, ours.high] == pytest.approx([drawn.low, drawn.high], abs=0.02)


def numbers(n: int, level: str = "interval") -> Judgements:
    random = generator(4)
    units = random.normal(size=n)
    return Judgements.from_matrix(units[:, None] + random.normal(size=(n, 3)) / 2 + 20, level=level)


@pytest.mark.parametrize(
    ("data", "key", "method"),
    [
        (numbers(20), "alpha", "hull of two jackknife intervals over units, plain and on Fisher's z"),
        (numbers(20), "cronbach_alpha", "generalized pivots, 4,000 draws"),
        (numbers(20), "pearson", "hull of two jackknife intervals over units, plain and on Fisher's z"),
        (numbers(20), "lin_ccc", "hull of two jackknife intervals over units, plain and on Fisher's z"),
        (numbers(20), "spearman", "percentile bootstrap over units, 2,000 resamples"),
        (numbers(20), "omega", "percentile bootstrap over units, 2,000 resamples"),
        (Judgements.from_matrix([[1, 1], [2, 2], [3, 3]] * 8, level="interval"), "alpha", "pattern posterior"),
        (Judgements.from_matrix(panel(6000, 3), level="nominal"), "alpha", "percentile bootstrap over units"),
    ],
)
def test_each_measure_says_which_interval_is_usual(data: Judgements, key: str, method: str) -> None:
    found = measure(data, key, seed=1)
    assert found.interval is not None
    assert found.interval.method.startswith(method[:20])
    assert found.interval.why
    assert verify(found.signature, data).matches
    few = any("not studied" in note for note in found.notes)
    assert few == (key in ("spearman", "omega"))


@pytest.mark.parametrize(
    ("ci", "options"),
    [("auto", {}), ("analytic", {}), ("auto", {"incomplete": "drop"}), ("pivots", {"incomplete": "drop"})],
)
def test_one_number_under_two_names_has_one_interval(ci: Ci, options: dict[str, str]) -> None:
    random = generator(5)
    cells = random.normal(size=(25, 1)) + random.normal(size=(25, 3))
    if options:
        cells[::6, 1] = np.nan
    data = Judgements.from_matrix(cells, level="interval")
    one = measure(data, "icc_ck", ci=ci, seed=1, **options)
    two = measure(data, "cronbach_alpha", ci=ci, seed=1)
    assert one.value == pytest.approx(two.value)
    assert one.interval is not None
    assert two.interval is not None
    assert [two.interval.low, two.interval.high] == pytest.approx([one.interval.low, one.interval.high])


def test_where_scores_agree_exactly_there_is_no_interval_without_width() -> None:
    alike = Judgements.from_matrix(np.array([[1.5, 1.5], [2.25, 2.25], [3, 3]] * 4), level="interval")
    found = measure(alike, "cronbach_alpha", seed=1)
    assert found.interval is None  # resamples would all be alike, and that is no certainty
    assert any("interval without width" in note for note in found.notes)
    asked = measure(alike, "cronbach_alpha", ci="bootstrap", seed=1)
    assert asked.interval is not None
    assert any("not certainty" in note for note in asked.notes)


def test_what_pivots_cannot_say_resamples_do() -> None:
    apart = Judgements.from_matrix([[1, 2], [2, 3], [3, 4], [5, 6]], level="interval")
    found = measure(apart, "icc_a1", seed=1)
    assert found.interval is not None
    assert found.interval.method.startswith("percentile")
    assert found.interval.why == "the usual one is undefined on these data"


def test_the_hull_of_numbers() -> None:
    """By hand: both jackknife intervals, and the hull of their ends."""
    data = numbers(20)
    found, value = interval(data, "alpha"), float(measure(data, "alpha", ci="none"))
    cells = np.array(
        [
            [float(data.scale.categories[c]) if not data.scale.is_continuous else c for c in row]
            for row in data.rows().value.reshape(20, 3)
        ]
    )
    left = np.array(
        [
            float(measure(Judgements.from_matrix(np.delete(cells, i, axis=0), level="interval"), "alpha", ci="none"))
            for i in range(20)
        ]
    )
    t = stats.t.ppf(0.975, 19)
    ends = []
    for there, back in ((lambda x: x, lambda x: x), (np.arctanh, np.tanh)):
        error = np.sqrt(19 / 20 * ((there(left) - there(left).mean()) ** 2).sum())
        ends += [back(there(value) - t * error), back(there(value) + t * error)]
    assert [found.low, found.high] == pytest.approx([min(ends), min(1, max(ends))], abs=1e-9)


def test_a_unit_that_nobody_saw_counts_as_one_unit_of_all_raters() -> None:
    """Of three raters each gave half of both categories; one who judged half of the units gave half as much."""
    grid = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 1, 1]])
    first, second, _ = unseen(2)
    for matrix, expected in (
        (grid, [1, 1, 1]),
        (np.where(np.arange(12).reshape(4, 3) % 6 == 5, -1, grid), [0.5, 1, 1]),
    ):
        judged = Judgements.from_matrix(matrix, level="nominal", missing=[-1])
        more = more_pairs(tally(judged).pairs, first, second)
        weights = np.zeros(len(more.weights))
        weights[len(weights) - len(first) + np.flatnonzero((first == 0) & (second == 1))] = 1
        totals = more.reweighted(weights).rater_totals(only_paired=True)
        assert sorted(totals.sum(axis=-1).tolist()) == expected
        np.testing.assert_array_equal(totals[:, 0], totals[:, 1])


def test_of_two_raters_a_unit_that_nobody_saw_has_one_category_of_each() -> None:
    """The first by name gave the first category, whoever comes first in the file."""
    for names in (("A", "B"), ("B", "A")):
        judged = Judgements.from_matrix([[0, 0], [1, 1], [0, 1]], level="nominal", raters=names)
        first, second, _ = unseen(2)
        more = more_pairs(tally(judged).pairs, first, second)
        alone = np.zeros(len(more.weights))
        alone[len(alone) - len(first) + np.flatnonzero((first == 0) & (second == 1))] = 1
        totals = dict(zip(more.raters, more.reweighted(alone).rater_totals(only_paired=True).tolist(), strict=True))
        assert totals == {"A": [1, 0], "B": [0, 1]}


def test_a_unit_that_nobody_saw_agrees_wholly_or_not_at_all() -> None:
    data = tally(Judgements.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 1, 1]], level="nominal"))
    first, second, _ = unseen(2)
    more = more_counts(data.counts, first, second)
    for place, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        alone = np.zeros(len(more.weights))
        alone[len(alone) - len(first) + place] = 1
        agree = resample(CATALOGUE["percent"], more.reweighted(alone), data)
        assert float(agree) == pytest.approx(float(one == other))


def test_a_hull_without_width_or_without_a_value_says_so() -> None:
    assert not any("no width" in note for note in measure(numbers(20), "alpha", ci="hull", seed=1).notes)
    same = Judgements.from_matrix(np.array([[1.5, 1.5], [2.25, 2.25], [3, 3]] * 4), level="interval")
    found = measure(same, "alpha", ci="hull", seed=1)
    assert "no judgement moves the value, so the interval has no width; that is not certainty" in found.notes
    lone = Judgements.from_matrix([[1, 1], [1, 1], [1, 2]], level="interval")
    assert "no jackknife interval" in measure(lone, "alpha", ci="hull").notes[-1]
    assert "one unit" in measure(Judgements.from_matrix([[1, 2]], level="interval"), "alpha", ci="hull").notes[-1]


@pytest.mark.parametrize("clustered", [False, True])
def test_linearised_is_near_the_bootstrap(clustered: bool) -> None:
    data = Judgements.from_matrix(panel(400, 4), level="nominal")
    data = data.with_clusters(np.arange(400) // 4) if clustered else data
    for key in ("conger", "pi", "alpha"):
        ours, drawn = interval(data, key, ci="linearised"), interval(data, key, ci="bootstrap")
        assert [ours.low, ours.high] == pytest.approx([drawn.low, drawn.high], abs=0.015)
    assert ours.method == ("linearised over 100 clusters (400 units)" if clustered else "linearised over 400 units")


def test_raters_are_drawn_by_the_bootstrap() -> None:
    data = Judgements.from_matrix(panel(50, 12), level="nominal")
    found = interval(data, "alpha", over="both", resamples=50)
    assert found.method.startswith("percentile bootstrap over units and raters")


def test_the_t_quantile_is_scipys() -> None:
    for share in (0.6, 0.9, 0.975, 0.995):
        for freedom in (1, 2, 5, 19, 200, 999, 1001, 1e6):
            assert t_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), rel=1e-8)
        assert t_quantile(share, math.inf) == pytest.approx(stats.norm.ppf(share), rel=1e-12)


@pytest.mark.slow  # a clock is read
def test_five_thousand_patterns_take_less_than_two_seconds() -> None:
    data = tally(Judgements.from_matrix(generator(1).integers(0, 6, (5000, 5)), level="nominal"))
    assert isinstance(data, Tally)
    begin = time.process_time()
    interval(data, "alpha", ci="posterior")
    assert time.process_time() - begin < 4  # 1 s on a machine with nothing else to do


def test_every_measure_offers_what_is_usual() -> None:
    data = tally(Judgements.from_matrix(panel(20, 2), level="ordinal"))
    for one in CATALOGUE.values():
        if "judgements" in one.of:
            assert one.automatic(data, one.options()).ci in one.ci


def coverage_map() -> ModuleType:
    """The script that makes docs/explanation/coverage.md."""
    path = Path(__file__).parents[2] / "scripts" / "coverage_map.py"
    spec = importlib.util.spec_from_file_location("coverage_map", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["coverage_map"] = module
    spec.loader.exec_module(module)
    return module


def test_few_units_in_order_leave_other_orders_possible() -> None:
    """All 12 units alike: percentiles would know of nothing but 1."""
    same = Judgements.from_matrix([[1 + i % 4] * 2 for i in range(12)], level="ordinal")
    for key in ("gk_gamma", "gk_gamma_pooled", "tau_b", "spearman", "somers_d"):
        found, drawn = interval(same, key), interval(same, key, ci="bootstrap")
        assert found.method == "pattern posterior over 12 units, 2,000 draws"
        assert 0.4 < found.low < 0.8
        assert (found.high, drawn.low) == pytest.approx((1, 1))


def test_the_posterior_of_ranks_is_for_few_units_in_categories_that_raters_share() -> None:
    cells = [[1 + i % 5, 1 + (i + i // 9) % 5, 1 + (i + i // 7) % 5] for i in range(30)]
    few, many = (Judgements.from_matrix(cells[:n], level="ordinal") for n in (29, 30))
    assert interval(few, "tau_b").method.startswith("pattern posterior")
    assert interval(few, "tau_c").method.startswith("percentile bootstrap")  # counts the categories that are used
    for other in (many, few.with_clusters(np.arange(29) // 2)):
        assert interval(other, "tau_b").method.startswith("percentile bootstrap")
    holes = Judgements.from_matrix([[a, b, c if i < 10 else ""] for i, (a, b, c) in enumerate(cells[:29])])
    assert interval(holes, "tau_b").method.startswith("percentile bootstrap")
    scores = measure(Judgements.from_matrix(generator(1).normal(size=(20, 2)), level="interval"), "spearman", seed=1)
    assert scores.interval is not None
    assert scores.interval.method.startswith("percentile bootstrap")
    assert any("of pairs of normal scores; others are not studied" in note for note in scores.notes)


def test_units_that_nobody_saw_are_shared_by_the_pairs_of_raters() -> None:
    """Names and places of raters matter within the error of 2,000 draws only, and the third rater narrows it."""
    cells = np.array([[1 + i % 5, 1 + (i + i // 9) % 5, 1 + (i + i // 7) % 5] for i in range(20)])
    three, turned = (interval(Judgements.from_matrix(one, level="ordinal"), "tau_b") for one in (cells, cells[:, ::-1]))
    assert (three.low, three.high) == pytest.approx((turned.low, turned.high), abs=0.03)
    assert three.width < interval(Judgements.from_matrix(cells[:, :2], level="ordinal"), "tau_b").width


@pytest.mark.slow
@pytest.mark.parametrize("case", range(13))
def test_the_default_covers(case: int) -> None:
    """The cells of docs/explanation/coverage.md at their hardest sizes."""
    made = coverage_map()
    one = made.CASES[case]
    for n in (20, 50):
        for key in one.keys:
            assert made.of_categories(one, n, key, "auto", 1000, 1000).share >= 0.92, (one.name, n, key)


@pytest.mark.slow
def test_the_default_covers_clusters_and_numbers() -> None:
    made = coverage_map()
    assert made.of_clusters(20, "kappa", "auto", True, 500, 1000).share >= 0.905
    assert made.of_numbers(20, 2, 0.9, False, "alpha", "auto", 500, 1000).share >= 0.905
    assert made.of_panel(made.PANELS[0], "auto", 500).share >= 0.905
    for key in ("pearson", "lin_ccc", "tau_b", "gk_gamma"):
        assert made.of_pairs(20, 0.9, key, 500, 1000).share >= 0.92


def test_very_many_clusters_are_linearised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usual, "MOST_RESAMPLED", 30)
    monkeypatch.setattr(usual, "MOST_CLUSTERS", 30)
    data = Judgements.from_matrix(panel(80, 3), level="nominal")
    assert interval(data.with_clusters(np.arange(80) // 2), "alpha").method.startswith("linearised over 40 clusters")
    assert interval(data, "conger").method == "linearised over 80 units"
    assert interval(data, "alpha").method.startswith("pattern posterior")


def test_an_undefined_value_says_what_the_data_allow() -> None:
    found = measure(pairs({(0, 0): 20}), "kappa", seed=1)
    assert str(found.lack).startswith(f"{found.reason}; the data allow -0.00")
    assert found.with_(interval=None).lack == found.reason


def test_draws_come_in_blocks_that_do_not_change_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pairs({(0, 0): 12, (0, 1): 3, (1, 1): 5})
    whole = interval(data, "alpha", resamples=100)
    monkeypatch.setattr(posterior, "BLOCK_CELLS", 7 * 30)
    assert interval(data, "alpha", resamples=100) == whole
