"""The options of the alternative annotator test, slices, lengths and places, computed again from rows with scipy."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control, linregress, rankdata, ttest_1samp, ttest_ind, wilcoxon

from concordant.judging.judge import judges
from concordant.randomness import generator

EPSILON = 0.1
Rows = list[tuple[int, str, int]]


def drawn(seed: int, *, units: int = 90, most: int = 5) -> Rows:
    """Four people and a model; everybody judged other units, and some are more severe."""
    random = generator(seed)
    truth, rows = random.integers(1, most + 1, units), list[tuple[int, str, int]]()
    for place, name in enumerate("abcdm"):
        for u in range(units):
            if name == "m" or random.random() < 0.8:
                said = truth[u] + int(random.integers(-1, 2)) - (place == 2)
                rows.append((u, name, int(np.clip(said, 1, most))))
    return rows


def as_data(rows: Rows, **columns: Callable[[int], Any]) -> dict[str, list[Any]]:
    data: dict[str, list[Any]] = {"unit": [f"u{u}" for u, _, _ in rows], "rater": [r for _, r, _ in rows]}
    data["value"] = [str(v) for _, _, v in rows]
    return data | {name: [str(of(u)) for u, _, _ in rows] for name, of in columns.items()}


def nearer(answers: dict[str, dict[int, float]], person: str, unit: int, others: Sequence[str]) -> float:
    """1 where the person stands nearer to the others than the model does, -1 where the model does: root mean square."""
    theirs = np.array([answers[o][unit] for o in others])
    mine, machine = (np.sqrt(np.mean((theirs - answers[r][unit]) ** 2)) for r in (person, "m"))
    return 0.0 if abs(mine - machine) < 1e-9 else float(np.sign(machine - mine))


def by_person(rows: Rows, turn: Callable[[np.ndarray], np.ndarray], expert: str = "") -> dict[str, dict[int, float]]:
    """d of every person and unit, all others or one expert being the measure; `turn` is done to everybody's answers."""
    answers: dict[str, dict[int, float]] = {}
    for name in "abcdm":
        mine = [(u, v) for u, r, v in rows if r == name]
        turned = turn(np.array([float(v) for _, v in mine]))
        answers[name] = dict(zip([u for u, _ in mine], turned.tolist(), strict=True))
    found: dict[str, dict[int, float]] = {}
    for person in "abcd":
        found[person] = {}
        for u in answers[person]:
            others = [o for o in ([expert] if expert else "abcd") if o != person and u in answers[o]]
            if others and person != expert:
                found[person][u] = nearer(answers, person, u, others)
    return {person: d for person, d in found.items() if d}


def plain(x: np.ndarray) -> np.ndarray:
    return x


def standard(x: np.ndarray) -> np.ndarray:
    return np.asarray((x - x.mean()) / x.std())


@pytest.mark.parametrize(
    ("turn", "how"),
    [
        (plain, {}),
        (rankdata, {"ranks": True}),
        (lambda x: rankdata(x) / len(x), {"ranks": True}),
        (standard, {"standardise": True}),
        (plain, {"expert": "b"}),
    ],
    ids=["as they are", "ranks", "ranks as shares", "standard scores", "one expert"],
)
def test_the_test_by_hand(turn: Callable[[np.ndarray], np.ndarray], how: dict[str, Any]) -> None:
    rows = drawn(1)
    if turn is rankdata:  # only where everybody judged everything are ranks and shares of them one scale
        complete = {u for u in range(90) if sum(1 for row in rows if row[0] == u) == 5}
        rows = [row for row in rows if row[0] in complete]
    [one] = judges(as_data(rows), models=["m"], level="interval", epsilon=EPSILON, resamples=100, **how).judges
    wanted = by_person(rows, turn, how.get("expert", ""))
    assert [each.rater for each in one.alt_test.humans] == list(wanted)
    for each in one.alt_test.humans:
        d = np.array(list(wanted[each.rater].values()))
        assert each.n_units == len(d)
        assert each.difference == pytest.approx(d.mean())
        assert each.advantage == pytest.approx((d <= 0).mean())
        assert each.p == pytest.approx(ttest_1samp(d, EPSILON, alternative="less").pvalue)


def test_below_thirty_units_it_is_wilcoxon_s_test() -> None:
    rows = drawn(2, units=24)
    [one] = judges(as_data(rows), models=["m"], level="interval", epsilon=EPSILON, least=10, resamples=100).judges
    wanted = by_person(rows, plain)
    assert [each.rater for each in one.alt_test.humans] == list("abcd")
    for each in one.alt_test.humans:
        d = np.array(list(wanted[each.rater].values()))
        assert len(d) < 30
        assert each.p == pytest.approx(wilcoxon(d - EPSILON, alternative="less").pvalue)


