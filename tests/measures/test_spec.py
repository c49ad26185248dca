"""Needs and options, asked before computing."""

from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import Needs, Options, Parts, Setting, corrected, measure
from concordant.model.judgements import Judgements


@pytest.mark.parametrize("choice", [{"singletons": "forget"}, {"weight": "raters"}])
def test_a_choice_that_is_not_offered_is_refused(choice: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="unknown"):
        Options(**choice)


def test_problems_are_sentences() -> None:
    nominal = tally(Judgements.from_matrix([["a", "b"], ["b", "b"]], level="nominal"))
    scores = tally(Judgements.from_matrix(np.linspace(0, 1, 3000).reshape(-1, 2), level="interval"))
    assert CATALOGUE["spearman"].needs.problems(nominal) == [
        "needs ordinal, interval, ratio, bipolar data, and these are nominal"
    ]
    assert CATALOGUE["kappa"].needs.problems(scores) == ["needs categories, and the scale is continuous"]
    assert evaluate(CATALOGUE["kappa"], scores).reason == "needs categories, and the scale is continuous"
    assert CATALOGUE["alpha"].needs.problems(scores) == []
    assert CATALOGUE["spearman"].needs.cautions(nominal) == []


def test_single_judgements_are_counted_in_a_note() -> None:
    data = tally(Judgements.from_matrix([["a", "b"], ["b", "b"], ["a", ""], ["", "b"]], level="nominal"))
    result = evaluate(CATALOGUE["fleiss"], data)
    assert (result.n_units, result.n_dropped) == (2, 2)
    left_out = "2 of 4 units have one judgement: left out of all coefficients (--shares all counts them in chance"
    assert any(note.startswith(left_out) for note in result.notes)
    assert "2 of 4 units have one judgement: left out" in evaluate(CATALOGUE["percent"], data).notes  # has no --shares
    counted = evaluate(CATALOGUE["fleiss"], data, Options(shares="all"))
    assert "2 units with one judgement counted in chance, not in observed agreement (--shares all)" in counted.notes
    for key in ("alpha", "light"):
        notes = evaluate(CATALOGUE[key], data, Options(shares="all")).notes
        assert "2 of 4 units have one judgement: left out" in notes
        assert any(note.startswith("shares all: ") for note in notes)


def test_the_older_name_of_a_choice_means_the_same() -> None:
    assert Options(singletons="drop") == Options(shares="paired") == Options()
    assert Options(singletons="keep") == Options(shares="all")
    with pytest.raises(InputError, match="singletons keep is shares all, not paired; give shares alone"):
        Options(singletons="keep", shares="paired")


def test_any_view_can_be_reweighted() -> None:
    data = tally(Judgements.from_matrix([[1, 2], [2, 2]], level="ordinal"))
    for view in (data.counts, data.pairs, data.panel):
        assert view.reweighted(view.weights * 2).weights.sum() == 4


def test_a_measure_without_its_explanation_fails_where_it_is_made() -> None:
    def untold(data: Tally, setting: Setting) -> Parts:
        """Chance does nothing.

        In other tools: nowhere.
        """
        return Parts(value=np.array(1.0))

    made = measure(
        key="untold",
        name="Untold",
        cite=("cohen-1960",),
        needs=Needs(suits=frozenset(), missing="uses every pair"),
    )
    with pytest.raises(ValueError, match="measure untold has no paragraph When not to use it and no Example"):
        made(untold)


@pytest.mark.parametrize(("room", "is_defined"), [(0.0, False), (5e-13, False), (5e-12, True), (-5e-13, False)])
def test_next_to_no_room_above_chance_is_undefined(room: float, is_defined: bool) -> None:
    """Sums of shares differ from 1 by rounding; what is left of 0/0 is not a value."""
    found = corrected(np.array(1.0), np.array(1.0 - room), why="0/0")
    assert bool(np.isfinite(found.value)) == is_defined
    assert not is_defined or found.value == pytest.approx(1)
