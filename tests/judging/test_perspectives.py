"""Disagreement as signal: what aggregates are worth, groups and camps found where they are and nowhere else."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import concordant as cc
from concordant.diagnosis.aggregate import Cells, components, midranks, reliability_of, split_halves
from concordant.diagnosis.consistency import Verdict
from concordant.diagnosis.diagnose import ADVICE, _worth_keeping, diagnose
from concordant.diagnosis.findings import warning
from concordant.diagnosis.material import materials
from concordant.errors import InputError
from concordant.judging.camps import camps_of, cross_agreement, group_test, rand_index, split_units
from concordant.judging.perspective import perspectives
from concordant.judging.soft_labels import jensen_shannon, soft_labels, wasserstein
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.readers.data import as_study
from tests.cli.test_gold_commands import run, write

DICES = "dices/dices_350_crowdsourced.csv"


def crowd(
    seed: int,
    *,
    units: int = 200,
    raters: int = 30,
    split: float = 0.0,
    per_unit: int | None = None,
    careless: float = 0.2,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Severity and care differ; `split` moves every second rater to another view of the units."""
    random = generator(seed)
    views, camp = random.normal(0, 1.2, (2, units)), np.arange(raters) % 2
    theta = np.where(camp == 0, views[0][:, None], (1 - split) * views[0][:, None] + split * views[1][:, None])
    care = np.where(random.random(raters) < careless, 0.1, 1.0)
    logit = care * theta * 1.5 - random.normal(0, 0.8, raters)
    cells = (random.random((units, raters)) < 1 / (1 + np.exp(-logit))).astype(float)
    if per_unit:
        cells[np.argsort(random.random(cells.shape), axis=1) >= per_unit] = np.nan
    return cells, camp, care


def judged(cells: np.ndarray[Any, Any]) -> Judgements:
    names = np.array(["no", "yes", ""], dtype=object)
    codes = np.where(np.isnan(cells), 2, np.nan_to_num(cells)).astype(int)
    return Judgements.from_matrix(names[codes], level="nominal", categories=["no", "yes"])


@pytest.mark.data
def test_a_published_crowd_is_worth_keeping(data_dir: Path) -> None:
    [one] = perspectives(str(data_dir / DICES)).questions
    assert one.single.value == pytest.approx(0.161, abs=0.0005)
    rel = one.reliability
    assert rel.of == "share of No"
    assert rel.aggregate == pytest.approx(0.974, abs=0.002)
    assert rel.ranking == pytest.approx(0.966, abs=0.002)
    assert rel.one_rater == pytest.approx(0.182, abs=0.0005)
    assert rel.raters_needed == 18
    assert one.sentence == (
        "One rater's answer cannot be relied on (alpha 0.161); the share of No of 123 raters can (0.973). Keep shares "
        "(soft labels), not single labels; fewer than 18 raters a unit would not do."
    )
    assert one.camps is not None
    assert one.camps.is_claimed
    assert one.camps.eigenvalue == pytest.approx(6.6, abs=0.05)
    assert one.camps.stability == pytest.approx(0.66, abs=0.05)
    assert one.soft is not None
    assert one.soft.strength == pytest.approx(9.5, abs=0.1)
    assert one.soft.to_dict()["median_width"]["No"] == pytest.approx(0.155, abs=0.001)


@pytest.mark.data
def test_predictions_by_the_overall_shares_are_chance(data_dir: Path) -> None:
    data = as_study(str(data_dir / DICES))
    labels = soft_labels(data.judgements())
    shares = {"No": 26292 / 43050, "Unsure": 2694 / 43050, "Yes": 14064 / 43050}
    table = {"unit": list(labels.units), **{name: [share] * 350 for name, share in shares.items()}}
    [one] = perspectives(data, predictions=table).questions
    by = {score.name: score for score in one.scores}
    assert by["Jensen-Shannon"].value == pytest.approx(by["Jensen-Shannon"].chance, abs=1e-9)
    assert by["Jensen-Shannon"].chance == pytest.approx(0.040, abs=0.002)
    assert by["Jensen-Shannon"].floor == pytest.approx(0.012, abs=0.002)


