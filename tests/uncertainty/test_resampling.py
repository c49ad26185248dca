"""Draws of units and raters."""

import numpy as np
import pytest

from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.spec import DEFAULTS
from assent.model.judgements import Judgements
from assent.randomness import generator
from assent.uncertainty import resampling
from assent.uncertainty.resampling import (
    Sampling,
    draw_units,
    rater_computer,
    rater_values,
    raters_to_draw,
    unit_values,
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
    whole = unit_values(sampling_of(data, key), resamples=37, seed=5)
    monkeypatch.setattr(resampling, "BLOCK_CELLS", 1)
    in_single_rows = unit_values(sampling_of(data, key), resamples=37, seed=5)
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
    values = rater_values(sampling, resamples=20, seed=1, with_units=True)
    assert 0.3 < np.nanmean(values) < 0.7


def test_raters_of_a_panel_measure_are_not_drawn(five_raters: Tally) -> None:
    with pytest.raises(InputError, match="resample units instead"):
        rater_computer(sampling_of(five_raters, "icc1"))


def test_two_raters_say_nothing_about_other_raters(two_raters: Tally) -> None:
    with pytest.raises(InputError, match="there are 2"):
        raters_to_draw(sampling_of(two_raters, "alpha"))


def test_more_raters_narrow_the_spread(five_raters: Tally) -> None:
    sampling = sampling_of(five_raters, "alpha")
    few = rater_values(sampling, resamples=200, seed=1, n_raters=4)
    many = rater_values(sampling, resamples=200, seed=1, n_raters=40)
    assert np.nanstd(many) < np.nanstd(few)
