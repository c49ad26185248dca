"""Gold that guards itself: a class that is not its own name is refused, doubts are said, probabilities are checked."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.gold.guards import (
    LEAST_CONTROLS,
    calibration,
    class_table,
    doubts,
    misnamed_classes,
    scatter_doubt,
    scatter_ratio,
)
from concordant.gold.rater_models import NO_PRIOR, USUAL_PRIOR, Prior, Votes, dawid_skene, mace, votes_of
from concordant.gold.standard import gold
from concordant.randomness import generator
from concordant.readers.data import as_study
from tests.cli.test_gold_commands import run, write
from tests.gold.test_standard import patients, published

DICES = "dices/dices_350_crowdsourced.csv"


def kinds(found: Any) -> list[str]:
    return [one.kind for one in found]


def crowd(
    seed: int, *, units: int = 400, raters: int = 30, each: int = 5, misleading: float = 0.0
) -> tuple[Votes, np.ndarray[Any, Any]]:
    """Raters of unequal skill judge some of the units; a share of the units misleads most raters to the same answer."""
    random = generator(seed)
    truth, skill = random.choice(3, units, p=[0.5, 0.3, 0.2]), random.uniform(0.55, 0.95, raters)
    is_hard, decoy = random.random(units) < misleading, random.integers(0, 3, units)
    rater = np.argsort(random.random((units, raters)), axis=1)[:, :each].ravel()
    unit = np.repeat(np.arange(units), each)
    told = np.where(is_hard[unit] & (random.random(len(unit)) < 0.7), decoy[unit], truth[unit])
    value = np.where(random.random(len(unit)) < skill[rater], told, random.integers(0, 3, len(unit)))
    names = tuple(f"u{u}" for u in range(units))
    votes = Votes(
        units=names,
        raters=tuple(f"r{r}" for r in range(raters)),
        categories=tuple("abc"),
        unit=unit,
        rater=rater,
        value=value,
    )
    return votes, truth


def unsure() -> dict[str, list[str]]:
    """Some raters say "Unsure" to unclear units: EM makes a class of those units, though nobody mostly says so."""
    random = generator(3)
    rows = []
    for unit in range(120):
        p_yes = (0.95, 0.05, 0.5)[unit % 3]
        for rater in range(15):
            is_unsure = unit % 3 == 2 and random.random() < 0.15
            said = "Unsure" if is_unsure else "Yes" if random.random() < p_yes else "No"
            rows.append((f"u{unit}", f"r{rater}", said))
    unit_, rater_, value = zip(*rows, strict=True)
    return {"unit": list(unit_), "rater": list(rater_), "value": list(value)}


def test_the_published_table_passes_every_guard() -> None:
    votes = patients(published()["patients"])
    for prior in (NO_PRIOR, USUAL_PRIOR):
        found = dawid_skene(votes, prior=prior)
        assert misnamed_classes(votes, found) == ()
        assert scatter_doubt(votes, found) is None
    assert scatter_ratio(votes, dawid_skene(votes, prior=NO_PRIOR)) == pytest.approx(1.28, abs=0.005)


@pytest.mark.data
def test_a_published_crowd_does_not(data_dir: Path) -> None:
    votes = votes_of(as_study(str(data_dir / DICES)).judgements())
    found = dawid_skene(votes, prior=NO_PRIOR)
    assert np.bincount(found.best).tolist() == [149, 132, 69]
    np.testing.assert_allclose(np.diag(class_table(votes, found)), [0.798, 0.083, 0.665], atol=0.0005)
    [wrong] = misnamed_classes(votes, found)
    assert wrong.evidence["guards"] == ["row", "votes"]
    assert scatter_ratio(votes, found) == pytest.approx(5.5, abs=0.05)
    usual = dawid_skene(votes)
    assert np.bincount(usual.best).tolist()[1] == 116
    assert misnamed_classes(votes, usual)
    assert np.bincount(dawid_skene(votes, prior=Prior(1.0, 2.0)).best).tolist() == [229, 0, 121]
    without = dawid_skene(votes, prior=NO_PRIOR, truths=np.array([0, 2]))
    assert np.bincount(without.best).tolist() == [226, 0, 124]
    assert misnamed_classes(votes, without) == ()
    assert (without.best == votes.counts.argmax(axis=1)).mean() == pytest.approx(0.871, abs=0.0005)


@pytest.mark.data
def test_the_command_refuses_it_in_one_line_and_writes_nothing(data_dir: Path, tmp_path: Path) -> None:
    goal = tmp_path / "gold.csv"
    how = ["gold", str(data_dir / DICES), "--method", "dawid_skene", "--prior", "none", "-o", str(goal)]
    with pytest.raises(InputError) as error:
        run(*how)
    assert str(error.value).startswith(
        "Unsure is not its own name: a unit put there is called Unsure with probability 0.083, No with 0.576; 132 of "
        "350 units would become Unsure, which no unit's raters chose more than 15.4 % of the time; use --not-a-truth "
        "Unsure, --method votes, or soft labels"
    )
    assert not goal.exists()
    shown = run(*how, "--not-a-truth", "Unsure")
    assert "350 units, all with a value: 226 No, 124 Yes" in shown.output
    assert "raters are not independent given the class" in " ".join(shown.output.split())
    assert goal.exists()


def test_a_class_of_unclear_units_is_refused_unless_accepted_or_no_truth() -> None:
    with pytest.raises(InputError, match="Unsure is not its own name: a unit put there is called Unsure with"):
        gold(unsure(), method="dawid_skene")
    accepted = gold(unsure(), method="dawid_skene", accept_classes=True)[None]
    assert accepted.categories == ("No", "class-2", "Yes")
    assert accepted.counts["class-2"] == 38
    assert kinds(accepted.findings)[0] == "misnamed-class"
    kept = gold(unsure(), method="dawid_skene", not_a_truth=["Unsure"])[None]
    assert set(kept.counts) == {"No", "Yes"}
    assert all(one.shares["Unsure"] == 0 for one in kept.values)
    assert "misnamed-class" not in kinds(kept.findings)
    assert gold(unsure(), method="mace", not_a_truth=["Unsure"])[None].counts.keys() == {"No", "Yes"}


def test_switched_names_are_found() -> None:
    votes, _ = crowd(1, units=60, each=8)
    right = dawid_skene(votes)
    order = [1, 0, 2]
    turned = replace(right, errors=right.errors[:, order], before=right.before[order])
    found = misnamed_classes(votes, turned)
    assert [one.evidence["class"] for one in found] == ["a", "b"]
    assert {"row", "column", "names"} <= set(found[0].evidence["guards"])
    assert misnamed_classes(votes, right) == ()


def test_mace_is_asked_for_the_votes_only() -> None:
    votes, _ = crowd(2, units=60)
    found = mace(votes)
    assert misnamed_classes(votes, found, by_votes_only=True) == ()
    never = replace(votes, value=np.where(votes.value == 2, 0, votes.value))
    turned = replace(found, errors=np.full_like(found.errors, 1 / 3), before=np.array([0.2, 0.2, 0.6]))
    [wrong] = misnamed_classes(never, turned, by_votes_only=True)
    assert wrong.evidence["guards"] == ["votes"]
    assert wrong.seen.startswith("c is given against the votes; 60 of 60 units")


def test_few_judgements_without_a_prior_are_said() -> None:
    votes, _ = crowd(3, units=60, each=3)
    assert "few-judgements" in kinds(doubts(votes, dawid_skene(votes, prior=NO_PRIOR), NO_PRIOR))
    many, _ = crowd(3, units=400, each=10)
    assert doubts(many, dawid_skene(many, prior=NO_PRIOR), NO_PRIOR) == ()


def test_a_gold_that_hangs_on_the_prior_is_said() -> None:
    votes, _ = crowd(4, units=60, each=3)
    said = {one.kind: one for one in doubts(votes, dawid_skene(votes), USUAL_PRIOR)}
    assert said["prior"].evidence["changed"] > 0.02
    assert "get another value" in said["prior"].seen


def test_another_start_that_is_likelier_is_said() -> None:
    votes, _ = crowd(4, units=60, raters=20, each=3)
    said = {one.kind: one for one in doubts(votes, dawid_skene(votes, prior=NO_PRIOR), NO_PRIOR)}
    assert said["other-start"].evidence["gain"] > 1
    assert said["other-start"].evidence["changed"] == pytest.approx(0.05)


def test_raters_who_err_together_are_said() -> None:
    votes, truth = crowd(5, each=30, misleading=0.3)
    found = dawid_skene(votes)
    assert "scatter" in kinds(doubts(votes, found, USUAL_PRIOR))
    units = dict(zip(votes.units, (votes.categories[t] for t in truth), strict=True))
    seen = calibration(found, votes.units, units)
    assert seen.claimed > 0.97
    assert seen.right < 0.92
    assert seen.error > 0.08


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_hold_where_the_model_does(seed: int) -> None:
    votes, truth = crowd(seed, each=5)
    units = dict(zip(votes.units, (votes.categories[t] for t in truth), strict=True))
    seen = calibration(dawid_skene(votes), votes.units, units)
    assert seen.error <= 0.03
    assert sum(one.n_units for one in seen.bins) == seen.n_units == 400
    assert misnamed_classes(votes, dawid_skene(votes)) == ()


def test_the_prior_mends_few_judgements() -> None:
    """Maximum likelihood boasts on three judgements a unit: less often right than votes, and surer."""
    errors = {NO_PRIOR: 0.0, USUAL_PRIOR: 0.0}
    for seed in range(4):
        votes, truth = crowd(seed, each=3)
        units = dict(zip(votes.units, (votes.categories[t] for t in truth), strict=True))
        for prior in errors:
            errors[prior] += calibration(dawid_skene(votes, prior=prior), votes.units, units).error / 4
    assert errors[USUAL_PRIOR] < 0.5 * errors[NO_PRIOR]


def test_control_units_on_the_command_line(tmp_path: Path) -> None:
    votes, truth = crowd(6, units=80)
    rows = [
        f"{votes.units[u]},{votes.raters[r]},{votes.categories[v]},{votes.categories[truth[u]] if u < 40 else ''}"
        for u, r, v in zip(votes.unit, votes.rater, votes.value, strict=True)
    ]
    data = write(tmp_path / "crowd.csv", "unit,rater,value,known\n" + "\n".join(rows) + "\n")
    shown = run("gold", data, "--method", "dawid_skene", "--control", "known")
    assert "Probabilities against 40 control units: off by 0." in shown.output
    found = json.loads(run("gold", data, "--method", "mace", "--control", "known", "--json").output)["standards"][0]
    assert found["calibration"]["n_units"] == 40
    assert "err independently" in found["notes"][0]
    with pytest.raises(InputError, match="--control says nothing about the method votes"):
        run("gold", data, "--control", "known")
    with pytest.raises(InputError, match="'rater' is not an attribute of units"):
        run("gold", data, "--method", "mace", "--control", "rater")


def test_controls_must_be_answers_and_enough() -> None:
    votes, _ = crowd(7, units=50)
    found = dawid_skene(votes)
    with pytest.raises(InputError, match=r"a control unit is 'z', which nobody answered"):
        calibration(found, votes.units, {"u0": "z"})
    with pytest.raises(InputError, match=f"1 control unit were judged; {LEAST_CONTROLS} or more"):
        calibration(found, votes.units, {"u0": "a"})


@pytest.mark.parametrize(
    ("prior", "wrong"), [("much", "is not two numbers"), ("1", "is not two"), ("-1,1", "negative")]
)
def test_a_prior_that_is_none(prior: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        gold(unsure(), method="dawid_skene", prior=prior)


def test_what_is_no_answer_cannot_be_ruled_out() -> None:
    with pytest.raises(InputError, match="'Unsur' is no answer; did you mean 'Unsure'"):
        gold(unsure(), method="mace", not_a_truth=["Unsur"])
    with pytest.raises(InputError, match="no answer is left"):
        gold(unsure(), method="mace", not_a_truth=["Unsure", "Yes", "No"])
    with pytest.raises(InputError, match="prior says nothing about the method votes"):
        gold(unsure(), prior="none")


DECISIONS = "unit,value,holds\nu4,a,no\nu4,b,yes\n"


def test_adjudicated_on_the_command_line(tmp_path: Path) -> None:
    from tests.cli.test_gold_commands import CROWD

    data = write(tmp_path / "crowd.csv", CROWD)
    decisions = write(tmp_path / "decisions.csv", DECISIONS)
    found = json.loads(run("gold", data, "--method", "adjudicated", "--decisions", decisions, "--json").output)
    values = {one["unit"]: (one["value"], one["basis"]) for one in found["standards"][0]["values"]}
    assert values["u4"] == ("b", "decided")
    assert values["u2"] == ("a", "unanimous")
    assert values["u0"] == (None, "undecided")
    shown = run("gold", data, "--method", "adjudicated", "--decisions", decisions)
    assert "8 units, 3 undecided" in shown.output
    with pytest.raises(InputError, match="give them with --decisions"):
        run("gold", data, "--method", "adjudicated")
    with pytest.raises(InputError, match="say --method adjudicated"):
        run("gold", data, "--decisions", decisions)


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("unit,value\nu9,a\n", "row 2: nobody judged the unit 'u9'"),
        ("unit,value\nu1,\n", "row 2: there is no value"),
        ("unit,value\nu1,a\nu1,b\n", "row 3: there are two decisions on 'u1'"),
        ("unit,label\nu1,a\n", "column 'value': there is no such column"),
    ],
)
def test_damaged_decisions(tmp_path: Path, table: str, wrong: str) -> None:
    from tests.cli.test_gold_commands import CROWD

    with pytest.raises(InputError, match=wrong):
        gold(write(tmp_path / "crowd.csv", CROWD), method="adjudicated", decisions=write(tmp_path / "d.csv", table))


def test_decisions_of_several_questions() -> None:
    data = {"unit": ["x"] * 4, "rater": ["J", "K"] * 2, "question": ["p", "p", "q", "q"], "value": ["a", "b", "a", "b"]}
    found = gold(data, method="adjudicated", decisions={"unit": ["x"], "question": ["q"], "value": ["b"]})
    assert found["p"].values[0].value is None
    assert found["q"].values[0].value == "b"
    with pytest.raises(InputError, match="there is no question 'r'"):
        gold(data, method="adjudicated", decisions={"unit": ["x"], "question": ["r"], "value": ["b"]})
