"""Permutation tests.

Welch's tests, against scipy and statsmodels.
"""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally, with_raters
from concordant.errors import InputError, Undefined
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.model.judgements import Judgements
from concordant.uncertainty import resampling, significance
from concordant.uncertainty.significance import (
    PermutationTest,
    WelchTest,
    above_chance,
    all_divisions,
    rater_groups_differ,
    unit_groups_differ,
    welch_anova,
    welch_t,
)
from tests.uncertainty.conftest import panel


def test_agreement_is_above_chance_and_guessing_is_not(five_raters: Tally) -> None:
    found = above_chance(five_raters, "alpha", permutations=199, seed=1)
    assert found.statistic == evaluate(find_measure("alpha"), five_raters).value
    assert found.p == pytest.approx(2 / 200)
    assert abs(found.chance_mean) < 0.05
    assert found.method.endswith("two-sided")
    guesses = tally(Judgements.from_matrix(panel(60, 3, right=0.0), level="nominal"))
    assert above_chance(guesses, "fleiss", permutations=199, seed=1).p > 0.05


def test_shuffling_keeps_each_raters_shares(two_raters: Tally) -> None:
    """Cohen's expected agreement depends on the raters' shares only, so the mean of shuffled kappas is near 0."""
    told: list[int] = []
    found = above_chance(two_raters, "kappa", permutations=300, seed=2, progress=lambda d, t: told.append(d))
    assert abs(found.chance_mean) < 0.02
    assert told[-1] == 300


def test_an_undefined_coefficient_cannot_be_tested() -> None:
    with pytest.raises(Undefined):
        above_chance(tally(Judgements.from_matrix([[1, 1], [1, 1]], level="nominal")), "kappa", seed=1)


def slices(right_first: float, right_second: float) -> tuple[Tally, Tally]:
    cells = [panel(80, 3, right=right, seed=s) for s, right in ((1, right_first), (2, right_second))]
    one, two = (tally(Judgements.from_matrix(c, level="nominal", categories=[1, 2, 3, 4])) for c in cells)
    return one, two


@pytest.mark.parametrize("key", ["alpha", "conger", "percent"])
def test_groups_of_units(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apart = unit_groups_differ(*slices(0.9, 0.4), key, permutations=300, seed=1)
    assert apart.p < 0.02
    assert apart.statistic > 0.2
    alike = unit_groups_differ(*slices(0.7, 0.7), key, permutations=300, seed=1)
    assert alike.p > 0.05
    monkeypatch.setattr(resampling, "BLOCK_CELLS", 100)
    assert unit_groups_differ(*slices(0.7, 0.7), key, permutations=300, seed=1).p == pytest.approx(alike.p)


def test_groups_of_units_must_be_of_one_study() -> None:
    other = tally(Judgements.from_matrix([[1, 2], [2, 2]], level="ordinal"))
    with pytest.raises(InputError, match="differ in scale"):
        unit_groups_differ(slices(0.7, 0.7)[0], other, "alpha", seed=1)


@pytest.mark.parametrize("key", ["alpha", "conger", "ac1", "gk_gamma"])
def test_a_slice_may_lack_categories_and_raters(key: str) -> None:
    whole = [[1, 1, 1], [2, 2, 1], [3, 3, 3], [1, 2, 1], [3, 3, 2], [2, 2, 2]]
    part = np.array([[2, None, 1], [1, None, 1], [2, None, 2], [1, None, 2]], dtype=object)
    first, full = (
        tally(Judgements.from_matrix(cells, level="ordinal", categories=[1, 2, 3])) for cells in (whole, part)
    )
    less = tally(Judgements.from_matrix(part[:, [2, 0]], raters=["rater 3", "rater 1"], level="ordinal"))
    expected = unit_groups_differ(first, full, key, permutations=400, seed=1)
    found = unit_groups_differ(first, less, key, permutations=400, seed=1)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.p, abs=0.1)
    turned = tally(
        Judgements.from_matrix(part[:, ::-1], raters=full.raters[::-1], level="ordinal", categories=[1, 2, 3])
    )
    assert unit_groups_differ(first, turned, key, permutations=9, seed=1).statistic == pytest.approx(expected.statistic)


