"""The example treebank is what its script makes."""

import filecmp
import subprocess
import sys
from pathlib import Path

from tests.treebank.made import EXAMPLE

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_example_treebank.py"


def test_the_script_makes_the_files_that_are_shipped(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    examples, profile = EXAMPLE.parent, EXAMPLE.parent / "studies" / "treebank" / "profile"
    shipped = [path for folder in (EXAMPLE, profile) for path in folder.rglob("*") if path.is_file()]
    shipped.append(profile.parent / "lexicon.tsv")
    assert made == sorted(path.relative_to(examples) for path in shipped)
    assert all(filecmp.cmp(tmp_path / name, examples / name, shallow=False) for name in made)
