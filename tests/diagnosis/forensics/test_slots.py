"""Sorted and anonymous slots are found; real raters are left alone."""

from pathlib import Path

import numpy as np
import pytest

from assent.diagnosis.diagnose import diagnose
from assent.diagnosis.forensics import open_case
from assent.diagnosis.forensics.slots import anonymous_slots, sorted_slots
from assent.randomness import generator
from assent.readers import read
from tests.diagnosis.simulated import honest, study_of


def three_raters(n: int = 120) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Three honest raters on a scale of 5."""
    random = generator(5)
    quality = random.normal(0, 1, n)
    return np.column_stack([honest(random, quality, 5) for _ in range(3)])


@pytest.mark.parametrize("direction", [1, -1])
def test_sorted_columns_are_found_and_raters_refused(direction: int) -> None:
    cells = np.sort(three_raters(), axis=1)[:, ::direction]
    found = diagnose(study_of(cells))
    assert [f.kind for f in found.findings if f.severity == "serious"] == ["sorted-slots"]
    assert found.refused is not None
    assert "--trust-raters" in found.refused
    (question,) = found.questions
    assert question.consistency.pairs == ()
    assert question.consistency.agreement.measure == "alpha"
    assert question.directions == ()
    assert question.raters == ()


def test_trust_raters_keeps_the_finding_and_the_statistics() -> None:
    found = diagnose(study_of(np.sort(three_raters(), axis=1)), trust_raters=True)
    assert found.refused is None
    assert any(f.kind == "sorted-slots" for f in found.findings)
    assert len(found.questions[0].consistency.pairs) == 3


def test_unsorted_columns_are_raters() -> None:
    assert not list(sorted_slots(open_case(study_of(three_raters()))))


def test_a_rater_who_is_always_stricter_is_not_a_sorted_slot() -> None:
    quality = np.tile(np.arange(2, 6), 30)
    assert not list(sorted_slots(open_case(study_of(np.column_stack([quality - 1, quality])))))


def test_two_sorted_columns_need_many_disagreements() -> None:
    cells = np.sort(three_raters(400)[:, :2], axis=1)
    (found,) = sorted_slots(open_case(study_of(cells)))
    assert found.evidence["n_apart"] >= 50
    assert not list(sorted_slots(open_case(study_of(cells[:60]))))


def test_slots_filled_from_the_left_are_anonymous() -> None:
    cells = three_raters(90).astype(str)
    cells = np.column_stack([cells, cells[:, 0]])
    cells[::3, 3] = ""
    cells[::9, 2:] = ""
    (found,) = anonymous_slots(open_case(study_of(cells)))
    assert found.kind == "anonymous-slots"
    assert diagnose(study_of(cells)).refused is not None


def test_gaps_mean_people() -> None:
    cells = np.column_stack([three_raters(90), three_raters(90)[:, 0]]).astype(str)
    for i in range(90):
        cells[i, i % 4] = ""
    assert not list(anonymous_slots(open_case(study_of(cells))))


@pytest.mark.data
def test_flickr_columns_are_sorted(data_dir: Path) -> None:
    # SPEC 1.2: j1 ≤ j2 ≤ j3 in all 5,822 rows, 2,431 of which disagree
    found = diagnose(read(data_dir / "flickr8k_patterns.csv"))
    assert found.refused is not None
    (slots,) = [f for f in found.findings if f.kind == "sorted-slots"]
    assert slots.evidence["n_apart"] == 2431
    assert slots.evidence["n_unanimous"] == 5822 - 2431
    assert found.questions[0].consistency.agreement.value == pytest.approx(0.6939, abs=0.00005)
    assert found.questions[0].consistency.correlation is None
