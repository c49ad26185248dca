"""Some raters of a tally equal the tally of some raters."""

import numpy as np
import pytest

from assent.engines.subset import with_raters
from assent.engines.tally import tally
from assent.errors import InputError
from assent.model.judgements import Judgements


def test_the_same_as_tallying_again() -> None:
    matrix = np.array([[1, 2, np.nan], [2, 2, 2], [np.nan, 1, np.nan]])
    data = Judgements.from_matrix(matrix, raters=["a", "b", "c"])
    assert with_raters(tally(data), ["c", "a"]).fingerprint == tally(data.with_raters(["c", "a"])).fingerprint
    assert with_raters(tally(data), ["c", "a"]).n_judged == 2


def test_an_unknown_rater_suggests_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'anna'"):
        with_raters(tally(Judgements.from_matrix([[1, 2]], raters=["anna", "bob"])), ["ana"])
