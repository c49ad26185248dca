"""The documentation is complete, and no link in it is dead."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import concordant
from concordant.cli import commands
from concordant.measures.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    DOCS.rglob("*.md")
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), target


def test_every_measure_and_command_is_documented() -> None:
    for key in CATALOGUE:
        assert (DOCS / "reference" / "measures" / f"{key}.md").exists()
    page = (DOCS / "reference" / "commands.md").read_text("utf-8")
    for name in commands():
        assert f"## concordant {name}\n" in page


def test_every_page_is_reached_from_the_index() -> None:
    reached, todo = set(), [DOCS / "index.md"]
    while todo:
        page = todo.pop()
        if page not in reached:
            reached.add(page)
            links = re.findall(r"\]\(([^)#\s:]+\.md)[^)]*\)", page.read_text("utf-8"))
            todo += [(page.parent / link).resolve() for link in links]
    lost = {str(page.relative_to(ROOT)) for page in DOCS.rglob("*.md")} - {
        str(p.relative_to(ROOT)) for p in reached if DOCS in p.parents
    }
    assert not lost


def test_generated_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "make_docs.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_are_true(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_every_public_name_is_documented_and_used_in_an_example() -> None:
    page = (DOCS / "reference" / "python.md").read_text("utf-8")
    for name in concordant.__all__:
        assert f"cc.{name}" in page, name
