"""Raters who do not look are found; honest ones are not."""

import numpy as np
import pytest

from assent.diagnosis.forensics import open_case
from assent.diagnosis.forensics.behaviour import constant_rater, straight_lining, too_fast
from assent.model.columns import Column
from assent.model.study import Study
from assent.randomness import generator
from tests.diagnosis.simulated import honest, study_of


def raters(n: int = 80, k: int = 3) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Honest raters on a scale of 5."""
    random = generator(8)
    quality = random.normal(0, 1, n)
    return np.column_stack([honest(random, quality, 5) for _ in range(k)])


def test_a_constant_rater() -> None:
    cells = raters()
    cells[:, 1] = 3
    (found,) = constant_rater(open_case(study_of(cells)))
    assert found.raters == ("J2",)
    assert found.evidence["value"] == "3"
    assert found.evidence["n_judgements"] == 80


def test_constant_where_everybody_nearly_is_says_nothing() -> None:
    cells = np.ones((60, 2), dtype=np.int64)
    cells[:2, 0] = 2
    assert not list(constant_rater(open_case(study_of(cells))))


def test_a_long_run_against_the_others() -> None:
    cells = raters()
    cells[20:50, 2] = 4
    (found,) = straight_lining(open_case(study_of(cells)))
    assert found.raters == ("J3",)
    assert found.evidence["run"] >= 30
    assert "'u21'" in found.seen


def test_a_run_that_all_raters_have_is_in_the_units() -> None:
    cells = raters()
    cells[20:50] = 4
    assert not list(straight_lining(open_case(study_of(cells))))


def battery(n_units: int = 40) -> Study:
    """Four questions, three raters; the third answers all questions of a unit alike."""
    random = generator(3)
    n_questions, n_raters = 4, 3
    values = random.integers(1, 6, (n_units, n_questions, 1)) + random.integers(0, 2, (n_units, n_questions, n_raters))
    values[:, :, 2] = values[:, :1, 2]
    shape = values.shape
    unit, question, rater = (axis.reshape(-1) for axis in np.indices(shape))
    labels = [str(v) for v in range(1, 7)]
    return Study(
        name="battery",
        unit=Column(codes=unit, labels=[f"u{i}" for i in range(n_units)]),
        rater=Column(codes=rater, labels=["J1", "J2", "J3"]),
        question=Column(codes=question, labels=["q1", "q2", "q3", "q4"]),
        value=Column(codes=values.reshape(-1) - 1, labels=labels),
        categories=tuple(labels),
    )


def test_one_answer_to_all_questions() -> None:
    found = [f for f in straight_lining(open_case(battery())) if f.question is None]
    assert [f.raters for f in found] == [("J3",)]
    assert found[0].evidence["share"] == pytest.approx(1.0)


def test_too_fast() -> None:
    times = np.full((80, 3), 9.0)
    times[:, 0] = 2.0
    (found,) = too_fast(open_case(study_of(raters(), columns={"seconds": times})))
    assert found.raters == ("J1",)
    assert not list(too_fast(open_case(study_of(raters(), columns={"seconds": np.full((80, 3), 9.0)}))))
    assert not list(too_fast(open_case(study_of(raters()))))