def test_the_diagnosis_does_not_tell_to_give_reliable_shares_up() -> None:
    random = generator(2)
    theta = random.normal(0, 0.8, 150)
    shares = (random.random((150, 40)) < 1 / (1 + np.exp(-theta))[:, None]).astype(float)
    noise = random.integers(0, 2, (60, 8)).astype(float)
    weak = warning(kind="weak", seen="", sure="", advice=ADVICE[Verdict.WEAK])
    [kept] = _worth_keeping(list(materials(as_study(judged(shares)))), [weak], 1)
    assert "keep shares (soft labels), not single labels" in kept.advice
    assert kept.evidence["aggregate"] >= 0.8
    assert list(_worth_keeping(list(materials(as_study(judged(noise)))), [weak], 1)) == [weak]


@pytest.mark.slow
@pytest.mark.data
def test_the_diagnosis_keeps_a_published_crowd(data_dir: Path) -> None:
    found = diagnose(str(data_dir / DICES))
    assert not any("Do not use these judgements together" in one.advice for one in found.findings)


def test_ranks_do_not_hang_on_the_order_in_which_a_machine_adds() -> None:
    means = np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 2.0, 0.1])
    assert means[0] != means[1]
    assert midranks(means).tolist() == [2.5, 2.5, 4, 1]
    assert midranks(np.zeros(3)).tolist() == [2, 2, 2]


def test_each_of_the_three_reliabilities_has_an_interval() -> None:
    [one] = perspectives(as_study(judged(crowd(2, units=60, raters=12)[0]))).questions
    assert one.single.interval is not None
    rel = one.reliability
    for low, value, high in (
        (one.single.interval.low, one.single.value, one.single.interval.high),
        (rel.aggregate_low, rel.aggregate, rel.aggregate_high),
        (rel.ranking_low, rel.ranking, rel.ranking_high),
    ):
        assert low is not None
        assert value is not None
        assert high is not None
        assert low < value < high


def test_planted_camps_are_found() -> None:
    cells, camp, care = crowd(3, units=300, split=1.0)
    names = [f"r{i}" for i in range(30)]
    found = camps_of(Cells(cells), names, nulls=39)
    assert found.is_claimed
    placed = [i for i in range(30) if care[i] > 0.5 and names[i] in found.raters]
    labels = np.array([int(found.raters[names[i]][-1]) for i in placed])
    assert rand_index(labels, camp[placed]) > 0.9


@pytest.mark.parametrize("seed", range(4))
def test_no_camps_where_there_are_none(seed: int) -> None:
    cells, _, _ = crowd(10 + seed, raters=20)
    assert not camps_of(Cells(cells), [f"r{i}" for i in range(20)], nulls=39).is_claimed


@pytest.mark.slow
def test_false_claims_of_camps_are_rare() -> None:
    claims = [camps_of(Cells(crowd(100 + s)[0]), [str(i) for i in range(30)], nulls=39).is_claimed for s in range(60)]
    assert sum(claims) <= 2


def test_groups_that_differ_are_told_from_groups_that_do_not() -> None:
    cells, camp, _ = crowd(5, split=0.7)
    data = judged(cells)
    sides = {
        "even": [r for r, c in zip(data.raters, camp, strict=True) if c == 0],
        "odd": [r for r, c in zip(data.raters, camp, strict=True) if c],
    }
    found = group_test(data, "view", sides)
    assert found.p is not None
    assert found.p <= 0.01
    assert found.gap is not None
    assert found.gap > 0
    halves = {"first": list(data.raters[:15]), "second": list(data.raters[15:])}
    other = group_test(data, "place", halves)
    assert other.p is not None
    assert other.p > 0.05
    few = group_test(data, "few", {"one": list(data.raters[:4]), "rest": list(data.raters[4:])})
    assert few.reason == "fewer than two groups have 5 raters"
    units = split_units(data, sides)
    assert units[0].p < 0.01
    assert abs(units[0].difference) > 0.5


