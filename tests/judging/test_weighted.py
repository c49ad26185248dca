"""Labels drawn with unequal chances: by hand, by simulation, by files; what is refused, and what signatures say."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import t as student

from concordant.errors import InputError
from concordant.judging.corrected import corrected
from concordant.judging.judge import judges
from concordant.judging.predicted import share_limits, weighted_mean_limits, weighted_share_limits, worth
from concordant.judging.signatures import verify
from concordant.randomness import generator
from tests.cli.test_gold_commands import run, write

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "coverage_of_corrected.py"))
TRUTH, MANY = 0.15, 800


def test_a_weighted_mean_is_the_difference_estimator_with_the_least_variance() -> None:
    random = generator(5)
    everything = random.normal(size=400)
    f, w = everything[:60], random.uniform(2, 12, 60)
    y = 0.7 * f + random.normal(size=60)
    found = weighted_mean_limits(y, f, w, everything, is_finite=True)
    scaled = w * 400 / w.sum()

    def residuals(factor: float) -> np.ndarray:
        e = y - factor * f
        return np.asarray(e - (scaled * e).sum() / 400)

    def variance(factor: float) -> float:
        return float((scaled * (scaled - 1) * residuals(factor) ** 2).sum() / 400**2)

    best = float(minimize_scalar(variance).x)
    assert found.value == pytest.approx(float(np.average(y - best * f, weights=w) + best * everything.mean()), abs=1e-6)
    share = scaled * (scaled - 1)
    n = share.sum() ** 2 / (share**2).sum()
    half = student.ppf(0.975, n - 2) * np.sqrt(variance(best) * n / (n - 2))
    assert found.high - found.value == pytest.approx(half, rel=1e-6)
    alone = weighted_mean_limits(y, f, w, everything, uses_model=False)
    assert alone.value == pytest.approx(np.average(y, weights=w))
    assert alone.high - alone.low > found.high - found.low


def test_shares_need_no_weights_where_the_model_s_answer_alone_decided_who_was_drawn() -> None:
    f, everything = np.repeat([0, 1], [40, 60]), np.repeat([0, 1], [900, 100])
    y = np.concatenate([np.repeat([1.0, 0], [4, 36]), np.repeat([1.0, 0], [45, 15])])
    w = np.where(f == 0, 22.5, 1.667)
    ours = weighted_share_limits(y, f, w, everything, is_finite=True)
    plain = share_limits(y, f, np.repeat([0, 1], [860, 40]), is_finite=True)
    assert ours.value == pytest.approx(0.9 * 0.1 + 0.1 * 0.75)
    assert (ours.low, ours.high) == pytest.approx((plain.low, plain.high), abs=0.003)


def test_a_small_category_in_which_chances_differ_is_no_stratum() -> None:
    """Seven units that the model calls 1 were drawn because they look so; those that do not may all be missing."""
    everything = np.repeat([0, 1], [990, 10])
    f, y = np.repeat([0, 1], [93, 7]), np.repeat([0.0, 1], [93, 7])
    w = np.concatenate([np.full(93, 10.6), np.linspace(1.0, 1.4, 7)])
    found = weighted_share_limits(y, f, w, everything, is_finite=True)
    apart = weighted_share_limits(y, f, np.concatenate([w[:93], np.full(7, 1.2)]), everything, is_finite=True)
    assert found.value == pytest.approx(np.average(y, weights=w))
    assert apart.value == pytest.approx(0.01)


def test_worth() -> None:
    assert worth(np.full(7, 3.0)) == pytest.approx(7)
    assert worth(np.array([1.0, 3.0])) == pytest.approx(1.6)
    assert worth(np.zeros(0)) == 0


@pytest.mark.parametrize(("how", "kind", "n"), [("by model", "mean", 100), ("by model", "share .10", 100),
                                                ("by answer", "mean", 100), ("by answer", "share .30", 100)])  # fmt: skip
def test_intervals_of_weighted_labels_hold_the_truth(how: str, kind: str, n: int) -> None:
    assert SCRIPT["coverage_of_weighted"](how, kind, n, 300, 3)[0] >= 0.91


def test_the_page_shows_what_the_script_prints() -> None:
    page = (ROOT / "docs" / "explanation" / "corrected-results.md").read_text("utf-8")
    assert len([line for line in page.splitlines() if line.startswith("| ")]) == 1 + len(SCRIPT["plan"]())
    row = SCRIPT["simulated"]("a population", "share .30", 50, SCRIPT["coverage"], 4_000)
    assert f"| a population | share .30 | 50 | {row.coverage:.3f} | {row.width:.2f} |" in page
    assert not row.is_bad(4_000)


def test_labels_taken_for_a_random_sample_do_not_hold_it() -> None:
    """What weights are for: without them the mean of labels drawn by people's answer is off."""
    random, hits = generator(3), 0
    for _ in range(60):
        y, f = SCRIPT["world"](random, "mean", 1000)
        chosen, _ = SCRIPT["drawn"](random, "by answer", "mean", y, f, 100)
        left = np.delete(f, chosen)
        ours, _ = SCRIPT["both"]("mean", y[chosen], f[chosen], left, is_finite=True)
        hits += ours.low <= y.mean() <= ours.high
    assert hits < 40


