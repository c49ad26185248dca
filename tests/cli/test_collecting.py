"""The commands around collecting, from `init` to `export`, `log` and `measure`."""

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from concordant.collection.database import default_url
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.examples import example_names, init
from concordant.design.plan import load_plan
from concordant.design.study_file import read
from concordant.measures.result import Agreement
from concordant.model.judgements import Judgements
from concordant.uncertainty.estimate import measure
from tests.cli.running import run
from tests.collection.playing import play


def collect_answers(folder: Path, raters: list[str]) -> None:
    description = read(folder)
    study = Running(description=description, plan=load_plan(description))
    with Log.open(default_url(description.folder)) as log:
        for rater in raters:
            play(log, study, rater)


@pytest.mark.parametrize("name", example_names())
def test_every_example_is_written_checked_and_planned(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "study"
    assert f"{name!r}" in run("init", folder, "--example", name).stdout
    assert "no mistakes" in run("check", folder).stdout
    assert "Sets (plan" in run("design", folder).stdout
    first = (folder / "plan.json").read_bytes()
    run("design", folder)
    assert (folder / "plan.json").read_bytes() == first


def test_init_does_not_touch_a_folder_with_files(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert "the folder is not empty" in run("init", tmp_path, code=2).stderr
    assert "did you mean 'features'" in run("init", tmp_path / "x", "--example", "feature", code=2).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_check_prints_every_mistake_and_ends_with_2(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    run("init", folder, "--example", "features")
    (folder / "media" / "swim.svg").unlink()
    study = folder / "study.toml"
    study.write_text(study.read_text().replace("go_back = true", "go_back = 1"))
    lines = run("check", folder, code=2).stderr.splitlines()
    assert lines[-1] == f"{study}:32: go_back: expected true or false, found 1"
    assert len(lines) == 13
    assert all("image 'media/swim.svg' does not exist" in line for line in lines[:-1])
    assert len(json.loads(run("check", folder, "--json", code=2).stdout)["problems"]) == 13


def test_design_keeps_another_plan_unless_forced(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    run("init", folder, "--example", "experiment")
    run("design", folder)
    study = folder / "study.toml"
    study.write_text(study.read_text().replace("seed = 2009", "seed = 2010"))
    assert "another plan is already there" in run("design", folder, code=2).stderr
    (folder / "plan.json").write_text("no plan at all")
    assert "another plan is already there" in run("design", folder, code=2).stderr
    run("design", folder, "--force")
    plan = json.loads(run("design", folder, "-o", tmp_path / "plan.json", "--json").stdout)
    assert plan["seed"] == 2010
    assert json.loads((tmp_path / "plan.json").read_text()) == plan


def test_nothing_collected_yet_is_one_clear_line(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    run("init", folder)
    for arguments in (("export", folder, "-o", tmp_path / "x.csv"), ("measure", folder), ("log", "rebuild", folder)):
        assert "nothing was collected yet" in run(*arguments, code=2).stderr
    unreachable = ("export", folder, "-o", tmp_path / "x.csv", "--db", "postgresql://nobody@127.0.0.1:1/none")
    assert "check that the server runs" in run(*unreachable, code=2).stderr
    assert not (tmp_path / "x.csv").exists()


def test_the_log_gives_the_same_coefficients_as_its_export(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    run("init", folder, "--example", "features")
    collect_answers(folder, ["A1", "A2"])
    counts = json.loads(run("export", folder, "-o", tmp_path / "out.csv", "--json").stdout)
    assert (counts["n_judged"], counts["n_judgements"]) == (330, 360)
    told = json.loads(run("measure", folder, "--measure", "kappa", "--ci", "none", "--json").stdout)
    assert any("330 judgements given, 360 after fanning out" in note for note in told["notes"])
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for result in told["results"]:
        assert result["value"] == pytest.approx(_kappa(rows, result["question"]).value)
    again = json.loads(run("measure", tmp_path / "out.csv", "--measure", "kappa", "--ci", "none", "--json").stdout)
    assert [result["value"] for result in again["results"]] == [result["value"] for result in told["results"]]
    by_writer = run("measure", folder, "--measure", "kappa", "--ci", "none", "--by", "writer", "--pool", "--json")
    slices = [result["slice"] for result in json.loads(by_writer.stdout)["results"]]
    assert sorted(slices, key=str) == [{"writer": "learner"}, {"writer": "native"}]


def test_attributes_are_joined_to_the_table_and_not_to_the_study(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    init(folder)
    collect_answers(folder, ["A1", "A2"])
    run("export", folder, "-o", tmp_path / "answers.csv")
    units = {row["unit"] for row in csv.DictReader((tmp_path / "answers.csv").read_text("utf-8").splitlines())}
    lines = [f"{unit},{'ab'[i % 2]}" for i, unit in enumerate(sorted(units))]
    (tmp_path / "more.csv").write_text("\n".join(["unit,expert", *lines]))
    join = ("--attributes", tmp_path / "more.csv", "--on", "unit")
    for words in (("archive", folder, "-o", tmp_path / "a.zip"), ("export", folder, "-o", tmp_path / "b.csv")):
        said = run(*words, *join, code=2).stderr
        assert said.count("\n") == 1
        assert "no attributes are joined" in said
        assert "to the study's own tables, which may grow" in said
    assert not (tmp_path / "a.zip").exists()
    assert not (tmp_path / "b.csv").exists()
    run("archive", tmp_path / "answers.csv", "-o", tmp_path / "a.zip", *join, "--measure", "kappa")  # as was advised
    assert "expert" in run("measure", tmp_path / "answers.csv", *join, "--by", "expert", "--measure", "kappa").stdout


def _kappa(rows: list[dict[str, str]], question: str) -> Agreement:
    kept = [row for row in rows if row["question"] == question]
    columns = ([row[name] for row in kept] for name in ("unit", "rater", "value"))
    return measure(Judgements.from_rows(*columns, level="nominal", categories=["yes", "no"]), "kappa", ci="none")


def test_export_tells_the_flow_and_log_can_be_shown_and_rebuilt(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    run("init", folder, "--example", "experiment")
    collect_answers(folder, ["p1", "p2", "p3"])
    told = run("export", folder, "-o", tmp_path / "out.xlsx").stdout
    assert "answered less than 66%" in told
    assert "several words" in told
    assert "Who took part" in told
    shown = run("log", "show", folder, "--rater", "p1").stdout.splitlines()
    assert [json.loads(line)["kind"] for line in shown[:2]] == ["assigned", "joined"]
    assert "made the tables of answers and raters again" in run("log", "rebuild", folder).stdout
    value = json.loads(run("measure", folder, "--measure", "alpha", "--ci", "none", "--json").stdout)["results"][0]
    assert value["n_raters"] == 3


def test_check_watches_until_it_is_stopped(tmp_path: Path) -> None:
    study = init(tmp_path / "mine")
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "concordant", "check", str(study), "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as watching:
        assert watching.stdout is not None
        assert "no mistakes" in watching.stdout.readline()
        study.write_text(study.read_text("utf-8").replace("seed = ", "sed = "), encoding="utf-8")
        told = [watching.stdout.readline() for _ in range(3)]
        watching.send_signal(signal.SIGINT)
        assert watching.wait(60) == 130
    assert "there is no setting 'sed' here; did you mean 'seed'?" in told[-1]
