"""Our models of raters against crowd-kit's (JSON made by make_gold.py)."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concordant.gold.rater_models import NO_PRIOR, dawid_skene, mace, votes_of
from concordant.model.judgements import Judgements
from tests.gold.test_standard import patients, published

TOOL: dict[str, Any] = json.loads((Path(__file__).parent / "crowd-kit.json").read_text(encoding="utf-8"))
CROWD = TOOL["crowd"]


@pytest.fixture(scope="module")
def crowd() -> Judgements:
    """Six raters with missing answers, as the tool got them."""
    matrix = np.full((200, 6), np.nan)
    unit, rater, value = np.array(CROWD["rows"]).T
    matrix[unit, rater] = value
    return Judgements.from_matrix(matrix)


def test_the_fixture_says_where_it_comes_from() -> None:
    assert TOOL["version"]
    assert TOOL["licence"] == "Apache-2.0"
    assert "make_gold.py" in TOOL["command"]


def test_dawid_and_skene_on_the_published_example() -> None:
    found = dawid_skene(patients(published()["patients"]), prior=NO_PRIOR)
    np.testing.assert_allclose(found.probabilities, TOOL["patients"]["posterior"], atol=1e-5)
    np.testing.assert_allclose(found.shares, TOOL["patients"]["shares"], atol=1e-6)


def test_dawid_and_skene_with_missing_answers(crowd: Judgements) -> None:
    found = dawid_skene(votes_of(crowd), prior=NO_PRIOR)
    np.testing.assert_allclose(found.probabilities, CROWD["dawid_skene"]["posterior"], atol=1e-4)
    np.testing.assert_allclose(found.shares, CROWD["dawid_skene"]["shares"], atol=1e-5)


def test_mace_with_missing_answers(crowd: Judgements) -> None:
    """The tool smooths by priors, we by small counts: the categories are the same, competences nearly so."""
    found = mace(votes_of(crowd))
    same = [int(value) == other for value, other in zip(found.values, CROWD["mace"]["values"], strict=True)]
    assert np.mean(same) > 0.985
    np.testing.assert_allclose(found.competences, CROWD["mace"]["knows"], atol=0.06)


def test_why_it_is_not_used_as_it_is() -> None:
    """The same data with categories numbered otherwise, and the careful raters pass for careless ones."""
    plain = np.array(CROWD["plain_mace"]["knows"])
    assert plain[:3].max() < 0.05 < 0.6 < plain[3:].min()
