"""Severity by a Rasch model: published and simulated figures, disconnected designs, misfits, fair averages, signatures."""

import csv
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import concordant as cc
from concordant.errors import InputError
from concordant.judging.rasch import Answers, Objective, chance_of_infit, errors, even_nodes, fit, misfits
from concordant.randomness import generator
from tests.cli.test_gold_commands import run, write

CEBAB, DICES = "alttest/cebab_stars.csv", "dices/dices_350_crowdsourced.csv"


def drawn(
    seed: int, *, units: int = 600, raters: int = 12, each: int = 3, size: int = 5, careless: int = 0
) -> tuple[Answers, NDArray[np.float64]]:
    """Answers from the model itself; the first raters answer at random. And the true severities."""
    random = generator(seed)
    theta, severity = random.normal(0.3, 1.3, units), random.normal(0, 0.6, raters)
    severity -= severity.mean()
    tau = np.linspace(-1.5, 1.5, size - 1) if size > 2 else np.zeros(1)
    rater = np.argsort(random.random((units, raters)), axis=1)[:, :each].ravel()
    unit = np.repeat(np.arange(units), each)
    logit = np.arange(size) * (theta[unit] - severity[rater])[:, None] - np.append(0, np.cumsum(tau))
    chance = np.exp(logit).cumsum(axis=1)
    value = (random.random(len(unit))[:, None] * chance[:, -1:] > chance).sum(axis=1)
    value = np.where(rater < careless, random.integers(0, size, len(unit)), value)
    made = Answers(
        unit=unit, rater=rater, question=np.zeros_like(unit), value=value,
        n_units=units, n_raters=raters, n_questions=1, size=size,
    )  # fmt: skip
    return made, severity


def as_table(made: Answers) -> dict[str, Any]:
    return {
        "unit": [f"u{u}" for u in made.unit.tolist()],
        "rater": [f"r{r}" for r in made.rater.tolist()],
        "value": [str(v + 1) for v in made.value.tolist()],
    }


@pytest.mark.data
def test_the_raters_of_a_published_benchmark(data_dir: Path) -> None:
    [one] = cc.rasch(str(data_dir / CEBAB), kind_column="is_model", level="interval").models
    by = {rater.name: rater for rater in one.facets["rater"]}
    assert by["w40"].infit == pytest.approx(2.29, abs=0.005)
    assert by["w40"].outfit == pytest.approx(2.70, abs=0.005)
    assert by["w40"].p == pytest.approx(1 / 200)
    others = [rater.infit for name, rater in by.items() if name != "w40"]
    assert [min(others), max(others)] == pytest.approx([0.63, 1.035], abs=0.005)
    assert one.sigma == pytest.approx(2.0146, abs=0.0005)
    assert one.unit_reliability == pytest.approx(0.85, abs=0.005)
    assert one.sentence.endswith("The answers of w40 (infit 2.29) do not follow what the others say of the units.")


@pytest.mark.data
def test_two_categories_of_a_crowd_and_a_rater_without_a_finite_severity(data_dir: Path) -> None:
    with (data_dir / DICES).open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    data = {name: [row[name] for row in rows] for name in ("unit", "rater", "value")}
    data["value"] = ["unsafe" if value != "No" else "safe" for value in data["value"]]
    [one] = cc.rasch(data, categories=["safe", "unsafe"]).models
    assert one.sigma == pytest.approx(1.3855, abs=0.00005)
    assert list(one.left_out) == ["r062"]
    assert "r062 is left out: gave the" in one.notes[0]


def test_the_slope_is_that_of_the_likelihood() -> None:
    made, _ = drawn(1, units=80, raters=4)
    both = Answers(**{**vars(made), "question": made.unit % 2, "n_questions": 2})
    objective = Objective(both, even_nodes(25))
    at = generator(2).normal(0, 0.3, 3 + 1 + 3 + 2)
    slope = np.array([(objective(at + e)[0] - objective(at - e)[0]) / 2e-5 for e in 1e-5 * np.eye(len(at))])
    assert objective(at)[1] == pytest.approx(slope, rel=1e-4, abs=1e-3)


@pytest.mark.parametrize(("size", "each"), [(5, 3), (2, 3), (3, 6)])
def test_severities_are_found_again_and_not_too_large(size: int, each: int) -> None:
    inside, slopes = [], []
    for seed in range(6):
        made, true = drawn(seed, size=size, each=each, units=700)
        found = fit(made)
        spread = errors(made, found)[0]
        inside += (np.abs(found.severity - true) < 1.96 * spread).tolist()
        slopes.append(np.polyfit(true, found.severity, 1)[0])
    assert np.mean(inside) > 0.86  # 72 intervals of 95 %: five standard errors below
    assert np.mean(slopes) == pytest.approx(1, abs=0.12)


