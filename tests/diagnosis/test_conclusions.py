"""From tables to findings."""

import numpy as np
import pytest

from assent.diagnosis.conclusions import holm, on_scatter
from assent.diagnosis.material import materials
from assent.diagnosis.pairs import consistency_of
from assent.model.scale import Level
from tests.diagnosis.simulated import study_of


def test_holm_is_monotone_and_at_most_one() -> None:
    assert holm([0.01, 0.02, 0.5, 0.9]) == [pytest.approx(0.04), pytest.approx(0.06), pytest.approx(1.0), 1.0]
    assert holm([]) == []


def test_scatter_is_said_once_for_all_questions() -> None:
    cells = np.array([["y", "y"]] * 30 + [["n", "n"]] * 15 + [["y", "n"]] * 8 + [["n", "y"]] * 7)
    part = consistency_of(next(materials(study_of(cells, level=Level.NOMINAL))))
    (found,) = on_scatter([part, part])
    assert found.kind == "scatter"
    assert "75% of the units get the same value" in found.seen
    assert "2 of 2 comparisons" in found.seen
