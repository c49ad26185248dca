"""Who misreads a question: AMIDEI Table 7 (QG-STEC), and made data; raters and consensus against a gold standard."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from concordant.diagnosis.consistency import consistency_of
from concordant.diagnosis.diagnose import diagnose
from concordant.diagnosis.material import materials
from concordant.diagnosis.misreading import drawn_correlations, misreaders, question_misreaders
from concordant.diagnosis.rater_profiles import (
    Batch,
    accuracy,
    generalizability,
    on_batches,
    stability,
)
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.model.columns import Column, encode
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.randomness import generator
from concordant.readers import read
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


def test_who_is_named_has_a_p_value_and_chance_names_hardly_anybody() -> None:
    random = generator(12)
    quality = random.normal(0, 1, 60)
    cells = np.column_stack([*(honest(random, quality, 5) for _ in range(3)), random.integers(1, 6, 60)])
    [one] = diagnose(study_of(cells)).questions[0].misreadings
    assert one.p is not None
    assert one.p < 0.001
    n_named = 0
    for _ in range(40):  # five alike on ten units: a gap of .25 is common, and no reason to name anybody
        quality = random.normal(0, 1, 10)
        few = study_of(np.column_stack([honest(random, quality, 5) for _ in range(5)]))
        [part] = materials(few)
        n_named += bool(question_misreaders(consistency_of(part, refused=None, seed=1), part.tally))
    assert n_named <= 4


def test_on_question_types_only_who_orders_units_otherwise_is_named(data_dir: Path) -> None:
    """QG-STEC: J4 and J1 use the rare type with another frequency, which lowers tau-b and leaves gamma as high."""
    study = read(data_dir / "qgstec" / "judgements.csv", level="ordinal", where={"question": ["QuestionType"]})
    [part] = materials(study)
    assert [one.rater for one in question_misreaders(consistency_of(part, refused=None, seed=1), part.tally)] == ["J3"]


def test_less_than_half_of_the_raters_are_named() -> None:
    """Of four who go with nobody but one pair, one may be named; the second would leave no majority to differ from."""
    names = ("A", "B", "C", "D")
    values = dict.fromkeys(combinations(names, 2), 0.0) | {("C", "D"): 1.0}
    assert len(misreaders(values)) == 1
    assert misreaders({("A", "B"): 0.0}) == ()


def test_raters_who_differ_in_level_only_do_not_misread() -> None:
    taus = {("A", "B"): 0.9, ("A", "C"): 0.2, ("B", "C"): 0.2}
    assert [one.rater for one in misreaders(taus)] == ["C"]
    assert misreaders(taus, gammas=dict.fromkeys(taus, 0.95)) == ()
    assert [one.rater for one in misreaders(taus, gammas=taus)] == ["C"]
    assert [one.rater for one in misreaders(taus, gammas={("A", "B"): 0.9, ("A", "C"): 0.9})] == ["C"], "cannot be told"


def test_correlations_are_drawn_together_and_with_the_units_that_belong_together() -> None:
    cells = np.array([[1, 1, 2], [2, 2, 1], [3, 3, 3], [4, 4, 2]] * 10)
    data = study_of(cells).judgements()
    drawn = drawn_correlations(tally(data))
    assert set(drawn) == {("J1", "J2"), ("J1", "J3"), ("J2", "J3")}
    assert np.allclose(drawn["J1", "J2"], 1)
    assert np.allclose(drawn["J1", "J3"], drawn["J2", "J3"])
    assert 0.04 < drawn["J1", "J3"].std() < 0.1


def test_profiles_give_each_rater_their_level() -> None:
    quality = np.tile(np.arange(1, 5), 10)
    found = diagnose(study_of(np.column_stack([quality, quality, np.minimum(quality + 1, 4)])))
    means = {rater.rater: rater.mean_score for rater in found.questions[0].raters}
    assert means == {"J1": pytest.approx(2.5), "J2": pytest.approx(2.5), "J3": pytest.approx(3.25)}


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


def test_accuracy_of_raters_and_consensus() -> None:
    gold = np.array(["a", "b", "a", "b"] * 5)
    cells = np.column_stack([gold, gold, np.where(np.arange(20) < 4, "b", gold)])
    part = next(materials(study_of(cells, level=Level.NOMINAL, unit_attributes={"gold": gold})))
    consensus, one, _, three = accuracy(part, "gold")
    assert consensus.rater is None
    assert consensus.share_right == 1.0
    assert one.result.value == pytest.approx(1.0)
    assert three.share_right == pytest.approx(18 / 20)


def test_ties_are_left_out_of_the_consensus_and_counted() -> None:
    cells = np.array([["a", "b"], ["a", "a"], ["b", "b"]])
    part = next(materials(study_of(cells, level=Level.NOMINAL, unit_attributes={"gold": ["a", "a", ""]})))
    consensus = accuracy(part, "gold")[0]
    assert (consensus.n_units, consensus.n_tied) == (1, 1)


def test_gold_must_belong_to_units() -> None:
    part = next(materials(study_of(np.ones((3, 2)), columns={"g": np.arange(6).reshape(3, 2)})))
    with pytest.raises(InputError, match="not the same in all rows"):
        accuracy(part, "g")


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
