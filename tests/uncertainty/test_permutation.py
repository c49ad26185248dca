"""Permutation tests."""

import numpy as np
import pytest

from assent.engines.tally import Tally, tally
from assent.errors import InputError, Undefined
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.model.judgements import Judgements
from assent.uncertainty import resampling
from assent.uncertainty.permutation import above_chance, rater_groups_differ, unit_groups_differ
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
    """Two groups of two units each; a third of all divisions leave a group with one category."""
    made = [Judgements.from_matrix([[1, 1], [2, 2]], level="nominal") for _ in range(2)]
    return tally(made[0]), tally(made[1])


def test_undefined_permutations_are_counted() -> None:
    found = unit_groups_differ(*two_by_two(), "alpha", permutations=300, seed=1)
    assert found.n_undefined == pytest.approx(100, abs=30)
    assert found.p == 1


def test_nothing_but_undefined_permutations_is_refused() -> None:
    def outcome(seed: int) -> str:
        try:
            return unit_groups_differ(*two_by_two(), "alpha", permutations=1, seed=seed).method
        except InputError as error:
            return str(error)

    assert any("every permutation is undefined" in outcome(seed) for seed in range(30))
