"""When to stop: reached, not reached with a plan, undefined."""

from assent.engines.tally import tally
from assent.model.judgements import Judgements
from assent.randomness import generator
from assent.uncertainty.estimate import measure
from assent.uncertainty.stopping import stopping


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
