"""Fixtures for all tests."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the real data sets, named by ASSENT_DATA; tests that ask for it carry the mark `data`."""
    named = os.environ.get("ASSENT_DATA")
    if not named:
        pytest.skip("the real data sets are not here: set ASSENT_DATA to their folder")
    return Path(named)
