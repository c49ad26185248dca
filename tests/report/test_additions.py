"""A section and a format that another package brings: one module each, and every report has them."""

import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from tests.cli.test_main import EXAMPLES

SECTION = """
from concordant.report.document import Paragraph
from concordant.report.grid import table
from concordant.report.sections import SectionMaker


def blocks(facts):
    counts = [("Judgements", sum(part.judgements.n_judgements for part in facts.materials))]
    return [table("Ethics in numbers", ("", "Study"), counts), Paragraph(text="The raters were paid.")]


SECTION = SectionMaker(key="ethics", title="Ethics statement", order=15, of=("judgements",), blocks=blocks)
"""
FORMAT = """
from concordant.report.formats import ReportFormat, as_text


def render(document):
    return "\\n".join(section.title for section in document.sections)


FORMAT = ReportFormat(endings=(".outline",), order=90, write=as_text(render))
"""
ENTRY_POINTS = """
[concordant.report.sections]
ethics = ethics
[concordant.report.formats]
outline = outline_format
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package of two modules."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "ethics.py").write_text(SECTION, encoding="utf-8")
    (folder / "outline_format.py").write_text(FORMAT, encoding="utf-8")
    about = folder / "tiny-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return folder


def write(package: Path, goal: Path) -> subprocess.CompletedProcess[str]:
    paths = [str(EXAMPLES.parents[2]), str(package)]
    arguments = [str(EXAMPLES / "ratings.csv"), "--measure", "percent", "--ci", "none", "-o", str(goal)]
    return subprocess.run(
        [sys.executable, "-m", "concordant", "report", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        check=False,
    )


@pytest.mark.parametrize("ending", ["html", "tex", "md"])
def test_a_section_is_in_every_text_format(package: Path, tmp_path: Path, ending: str) -> None:
    goal = tmp_path / f"report.{ending}"
    done = write(package, goal)
    assert (done.returncode, done.stderr) == (0, "")
    said = goal.read_text("utf-8")
    for text in ("Ethics statement", "Ethics in numbers", "The raters were paid."):
        assert text in said
    assert said.index("study at a glance") < said.index("Ethics statement") < said.index("Coefficients")


def test_a_section_has_its_sheet(package: Path, tmp_path: Path) -> None:
    assert write(package, tmp_path / "report.xlsx").returncode == 0
    sheet = openpyxl.load_workbook(tmp_path / "report.xlsx")["Ethics statement"]
    assert [cell.value for cell in sheet[2]] == ["Judgements", 385]
    assert sheet["A4"].value == "The raters were paid."


def test_a_format_is_chosen_by_its_ending(package: Path, tmp_path: Path) -> None:
    assert write(package, tmp_path / "report.outline").returncode == 0
    assert (tmp_path / "report.outline").read_text("utf-8").splitlines()[:4] == [
        "Verdict",
        "The study at a glance",
        "Who took part",
        "Ethics statement",
    ]
    assert ".md, .outline, not '.doc'" in write(package, tmp_path / "report.doc").stderr
