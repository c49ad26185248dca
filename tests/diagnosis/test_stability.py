"""Raters against their own repeated judgements."""

import numpy as np
import pytest

from assent.diagnosis.stability import stability
from assent.model.columns import Column, encode
from assent.model.study import Study
from tests.diagnosis.simulated import study_of


def repeated() -> Study:
    """Two raters judge ten units twice; J2 changes their mind on two."""
    first = np.arange(10) % 2
    second = first.copy()
    second[:2] = 1 - second[:2]
    values = np.concatenate([first, first, first, second])
    return Study(
        name="repeated",
        unit=Column(codes=np.tile(np.arange(10), 4), labels=[f"u{i}" for i in range(10)]),
        rater=Column(codes=np.repeat([0, 0, 1, 1], 10), labels=["J1", "J2"]),
        value=encode(values.astype(str)),
        duplicates="last",
    )


def test_stability_overall_and_per_rater() -> None:
    whole, one, two = stability(repeated())
    assert (whole.rater, whole.n_repeated) == (None, 20)
    assert one.result.value == pytest.approx(1.0)
    assert two.result.observed == pytest.approx(0.8)
    assert two.result.value == pytest.approx(0.6)


def test_no_repeats_no_stability() -> None:
    assert stability(study_of(np.ones((5, 2)))) == ()
