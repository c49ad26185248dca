"""May a model stand for a person: published figures, who decides the verdict, the ceiling, requirements, signatures."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

import concordant as cc
from concordant.diagnosis.material import materials
from concordant.errors import InputError
from concordant.judging.alt_test import Nearer, alt_test, plain_kappa, rejected, signal_of, tau_b
from concordant.judging.bias import difference
from concordant.judging.ceiling import ceiling, verdict_on
from concordant.judging.judge import judges
from concordant.judging.panel import Judge, Panel, assembled
from concordant.judging.results import Judging
from concordant.randomness import generator
from concordant.readers.data import as_study
from tests.cli.test_gold_commands import run, write

CEBAB, MTBENCH = "alttest/cebab_stars.csv", "alttest/mtbench.csv"
PUBLISHED = {  # win rate, advantage, win rate without w40
    "gemini_flash": (0.6, 0.821466, 0.111),
    "gemini_pro": (0.8, 0.866624, 0.778),
    "gpt-4o": (0.9, 0.898588, 1.0),
    "llama-31": (0.6, 0.853183, 0.778),
    "gpt-4o-mini": (0.9, 0.894108, 0.778),
    "mistral-v03": (0.5, 0.829068, 0.222),
}


def invented(
    seed: int = 1, *, units: int = 120, people: int = 4, noise: float = 0.3, models: dict[str, float] | None = None
) -> dict[str, list[str]]:
    """People and models on a scale from 1 to 5; the noise of each is the chance of being one step off."""
    random = generator(seed)
    truth = random.integers(1, 6, units)
    rows: list[tuple[str, str, str, str, str]] = []

    def answers(name: str, kind: str, off: float) -> None:
        said = np.clip(truth + np.where(random.random(units) < off, random.choice([-1, 1], units), 0), 1, 5)
        rows.extend((f"u{u}", name, str(said[u]), kind, "long" if u % 2 else "short") for u in range(units))

    for h in range(people):
        answers(f"h{h}", "human", noise)
    for name, off in (models or {"good": 0.2, "poor": 0.95}).items():
        answers(name, "model", off)
    columns = [list(column) for column in zip(*rows, strict=True)]
    return dict(zip(("unit", "rater", "value", "kind", "size"), columns, strict=True))


def panel_of(data: Any, **how: Any) -> tuple[Panel, tuple[Judge, ...]]:
    [part] = materials(as_study(data, kind="all", **how))
    panel, asked, _ = assembled(part)
    return panel, asked


@pytest.fixture(scope="module")
def cebab(data_dir: Path) -> Judging:
    return judges(str(data_dir / CEBAB), kind_column="is_model", level="interval", epsilon=0.1)


@pytest.mark.data
def test_the_published_tests_to_six_digits(cebab: Judging) -> None:
    for one in cebab.judges:
        rate, advantage, without = PUBLISHED[one.model]
        assert one.alt_test.win_rate == pytest.approx(rate, abs=1e-6)
        assert one.alt_test.advantage == pytest.approx(advantage, abs=5e-7)
        [w40] = [each for each in one.alt_test.without if each.rater == "w40"]
        assert w40.win_rate == pytest.approx(without, abs=0.0005)
    by = {one.model: one for one in cebab.judges}
    curves = {name: [point.win_rate for point in by[name].alt_test.curve] for name in ("gpt-4o", "gemini_flash")}
    assert curves["gpt-4o"] == pytest.approx([0.4, 0.8, 0.9, 0.9, 1, 1])
    assert curves["gemini_flash"] == pytest.approx([0.1, 0.2, 0.6, 0.8, 0.9, 1])


def tau_b_by_hand(data_dir: Path, one: str, other: str) -> float:
    """Kendall's tau-b of two people on their common units."""
    with (data_dir / CEBAB).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    said = [{row["unit"]: int(row["value"]) for row in rows if row["rater"] == rater} for rater in (one, other)]
    common = sorted(said[0].keys() & said[1].keys())
    return float(kendalltau(*([each[unit] for unit in common] for each in said)).statistic)