@pytest.mark.parametrize("key", ["kappa", "conger", "gk_gamma"])
def test_slices_with_the_same_categories_may_have_other_raters(key: str) -> None:
    """Units change sides with those who judged them: nobody is taken for the rater in the same place of another list."""
    cells, nobody, names = panel(40, 4).astype(float), np.full((20, 2), np.nan), ("A", "B", "C", "D")

    def made(side: Any, raters: tuple[str, ...]) -> Tally:
        return tally(Judgements.from_matrix(side, raters=raters, level="ordinal", categories=[1, 2, 3, 4]))

    def tested(first: Tally, second: Tally) -> PermutationTest:
        return unit_groups_differ(first, second, key, permutations=50, seed=1)

    one, two = made(cells[:20, :2], names[:2]), made(cells[20:, 2:], names[2:])
    found = tested(one, two)
    full = made(np.hstack([cells[:20, :2], nobody]), names), made(np.hstack([nobody, cells[20:, 2:]]), names)
    assert found == tested(*full)
    assert found.chance_mean != tested(one, replace(two, raters=names[:2])).chance_mean


@pytest.mark.parametrize("key", ["alpha", "conger"])
def test_groups_of_raters(key: str) -> None:
    good, poor = panel(80, 4, right=0.95), panel(80, 4, right=0.1, seed=9)
    data = tally(Judgements.from_matrix(np.hstack([good, poor]), level="nominal"))
    names = data.raters
    found = rater_groups_differ(data, names[:4], names[4:], key, permutations=200, seed=1)
    assert found.statistic > 0.5
    assert found.p < 0.1  # 70 divisions into two groups of four: p cannot be much smaller
    mixed = rater_groups_differ(data, names[::2], names[1::2], key, permutations=200, seed=1)
    assert mixed.p > 0.3


def test_groups_of_raters_are_checked(five_raters: Tally) -> None:
    names = five_raters.raters
    with pytest.raises(InputError, match="at least two raters each"):
        rater_groups_differ(five_raters, names[:1], names[1:], "alpha", seed=1)
    with pytest.raises(InputError, match="nobody in both"):
        rater_groups_differ(five_raters, names[:3], names[2:], "alpha", seed=1)
    with pytest.raises(InputError, match="no rater 'nobody'"):
        rater_groups_differ(five_raters, names[:2], ["nobody", names[3]], "alpha", seed=1)
    constant = tally(Judgements.from_matrix([[1, 1, 1, 2], [1, 1, 2, 1]], level="nominal"))
    with pytest.raises(InputError, match="undefined in one of the groups"):
        rater_groups_differ(constant, constant.raters[:2], constant.raters[2:], "alpha", seed=1)


def two_by_two() -> tuple[Tally, Tally]:
    """Two groups of two units each; two of the three divisions leave a group with one category."""
    made = [Judgements.from_matrix([[1, 1], [2, 2]], level="nominal") for _ in range(2)]
    return tally(made[0]), tally(made[1])


def test_undefined_permutations_are_counted() -> None:
    found = unit_groups_differ(*two_by_two(), "alpha", permutations=300, seed=1)
    assert (found.permutations, found.n_undefined, found.is_exact) == (3, 2, True)
    assert found.p == 1
    drawn = unit_groups_differ(*two_by_two(), "alpha", permutations=2, seed=1)
    assert (drawn.permutations, drawn.is_exact) == (2, False)


def test_nothing_but_undefined_permutations_is_refused() -> None:
    def outcome(seed: int) -> str:
        try:
            return unit_groups_differ(*two_by_two(), "alpha", permutations=1, seed=seed).method
        except InputError as error:
            return str(error)

    assert any("every permutation is undefined" in outcome(seed) for seed in range(30))


def p_of(statistic: float, values: list[float]) -> PermutationTest:
    return significance.permutation_test("by hand", statistic, np.array(values), 7)


