"""Which measures suit."""

import pytest

from assent.engines.tally import Tally
from assent.errors import InputError
from assent.measures.catalogue import CATALOGUE
from assent.model.judgements import Judgements
from assent.model.scale import Level
from assent.uncertainty.suitability import USUAL, recommended, suitable


def test_every_level_has_usual_measures_that_exist() -> None:
    assert set(USUAL) == set(Level)
    assert {key for both in USUAL.values() for keys in both for key in keys} <= set(CATALOGUE)


@pytest.mark.parametrize(
    ("level", "n_raters", "first"),
    [("nominal", 2, "percent"), ("nominal", 3, "percent"), ("ordinal", 3, "alpha"), ("interval", 2, "alpha")],
)
def test_recommended_measures_come_first_and_can_be_computed(level: str, n_raters: int, first: str) -> None:
    data = Judgements.from_matrix([[1, 2, 3][:n_raters], [2, 2, 2][:n_raters], [3, 3, 1][:n_raters]], level=level)
    found = suitable(data)
    chosen = [one for one in found if one.is_recommended]
    assert found[: len(chosen)] == chosen
    assert chosen[0].measure.key == first
    assert all(not one.problems for one in chosen)
    assert recommended(data) == [one.measure.key for one in chosen]


def test_kappa_of_three_raters_has_a_problem_and_comes_late(five_raters: Tally) -> None:
    kappa = next(one for one in suitable(five_raters) if one.measure.key == "kappa")
    assert "use conger" in kappa.problems[0]
    assert not kappa.is_recommended


def test_other_things_are_refused() -> None:
    with pytest.raises(InputError, match="dict cannot be measured"):
        suitable({})
