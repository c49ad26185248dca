"""The chain from judged features to compared systems, as far as two studies of the studio have come."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from concordant.collection.events import Answered, Completed, Event
from concordant.collection.log import Log
from concordant.collection.opened_study import read_study
from concordant.collection.session import Running, steps_of
from concordant.design.examples import STUDIES
from concordant.design.study_file import read
from concordant.errors import InputError
from concordant.studio import chained, versions
from concordant.studio.people import MemberPlace, hashed, place_of
from concordant.studio.projects import NotFoundError, Studio
from tests.cli.running import run
from tests.collection.playing import play
from tests.web.driving import steady

WHO, PASSWORD = "researcher", "a long enough password"
STEPS = ("features", "vectors", "preferences", "weights", "ranks", "systems")


def _study(home: Path, name: str) -> Running:
    shutil.copytree(str(STUDIES / name), home / name)
    return read_study(home / name)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    home = tmp_path / "home"
    home.mkdir()
    with Log.open(f"sqlite:///{home}/study.db") as log:
        made = Studio(log, {name: _study(home, name) for name in ("features", "preferences")}, home=home)
        made.accounts.add_researcher(WHO, hashed(PASSWORD))
        with closing(made.live):
            yield made


def at(studio: Studio, name: str) -> MemberPlace:
    return place_of(studio, WHO, name)


def judge(studio: Studio, *names: str) -> None:
    """Both raters go through the studies; on features they differ here and there."""
    for name in names:
        for rater in ("A1", "A2"):
            if name == "preferences":
                play(studio.log, studio.studies[name], rater)
                continue
            steps = steps_of(studio.studies[name], studio.log.enrol(studio.studies[name], rater))
            told = [(step, question) for step in steps for question in step.questions]
            given: list[Event] = [
                Answered(
                    rater=rater,
                    step=step.number,
                    unit=step.unit,
                    question=question,
                    value=says(step.unit, question, rater),
                )
                for step, question in told
            ]
            studio.log.append(name, [*given, Completed(rater=rater)])


def says(unit: str, question: str, rater: str) -> str:
    truth = steady(unit, question) % 3 > 0
    return "yes" if truth != (rater == "A2" and steady(question, unit) % 17 == 0) else "no"


def seen(studio: Studio, name: str, **asked: Any) -> chained.Chained:
    return chained.chained(at(studio, name), resamples=20, **asked)


def test_before_anybody_answered_every_step_waits_and_says_why(studio: Studio) -> None:
    found = seen(studio, "features")
    assert set(found.states.values()) == {"open"}
    assert "nobody has judged" in found.reasons["features"]
    assert "no pair has been decided" in found.reasons["preferences"]
    assert found.others == [("preferences", "Which response is better?")]


def test_the_other_half_with_most_answers_is_taken(studio: Studio) -> None:
    assert studio.home is not None
    for name in ("another", "second"):
        shutil.copytree(str(STUDIES / "features"), studio.home / name)
        text = (studio.home / name / "study.toml").read_text(encoding="utf-8")
        (studio.home / name / "study.toml").write_text(text.replace('name = "features"', f'name = "{name}"'), "utf-8")
        studio.take(read_study(studio.home / name))
    judge(studio, "second")
    found = seen(studio, "preferences")
    assert [name for name, _ in found.others] == ["second", "another", "features"]
    assert found.features is not None
    assert found.features.name == "second"
    assert found.agreement


def test_both_studies_show_the_same_chain(studio: Studio) -> None:
    judge(studio, "features", "preferences")
    one, other = (seen(studio, name) for name in ("features", "preferences"))
    assert one.to_dict() == other.to_dict()
    assert list(one.states) == list(STEPS)
    assert one.states["features"] == one.states["preferences"] == one.states["ranks"] == "done"
    assert one.states["systems"] == "open"


def test_the_command_gives_the_same_figures(studio: Studio, tmp_path: Path) -> None:
    judge(studio, "features", "preferences")
    found = seen(studio, "features", only="A1").to_dict()
    folders = [Path(shutil.copytree(tmp_path / "home" / name, tmp_path / name)) for name in ("features", "preferences")]
    for folder in folders:
        whole, copy = (sqlite3.connect(one / "study.db") for one in (tmp_path / "home", folder))
        with closing(whole), closing(copy):
            whole.backup(copy)
    told = json.loads(run("chain", *folders, "--only", "A1", "--resamples", "20", "--json").stdout)
    for part in ("agreement", "weights", "ranking", "by_rater", "only"):
        assert json.loads(json.dumps(found[part])) == told[part], part
    assert found["vectors"]["n_distinct"] == told["vectors"]["n_distinct"]


def test_a_preference_test_alone_brings_its_features_along(studio: Studio) -> None:
    judge(studio, "preferences")
    studio.membership.dismiss("features", WHO)
    studio.studies = {"preferences": studio.studies["preferences"]}
    found = seen(studio, "preferences")
    assert found.features is None
    assert found.states["ranks"] == "done"
    assert found.vectors is not None
    assert found.n_known == len(found.preferences.study.description.units) if found.preferences else False


def test_systems_are_compared_and_a_bad_table_is_told(studio: Studio) -> None:
    judge(studio, "features", "preferences")
    plain = seen(studio, "features")
    assert plain.ranked is not None
    units = plain.ranked.ranking.units
    table = "unit;good;bad\n" + "".join(f"{unit};{n};{-n}\n" for n, unit in enumerate(units))
    found = seen(studio, "features", scores=table)
    assert found.ranked is not None
    assert [one.system for one in found.ranked.systems] == ["good", "bad"]
    assert found.states["systems"] == "done"
    assert len(found.ranked.differences) == 2
    short = seen(studio, "features", scores="unit,mine\nr01,1\n")
    assert "there is no score" in short.reasons["systems"]
    assert short.states["ranks"] == "done"


def test_what_is_no_table_is_refused() -> None:
    for text in ("unit,a\nr1", "unit\n", "a,a\n1,2\n", "\n"):
        with pytest.raises(InputError, match="no table of scores"):
            chained.table_of(text)


def test_the_other_half_must_be_a_study_of_the_member(studio: Studio) -> None:
    with pytest.raises(NotFoundError):
        seen(studio, "features", other="somebody-elses")


def test_pairs_are_made_of_judged_features(studio: Studio) -> None:
    with pytest.raises(InputError, match="no judged features"):
        chained.begin_pairs(at(studio, "features"), "Better?")
    judge(studio, "features")
    draft = chained.begin_pairs(at(studio, "features"), "Better?")
    assert draft.problems == ()
    made = read(draft.folder)
    found = seen(studio, "features")
    assert found.vectors is not None
    assert len(made.rows) == found.n_known
    told = {row["unit"]: [f"{row[name] or 0:g}" for name in found.vectors.features] for row in found.vectors.rows()}
    names = found.vectors.features
    assert all([one.attributes[name] for name in names] == told[one.id] for one in made.rows)
    live = versions.publish(replace(draft))
    assert live.plan.pairs
    assert (live.description.folder / "media").is_dir()