def test_infit_is_one_for_answers_from_the_model_and_a_careless_rater_is_found() -> None:
    made, _ = drawn(7, units=1500, raters=20, careless=1)
    found = fit(made)
    fits = misfits(made, found, made.rater, 20)
    assert fits.infit[0] > 1.5
    assert fits.infit[1:].max() < 1.3
    assert fits.infit.argmax() == 0
    assert chance_of_infit(made, found, 0, float(fits.infit[0])) == pytest.approx(1 / 200)
    assert chance_of_infit(made, found, 1, 0.1) == 1


def test_the_order_of_rows_changes_nothing() -> None:
    data = as_table(drawn(3, units=60)[0])
    order = generator(4).permutation(len(data["unit"])).tolist()
    turned = {name: [column[i] for i in order] for name, column in data.items()}
    [one], [two] = (cc.rasch(table, level="ordinal").models for table in (data, turned))
    assert one.sigma == two.sigma
    assert one.facets == two.facets


def test_fair_averages_take_severity_out() -> None:
    """Two groups of units alike, one judged by a severe rater: raw means differ, fair ones do not."""
    made, _ = drawn(5, units=2000, raters=6, each=2)
    value = np.clip(made.value - (made.rater == 0), 0, 4)
    [one] = cc.rasch(as_table(Answers(**{**vars(made), "value": value})), level="ordinal").models
    assert one.facets["rater"][-1].name == "r0"
    assert one.facets["rater"][-1].points < -0.5
    severe = {f"u{u}" for u in made.unit[made.rater == 0].tolist()}
    groups = [[u for u in one.fair if (u.unit in severe) == is_severe] for is_severe in (True, False)]
    raw, fair = ([np.mean([getattr(u, name) for u in group]) for group in groups] for name in ("mean", "fair"))
    assert abs(fair[0] - fair[1]) < abs(raw[0] - raw[1]) / 3


def test_raters_without_common_units_are_refused_by_name() -> None:
    first, second = (as_table(drawn(seed, units=40, raters=2, each=2)[0]) for seed in (1, 2))
    second = {name: [f"x{one}" if name != "value" else one for one in column] for name, column in second.items()}
    data = {name: first[name] + second[name] for name in first}
    with pytest.raises(InputError, match=r"raters \{r0, r1\} and \{xr0, xr1\} share no unit.*--groups-equal"):
        cc.rasch(data, level="ordinal")
    [one] = cc.rasch(data, level="ordinal", groups_equal=True).models
    assert one.parts == (("r0", "r1"), ("xr0", "xr1"))
    assert any("as if units had been dealt to them at random" in note for note in one.notes)


def test_questions_as_a_facet() -> None:
    made, _ = drawn(6, units=120)
    table = as_table(made)
    random = generator(7)
    steps = random.integers(-2, 2, len(table["value"])).tolist()
    harder = [str(min(max(int(value) + step, 1), 5)) for value, step in zip(table["value"], steps, strict=True)]
    data = {name: column * 2 for name, column in table.items()} | {"value": table["value"] + harder}
    data["question"] = ["easy"] * len(harder) + ["hard"] * len(harder)
    [one] = cc.rasch(data, facets="unit,rater,question", level="ordinal", categories=list("12345")).models
    easy, hard = one.facets["question"]
    assert (easy.name, hard.name) == ("easy", "hard")
    assert easy.measure == pytest.approx(-hard.measure)
    assert hard.low > 0
    assert len(one.fair) == 120
    assert len(cc.rasch(data, level="ordinal").models) == 2
    own = {**data, "rater": [f"{q} {r}" for q, r in zip(data["question"], data["rater"], strict=True)]}
    with pytest.raises(InputError, match="answered other questions than the rest"):
        cc.rasch(own, facets="unit,rater,question", level="ordinal", categories=list("12345"))
    with pytest.raises(InputError, match="one question, so questions are no facet"):
        cc.rasch(table, facets="unit,rater,question", level="ordinal")
    mixed = {**data, "value": table["value"] + ["yes"] * len(harder)}
    with pytest.raises(InputError, match="different scales"):
        cc.rasch(mixed, facets="unit,rater,question")


