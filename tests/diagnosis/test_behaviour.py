"""Raters who do not look are found; honest ones are not."""

from pathlib import Path

import numpy as np
import pytest

from concordant.diagnosis.behaviour import (
    anonymous_slots,
    constant_rater,
    copied_raters,
    one_answer_to_all,
    slot_bias,
    sorted_slots,
    straight_lining,
    too_fast,
    wilson,
)
from concordant.diagnosis.diagnose import diagnose
from concordant.diagnosis.material import Case, open_case
from concordant.model.columns import Column
from concordant.model.study import Study
from concordant.randomness import generator
from concordant.readers import read
from concordant.readers.data import as_study
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


def test_a_column_copied_as_another_rater() -> None:
    cells = raters(200)
    (found,) = copied_raters(open_case(study_of(np.column_stack([cells, cells[:, 1]]))))
    assert found.raters == ("J2", "J4")
    assert found.evidence["n_units"] == 200
    assert found.evidence["chance"] < 1e-6
    assert "never differ" in found.seen
    assert "no proof" in found.sure
    assert not list(copied_raters(open_case(study_of(cells))))


@pytest.mark.parametrize(("n", "rare"), [(9, 0.5), (20, 0.5), (300, 0.01), (300, 0.0), (100, 0.5)])
def test_two_who_agree_on_few_or_easy_units_are_no_copies(n: int, rare: float) -> None:
    column = 1 + (generator(3).random(n) < rare).astype(np.int64)
    assert not list(copied_raters(open_case(study_of(np.column_stack([column, column])))))


def test_two_alone_need_more_units_than_two_among_others() -> None:
    column = 1 + (np.arange(500) % 2)
    (found,) = copied_raters(open_case(study_of(np.column_stack([column, column]))))
    assert found.evidence["kappas"] == [0.95]
    assert found.evidence["chance"] == pytest.approx(0.975**500)


def test_all_questions_count_together_and_one_difference_is_enough() -> None:
    cells = raters(40)
    cells = np.column_stack([cells, cells[:, 0]])
    rows = [(f"u{u}", f"J{r}", q, int(v)) for q in "pqr" for (u, r), v in np.ndenumerate(cells)]

    def case(rows: list[tuple[str, str, str, int]]) -> Case:
        unit, rater, question, value = zip(*rows, strict=True)
        return open_case(as_study({"unit": unit, "rater": rater, "question": question, "value": value}))

    (found,) = copied_raters(case(rows))
    assert (found.raters, found.evidence["n_units"]) == (("J0", "J3"), 120)
    unit, rater, question, value = rows[0]
    assert not list(copied_raters(case([(unit, rater, question, value % 5 + 1), *rows[1:]])))
    alone = [("v", "J9", "s", 1), ("w", "J9", "s", 2)]  # a question that the two did not answer
    assert len(list(copied_raters(case(rows + alone)))) == 1


def test_measured_numbers_that_never_differ() -> None:
    numbers = generator(4).normal(size=(60, 2))
    (found,) = copied_raters(open_case(as_study(np.column_stack([numbers, numbers[:, :1]]))))
    assert len(found.raters) == 2


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
    found = [f for f in one_answer_to_all(open_case(battery())) if f.question is None]
    assert [f.raters for f in found] == [("J3",)]
    assert found[0].evidence["share"] == pytest.approx(1.0)


def test_too_fast() -> None:
    times = np.full((80, 3), 9.0)
    times[:, 0] = 2.0
    (found,) = too_fast(open_case(study_of(raters(), columns={"seconds": times})))
    assert found.raters == ("J1",)
    assert not list(too_fast(open_case(study_of(raters(), columns={"seconds": np.full((80, 3), 9.0)}))))
    assert not list(too_fast(open_case(study_of(raters()))))


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


def pairs_csv(folder: Path, bias: float, *, drawn: bool = True) -> Path:
    """Decisions between two responses by people who take what is shown first that much more often."""
    random = generator(4)
    rows = ["unit,rater,value,first_slot"]
    for unit in range(60):
        for rater in range(4):
            first = "AB"[int(random.integers(2))] if drawn else "A"
            second = "B" if first == "A" else "A"
            chosen = "same" if random.random() < 0.1 else first if random.random() < 0.5 + bias else second
            rows.append(f"p{unit},r{rater},{chosen},{first}")
    (folder / "pairs.csv").write_text("\n".join(rows), encoding="utf-8")
    return folder / "pairs.csv"


@pytest.mark.parametrize(("bias", "severity"), [(0.0, "note"), (0.25, "warning")])
def test_a_liking_for_what_is_shown_first(tmp_path: Path, bias: float, severity: str) -> None:
    study = read(pairs_csv(tmp_path, bias))
    assert isinstance(study, Study)
    (found,) = slot_bias(open_case(study))
    assert (found.kind, found.severity) == ("slot-bias", severity)
    n, n_first = found.evidence["n_decisions"], found.evidence["n_first"]
    first, value = study.attributes["first_slot"].text(), study.value.text()
    assert n == (value != "same").sum()
    assert n_first == (value == first).sum()
    assert found.evidence["low"] < n_first / n < found.evidence["high"]
    assert found.evidence["low"] < 0.5 + bias < found.evidence["high"]
    assert "slot-bias" in {one.kind for one in diagnose(study).findings}


def test_an_order_that_was_not_drawn_tells_nothing(tmp_path: Path) -> None:
    study = read(pairs_csv(tmp_path, 0.2, drawn=False))
    assert isinstance(study, Study)
    (found,) = slot_bias(open_case(study))
    assert found.kind == "slots-not-drawn"
    assert not list(slot_bias(open_case(study_of(raters()))))


def test_wilson_s_interval() -> None:
    low, high = wilson(0, 10)  # Newcombe (1998), method 3: the upper limit of 0 of 10
    assert low == pytest.approx(0, abs=1e-12)
    assert high == pytest.approx(0.2775, abs=5e-5)
