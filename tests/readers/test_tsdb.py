"""A treebank as a data file."""

from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from tests.treebank.made import EXAMPLE


def test_a_profile_and_a_directory_of_suites() -> None:
    suite = concordant.read(EXAMPLE / "anna" / "letters" / "SUITE-1-V1")
    whole = concordant.read(EXAMPLE / "anna")
    assert whole.raters == ("anna",)
    assert suite.judgements().n_judgements < whole.judgements().n_judgements
    assert whole.judgements().scale.categories == ("no", "yes")


def test_a_directory_without_profiles(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a directory"):
        concordant.read(tmp_path)
    with pytest.raises(InputError, match="not a profile"):
        concordant.read(tmp_path, format="tsdb")