@pytest.mark.data
def test_one_person_without_signal_decides_two_verdicts(cebab: Judging, data_dir: Path) -> None:
    by = {one.model: one for one in cebab.judges}
    assert by["gemini_flash"].sentence == (
        "gemini_flash passes (win rate 0.60), but not without w40, whose answers carry no signal (win rate 0.11 without), "
        "nor without w2 (win rate 0.44)."
    )
    assert {each.rater for each in by["gemini_flash"].alt_test.deciding} == {"w40", "w2"}
    assert (
        "close to the line: not without any one of w40 (whose answers carry no signal), w2"
        in by["mistral-v03"].sentence
    )
    assert by["gpt-4o"].sentence.startswith("On these 711 units and 10 people, gpt-4o represents the other people")
    flipped = [one.model for one in cebab.judges if any(each.suspect for each in one.alt_test.deciding)]
    assert flipped == ["gemini_flash", "mistral-v03"]
    [w40] = [each for each in by["gemini_flash"].alt_test.deciding if each.suspect]
    assert w40.signal is not None
    others = [tau_b_by_hand(data_dir, "w40", person) for person in by["gpt-4o"].ceiling.without if person != "w40"]
    assert w40.signal.value == pytest.approx(np.mean(others), abs=1e-12)
    assert f"{w40.signal.value:.3f}" == "-0.063"  # -0.066 where models are taken for people
    assert any("is 0.681 with everybody and 0.847 without w40" in note for note in cebab.notes)


@pytest.mark.data
def test_the_human_ceiling_without_that_person(data_dir: Path) -> None:
    study = as_study(str(data_dir / CEBAB), kind_column="is_model", level="interval", kind="all")
    panel, asked = panel_of(study.where("rater", [rater for rater in study.raters if rater != "w40"]))
    expected = {  # agreement, gap, its ends, severity, its ends, sd ratio
        "gpt-4o": (0.884, 0.037, 0.024, 0.050, -0.090, -0.127, -0.053, 0.98),
        "gemini_flash": (0.844, -0.004, -0.019, 0.011, 0.0, -0.045, 0.050, 0.71),
        "mistral-v03": (0.846, -0.001, -0.016, 0.013, -0.204, -0.247, -0.157, 0.84),
    }
    for judge in asked:
        if judge.name in expected:
            model, gap, low, high, severity, down, up, ratio = expected[judge.name]
            mark, told = ceiling(panel, judge, leave_out=False), difference(panel, judge)
            assert mark.human == pytest.approx(0.847, abs=0.0005)
            assert mark.consensus == pytest.approx(0.878, abs=0.0005)
            assert mark.model == pytest.approx(model, abs=0.0006)
            assert mark.gap == pytest.approx(gap, abs=0.0006)
            assert mark.interval is not None
            assert [mark.interval.low, mark.interval.high] == pytest.approx([low, high], abs=0.002)
            assert told.severity == pytest.approx(severity, abs=0.0006)
            assert told.interval is not None
            assert [told.interval.low, told.interval.high] == pytest.approx([down, up], abs=0.006)
            assert told.sd_ratio == pytest.approx(ratio, abs=0.006)


@pytest.mark.data
def test_the_command_prints_both_flips_and_fails_a_requirement(data_dir: Path, tmp_path: Path) -> None:
    how = ["judges", str(data_dir / CEBAB), "--kind-column", "is_model", "--level", "interval"]
    shown = run(*how, "--require", "win_rate>=.6", "-o", str(tmp_path / "report.html"))
    assert shown.exit_code == 1
    assert "but not without w40, whose answers carry no signal" in " ".join(shown.output.split())
    assert "mistral-v03 has win_rate 0.5" in shown.output
    assert "Alternative annotator test" in (tmp_path / "report.html").read_text("utf-8")
    assert "epsilon = 0.1, the authors' value for crowds" in shown.output


@pytest.mark.data
def test_categories_and_two_people_or_three(data_dir: Path) -> None:
    found = judges(str(data_dir / MTBENCH), kind_column="is_model", epsilon=0.3)
    by = {one.model: one for one in found.judges}
    assert by["gpt-4o"].alt_test.score == "accuracy"
    assert by["gpt-4o"].alt_test.win_rate == 1.0
    assert by["gpt-4o"].ceiling.human == pytest.approx(0.5190, abs=0.00005)
    assert by["gpt-4o"].severity.severity is None
    assert sum(two for _, two in by["gpt-4o"].severity.shares.values()) == pytest.approx(1)


