"""How many units or raters."""

import numpy as np
import pytest

from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.model.judgements import Judgements
from assent.uncertainty import planning
from assent.uncertainty.planning import STEPS, plan
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
    assert told[0] == (1, STEPS)


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
    found = plan(tally(Judgements.from_matrix(cells, level="nominal")), "alpha", width=1.0, resamples=200, seed=1)
    assert found.now_width is None
    assert found.size > 32


def test_a_crowd_needs_no_panel() -> None:
    data = tally(Judgements.from_matrix(panel(40, 12, missing=0.7), level="nominal"))
    assert plan(data, "alpha", width=0.3, resamples=200, seed=1).size > 0
