"""Tests of the real data sets: skipped, and said, where those are not; failing where they should be and are not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
FILES = ("tests/readers/test_asreview.py", "tests/golden/test_golden.py")  # one asks for a fixture, one does not


def outcome(data: str) -> str:
    """The summary of the tests of two files that need data, with CONCORDANT_DATA as given."""
    words = ["-m", "pytest", "-q", "-n0", "-rs", "-p", "no:cacheprovider", "-m", "data", *FILES]
    environment = {**os.environ, "CONCORDANT_DATA": data}
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    ).stdout


def test_without_the_data_they_are_skipped_with_the_reason() -> None:
    said = outcome("")
    assert "set CONCORDANT_DATA to their folder" in said
    assert "failed" not in said
    assert "passed" not in said


def test_without_their_files_they_fail(tmp_path: Path) -> None:
    said = outcome(str(tmp_path))
    assert "failed" in said or "error" in said
    assert "skipped" not in said
    assert "passed" not in said
