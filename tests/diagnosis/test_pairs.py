"""The pair matrix."""

import numpy as np

from assent.diagnosis.consistency import Verdict
from assent.diagnosis.material import materials
from assent.diagnosis.pairs import consistency_of, pairs_to_read
from assent.randomness import generator
from tests.diagnosis.simulated import honest, study_of


def test_every_pair_has_both_coefficients_and_verdicts_are_counted() -> None:
    random = generator(2)
    quality = random.normal(0, 1, 60)
    cells = np.column_stack([honest(random, quality, 5) for _ in range(3)])
    found = consistency_of(next(materials(study_of(cells))))
    assert [pair.raters for pair in found.pairs] == [("J1", "J2"), ("J1", "J3"), ("J2", "J3")]
    assert found.verdicts == {Verdict.AGREE: 3}
    for pair in found.pairs:
        assert pair.correlation is not None
        assert pair.correlation.details["concordant"] > 0
        assert pair.agreement.measure == "alpha"


def test_refusal_leaves_what_does_not_need_raters() -> None:
    cells = np.column_stack([np.arange(30) % 3] * 3)
    found = consistency_of(next(materials(study_of(cells))), refused="because")
    assert found.pairs == ()
    assert found.refused == "because"
    assert found.agreement.value == 1.0


def test_of_a_crowd_only_pairs_with_enough_units_are_read() -> None:
    random = generator(3)
    cells = np.full((60, 15), "", dtype="<U1")
    for rater in range(15):
        cells[random.choice(60, 12, replace=False), rater] = "1"
    cells[:30, :2] = "2"
    names, left_out = pairs_to_read(next(materials(study_of(cells))).tally)
    assert ("J1", "J2") in names
    assert left_out > 50