def two_raters(*pairs: tuple[str, str]) -> dict[str, Any]:
    rows = [(f"u{u}", r, v) for u, pair in enumerate(pairs) for r, v in zip("ab", pair, strict=True)]
    return dict(zip(("unit", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True))


def test_what_cannot_be_modelled() -> None:
    wrong: list[tuple[tuple[tuple[str, str], ...], dict[str, Any], str]] = [
        ((("x", "y"), ("y", "z"), ("z", "x")), {}, "a nominal scale has no more and less"),
        ((("1", "1"), ("1", "1")), {"level": "ordinal"}, "all raters gave one category"),
        ((("1", "2"), ("2", "2")), {"level": "ordinal"}, "with a finite severity"),
        (tuple((str(i), str(i)) for i in range(30)), {"level": "interval"}, "2 to 20 ordered categories"),
        ((("1", "1"), ("3", "3"), ("5", "5")) * 30, {"level": "ordinal"}, "the scale has no end"),
    ]
    for pairs, how, why in wrong:
        with pytest.raises(InputError, match=why):
            cc.rasch(two_raters(*pairs), **how)
    with pytest.raises(InputError, match="there is no facet 'raters'; did you mean 'rater'"):
        cc.rasch(two_raters(("1", "2")), facets="unit,raters")
    with pytest.raises(InputError, match="needs the facets unit and rater"):
        cc.rasch(two_raters(("1", "2")), facets="unit")


def test_unused_categories_and_words_for_yes() -> None:
    made, _ = drawn(8, units=150)
    data = as_table(made)
    [one] = cc.rasch(data, level="ordinal", categories=list("1234567")).models
    assert "never given, so without a threshold: 6, 7" in one.notes
    assert len(one.thresholds) == 4
    words = {**data, "value": ["yes" if int(value) > 2 else "no" for value in data["value"]]}
    turned = {**data, "value": ["0" if int(value) > 2 else "1" for value in data["value"]]}
    [yes], [zero] = cc.rasch(words, categories=["yes", "no"]).models, cc.rasch(turned).models
    assert yes.categories == ("no", "yes")
    assert {r.name: r.measure for r in yes.facets["rater"]} == pytest.approx(
        {r.name: -r.measure for r in zero.facets["rater"]}, abs=1e-4
    )


def test_the_command_its_json_its_signature_gold_and_the_picture(tmp_path: Path) -> None:
    data = as_table(drawn(9, units=150, careless=1)[0])
    rows = zip(*data.values(), strict=True)
    file = write(tmp_path / "ratings.csv", "\n".join([",".join(data), *map(",".join, rows)]) + "\n")
    shown = run("model", file, "--level", "ordinal").output
    assert "r0 (infit" in shown
    assert "does not fit (p 0.005)" in shown
    assert "leave" not in shown
    told = json.loads(run("model", file, "--level", "ordinal", "--json").output)["fits"][0]
    assert set(told) >= {"facets", "thresholds", "sigma", "separation", "reliability", "fair", "parts", "signature"}
    assert set(told["facets"]["rater"][0]) >= {"name", "measure", "se", "low", "high", "infit", "outfit", "n"}
    measures = [rater["measure"] for rater in told["facets"]["rater"]]
    assert all(one <= two for one, two in pairwise(measures))
    assert told["signature"].startswith("rasch|facets:unit%2Crater|from.level:ordinal|units:150|raters:12|")
    assert run("verify", told["signature"], file).exit_code == 0
    assert run("verify", told["signature"].replace("raters:12", "raters:11"), file).exit_code == 1
    done = run("gold", file, "--level", "ordinal", "--method", "rasch", "-o", str(tmp_path / "fair.csv"))
    assert "150 units, all with a value: fair averages" in done.output
    with (tmp_path / "fair.csv").open(encoding="utf-8") as lines:
        fair = {row["unit"]: row for row in csv.DictReader(lines)}
    first = told["fair"][0]
    assert float(fair[first["unit"]]["value"]) == pytest.approx(first["fair"], rel=1e-5)
    assert sum(float(fair["u0"][f"p_{c}"]) for c in "12345") == pytest.approx(1)
    drawing = run("plot", "wright", file, "--level", "ordinal", "-o", str(tmp_path / "map.svg"))
    assert "Units spread by" in drawing.output
    with pytest.raises(InputError, match="no question 'q'"):
        cc.verify(told["signature"].replace("|units", "|question:q|units"), file)
    assert "r0" in repr(cc.rasch(data, level="ordinal"))
    assert len(cc.rasch(data, level="ordinal").to_frame()) == 12
