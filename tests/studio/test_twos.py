"""Agreement of two while answers arrive is what the command line prints of the same study."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import pytest

from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.examples import STUDIES
from concordant.design.plan import make_plan
from concordant.design.study_file import read
from concordant.studio.exports import report
from concordant.studio.measurements import parts
from concordant.studio.people import MemberPlace, place_of
from concordant.studio.projects import Studio
from concordant.studio.twos import drawn_pairs, treebankers
from concordant.web.demonstration import scenes
from concordant.web.players import fill, written_study
from tests.cli.running import run
from tests.collection.playing import play


def opened(log: Log, study: Running) -> MemberPlace:
    """The study as a researcher of all studies has it."""
    studio = Studio(log, {study.description.name: study})
    studio.accounts.add_researcher("maria", "x")
    return place_of(studio, "maria", study.description.name)


def test_y_option_kappa_has_all_three_readings(tmp_path: Path) -> None:
    folder = Path(copytree(Path(str(STUDIES)) / "treebank", tmp_path / "trees"))
    description = read(folder)
    study = Running(description=description, plan=make_plan(description))
    with closing(Log.open(f"sqlite:///{folder / 'study.db'}")) as log:
        place = opened(log, study)
        assert treebankers(place, place.latest()) == []
        for number, rater in enumerate(("A1", "A2")):
            play(log, study, rater, number)
        found = treebankers(place, place.latest())
        (block,) = parts(place).twos
        goal = tmp_path / "report.md"
        report(place, "md").write(goal)
    assert [one.details["reading"] for one in found] == ["resolved", "log", "thesis"]
    assert {tuple(one.raters) for one in found} == {("A1", "A2")}
    assert [row.result for row in block.rows] == found
    assert block.title.startswith("A1 and A2")
    for one in found:
        words = ("--measure", "y_option", "--read", f"reading={one.details['reading']}", "--seed", "1", "--json")
        (told,) = json.loads(run("measure", folder, *words).stdout)["results"]
        assert told["value"] == pytest.approx(one.value)
        ends = told["interval"] and [told["interval"][end] for end in ("low", "high")]
        assert ends == (one.interval and pytest.approx([one.interval.low, one.interval.high]))
    assert found[0].value is not None
    told = [line for line in goal.read_text(encoding="utf-8").splitlines() if "Y-Option Kappa (" in line]
    assert len(told) >= 3, "the studio's own report has them, too"


def test_random_pairs_of_a_crowd_have_both_intervals(tmp_path: Path) -> None:
    scene = next(one for one in scenes(datetime(2024, 3, 4, tzinfo=UTC)) if one.name == "experiment")
    study = written_study(tmp_path, scene)
    with closing(Log.open(f"sqlite:///{tmp_path / scene.name / 'study.db'}")) as log:
        fill(log, study, scene)
        place = opened(log, study)
        found = drawn_pairs(place.latest())
        shown = parts(place, asks_pairs=True).twos
    assert [one.measure for one in found] == ["set_full", "set_weighted", "set_overlapping"]
    words = [word for one in found for word in ("--measure", one.measure)]
    told = json.loads(run("measure", tmp_path / scene.name, *words, "--ci", "pairs", "--seed", "1", "--json").stdout)
    for one, printed in zip(found, told["results"], strict=True):
        assert printed["value"] == pytest.approx(one.value)
        assert printed["details"]["observed_interval"]["low"] == pytest.approx(one.details["observed_interval"]["low"])
        assert one.interval is not None
        assert printed["interval"]["high"] == pytest.approx(one.interval.high)
    assert sum("observed agreement" in note for note in shown[0].notes) == 3
