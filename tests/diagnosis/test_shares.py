"""Shares of categories per unit."""

import numpy as np
import pytest

from assent.diagnosis.shares import unit_shares
from assent.errors import InputError
from assent.model.judgements import Judgements


def test_counts_shares_ties_and_unjudged_units() -> None:
    data = Judgements.from_matrix(np.array([["a", "b", ""], ["b", "b", "a"], ["", "", ""]]), level="nominal")
    found = unit_shares(data)
    assert found.units == ("1", "2")
    assert found.counts.tolist() == [[1, 1], [1, 2]]
    assert found.is_tied.tolist() == [True, False]
    assert found.shares[1] == pytest.approx([1 / 3, 2 / 3])


def test_coincidences_are_krippendorffs() -> None:
    # a unit with m judgements adds m to the total; pairs of one unit are weighted by 1 / (m - 1)
    data = Judgements.from_matrix(np.array([["a", "a", "b"], ["b", "b", ""]]), level="nominal")
    found = unit_shares(data).coincidences()
    assert found == pytest.approx(np.array([[1.0, 1.0], [1.0, 2.0]]))


def test_continuous_scales_have_none() -> None:
    data = Judgements.from_matrix(np.linspace(0, 1, 3000).reshape(1500, 2))
    with pytest.raises(InputError, match="continuous"):
        unit_shares(data)