def test_clusters_are_tested_by_their_means() -> None:
    rows = drawn(3, units=200)
    data = as_data(rows, text=lambda u: u // 5)
    [one] = judges(data, models=["m"], level="interval", epsilon=EPSILON, cluster="text", resamples=100).judges
    for each in one.alt_test.humans:
        d = by_person(rows, plain)[each.rater]
        means = [np.mean([v for u, v in d.items() if u // 5 == c]) for c in sorted({u // 5 for u in d})]
        assert each.p == pytest.approx(ttest_1samp(means, EPSILON, alternative="less").pvalue)


def residuals(rows: Rows) -> dict[int, float]:
    """The model's answer less the mean of people's."""
    people = {u: [v for w, r, v in rows if w == u and r != "m"] for u, r, _ in rows if r == "m"}
    return {u: v - float(np.mean(people[u])) for u, r, v in rows if r == "m" and people[u]}


def test_slices_are_welch_s_tests_corrected_together() -> None:
    rows = drawn(4, units=160)
    data = as_data(rows, genre=lambda u: "xyz"[u % 3], side=lambda u: "lr"[u % 2])
    [one] = judges(data, models=["m"], level="interval", epsilon=EPSILON, by=["genre", "side"], resamples=100).judges
    r = residuals(rows)
    wanted = []
    columns: dict[str, Callable[[int], str]] = {"genre": lambda u: "xyz"[u % 3], "side": lambda u: "lr"[u % 2]}
    for column, of in columns.items():
        for each in [each for each in one.slices if each.column == column]:
            inside, outside = ([v for u, v in r.items() if (of(u) == each.value) is is_in] for is_in in (True, False))
            test = ttest_ind(inside, outside, equal_var=False)
            low, high = test.confidence_interval()
            assert (each.n_units, each.mean) == pytest.approx((len(inside), np.mean(inside)))
            assert (each.contrast, each.low, each.high) == pytest.approx(
                (np.mean(inside) - np.mean(outside), low, high)
            )
            assert each.p == pytest.approx(test.pvalue)
            wanted.append(test.pvalue)
    assert len(wanted) == 5
    assert [each.p_corrected for each in one.slices] == pytest.approx(false_discovery_control(wanted).tolist())


def test_a_few_units_of_a_slice_are_shown_and_not_tested() -> None:
    rows = drawn(5, units=100)
    data = as_data(rows, rare=lambda u: "few" if u < 12 else "many")
    [one] = judges(data, models=["m"], level="interval", epsilon=EPSILON, by="rare", resamples=100).judges
    few = next(each for each in one.slices if each.value == "few")
    assert (few.n_units, few.p, few.contrast) == (12, None, None)
    assert few.mean == pytest.approx(np.mean([v for u, v in residuals(rows).items() if u < 12]))


def test_the_slope_on_length() -> None:
    rows = drawn(6, units=120)
    data = as_data(rows, words=lambda u: 20 + (u * 37) % 211)
    [one] = judges(data, models=["m"], level="interval", epsilon=EPSILON, length="words", resamples=100).judges
    [slope] = one.slices
    r = residuals(rows)
    x = np.log([20 + (u * 37) % 211 for u in r])
    found = linregress((x - x.mean()) / x.std(ddof=1), list(r.values()))
    assert (slope.contrast, slope.p) == pytest.approx((found.slope, found.pvalue))


def test_places_are_a_test_over_units() -> None:
    random = generator(7)
    rows = [(u, r, str(random.choice(["A", "B"])), "AB"[int(random.integers(2))]) for u in range(60) for r in "abm"]
    data = {name: [str(row[i]) for row in rows] for i, name in enumerate(("unit", "rater", "value", "first"))}
    [one] = judges(data, models=["m"], epsilon=EPSILON, position="first", resamples=100).judges
    found = one.position
    assert found is not None
    hits = {(u, r): said == first for u, r, said, first in rows}
    apart = [hits[u, "m"] - (hits[u, "a"] + hits[u, "b"]) / 2 for u in range(60)]
    test = ttest_1samp(apart, 0)
    low, high = test.confidence_interval()
    assert (found.difference, found.low, found.high) == pytest.approx((np.mean(apart), low, high))
    assert found.p == pytest.approx(test.pvalue)


def test_own_texts_are_a_slice_against_the_others() -> None:
    rows = drawn(8, units=150)
    data = as_data(rows, writer=lambda u: "M-2" if u % 3 == 0 else "ann")
    [one] = judges(
        data, models=["m"], level="interval", epsilon=EPSILON, author="writer", own="m*", resamples=100
    ).judges
    [own] = one.slices
    r = residuals(rows)
    test = ttest_ind([v for u, v in r.items() if u % 3 == 0], [v for u, v in r.items() if u % 3], equal_var=False)
    assert own.p == pytest.approx(test.pvalue)


def alpha(runs: np.ndarray) -> float:
    """Krippendorff's alpha of complete numbers, a row for each unit: 1 - within / expected."""
    n = runs.shape[1]
    within = sum(((row[:, None] - row[None, :]) ** 2).sum() / (n - 1) for row in runs) / runs.size
    every = runs.reshape(-1)
    expected = ((every[:, None] - every[None, :]) ** 2).sum() / (runs.size * (runs.size - 1))
    return float(1 - within / expected)


def test_runs_by_hand() -> None:
    random, rows = generator(9), [row for row in drawn(9) if row[1] != "m"]
    runs = random.integers(1, 6, (90, 1)) + (random.random((90, 3)) < 0.2)
    data = as_data(rows)
    data["run"] = [""] * len(rows)
    for run in range(3):
        for u in range(90):
            for name, cell in {"unit": f"u{u}", "rater": "m", "value": str(runs[u, run]), "run": str(run + 1)}.items():
                data[name].append(cell)
    scale = [str(v) for v in range(1, 7)]
    [one] = judges(data, models=["m"], level="interval", categories=scale, epsilon=EPSILON, resamples=100).judges
    found = one.stability
    assert found is not None
    assert found.n_runs == 3
    assert found.alpha == pytest.approx(alpha(runs.astype(float)))
    assert found.changed == pytest.approx((runs != runs[:, :1]).any(axis=1).mean())
