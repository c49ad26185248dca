"""Percent, S, pi, AC1, AC2, Brennan-Prediger: identities and options."""

import pytest

from concordant.engines.tally import Tally, tally
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements

MATRIX = [["a", "a", "b"], ["b", "b", "b"], ["c", "a", "c"], ["a", "a", "a"], ["c", "c", ""]]


def on(level: str = "nominal", **more: list[str]) -> Tally:
    return tally(Judgements.from_matrix(MATRIX, level=level, **more))


def value(key: str, data: Tally, options: Options | None = None) -> float:
    return float(evaluate(CATALOGUE[key], data, options or Options()))


def test_pi_and_fleiss_are_one_function_named_by_the_raters() -> None:
    assert evaluate(CATALOGUE["pi"], on()).name == "Fleiss' kappa"
    two = tally(Judgements.from_matrix([["a", "b"], ["b", "b"]], level="nominal"))
    assert evaluate(CATALOGUE["fleiss"], two).name == "Scott's pi"
    assert value("pi", on()) == value("fleiss", on())


def test_brennan_prediger_without_weights_is_s() -> None:
    assert value("brennan_prediger", on()) == pytest.approx(value("s", on()))


def test_unused_categories_count_for_s_and_ac1() -> None:
    wide = on(categories=["a", "b", "c", "d", "e"])
    assert value("s", wide) > value("s", on())
    assert value("ac1", wide) > value("ac1", on())
    assert value("pi", wide) == pytest.approx(value("pi", on()))


def test_ac2_with_identity_weights_is_ac1() -> None:
    assert value("ac2", on(), Options(weights="identity")) == pytest.approx(value("ac1", on()))
    assert value("ac2", on()) == pytest.approx(value("ac1", on()))


def test_weights_enter_observed_and_expected() -> None:
    data = on("ordinal", categories=["a", "b", "c"])
    weighted = evaluate(CATALOGUE["fleiss"], data, Options(weights="linear"))
    plain = evaluate(CATALOGUE["fleiss"], data)
    assert weighted.observed is not None
    assert plain.observed is not None
    assert weighted.observed > plain.observed
    assert weighted.expected is not None
    assert plain.expected is not None
    assert weighted.expected > plain.expected


def test_sets_get_partial_credit_by_masi() -> None:
    data = tally(Judgements.from_matrix([["a", "a+b"], ["b", "b"], ["a+b", "a+b"]], level="set"))
    assert value("ac2", data) == pytest.approx(value("ac2", data, Options(weights="masi")))


@pytest.mark.parametrize("key", ["s", "ac1", "ac2", "brennan_prediger"])
def test_a_scale_of_one_category_leaves_nothing_to_correct(key: str) -> None:
    data = tally(Judgements.from_matrix([["a", "a"], ["a", "a"]], level="nominal", categories=["a"]))
    result = evaluate(CATALOGUE[key], data)
    assert (result.value, result.expected) == (None, 1)
    assert result.reason == "the scale has one category, so agreement by chance is 1"


@pytest.mark.parametrize("key", ["s", "ac1", "brennan_prediger"])
def test_two_categories_by_hand(key: str) -> None:
    """Three of four units alike; of eight judgements five are a."""
    data = tally(Judgements.from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]], level="nominal"))
    chance = 2 * (5 / 8) * (3 / 8) if key == "ac1" else 0.5
    assert float(evaluate(CATALOGUE[key], data)) == pytest.approx((0.75 - chance) / (1 - chance))
