"""The verdict on two raters: right on judges of known kinds."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concordant.diagnosis.association import Scores, association_p
from concordant.diagnosis.consistency import (
    PairReading,
    Verdict,
    consistency_of,
    explain,
    pairs_to_read,
    read_pair,
)
from concordant.diagnosis.material import materials
from concordant.engines.tally import tally
from concordant.measures.result import Interval
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.readers import read
from concordant.uncertainty.estimate import measure
from tests.diagnosis.simulated import KINDS, honest, judge_pair, study_of


def named(kind: Verdict, seed: int) -> Verdict:
    """What a simulated pair of this kind is called."""
    study = study_of(judge_pair(kind, generator(seed, KINDS.index(kind))))
    return read_pair(tally(study.judgements()), ("J1", "J2"), seed=seed).verdict


def confusion(n_each: int) -> dict[Verdict, Counter[Verdict]]:
    """How often each kind gets each name."""
    return {kind: Counter(named(kind, seed) for seed in range(n_each)) for kind in KINDS}


CAUTIOUS = {Verdict.AGREE: Verdict.PERHAPS, Verdict.WEAK: Verdict.UNDECIDED}  # said where the interval is wide


def right(kind: Verdict, names: Counter[Verdict]) -> int:
    """How many studies of a kind get its name, or the cautious one of a wide interval."""
    return names[kind] + (names[CAUTIOUS[kind]] if kind in CAUTIOUS else 0)


def share_right(found: dict[Verdict, Counter[Verdict]]) -> float:
    """The share of studies with the right name."""
    return sum(right(kind, names) for kind, names in found.items()) / sum(n.total() for n in found.values())


def test_known_kinds_are_named() -> None:
    assert share_right(confusion(20)) >= 0.95


@pytest.mark.slow
def test_a_thousand_studies_of_known_kinds_are_named() -> None:
    found = confusion(200)
    assert share_right(found) >= 0.95
    assert all(right(kind, names) >= 0.9 * names.total() for kind, names in found.items())


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


def test_few_common_units_get_words_from_their_interval() -> None:
    """Seven raters of ten units: 21 pairs, each with a verdict that its own test allows."""
    random = generator(5)
    quality = random.normal(0, 1, 10)
    cells = np.column_stack([honest(random, quality, 5, noise=0.2) for _ in range(7)])
    found = consistency_of(next(materials(study_of(cells)))).pairs
    assert len(found) == 21
    for pair in found:
        assert pair.effect.value is not None
        open_ = pair.verdict in (Verdict.WEAK, Verdict.UNDECIDED, Verdict.PREVALENCE)
        assert open_ == (pair.association_p >= 0.05), pair
        assert (pair.verdict is Verdict.REVERSED) == (pair.association_p < 0.05 and pair.effect.value < 0)
    assert {pair.verdict for pair in found} >= {Verdict.UNDECIDED}


def reading(first: Any, second: Any, level: Any = None) -> PairReading:
    from concordant.model.scale import Level

    cells = np.column_stack([first, second])
    return read_pair(tally(study_of(cells, level=level or Level.ORDINAL).judgements()), ("J1", "J2"), seed=1)


def test_a_weak_effect_that_is_not_chance_is_called_weak_and_not_denied() -> None:
    """An effect below .3 with a small p was said to tell hardly anything: the words contradicted the test."""
    random = generator(9)
    first = random.integers(1, 6, 300)
    second = np.where(random.random(300) < 0.3, first, random.integers(1, 6, 300))
    found = reading(first, second)
    assert found.association_p < 0.01
    assert found.verdict is Verdict.LOOSE
    assert found.explanation.startswith("J1 and J2 covary weakly (Kendall's tau-b 0.")
    assert "agree too little" in found.explanation


def test_what_may_run_opposite_ways_is_not_called_weak_and_left_at_that() -> None:
    random = generator(4)
    first = random.integers(1, 6, 22)
    found = reading(first, np.where(random.random(22) < 0.4, 6 - first, random.integers(1, 6, 22)))
    interval = found.effect.interval
    assert interval is not None
    assert (found.verdict, found.association_p >= 0.05, interval.low <= -0.3) == (Verdict.WEAK, True, True)
    assert found.verdict.value == "covary at most weakly"
    assert found.explanation.startswith(
        "J1 and J2 covary at most weakly, and may run opposite ways (Kendall's tau-b -0."
    )


def test_without_a_sure_effect_the_interval_speaks() -> None:
    random = generator(11)
    many = reading(random.integers(1, 6, 400), random.integers(1, 6, 400))
    assert many.verdict is Verdict.WEAK
    assert many.explanation.startswith("J1 and J2 covary at most weakly (Kendall's tau-b ")
    few = reading([1, 2, 3, 4, 5, 2], [2, 1, 4, 3, 3, 5])
    assert few.verdict is Verdict.UNDECIDED
    assert few.explanation.startswith("6 units are too few to tell how J1 and J2 go together: anything from -0.")
    constant = reading([1, 2, 3, 2, 1, 3], [2, 2, 2, 2, 2, 2])
    assert constant.verdict is Verdict.UNDECIDED
    assert constant.association_p == 1.0
    one_kind = reading([1] * 29 + [2], [1] * 28 + [2, 1])
    assert one_kind.verdict is Verdict.PREVALENCE
    assert "no evidence of a shared reading" in one_kind.explanation


def test_two_raters_who_mostly_agree_on_two_kinds_of_units_are_not_called_alike_by_prevalence() -> None:
    # 8 of 10 units alike, five of each kind: no test can tell so few apart, but they are not of one kind
    found = reading([1, 0, 1, 0, 1, 0, 1, 0, 1, 0], [1, 0, 0, 0, 1, 1, 1, 0, 1, 0])
    assert found.association_p > 0.05
    assert found.observed == 0.8
    assert found.verdict is Verdict.UNDECIDED


def test_a_few_units_without_a_disagreement_are_not_called_agreement() -> None:
    few = reading([1, 2, 3, 1, 2, 3, 2], [1, 2, 3, 1, 2, 3, 2])
    assert few.association_p < 0.05
    assert few.verdict is Verdict.PERHAPS
    assert "1.00, p = " in few.explanation
    assert reading([1, 2, 3] * 10, [1, 2, 3] * 10).verdict is Verdict.AGREE


@pytest.mark.data
def test_judges_of_generated_questions(data_dir: Path) -> None:
    """QG-STEC (Rus et al. 2010): pairs with gamma from .39 to .55 and p around .003 covary, and are said to."""
    study = read(data_dir / "qgstec" / "judgements.csv")
    found = [pair for part in materials(study) for pair in consistency_of(part, seed=1).pairs]
    for pair in found:
        shown = pair.verdict in (Verdict.AGREE, Verdict.LEVEL, Verdict.LOOSE, Verdict.PERHAPS, Verdict.REVERSED)
        assert shown == (pair.association_p < 0.05), pair
    (pair,) = [one for one in found if one.question == "Relevance" and set(one.raters) == {"J1", "J6"}]
    assert pair.correlation is not None
    assert pair.correlation.value == pytest.approx(0.767, abs=0.0005)
    assert pair.association_p == pytest.approx(0.013, abs=0.008)


def test_where_the_interval_holds_zero_the_p_is_the_reason() -> None:
    effect = measure(Judgements.from_matrix([[1, 1], [2, 3], [3, 2], [2, 1]], level="ordinal"), "tau_b", seed=1)
    wide = effect.with_(interval=Interval(low=-0.1, high=0.9, level=0.95, method=""))
    scores = Scores(first=np.arange(4.0), second=np.arange(4.0), weights=np.ones(4))
    told = explain(Verdict.LOOSE, ("A", "B"), scores, None, wide, 0.04)
    assert "p = .040" in told
    assert "-0.10" not in told


def test_a_turned_scale_is_a_finding_only_if_it_clearly_is() -> None:
    random = generator(3)
    first = random.integers(1, 6, 200)
    turned = reading(first, 6 - first)
    assert turned.verdict is Verdict.REVERSED
    assert turned.calls_for_action
    faint = replace(turned, association_p=0.03)
    assert not faint.calls_for_action


def test_names_without_order_have_no_level_but_a_verdict() -> None:
    from concordant.model.scale import Level

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
    assert reading(first.astype(int), second.astype(int)).verdict is Verdict.PREVALENCE


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


def test_a_verdict_rests_on_the_interval_that_is_shown() -> None:
    """Ten invented units: a jackknife would begin above .67, the interval that is shown begins at .31."""
    cells = [[1, 2], [2, 2], [3, 3], [4, 5], [5, 5], [1, 1], [2, 3], [3, 4], [4, 4], [5, 4]]
    data = Judgements.from_matrix(cells, level="ordinal", raters=["A", "B"])
    pair = read_pair(tally(data), ("A", "B"), seed=1)
    shown = measure(data, "alpha", seed=1).interval
    narrow = measure(data, "alpha", ci="jackknife").interval
    assert pair.agreement.interval == shown
    assert shown is not None
    assert narrow is not None
    assert shown.low < 0.67 < narrow.low
    assert pair.verdict is Verdict.PERHAPS
