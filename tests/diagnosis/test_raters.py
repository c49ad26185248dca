"""Who misreads a question: AMIDEI Table 7 (QG-STEC), and made data."""

import numpy as np
import pytest

from assent.diagnosis.conclusions import on_batches
from assent.diagnosis.diagnose import diagnose
from assent.diagnosis.raters import Batch, misreaders
from assent.randomness import generator
from tests.diagnosis.simulated import honest, study_of

PAIRS = [("J1", "J2"), ("J1", "J3"), ("J1", "J4"), ("J1", "J6"), ("J2", "J5"), ("J3", "J5"), ("J4", "J5"), ("J5", "J6")]
# AMIDEI Table 7: Goodman & Kruskal's gamma of each criterion, in the order of PAIRS
GAMMA = {
    "Correctness": (0.67, 0.67, 0.71, 0.39, 0.57, 0.62, 0.57, 0.39),
    "Relevance": (0.41, 0.63, 0.67, 0.76, 0.58, 0.79, 0.63, 1.0),
    "Variety": (0.81, 0.99, 0.08, 0.15, 0.82, 0.73, 0.43, 0.54),
}


@pytest.mark.parametrize(
    ("criterion", "raters"), [("Variety", ["J4", "J6"]), ("Relevance", ["J2"]), ("Correctness", [])]
)
def test_table_7_names_the_judges_the_document_names(criterion: str, raters: list[str]) -> None:
    found = misreaders(dict(zip(PAIRS, GAMMA[criterion], strict=True)), question=criterion)
    assert [one.rater for one in found] == raters


def test_the_batch_of_j2_and_j5_is_the_most_reliable() -> None:
    # AMIDEI Table 7, row Average: kappa and gamma
    kappa = (0.23, 0.29, 0.20, 0.11, 0.46, 0.24, 0.21, 0.24)
    gamma = (0.62, 0.32, 0.61, 0.48, 0.76, 0.62, 0.56, 0.72)
    sizes = (80, 67, 81, 106, 158, 125, 142, 129)
    rows = [
        Batch(raters=p, n_units=n, agreement=k, correlation=g)
        for p, n, k, g in zip(PAIRS, sizes, kappa, gamma, strict=True)
    ]
    ordered = sorted(rows, key=lambda batch: -(batch.agreement + (batch.correlation or 0)))
    (found,) = on_batches(ordered, sum(sizes))
    assert found.raters == ("J2", "J5")
    assert not list(on_batches(ordered, 200))


def test_a_random_rater_among_four_is_named() -> None:
    random = generator(12)
    quality = random.normal(0, 1, 60)
    cells = np.column_stack([*(honest(random, quality, 5) for _ in range(3)), random.integers(1, 6, 60)])
    found = diagnose(study_of(cells))
    assert [one.rater for one in found.questions[0].misreadings] == ["J4"]
    assert any(f.kind == "misreading" and f.raters == ("J4",) for f in found.findings)


def test_profiles_give_each_rater_their_level() -> None:
    quality = np.tile(np.arange(1, 5), 10)
    found = diagnose(study_of(np.column_stack([quality, quality, np.minimum(quality + 1, 4)])))
    means = {rater.rater: rater.mean_score for rater in found.questions[0].raters}
    assert means == {"J1": pytest.approx(2.5), "J2": pytest.approx(2.5), "J3": pytest.approx(3.25)}
