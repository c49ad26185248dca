"""Kappas: weights, values and places, many raters."""

import numpy as np
import pytest

from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate
from concordant.measures.kappas import generalised_kappa
from concordant.measures.spec import Options, Setting
from concordant.model.judgements import Judgements


def test_weighted_kappa_says_whether_values_or_places_count() -> None:
    numbers = Judgements.from_matrix([[1, 2], [2, 2], [5, 5]], level="ordinal")
    names = Judgements.from_matrix([["a", "b"], ["b", "b"], ["c", "c"]], level="ordinal", categories=["a", "b", "c"])
    by_value = evaluate(CATALOGUE["weighted_kappa_quadratic"], tally(numbers))
    by_place = evaluate(CATALOGUE["weighted_kappa_linear"], tally(names))
    assert by_value.notes == ("quadratic weights on the values of the scale",)
    assert by_place.notes == ("linear weights on the positions of the categories in order",)


def test_weighted_kappa_needs_weights_and_names_them() -> None:
    data = tally(Judgements.from_matrix([[1, 2], [2, 2], [3, 3]], level="ordinal"))
    with pytest.raises(InputError, match="weighted_kappa needs weights"):
        evaluate(CATALOGUE["weighted_kappa"], data)
    named = evaluate(CATALOGUE["weighted_kappa"], data, Options(weights="linear"))
    assert named.name == "Weighted kappa (linear weights)"
    assert float(named) == pytest.approx(float(evaluate(CATALOGUE["weighted_kappa_linear"], data)))
    given = evaluate(CATALOGUE["weighted_kappa"], data, Options(weights=np.eye(3)))
    assert given.name == "Weighted kappa (given weights)"
    assert float(given) == pytest.approx(float(evaluate(CATALOGUE["kappa"], data)))


def test_kappa_of_more_than_two_raters_says_what_to_use() -> None:
    result = evaluate(CATALOGUE["kappa"], tally(Judgements.from_matrix([[1, 2, 1], [2, 2, 2]], level="nominal")))
    assert result.reason == "compares 2 raters, and there are 3; use conger, light, or --pairs"


def test_chance_of_conger_counts_raters_as_often_as_they_were_drawn() -> None:
    random = np.random.default_rng(3)
    data = tally(Judgements.from_matrix(random.integers(0, 3, size=(12, 4)), level="nominal"))
    drawn = data.pairs
    often = np.array([3.0, 1.0, 0.0, 2.0])
    totals = drawn.rater_totals(only_paired=True)
    shares = totals / totals.sum(axis=1, keepdims=True)
    pairs = [(r, s) for r in range(4) for s in range(4) if r != s]
    expected = sum(often[r] * often[s] * shares[r] @ shares[s] for r, s in pairs) / sum(
        often[r] * often[s] for r, s in pairs
    )
    found = generalised_kappa(drawn.with_rater_weights(often), None, Setting(data=data))
    assert found.expected == pytest.approx(expected)


def test_light_names_the_pair_without_a_value() -> None:
    matrix = [["x", "x", "x"], ["x", "x", "y"], ["x", "x", "x"]]
    result = evaluate(
        CATALOGUE["light"], tally(Judgements.from_matrix(matrix, raters=["a", "b", "c"], level="nominal"))
    )
    assert result.value is None
    assert str(result.reason).startswith("kappa of a and b is undefined")


def test_nominal_measures_warn_on_ordered_and_set_data() -> None:
    ordered = evaluate(CATALOGUE["kappa"], tally(Judgements.from_matrix([[1, 2], [2, 3]], level="ordinal")))
    sets = evaluate(CATALOGUE["kappa"], tally(Judgements.from_matrix([["a", "b"], ["a+b", "b"]], level="set")))
    assert "treats all disagreements alike although the values are ordinal" in ordered.notes[0]
    assert "treats sets as plain categories" in sets.notes[0]


def test_weights_on_a_nominal_scale_are_warned_about() -> None:
    data = tally(Judgements.from_matrix([["a", "b"], ["b", "b"]], level="nominal"))
    assert "not made for nominal data" in evaluate(CATALOGUE["ac2"], data).notes[0]
