"""The verdict on two raters: right on judges of known kinds."""

from collections import Counter

import numpy as np
import pytest

from assent.diagnosis.consistency import Verdict
from assent.diagnosis.pairs import read_pair
from assent.diagnosis.verdicts import Scores, association_p, decide, exact_kappa, random_tables, shift_of
from assent.engines.tally import tally
from assent.randomness import generator
from tests.diagnosis.simulated import KINDS, judge_pair, study_of


def named(kind: Verdict, seed: int) -> Verdict:
    """What a simulated pair of this kind is called."""
    study = study_of(judge_pair(kind, generator(seed, KINDS.index(kind))))
    return read_pair(tally(study.judgements()), ("J1", "J2"), seed=seed).verdict


def confusion(n_each: int) -> dict[Verdict, Counter[Verdict]]:
    """How often each kind gets each name."""
    return {kind: Counter(named(kind, seed) for seed in range(n_each)) for kind in KINDS}


def share_right(found: dict[Verdict, Counter[Verdict]]) -> float:
    """The share of studies with the right name."""
    return sum(names[kind] for kind, names in found.items()) / sum(sum(names.values()) for names in found.values())


def test_known_kinds_are_named() -> None:
    assert share_right(confusion(20)) >= 0.95


@pytest.mark.slow
def test_a_thousand_studies_of_known_kinds_are_named() -> None:
    found = confusion(200)
    assert share_right(found) >= 0.95
    assert all(names[kind] >= 0.9 * sum(names.values()) for kind, names in found.items())


def test_the_stricter_rater_is_named_with_the_distance() -> None:
    quality = np.tile(np.arange(1, 6), 10)
    cells = np.column_stack([np.maximum(quality - 1, 1), quality])
    found = read_pair(tally(study_of(cells).judgements()), ("J1", "J2"))
    assert found.verdict is Verdict.LEVEL
    assert found.stricter == "J1"
    assert found.shift is not None
    assert found.shift.mean == pytest.approx(0.8)
    assert (found.shift.n_higher, found.shift.n_lower) == (40, 0)
    assert "J1 is stricter: lower by 0.80" in found.explanation


def test_few_common_units_are_not_judged() -> None:
    cells = np.column_stack([np.arange(19) % 3, np.arange(19) % 3])
    assert read_pair(tally(study_of(cells).judgements()), ("J1", "J2")).verdict is Verdict.UNDECIDED


def test_names_without_order_have_no_level_but_a_verdict() -> None:
    from assent.model.scale import Level

    cells = np.column_stack([np.arange(60) % 3, np.arange(60) % 3]).astype(str)
    found = read_pair(tally(study_of(cells, level=Level.NOMINAL).judgements()), ("J1", "J2"))
    assert found.verdict is Verdict.AGREE
    assert found.correlation is None
    assert found.shift is None


def test_a_single_coincidence_of_rare_values_is_not_covariation() -> None:
    # 3 and 2 rare values among 50 units with one in common: tau-b is .39, but one table in eight is like that
    first = np.array([1.0] * 3 + [0.0] * 47)
    second = np.array([1.0, 0, 0, 1] + [0.0] * 46)
    scores = Scores(first=first, second=second, weights=np.ones(50))
    assert association_p(scores, ordered=True, seed=1) > 0.05
    assert decide(scores, agreement=0.38, association=0.39, p=0.12, shift=shift_of(scores)) is Verdict.PREVALENCE


def test_random_tables_keep_their_margins_and_have_the_right_mean() -> None:
    rows, columns = np.array([10, 20, 5]), np.array([15, 20])
    drawn = random_tables(rows, columns, 4000, generator(3))
    assert (drawn.sum(axis=2) == rows).all()
    assert (drawn.sum(axis=1) == columns).all()
    assert drawn.mean(axis=0) == pytest.approx(np.outer(rows, columns) / 35, abs=0.1)


def test_exact_kappa_is_cohens() -> None:
    # CASTRO Table 3.1: 25 15 / 10 50 gives .468
    scores = Scores(
        first=np.array([0.0, 0, 1, 1]), second=np.array([0.0, 1, 0, 1]), weights=np.array([25.0, 15, 10, 50])
    )
    assert exact_kappa(scores) == pytest.approx(0.468, abs=0.0005)


def test_continuous_scores_are_tested_without_tables() -> None:
    random = generator(4)
    x = random.normal(0, 1, 300)
    scores = Scores(first=x, second=x + random.normal(0, 0.2, 300), weights=np.ones(300))
    assert association_p(scores, ordered=True, seed=1) < 1e-6