def test_the_ceiling_is_the_alpha_of_people() -> None:
    data = invented()
    for level in ("nominal", "ordinal", "interval", "ratio"):
        panel, asked = panel_of(data, level=level)
        alpha = cc.measure(data, "alpha", level=level, ci="none").value
        assert ceiling(panel, asked[0], resamples=100).human == pytest.approx(alpha, abs=1e-12)
    percent = ceiling(panel, asked[0], key="percent", resamples=100)
    assert percent.human == pytest.approx(cc.measure(data, "percent", ci="none").value, abs=1e-12)


def test_leaving_out_is_counting_again() -> None:
    data = invented(2, people=5)
    panel, asked = panel_of(data, level="interval")
    for level in ("nominal", "interval"):
        panel, asked = panel_of(data, level=level)
        nearer = Nearer(panel, asked[0])
        for human in range(5):
            left = panel.without(human)
            again = Nearer(left, asked[0]).with_all()
            assert nearer.without(human).rho[np.arange(5) != human] == pytest.approx(again.rho[np.arange(5) != human])


def test_a_good_model_passes_and_a_poor_one_does_not() -> None:
    found = judges(invented(), level="interval", epsilon=0.1)
    good, poor = found.judges
    assert good.alt_test.passes
    assert poor.alt_test.win_rate == 0
    assert poor.ceiling.verdict == "worse"
    assert poor.sentence.startswith("poor agrees less with people than they do among themselves")
    assert good.coverage == 1
    assert "good" in repr(found)
    assert len(found.to_frame()) == 2
    assert found.notes == ()


def test_two_versions_are_compared_with_people_in_the_same_draws() -> None:
    found = judges(invented(), level="interval")
    [pair] = found.compared
    good, poor = (one.ceiling for one in found.judges)
    assert good.model is not None
    assert poor.model is not None
    assert pair.difference == pytest.approx(poor.model - good.model)
    assert pair.interval.low < pair.difference < pair.interval.high < 0
    assert pair.same < 0.5
    assert found.to_dict()["compared"][0]["second"] == "poor"
    assert judges(invented(models=dict.fromkeys("abcd", 0.2)), level="interval").compared == ()


def test_no_agreement_of_people_means_no_verdict() -> None:
    random = generator(4)
    data = invented()
    data["value"] = [str(v) for v in random.integers(1, 6, len(data["value"]))]
    [one, _] = judges(data, level="interval").judges
    assert one.sentence == "There is no human agreement to compare with; neither verdict means anything."


def test_too_few_units_have_no_win_rate() -> None:
    found = judges(invented(units=20), level="interval", require=["win_rate>=.5", "n_units>=10"])
    assert found.judges[0].alt_test.win_rate is None
    assert "nobody judged 30 units" in found.judges[0].sentence
    assert [one.holds for one in found.requirements] == [False, True]
    assert "has no win_rate: nobody judged 30 units or more" in str(found.requirements[0].reason)
    few = judges(invented(units=20), level="interval", least=10, epsilon=0.2)
    assert few.judges[0].alt_test.win_rate is not None


def test_requirements() -> None:
    found = judges(invented(), level="interval", epsilon=0.1)
    assert found.require("win_rate >= 0", "good:gap_low>-.5", "flips==0") == []
    assert found.require("poor:win_rate>=.5") == ["poor:win_rate>=.5: poor has win_rate 0"]
    assert found.require("run_alpha>=.9")[0].startswith("run_alpha>=.9: good has no run_alpha")
    for wrong, why in {
        "win_rte>=.5": "nothing is called 'win_rte' in 'win_rte>=.5'; did you mean 'win_rate'",
        "win_rate=.5": "is no requirement",
        "win_rate>=much": "'much' in 'win_rate>=much' is no number",
        "best:win_rate>=.5": "there is no judge 'best'",
    }.items():
        with pytest.raises(InputError, match=why):
            found.require(wrong)


