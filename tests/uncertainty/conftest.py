"""Data that the tests of uncertainty share; all invented."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concordant.engines.tally import Tally, tally
from concordant.model.judgements import Judgements
from concordant.randomness import generator


def panel(
    n_units: int, n_raters: int, *, missing: float = 0.0, right: float = 0.7, seed: int = 1
) -> NDArray[np.float64]:
    """Raters who give a unit's true category (1 to 4) with a certain share, else any; NaN is missing."""
    random = generator(seed, n_units, n_raters)
    truth = random.integers(1, 5, (n_units, 1))
    guess = random.integers(1, 5, (n_units, n_raters))
    cells = np.where(random.random((n_units, n_raters)) < right, truth, guess).astype(np.float64)
    cells[random.random((n_units, n_raters)) < missing] = np.nan
    return cells


@pytest.fixture
def two_raters() -> Tally:
    """100 units, two raters, nothing missing."""
    return tally(Judgements.from_matrix(panel(100, 2), level="nominal"))


@pytest.fixture
def five_raters() -> Tally:
    """60 units, five raters, a tenth missing."""
    return tally(Judgements.from_matrix(panel(60, 5, missing=0.1), level="nominal"))


@pytest.fixture(scope="session")
def peers() -> dict[str, Any]:
    """What other tools say; made by tests/reference/make_intervals.py."""
    text = (Path(__file__).parents[1] / "reference" / "intervals.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
