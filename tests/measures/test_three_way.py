"""Variance components of units × raters × questions.

Complete designs against the analysis of variance (Brennan, R. L. (2001). Generalizability theory, ch. 3: expected mean
squares of p × r × i), any design against the likelihood written down with all judgements at once.
"""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from concordant import decide, measure, verify
from concordant.arrays import Floats
from concordant.engines.crossing import Crossing
from concordant.engines.tally import tally
from concordant.engines.views import Scores
from concordant.errors import InputError
from concordant.measures import three_way
from concordant.measures.three_way import TERMS, Blocks, crossed_reml, crossed_squares
from concordant.model.several_questions import crossed
from concordant.model.study import Study
from concordant.readers.data import as_study
from tests.cli.running import run

SIZES = (12, 4, 3)  # units, raters, questions


def answers(seed: int = 1, *, sizes: tuple[int, int, int] = SIZES, filled: float = 1.0) -> Floats:
    """Invented answers with all six components, NaN where nobody was asked."""
    random, (u, r, q) = np.random.default_rng(seed), sizes
    y = 2.0 * np.arange(q) + random.normal(0, 1.0, (u, 1, 1)) + random.normal(0, 0.5, (1, r, 1))
    y = y + random.normal(0, 0.6, (u, 1, q)) + random.normal(0, 0.4, (1, r, q)) + random.normal(0, 0.5, (u, r, 1))
    y = y + random.normal(0, 0.7, (u, r, q))
    return np.where(random.random(y.shape) < filled, y, np.nan)


def rows_of(y: Floats) -> list[dict[str, Any]]:
    return [
        {"unit": f"u{u}", "rater": f"J{r}", "question": f"q{q}", "value": float(y[u, r, q])}
        for u, r, q in np.argwhere(~np.isnan(y)).tolist()
    ]


def written(y: Floats, path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ["unit", "rater", "question", "value"])
        table.writeheader()
        table.writerows(rows_of(y))
    return path


def view(y: Floats, tmp_path: Path) -> tuple[Scores, Crossing]:
    study = as_study(str(written(y, tmp_path / "answers.csv")), level="interval")
    scores = tally(crossed(study).judgements()).scores
    assert scores.crossing is not None
    return scores, scores.crossing


def of_variance(y: Floats) -> dict[str, float]:
    """The components of the mean squares of a complete design, by hand."""
    u, r, q = y.shape
    m, mu, mr, mq = y.mean(), y.mean((1, 2)), y.mean((0, 2)), y.mean((0, 1))
    uq, ur, rq = y.mean(1), y.mean(2), y.mean(0)
    of_u, of_r = r * q * ((mu - m) ** 2).sum() / (u - 1), u * q * ((mr - m) ** 2).sum() / (r - 1)
    of_uq = r * ((uq - mu[:, None] - mq + m) ** 2).sum() / ((u - 1) * (q - 1))
    of_ur = q * ((ur - mu[:, None] - mr + m) ** 2).sum() / ((u - 1) * (r - 1))
    of_rq = u * ((rq - mr[:, None] - mq + m) ** 2).sum() / ((r - 1) * (q - 1))
    left = y - uq[:, None, :] - ur[:, :, None] - rq + mu[:, None, None] + mr[:, None] + mq - m
    rest = (left**2).sum() / ((u - 1) * (r - 1) * (q - 1))
    return {
        "units": (of_u - of_uq - of_ur + rest) / (r * q),
        "raters": (of_r - of_rq - of_ur + rest) / (u * q),
        "unit_questions": (of_uq - rest) / r,
        "rater_questions": (of_rq - rest) / u,
        "unit_raters": (of_ur - rest) / q,
        "rest": rest,
    }


def test_complete_designs_have_the_components_of_the_analysis_of_variance(tmp_path: Path) -> None:
    y = answers(2)
    data, crossing = view(y, tmp_path)
    wanted, squares = of_variance(y), crossed_squares(data, crossing)
    assert min(wanted.values()) > 0
    u, r, q = SIZES
    free = [u - 1, r - 1, (u - 1) * (q - 1), (r - 1) * (q - 1), (u - 1) * (r - 1), (u - 1) * (r - 1) * (q - 1)]
    assert squares.free == pytest.approx(free)
    likely = crossed_reml(data, crossing)
    for name in TERMS:
        assert float(getattr(squares.components(), name)) == pytest.approx(wanted[name], rel=1e-9)
        assert float(getattr(likely, name)) == pytest.approx(wanted[name], rel=1e-5)


