"""Consensus: CATALAN Table V."""

import pytest

from assent.gold.consensus import consensus
from assent.model.judgements import Judgements


def votes(**units: str) -> Judgements:
    """Judgements from `unit="B B E"`."""
    rows = [(unit, f"p{i}", value) for unit, text in units.items() for i, value in enumerate(text.split())]
    unit, rater, value = (list(column) for column in zip(*rows, strict=True))
    return Judgements.from_rows(unit, rater, value, level="set")


def test_table_v_largest_share() -> None:
    # CATALAN Table V: capaç has .06 .11 .39 .17 .03 .25, so BO although it has only 39 %
    capac = " ".join(["B"] * 6 + ["B+E"] * 11 + ["B+O"] * 39 + ["E"] * 17 + ["E+O"] * 3 + ["O"] * 24)
    found = consensus(votes(capac=capac, crania="O O O O"))
    assert found.values == ("B+O", "O")
    assert found.shares[0] == pytest.approx(0.39)
    assert found.ties == ()


def test_ties_are_reported_and_not_broken() -> None:
    found = consensus(votes(a="B E", b="B B E"))
    assert found.values == (None, "B")
    (tie,) = found.ties
    assert (tie.unit, tie.categories, tie.n_votes) == ("a", ("B", "E"), 1)
