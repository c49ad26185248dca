"""Every `console` block of the documentation is run, and what it prints must be what the page shows."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "assent" / "examples" / "data"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks() -> list[tuple[str, str]]:
    """(page, block) for every block of every page."""
    return [(str(page.relative_to(ROOT)), block) for page in PAGES for block in BLOCK.findall(page.read_text("utf-8"))]


def steps(block: str) -> list[tuple[str, str]]:
    """(command, shown output) for every `$ ` line of a block; a backslash goes on with the next line."""
    parts = re.split(r"^\$ ", block.replace("\\\n", ""), flags=re.MULTILINE)[1:]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def run(command: str, folder: Path) -> str:
    """Run one line in the shell, with our `assent` first on the path."""
    bin_folder = folder / "bin"
    if not bin_folder.exists():
        bin_folder.mkdir()
        script = bin_folder / "assent"
        script.write_text(f'#!/bin/sh\nexec {sys.executable} -m assent "$@"\n')
        script.chmod(0o755)
    env = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "COLUMNS": "100"}
    done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize(("page", "block"), blocks(), ids=[f"{page}-{i}" for i, (page, _) in enumerate(blocks())])
def test_block_prints_what_the_page_shows(page: str, block: str, tmp_path: Path) -> None:
    for source in DATA.iterdir():
        shutil.copy(source, tmp_path)
    shutil.copytree(DATA.parent / "treebank", tmp_path / "treebank")
    for command, shown in steps(block):
        printed = run(command, tmp_path).strip("\n").splitlines()
        expected = shown.strip("\n").splitlines()
        if expected and expected[-1] == "…":
            printed, expected = printed[: len(expected) - 1], expected[:-1]
        assert [line.rstrip() for line in printed] == [line.rstrip() for line in expected], f"{page}: {command}"