def likelihood(y: Floats, variances: Floats) -> float:
    """-2 · the restricted log-likelihood with the covariances of all judgements in one matrix."""
    cells = np.argwhere(~np.isnan(y))
    same = cells[:, None, :] == cells[None, :, :]
    unit, rater, question = (same[:, :, i].astype(float) for i in range(3))
    parts = [unit, rater, unit * question, rater * question, unit * rater, np.eye(len(cells))]
    cov = sum(variance * part for variance, part in zip(variances, parts, strict=True))
    asked, said = np.eye(y.shape[2])[cells[:, 2]], y[tuple(cells.T)]
    inverse = np.linalg.inv(cov)
    inner = asked.T @ inverse @ asked
    off = said - asked @ np.linalg.solve(inner, asked.T @ inverse @ said)
    left = len(said) - asked.shape[1]
    logs = np.linalg.slogdet(cov)[1] + np.linalg.slogdet(inner)[1]
    return float(left * np.log(2 * np.pi) + logs + off @ inverse @ off)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_in_holes_components_are_the_most_likely(seed: int, tmp_path: Path) -> None:
    y = answers(seed, filled=0.6)
    data, crossing = view(y, tmp_path)
    found = crossed_reml(data, crossing)
    assert found is not None
    variances = np.array([float(getattr(found, name)) for name in TERMS])
    ours = likelihood(y, variances)
    order = np.array([0, 2, 4, 1, 3])  # as the equations have them: those of units, then those of raters
    criterion, rest = Blocks(data, crossing).solve(np.arcsinh(np.sqrt(variances[:-1] / variances[-1]))[order])
    assert criterion == pytest.approx(ours, abs=1e-6)
    assert rest == pytest.approx(variances[-1], rel=1e-6)
    how: dict[str, Any] = {"method": "BFGS"}

    def criterion_at(roots: Floats) -> float:
        return likelihood(y, roots**2 + 1e-12)

    theirs = minimize(criterion_at, np.full(6, 0.5), **how)
    assert ours <= theirs.fun + 1e-6
    assert variances == pytest.approx(theirs.x**2, abs=2e-3)


def test_squares_in_holes_hold_what_they_say(tmp_path: Path) -> None:
    """On average over many draws of the answers, with the same holes."""
    holes, random = np.isnan(answers(5, filled=0.6)), np.random.default_rng(1)
    total, drawn = np.zeros(6), 60
    true = np.array([1.0, 0.25, 0.36, 0.16, 0.25, 0.49])
    squares = None
    for _ in range(drawn):
        data, crossing = view(np.where(holes, np.nan, answers(int(random.integers(1 << 30)))), tmp_path)
        squares = crossed_squares(data, crossing)
        total += squares.squares
    assert squares is not None
    mean, wanted = total / drawn, squares.holds @ true
    error = wanted * np.sqrt(2 / squares.free / drawn)
    assert np.abs(mean - wanted) == pytest.approx(0, abs=float((4 * error).max()))
    assert (np.abs(mean - wanted) < 4.5 * error).all()


def test_two_questions_that_are_one_twice_are_units_and_raters(tmp_path: Path) -> None:
    """A question asked twice with the same answers: no component of questions, the dependability of one of them."""
    one = answers(4)[:, :, :1]
    file = written(np.concatenate([one, one + 5], axis=2), tmp_path / "twice.csv")
    both = measure(str(file), "dependability", crossed=True, level="interval", seed=1)
    alone = measure(str(file), "dependability", level="interval", seed=1, where={"question": ["q0"]})
    assert both.details["components"]["unit_questions"] == pytest.approx(0, abs=1e-9)
    assert both.value == pytest.approx(alone.value, abs=1e-6)


def test_a_coefficient_from_the_front_door_to_verify(tmp_path: Path) -> None:
    file = str(written(answers(filled=0.7), tmp_path / "answers.csv"))
    results = measure(file, crossed=True, level="interval", seed=3)
    assert [one.measure for one in results] == ["dependability", "generalizability"]
    first, second = results
    part = first.details["components"]
    true = part["units"] + part["unit_questions"] / 3
    noise = part["unit_raters"] + part["rest"] / 3
    level = part["raters"] + part["rater_questions"] / 3
    assert first.value == pytest.approx(true / (true + noise + level))
    assert second.value == pytest.approx(true / (true + noise))
    assert first.details["for_other_questions"] == pytest.approx(part["units"] / (true + noise + level))
    assert first.details["standard_error_of_measurement"] == pytest.approx(np.sqrt(noise + level))
    shares = {name: round(100 * each / sum(part.values())) for name, each in part.items()}
    said = ", ".join(f"{name.replace('_', ' × ')} {share} %" for name, share in shares.items())
    error = first.details["standard_error_of_measurement"]
    assert f"variance of one judgement: {said}; standard error of measurement {error:.3f}" in first.notes
    assert first.name == "Dependability of one rater, 3 questions"
    assert (first.n_raters, first.raters) == (4, ("J0", "J1", "J2", "J3"))
    assert first.interval is not None
    assert first.interval.low < first.value < first.interval.high
    assert "from.crossed:yes" in first.signature
    assert verify(first.signature, file).matches
    three = measure(file, "dependability", crossed=True, level="interval", seed=3, k=3)
    assert three.value == pytest.approx(true / (true + (noise + level) / 3))
    assert three.name == "Dependability of the mean of 3 raters, 3 questions"


