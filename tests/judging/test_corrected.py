"""Results corrected by people's labels: golden numbers of labels, coverage, what is refused and what is said."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import concordant as cc
from concordant.errors import InputError
from concordant.judging.corrected import corrected
from concordant.judging.predicted import labels_needed, mean_limits, share_limits
from concordant.randomness import generator
from tests.cli.test_gold_commands import run, write

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "coverage_of_corrected.py"))
coverage, difference_coverage = SCRIPT["coverage"], SCRIPT["difference_coverage"]


@pytest.mark.parametrize(("rho", "n"), [(0.5, 676), (0.7, 462), (0.8, 327), (0.9, 173)])
def test_how_many_labels_suffice(rho: float, n: int) -> None:
    assert labels_needed(0.03, 0.21**0.5, rho, 50_000) == (897, n)


@pytest.mark.parametrize("kind", ["mean", "share .30", "share .03"])
def test_intervals_hold_the_truth(kind: str) -> None:
    found, _ = coverage(kind, 100, 300, 3)
    assert 0.91 <= found <= 0.985


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mean", "share .30", "share .10", "share .03", "useless"])
def test_intervals_hold_the_truth_a_thousand_times(kind: str) -> None:
    for n in (100, 200, 400):
        assert 0.925 <= coverage(kind, n, 1000, 11)[0] <= 0.975


def test_differences_hold_the_truth() -> None:
    assert 0.91 <= difference_coverage(300, 3) <= 0.985


def test_several_people_a_unit_are_worth_more_and_the_truth_is_still_held() -> None:
    """Units differ in the share of people who say yes; three people each. As yes and no, 99 % would be held."""
    random, hits, widths = generator(4), 0, []

    def drawn(n: int) -> tuple[np.ndarray, np.ndarray]:
        share = random.beta(0.6, 1.4, n)
        says = random.random(n) < np.where(random.random(n) < share, 0.8, 0.1)
        return random.binomial(3, share) / 3, says.astype(int)

    for _ in range(400):
        (y, f), (_, rest) = drawn(200), drawn(2000)
        found, plain = share_limits(y, f, rest, people=3), share_limits(y, f, rest)
        hits += found.low <= 0.3 <= found.high
        widths.append((found.high - found.low) / (plain.high - plain.low))
    assert 0.92 <= hits / 400 <= 0.98
    assert np.mean(widths) < 0.9


def test_labels_that_suffice_are_told_for_the_correlation_that_was_seen(tmp_path: Path) -> None:
    [one] = corrected(study(), models=["m"]).estimates
    assert one.correlation is not None
    assert one.correlation_interval is not None
    assert one.correlation_interval.low < one.correlation < one.correlation_interval.high
    assert [each.half for each in one.needed] == [0.05, 0.03, 0.02]
    for each in one.needed:
        assert each.low <= each.labels <= each.high <= each.alone
    assert one.interval is not None
    now = (one.interval.high - one.interval.low) / 2
    near = min(one.needed, key=lambda each: abs(each.half - now))
    assert (near.labels > one.n_labelled) == (near.half < now)
    [two] = corrected(study(), models=["m"], what="difference", group="side").estimates
    assert two.needed == ()
    data = study()
    file = write(
        tmp_path / "d.csv", "\n".join([",".join(data), *map(",".join, zip(*data.values(), strict=True))]) + "\n"
    )
    shown = " ".join(run("judges", file, "--models", "m", "--estimate", "share").output.split())
    assert "Labelled units that suffice" in shown
    assert "corrected figures are about these units, of which those labelled by people are taken for a random" in shown


def test_doubts_about_the_labelled_units_are_said_by_the_command() -> None:
    data = study()
    for i, (unit, rater) in enumerate(zip(data["unit"], data["rater"], strict=True)):
        if rater == "m" and int(unit[1:]) < 100:
            data["value"][i] = "yes"
    notes = cc.judges(data, ["m"], estimate="share").notes
    assert any(note.startswith("m: the labelled units are not a random sample") for note in notes)


def study(n: int = 100, rest: int = 900, *, lenient: float = 0.2, seed: int = 2) -> dict[str, list[str]]:
    """People label a random part; the model says yes too often on all."""
    random = generator(seed)
    truth = random.random(n + rest) < 0.3
    machine = truth | (random.random(n + rest) < lenient)
    rows = [(f"u{u}", "m", "yes" if machine[u] else "no", "ab"[u % 2]) for u in range(n + rest)]
    rows += [(f"u{u}", rater, "yes" if truth[u] else "no", "ab"[u % 2]) for rater in ("h1", "h2") for u in range(n)]
    return dict(zip(("unit", "rater", "value", "side"), map(list, zip(*rows, strict=True)), strict=True))


def test_a_lenient_model_is_corrected() -> None:
    [one] = corrected(study(), models=["m"]).estimates
    assert one.what == "share"
    assert one.of == "yes"
    assert one.model_alone is not None
    assert one.model_alone > 0.4
    assert one.interval is not None
    assert one.people_interval is not None
    assert one.interval.low < 0.3 < one.interval.high
    assert one.interval.high - one.interval.low < one.people_interval.high - one.people_interval.low
    assert (one.n_labelled, one.n_all) == (100, 1000)
    assert one.population == "these units"
    [beyond] = corrected(study(), models=["m"], beyond=True).estimates
    assert beyond.interval is not None
    assert beyond.interval.high - beyond.interval.low > one.interval.high - one.interval.low
    assert "share of yes" in repr(corrected(study(), models=["m"]))
    assert len(corrected(study(), models=["m"]).to_frame()) == 1


def test_the_model_may_have_a_file_of_its_own(tmp_path: Path) -> None:
    whole = study()
    rows = list(zip(*whole.values(), strict=True))
    people = [row for row in rows if row[1] != "m" or int(row[0][1:]) < 100]
    machine = [row for row in rows if row[1] == "m"]

    def file(name: str, rows: list[tuple[str, ...]]) -> str:
        return write(tmp_path / name, "\n".join([",".join(whole), *map(",".join, rows)]) + "\n")

    apart = corrected(file("people.csv", people), file("all.csv", machine), models=["m"])
    assert apart.estimates[0].value == corrected(whole, models=["m"]).estimates[0].value
    with pytest.raises(InputError, match="'h1' is a person and has judgements among all units"):
        corrected(file("people.csv", people), file("people.csv", people), models=["m"])


def test_differences_of_two_groups() -> None:
    [one] = corrected(study(), models=["m"], what="difference", group="side").estimates
    assert one.of == "yes: a - b"
    assert one.interval is not None
    assert one.interval.low < 0 < one.interval.high
    for wrong, why in {"unit": "'unit' is not an attribute", "rater": "'rater' is not an attribute"}.items():
        with pytest.raises(InputError, match=why):
            corrected(study(), models=["m"], what="difference", group=wrong)
    with pytest.raises(InputError, match="a difference needs the column of two groups"):
        corrected(study(), models=["m"], what="difference")


def test_means() -> None:
    data = study()
    data["value"] = ["2" if value == "yes" else "1" for value in data["value"]]
    [one] = corrected(data, models=["m"], what="mean", level="interval").estimates
    assert one.interval is not None
    assert one.interval.low < 1.3 < one.interval.high
    assert one.correlation is not None
    with pytest.raises(InputError, match="a nominal scale has no mean"):
        corrected(study(), models=["m"], what="mean")
    with pytest.raises(InputError, match="unknown estimate 'median'"):
        corrected(study(), models=["m"], what="median")
    with pytest.raises(InputError, match="there is no category 'maybe'"):
        corrected(study(), models=["m"], category="maybe")


def test_too_few_labels_and_no_random_sample() -> None:
    [one] = corrected(study(n=20), models=["m"]).estimates
    assert one.value is None
    assert one.reason == "20 units labelled by people; from 30 on there is an estimate"
    data = study()
    first = [
        i
        for i, (unit, rater) in enumerate(zip(data["unit"], data["rater"], strict=True))
        if rater == "m" and int(unit[1:]) < 100
    ]
    for i in first:
        data["value"][i] = "yes"
    [biased] = corrected(data, models=["m"]).estimates
    assert biased.notes[0].startswith("the labelled units are not a random sample")
    assert biased.notes[1] == "fewer than 5 labelled units where the model says no"


def test_on_the_command_line(tmp_path: Path) -> None:
    data = study()
    file = write(
        tmp_path / "d.csv", "\n".join([",".join(data), *map(",".join, zip(*data.values(), strict=True))]) + "\n"
    )
    shown = run("judges", file, "--models", "m", "--estimate", "share")
    assert "Results corrected by people's labels" in shown.output
    assert cc.corrected(file, models=["m"]).estimates[0].judge == "m"


def test_no_rest_is_people_alone() -> None:
    y, f = np.array([1.0, 0, 1, 0] * 20), np.array([1.0, 0, 0, 0] * 20)
    assert mean_limits(y, f, np.zeros(0), is_finite=True).low == pytest.approx(0.5)
    assert mean_limits(y, f, np.zeros(0)).value == pytest.approx(0.5)
    assert share_limits(y, f.astype(int), np.array([2])).value > 0.4