def test_slices_lengths_and_clusters() -> None:
    data = invented()
    data["words"] = [str(10 + int(unit[1:])) for unit in data["unit"]]
    data["text"] = [str(int(unit[1:]) // 4) for unit in data["unit"]]
    found = judges(data, level="interval", by="size", length="words")
    rows = {(one.column, one.value): one for one in found.judges[0].slices}
    assert rows["size", "long"].n_units == 60
    assert rows["size", "long"].contrast == pytest.approx(-(rows["size", "short"].contrast or 0))
    assert rows["size", "long"].p_corrected is not None
    assert rows["words", "per standard deviation of log length"].p is not None
    assert "units of one text are not independent: say --cluster text" in found.notes
    grouped = judges(data, level="interval", cluster="text", epsilon=0.1)
    assert "clusters of 'text'" in str(grouped.judges[0].ceiling.interval)
    figures = judges(data, level="interval", cluster="text", estimate="mean")
    assert "corrected figures take units of one text as independent: their intervals are too narrow" in figures.notes
    apart = {name: [cell if kind == "human" or name in ("unit", "rater", "value", "kind") else "" for cell, kind in
             zip(column, data["kind"], strict=True)] for name, column in data.items()}  # fmt: skip
    again = judges(apart, level="interval", by="size", length="words")  # as where models have a file of their own
    assert again.judges[0].slices == found.judges[0].slices
    apart["size"][1] = "short" if apart["size"][1] == "long" else "long"
    with pytest.raises(InputError, match="unit 'u1' has 'short' and 'long': give every unit one value"):
        judges(apart, level="interval", by="size")
    nominal = judges(data, level="nominal", by="size").judges[0].slices
    assert {one.category for one in nominal} == set("12345")
    with pytest.raises(InputError, match="'rater' is not an attribute of units"):
        judges(data, level="interval", by="rater")


def test_runs_and_prompts() -> None:
    base = invented(models={"m": 0.2})
    rows = list(zip(*base.values(), strict=True))
    more = [
        (*row, prompt, run)
        for row in rows
        for prompt, run in ([("a", "1"), ("a", "2"), ("b", "1")] if row[3] == "model" else [("", "")])
    ]
    data: dict[str, list[str]] = dict(zip([*base, "prompt", "run"], map(list, zip(*more, strict=True)), strict=True))
    changed = [i for i, row in enumerate(more) if row[5:] == ("a", "2")][:12]
    for i in changed:
        data["value"][i] = "1" if data["value"][i] != "1" else "2"
    found = judges(data, level="interval", epsilon=0.1)
    assert [one.name for one in found.judges] == ["m · a", "m · b"]
    first, second = found.judges
    assert first.stability is not None
    assert first.stability.n_runs == 2
    assert first.stability.changed == pytest.approx(12 / 120)
    assert second.stability is None
    assert first.stability.win_rates is not None
    assert first.stability.gaps is not None
    assert first.stability.gaps[0] < first.stability.gaps[1] == pytest.approx(first.ceiling.gap)
    assert first.stability.win_rates[1] == first.alt_test.win_rate
    [pair] = found.compared
    assert (pair.first, pair.second, pair.n_units, pair.same, pair.alpha) == ("m · a", "m · b", 120, 1, 1)
    assert (pair.difference, pair.interval.low, pair.interval.high) == (0, 0, 0)
    assert first.alt_test == second.alt_test
    assert any("chosen among 2 prompts by the same units" in note for note in found.notes)
    assert "identical runs at temperature 0 say nothing about other wordings of the prompt" in found.notes
    del data["run"]
    with pytest.raises(InputError, match="a model has two answers to one unit"):
        judges(data, level="interval")


def test_refusals_are_missing_and_counted() -> None:
    data = invented(models={"m": 0.2})
    places = [i for i, kind in enumerate(data["kind"]) if kind == "model"][:12]
    for i in places:
        data["value"][i] = ""
    found = judges(data, level="interval")
    assert found.judges[0].refusals == pytest.approx(0.1)
    assert found.judges[0].coverage == pytest.approx(0.9)
    assert found.judges[0].n_units == 108
    assert found.judges[0].sentence.startswith("m did not answer 10.0 % of what it was asked; of the rest: ")
    assert any("m: 10.0 % of its answers are missing (12 of 120)" in note for note in found.notes)


def test_numbers_without_end() -> None:
    random = generator(5)
    truth = random.normal(50, 10, 1200)
    columns = {f"h{h}": truth + random.normal(0, 2, 1200) for h in range(3)} | {"m": truth + random.normal(0, 1, 1200)}
    data = {
        "unit": [str(u) for _ in columns for u in range(1200)],
        "rater": [name for name in columns for _ in range(1200)],
        "value": np.concatenate(list(columns.values())).tolist(),
    }
    [one] = judges(data, models=["m"], level="interval", epsilon=0.1, resamples=200).judges
    assert one.alt_test.passes
    people = cc.measure(data, "alpha", models=["m"], level="interval", ci="none").value
    assert one.ceiling.human == pytest.approx(people, abs=1e-9)
    assert one.ceiling.verdict in ("better", "equivalent")
    panel, _ = panel_of(data, models=["m"], level="interval")
    signal = signal_of(panel, 0)
    assert signal is not None
    assert signal.value > 0.7
    with pytest.raises(InputError, match="percent agreement says nothing about a continuous scale"):
        judges(data, models=["m"], level="interval", measure="percent")


def test_signatures_are_verified(tmp_path: Path) -> None:
    data = invented()
    table = "\n".join([",".join(data), *(",".join(row) for row in zip(*data.values(), strict=True))]) + "\n"
    file = write(tmp_path / "answers.csv", table)
    told = json.loads(run("judges", file, "--level", "interval", "--epsilon", ".15", "--json").output)
    signature = told["judges"][0]["signature"]
    assert signature.startswith("judges|model:good|score:rmse|epsilon:0.15|q:0.05|least:30|")
    assert run("verify", signature, file).exit_code == 0
    assert cc.verify(signature, data).matches
    other = signature.replace("value:1.0", "value:0.5")
    assert run("verify", other, file).exit_code == 1
    turned = "\n".join([table.splitlines()[0], *reversed(table.splitlines()[1:])]) + "\n"
    assert cc.verify(signature, write(tmp_path / "turned.csv", turned)).matches
    with pytest.raises(InputError, match="there is no model 'better'"):
        cc.verify(signature.replace("model:good", "model:better"), file)


def test_what_cannot_be_judged() -> None:
    data = invented(people=1)
    with pytest.raises(InputError, match="one person judged; two or more are needed"):
        judges(data)
    with pytest.raises(InputError, match="no rater is a model"):
        judges({**invented(), "kind": ["human"] * len(invented()["kind"])})
    with pytest.raises(InputError, match="epsilon 2 is not from 0 to 1"):
        judges(invented(), epsilon=2)
    with pytest.raises(InputError, match="least 1 is below 2"):
        judges(invented(), least=1)
    with pytest.raises(InputError, match="not computed for 'kappa'"):
        judges(invented(), measure="kappa")
    assert "two people: no consensus" in judges(invented(people=2), level="interval").notes[1]


def test_constant_people_have_no_ceiling() -> None:
    data = invented()
    data["value"] = ["3" if kind == "human" else value for kind, value in zip(data["kind"], data["value"], strict=True)]
    [one, _] = judges(data, level="interval", categories=list("12345")).judges
    assert one.ceiling.reason == "all people gave one value: no chance disagreement"
    assert one.ceiling.verdict == "undefined"


@pytest.mark.parametrize(
    ("ends", "word"),
    [
        ((0.01, 0.1, 0.02, 0.09), "better"),
        ((-0.01, 0.2, 0.0, 0.19), "not worse"),
        ((-0.3, 0.1, -0.25, 0.05), "undecided"),
    ],
)
def test_verdicts_on_a_gap(ends: tuple[float, float, float, float], word: str) -> None:
    assert verdict_on(*ends, 0.05) == word


def test_tables_give_the_coefficients_of_the_catalogue() -> None:
    random = generator(6)
    one, two = random.integers(0, 4, (2, 80))
    table = np.zeros((4, 4))
    np.add.at(table, (one, two), 1)
    rows = np.column_stack([one, two])
    assert tau_b(table) == pytest.approx(cc.measure(rows, "tau_b", level="ordinal", ci="none").value)
    assert plain_kappa(table) == pytest.approx(cc.measure(rows, "kappa", level="nominal", ci="none").value)
    assert np.isnan(tau_b(np.diag([5.0, 0, 0])))


def test_yekutieli_rejects_nothing_of_nothing() -> None:
    assert rejected(np.zeros(0), 0.05).tolist() == []
    assert rejected(np.array([0.5, 0.6]), 0.05).tolist() == [False, False]


def test_alt_test_of_sets_uses_masi() -> None:
    rows = [
        (f"u{u}", r, v)
        for r, values in {"a": ["x", "x+y"], "b": ["x", "y"], "m": ["x", "x+y"]}.items()
        for u in range(40)
        for v in [values[u % 2]]
    ]
    data = dict(zip(("unit", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True))
    panel, asked = panel_of(data, models=["m"], level="set")
    assert alt_test(panel, asked[0], epsilon=0.1, q=0.05, least=30).score == "masi"


def test_words_of_a_model_among_numbers_are_missing_and_no_category() -> None:
    data = invented(models={"m": 0.2})
    for i in [i for i, kind in enumerate(data["kind"]) if kind == "model"][:12]:
        data["value"][i] = "I cannot rate this"
    found = judges(data)
    assert found.judges[0].refusals == pytest.approx(0.1)
    assert found.judges[0].alt_test.score == "rmse"
    assert "12 answers of models are no numbers and count as missing: 'I cannot rate this'" in found.notes


def in_words(data: dict[str, list[str]]) -> dict[str, list[str]]:
    """The same with two categories."""
    return {**data, "value": ["low" if int(v) < 3 else "high" for v in data["value"]]}


def test_what_declines_to_answer_is_missing_and_other_words_of_a_model_are_named() -> None:
    data = in_words(invented(models={"m": 0.2}))
    places = [i for i, kind in enumerate(data["kind"]) if kind == "model"]
    for i in places[:12]:
        data["value"][i] = "I'm sorry, I cannot say."
    for i in places[12:15]:
        data["value"][i] = "medium"
    found = judges(data, epsilon=0.1)
    assert found.judges[0].refusals == pytest.approx(0.1)
    assert found.judges[0].n_units == 108
    assert '12 answers of models decline to answer and count as missing: "I\'m sorry, I cannot say."' in found.notes
    assert "3 answers of models are words that no person gave, and count as wrong: 'medium'" in found.notes
    data["value"][places[20]] = data["value"][0] = "none"  # a person says it, too, so it is an answer
    assert judges(data, epsilon=0.1).judges[0].refusals == pytest.approx(0.1)


def test_a_model_with_other_words_is_not_compared() -> None:
    data = in_words(invented(models={"m": 0.2}))
    other = [v.title() + "." if kind == "model" else v for v, kind in zip(data["value"], data["kind"], strict=True)]
    with pytest.raises(InputError, match=r"m answers 'High\.', 'Low\.', people 'high', 'low'; write the same words"):
        judges({**data, "value": other})
    declared = judges({**data, "value": other}, categories=["low", "high", "Low.", "High."], epsilon=0.1)
    assert declared.judges[0].alt_test.win_rate == 0


def test_a_model_on_another_scale_is_not_compared() -> None:
    data = invented(models={"m": 0.2})
    ten = [str(2 * int(v)) if kind == "model" else v for v, kind in zip(data["value"], data["kind"], strict=True)]
    with pytest.raises(InputError, match="m answers from 2 to 10, people from 1 to 5; bring them to one scale"):
        judges({**data, "value": ten})
    scale = [str(n) for n in range(1, 11)]
    declared: dict[str, Any] = {"level": "interval", "categories": scale, "epsilon": 0.1}
    assert judges({**data, "value": ten}, **declared).judges[0].alt_test.win_rate == 0
    [ranked] = judges({**data, "value": ten}, ranks=True, **declared).judges
    [plain] = judges(data, level="interval", epsilon=0.1, ranks=True).judges
    assert ranked.alt_test == plain.alt_test  # ranks know no scale
    assert "|places:ranks|" in ranked.signature
    standard = judges({**data, "value": ten}, standardise=True, **declared).judges[0]
    assert (standard.alt_test.win_rate or 0) > 0
    assert cc.verify(ranked.signature, {**data, "value": ten}).matches
    with pytest.raises(InputError, match="exclude each other"):
        judges(data, ranks=True, standardise=True)
    with pytest.raises(InputError, match="has no order; leave out --ranks"):
        judges(data, ranks=True, level="nominal")


def test_one_expert_is_the_measure_of_all() -> None:
    data = invented(models={"good": 0.0, "poor": 0.95})
    found = judges(data, level="interval", epsilon=0.1, expert="h0")
    good, poor = found.judges
    assert [one.rater for one in good.alt_test.humans] == ["h1", "h2", "h3"]
    assert {one.rater for one in good.alt_test.without} == {"h1", "h2", "h3"}
    assert good.alt_test.win_rate == 1
    assert poor.alt_test.win_rate == 0
    by_hand = dict(zip(zip(data["unit"], data["rater"], strict=True), map(int, data["value"]), strict=True))
    ties = [abs(by_hand[u, "poor"] - by_hand[u, "h0"]) <= abs(by_hand[u, "h1"] - by_hand[u, "h0"]) for u in
            dict.fromkeys(data["unit"])]  # fmt: skip
    assert poor.alt_test.humans[0].advantage == pytest.approx(np.mean(ties))
    assert cc.verify(good.signature, data).matches
    with pytest.raises(InputError, match="there is no person 'h9'"):
        judges(data, expert="h9")


def pairs(seed: int, *, leaning: float) -> dict[str, list[str]]:
    """People and a model on pairs; the model was asked twice, and takes what stands first with some chance."""
    random = generator(seed)
    rows: list[tuple[str, ...]] = []
    for u in range(100):
        better = "AB"[u % 2]
        rows += [(f"u{u}", f"h{h}", better, "human", "AB"[int(random.integers(2))], "") for h in range(3)]
        for run_, first in enumerate("AB"):
            said = first if random.random() < leaning else better
            rows.append((f"u{u}", "m", said, "model", first, str(run_)))
    names = ("unit", "rater", "value", "kind", "first", "run")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def test_a_preference_for_what_stands_first() -> None:
    data = pairs(1, leaning=0.6)
    [found] = judges(data, position="first", epsilon=0.1).judges
    bias = found.position
    assert bias is not None
    assert (bias.n_units, bias.n_swapped) == (100, 100)
    assert bias.model == pytest.approx(0.5 + 0.3, abs=0.1)
    assert bias.people == pytest.approx(0.5, abs=0.08)
    assert bias.p is not None
    assert bias.p < 0.001
    assert bias.changed == pytest.approx(0.6, abs=0.12)
    fair = judges(pairs(2, leaning=0.0), position="first", epsilon=0.1).judges[0].position
    assert fair is not None
    assert fair.changed == 0
    assert fair.low is not None
    assert fair.low < 0.05
    few = {name: column[:100] for name, column in data.items()}
    assert judges(few, position="first", least=10).judges[0].position.p is None  # type: ignore[union-attr]
    with pytest.raises(InputError, match="'x' in the column 'first' is no answer"):
        judges({**data, "first": ["x"] * len(data["first"])}, position="first")


def test_a_preference_for_its_own_texts() -> None:
    data = invented(models={"gpt-4o": 0.0, "llama": 0.0})
    data["writer"] = ["gpt-4o-mini" if int(unit[1:]) % 3 == 0 else "ann" for unit in data["unit"]]
    for i, (rater, writer) in enumerate(zip(data["rater"], data["writer"], strict=True)):
        if rater == "gpt-4o" and writer != "ann":
            data["value"][i] = str(min(5, int(data["value"][i]) + 1))
    found = judges(data, level="interval", author="writer", own="gpt*")
    [own] = found.judges[0].slices
    assert (own.column, own.value, own.n_units) == ("writer", "own", 40)
    assert own.contrast is not None
    assert own.contrast > 0.4
    assert found.judges[1].slices == ()
    with pytest.raises(InputError, match="nothing in 'writer' is called like a model; say --own"):
        judges(data, level="interval", author="writer")


def test_estimates_of_units_in_another_file_and_of_two_groups(tmp_path: Path) -> None:
    data = invented(units=240, models={"m": 0.2})
    kept = [
        i for i, (u, k) in enumerate(zip(data["unit"], data["kind"], strict=True)) if k == "model" or int(u[1:]) < 90
    ]
    few = {name: [column[i] for i in kept] for name, column in data.items()}
    table = "\n".join([",".join(few), *map(",".join, zip(*few.values(), strict=True))]) + "\n"
    first = write(tmp_path / "answers.csv", table)
    how = ["--level", "interval", "--estimate", "difference", "--group", "size", "--json"]
    assert json.loads(run("judges", first, *how).output)["estimates"][0]["of"].startswith("mean: ")
    [one] = judges(few, level="interval", estimate="difference", group="size").estimates
    assert (one.n_labelled, one.n_all) == (90, 240)
    people = {
        name: [c for c, k in zip(column, few["kind"], strict=True) if k == "human"] for name, column in few.items()
    }
    machine = {
        name: [c for c, k in zip(column, few["kind"], strict=True) if k == "model"] for name, column in few.items()
    }
    some = {name: people[name] + machine[name][:90] for name in few}
    [two] = judges(some, level="interval", estimate="mean", all=machine).estimates
    assert (two.n_labelled, two.n_all) == (90, 240)
    assert two.interval is not None
    assert two.people_interval is not None
    assert two.interval.high - two.interval.low < two.people_interval.high - two.people_interval.low
    with pytest.raises(InputError, match="all, group, weights and beyond are for estimates"):
        judges(few, group="size")
    with pytest.raises(InputError, match="the column of two groups"):
        judges(few, level="interval", estimate="difference")


@pytest.mark.data
def test_a_limit_on_agreement_is_on_the_coefficient_that_was_computed(cebab: Judging) -> None:
    known = [one for one in cebab.judges if one.ceiling.measure == "alpha"]
    assert known
    assert cebab.require("alpha>=-1", "winrate>=0") == []
    assert "has alpha" in cebab.require("alpha>=1.1")[0]
    with pytest.raises(InputError, match="computed as alpha, and not as percent"):
        cebab.require("percent>=.5")


CHANCES = ["0.6", "0.25", "0.1", "0.05"]
WORDS = ("zero", "one", "two", "three", "four", "five")


def two_files(folder: Path, said: Any, head: str = "unit,score") -> tuple[str, str]:
    """Three people with stars from 1 to 5, and a file of a model that says the same in its own way."""
    random = generator(11)
    truth = random.integers(1, 6, 60)
    rows = [f"{u},p{h},{int(np.clip(truth[u] + random.integers(-1, 2), 1, 5))}" for h in range(3) for u in range(60)]
    people = write(folder / "people.csv", "\n".join(["unit,rater,score", *rows]) + "\n")
    return people, write(folder / "m.csv", "\n".join([head, *(said(u, int(truth[u])) for u in range(60))]) + "\n")


def test_a_model_s_numbers_are_read_however_they_are_written(tmp_path: Path) -> None:
    people, plain = two_files(tmp_path, lambda u, v: f"{u},{v}")
    [one] = judges(people, model_file=plain, level="ordinal").judges
    people, floats = two_files(tmp_path, lambda u, v: f"{u},{v}.0" if u else "0,I cannot say")
    [other] = judges(people, model_file=floats).judges
    assert (other.n_units, one.n_units) == (59, 60)
    assert other.alt_test.score == "rmse"
    assert other.refusals == pytest.approx(1 / 60)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (lambda u, v: f"{u},{WORDS[v]}", "m answers 'one', 'four', 'three', people numbers; write"),
        (lambda u, v: f"{u},{v}/5", "m answers '.*people numbers"),
        (lambda u, v: f"{u},{20 * v}%", "m answers from 20 to 100, people from 1 to 5"),
        (lambda u, v: f"0{u},{v}", "m and people judged no unit in common: '00' and '0'; call units the same"),
    ],
    ids=["words", "out of five", "per cent", "other names of units"],
)
def test_what_a_model_says_in_another_way_is_refused(tmp_path: Path, said: Any, why: str) -> None:
    people, machine = two_files(tmp_path, said)
    with pytest.raises(InputError, match=why):
        judges(people, model_file=machine)


def test_a_file_of_chances_holds_no_answers(tmp_path: Path) -> None:
    people, machine = two_files(
        tmp_path, lambda u, v: f"{u}," + ",".join(CHANCES[v % 4 :] + CHANCES[: v % 4]), "unit,1,2,3,4"
    )
    with pytest.raises(InputError, match=r"every row adds up to 1.*perspectives PEOPLE --predictions FILE"):
        judges(people, model_file=machine)


def test_columns_that_are_called_like_models_are_named(tmp_path: Path) -> None:
    people, _ = two_files(tmp_path, lambda u, v: f"{u},{v}")
    cells = {(u, r): v for u, r, v in (line.split(",") for line in Path(people).read_text("utf-8").splitlines()[1:])}
    rows = [",".join([str(u), *(cells[str(u), f"p{h}"] for h in range(3)), cells[str(u), "p0"]]) for u in range(60)]
    wide = write(tmp_path / "wide.csv", "\n".join(["id,ann,ben,cleo,gpt-4o", *rows]) + "\n")
    found = judges(wide)
    assert [one.name for one in found.judges] == ["gpt-4o"]
    assert any(note.startswith("called like models, so taken for models: gpt-4o") for note in found.notes)