def test_attributes_on_the_command_line(tmp_path: Path) -> None:
    cells, camp, _ = crowd(5, units=60, split=0.7)
    rows = [f"u{u},r{r},{'yes' if cells[u, r] else 'no'},{'ab'[camp[r]]}" for u in range(60) for r in range(30)]
    file = write(tmp_path / "crowd.csv", "unit,rater,value,view\n" + "\n".join(rows) + "\n")
    shown = run("perspectives", file, "--group", "view", "--soft", str(tmp_path / "soft.csv"))
    assert "Three reliabilities" in shown.output
    assert "Units that split the two sides" in shown.output
    assert (tmp_path / "soft.csv").read_text("utf-8").startswith("unit,n_votes,share_no,low_no,high_no,share_yes")
    told = json.loads(run("perspectives", file, "--group", "view", "--json").output)["perspectives"][0]
    assert set(told["reliability"]) >= {"single", "aggregate", "ranking", "raters_for"}
    assert told["groups"][0]["p_corrected"] == told["groups"][0]["p"]
    assert run("verify", told["signature"], file).exit_code == 0
    assert run("verify", told["signature"].replace("seed:1", "seed:2"), file).exit_code == 1
    found = cc.perspectives(file, group="view")
    assert len(found.to_frame()) == 1
    assert "can" in repr(found)
    assert cc.verify(found.questions[0].signature, file).matches


def test_two_raters_cannot_tell_noise_from_perspective() -> None:
    [one] = perspectives([["a", "a"], ["a", "b"], ["b", "b"]]).questions
    assert one.reliability.reason == "with one or two raters a unit noise cannot be told from perspective"
    assert "The aggregate is not known" in one.sentence
    assert one.camps is None
    assert one.camps_reason == "fewer than 10 raters or 20 units"


def test_noise_is_not_kept() -> None:
    random = generator(7)
    [one] = perspectives(judged(random.integers(0, 2, (60, 8)).astype(float))).questions
    assert one.sentence.startswith("Neither one rater's answer")
    [good] = perspectives(judged(np.tile((np.arange(40) % 2)[:, None], (1, 6)).astype(float))).questions
    assert good.sentence.startswith("One rater's answer can be relied on")


def test_means_of_numbers_and_sparse_designs() -> None:
    random = generator(8)
    theta = random.normal(0, 1, 300)
    cells = theta[:, None] + random.normal(0, 0.5, 40) + random.normal(0, 1, (300, 40))
    unit, rater, rest = components(Cells(cells))
    assert [unit, rater, rest] == pytest.approx([1, 0.25, 1], abs=0.25)
    cells[np.argsort(random.random(cells.shape), axis=1) >= 8] = np.nan
    found = reliability_of(Cells(cells), "mean")
    assert found.aggregate == pytest.approx(8 / (8 + 1.25), abs=0.05)
    assert found.aggregate is not None
    assert found.aggregate_low is not None
    assert found.aggregate_low < found.aggregate
    assert reliability_of(Cells(np.ones((5, 4))), "mean").reason == "all units are alike"
    r, rho = split_halves(Cells(cells), halves=5)
    assert len(r) == len(rho) == 5