def files(folder: Path, *, weight: str = "{:g}") -> tuple[str, str]:
    """One person labels a part, with greater chance what the model calls toxic; the model labels all, in its own file."""
    random = generator(3)
    truth = random.random(MANY) < TRUTH
    machine = random.random(MANY) < np.where(truth, 0.75, 0.08)
    chance = np.where(machine, 0.5, 0.1)
    labelled = np.flatnonzero(random.random(MANY) < chance)
    words = np.array(["fine", "toxic"])
    rows = [f"u{u},ann,{words[int(truth[u])]},{weight.format(1 / chance[u])},{'ab'[u % 2]}" for u in labelled]
    people = write(folder / "people.csv", "\n".join(["unit,rater,label,weight,genre", *rows]) + "\n")
    said = [f"u{u},{words[int(machine[u])]}" for u in range(MANY)]
    return people, write(folder / "machine.csv", "\n".join(["unit,label", *said]) + "\n")


def test_one_person_s_weighted_labels_by_the_command(tmp_path: Path) -> None:
    people, machine = files(tmp_path)
    how = ["judges", people, "--model-file", machine, "--estimate", "share"]
    shown = run(*how, "--weights", "weight", "-o", str(tmp_path / "report.html"))
    text = " ".join(shown.output.split())
    assert shown.exit_code == 0
    assert "one person judged: whether a model may stand for a person cannot be said" in text
    assert "labelled units are worth" in text
    assert "not a random sample" not in text
    assert "a sample drawn with unequal chances (column weight" in (tmp_path / "report.html").read_text("utf-8")
    assert "not a random sample" in " ".join(run(*how).output.split())
    [one] = corrected(people, model_file=machine, weights="weight").estimates
    assert one.signature in shown.output
    assert "|weighted:weight|" in one.signature
    assert one.interval is not None
    assert one.interval.low < TRUTH < one.interval.high
    assert one.people_alone is not None
    assert abs(one.people_alone - TRUTH) < 0.05  # without weights about .3
    assert one.needed == ()
    assert verify(one.signature, people).matches
    assert run("verify", one.signature.replace("value:0.1", "value:0.2"), people).exit_code == 1
    with pytest.raises(InputError, match="one person judged; two or more are needed; one is enough for --estimate"):
        judges(people, model_file=machine)


def test_what_cannot_be_weighed_is_refused(tmp_path: Path) -> None:
    people, machine = files(tmp_path)
    how: dict[str, Any] = {"model_file": machine, "weights": "weight"}
    table = Path(people).read_text("utf-8")
    for cell, why in {",": "has no weight in", ",0,": "no number above 0", ",much,": "no number above 0"}.items():
        write(tmp_path / "wrong.csv", table.replace(",2,", f"{cell}," if cell == "," else cell))
        with pytest.raises(InputError, match=why):
            corrected(str(tmp_path / "wrong.csv"), **how)
    chances = write(tmp_path / "chances.csv", table.replace(",2,", ",0.5,").replace(",10,", ",0.1,"))
    with pytest.raises(InputError, match=r"are 0.5 at most, like chances of being drawn; give how many units"):
        corrected(chances, **how)
    with pytest.raises(InputError, match="there is no such column; did you mean 'weight'"):
        corrected(people, model_file=machine, weights="wieght")
    with pytest.raises(InputError, match="weights and beyond are for estimates"):
        judges(people, model_file=machine, weights="weight")
    with pytest.raises(InputError, match="units that machine answered have nothing in 'genre'"):
        corrected(people, model_file=machine, what="difference", group="genre")
    heavy = write(tmp_path / "heavy.csv", table.replace(",2,", ",2000,", 3))
    [one] = corrected(heavy, **how).estimates
    assert one.value is None
    assert "labelled with such unequal chances are worth" in str(one.reason)


def test_even_weights_are_none(tmp_path: Path) -> None:
    people, machine = files(tmp_path, weight="5")
    [even] = corrected(people, model_file=machine, weights="weight").estimates
    [none] = corrected(people, model_file=machine).estimates
    assert (even.value, even.interval) == (none.value, none.interval)


def test_a_population_beyond_and_weights_that_are_ratios(tmp_path: Path) -> None:
    people, machine = files(tmp_path)
    ratios = write(
        tmp_path / "ratios.csv", Path(people).read_text("utf-8").replace(",10,", ",1.5,").replace(",2,", ",0.3,")
    )
    [these] = corrected(people, model_file=machine, weights="weight").estimates
    [same] = corrected(ratios, model_file=machine, weights="weight").estimates
    assert same.value == pytest.approx(these.value)
    assert any("only their ratios are used" in note for note in same.notes)
    [beyond] = judges(people, model_file=machine, estimate="share", weights="weight", beyond=True).estimates
    assert beyond.interval is not None
    assert these.interval is not None
    assert beyond.interval.high - beyond.interval.low > these.interval.high - these.interval.low
    assert beyond.population == "a population that they were drawn from"
    assert verify(beyond.signature, people).matches
