"""What the page on R shows is what R prints: all its blocks are one session, where R with reticulate is installed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import concordant
from concordant.design.examples import EXAMPLES

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "from-r.md").read_text("utf-8")
BLOCK = re.compile(r"^```r\n(.*?)^```", re.DOTALL | re.MULTILINE)


def session(page: str) -> tuple[str, str]:
    """The script of a page, and what it says is printed."""
    lines = "".join(BLOCK.findall(page)).splitlines()
    shown = [line.removeprefix("#>").removeprefix(" ") for line in lines if line.startswith("#>")]
    return "\n".join(line for line in lines if not line.startswith("#>")), "\n".join(shown)


def has_reticulate() -> bool:
    """Whether R is here, with reticulate."""
    asked = ["Rscript", "-e", "library(reticulate)"]
    return (
        shutil.which("Rscript") is not None and subprocess.run(asked, capture_output=True, check=False).returncode == 0
    )


@pytest.mark.slow
@pytest.mark.skipif(not has_reticulate(), reason="R with reticulate is not installed")
def test_r_prints_what_the_page_shows(tmp_path: Path) -> None:
    shutil.copy(Path(str(EXAMPLES / "data" / "ratings.csv")), tmp_path)
    script, shown = session(PAGE)
    (tmp_path / "page.R").write_text(script, encoding="utf-8")
    source = str(Path(concordant.__file__).parents[1])
    told = {**os.environ, "RETICULATE_PYTHON": sys.executable, "PYTHONPATH": source}
    done = subprocess.run(["Rscript", "page.R"], cwd=tmp_path, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.rstrip() for line in done.stdout.splitlines()] == [line.rstrip() for line in shown.splitlines()]


def test_every_block_says_what_it_prints() -> None:
    script, shown = session(PAGE)
    assert script.startswith("library(reticulate)")
    assert len(BLOCK.findall(PAGE)) == PAGE.count("```r\n") > 4
    assert len(shown.splitlines()) > 6