def test_soft_labels_lie_between_votes_and_all() -> None:
    data = Judgements.from_matrix(
        [["a", "a", "a"], ["a", "b", "b"], ["b", "b", "a"], ["a", "a", "b"]] * 5, level="nominal"
    )
    found = soft_labels(data)
    assert found.shares.sum(axis=1) == pytest.approx(1)
    assert (found.low < found.shares).all()
    assert (found.shares < found.high).all()
    assert found.shares[0, 0] < 1


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("unit,a,b\n1,.5,.4\n", "row 2: predictions are not probabilities that sum to 1"),
        ("unit,a,b\n9,.5,.5\n", "there is no prediction for '1'"),
        ("unit,a\n1,1\n", "column 'b': there is no such column"),
        ("unit,a,b\n1,much,.5\n", "a prediction is not a number"),
    ],
)
def test_damaged_predictions(tmp_path: Path, table: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        perspectives([["a", "b", "a"]], predictions=write(tmp_path / "p.csv", table))


def test_distances_between_distributions() -> None:
    p, q = np.array([[1.0, 0, 0]]), np.array([[0.0, 0, 1]])
    assert jensen_shannon(p, q)[0] == pytest.approx(1)
    assert wasserstein(p, q)[0] == pytest.approx(1)
    assert wasserstein(p, p)[0] == 0
    assert midranks(np.array([3.0, 1, 3])).tolist() == [2.5, 1.0, 2.5]


def test_ordered_predictions_and_equal_camps_of_raters() -> None:
    random = generator(9)
    cells = random.integers(1, 4, (30, 6))
    data = Judgements.from_matrix(cells, level="ordinal", categories=[1, 2, 3])
    table = {"unit": [str(i + 1) for i in range(30)], **{str(c): [1 / 3] * 30 for c in (1, 2, 3)}}
    [one] = perspectives(data, predictions=table).questions
    assert Counter(score.name for score in one.scores)["Wasserstein"] == 1


def test_agreement_across_groups_is_that_of_all_pairs_across_beyond_chance() -> None:
    cells = np.array([[1, 1, 2, 1], [2, 2, 3, 2], [3, 1, 3, 3], [1, 2, 1, 1], [2, 2, 2, 3]])
    code = np.array([0, 0, 1, 1])
    tables: dict[str, np.ndarray] = {
        "nominal": 1.0 - np.eye(4),
        "interval": np.subtract.outer(np.arange(4.0), np.arange(4.0)) ** 2,
    }
    for level, table in tables.items():
        data = Judgements.from_matrix(cells, level=level)
        pairs = [(u, i, j) for u in range(5) for i in (0, 1) for j in (2, 3)]
        observed = np.mean([table[cells[u, i], cells[u, j]] for u, i, j in pairs])
        chance = np.mean([table[cells[u, i], cells[v, j]] for u, i, j in pairs for v in range(5)])
        assert cross_agreement(data, code, 0, 1) == pytest.approx(1 - observed / chance)
    assert cross_agreement(Judgements.from_matrix(np.ones((3, 4))), code, 0, 1) is None
    alone = Judgements.from_matrix(np.array([[1, 1, np.nan, np.nan], [np.nan, np.nan, 2, 2]]))
    assert cross_agreement(alone, code, 0, 1) is None


def test_agreement_across_groups_with_unequal_numbers_of_answers_is_the_authors_figure() -> None:
    # The test case of the authors' own program (github.com/google-research/cross-replication-reliability): .1818182.
    # An item counts with its answers in both, (R_i + S_i) / (R + S); items that one of the two lacks do not count.
    ours = [(0, 2), (0, 3), (2, 0), (3, 0), (1, 1), (3, 0), (2, 1)]
    theirs = [(0, 2), (1, 1), (1, 1), (1, 1), (2, 0), (0, 0), (0, 0)]
    cells = np.full((7, 5), np.nan)
    for unit, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        for begin, (n_a, n_b) in ((0, one), (3, other)):
            cells[unit, begin : begin + n_a + n_b] = [1] * n_a + [2] * n_b
    data = Judgements.from_matrix(cells, level="nominal")
    assert cross_agreement(data, np.array([0, 0, 0, 1, 1]), 0, 1) == pytest.approx(0.1818182, abs=5e-8)


def test_groups_that_are_alike_agree_across_as_within() -> None:
    random = generator(11)
    truth = random.integers(0, 3, 4000)
    cells = np.column_stack([np.where(random.random(4000) < 0.7, truth, random.integers(0, 3, 4000)) for _ in range(6)])
    data = Judgements.from_matrix(cells, level="nominal")
    whole = cc.measure(data, "alpha", ci="none").value
    assert cross_agreement(data, np.array([0, 0, 0, 1, 1, 1]), 0, 1) == pytest.approx(whole, abs=0.02)
