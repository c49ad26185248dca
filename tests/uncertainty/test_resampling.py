"""Draws of units and raters."""

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import DEFAULTS
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.readers.data import as_study
from concordant.uncertainty import resampling
from concordant.uncertainty.estimate import measure, verify
from concordant.uncertainty.resampling import (
    Sampling,
    draw_units,
    leave_out,
    rater_computer,
    raters_to_draw,
    resampled,
)
from tests.uncertainty.conftest import panel


def sampling_of(data: Tally, key: str) -> Sampling:
    return Sampling(measure=find_measure(key), data=data, options=DEFAULTS)


@pytest.mark.parametrize("n_units", [3, 1000])
def test_a_draw_of_units_has_the_right_size_and_shares(n_units: int) -> None:
    weights = np.array([6.0, 3.0, 1.0])
    drawn = draw_units(weights, n_units, generator(1), 4000)
    assert drawn.shape == (4000, 3)
    assert (drawn.sum(axis=1) == n_units).all()
    assert drawn.mean(axis=0) / n_units == pytest.approx(weights / 10, abs=0.02)


@pytest.mark.parametrize("key", ["alpha", "fleiss", "conger", "spearman", "icc1"])
def test_blocks_do_not_change_the_numbers(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tally(Judgements.from_matrix(panel(50, 3), level="interval"))
    whole = resampled(sampling_of(data, key), over="units", resamples=37, seed=5)
    monkeypatch.setattr(resampling, "BLOCK_CELLS", 1)
    in_single_rows = resampled(sampling_of(data, key), over="units", resamples=37, seed=5)
    assert len(whole) == 37
    assert whole == pytest.approx(in_single_rows, rel=1e-12)


@pytest.mark.parametrize("key", ["alpha", "percent", "ac1", "fleiss", "conger", "light", "kappa"])
def test_a_resample_is_the_measure_of_the_data_it_stands_for(key: str) -> None:
    cells = panel(30, 2 if key == "kappa" else 4, missing=0.0 if key == "kappa" else 0.2)
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    sampling = sampling_of(data, key)
    weights = draw_units(sampling.weights, 30, generator(3), 1)
    units = np.repeat(np.arange(len(sampling.weights)), weights[0].astype(int))
    patterns = sampling.view.patterns if hasattr(sampling.view, "patterns") else None
    if patterns is None:
        entries = [sampling.view.code[sampling.view.pattern == unit] for unit in units]
        times = [sampling.view.n[sampling.view.pattern == unit].astype(int) for unit in units]
        rows = [
            (u, f"r{i}", c)
            for u, (cs, ns) in enumerate(zip(entries, times, strict=True))
            for i, c in enumerate(np.repeat(cs, ns))
        ]
    else:
        chosen = [np.nonzero(patterns.pattern == unit)[0] for unit in units]
        rows = [(u, f"r{patterns.rater[e]}", patterns.code[e]) for u, es in enumerate(chosen) for e in es]
    unit, rater, code = (list(column) for column in zip(*rows, strict=True))
    labels = [data.scale.categories[int(c)] for c in code]
    again = tally(Judgements.from_rows(unit, rater, labels, level="nominal", categories=data.scale.categories))
    assert sampling.values(weights)[0] == pytest.approx(evaluate(sampling.measure, again).value)


@pytest.mark.parametrize("key", ["alpha", "fleiss", "conger", "light"])
def test_raters_drawn_once_each_give_the_value_itself(key: str, five_raters: Tally) -> None:
    compute = rater_computer(sampling_of(five_raters, key))
    assert compute(np.ones(5), five_raters.patterns.weights) == pytest.approx(
        evaluate(find_measure(key), five_raters).value
    )


@pytest.mark.parametrize("key", ["alpha", "fleiss", "ac1", "conger"])
def test_nobody_agrees_with_their_own_copy(key: str) -> None:
    """Three raters at odds, the first drawn twice: agreement must not rise because of the copy."""
    cells = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    compute = rater_computer(sampling_of(data, key))
    assert compute(np.array([2.0, 1.0, 0.0]), data.patterns.weights) < 0


def test_continuous_scores_are_drawn_by_rater_too() -> None:
    scores = generator(1).normal(size=(1200, 1)) + generator(2).normal(size=(1200, 3))
    data = tally(Judgements.from_matrix(scores, level="interval"))
    sampling = sampling_of(data, "alpha")
    assert data.scale.is_continuous
    values = resampled(sampling, over="both", resamples=20, seed=1)
    assert 0.3 < np.nanmean(values) < 0.7


def test_raters_of_a_panel_measure_are_not_drawn(five_raters: Tally) -> None:
    with pytest.raises(InputError, match="resample units instead"):
        rater_computer(sampling_of(five_raters, "icc1"))


def test_two_raters_say_nothing_about_other_raters(two_raters: Tally) -> None:
    with pytest.raises(InputError, match="there are 2"):
        raters_to_draw(sampling_of(two_raters, "alpha"))


def test_more_raters_narrow_the_spread(five_raters: Tally) -> None:
    sampling = sampling_of(five_raters, "alpha")
    few = resampled(sampling, over="raters", resamples=200, seed=1, size=4)
    many = resampled(sampling, over="raters", resamples=200, seed=1, size=40)
    assert np.nanstd(many) < np.nanstd(few)


def test_which_way_units_are_drawn_is_fixed() -> None:
    """Signatures promise the digits, so the way must not change: one by one up to four units per pattern."""
    weights = np.array([6.0, 3.0, 1.0])
    for n_units, is_multinomial in ((12, False), (13, True)):
        drawn = draw_units(weights, n_units, generator(4), 5)
        many = generator(4).multinomial(n_units, weights / 10, size=5)
        owner = np.array([0] * 6 + [1] * 3 + [2])
        each = [np.bincount(owner[row], minlength=3) for row in generator(4).integers(0, 10, (5, n_units))]
        assert drawn.tolist() == (many.tolist() if is_multinomial else np.array(each).tolist())
    assert draw_units(weights, 3, generator(4), 5, multinomial=True).tolist() == (
        generator(4).multinomial(3, weights / 10, size=5).tolist()
    )


def test_a_sample_is_as_large_as_the_data_unless_told(two_raters: Tally) -> None:
    sampling = sampling_of(two_raters, "percent")
    usual, same, small = (resampled(sampling, over="units", resamples=200, seed=3, size=n) for n in (None, 100, 4))
    assert usual.tolist() == same.tolist()
    assert set(np.round(4 * small, 9)) <= {0.0, 1.0, 2.0, 3.0, 4.0}
    assert small.std() > 2 * usual.std()


def test_blocks_have_a_row_at_least_and_fit_the_memory(five_raters: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    by_counts, by_pairs = sampling_of(five_raters, "alpha"), sampling_of(five_raters, "conger")
    assert by_counts.block_rows() == resampling.BLOCK_CELLS // len(five_raters.counts.weights)
    view = five_raters.pairs
    largest = max(len(view.weights), len(view.pattern), len(view.pairs) * view.n_categories)
    assert by_pairs.block_rows() == resampling.BLOCK_CELLS // largest
    monkeypatch.setattr(resampling, "BLOCK_CELLS", largest - 1)
    assert by_pairs.block_rows() == 1


def test_raters_are_drawn_in_the_order_of_their_names() -> None:
    cells = panel(30, 4)
    names = ["dan", "ann", "cem", "bob"]
    data = tally(Judgements.from_matrix(cells, level="nominal", raters=names))
    other = tally(Judgements.from_matrix(cells[:, [1, 3, 2, 0]], level="nominal", raters=sorted(names)))
    drawn = raters_to_draw(sampling_of(data, "alpha"))
    assert [data.raters[place] for place in drawn] == sorted(names)
    one, two = (resampled(sampling_of(d, "alpha"), over="raters", resamples=20, seed=2) for d in (data, other))
    assert one == pytest.approx(two, nan_ok=True)
    three = tally(Judgements.from_matrix(cells[:, :3], level="nominal"))
    assert len(raters_to_draw(sampling_of(three, "alpha"))) == 3


def test_units_that_no_drawn_rater_judged_do_not_count() -> None:
    cells = np.array([[1, 1, np.nan, np.nan], [2, 1, np.nan, np.nan], [np.nan, np.nan, 2, 2], [1, np.nan, 1, 2]])
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    for key in ("fleiss", "ac1"):
        compute = rater_computer(sampling_of(data, key))
        only = tally(Judgements.from_matrix(cells[:, :2], level="nominal"))
        drawn = compute(np.array([1.0, 1.0, 0.0, 0.0]), data.patterns.weights)
        assert drawn == pytest.approx(float(evaluate(find_measure(key), only)))


def test_data_without_judgements_have_blocks_too() -> None:
    nothing = tally(Judgements.from_matrix(np.full((2, 3), np.nan), level="nominal"))
    assert len(sampling_of(nothing, "alpha").weights) == 0
    assert sampling_of(nothing, "alpha").block_rows() == resampling.BLOCK_CELLS


def test_many_pairs_of_raters_make_blocks_small() -> None:
    """A block holds a number for every pair and category, which here are more than the judgements."""
    data = tally(Judgements.from_matrix(panel(3, 12), level="nominal", categories=[1, 2, 3, 4]))
    assert len(data.pairs.pairs) * data.pairs.n_categories == 66 * 4 > len(data.pairs.pattern)
    assert sampling_of(data, "conger").block_rows() == resampling.BLOCK_CELLS // (66 * 4)
    assert sampling_of(data, "alpha").block_rows() == resampling.BLOCK_CELLS // len(data.counts.weights)


def test_a_draw_of_one_rater_is_drawn_again() -> None:
    """Of three raters every ninth draw has one of them only; before, that was too many for an interval."""
    data = tally(Judgements.from_matrix(panel(40, 3), level="nominal"))
    for over in ("raters", "both"):
        found = measure(data, "alpha", ci="bootstrap", over=over, resamples=200, seed=1)
        assert found.interval is not None
        assert not any("undefined" in note for note in found.notes)
        assert "|draws:pairs|" in found.signature
        assert verify(found.signature, data).matches
        plain = found.signature.replace("|draws:pairs", "")
        fields = [field for field in plain.split("|") if not field.startswith("interval:")]
        assert verify("|".join(fields), data).matches
        low, high = found.interval.low, found.interval.high
        near, far = (plain.replace(f"interval:{low!r}", f"interval:{low - by * (high - low)!r}") for by in (0.01, 0.9))
        assert verify(near, data).matches
        assert not verify(far, data).matches


def test_very_many_patterns_are_left_out_in_groups_that_hold_every_unit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "MOST_GROUPS", 4)
    cells = [[n, n] for n in range(12)] + [[20, 30]]  # all different; without the last unit agreement is perfect
    left = leave_out(sampling_of(tally(Judgements.from_matrix(cells, level="interval")), "alpha"), over="units")
    assert (left.n_groups, left.total) == (4, 13)
    assert sorted(np.isclose(left.values, 1.0)) == [False, False, False, True]
    monkeypatch.setattr(resampling, "MOST_GROUPS", 13)
    alone = leave_out(sampling_of(tally(Judgements.from_matrix(cells, level="interval")), "alpha"), over="units")
    assert (alone.n_groups, alone.total, len(alone.values)) == (13, 13, 13)


def test_very_many_bundles_are_left_out_in_groups_that_hold_every_cluster_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [[n // 2 + n % 2, n // 2] for n in range(40)]
    unit = [f"u{place}" for place in range(40) for _ in range(2)]
    rows = {"unit": unit, "rater": ["a", "b"] * 40, "value": [value for row in cells for value in row]}
    study = as_study({**rows, "text": [f"t{int(name[1:]) // 2}" for name in unit]}, level="interval")
    sampling = sampling_of(tally(study.clustered("text").judgements()), "alpha")
    assert sampling.bundles is not None
    one_by_one = leave_out(sampling, over="units")
    assert (one_by_one.n_groups, one_by_one.total) == (20, 20)
    monkeypatch.setattr(resampling, "MOST_GROUPS", 19)
    grouped = leave_out(sampling, over="units")
    assert (grouped.n_groups, grouped.total, sorted(grouped.size)) == (19, 20, [1.0] * 18 + [2.0])
    assert set(grouped.values[grouped.size == 1].round(12)) <= set(one_by_one.values.round(12))