def test_p_values_by_hand() -> None:
    """Twice the smaller tail with the observed arrangement as one more, equal values in both tails."""
    values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert p_of(0.75, values).p == pytest.approx(2 * 3 / 10)
    assert p_of(0.25, values).p == pytest.approx(2 * 3 / 10)
    assert p_of(0.8, values).p == pytest.approx(2 * 3 / 10)
    assert p_of(0.8 + 1e-14, values).p == pytest.approx(2 * 3 / 10)
    assert p_of(0.8 + 1e-9, values).p == pytest.approx(2 * 2 / 10)
    assert p_of(0.2 - 1e-14, values).p == pytest.approx(2 * 3 / 10)
    assert p_of(0.2 - 1e-9, values).p == pytest.approx(2 * 2 / 10)
    assert p_of(5, values).p == pytest.approx(2 / 10)
    assert p_of(0.5, values).p == 1


def test_what_is_undefined_is_left_out_and_counted() -> None:
    found = p_of(1.0, [np.nan, 0.0, 0.5, np.nan, 0.4])
    assert (found.permutations, found.n_undefined, found.seed) == (5, 2, 7)
    assert found.chance_mean == pytest.approx(0.3)
    assert found.p == pytest.approx(2 / 4)
    with pytest.raises(InputError, match="every permutation is undefined"):
        p_of(1.0, [np.nan])


@pytest.mark.parametrize("weights", [(1, 3), (3, 1, 2), (5,)])
def test_all_divisions_are_those_with_the_right_sum(weights: tuple[int, ...]) -> None:
    found = all_divisions(weights, 3, most=100)
    assert found is not None
    ways = [way for way in product(*(range(n + 1) for n in weights)) if sum(way) == 3]
    assert sorted(map(tuple, found.tolist())) == ways
    assert all_divisions(weights, 3, most=len(ways) - 1) is None


def test_all_divisions_of_two_small_groups_of_units() -> None:
    """Two units of each group: six divisions, counted one by one."""
    first, second = (
        tally(Judgements.from_matrix(cells, level="nominal", categories=[1, 2]))
        for cells in ([[1, 1], [2, 2]], [[1, 2], [2, 2]])
    )
    found = unit_groups_differ(first, second, "percent", permutations=6000, seed=1)
    agree = [1, 1, 0, 1]
    ways = [(agree[i] + agree[j]) - (4 - 1 - agree[i] - agree[j]) for i in range(4) for j in range(i + 1, 4)]
    assert found.statistic == pytest.approx(0.5)
    assert found.chance_mean == pytest.approx(np.mean(ways) / 2, abs=0.02)
    share = np.mean(np.array(ways) / 2 >= 0.5)
    assert found.p == pytest.approx(min(1, 2 * share), abs=0.03)


def test_each_rater_keeps_what_they_said_when_shuffled() -> None:
    """Of shuffled judgements two raters agree on the product of their shares, on average and exactly."""
    cells = np.array([[1, 1]] * 5 + [[1, 2]] * 3 + [[2, 2]] * 2 + [[2, 3]] * 2 + [[np.nan, 1]] * 4)
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    both = cells[:12]
    chance = above_chance(
        tally(Judgements.from_matrix(both, level="nominal")), "percent", permutations=800, seed=1
    ).chance_mean
    expected = sum((both[:, 0] == k).mean() * (both[:, 1] == k).mean() for k in (1, 2, 3))
    assert chance == pytest.approx(expected, abs=0.015)
    second = [np.mean(cells[:, 1] == k) for k in (1, 2, 3)]  # of all sixteen that the second rater judged
    wider = sum((both[:, 0] == k).mean() * second[k - 1] for k in (1, 2, 3))
    found = above_chance(data, "percent", permutations=800, seed=1)
    assert found.chance_mean == pytest.approx(wider, abs=0.015)
    assert found.permutations == 800


