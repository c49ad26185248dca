"""A part of a tally is the tally of the part."""

import numpy as np
import pytest

from assent.engines.subset import with_raters
from assent.engines.tally import tally
from assent.errors import InputError
from assent.model.judgements import Judgements

CELLS = np.array([[1, 2, np.nan], [1, 1, 2], [np.nan, np.nan, 2], [1, 2, 1]])
DATA = Judgements.from_matrix(CELLS, raters=["a", "b", "c"], level="nominal", categories=[1, 2])


def test_the_same_as_tallying_the_part() -> None:
    part, direct = with_raters(tally(DATA), ["c", "a"]), tally(DATA.with_raters(["c", "a"]))
    assert part.raters == ("c", "a")
    assert part.fingerprint == direct.fingerprint
    assert (part.n_judgements, part.n_judged, part.n_paired) == (direct.n_judgements, direct.n_judged, direct.n_paired)


def test_an_unknown_rater_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="there is no rater 'd'"):
        with_raters(tally(DATA), ["a", "d"])
