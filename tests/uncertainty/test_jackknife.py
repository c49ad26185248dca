"""The jackknife."""

import numpy as np
import pytest

from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.spec import DEFAULTS
from assent.model.judgements import Judgements
from assent.uncertainty import jackknife as module
from assent.uncertainty.jackknife import acceleration, jackknife, leave_out, standard_error
from assent.uncertainty.resampling import Sampling
from tests.uncertainty.conftest import panel


def sampling_of(data: Tally, key: str) -> Sampling:
    return Sampling(measure=find_measure(key), data=data, options=DEFAULTS)


def by_hand(
    cells: np.ndarray[tuple[int, int], np.dtype[np.float64]], key: str
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The value without each unit, one at a time."""
    kept = [np.delete(cells, unit, axis=0) for unit in range(len(cells))]
    made = [tally(Judgements.from_matrix(k, level="nominal", categories=[1, 2, 3, 4])) for k in kept]
    return np.array([float(evaluate(find_measure(key), data)) for data in made])


@pytest.mark.parametrize("key", ["alpha", "fleiss", "conger"])
def test_the_standard_error_is_the_textbook_one(key: str) -> None:
    cells = panel(40, 3)
    data = tally(Judgements.from_matrix(cells, level="nominal", categories=[1, 2, 3, 4]))
    left = leave_out(sampling_of(data, key), over="units")
    values = by_hand(cells, key)
    textbook = np.sqrt(39 / 40 * ((values - values.mean()) ** 2).sum())
    assert standard_error(left, float(evaluate(find_measure(key), data))) == pytest.approx(textbook)


def test_the_acceleration_is_the_textbook_one() -> None:
    cells = panel(40, 3)
    data = tally(Judgements.from_matrix(cells, level="nominal", categories=[1, 2, 3, 4]))
    values = by_hand(cells, "fleiss")
    away = values.mean() - values
    textbook = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    assert acceleration(sampling_of(data, "fleiss"), over="units") == pytest.approx(textbook)


def test_groups_of_units_give_nearly_the_same_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tally(Judgements.from_matrix(panel(3000, 4), level="nominal"))
    sampling = sampling_of(data, "conger")
    value = float(evaluate(sampling.measure, data))
    exact = standard_error(leave_out(sampling, over="units"), value)
    monkeypatch.setattr(module, "MOST_GROUPS", 200)
    grouped = leave_out(sampling, over="units")
    assert grouped.n_groups == 200
    assert grouped.total == 3000
    assert standard_error(grouped, value) == pytest.approx(exact, rel=0.15)


def test_over_raters_each_rater_is_left_out(five_raters: Tally) -> None:
    left = leave_out(sampling_of(five_raters, "alpha"), over="raters")
    assert len(left.values) == 5
    found = jackknife(sampling_of(five_raters, "alpha"), 0.5, over="raters", confidence=0.9)
    assert found.interval is not None
    assert found.interval.method == "jackknife over raters"


def test_both_at_once_is_refused(five_raters: Tally) -> None:
    with pytest.raises(InputError, match="not both"):
        jackknife(sampling_of(five_raters, "alpha"), 0.5, over="both", confidence=0.95)


def test_one_unit_has_no_interval() -> None:
    data = tally(Judgements.from_matrix([[1, 2]], level="nominal"))
    found = jackknife(sampling_of(data, "percent"), 0.0, over="units", confidence=0.95)
    assert found.notes == ("one unit cannot be left out, so there is no interval",)


def test_a_unit_without_which_there_is_no_value_is_said() -> None:
    data = tally(Judgements.from_matrix([[1, 1], [1, 1], [2, 2]], level="nominal"))
    found = jackknife(sampling_of(data, "alpha"), 1.0, over="units", confidence=0.95)
    assert found.interval is None
    assert "when any of 1 units is left out" in found.notes[0]


def test_acceleration_is_zero_where_nothing_moves_or_nothing_is_defined() -> None:
    same = tally(Judgements.from_matrix([[1, 1], [2, 2]] * 5, level="nominal"))
    constant = tally(Judgements.from_matrix([[1, 1], [1, 1]], level="nominal"))
    assert acceleration(sampling_of(same, "percent"), over="units") == 0
    assert acceleration(sampling_of(constant, "alpha"), over="units") == 0
