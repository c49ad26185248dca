"""Experts against participants: CATALAN Tables III, VI, VII."""

import numpy as np
import pytest

from concordant.diagnosis.material import unit_shares
from concordant.errors import InputError
from concordant.gold.consensus import compare, compare_sides, largest_cells, table_agreements, ties
from concordant.measures.distance import set_overlapping, set_weighted
from concordant.model.judgements import Judgements
from concordant.model.scale import Level

ORDER = ("B", "B+E", "B+O", "E", "E+O", "O")
# CATALAN Table VII: experts × participants
TABLE_VII = np.array(
    [
        [79, 0, 3, 5, 0, 20],
        [3, 0, 0, 4, 0, 0],
        [1, 0, 4, 0, 1, 17],
        [2, 1, 1, 28, 1, 4],
        [0, 0, 0, 2, 2, 2],
        [0, 0, 0, 0, 0, 30],
    ]
)
# CATALAN Table VI: p_o and kappa
TABLE_VI = {"set_full": ("0.68", "0.55"), "set_weighted": ("0.79", "0.65"), "set_overlapping": ("0.85", "0.72")}
# CATALAN Table III, order B E O BE BO EO, in thirds
TABLE_III = [
    [3, 0, 0, 2, 2, 0],
    [0, 3, 0, 2, 0, 2],
    [0, 0, 3, 0, 2, 2],
    [2, 2, 0, 3, 1, 1],
    [2, 0, 2, 1, 3, 1],
    [0, 2, 2, 1, 1, 3],
]


def test_table_iii() -> None:
    members = tuple(frozenset(name) for name in ("B", "E", "O", "BE", "BO", "EO"))
    assert set_weighted(members) * 3 == pytest.approx(np.array(TABLE_III))
    assert (set_overlapping(members) == (np.array(TABLE_III) > 0)).all()


def test_table_vi_from_table_vii() -> None:
    found = table_agreements(TABLE_VII, ORDER, names=("experts", "participants"), level=Level.SET)
    for result in found:
        observed, value = TABLE_VI[result.measure]
        assert result.observed == pytest.approx(float(observed), abs=0.005)
        assert result.value == pytest.approx(float(value), abs=0.005)
    assert [result.measure for result in found] == list(TABLE_VI)


def test_the_largest_disagreements_are_those_the_document_names() -> None:
    cells = largest_cells(TABLE_VII, ORDER, most=2)
    assert [(cell.first, cell.second, cell.n_units) for cell in cells] == [("B", "O", 20), ("B+O", "O", 17)]
    assert cells[0].share == pytest.approx(20 / 67)  # the document counts 67 disagreements


def test_compare_counts_what_it_cannot_use() -> None:
    experts = votes(a="B", b="E", c="O", d="B")
    participants = votes(a="B B O", b="B B E", c="O B", e="E E")
    found = compare(experts, participants, categories=["O", "E", "B"])
    assert found.table == ((0, 0, 0), (0, 0, 1), (0, 0, 1))
    assert found.n_units == 2
    assert [tie.unit for tie in found.ties[1]] == ["c"]
    assert found.n_only == (1, 1)
    assert found.largest[0].first == "E"


def test_the_order_must_name_every_category() -> None:
    with pytest.raises(InputError, match="'E' occurs but is not in the order"):
        compare(votes(a="E"), votes(a="E"), categories=["B"])


def test_two_levels_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="experts are set and participants nominal"):
        compare(votes(a="B"), Judgements.from_rows(["a"], ["x"], ["B"], level="nominal"))


def votes(**units: str) -> Judgements:
    """Judgements from `unit="B B E"`."""
    rows = [(unit, f"p{i}", value) for unit, text in units.items() for i, value in enumerate(text.split())]
    unit, rater, value = (list(column) for column in zip(*rows, strict=True))
    return Judgements.from_rows(unit, rater, value, level="set")


def test_table_v_largest_share() -> None:
    # CATALAN Table V: capaç has .06 .11 .39 .17 .03 .25, so BO although it has only 39 %
    capac = " ".join(["B"] * 6 + ["B+E"] * 11 + ["B+O"] * 39 + ["E"] * 17 + ["E+O"] * 3 + ["O"] * 24)
    found = unit_shares(votes(capac=capac, crania="O O O O"))
    assert found.values == ("B+O", "O")
    assert found.shares[0].max() == pytest.approx(0.39)
    assert ties(found) == ()


def test_ties_are_reported_and_not_broken() -> None:
    found = unit_shares(votes(a="B E", b="B B E"))
    assert found.values == (None, "B")
    (tie,) = ties(found)
    assert (tie.unit, tie.categories, tie.n_votes) == ("a", ("B", "E"), 1)


def test_comparisons_are_a_table_in_a_notebook() -> None:
    study = Judgements.from_matrix(np.array([["a", "a"], ["b", "b"], ["a", "b"]]), raters=["x", "y"], level="nominal")
    found = compare_sides(study, study)
    assert "Cohen" in found._repr_html_()
    assert len(found.to_frame()) == 1
    assert found.to_dict()["comparisons"][0]["n_units"] == 2