def test_groups_of_raters_are_measured_among_themselves(five_raters: Tally) -> None:
    one, two = five_raters.raters[:2], five_raters.raters[2:]
    found = rater_groups_differ(five_raters, one, two, "alpha", permutations=5, seed=1)
    values = [float(evaluate(find_measure("alpha"), with_raters(five_raters, group))) for group in (one, two)]
    assert found.statistic == pytest.approx(values[0] - values[1])
    with pytest.raises(InputError, match="icc1 cannot compare groups of raters"):
        rater_groups_differ(five_raters, one, two, "icc1", seed=1)


def test_a_group_of_units_without_a_value_is_refused() -> None:
    first, second = (
        tally(Judgements.from_matrix(cells, level="nominal", categories=[1, 2]))
        for cells in ([[1, 1], [2, 2]], [[1, 1], [1, 1]])
    )
    for pair in ((first, second), (second, first)):
        with pytest.raises(InputError, match="alpha is undefined in one of the groups"):
            unit_groups_differ(*pair, "alpha", seed=1)


def test_as_many_permutations_as_asked_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = slices(0.7, 0.6)
    whole = unit_groups_differ(first, second, "percent", permutations=20, seed=1)
    rows = 7
    n_patterns = len(first.counts.weights) + len(second.counts.weights)
    monkeypatch.setattr(resampling, "BLOCK_CELLS", rows * n_patterns + rows)
    parts = unit_groups_differ(first, second, "percent", permutations=20, seed=1)
    assert whole.permutations == parts.permutations == 20
    assert parts.chance_mean == pytest.approx(whole.chance_mean)


def test_twelve_raters_are_offered_for_an_unknown_one() -> None:
    data = tally(Judgements.from_matrix(panel(20, 15), level="nominal"))
    with pytest.raises(InputError) as refused:
        rater_groups_differ(data, data.raters[:2], ["nobody", "no one"], "alpha", seed=1)
    assert str(refused.value) == f"there is no rater 'nobody'; raters: {', '.join(data.raters[:12])}"


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


def test_two_values_in_each_group_are_enough() -> None:
    """By hand: means 1.5 and 4, squared errors .25 and 1."""
    found = welch_t([1, 2], [3, 5])
    assert found.statistic == pytest.approx(-2.5 / 1.25**0.5)
    assert found.freedom == pytest.approx((1.25**2 / (0.25**2 + 1),))
    assert found.means == (1.5, 4.0)
    assert welch_anova([[1, 2], [3, 5]]).statistic == pytest.approx(2.5**2 / 1.25)


@pytest.mark.parametrize(("p", "text"), [(0.001, "p = .001"), (0.00099, "p < .001"), (0.9999, "p = 1.000")])
def test_small_p_values_are_not_printed(p: float, text: str) -> None:
    found = WelchTest(kind="t", statistic=1.0, freedom=(3.0,), p=p, means=(), sizes=())
    assert found.text == f"t(3) = 1.00, {text}"


def renamed(unit: Any, rater: Any, value: Any, random: np.random.Generator) -> Judgements:
    """The same judgements in another order of rows, with other names of units and raters."""
    order = random.permutation(len(unit))
    units, raters = random.permutation(1000), random.permutation(1000)
    columns: dict[str, Any] = {
        "unit": [f"u{units[i]}" for i in unit[order]],
        "rater": [f"r{raters[i]}" for i in rater[order]],
        "value": [f"{i}" for i in value[order]],
    }
    return Judgements.from_rows(**columns, level="nominal")


def test_no_p_value_depends_on_the_order_of_rows_or_on_names() -> None:
    """200 tables of random size, filled to 80 %, each shuffled and renamed."""
    random = np.random.default_rng(7)
    for trial in range(200):
        shape = random.integers(6, 25), random.integers(2, 6)
        unit, rater = np.nonzero(random.random(shape) < 0.8)
        value = random.integers(0, random.integers(2, 4), len(unit))
        if len(np.unique(value)) < 2:
            continue
        key = ("alpha", "conger")[trial % 2]
        tests = [
            above_chance(tally(renamed(unit, rater, value, random)), key, permutations=19, seed=1) for _ in range(2)
        ]
        assert tests[0].p == tests[1].p, trial
        assert tests[0].chance_mean == pytest.approx(tests[1].chance_mean, abs=1e-12)


