"""Reports of crowds: Table IV of the Catalan study by another computation, who took part, experts, nobody by name."""

import csv
import json
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest
from scipy import stats

from concordant import compare, diagnose, measure, report
from concordant.collection.log import Log
from concordant.engines.tally import tally
from concordant.randomness import generator
from concordant.readers.data import as_study
from concordant.report.grid import Grid
from concordant.report.sections.participants import in_words
from concordant.uncertainty.random_pairs import score_pairs
from concordant.web.demonstration import scenes
from concordant.web.players import fill, written_study
from tests.cli.running import run

CLASSES = ("B", "E", "O", "B+E", "B+O", "E+O")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two sets of 25 units by 33 participants each, and three experts. Invented."""
    folder, random = tmp_path_factory.mktemp("crowd"), generator(8)
    rows, known = [], []
    for number in range(2):
        truth = random.integers(0, 6, 25)
        kinds = random.choice(["denominal", "deverbal"], 25)
        for person in range(33):
            age, said = (
                int(random.integers(18, 70)),
                np.where(random.random(25) < 0.6, truth, random.integers(0, 6, 25)),
            )
            rows += [
                (f"u{number}-{i}", f"s{number}p{person:02}", CLASSES[v], kinds[i], age) for i, v in enumerate(said)
            ]
        for expert in ("X1", "X2", "X3"):
            known += [(f"u{number}-{i}", expert, CLASSES[v]) for i, v in enumerate(truth)]
    for name, head, cells in (
        ("crowd.csv", ("unit", "rater", "value", "kind", "rater_age"), rows),
        ("experts.csv", ("unit", "rater", "value"), known),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([head, *cells])
    return folder / "crowd.csv", folder / "experts.csv"


def weight(one: str, two: str, kind: str) -> float:
    """Full, weighted and overlapping agreement of two sets of classes, as the paper has them."""
    a, b = set(one.split("+")), set(two.split("+"))
    if kind == "set_full":
        return float(a == b)
    if not a & b:
        return 0.0
    return 1.0 if kind == "set_overlapping" else sum((c in a) == (c in b) for c in "BEO") / 3


@pytest.mark.parametrize("key", ["set_full", "set_weighted", "set_overlapping"])
def test_table_iv_is_that_of_another_computation(crowd: tuple[Path, Path], key: str) -> None:
    """Observed agreement and kappa of every drawn pair by hand, then mean ± t s / √N in each set, then over sets."""
    said: dict[str, dict[str, str]] = {}
    with crowd[0].open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            said.setdefault(row["rater"], {})[row["unit"]] = row["value"]
    (found,) = json.loads(run("measure", crowd[0], "--level", "set", "--measure", key, "--ci", "pairs", "--seed", "3",
                              "--json").stdout)["results"]  # fmt: skip
    drawn = score_pairs(tally(as_study(crowd[0], level="set").judgements()), key, seed=3)
    told: dict[str, list[tuple[float, float, float]]] = {"observed": [], "kappa": []}
    for one in drawn:
        scores: dict[str, list[float]] = {"observed": [], "kappa": []}
        for pair in (result.raters for result in one.results):
            a, b = (said[rater] for rater in pair)
            units = sorted(a.keys() & b.keys())
            p_o = fmean([weight(a[unit], b[unit], key) for unit in units])
            p_e = fmean([weight(a[u], b[v], key) for u in units for v in units])
            scores["observed"].append(p_o)
            scores["kappa"].append((p_o - p_e) / (1 - p_e))
        for name, values in scores.items():
            half = float(stats.t.ppf(0.975, len(values) - 1)) * stdev(values) / len(values) ** 0.5
            told[name].append((fmean(values), fmean(values) - half, fmean(values) + half))
    expected = {name: np.mean(rows, axis=0).tolist() for name, rows in told.items()}
    interval, seen = found["interval"], found["details"]["observed_interval"]
    assert [found["value"], interval["low"], interval["high"]] == pytest.approx(expected["kappa"])
    assert [found["observed"], seen["low"], seen["high"]] == pytest.approx(expected["observed"])


def test_the_report_names_nobody(crowd: tuple[Path, Path], tmp_path: Path) -> None:
    goal = tmp_path / "crowd.md"
    run("report", crowd[0], "--level", "set", "--ci", "pairs", "--experts", crowd[1], "-o", goal)
    text = goal.read_text(encoding="utf-8")
    assert "Observed low" in text
    assert "random rater pairs" in text
    assert "| age | min. " in text
    assert "Experts against participants" in text
    assert "Quarter below" in text
    assert "Let both raters explain" not in text
    diagnosis = text[text.index("## Diagnosis") : text.index("## Pictures")]
    assert not any(f"s{s}p{p:02} &amp; " in diagnosis for s in range(2) for p in range(33))


def test_the_verdict_rests_on_the_interval_that_is_shown(crowd: tuple[Path, Path], tmp_path: Path) -> None:
    """Value and interval of the verdict are those of the mean over random pairs, and not the usual ones."""
    goal = tmp_path / "crowd.md"
    run("report", crowd[0], "--level", "set", "--measure", "alpha", "--ci", "pairs", "--seed", "1", "-o", goal)
    (shown,) = measure(as_study(crowd[0], level="set"), ["alpha"], ci="pairs", seed=1)
    (usual,) = measure(as_study(crowd[0], level="set"), ["alpha"], seed=1)
    assert shown.interval is not None
    assert shown.interval.low != usual.interval.low
    text = goal.read_text(encoding="utf-8")
    verdict = text[text.index("## Verdict") : text.index("## The study at a glance")]
    assert f"| {shown.value:.3f} | {shown.interval.low:.3f} | {shown.interval.high:.3f} |" in verdict


def test_of_a_crowd_single_people_are_not_diagnosed(crowd: tuple[Path, Path]) -> None:
    found = diagnose(crowd[0], level="set")
    assert found.is_crowd
    assert found.questions[0].directions == ()
    assert found.batches == ()
    assert all("explain" not in one.advice for one in found.findings)


def test_findings_of_a_crowd_count_pairs() -> None:
    random = generator(3)
    values = random.integers(0, 2, (40, 70))
    found = diagnose(values)
    told = [one for one in found.findings if "that were looked at" in one.seen]
    assert told
    assert told[0].severity.value == "warning"
    assert "Nobody in a crowd can be asked" in told[0].advice


def test_both_consensuses_unit_by_unit(crowd: tuple[Path, Path]) -> None:
    (found,) = compare(crowd[1], crowd[0], level="set").values()
    assert len(found.units) == 50
    same = sum(one.first == one.second for one in found.units if None not in (one.first, one.second))
    assert same == sum(found.table[i][i] for i in range(len(found.categories)))
    assert all(one.first_share == 1 for one in found.units)
    told = json.loads(run("compare", crowd[1], crowd[0], "--level", "set", "--json").stdout)
    assert len(told["comparisons"][0]["units"]) == 50
    alone = compare([["a"], ["b"], ["a"]], [["a"], ["b"]])[None].units[-1]
    assert (alone.unit, alone.second, alone.second_share) == ("3", None, None)


def test_the_flow_of_a_study(tmp_path: Path) -> None:
    scene = next(one for one in scenes(datetime(2024, 3, 4, tzinfo=UTC)) if one.name == "experiment")
    study = written_study(tmp_path, scene)
    with Log.open(f"sqlite:///{tmp_path / 'experiment' / 'study.db'}") as log:
        fill(log, study, scene)
    made = report(tmp_path / "experiment")
    (section,) = (one for one in made.sections if one.key == "participants")
    flow, *_, people = (block for block in section.blocks if isinstance(block, Grid))
    assert flow.title == "Participant flow"
    assert flow.rows[0][2] == 18
    assert [row[0] for row in people.rows][:1] == ["age"]


def test_answers_in_words() -> None:
    many = list("abcdefghijklmnop")
    assert in_words(many).endswith("4 other answers")
    assert in_words(["", ""]) == "not reported 100%"
