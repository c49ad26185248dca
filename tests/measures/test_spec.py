"""Needs and options, asked before computing."""

from typing import Any

import numpy as np
import pytest

from assent.engines.tally import tally
from assent.errors import InputError
from assent.measures.catalogue import CATALOGUE
from assent.measures.evaluation import evaluate, reweighted
from assent.measures.spec import Options
from assent.model.judgements import Judgements


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
    assert "2 units with one judgement left out" in result.notes


def test_any_view_can_be_reweighted() -> None:
    data = tally(Judgements.from_matrix([[1, 2], [2, 2]], level="ordinal"))
    doubled = reweighted(data, data.patterns.weights * 2)
    assert doubled.n_judged == 4
    assert reweighted(data.panel, data.panel.weights * 2).weights.sum() == 4