def test_order_and_names_of_rows_do_not_matter(tmp_path: Path) -> None:
    y = answers(filled=0.7)
    plain, turned = (
        measure(str(written(each, tmp_path / name)), "dependability", crossed=True, level="interval", seed=3)
        for each, name in ((y, "plain.csv"), (y[::-1], "turned.csv"))
    )
    assert turned.value == pytest.approx(plain.value, abs=1e-9)
    assert (turned.interval.low, turned.interval.high) == pytest.approx((plain.interval.low, plain.interval.high))


def test_heavy_units_widen_the_interval(tmp_path: Path) -> None:
    data, crossing = view(answers(sizes=(30, 4, 3)), tmp_path)
    squares = crossed_squares(data, crossing)
    spread = [
        np.ptp(np.quantile(replace(squares, heavy=heavy).draws(np.random.default_rng(1), 4000).units, [0.025, 0.975]))
        for heavy in (0.0, 3.0)
    ]
    assert spread[1] > 1.2 * spread[0]
    for heavy in (0.0, 3.0):  # 2 / (2 / (n - 1) + g / n) degrees of freedom, by hand
        free = np.array([2 / (2 / 29 + heavy / 30), *squares.free[1:]])
        chance = np.random.default_rng(2).chisquare(free, (5, 6)) / free
        wanted = np.linalg.solve(squares.holds / squares.free[:, None], (squares.squares / squares.free / chance).T)
        drawn = replace(squares, heavy=heavy).draws(np.random.default_rng(2), 5)
        assert drawn.units == pytest.approx(np.maximum(wanted[0], 0))


@pytest.mark.parametrize(
    ("y", "reason"),
    [
        (np.ones((5, 3, 2)), "all scores are the same"),
        (answers(sizes=(6, 1, 3)), "only one rater"),
        (answers(sizes=(1, 4, 3)), "only one unit"),
        (np.where(np.arange(6)[:, None, None] % 3 == np.arange(3), answers(sizes=(6, 4, 3)), np.nan), "only one unit|too few|no unit"),
    ],
    ids=["equal", "one rater", "one unit", "a question each"],
)  # fmt: skip
def test_what_cannot_be_told_apart_has_a_reason(y: Floats, reason: str, tmp_path: Path) -> None:
    result = measure(str(written(y, tmp_path / "few.csv")), "dependability", crossed=True, level="interval", seed=1)
    assert result.value is None
    assert result.interval is None
    assert any(words in result.reason for words in reason.split("|"))


def test_designs_that_fall_apart_say_so(tmp_path: Path) -> None:
    y = answers(sizes=(12, 6, 2))
    y[:6, 3:], y[6:, :3] = np.nan, np.nan
    result = measure(str(written(y, tmp_path / "apart.csv")), "dependability", crossed=True, level="interval", seed=1)
    assert "2 parts that share no rater" in str(result.reason)


def test_raters_who_differ_in_level_alone_are_perfectly_relative(tmp_path: Path) -> None:
    y = answers(sizes=(10, 1, 3)) + np.arange(3)[None, :, None]
    result = measure(
        str(written(y, tmp_path / "level.csv")), "generalizability", crossed=True, level="interval", seed=1
    )
    assert result.value == pytest.approx(1)
    assert result.interval is None
    assert any("not certainty" in note for note in result.notes)


