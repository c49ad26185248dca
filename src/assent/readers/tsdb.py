"""[incr tsdb()] profiles: one annotator's decisions as judgements."""

from pathlib import Path

from assent.model.study import Study
from assent.treebank.judging import read_treebanks
from assent.treebank.suites import find_suites


def is_treebank(path: Path) -> bool:
    """Whether a directory is a profile or holds profiles."""
    return path.is_dir() and next(path.rglob("relations"), None) is not None


def read(path: str | Path) -> Study:
    """The decisions in a profile (or a directory of suites): units are discriminants, the rater is the directory."""
    directory = Path(path)
    find_suites(directory)
    return read_treebanks({directory.resolve().name: directory})
