"""Correlations: textbook values, details, many raters, large and continuous data."""

from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally, with_raters
from concordant.measures import correlation
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate, resample
from concordant.measures.result import Agreement
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.uncertainty.estimate import measure, verify

TABLE = [[10, 5, 2], [8, 9, 5], [3, 3, 12]]


def on_table() -> Tally:
    return tally(Judgements.from_contingency(TABLE, ["1", "2", "3"], level="ordinal", raters=("ann", "bob")))


def on(matrix: object, level: str = "ordinal", **more: Any) -> Tally:
    return tally(Judgements.from_matrix(np.asarray(matrix), level=level, **more))


def compute(key: str, data: Tally) -> Agreement:
    return evaluate(CATALOGUE[key], data)


def test_gamma_shows_what_it_is_made_of() -> None:
    """Counted by hand: every pair of cells of the table."""
    cells = [(i, j, TABLE[i][j]) for i in range(3) for j in range(3)]
    concordant = sum(n * m for i, j, n in cells for k, q, m in cells if k > i and q > j)
    discordant = sum(n * m for i, j, n in cells for k, q, m in cells if k > i and q < j)
    total = sum(n for *_, n in cells)
    result = compute("gk_gamma", on_table())
    assert float(result) == pytest.approx((concordant - discordant) / (concordant + discordant))
    assert result.details["concordant"] == concordant
    assert result.details["discordant"] == discordant
    assert result.details["tied"] == total * (total - 1) // 2 - concordant - discordant
    assert result.details["tau_b"] == pytest.approx(float(compute("tau_b", on_table())))


def test_somers_d_lies_between_its_directions() -> None:
    result = compute("somers_d", on_table())
    ways = [result.details["second_given_first"], result.details["first_given_second"]]
    low, high = sorted(ways)
    assert low <= float(result) <= high
    first, second = result.raters
    assert f"d({second} | {first}) = {ways[0]:.3f}, d({first} | {second}) = {ways[1]:.3f}" in result.notes


def test_more_raters_are_the_mean_over_pairs_with_common_units() -> None:
    matrix = np.array([[1, 2, 1], [2, 2, 3], [3, 3, 2], [1, 1, np.nan], [2, 3, np.nan], [3, 2, np.nan]])
    data = Judgements.from_matrix(matrix, level="ordinal", raters=["a", "b", "c"])
    together = compute("gk_gamma", tally(data))
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    alone = [compute("gk_gamma", tally(data.with_raters(pair))) for pair in pairs]
    values = [float(result) for result in alone]
    assert float(together) == pytest.approx(np.average(values, weights=[6, 3, 3]))
    equal = evaluate(CATALOGUE["gk_gamma"], tally(data), Options(pair_weights="equal"))
    assert float(equal) == pytest.approx(np.mean(values))
    rows = together.details["pairs"]
    assert [tuple(row["raters"]) for row in rows] == pairs
    for row, result in zip(rows, alone, strict=True):
        assert row["value"] == pytest.approx(float(result))
        assert row["n_units"] == result.n_units
        assert row["concordant"] == result.details["concordant"]


def test_very_many_pairs_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correlation, "MOST_PAIRS", 2)
    result = compute("gk_gamma", on([[1, 1, 2], [2, 3, 3], [3, 2, 1]]))
    assert result.details["n_pairs"] == 3
    assert "pairs" not in result.details


def test_the_constant_rater_is_named() -> None:
    first = compute("gk_gamma", on([[1, 1], [1, 2], [1, 1]], raters=["ann", "bob"]))
    second = compute("gk_gamma", on([[1, 1], [2, 1], [1, 1]], raters=["ann", "bob"]))
    assert first.reason == "rater ann gave the same value to all units judged in common with bob"
    assert second.reason == "rater bob gave the same value to all units judged in common with ann"
    assert first.details["tau_b"] is None
    assert compute("somers_d", on([[1, 1], [1, 2]])).details["second_given_first"] is None


def test_a_constant_shift_is_correlation_but_not_concordance() -> None:
    data = on([[1, 2], [2, 3], [3, 4]], "interval")
    assert float(compute("pearson", data)) == pytest.approx(1)
    assert float(compute("lin_ccc", data)) == pytest.approx(2 * (2 / 3) / (2 / 3 + 2 / 3 + 1))


def test_lin_is_zero_for_a_constant_rater_and_undefined_for_two() -> None:
    assert float(compute("lin_ccc", on([[1, 2], [1, 3], [1, 1]], "interval"))) == 0
    assert compute("lin_ccc", on([[1, 1], [1, 1]], "interval")).value is None


def test_scores_far_from_zero_lose_no_digits() -> None:
    random = np.random.default_rng(6)
    scores = random.normal(size=(2000, 2))
    near, far = (compute("pearson", on(scores + shift, "interval")) for shift in (0, 1e7))
    assert float(near) == pytest.approx(float(far), abs=1e-7)


def test_ordinal_data_are_warned_about() -> None:
    result = compute("pearson", on_table())
    assert "Pearson's correlation takes the steps between ordinal values as equal" in result.notes
    assert not compute("spearman", on_table()).notes