def test_nor_do_those_of_groups() -> None:
    random = np.random.default_rng(8)
    for _ in range(20):
        unit, rater = np.nonzero(random.random((30, 8)) < 0.8)
        value = random.integers(0, 3, len(unit))
        kinds, sides = [], []
        for _ in range(2):
            names = random.permutation(8)
            raters = [f"r{names[i]}" for i in range(8)]
            cells = np.full((30, 8), None, dtype=object)
            cells[unit, rater] = value
            rows, columns = random.permutation(15), random.permutation(8)
            said: dict[str, Any] = {"raters": [raters[i] for i in columns], "level": "nominal", "categories": [0, 1, 2]}
            first, second = (
                tally(Judgements.from_matrix(part[rows][:, columns], **said)) for part in (cells[:15], cells[15:])
            )
            kinds.append(unit_groups_differ(first, second, "conger", permutations=19, seed=1).p)
            whole = tally(Judgements.from_matrix(cells[:, columns], **said))
            sides.append(rater_groups_differ(whole, raters[:4], raters[4:], "alpha", permutations=19, seed=1).p)
        assert kinds[0] == kinds[1]
        assert sides[0] == sides[1]


def test_a_null_that_holds_is_rejected_as_rarely_as_it_should() -> None:
    random = np.random.default_rng(3)
    tables = [tally(Judgements.from_matrix(random.integers(1, 3, (20, 3)), level="nominal")) for _ in range(200)]
    rejected = [above_chance(data, "alpha", permutations=59, seed=1).p <= 0.05 for data in tables]
    assert 0.01 <= np.mean(rejected) <= 0.09


def test_small_tables_are_enumerated() -> None:
    """Two raters, six units, three of each kind: 20 orders of one rater beside the other, counted by hand.

    m units of the first kind stand beside their like in C(3,m)² of the 20 orders; two of three do in 9.
    """
    data = tally(Judgements.from_matrix([[1, 1], [1, 1], [1, 2], [2, 2], [2, 2], [2, 1]], level="nominal"))
    found = above_chance(data, "percent", permutations=20, seed=1)
    assert (found.permutations, found.is_exact, found.error) == (20, True, 0.0)
    assert found.p == pytest.approx(2 * (9 + 1) / 20)
    assert found.chance_mean == pytest.approx(0.5)
    drawn = above_chance(data, "percent", permutations=19, seed=1)
    assert not drawn.is_exact
    assert drawn.error == pytest.approx((drawn.p * (2 - drawn.p) / 19) ** 0.5)


def test_everybody_is_shuffled_where_units_lack_judgements() -> None:
    """Two raters, four units of whom one judged three each: no rater may stay in place, so 3 · 3 orders."""
    cells = np.array([[1, 1], [1, 2], [2, np.nan], [np.nan, 1]])
    found = above_chance(tally(Judgements.from_matrix(cells, level="nominal")), "percent", permutations=1000, seed=1)
    assert (found.permutations, found.is_exact) == (9, True)
    assert found.chance_mean == pytest.approx(4 / 9 + 1 / 9)


def test_few_raters_are_divided_in_every_way(five_raters: Tally) -> None:
    found = rater_groups_differ(five_raters, five_raters.raters[:2], five_raters.raters[2:], "alpha", seed=1)
    assert (found.permutations, found.is_exact) == (10, True)
    assert found.p >= 2 / 10


def test_numbers_and_categories_are_not_compared() -> None:
    random = np.random.default_rng(2)
    numbers = tally(Judgements.from_matrix(random.normal(size=(2000, 3)), level="interval"))
    few = tally(Judgements.from_matrix(random.integers(0, 3, size=(40, 3)), level="interval"))
    assert numbers.scale.is_continuous
    assert not few.scale.is_continuous
    for first, second in ((numbers, few), (few, numbers)):
        with pytest.raises(InputError, match="the two groups of units differ in scale"):
            unit_groups_differ(first, second, "alpha", permutations=9, seed=1)
