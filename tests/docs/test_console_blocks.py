"""Every `console` block of the guides and the README is run, and what it prints must be what the page shows.

Each block begins in a folder with all example data; tutorials are followed as a whole, in `test_tutorials.py`.
"""

import shutil
from pathlib import Path

import pytest

from tests.docs.sessions import BLOCK, Session, differs, steps

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "concordant" / "examples" / "data"
PAGES = [ROOT / "README.md", *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "tutorials")]


def blocks() -> list[tuple[str, str]]:
    """(page, block) for every block of every page."""
    return [
        (str(page.relative_to(ROOT)), found[0])
        for page in PAGES
        for found in BLOCK.finditer(page.read_text("utf-8"))
        if found[1] == "console"
    ]


@pytest.mark.parametrize(("page", "block"), blocks(), ids=[f"{page}-{i}" for i, (page, _) in enumerate(blocks())])
def test_block_prints_what_the_page_shows(page: str, block: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    shutil.copytree(DATA, folder)
    shutil.copytree(DATA.parent / "treebank", folder / "treebank")
    session = Session(folder)
    for step in steps(block):
        _, printed = session.run(step.command)
        assert not differs(step.shown or "", printed), f"{page}: {step.command}\n{printed}"