def test_what_cannot_be_asked_together_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    y = answers()
    file = str(written(y, tmp_path / "answers.csv"))
    for other in ({"pool": True}, {"as_one": True}, {"pairs": True}, {"group": "a=J0,J1"}, {"permutations": 9}):
        given = {"group": {"a": ["J0", "J1"]}} if "group" in other else other
        with pytest.raises(InputError, match="not both"):
            measure(file, "dependability", crossed=True, level="interval", **given)
    with pytest.raises(InputError, match="in memory"):
        measure([[1, 2], [2, 1]], "dependability", crossed=True)
    assert "raters × questions" in str(measure(file, "alpha", crossed=True, level="interval").reason)
    shown = measure(file, "dependability", crossed=True, level="interval", ci="bootstrap")
    assert shown.interval is None
    assert any("pivots only" in note for note in shown.notes)
    with pytest.raises(InputError, match="random pairs are of raters"):
        measure(file, "dependability", crossed=True, level="interval", ci="pairs")
    monkeypatch.setattr(three_way, "MOST_CELLS", 5)
    with pytest.raises(InputError, match="are more than 5"):
        measure(file, "dependability", crossed=True, level="interval")


def study(rows: list[tuple[str, str, str, str]], **how: Any) -> Study:
    names = ("unit", "rater", "question", "value")
    return as_study(pd.DataFrame(dict(zip(names, zip(*rows, strict=True), strict=True))), **how)


def test_questions_that_cannot_be_crossed_are_named() -> None:
    with pytest.raises(InputError, match="nothing to cross"):
        crossed(study([("a", "J", "q", "1"), ("b", "J", "q", "2")]))
    words = [("a", "J", "clear", "1"), ("b", "J", "clear", "2"), ("a", "J", "kind", "x"), ("b", "J", "kind", "y")]
    with pytest.raises(InputError, match="nominal, and variances are of numbers"):
        crossed(study(words))
    odd = [("a", "J · x", "y", "1"), ("b", "J", "x · y", "2"), ("b", "J · x", "y", "3"), ("a", "J", "x · y", "3")]
    with pytest.raises(InputError, match="rename them"):
        crossed(study(odd, level="interval"))


def test_units_that_belong_together_have_no_interval(tmp_path: Path) -> None:
    rows = [{**row, "item": f"i{int(row['unit'][1:]) // 2}"} for row in rows_of(answers())]
    file = tmp_path / "items.csv"
    with file.open("w", encoding="utf-8", newline="") as to:
        table = csv.DictWriter(to, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    result = measure(str(file), "dependability", crossed=True, level="interval", cluster="item", attributes=["item"])
    assert result.interval is None
    assert any("draw every unit alone" in note for note in result.notes)
    with pytest.raises(InputError, match="units that stand alone"):
        decide(str(file), crossed=True, level="interval", cluster="item", attributes=["item"])


def test_the_commands(tmp_path: Path) -> None:
    file = written(answers(sizes=(30, 4, 3), filled=0.8), tmp_path / "rubric.csv")
    shown = run("measure", file, "--crossed", "--level", "interval", "--seed", "1").stdout
    assert "Dependability of one rater, 3" in shown
    assert "variance of one judgement: units " in shown
    assert "30 units × 4 raters, 3 questions" in shown
    words = ("planning", file, "--level", "interval", "--goal", "dependability=.8", "--seed", "1")
    assert "--crossed" in run(*words, code=2).stderr
    found = json.loads(run(*words, "--crossed", "--per-unit", "1,4", "--sizes", "30,60", "--json").stdout)
    one = measure(str(file), "dependability", crossed=True, level="interval", seed=1)
    assert found["rows"][0]["reliability"] == pytest.approx(one.value)
    assert found["rows"][0]["low"] == pytest.approx(one.interval.low)
    assert found["rows"][0]["width"] > found["rows"][2]["width"]
    assert found["now_raters"] == pytest.approx(one.n_judgements / 30 / 3)
    assert decide(str(file), crossed=True, level="interval", seed=1).measure == "dependability"
    assert run(
        "planning", file, "--level", "interval", "--crossed", "--measure", "alpha", "--width", ".1", code=2
    ).stderr


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "filled"), [((30, 4, 3), 1.0), ((40, 5, 4), 0.6)], ids=["complete", "holes"])
def test_intervals_cover(sizes: tuple[int, int, int], filled: float, tmp_path: Path) -> None:
    """Of 300 studies like these at least 92 % of the 95 % intervals hold the true dependability."""
    q, covered = sizes[2], 0
    true, noise = 1.0 + 0.36 / q, 0.25 + 0.16 / q + 0.25 + 0.49 / q
    for seed in range(300):
        data, crossing = view(answers(seed, sizes=sizes, filled=filled), tmp_path)
        drawn = crossed_squares(data, crossing).draws(np.random.default_rng(seed), 2000).reliability()
        low, high = np.quantile(drawn, [0.025, 0.975])
        covered += bool(low <= true / (true + noise) <= high)
    assert covered >= 0.92 * 300
