"""Where the variance comes from."""

import numpy as np
import pytest

from assent.diagnosis.generalizability import generalizability
from assent.engines.tally import tally
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.model.scale import Level
from tests.diagnosis.simulated import study_of

# Shrout & Fleiss (1979), Table 2: six units, four raters
SHROUT_FLEISS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])


def test_variance_components_of_shrout_and_fleiss() -> None:
    data = tally(study_of(SHROUT_FLEISS, level=Level.INTERVAL).judgements())
    found = generalizability(data)
    # mean squares 11.24, 32.49, 1.02: components 2.56, 5.24, 1.02
    assert (found.units, found.raters, found.rest) == pytest.approx((2.556, 5.244, 1.019), abs=0.001)
    four = next(one for one in found.expected if one.n_raters == 4)
    one = next(one for one in found.expected if one.n_raters == 1)
    for key, value in {
        "icc_a1": one.absolute,
        "icc_c1": one.relative,
        "icc_ak": four.absolute,
        "icc_ck": four.relative,
    }.items():
        assert value == pytest.approx(float(evaluate(find_measure(key), data)))


def test_names_have_no_variance() -> None:
    found = generalizability(tally(study_of(np.array([["a", "b"], ["c", "c"]]), level=Level.NOMINAL).judgements()))
    assert found.reason == "values without an order have no variance"
