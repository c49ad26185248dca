"""Intervals over clusters: what belongs together is drawn together."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import concordant
from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.spec import DEFAULTS
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.treebank.suites import read_treebanks
from concordant.uncertainty import intervals
from concordant.uncertainty.estimate import measure, verify
from concordant.uncertainty.intervals import design_effect
from concordant.uncertainty.planning import Stopping, plan
from concordant.uncertainty.resampling import Sampling, resampled
from tests.uncertainty.conftest import panel


def data_of(n: int = 40, raters: int = 3) -> Judgements:
    return Judgements.from_matrix(panel(n, raters, missing=0.1), level="nominal")


@pytest.mark.parametrize("key", ["alpha", "fleiss", "conger", "kappa", "icc_a1", "percent"])
@pytest.mark.parametrize("ci", ["bootstrap", "bca", "jackknife"])
def test_clusters_of_one_give_the_interval_of_units_bit_for_bit(key: str, ci: str) -> None:
    level = "interval" if key == "icc_a1" else "nominal"
    data = Judgements.from_matrix(panel(40, 2 if key == "kappa" else 3), level=level)
    alone = measure(data, key, ci=ci, seed=3, resamples=200)
    ones = measure(data.with_clusters(range(40), "texts"), key, ci=ci, seed=3, resamples=200)
    assert alone.interval is not None
    assert ones.interval is not None
    assert (ones.interval.low, ones.interval.high) == (alone.interval.low, alone.interval.high)
    assert "over 40 texts (40 units)" in ones.interval.method
    assert ones.interval.design_effect == pytest.approx(1)
    assert alone.interval.over == "units"
    assert alone.interval.n_clusters is None


@pytest.mark.parametrize("key", ["kappa", "pi"])
@pytest.mark.parametrize("ci", ["bootstrap", "jackknife", "analytic"])
def test_copies_inside_their_clusters_change_nothing(key: str, ci: str) -> None:
    cells = panel(30, 2)
    once = Judgements.from_matrix(cells, level="nominal").with_clusters(range(30), "texts")
    copied = Judgements.from_matrix(np.repeat(cells, 3, axis=0), level="nominal")
    thrice = copied.with_clusters(np.repeat(np.arange(30), 3), "texts")
    one, three = (measure(data, key, ci=ci, seed=5, resamples=300).interval for data in (once, thrice))
    assert one is not None
    assert three is not None
    assert (three.low, three.high) == pytest.approx((one.low, one.high), abs=1e-6)
    assert three.design_effect == pytest.approx(3, rel=0.1)


def test_the_jackknife_leaves_out_whole_clusters() -> None:
    cells, labels = panel(24, 3), np.repeat(np.arange(8), 3)
    data = Judgements.from_matrix(cells, level="nominal").with_clusters(labels, "texts")
    found = measure(data, "fleiss", ci="jackknife").interval
    without = [
        float(measure(Judgements.from_matrix(cells[labels != g], level="nominal"), "fleiss", ci="none"))
        for g in range(8)
    ]
    error = np.sqrt(7 / 8 * ((np.array(without) - np.mean(without)) ** 2).sum())
    assert found is not None
    assert found.width == pytest.approx(2 * 2.3646243 * error, rel=1e-6)


def test_the_linearised_error_is_close_to_the_jackknife() -> None:
    data = data_of(200).with_clusters(np.arange(200) // 2, "texts")
    linear, jack = (measure(data, "conger", ci=ci).interval for ci in ("analytic", "jackknife"))
    assert linear is not None
    assert jack is not None
    assert linear.method == "linearised over 100 texts (199 units)"
    assert (linear.low, linear.high) == pytest.approx((jack.low, jack.high), abs=0.004)


def test_few_clusters_are_said_and_very_few_have_no_interval() -> None:
    six = measure(data_of(42).with_clusters(np.arange(42) // 7, "items"), "alpha", seed=1, resamples=200)
    assert "the interval rests on 6 items only" in six.notes
    for ci in ("bootstrap", "bca", "jackknife", "analytic"):
        four = measure(data_of().with_clusters(np.arange(40) // 10, "items"), "alpha", ci=ci, seed=1)
        assert four.interval is None
        assert "no interval: there are only 4 items to draw, and it takes 5" in four.notes
        assert "clusters" not in four.signature


def test_both_ways_draws_clusters_and_raters() -> None:
    data = data_of(40, 5).with_clusters(np.arange(40) // 2, "texts")
    both = measure(data, "fleiss", over="both", seed=1, resamples=100).interval
    raters = measure(data, "fleiss", over="raters", seed=1, resamples=100).interval
    assert both is not None
    assert raters is not None
    assert both.over == "texts and raters"
    assert both.method == "percentile bootstrap over 20 texts (40 units) and raters, 100 resamples"
    assert (raters.over, raters.n_clusters) == ("raters", None)


def test_undefined_errors_have_no_design_effect() -> None:
    data = tally(Judgements.from_matrix([["a", "a"]] * 10, level="nominal").with_clusters(np.arange(10) // 2))
    assert design_effect(Sampling(measure=find_measure("percent"), data=data, options=DEFAULTS)) is None


def test_a_signature_names_the_clusters_and_old_ones_are_of_units() -> None:
    data = data_of().with_clusters(np.arange(40) // 2, "texts")
    signature = measure(data, "alpha", seed=1, resamples=100).signature
    assert "|clusters:20|" in signature
    assert verify(signature, data).matches
    other = verify(signature, data.with_clusters(np.arange(40) // 4, "texts"))
    assert any(line.startswith("clusters: 20") for line in other.differences)
    assert verify(measure(data_of(), "alpha", seed=1, resamples=100).signature, data).matches


def test_sizes_of_samples_count_clusters() -> None:
    data = tally(data_of().with_clusters(np.arange(40) // 2, "texts"))
    found = plan(data, "alpha", width=0.4, resamples=100, seed=1)
    assert (found.what, found.now) == ("texts", 20)
    sampling = Sampling(measure=find_measure("alpha"), data=data, options=DEFAULTS)
    few, many = (resampled(sampling, over="units", resamples=200, seed=1, size=size) for size in (10, 160))
    assert np.nanstd(few) > 2 * np.nanstd(many)
    with pytest.raises(InputError, match="no number of texts up to"):
        plan(data, "alpha", width=1e-9, resamples=20, seed=1)


def test_stopping_counts_clusters() -> None:
    result = measure(data_of(40).with_clusters(np.arange(40) // 8, "items"), "alpha", seed=1, resamples=100)
    assert Stopping(result=result, target=1.9).n_drawn == 5
    assert not Stopping(result=result, target=1.9).is_reached
    assert Stopping(result=measure(data_of(), "alpha", seed=1, resamples=100), target=1.9).is_reached
    assert Stopping(result=measure(data_of(), "alpha", ci="none"), target=1.9).n_drawn == 40


def table(n_items: int = 12, per_item: int = 6) -> dict[str, list[str]]:
    """Items that differ in how hard they are: units of one item resemble each other. Invented."""
    random, rows = generator(7), []
    for item in range(n_items):
        hard = item % 2
        for unit in range(per_item):
            truth = int(random.integers(0, 2))
            said = [truth if not hard or random.random() < 0.5 else 1 - truth for _ in range(2)]
            rows += [(f"{item}-{unit}", rater, "ny"[s], f"i{item}") for rater, s in zip("AB", said, strict=True)]
    names = ("unit", "rater", "value", "item")
    return dict(zip(names, (list(column) for column in zip(*rows, strict=True)), strict=True))


def test_a_column_is_chosen_by_name_and_verified_from_the_table() -> None:
    found = concordant.measure(table(), "kappa", cluster="item", seed=1)
    assert found.interval.n_clusters == 12
    assert "|from.cluster:item|" in found.signature
    assert concordant.verify(found.signature, table()).matches
    assert not any("resemble" in note for note in found.notes)
    alone = concordant.measure(table(), "kappa", cluster="none", seed=1)
    assert alone.interval.over == "units"
    assert not any("resemble" in note for note in alone.notes)
    assert concordant.verify(alone.signature, table()).matches


def test_units_that_resemble_each_other_are_noted_not_clustered() -> None:
    found = concordant.measure(table(), "percent", seed=1)
    assert found.interval.over == "units"
    (note,) = (note for note in found.notes if "resemble" in note)
    assert note.startswith("units of one 'item' resemble each other (design effect ")
    assert note.endswith("): cluster=item")
    shuffled = table()
    shuffled["item"] = [f"i{int(name.partition('-')[2]) % 6}" for name in shuffled["unit"]]
    assert not any("resemble" in note for note in concordant.measure(shuffled, "percent", seed=1).notes)
    asked = {**table(), "question": ["q"] * 144}
    assert any("resemble" in note for note in concordant.measure(asked, ["percent"], seed=1)[0].notes)


def test_pooled_units_of_one_item_are_noted_and_questions_are_not() -> None:
    one = table()
    n = len(one["unit"])
    rows = {name: [*column, *column] for name, column in one.items()} | {"question": ["q1"] * n + ["q2"] * n}
    pooled = concordant.measure(rows, "percent", pool=True, seed=1)
    assert (pooled.interval.over, pooled.interval.n_clusters) == ("units", 72)
    (note,) = (note for note in pooled.notes if "resemble" in note)
    assert note.startswith("units of one 'item' resemble each other (design effect ")


def test_where_raters_are_drawn_nothing_is_said_of_units_that_resemble_each_other() -> None:
    one = table()
    third = {
        name: [cell for cell, rater in zip(column, one["rater"], strict=True) if rater == "B"]
        for name, column in one.items()
    }
    third["rater"] = ["C"] * len(third["unit"])
    three = {name: [*column, *third[name]] for name, column in one.items()}
    assert any("resemble" in note for note in concordant.measure(three, "percent", seed=1).notes)
    drawn = concordant.measure(three, "percent", ci="bootstrap", over="raters", seed=1, resamples=50)
    assert drawn.interval.over == "raters"
    assert not any("resemble" in note for note in drawn.notes)


def test_a_design_effect_of_very_many_patterns_is_that_of_a_jackknife(monkeypatch: pytest.MonkeyPatch) -> None:
    data = data_of(200).with_clusters(np.arange(200) // 2, "texts")
    sampling = Sampling(measure=find_measure("percent"), data=tally(data), options=DEFAULTS)
    by_influence = design_effect(sampling)
    monkeypatch.setattr(intervals, "MOST_GROUPS", 1)
    assert design_effect(sampling) == pytest.approx(by_influence, rel=0.1)


def test_what_has_no_columns_has_no_clusters_by_name() -> None:
    with pytest.raises(InputError, match="these judgements have no columns"):
        concordant.measure([["a", "b"], ["b", "b"]], "percent", cluster="item")
    with pytest.raises(InputError, match="only judgements have clusters of units"):
        concordant.measure({"text": ["t"], "rater": ["a"], "begin": [0], "end": [3], "category": ["x"]}, cluster="item")
    planned = concordant.plan(table(), "percent", width=0.5, cluster="item", resamples=50, seed=1)
    assert planned.what == "clusters of 'item'"


def sails(data_dir: Path) -> dict[str, list[str]]:
    """The double judgements of the SAILS test set with the texts that the responses are copies of."""
    folder = data_dir / "sails"
    with (folder / "sails_responses.csv").open(encoding="utf-8") as file:
        about = {row["response_id"]: row for row in csv.DictReader(file) if row["split"] == "test"}
    with (folder / "sails_judgements.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["value"] and row["response_id"] in about]
    of = [about[row["response_id"]] for row in rows]
    return {
        "unit": [row["response_id"] for row in rows],
        "rater": [row["annotator"] for row in rows],
        "question": [row["feature"] for row in rows],
        "value": [row["value"] for row in rows],
        "text": [f"{row['item']}|{row['type_key']}" for row in of],
        "item": [row["item"] for row in of],
    }


@pytest.mark.data
@pytest.mark.parametrize(
    ("cluster", "n", "boot", "jack"),
    [
        ("none", None, (0.698, 0.790), (0.698, 0.791)),
        ("text", 876, (0.663, 0.814), (0.667, 0.822)),
        ("item", 6, (0.622, 0.881), (0.552, 0.936)),
    ],
)
def test_sails_interpretability(
    data_dir: Path, cluster: str, n: int | None, boot: tuple[float, float], jack: tuple[float, float]
) -> None:
    how: dict[str, Any] = {"cluster": cluster, "where": {"question": ["interpretability"]}, "seed": 1}
    (found,) = concordant.measure(sails(data_dir), ["kappa"], ci="bootstrap", **how)
    (usual,) = concordant.measure(sails(data_dir), ["kappa"], **how)
    near = jack if n == 6 else boot
    assert (usual.interval.low, usual.interval.high) == pytest.approx(near, abs=0.013)
    (left,) = concordant.measure(sails(data_dir), ["kappa"], ci="jackknife", **how)
    assert found.value == pytest.approx(0.7443, abs=5e-5)
    assert found.interval.n_clusters == n
    assert (found.interval.low, found.interval.high) == pytest.approx(boot, abs=0.004)
    assert (left.interval.low, left.interval.high) == pytest.approx(jack, abs=0.0006)


@pytest.mark.data
@pytest.mark.parametrize(
    ("cluster", "n", "boot"),
    [("none", None, (0.820, 0.854)), (None, 1293, (0.820, 0.854)), ("text", 876, (0.813, 0.860))],
)
def test_sails_pooled(data_dir: Path, cluster: str | None, n: int | None, boot: tuple[float, float]) -> None:
    found = concordant.measure(sails(data_dir), "kappa", pool=True, cluster=cluster, seed=1)
    assert found.value == pytest.approx(0.8377, abs=5e-5)
    assert found.interval.n_clusters == n
    assert (found.interval.low, found.interval.high) == pytest.approx(boot, abs=0.004)


@pytest.mark.data
def test_repeated_sentences_of_a_treebank(data_dir: Path) -> None:
    folder = data_dir / "treebank"
    study = read_treebanks({name: folder / "repeats" / name for name in "AB"})
    both: Tally = tally(study.judgements())
    percent, kappa = (measure(both, key, ci="bootstrap", seed=1) for key in ("percent", "kappa"))
    jack = measure(both, "percent", ci="jackknife").interval
    assert percent.interval is not None
    assert kappa.interval is not None
    assert jack is not None
    assert percent.n_units == 4634
    assert percent.interval.n_clusters == 172 + 1  # and a sentence whose discriminants have one judgement each
    assert percent.value == pytest.approx(0.97885, abs=5e-6)
    assert (percent.interval.low, percent.interval.high) == pytest.approx((0.969, 0.987), abs=0.004)
    assert (jack.low, jack.high) == pytest.approx((0.9697, 0.9881), abs=0.0001)
    assert kappa.value == pytest.approx(0.93715, abs=5e-6)
    assert (kappa.interval.low, kappa.interval.high) == pytest.approx((0.912, 0.959), abs=0.004)
