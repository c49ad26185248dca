"""Groups of raters side by side and against each other."""

import numpy as np
import pytest

from assent.diagnosis.groups import between, group_rows
from assent.engines.subset import with_raters
from assent.engines.tally import tally
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.model.scale import Level
from tests.diagnosis.simulated import study_of

QUALITY = np.tile(np.arange(1, 5), 10)
CELLS = np.column_stack([QUALITY, QUALITY, np.roll(QUALITY, 1), np.roll(QUALITY, 1)])
GROUPS = {"native": ("J1", "J2"), "other": ("J3", "J4")}


def test_all_each_group_and_between() -> None:
    rows = group_rows(study_of(CELLS), GROUPS)
    assert [(row.group, row.against) for row in rows] == [
        ("all", None),
        ("native", None),
        ("other", None),
        ("native", "other"),
    ]
    values = [row.agreement.value for row in rows]
    assert values[1:3] == [pytest.approx(1.0), pytest.approx(1.0)]
    assert values[3] is not None
    assert values[3] < 0


def test_between_is_the_mean_of_the_cross_pairs() -> None:
    cells = np.array([["y", "y", "n"], ["n", "y", "n"], ["y", "n", "y"], ["n", "n", "n"], ["y", "y", "y"]])
    data = tally(study_of(cells, level=Level.NOMINAL).judgements())
    kappas = [float(evaluate(find_measure("kappa"), with_raters(data, pair))) for pair in (("J1", "J3"), ("J2", "J3"))]
    found = between(data, ["J1", "J2"], ["J3"], "kappa")
    assert found.value == pytest.approx(np.mean(kappas))
    assert found.details["n_pairs"] == 2
    assert "across two groups" in found.name


def test_an_undefined_pair_is_not_skipped() -> None:
    cells = np.column_stack([QUALITY, np.full(40, 2), QUALITY])
    found = between(tally(study_of(cells).judgements()), ["J1", "J2"], ["J3"], "gk_gamma")
    assert found.value is None
    assert found.reason is not None
    assert "J2" in found.reason
