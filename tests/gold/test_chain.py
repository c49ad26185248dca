"""The chain from judged features to compared systems, on two studies that were acted out, and on a published corpus."""

import csv
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from concordant import chain, export, log, rank, vectors, weights
from concordant.collection.log import Log
from concordant.errors import InputError
from concordant.gold.weights import weigh_by_rater
from concordant.web.demonstration import scenes
from concordant.web.players import fill, written_study
from tests.cli.running import run

FEATURES = ("core_event", "answerhood", "grammaticality", "interpretability", "verifiability")
Places = tuple[Path, Path, Path]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """The folders of a feature study and of a preference test, both answered, and a table of two systems' scores."""
    folder = tmp_path_factory.mktemp("studies")
    found = {scene.name: scene for scene in scenes(datetime(2024, 3, 4, tzinfo=UTC))}
    for name in ("features-pilot", "preferences"):
        study = written_study(folder, found[name])
        with Log.open(f"sqlite:///{folder / name / 'study.db'}") as opened:
            fill(opened, study, found[name])
    with (folder / "preferences" / "responses.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    scores = folder / "scores.csv"
    lines = [f"{row['id']},{len(row['response'])},{len(set(row['response']))}" for row in rows]
    scores.write_text("\n".join(["id,length,letters", *lines]) + "\n", encoding="utf-8")
    return folder / "features-pilot", folder / "preferences", scores


def test_vectors_are_what_the_log_and_the_decisions_say(places: Places) -> None:
    """Recomputed from the raw events: each rater's first answer (the second is a check), the decision where they differ."""
    study = places[0]
    given: dict[tuple[str, str], dict[str, str]] = {}
    for event in log(study):
        if event["kind"] == "answered":
            given.setdefault((event["unit"], event["question"]), {}).setdefault(event["rater"], event["value"])
    done = export(study, study.parent / "features.csv")
    with (study.parent / "features.decisions.csv").open(encoding="utf-8") as stream:
        decided = {(row["unit"], row["question"]): row["value"] for row in csv.DictReader(stream)}
    with done.files[0].open(encoding="utf-8") as stream:
        shown = {row["unit"]: row["judged_unit"] for row in csv.DictReader(stream)}
    found = vectors(study)
    assert found.basis == "adjudicated or unanimous"
    for row in found.rows():
        for feature in FEATURES:
            place = (shown[row["unit"]], feature)
            answers = set(given[place].values())
            right = decided.get(place, answers.pop() if len(answers) == 1 else None)
            assert row[feature] == (None if right is None else float(right == "yes"))
    exported = vectors(done.files[0], decisions=study.parent / "features.decisions.csv")
    ours = {row["unit"]: row for row in found.rows()}
    assert {row["unit"]: row for row in exported.rows()} == ours


def test_whose_values(places: Places) -> None:
    assert vectors(places[0], values="A1").basis == "as A1 says"
    assert len(vectors(places[0], values="votes", features=["core_event"]).features) == 1
    with pytest.raises(InputError, match="there are no values 'A9'"):
        vectors(places[0], values="A9")
    with pytest.raises(InputError, match="no question for the feature 'style'"):
        vectors(places[0], features=["style"])
    with pytest.raises(InputError, match="nothing was adjudicated"):
        vectors([["yes", "no"], ["no", "no"]], values="adjudicated")


def test_weights_are_read_from_the_folder_as_from_its_export(places: Places) -> None:
    study = places[1]
    export(study, study.parent / "pairs.csv")
    told = weights(study, only="A1")
    assert told.as_mapping() == weights(study.parent / "pairs.csv", only="A1").as_mapping()
    by_rater = weigh_by_rater(study)
    assert list(by_rater) == [None, "A1", "A2"]
    assert by_rater["A1"] == told
    assert by_rater[None].n_decisions == by_rater["A1"].n_decisions + by_rater["A2"].n_decisions
    nets = dict.fromkeys(FEATURES, 0.0)
    with (study.parent / "pairs.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["rater"] == "A1" and row["choice"] != "same":
                sign = 1 if row["choice"] == "A" else -1
                for name in FEATURES:
                    nets[name] += sign * (float(row[f"A_{name}"]) - float(row[f"B_{name}"]))
    assert {one.feature: one.net for one in told.features} == nets
    with pytest.raises(InputError, match="no feature 'style'"):
        weights(study, features=["style"])


def test_the_whole_chain(places: Places) -> None:
    study, preferences, scores = places
    found = chain(study, preferences, scores=scores, only="A1")
    assert [one.question for one in found.agreement] == list(FEATURES)
    assert found.weights["A1"] == weights(preferences, only="A1")
    ranking, own = found.ranked.ranking, found.weights["A1"].as_mapping()
    ours = {row["unit"]: row for row in vectors(study).rows()}
    told = {unit: sum(own[name] * ours[unit][name] for name in FEATURES) for unit in ranking.units}
    assert ranking.scores.tolist() == pytest.approx(list(told.values()))
    with scores.open(encoding="utf-8") as stream:
        length = {row["id"]: float(row["length"]) for row in csv.DictReader(stream)}
    first, second = found.ranked.systems
    for part in first.items:
        units = [unit for unit, i in zip(ranking.units, ranking.item, strict=True) if ranking.items[i] == part.item]
        ours_here, theirs = [told[unit] for unit in units], [length[unit] for unit in units]
        assert float(part.spearman) == pytest.approx(spearmanr(ours_here, theirs).statistic)
        assert float(part.tau_b) == pytest.approx(kendalltau(ours_here, theirs).statistic)
        assert part.spearman.interval is not None
    difference = found.ranked.differences[0]
    apart = [float(a.spearman) - float(b.spearman) for a, b in zip(first.items, second.items, strict=True)]
    assert difference.difference is not None
    assert difference.difference.value == pytest.approx(np.mean(apart))
    assert difference.is_exact
    assert [one.rater for one in found.by_rater] == ["A2"]
    assert any("had other features when the pairs were made" in note for note in found.notes)
    assert set(found.to_dict()) >= {"agreement", "vectors", "weights", "ranking"}
    assert repr(found).startswith("<<")
    with pytest.raises(InputError, match="there is no rater 'A9'"):
        chain(study, preferences, only="A9")


def test_the_commands(places: Places, tmp_path: Path) -> None:
    study, preferences, scores = places
    page = tmp_path / "chain.html"
    told = run("chain", study, preferences, "--scores", scores, "-o", page).stdout
    assert "5. Scores and ranks by the preferences of all raters" in told
    assert "Systems against each other" in page.read_text(encoding="utf-8")
    run("chain", study, preferences, "--json")
    assert "all raters" in run("weights", preferences, "--by-rater").stdout
    assert '"A2"' in run("weights", preferences, "--by-rater", "--json").stdout
    assert "leave out --only" in run("weights", preferences, "--by-rater", "--only", "A1", code=2).stderr
    made = tmp_path / "responses.csv"
    assert "Wrote" in run("vectors", study, "-o", made).stdout
    with made.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["core_event"] for row in rows} == {"0", "1"}
    assert len(rows) == int(vectors(study).is_known.sum())
    assert '"basis"' in run("vectors", study, "--json").stdout
    ranked = tmp_path / "ranked.csv"
    run("rank", study, "--weights", preferences, "--scores", scores, "-o", ranked)
    assert len(ranked.read_text(encoding="utf-8").splitlines()) == len(rows) + 1
    assert "name a table" in run("rank", study, "--weights", preferences, "--system", "x", code=2).stderr


def test_units_made_of_vectors_are_designed_into_pairs(places: Places, tmp_path: Path) -> None:
    """The next study needs nothing by hand but its study file."""
    vectors(places[0]).to_csv(tmp_path / "responses.csv")
    (tmp_path / "study.toml").write_text(
        'name = "next"\ntitle = "Next"\n[units]\nfile = "responses.csv"\nitem = "item"\ntext = "text"\n'
        f"[pairs]\nvector = {list(FEATURES)}\nper_group = 3\n"
        '[[questions]]\nid = "better"\ntask = "pairwise"\nask = "Which?"\n[[raters]]\nid = "A1"\n',
        encoding="utf-8",
    )
    assert "total" in run("design", tmp_path).stdout


def test_scores_that_cannot_be_used(places: Places, tmp_path: Path) -> None:
    lacking = tmp_path / "lacking.csv"
    lacking.write_text("id,mine\nr01,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="there is no score for"):
        rank(places[0], weights=str(places[1]), scores=lacking)
    twice = tmp_path / "twice.csv"
    twice.write_text("id,mine\nr01,1\nr01,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="two rows for 'r01'"):
        rank(places[0], weights=str(places[1]), scores=twice)
    unnamed = tmp_path / "unnamed.csv"
    unnamed.write_text("who,mine\nr01,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column names the response"):
        rank(places[0], weights=str(places[1]), scores=unnamed)
    with pytest.raises(InputError, match="of nobody in particular"):
        rank(places[0], weights="core_event=1", only="A1")
    with pytest.raises(InputError, match="this study has no pairs"):
        weights(places[0])


@pytest.mark.data
def test_published_weights_rank_the_corpus_as_its_authors_did(data_dir: Path) -> None:
    """SAILS: the first annotator's features with the printed weights order all 60 items as the stored scores do."""
    told = dict(zip(FEATURES, (0.365, 0.093, 0.056, 0.224, 0.262), strict=True))
    found = rank(
        data_dir / "sails" / "sails_judgements.csv",
        weights=told,
        unit="response_id",
        rater="annotator",
        question="feature",
        values="A1",
        scores=data_dir / "sails" / "sails_responses.csv",
        system="anno_score",
        ci="none",
    )
    assert len(found.ranking.units) == 13_515
    assert any("18 units without a vector" in note for note in found.notes)
    (system,) = found.systems
    assert len(system.items) == 60
    assert all(float(part.tau_b) == pytest.approx(1) for part in system.items)