def test_a_hundred_thousand_continuous_pairs() -> None:
    """Comparing every two of them would take ten thousand million steps."""
    random = np.random.default_rng(7)
    scores = random.normal(size=(100_000, 1)) + random.normal(size=(100_000, 2))
    result = compute("tau_b", on(scores, "interval"))
    assert float(result) == pytest.approx(1 / 3, abs=0.01)


def test_a_pair_without_units_in_a_resample_is_left_out() -> None:
    data = on(np.array([[1, 1, np.nan], [2, 2, np.nan], [3, 1, np.nan], [1, np.nan, 1], [2, np.nan, 2]]))
    pairs = data.pairs
    judged_by_third = np.array(
        [2 in data.patterns.rater[data.patterns.pattern == p] for p in range(len(pairs.weights))]
    )
    weights = np.stack([pairs.weights, pairs.weights * ~judged_by_third])
    whole, part = resample(CATALOGUE["tau_b"], pairs.reweighted(weights), data)
    first_pair = compute("tau_b", data).details["pairs"][0]["value"]
    assert part == pytest.approx(first_pair)
    assert whole != pytest.approx(part)


def test_of_several_pairs_the_one_without_a_value_is_named_and_the_others_counted() -> None:
    raters = ["ann", "bob", "cem"]
    last = compute("tau_b", on([[1, 1, np.nan], [2, 2, np.nan], [np.nan, 1, 2], [np.nan, 1, 1]], raters=raters))
    held = "; such pairs hold {} of the common units, and up to 10% are left out"
    assert last.reason == f"rater bob gave the same value to all units judged in common with cem{held.format('50%')}"
    two = compute("tau_b", on([[1, 1, 1], [2, 2, 1], [1, 2, 1]], raters=raters))
    assert two.reason == (
        "rater cem gave the same value to all units judged in common with ann"
        f" (and 1 more of 3 rater pairs have no value){held.format('67%')}"
    )
    nearly = np.array([[one, one % 3 + 1, np.nan] for one in (1, 2, 3) * 14] + [[1, 2, 1]] * 2 + [[2, 2, 1]])
    some = compute("tau_b", on(nearly, raters=raters))  # 6 of 51 pair units
    assert str(some.reason).endswith(held.format("12%"))
    more = compute("tau_b", on(np.concatenate([nearly, [[3, 1, np.nan]] * 8]), raters=raters))  # 6 of 59: 10.17 %
    assert str(more.reason).endswith(held.format("10.17%"))
    single = compute("tau_b", on([[1, 1, np.nan], [2, 2, np.nan], [np.nan, 1, 2]], raters=raters))
    assert single.reason == f"bob and cem judged one unit in common, and a correlation needs two{held.format('33%')}"


def small_pair() -> Tally:
    """Ann and Bob judged 60 units, Cem one of them."""
    random = generator(5)
    matrix = np.full((60, 3), np.nan)
    matrix[:, 0] = random.integers(1, 6, 60)
    matrix[:, 1] = np.clip(matrix[:, 0] + random.integers(-1, 2, 60), 1, 5)
    matrix[:1, 2] = 3
    return on(matrix, raters=["ann", "bob", "cem"])


def test_a_small_pair_without_a_value_is_left_out_and_named() -> None:
    data = small_pair()
    for key in ("gk_gamma", "tau_b", "spearman", "somers_d"):
        found = compute(key, data)
        assert found.value == pytest.approx(float(compute(key, with_raters(data, ["ann", "bob"]))))
        note = "mean of 1 of 3 pairs (ann & cem, 1 units: one unit in common; bob & cem, 1 units: one unit in common)"
        assert note in found.notes
        assert (found.details["n_pairs"], found.details["n_undefined"]) == (3, 2)
        assert found.details["left_out"][0]["raters"] == ["ann", "cem"]
        strict = evaluate(CATALOGUE[key], data, Options(undefined_pairs="refuse"))
        assert strict.value is None
        assert str(strict.reason).endswith("hold 3% of the common units, and none is left out")


def test_resamples_leave_out_small_pairs_by_the_same_rule() -> None:
    found = measure(small_pair(), "tau_b", resamples=200, seed=1)
    assert found.interval is not None
    assert verify(found.signature, small_pair()).matches


def test_pooled_gamma_sums_orders_over_pairs() -> None:
    data = small_pair()
    found = compute("gk_gamma", with_raters(data, ["ann", "bob"]))
    assert float(compute("gk_gamma_pooled", data)) == pytest.approx(float(found))
    matrix = [[1, 2, 1], [2, 2, 3], [3, 3, 2], [1, 1, 3], [2, 3, 1]]
    three = on(matrix, raters=["a", "b", "c"])
    told = compute("gk_gamma", three).details
    pooled = compute("gk_gamma_pooled", three)
    same, opposite = told["concordant"], told["discordant"]
    assert float(pooled) == pytest.approx((same - opposite) / (same + opposite))
    assert measure(three, "gk_gamma_pooled", resamples=50, seed=1, ci="bootstrap").value == pooled.value
    assert "in an order" in str(compute("gk_gamma_pooled", on([[1, 1], [1, 2]])).reason)
    assert compute("gk_gamma_pooled", on([[1, np.nan], [np.nan, 2]])).value is None
