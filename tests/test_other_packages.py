"""What another package brings: one module each for a reader and a measure, announced by entry points, used at once.

Sections and formats of reports that another package brings are in `tests/report/test_additions.py`, a kind of question,
on the command line and on the raters' page, is in `tests/tasks/test_added_kind.py`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import concordant

READER = '''
"""Judgements as `unit rater value`, one in a line, after a first line of three stars."""

from pathlib import Path

from concordant.choices import Choices, choice
from concordant.model.columns import encode
from concordant.model.study import Study
from concordant.readers.format import SURE, Format


class StarOptions(Choices):
    skip: int = choice(0, "How many judgements to leave out.")


def read(path, options):
    rows = [line.split() for line in Path(path).read_text().splitlines()[1 + options.skip :]]
    unit, rater, value = (encode(list(cells)) for cells in zip(*rows, strict=True))
    return Study(name=str(path), unit=unit, rater=rater, value=value)


FORMAT = (
    Format(
        name="stars",
        holds="judgements",
        help="Judgements after three stars.",
        read=read,
        endings=(".xyz",),
        options=StarOptions,
        sniff=lambda path, head: SURE * head.startswith("***"),
    ),
    Format(name="moons", holds="judgements", help="Judgements after a line.", read=read, endings=(".moon",)),
)
'''
MEASURE = '''
"""A measure of our own."""

from dataclasses import replace

from concordant.measures.chance_corrected import percent

MEASURES = (replace(percent, key="doubled", name="Twice the same"),)
'''
ENTRY_POINTS = """
[concordant.readers]
stars = tiny_stars
[concordant.measures]
doubled = tiny_measures
"""
DATA = "***\na Ida yes\na Jon yes\nb Ida no\nb Jon yes\n"


def install(folder: Path, entry_points: str = ENTRY_POINTS) -> Path:
    """A folder with an installed package of two modules."""
    (folder / "tiny_stars.py").write_text(READER, encoding="utf-8")
    (folder / "tiny_measures.py").write_text(MEASURE, encoding="utf-8")
    about = folder / "tiny-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(entry_points, encoding="utf-8")
    return folder


def run(package: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """A command of a process that sees the package."""
    home = Path(concordant.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "concordant", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(home), str(package)])},
        check=False,
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("package"))


def test_a_file_is_read_by_it(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file.xyz").write_text(DATA)
    done = run(package, "measure", tmp_path / "file.xyz", "--measure", "percent", "--ci", "none")
    assert (done.returncode, "0.500" in done.stdout or ".500" in done.stdout) == (0, True), done.stderr

    (tmp_path / "file.moon").write_text(DATA)  # the module's second format
    assert run(package, "measure", tmp_path / "file.moon", "--measure", "percent", "--ci", "none").returncode == 0


def test_its_name_is_known_and_its_options_are_its_own(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_text(DATA)
    done = run(package, "measure", tmp_path / "file.csv", "--format", "stars", "--measure", "percent", "--ci", "none")
    assert done.returncode == 0, done.stderr
    done = run(package, "measure", tmp_path / "file.csv", "--format", "stars", "--unit", "x")
    assert (done.returncode, "the format stars has no option 'unit'; it has skip" in done.stderr) == (2, True)
    words = ("measure", tmp_path / "file.csv", "--format", "stars", "--measure", "percent", "--ci", "none", "--json")
    found = json.loads(run(package, *words, "--read", "skip=2").stdout)["results"][0]
    assert (found["n_units"], "skip:2" in found["signature"]) == (1, True)
    assert run(package, "verify", found["signature"], tmp_path / "file.csv").stdout == "the same\n"
    for said, message in (
        ("skip=two", "skip=two of the format stars is not a whole number"),
        ("jump=1", "the format stars has no option 'jump'; it has skip"),
        ("skip", "--read 'skip' is not NAME=VALUE"),
    ):
        refused = run(package, *words, "--read", said)
        assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
    assert "stars" in run(package, "measure", "--help").stdout
    assert "'stars'" in run(package, "measure", tmp_path / "file.csv", "--format", "star").stderr


def test_its_measure_is_in_the_catalogue(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file.xyz").write_text(DATA)
    done = run(package, "measure", tmp_path / "file.xyz", "--measure", "doubled", "--ci", "none")
    assert (done.returncode, "Twice the same" in done.stdout) == (0, True), done.stderr


def test_a_package_that_cannot_be_loaded_is_one_line(tmp_path: Path) -> None:
    broken = install(tmp_path, "[concordant.readers]\nlost = tiny_lost\n")
    (tmp_path / "file.csv").write_text("unit,rater,value\na,x,1\na,y,1\n")
    done = run(broken, "measure", tmp_path / "file.csv")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "announces tiny_lost in concordant.readers cannot be loaded" in done.stderr
    assert "mend or uninstall tiny" in done.stderr


def test_two_readers_of_one_name_are_refused(tmp_path: Path) -> None:
    twice = install(tmp_path, "[concordant.readers]\none = tiny_stars\ntwo = tiny_stars\n")
    (tmp_path / "file.xyz").write_text(DATA)
    done = run(twice, "measure", tmp_path / "file.xyz")
    assert (done.returncode, "two readers are called 'stars'" in done.stderr) == (2, True)
