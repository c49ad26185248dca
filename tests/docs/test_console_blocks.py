"""Every `console` block of the documentation is run, and what it prints must be what the page shows."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import running

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "concordant" / "examples" / "data"
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
    """What one line prints: `concordant` runs inside this process, the shell does the rest."""
    words, _, filters = command.partition(" | ")
    if not words.startswith("concordant ") or re.search(r" > |; ", words):
        done = subprocess.run(
            command, shell=True, cwd=folder, env=with_concordant(folder), capture_output=True, text=True
        )
        return done.stdout + done.stderr
    ours = running.run(*shlex.split(words)[1:], code=None, cwd=folder, environment={"COLUMNS": "100"})
    if not filters:
        return ours.stdout + ours.stderr
    done = subprocess.run(filters, shell=True, cwd=folder, input=ours.stdout, capture_output=True, text=True)
    return done.stdout + ours.stderr + done.stderr


def with_concordant(folder: Path) -> dict[str, str]:
    """An environment for the shell with our `concordant` first on the path."""
    bin_folder = folder / "bin"
    if not bin_folder.exists():
        bin_folder.mkdir()
        script = bin_folder / "concordant"
        script.write_text(f'#!/bin/sh\nexec {sys.executable} -m concordant "$@"\n')
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "COLUMNS": "100"}


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
