"""The report of a study of parses has Y-Option Kappa in its three readings, as the command line prints it."""

import json
from contextlib import closing
from pathlib import Path
from shutil import copytree

from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.examples import STUDIES
from concordant.design.plan import make_plan
from concordant.design.study_file import read
from tests.cli.running import run
from tests.collection.playing import play


def played(folder: Path, example: str, *raters: str) -> Path:
    """An example study in which everybody has answered."""
    copytree(Path(str(STUDIES)) / example, folder)
    description = read(folder)
    study = Running(description=description, plan=make_plan(description))
    with closing(Log.open(f"sqlite:///{folder / 'study.db'}")) as log:
        for number, rater in enumerate(raters):
            play(log, study, rater, number)
    return folder


def test_every_reading_is_that_of_the_command(tmp_path: Path) -> None:
    folder = played(tmp_path / "trees", "treebank", "A1", "A2")
    run("report", folder, "-o", tmp_path / "report.md")
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if "Y-Option Kappa (" in line and line.startswith("| A1")]
    assert [row[1] for row in rows] == [f"Y-Option Kappa ({name})" for name in ("resolved", "log", "thesis")]
    for row, reading in zip(rows, ("resolved", "log", "thesis"), strict=True):
        words = ("--measure", "y_option", "--read", f"reading={reading}", "--seed", "1", "--json")
        [told] = json.loads(run("measure", folder, *words).stdout)["results"]
        assert row[2] == ("undefined" if told["value"] is None else f"{told['value']:.3f}")
        assert row[5] == str(told["n_units"])
    assert rows[0][2] != "undefined"
    assert float(rows[0][3]) < float(rows[0][2]) <= float(rows[0][4]), "an interval over sentences"


def test_other_studies_have_no_such_section(tmp_path: Path) -> None:
    folder = played(tmp_path / "study", "features", "A1", "A2")
    run("report", folder, "-o", tmp_path / "report.md")
    assert "Choices among parses" not in (tmp_path / "report.md").read_text(encoding="utf-8")
